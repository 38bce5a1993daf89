# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=dash disable=SC1091
# Peer windows through the life of initiator and target: probes that fail, removal
# and rescan, BARs that move, domain types that somebody else changes, sleep. What
# needs the host's help is in hotplug.sh, what needs VFIO in vfio.sh.
. /lab/lib.sh
. /lab/windows.sh

edu0=$(edu_bdf 0) edu1=$(edu_bdf 1) mem0=$(ivshmem_bdf 0) mem1=$(ivshmem_bdf 1)
edu=pp_test_edu ivshmem=pp_test_ivshmem test=pp_test_probe
policy="policy=$edu0=peer:lab+class+initiator,$edu1=peer:lab+class+initiator,$mem0=peer:lab+class+target,$mem1=peer:lab+class+target"
original=$(group_type "$edu0")
cure_amd_6_1

# probe RESULT [DELAY_MS] - what the test driver's next probes do
probe() {
	echo "$1" >/sys/module/$test/parameters/result
	echo "${2:-0}" >/sys/module/$test/parameters/delay_ms
	echo 0 >/sys/module/$test/parameters/probes
}
probes() { cat /sys/module/$test/parameters/probes; }
probed() { [ "$(probes)" = 1 ]; }
move() { echo "$1" >/sys/module/$test/parameters/move; }
# during BDF - a probe of the test driver that takes its time has begun
during() {
	bind "$1" $test 2>/dev/null &
	binding=$!
	until_true 5 probed
}
# good NAME EDU MEM - the window is there, and works from end to end
good() {
	expect "$1: installed" installed "$(state "$2" "$3" 2)"
	arrives "$1: first page" "$2" "$3"
	arrives "$1: last page" "$2" "$3+$(($(bar_size "$3" 2) - 64))"
}

# The test driver is asked first, because it came first.
load $test && load $edu && load $ivshmem
check "loads" load peerpass "$policy" trusted_drivers=$edu,$ivshmem,$test window_bars=0x4
good "at first" "$edu0" "$mem1"

# --- target: probes that fail ----------------------------------------------------
unbind "$mem1"
only "$mem1" $test
for result in -19 -5; do
	probe $result
	refuse "target: probe ends with $result" bind "$mem1" $test
	expect "target, $result: was probed" 1 "$(probes)"
	expect "target, $result: closed" target_not_bound "$(state "$edu0" "$mem1" 2)"
	stopped "target, $result" "$edu0" "$mem1"
done
probe -5 3000
during "$mem1"
expect "target in its probe: has the driver" $test "$(driver "$mem1")"
expect "target in its probe: closed" target_not_bound "$(state "$edu0" "$mem1" 2)"
stopped "target in its probe" "$edu0" "$mem1"
wait "$binding"
expect "target after its probe: no driver" "" "$(driver "$mem1")"
expect "target after its probe: closed" target_not_bound "$(state "$edu0" "$mem1" 2)"
only "$mem1"
probe -19
echo 1af4 1110 >/sys/bus/pci/drivers/$test/new_id
echo 0 >/sys/module/$test/parameters/probes
echo "$mem1" >/sys/bus/pci/drivers_probe
expect "target, next driver: the first was asked" 1 "$(probes)"
expect "target, next driver: took it" $ivshmem "$(driver "$mem1")"
good "target, next driver" "$edu0" "$mem1"
echo 1af4 1110 >/sys/bus/pci/drivers/$test/remove_id

# --- initiator: probes that fail ---------------------------------------------------
unbind "$edu0"
only "$edu0" $test
for result in -19 -5; do
	probe $result
	refuse "initiator: probe ends with $result" bind "$edu0" $test
	expect "initiator, $result: was probed" 1 "$(probes)"
	expect "initiator, $result: closed" "" "$(state "$edu0" "$mem1" 2)"
	stopped "initiator, $result" "$edu0" "$mem1"
done
probe -5 3000
during "$edu0"
good "initiator in its probe" "$edu0" "$mem1"
expect "initiator in its probe: has the driver" $test "$(driver "$edu0")"
wait "$binding"
expect "initiator after its probe: closed" "" "$(state "$edu0" "$mem1" 2)"
stopped "initiator after its probe" "$edu0" "$mem1"
only "$edu0"
probe -19
echo 1234 11e8 >/sys/bus/pci/drivers/$test/new_id
echo 0 >/sys/module/$test/parameters/probes
echo "$edu0" >/sys/bus/pci/drivers_probe
expect "initiator, next driver: the first was asked" 1 "$(probes)"
expect "initiator, next driver: took it" $edu "$(driver "$edu0")"
good "initiator, next driver" "$edu0" "$mem1"
echo 1234 11e8 >/sys/bus/pci/drivers/$test/remove_id
good "the other initiator, all the while" "$edu1" "$mem1"
probe 0

# --- removal and rescan ----------------------------------------------------------
echo 1 >"/sys/bus/pci/devices/$edu0/remove"
expect "initiator removed: no window" "" "$(state "$edu0" "$mem1" 2)"
echo 1 >/sys/bus/pci/rescan
good "initiator rescanned" "$edu0" "$mem1"
address=$(at "$mem1" 0)
echo 1 >"/sys/bus/pci/devices/$mem1/remove"
expect "target removed: no window" "" "$(state "$edu0" "$mem1" 2)"
faults "target removed" "$edu0" write "$address"
unload $ivshmem
echo 1 >/sys/bus/pci/rescan
expect "target rescanned, no driver yet: status knows it" target_not_bound "$(state "$edu0" "$mem1" 2)"
expect "target rescanned, no driver yet: said" peers_missing "$(of "$edu0" reason)"
stopped "target rescanned, no driver yet" "$edu0" "$mem1"
load $ivshmem
good "target rescanned" "$edu0" "$mem1"
expect "target rescanned: as wanted" null "$(of "$edu0" reason)"

# --- a BAR that moves ------------------------------------------------------------
old=$(bar "$mem1" 2)
unbind "$mem1"
echo "$mem1" >/sys/module/$test/parameters/move_idle
bind "$mem1" $ivshmem
refuse "moved without driver: another address" [ "$old" = "$(bar "$mem1" 2)" ]
info "BAR 2 of $mem1: from $old to $(bar "$mem1" 2)"
good "moved without driver" "$edu0" "$mem1"
faults "moved without driver: the old address, first page" "$edu0" write "@$old"
faults "moved without driver: the old address, last page" "$edu0" write "$(printf '@0x%x' $((old + 0xff000)))"

old=$(bar "$mem1" 2)
unbind "$mem1"
only "$mem1" $test
move 1
probe 0 3000
during "$mem1"
refuse "moved in a probe: another address" [ "$old" = "$(bar "$mem1" 2)" ]
stopped "moved in a probe, which still runs" "$edu0" "$mem1"
faults "moved in a probe, which still runs: the old address" "$edu0" write "@$old"
wait "$binding"
move 0
good "moved in a probe" "$edu0" "$mem1"
faults "moved in a probe: the old address, first page" "$edu0" write "@$old"
faults "moved in a probe: the old address, last page" "$edu0" write "$(printf '@0x%x' $((old + 0xff000)))"
good "moved in a probe: the other target" "$edu0" "$mem0"
unbind "$mem1"
only "$mem1"
bind "$mem1" $ivshmem
good "moved in a probe: the usual driver again" "$edu0" "$mem1"

# --- types that somebody else changes --------------------------------------------
unbind "$edu0"
check "strict by hand" type_is "$edu0" DMA
bind "$edu0" $edu
expect "strict: actual" DMA "$(of "$edu0" actual)"
good "strict" "$edu0" "$mem1"
refuse "to identity with a driver: the kernel refuses" type_is "$edu0" identity
good "to identity with a driver, refused" "$edu0" "$mem1"
if type_is "$edu0" DMA-FQ; then
	expect "to lazy with a driver: actual" DMA-FQ "$(of "$edu0" actual)"
else
	info "to lazy with a driver: the kernel refuses"
	expect "to lazy with a driver, refused: actual" DMA "$(of "$edu0" actual)"
fi
expect "to lazy with a driver: as wanted" null "$(of "$edu0" reason)"
good "to lazy with a driver" "$edu0" "$mem1"
good "to lazy with a driver: the other target" "$edu0" "$mem0"
faults "to lazy with a driver: any other address" "$edu0" write @0x1000000
unbind "$mem1"
stopped "to lazy with a driver: closed at once" "$edu0" "$mem1"
bind "$mem1" $ivshmem
good "to lazy with a driver: open again" "$edu0" "$mem1"

unbind "$edu0"
check "identity by hand" type_is "$edu0" identity
expect "identity by hand: actual" identity "$(of "$edu0" actual)"
bind "$edu0" $edu
expect "identity by hand: no window" "" "$(state "$edu0" "$mem1" 2)"
arrives "identity by hand" "$edu0" "$mem1"
unbind "$edu0"
check "back by hand" type_is "$edu0" "$original"
expect "back by hand: actual" "$original" "$(of "$edu0" actual)"
stopped "back by hand" "$edu0" "$mem1"
bind "$edu0" $edu
good "back by hand, driver back" "$edu0" "$mem1"

# --- sleep -------------------------------------------------------------------------
# A transfer of 64 bytes makes 16 events of AMD-Vi; VT-d collapses repeats.
counts_right() {
	local before more
	before=$(total "$edu0")
	edu write "$edu0" @0x1000000 64 >/dev/null
	peerpass faults >/dev/null
	more=$(($(total "$edu0") - before))
	if [ "$(iommu_kind)" = amd-vi ]; then
		expect "$1: events of one transfer" 16 $more
	else
		at_least "$1: events of one transfer" 1 $more
	fi
}
exactness() { peerpass status --all -j | awk '$1 == "\"exact\":" { gsub(",", ""); print $2 }' | sort -u | paste -sd,; }

[ ! -e /sys/module/suspend/parameters/pm_test_delay ] || echo 1 >/sys/module/suspend/parameters/pm_test_delay
exact=$(exactness)
for how in freezer:freeze devices:freeze devices:mem platform:mem core:mem; do
	grep -q "${how#*:}" /sys/power/state || { skip "sleep $how" "the kernel has $(cat /sys/power/state)"; continue; }
	counts_right "before sleep $how"
	echo "${how%:*}" >/sys/power/pm_test
	check "sleep $how" sh -c "echo ${how#*:} >/sys/power/state"
	expect "after sleep $how: actual" "$original" "$(of "$edu0" actual)"
	expect "after sleep $how: as wanted" null "$(of "$edu0" reason)"
	for e in "$edu0" "$edu1"; do
		for m in "$mem0" "$mem1"; do good "after sleep $how: $e $m" "$e" "$m"; done
	done
	counts_right "after sleep $how"
	expect "after sleep $how: as exact as before" "$exact" "$(exactness)"
done
echo none >/sys/power/pm_test

check "unloads" unload peerpass
unload $edu
unload $ivshmem
unload $test
expect "type as at the start" "$original" "$(group_type "$edu0")"
