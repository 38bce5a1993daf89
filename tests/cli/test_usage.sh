# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash disable=SC2154,SC2034
# Command lines that are wrong. There is no made-up module to ask: fakenl.so
# aborts if anything is asked of it, so nothing was done when these pass.

unset FAKE_WORLD

# refuses NAME TEXT ARGUMENT... - a usage error
refuses() {
	local name=$1 text=$2
	shift 2
	fails 2 usage "$text" "$@"
	ok "usage: $name"
}

refuses "unknown verb" 'unknown verb "frobnicate"' frobnicate
says stdout 'the verbs are: status, faults, set, restore, validate, help'
ok "usage: unknown verb lists the verbs"
refuses "help for an unknown verb" 'unknown verb "frobnicate"' help frobnicate
refuses "unknown long option" 'unknown option --frobnicate' status --frobnicate
refuses "unknown short option" 'unknown option -x' faults -x
refuses "unknown short option in a cluster" 'unknown option -x' status -ax
refuses "unknown option without a verb" 'unknown option --frobnicate' --frobnicate
run 2 validate --size
says stderr 'option --size needs a value'
ok "usage: missing value"
run 2 validate --size -j
json peerpass/error/1 "j['error']['message'] == '--size: \"-j\" is not a number'"
ok "usage: an option is no value"
refuses "value where none is taken" 'option --all takes no value' status --all=yes
refuses "size is no number" '--size: "lots" is not a number' validate --size lots
refuses "size is empty" '--size: "" is not a number' validate --size ''
refuses "size is negative" '--size: "-8" is not a number' validate --size=-8
refuses "size is too small" '--size: 0 is out of range, 8 to 1073741824' validate --size 0
refuses "size is too large" '--size: 2G is out of range' validate --size 2G
refuses "size overflows" '--size: 99999999999999999999 is out of range' validate --size 99999999999999999999
refuses "size is odd" '--size: 12 is not a multiple of 8' validate --size 12
refuses "timeout is zero" '--timeout: 0 is out of range, 1 to 3600' validate --timeout 0
refuses "timeout is too long" '--timeout: 3601 is out of range' validate --timeout 3601
for verb in status faults restore validate; do
	for bad in 0000:01:00 01:00.9 01:20.0 zz:00.0 gpu gpu1x gpu-1 0000:01:00.0.0 ''; do
		fails 2 usage "\"$bad\" is not a device" "$verb" 01:00.0 "$bad"
	done
	ok "usage: malformed device for $verb"
done
refuses "set without anything" 'a device and a mode are needed' set
refuses "set without a mode" 'a device and, last, a mode are needed' set gpu0
refuses "set: no device" '"identity" is not a device' set identity peer
refuses "set: unknown mode" 'mode "indent": unknown mode; observe, identity, off, peer or auto expected' set gpu0 indent
says stdout 'or policy'
ok "usage: an unknown mode lists the modes"
refuses "set: a set where none goes" 'mode "observe:a": a set, or flag "all", needs mode "identity", "peer" or "auto"' set gpu0 observe:a
refuses "set: both directions" 'exclude each other' set gpu0 peer:a+initiator+target
refuses "set: unknown flag" 'unknown flag' set gpu0 identity+forced
refuses "set: a policy" 'one mode expected, not a policy' set gpu0 peer:a,10de:*=peer
refuses "set: policy takes nothing" 'unknown mode' set gpu0 policy:a
refuses "set: long nonsense" 'too long' set gpu0 "$(printf '%0130d' 0)"
refuses "set: timeout is no number" '--timeout: "soon" is not a number' set gpu0 peer --timeout soon
refuses "set: timeout is too long" '--timeout: 601 is out of range, 1 to 600' set gpu0 peer --timeout 601
refuses "restore: unknown option" 'unknown option --rebind' restore --rebind
refuses "validate of one device" 'only 01:00.0 is named' validate 01:00.0

for verb in status faults set restore validate; do
	run 0 "$verb" --help
	says stdout "-j, --json"
	silent stderr
	cp "$out/stdout" "$out/help"
	run 0 help "$verb"
	cmp -s "$out/stdout" "$out/help" || note "help $verb and $verb --help differ"
	ok "usage: help for $verb"
done
for arguments in --help -h help; do
	run 0 $arguments
	says stdout 'Usage: peerpass'
	for verb in status faults set restore validate; do says stdout "$verb"; done
done
ok "usage: help lists the verbs"
run 0 --version
says stdout "peerpass $(sed -n 's/^#define PP_VERSION[[:space:]]*"\(.*\)"/\1/p' "$tree/kmod/peerpass.h")"
ok "usage: version is the module's"
