# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash disable=SC2154,SC2034
# validate: each verdict from data and faults, and everything that can fail.

export LD_LIBRARY_PATH=$out/cuda
export PP_TEST_CUDA_DEVICES=0000:41:00.0,0000:01:00.0
unset PP_TEST_CUDA

# verdict WORDS CODE NAME CELL [EXPRESSION...] - only what device 0 of CUDA (gpu1,
# since CUDA's order is another one than that of addresses) does to gpu0 goes wrong
verdict() {
	local words=$1 code=$2 name=$3 cell=$4
	shift 4
	world
	export PP_TEST_CUDA=only=0:1${words:+,$words}
	run "$code" validate --timeout 2 --size 4096
	grep -qE "^ *1 0000:41:00.0 +$cell +-$" "$out/stdout" || note "row: $(grep '41:00.0  ' "$out/stdout")"
	grep -qE '^ *0 0000:01:00.0 +- +ok$' "$out/stdout" || note "the other direction is not ok"
	[ "$name" = ok ] || says stdout "gpu1 -> gpu0: $name:"
	world
	run "$code" validate --timeout 2 --size 4096 -j
	json peerpass/validate/1 "len(j['pairs']) == 2" "j['exit_code'] == $code" \
		"[p['verdict'] for p in j['pairs']] == ['ok', '$name']" \
		"j['pairs'][1]['initiator'] == '0000:41:00.0' and j['pairs'][1]['target'] == '0000:01:00.0'" \
		"j['verdicts']['$name'] == (2 if '$name' == 'ok' else 1)" "j['size'] == 4096" "$@"
	ok "validate: ${words:-no switch} is $name, exit code $code"
}

writes="j['pairs'][1]['operations'][1]"
reads="j['pairs'][1]['operations'][2]"
verdict "" 0 ok ok "j['p2p'] == {'works': 'yes', 'why': '2 of 2 pairs ok', 'next': None}" \
	"[o['operation'] for o in j['pairs'][0]['operations']] == ['control', 'write', 'read']" \
	"all(o['words'] == 512 and o['bad_words'] == 0 for p in j['pairs'] for o in p['operations'])" \
	"len({o['nonce'] for p in j['pairs'] for o in p['operations']}) == 6" \
	"j['devices'][0]['cuda_ordinal'] == 1 and j['devices'][0]['index'] == 'gpu0'"
verdict drop 12 corrupt_without_faults X "j['p2p']['works'] == 'no'" \
	"${writes}['outcome'] == 'wrong' and ${writes}['bad_words'] == 512 and ${writes}['bad_kind'] == 'poison'" \
	"${writes}['first_bad_offset'] == 0 and ${writes}['found'] == '0x5a5a5a5a5a5a5a5a'"
verdict dropread 12 corrupt_without_faults X \
	"${writes}['outcome'] == 'right' and ${reads}['outcome'] == 'wrong'"
verdict zeros 12 corrupt_without_faults X "${reads}['bad_kind'] == 'zeros'"
verdict half 12 corrupt_without_faults X \
	"${writes}['first_bad_offset'] == 4088 and ${writes}['bad_words'] == 1"
verdict drop,fault 11 corrupt_with_faults XF \
	"j['pairs'][1]['faults']['total'] == 32 and j['pairs'][0]['faults']['total'] == 0" \
	"j['pairs'][1]['faults']['by_kind'] == {'read': 16, 'write': 16}" \
	"${writes}['faults']['by_kind'] == {'write': 16} and ${reads}['faults']['by_kind'] == {'read': 16}" \
	"j['pairs'][1]['faults']['targets'][0]['target'] == {'class': 'bar', 'bdf': '0000:01:00.0', 'bar': 1}" \
	"'policy=' in j['p2p']['next']"
verdict faults 13 ok_with_faults okF "j['p2p']['works'] == 'not_proved'"
verdict unknown-faults 13 ok_with_faults okF \
	"j['pairs'][1]['faults']['targets'][0]['target']['class'] == 'unassigned'"
verdict copyerror 14 inconclusive '\?' \
	"${writes}['cause'] == 'cuMemcpyDtoDAsync_v2: CUDA_ERROR_LAUNCH_FAILED (719): unspecified launch failure'" \
	"${reads}['outcome'] == 'not_run'"
verdict crash 14 inconclusive '\?' "'signal 6' in ${writes}['cause']"
verdict hang 10 hang H "${writes}['outcome'] == 'hung'" "1.9 < j['pairs'][1]['seconds'] < 6" \
	"j['pairs'][1]['left_behind_pid'] is None"

# A child in state D is not waited for without end.
world
FAKE_NO_KILL=1 PP_TEST_CUDA=only=0:1,hang run 10 validate --timeout 1 --size 4096 -j
json peerpass/validate/1 "j['verdicts'] == {**j['verdicts'], 'hang': 1, 'ok': 1}" \
	"j['pairs'][1]['left_behind_pid'] > 1" "2.9 < j['pairs'][1]['seconds'] < 6"
FAKE_NO_KILL=1 PP_TEST_CUDA=only=0:1,hang run 10 validate --timeout 1 --size 4096
says stdout 'could not be killed and was left behind'
FAKE_NO_KILL=1 PP_TEST_CUDA=inithang fails 10 hang 'its process cannot be killed' validate --timeout 1
ok "validate: a child that cannot be killed is left behind"

unset PP_TEST_CUDA
# everything WORDS CODE NAME TEXT - both pairs go wrong
everything() {
	world
	PP_TEST_CUDA=$1 run "$2" validate --timeout 1 --size 4096 -j
	json peerpass/validate/1 "j['verdicts']['$3'] == 2"
	PP_TEST_CUDA=$1 run "$2" validate --timeout 1 --size 4096
	says stdout "$4"
	ok "validate: $1 is $3, exit code $2"
}
everything noaccess 15 no_access 'cuDeviceCanAccessPeer says no'
everything noenable 15 no_access 'cuCtxEnablePeerAccess: not supported'
everything badmemory 14 inconclusive 'control wrong from byte 0x800, 256 of 512 words'
everything endhang 10 hang 'all done, but the process did not end'

world
PP_TEST_CUDA=print run 0 validate --size 8 -j
json peerpass/validate/1 "j['exit_code'] == 0"
says stderr 'a library that prints'
ok "validate: a library that prints does not spoil the output"

# Whether the counts can be trusted is said.
world 'sync drained=0'
run 0 validate --size 64
says stdout "Fault evidence is weak for 2 of 2 pairs: the hardware's log was not drained in time."
run 0 validate --size 64 -j
json peerpass/validate/1 "all(p['fault_evidence_weak'] and not p['faults']['drained'] for p in j['pairs'])"
world
sed -i 's/inexact=0/inexact=4/' "$FAKE_WORLD"
run 0 validate --size 64
says stdout 'counts are a lower bound (dead_probe)'
world
sed -i 's/source=1/source=0/' "$FAKE_WORLD"
run 0 validate --size 64
says stdout 'faults are not counted on this system'
ok "validate: weak evidence"

# Not usable here.
world
PP_TEST_CUDA_DEVICES='' fails 15 no_gpu 'P2P takes two GPUs, CUDA has 0' validate
PP_TEST_CUDA_DEVICES=0000:01:00.0 fails 15 too_few_gpus 'P2P takes two GPUs, CUDA has 1' validate
export CUDA_VISIBLE_DEVICES=0
PP_TEST_CUDA_DEVICES=0000:01:00.0 fails 15 too_few_gpus 'CUDA_VISIBLE_DEVICES=0 may hide some' validate
unset CUDA_VISIBLE_DEVICES
ok "validate: too few GPUs, exit code 15"
PP_TEST_CUDA=initfail=999 fails 15 cuda_failed 'CUDA does not work here: CUDA_ERROR_UNKNOWN (999)' validate
ok "validate: cuInit fails, exit code 15"
PP_TEST_CUDA=inithang fails 10 hang 'CUDA did not say within 1 s' validate --timeout 1
ok "validate: cuInit hangs, exit code 10"
PP_TEST_CUDA_DEVICES=xyz,0000:01:00.0 fails 15 cuda_failed 'odd bus id "xyz"' validate
ok "validate: odd bus id"
mkdir -p "$out/broken" "$out/old"
echo "no library" >"$out/broken/libcuda.so.1"
LD_LIBRARY_PATH=$out/broken fails 15 no_cuda 'cannot open libcuda.so.1' validate
says stdout 'LD_LIBRARY_PATH'
echo 'int cuInit(unsigned int f) { return (int)f; }' | "${CC:-cc}" -shared -fPIC -x c -o "$out/old/libcuda.so.1" -
LD_LIBRARY_PATH=$out/old fails 15 no_cuda 'the driver is too old' validate
ok "validate: broken or old libcuda, exit code 15"
if ! ldconfig -p | grep -q libcuda.so.1; then
	LD_LIBRARY_PATH='' fails 15 no_cuda 'libcuda.so.1: cannot open shared object file' validate
	ok "validate: no libcuda, exit code 15"
fi

# Named devices.
export PP_TEST_CUDA_DEVICES=0000:41:00.0,0000:01:00.0,0000:81:00.0
world 'dev bdf=0000:81:00.0 present=1 vendor=10de device=2bb1 class=030200 wanted=0 actual=2 reason=0' \
	'dev bdf=0000:91:00.0 present=1 vendor=1a03 device=2000 class=030000 wanted=0 actual=2 reason=0'
run 0 validate gpu2 01:00.0 --size 64 -j
json peerpass/validate/1 "[d['bdf'] for d in j['devices']] == ['0000:01:00.0', '0000:81:00.0']" \
	"len(j['pairs']) == 2"
fails 1 no_device 'CUDA does not have gpu3' validate gpu0 gpu3
says stdout 'CUDA has: 0000:41:00.0, 0000:01:00.0, 0000:81:00.0'
fails 2 usage 'only gpu0 is named' validate gpu0 01:00.0
ok "validate: named devices"

# 16 GPUs: 240 pairs, in a matrix of 80 columns.
world
export PP_TEST_CUDA_DEVICES=
for i in $(seq 16); do PP_TEST_CUDA_DEVICES+=$(printf '10000:%02x:00.0,' "$i"); done
for i in $(seq 16); do
	printf 'dev bdf=10000:%02x:00.0 present=1 vendor=10de device=2bb1 class=030200 wanted=0 actual=2 reason=0\n' "$i"
done >>"$FAKE_WORLD"
PP_TEST_CUDA=drop run 12 validate --size 64
width=$(sed -n '/^from/,/^$/p' "$out/stdout" | awk '{ if (length($0) > w) w = length($0) } END { print w + 0 }')
[ "$width" -le 80 ] || note "the matrix is $width columns wide"
[ "$width" -ge 70 ] || note "the matrix cannot have been measured: $width columns"
[ "$(grep -c ' -> ' "$out/stdout")" = 240 ] || note "not 240 lines of evidence"
[ "$(sort -u <(grep -o '^gpu[0-9]* -> gpu[0-9]*' "$out/stdout") | wc -l)" = 240 ] || note "not 240 different pairs"
ok "validate: 16 GPUs fit 80 columns"

# child_of PID - waits for its child and prints it; gives up after 5 s
child_of() {
	local child
	for _ in $(seq 100); do
		child=$(ps -o pid= --ppid "$1") && echo "${child// /}" && return
		sleep 0.05
	done
	return 1
}

# Two at once: the second is refused and changes nothing for the first.
export PP_TEST_CUDA_DEVICES=0000:41:00.0,0000:01:00.0
world
PP_TEST_CUDA=only=0:1,hang LD_PRELOAD=$out/fakenl.so "$peerpass" validate --timeout 3 >"$out/first" 2>&1 &
first=$!
child_of $first >/dev/null || note "the first one has no child: $(cat "$out/first")"
fails 1 busy "another peerpass validate is running (process $first)" validate
run 0 status
wait $first
[ $? = 10 ] || note "the first one was disturbed: $(cat "$out/first")"
run 0 validate --size 64
ok "validate: two at once"

# gone PID - the process ends within 5 s
gone() {
	for _ in $(seq 100); do
		kill -0 "$1" 2>/dev/null || return 0
		sleep 0.05
	done
	return 1
}
for signal in INT TERM HUP; do
	# A shell ignores SIGINT for what it runs in the background; nohup, SIGHUP.
	PP_TEST_CUDA=hang LD_PRELOAD=$out/fakenl.so env --default-signal=INT,HUP \
		"$peerpass" validate -j >"$out/stdout" 2>"$out/stderr" &
	helper=$!
	ran="validate, SIG$signal"
	child=$(child_of $helper) || note "no child to be seen"
	kill -$signal $helper
	wait $helper
	status=$?
	[ $status = 1 ] || note "exit code $status"
	json peerpass/error/1 "j['error']['code'] == 'interrupted'"
	gone "$child" || note "its child $child is still there"
done
ok "validate: interrupted"
# Somebody who ignores a signal wants it ignored.
(
	trap '' HUP
	PP_TEST_CUDA=hang LD_PRELOAD=$out/fakenl.so exec "$peerpass" validate --timeout 2 >/dev/null 2>&1
) &
helper=$!
child_of $helper >/dev/null || note "no child to be seen"
kill -HUP $helper
wait $helper
[ $? = 10 ] || note "SIGHUP ended a helper that ignores it"
ok "validate: an ignored signal stays ignored"
PP_TEST_CUDA=hang LD_PRELOAD=$out/fakenl.so "$peerpass" validate >/dev/null 2>&1 &
helper=$!
child=$(child_of $helper) || note "no child to be seen"
kill -KILL $helper
{ wait $helper; } 2>/dev/null
gone "$child" || note "its child $child is still there"
ok "validate: a killed helper leaves no child"

# A module that goes away meanwhile is an error, not a verdict.
world 'quirk dev error 5 gone'
fails 1 refused 'gone: Input/output error' validate
ok "validate: the module fails"

unset LD_LIBRARY_PATH PP_TEST_CUDA_DEVICES PP_TEST_CUDA
