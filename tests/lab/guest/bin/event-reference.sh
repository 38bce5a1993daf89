#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=dash
# An independent count of the AMD-Vi page-fault events that the kernel's driver
# has handled, to hold peerpass's count against.
#
#   event-reference.sh start       begin counting
#   event-reference.sh read        events since then, of all initiators
#   event-reference.sh read BDF    events of one initiator
#   event-reference.sh stop        end counting
#
# For each IO_PAGE_FAULT entry that it takes out of the log, the driver looks up
# the device that the entry names: one call of pci_get_domain_bus_and_slot() by
# its interrupt thread, before any rate limit and however the entries were
# spread over interrupts and rounds. That call is counted by tracefs. It is the
# step of this path that every kernel can trace: iommu_print_event() and
# amd_iommu_report_page_fault() are inlined in some (in 6.1.192, 6.12.118 and
# 7.3.4 all the same), iommu_poll_events() is one call for many entries, and
# ___ratelimit() is built without tracing.
#
# It knows nothing of the log's head, tail and memory, from which peerpass
# counts, and shares with it only the kernel's probe mechanism; a probe that the
# kernel skipped makes "read" fail. Entries of other kinds, and entries that the
# hardware dropped at an overflow, are not in it, as they are not in the log.
#
# Exit status: 0; 1, with a reason, when the count cannot be trusted; 2 usage.

T=/sys/kernel/tracing
EVENT=$T/events/ppref/lookup

die() { echo "event-reference: $*" >&2; exit 1; }

start() {
	# x86-64 calling convention: segment, bus and devfn are the arguments.
	# shellcheck disable=SC2016 # $comm is tracefs' own
	echo 'p:ppref/lookup pci_get_domain_bus_and_slot comm=$comm seg=%di:u32 bus=%si:u32 devfn=%dx:u32' \
		>>$T/kprobe_events || die "tracefs takes no probe"
	echo 'hist:keys=seg,bus,devfn if comm ~ "irq/*AMD-Vi*"' >$EVENT/trigger ||
		die "tracefs takes no histogram"
	echo 1 >$EVENT/enable
}

# count [BDF]
count() {
	local want='' missed bus slot
	missed=$(awk '$1 == "ppref/lookup" || $1 == "lookup" { print $3 }' $T/kprobe_profile)
	[ "$missed" = 0 ] || die "the kernel skipped ${missed:-unknown} hits of the probe"
	grep -q 'Dropped: 0$' $EVENT/hist || die "the histogram dropped hits: $(grep Dropped $EVENT/hist)"
	if [ -n "$1" ]; then
		bus=${1#*:} slot=${1##*:}
		want="$((0x${1%%:*})) $((0x${bus%:*})) $((0x${slot%.*} * 8 + ${slot#*.}))"
	fi
	tr -s '{},:' ' ' <$EVENT/hist | awk -v want="$want" '
		$1 == "seg" && $7 == "hitcount" && (want == "" || want == $2 " " $4 " " $6) { n += $8 }
		END { print n + 0 }'
}

stop() {
	echo 0 >$EVENT/enable
	echo "!$(grep '^hist:' $EVENT/trigger)" >$EVENT/trigger
	echo '-:ppref/lookup' >>$T/kprobe_events
}

case $1 in
start) start ;;
read) count "$2" ;;
stop) stop ;;
*) sed -n '5,10s/^# \?//p' "$0" >&2; exit 2 ;;
esac
