# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=dash disable=SC1091
# Linux 6.1 under QEMU's AMD IOMMU: the interrupt thread does not come back from
# its first event; pp_test_evtcure lets it, and every event is then handled.
. /lab/lib.sh

edu=$(edu_bdf 0) mem=$(ivshmem_bdf 0)
T=/sys/kernel/tracing

calls() { awk '$1 ~ "(^|/)call$" { print $2 }' $T/kprobe_profile; }
cured() { cat /sys/module/pp_test_evtcure/parameters/cured; }

# three - three transfers of two events, each given time to be handled
three() {
	local n=0
	while [ $n -lt 3 ]; do
		edu write "$edu" "$mem" 8 || return
		usleep 500000
		n=$((n + 1))
	done
}

check "start" event-reference.sh start
echo 'p:pptest/call amd_iommu_int_thread' >>$T/kprobe_events
echo 1 >$T/events/pptest/call/enable

check "transfers without the cure" three
expect "without: one call, never left" 1 "$(calls)"
info "without: $(event-reference.sh read) of 6 events handled"

check "cure" load pp_test_evtcure
usleep 500000
at_least "the call was left" 1 "$(cured)"
# What the stuck call had left in the log is handled along with the next events.
check "transfers that clear what was left" three
handled=$(event-reference.sh read) before=$(calls)
check "transfers with the cure" three
expect "with: every event handled" 6 $(($(event-reference.sh read) - handled))
at_least "with: a call for each transfer" 3 $(($(calls) - before))
check "the cure can go" unload pp_test_evtcure
