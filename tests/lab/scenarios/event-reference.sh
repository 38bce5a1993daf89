# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=dash disable=SC1091
# The reference that fault counts are held against, by itself, without
# peerpass: it equals the number of events that the transfers must make (QEMU's
# AMD IOMMU logs one for each 4 bytes), fast or slow, and the number by which
# the driver moved the log's head on, which event-reference.host.sh takes from
# QEMU's trace.
. /lab/lib.sh

edu0=$(edu_bdf 0) edu1=$(edu_bdf 1) mem=$(ivshmem_bdf 0)
T=/sys/kernel/tracing

# writes EDU BYTES COUNT
writes() {
	local n=0
	while [ $n -lt "$3" ]; do
		edu write "$1" "$mem" "$2" || return
		n=$((n + 1))
	done
}

# settled - the count, once it has not moved for a second
settled() {
	local last='' now=-1
	while [ "$now" != "$last" ]; do
		last=$now
		sleep 1
		now=$(event-reference.sh read) || { echo "failed"; return; }
	done
	echo "$now"
}

# calls - times that the interrupt thread's function was entered
calls() { awk '$1 ~ "(^|/)call$" { print $2 }' $T/kprobe_profile; }

cure_amd_6_1
check "start" event-reference.sh start
echo 'p:pptest/call amd_iommu_int_thread' >>$T/kprobe_events
echo 1 >$T/events/pptest/call/enable

check "three writes" writes "$edu0" 2040 3
expect "three writes of 2040 bytes: events" 1530 "$(settled)"
check "a read" edu read "$edu0" "$mem" 2040
expect "a read of 2040 bytes: events" 2040 "$(settled)"

# Together 510 events at a time, or the log would overflow.
writes "$edu0" 1020 5 & first=$!
writes "$edu1" 1020 5 & second=$!
wait $first $second
expect "two initiators at once: events" 4590 "$(settled)"
expect "two initiators at once: the second's" 1275 "$(event-reference.sh read "$edu1")"

# A burst at first, then as many as the slowed driver can take out: the log is
# never empty and never full, and the driver does not come to an end. Linux 6.1
# gives room free only at the end of a round: there the burst must be smaller.
burst=600
[ "$(kernel_series)" != 6.1 ] || burst=400
slow=$((2 * burst / 4 + 2 * 8 * 320 / 4))
check "slow down" load pp_test_slowlog delay_us=650
before=$(calls)
{ writes "$edu0" $burst 1; writes "$edu0" 320 8; } & first=$!
{ writes "$edu1" $burst 1; writes "$edu1" 320 8; } & second=$!
wait $first $second
expect "slow: events" $((4590 + slow)) "$(settled)"
expect "slow: each was delayed" $slow "$(cat /sys/module/pp_test_slowlog/parameters/hits)"
calls=$(($(calls) - before))
info "slow: $slow events in 18 transfers, handled in $calls calls of the interrupt thread"
at_least "slow: more than a ring of events in a call" 512 $((slow / calls))
check "as fast as before" unload pp_test_slowlog

expect "the log never overflowed" 0 "$(log_lines 'event log overflow|Event log restarting')"
info "reference $(event-reference.sh read)"
echo 0 >$T/events/pptest/call/enable
check "stop" event-reference.sh stop
