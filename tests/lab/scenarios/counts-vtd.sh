# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=dash disable=SC1091
# VT-d: one fault is counted for each faulting transfer, made one after another
# (QEMU has one fault recording register and collapses what comes meanwhile), and
# attributed to the BAR it was for.
. /lab/lib.sh

edu0=$(edu_bdf 0) edu1=$(edu_bdf 1) mem0=$(ivshmem_bdf 0) mem1=$(ivshmem_bdf 1)

# sum KEY - one value of the totals, which stand last
sum() {
	peerpass status --all -j | awk -v key="\"$1\":" '
		$1 == key { sub(/^[^:]*: */, ""); gsub(/[",]/, ""); last = $0 } END { print last }'
}
# times N COMMAND... - one after the other; each is drained before the next
times() {
	local n=$1
	shift
	while [ "$n" -gt 0 ]; do
		"$@" >/dev/null
		peerpass faults >/dev/null
		n=$((n - 1))
	done
}

check "loads" load peerpass
dmesg_clear
times 12 edu write "$edu0" "$mem0" 64
times 7 edu read "$edu0" "$mem1" 64
times 5 edu write "$edu1" "$mem1" 64
expect "all transfers" 24 "$(sum total)"
expect "first initiator: all" 19 "$(of "$edu0" total)"
expect "first initiator: writes" 12 "$(of "$edu0" write)"
expect "first initiator: reads" 7 "$(of "$edu0" read)"
expect "second initiator: writes" 5 "$(of "$edu1" write)"
expect "second initiator: reads" 0 "$(of "$edu1" read)"
lines=$(log_lines 'DMAR: \[DMA')
at_least "never less than the log's lines ($lines)" "$lines" "$(sum total)"
dmesg -c >/dev/null
expect "kernel log cleared: unchanged" 24 "$(sum total)"
expect "a lower bound" false "$(sum exact)"
matches "and why" '"few_records"' "$(peerpass status -j)"

matrix=$(peerpass faults --matrix)
matches "pairs: columns" "^initiator +$mem0 BAR2 +$mem1 BAR2\$" "$matrix"
matches "pairs: first initiator" "^$edu0 +12\+ +7\+\$" "$matrix"
matches "pairs: second initiator" "^$edu1 +\. +5\+\$" "$matrix"

# Both at once: how many of them the hardware records is its own affair, but
# what the kernel printed is counted.
dmesg -c >/dev/null
before=$(sum total)
(i=0; while [ $i -lt 10 ]; do taskset 1 edu write "$edu0" "$mem0" 64; i=$((i + 1)); done) >/dev/null &
(i=0; while [ $i -lt 10 ]; do taskset 2 edu write "$edu1" "$mem0" 64; i=$((i + 1)); done) >/dev/null &
wait
peerpass faults >/dev/null
seen=$(($(sum total) - before)) lines=$(log_lines 'DMAR: \[DMA')
info "both at once: $seen of 20 transfers' faults were recorded, $lines lines in the log"
at_least "both at once: never less than the log's lines" "$lines" $seen
at_least "both at once: no more than transfers" $seen 20
check "unloads" unload peerpass
