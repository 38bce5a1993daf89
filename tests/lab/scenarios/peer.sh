# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=dash disable=SC1091,SC2086
# Mode peer, same host bridge: the domain keeps translating, transfers between the
# peers arrive, and to any other address they still fault. All in one boot.
. /lab/lib.sh
. /lab/windows.sh

edu0=$(edu_bdf 0) edu1=$(edu_bdf 1) mem0=$(ivshmem_bdf 1) mem1=$(ivshmem_bdf 3)
# In no set: below mem0, between the two, above mem1.
below=$(ivshmem_bdf 0) between=$(ivshmem_bdf 2) other=$(ivshmem_bdf 4)
dma=$(group_type "$edu0")
# An ivshmem has a register BAR of 256 bytes, which no page can open by itself.
trusted="trusted_drivers=pp_test_edu,pp_test_ivshmem window_bars=0x4"
# Engines reach memories, and nothing reaches engines; "other" is in no set.
policy="policy=$edu0=peer:lab+class+initiator,$edu1=peer:lab+class+initiator,$mem0=peer:lab+class+target,$mem1=peer:lab+class+target"
cure_amd_6_1

# pairs NAME EDU MEM - copies both ways between the memory and the other one
pairs() {
	local far=$mem0
	[ "$3" != "$mem0" ] || far=$mem1
	copies "$1: to it" "$2" "$far" "$3"
	copies "$1: from it" "$2" "$3" "$far"
}

# --- translated, no window -------------------------------------------------------
check "loads" load peerpass "$policy" $trusted
matches "without drivers nothing is open" CORRUPT "$(edu copy "$edu0" "$mem0" "$mem1" 64)"
for e in "$edu0" "$edu1"; do
	for m in "$mem0" "$mem1"; do stopped "without drivers: $e to $m" "$e" "$m"; done
done

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
for e in "$edu0" "$edu1"; do
	pairs "$e, both memories" "$e" "$mem1"
	for m in "$mem0" "$mem1"; do
		arrives "$e -> $m: first page" "$e" "$m"
		arrives "$e -> $m: middle page" "$e" "$m+0x80000"
		arrives "$e -> $m: last page" "$e" "$m+0xff000"
		arrives "$e -> $m: last bytes" "$e" "$m+0xfffc0"
	done
done

# --- any other address still faults --------------------------------------------
next=$(bar "$below" 2)
for m in "$mem0" "$between" "$mem1" "$other"; do
	next=$((next + 0x100000))
	expect "$m lies beside the one before" $next $(($(bar "$m" 2)))
done
for e in "$edu0" "$edu1"; do
	stopped "$e: the page before the first window" "$e" "$below+0xff000"
	stopped "$e: the last bytes before the first window" "$e" "$below+0xfffc0"
	stopped "$e: the page after the first window" "$e" "$between"
	stopped "$e: between the windows" "$e" "$between+0x80000"
	stopped "$e: the page before the second window" "$e" "$between+0xff000"
	stopped "$e: the page after the second window" "$e" "$other"
	stopped "$e: host RAM" "$e" ram
	faults "$e: the registers of a target" "$e" write "@$(bar "$mem0" 0)"
done
faults "host RAM, read" "$edu0" read @0x1000000
faults "the other engine's registers" "$edu0" write "@$(bar "$edu1" 0)"

# --- revocation ------------------------------------------------------------------
echo "$mem1" >/sys/bus/pci/drivers/pp_test_ivshmem/unbind
expect "target's driver gone" target_not_bound "$(state "$edu0" "$mem1" 2)"
stopped "target's driver gone: faults" "$edu0" "$mem1"
echo "$mem1" >/sys/bus/pci/drivers/pp_test_ivshmem/bind
expect "target's driver back" installed "$(state "$edu0" "$mem1" 2)"
pairs "target's driver back: arrives" "$edu0" "$mem1"

echo "$edu0" >/sys/bus/pci/drivers/pp_test_edu/unbind
expect "initiator's driver gone" "" "$(state "$edu0" "$mem1" 2)"
stopped "initiator's driver gone: faults" "$edu0" "$mem1"
expect "the other initiator keeps its own" installed "$(state "$edu1" "$mem1" 2)"
echo "$edu0" >/sys/bus/pci/drivers/pp_test_edu/bind
expect "initiator's driver back" installed "$(state "$edu0" "$mem1" 2)"
pairs "initiator's driver back: arrives" "$edu0" "$mem1"

# --- removal and rescan ----------------------------------------------------------
echo 1 >"/sys/bus/pci/devices/$mem1/remove"
expect "target removed" "" "$(state "$edu0" "$mem1" 2)"
echo 1 >/sys/bus/pci/rescan
expect "target back" installed "$(state "$edu0" "$mem1" 2)"
pairs "target back: arrives" "$edu0" "$mem1"

# --- unload, load with drivers bound, unload ------------------------------------
check "unloads with drivers bound" unload peerpass
matches "after unload: corrupt" CORRUPT "$(edu copy "$edu0" "$mem0" "$mem1" 64)"
check "loads with drivers bound" load peerpass "$policy" $trusted
expect "window at once" installed "$(state "$edu0" "$mem1" 2)"
pairs "arrives at once" "$edu0" "$mem1"
unload peerpass

# --- drivers that are not trusted -----------------------------------------------
load peerpass "$policy" trusted_drivers=pp_test_edu
expect "untrusted driver of the target" untrusted "$(state "$edu0" "$mem1" 2)"
stopped "untrusted driver of the target: faults" "$edu0" "$mem1"
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
unload peerpass

# --- by requests at run time, in one load -------------------------------------------
check "loads without a policy" load peerpass $trusted
stopped "run time, nothing asked: faults" "$edu0" "$mem1"
check "run time: peer" peerpass set "$edu0" "$mem0" "$mem1" peer:lab+class
expect "run time, peer: still translating" "$dma" "$(of "$edu0" actual)"
pairs "run time, peer: arrives" "$edu0" "$mem1"
stopped "run time, peer: another BAR faults" "$edu0" "$other"
check "run time: observe" peerpass set "$edu0" observe
stopped "run time, observe: faults" "$edu0" "$mem1"
check "run time: identity, driver off and on" peerpass set "$edu0" identity+class --rebind
expect "run time, identity: actual" identity "$(of "$edu0" actual)"
pairs "run time, identity: arrives" "$edu0" "$mem1"
check "run time: peer again" peerpass set "$edu0" peer:lab+class --rebind
expect "run time, peer again: translating" "$dma" "$(of "$edu0" actual)"
pairs "run time, peer again: arrives" "$edu0" "$mem1"
check "run time: restored" peerpass restore
stopped "run time, restored: faults" "$edu0" "$mem1"
matches "run time: the log says who did what" \
	"$edu0: peerpass: set by uid 0, pid [0-9]+ \\(peerpass\\): observe -> peer: done" "$(klog | grep 'set by')"
check "unloads in the end" unload peerpass
unload pp_test_edu
unload pp_test_ivshmem
expect "type as at the start" "$dma" "$(group_type "$edu0")"
