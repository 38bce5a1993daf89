# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=dash disable=SC1091,SC2086
# Mode peer, same host bridge: the domain keeps translating, transfers between the
# peers arrive, and to any other address they still fault. All in one boot.
. /lab/lib.sh
. /lab/peers.sh

edu0=$(edu_bdf 0) edu1=$(edu_bdf 1) mem0=$(ivshmem_bdf 0) mem1=$(ivshmem_bdf 1)
other=$(ivshmem_bdf 2)
dma=$(group_type "$edu0")
# An ivshmem has a register BAR of 256 bytes, which no page can open by itself.
trusted="trusted_drivers=pp_test_edu,pp_test_ivshmem window_bars=0x4"
# Engines reach memories, and nothing reaches engines; "other" is in no set.
policy="policy=$edu0=peer:lab+class+initiator,$edu1=peer:lab+class+initiator,$mem0=peer:lab+class+target,$mem1=peer:lab+class+target"
cure_amd_6_1

# --- translated, no window -------------------------------------------------------
check "loads" load peerpass "$policy" $trusted
matches "without drivers nothing is open" CORRUPT "$(edu copy "$edu0" "$mem0" "$mem1" 64)"

# --- drivers: windows -------------------------------------------------------------
check "drivers" load pp_test_edu
expect "target without driver" target_not_bound "$(state "$edu0" "$mem1" 2)"
expect "engine's reason" peers_missing "$(of "$edu0" reason)"
check "drivers of the memories" load pp_test_ivshmem
peerpass status
for e in "$edu0" "$edu1"; do
	for m in "$mem0" "$mem1"; do
		expect "$e -> $m BAR2" installed "$(state "$e" "$m" 2)"
	done
	expect "$e: as wanted" null "$(of "$e" reason)"
	expect "$e: still translating" "$dma" "$(of "$e" actual)"
done
expect "an initiator is not reached" "" "$(state "$edu0" "$edu1" 0)"
expect "a target reaches nothing" "" "$(state "$mem0" "$edu0" 0)"
expect "a device of no set is not reached" "" "$(state "$edu0" "$other" 2)"
arrives "edu0: mem0 -> mem1" "$edu0" "$mem0" "$mem1"
arrives "edu1: mem0 -> mem1" "$edu1" "$mem0" "$mem1"

# --- any other address still faults --------------------------------------------
faults "an unselected device's BAR" "$edu0" edu write "$edu0" "$other" 64
faults "the page before the windows" "$edu0" edu write "$edu0" "$(at "$mem0" -4096)" 64
faults "the page after the windows" "$edu0" edu write "$edu0" "$(at "$mem1" 0x100000)" 64
faults "host RAM, written" "$edu0" edu write "$edu0" @0x1000000 64
faults "host RAM, read" "$edu0" edu read "$edu0" @0x1000000 64

# --- revocation ------------------------------------------------------------------
echo "$mem1" >/sys/bus/pci/drivers/pp_test_ivshmem/unbind
expect "target's driver gone" target_not_bound "$(state "$edu0" "$mem1" 2)"
faults "target's driver gone: faults" "$edu0" edu write "$edu0" "$mem1" 64
echo "$mem1" >/sys/bus/pci/drivers/pp_test_ivshmem/bind
expect "target's driver back" installed "$(state "$edu0" "$mem1" 2)"
arrives "target's driver back: arrives" "$edu0" "$mem0" "$mem1"

echo "$edu0" >/sys/bus/pci/drivers/pp_test_edu/unbind
expect "initiator's driver gone" "" "$(state "$edu0" "$mem1" 2)"
faults "initiator's driver gone: faults" "$edu0" edu write "$edu0" "$mem1" 64
expect "the other initiator keeps its own" installed "$(state "$edu1" "$mem1" 2)"
echo "$edu0" >/sys/bus/pci/drivers/pp_test_edu/bind
expect "initiator's driver back" installed "$(state "$edu0" "$mem1" 2)"
arrives "initiator's driver back: arrives" "$edu0" "$mem0" "$mem1"

# --- removal and rescan ----------------------------------------------------------
echo 1 >"/sys/bus/pci/devices/$mem1/remove"
expect "target removed" "" "$(state "$edu0" "$mem1" 2)"
echo 1 >/sys/bus/pci/rescan
expect "target back" installed "$(state "$edu0" "$mem1" 2)"
arrives "target back: arrives" "$edu0" "$mem0" "$mem1"

# --- unload, load with drivers bound, unload ------------------------------------
check "unloads with drivers bound" unload peerpass
matches "after unload: corrupt" CORRUPT "$(edu copy "$edu0" "$mem0" "$mem1" 64)"
check "loads with drivers bound" load peerpass "$policy" $trusted
expect "window at once" installed "$(state "$edu0" "$mem1" 2)"
arrives "arrives at once" "$edu0" "$mem0" "$mem1"
unload peerpass

# --- drivers that are not trusted -----------------------------------------------
load peerpass "$policy" trusted_drivers=pp_test_edu
expect "untrusted driver of the target" untrusted "$(state "$edu0" "$mem1" 2)"
faults "untrusted driver of the target: faults" "$edu0" edu write "$edu0" "$mem1" 64
unload peerpass
load peerpass "$policy" window_bars=0x4
expect "the default list does not have the test drivers" untrusted "$(state "$edu0" "$mem1" 2)"
unload peerpass

# --- sets ------------------------------------------------------------------------
load peerpass "policy=1234:11e8=peer,$mem0=peer:a+class,$mem1=peer:b+class" $trusted
expect "a wildcard does not reach other classes" class_not_allowed "$(of "$edu0" reason)"
expect "nothing is open then" "" "$(state "$edu0" "$mem0" 2)"
unload peerpass
load peerpass "policy=$edu0=peer:a+class,$mem0=peer:a+class,$mem1=peer:b+class" $trusted
expect "same set" installed "$(state "$edu0" "$mem0" 2)"
expect "other set" "" "$(state "$edu0" "$mem1" 2)"
unload peerpass
load peerpass "policy=$edu0=peer:e+class,$edu1=peer:e+class" trusted_drivers=pp_test_edu
expect "engines of one set" installed "$(state "$edu0" "$edu1" 0)"
expect "both ways" installed "$(state "$edu1" "$edu0" 0)"
expect "as wanted" null "$(of "$edu0" reason)"
unload peerpass
load peerpass "policy=$edu0=peer:e+class,$mem0=peer:e+class" trusted_drivers=pp_test_edu,pp_test_ivshmem
expect "a BAR smaller than a page" bar_too_small "$(state "$edu0" "$mem0" 0)"
expect "said" peers_missing "$(of "$edu0" reason)"
check "unloads in the end" unload peerpass
unload pp_test_edu
unload pp_test_ivshmem
expect "type as at the start" "$dma" "$(group_type "$edu0")"
