# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=dash disable=SC1091,SC2086
# Two requests for one group at the same time, again and again, while a driver comes
# and goes in it: whoever is last has it, what status says is what the kernel has,
# and in the end everything is as it was. Booted with two edu functions in one slot,
# which share a group (race.args).
. /lab/lib.sh

edu0=0000:00:04.0 pair0=0000:00:08.0 pair1=0000:00:08.1
rounds=$(count 400)
dma=$(group_type $edu0)
[ "$(kernel_series)" != 6.1 ] || pair1=

before=$(types)

# agrees BDF - what is said, and what is
agrees() {
	local mode type
	mode=$(of $1 mode) type=$(group_type $1)
	case "$mode $type" in
	"identity identity" | "observe $dma" | "peer $dma") return 0 ;;
	esac
	echo "$1: mode $mode, type $type, reason $(of $1 reason)" >&2
	return 1
}
# round I - two requests for the pair, two for the single one, and a driver
round() {
	local a b c d
	peerpass set $pair0 identity+class+group >/dev/null 2>&1 & a=$!
	peerpass set ${pair1:-$pair0} observe+group >/dev/null 2>&1 & b=$!
	peerpass set $edu0 identity+class >/dev/null 2>&1 & c=$!
	peerpass set $edu0 peer:lab+class >/dev/null 2>&1 & d=$!
	if [ -n "$pair1" ]; then
		echo $pair1 >/sys/bus/pci/drivers/pp_test_edu/bind
		echo $pair1 >/sys/bus/pci/drivers/pp_test_edu/unbind
	fi 2>/dev/null
	wait $a $b $c $d
	agrees $edu0 || return
	# On 6.1 a group of two stays as it is.
	[ -z "$pair1" ] || agrees $pair0
}

check "loads" load peerpass trusted_drivers=pp_test_edu
check "driver" load pp_test_edu
for d in $edu0 $pair0 0000:00:08.1; do echo $d >/sys/bus/pci/drivers/pp_test_edu/unbind; done
wrong=0 i=0
while [ $i -lt $rounds ]; do
	round || wrong=$((wrong + 1))
	i=$((i + 1))
done
expect "$rounds rounds: status and kernel disagree" 0 $wrong
at_least "requests in the log" $((rounds * 3)) "$(log_lines 'peerpass: set by uid 0')"
at_least "switches to identity" 1 "$(log_lines "peerpass: default domain $dma -> identity")"
check "restore" peerpass restore
expect "all types are back" "$before" "$(types)"
check "unloads" unload peerpass
unload pp_test_edu
expect "types after unload" "$before" "$(types)"
