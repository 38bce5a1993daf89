# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=dash disable=SC1091
# Mode identity: what is switched, what is refused and why, and that everything
# is put back. Booted with more devices than others (see identity.args): a
# display (0000:00:06.0), a disk controller, a network card, a USB controller,
# and two edu functions in one slot (0000:00:08.0 and .1), which share a group.
. /lab/lib.sh

edu0=0000:00:04.0 edu1=0000:00:05.0 display=0000:00:06.0
pair0=0000:00:08.0 pair1=0000:00:08.1 mem0=0000:00:10.0

# types - every group's type, to be compared as a whole
types() {
	local g
	for g in /sys/kernel/iommu_groups/*; do
		echo "$(basename "$g") $(cat "$g/type")"
	done | sort -n
}

dma=$(group_type $edu0)
types >/run/before
unchanged() {
	types >/run/after
	check "$1" cmp /run/before /run/after
}

# --- a wildcard reaches displays and accelerators only ------------------------
check "load with a wildcard" load peerpass 'policy=*:*=identity'
expect "wildcard: display switched" identity "$(group_type $display)"
expect "wildcard: display, actual" identity "$(of $display actual)"
for d in /sys/bus/pci/devices/*; do
	bdf=$(basename "$d") class=$(cut -c3-6 "$d/class")
	[ "$bdf" != $display ] && [ -e "$d/iommu_group" ] || continue
	expect "wildcard: class $class is refused" class_not_allowed "$(of "$bdf" reason)"
done
types | sed "s/^$(group $display) identity/$(group $display) $dma/" >/run/after
check "wildcard: no other group changed" cmp /run/before /run/after
check "unload after the wildcard" unload peerpass
unchanged "wildcard: types are back"

# --- reasons -----------------------------------------------------------------
# reason NAME POLICY BDF EXPECTED-REASON - loads, compares, unloads
reason() {
	load peerpass "policy=$2" || { fail "$1" "does not load"; return; }
	expect "$1" "$4" "$(of "$3" reason)"
	[ "$4" = null ] || expect "$1: type kept" "$dma" "$(group_type "$3")"
	unload peerpass
	unchanged "$1: types after"
}

reason "another device than expected" "$edu0/10de:2bb5=identity+class" $edu0 id_mismatch
reason "the device that is expected" "$edu0/1234:11e8=identity+class" $edu0 null
reason "by address, without +class" "$edu0=identity" $edu0 class_not_allowed
reason "first match wins" "$edu0=observe,$edu0=identity+class" $edu0 null
reason "companion that no rule selects" "$pair0=identity+class" $pair0 group_companion
echo vfio-pci >/sys/bus/pci/devices/$edu0/driver_override
reason "driver_override" "$edu0=identity+class" $edu0 driver_override
echo >/sys/bus/pci/devices/$edu0/driver_override

check "load for a group of two" load peerpass "policy=$pair0=identity+class,$pair1=identity+class"
if [ "$(kernel_series)" = 6.1 ]; then
	expect "group of two: kernel limit" kernel_limit "$(of $pair1 reason)"
	expect "group of two: type kept" "$dma" "$(group_type $pair0)"
else
	expect "group of two: switched" identity "$(group_type $pair0)"
	expect "group of two: first" identity "$(of $pair0 actual)"
	expect "group of two: second" identity "$(of $pair1 actual)"
fi
unload peerpass
unchanged "group of two: types after"

load pp_test_snp
reason "SEV-SNP" "$edu0=identity+class" $edu0 snp
unload pp_test_snp

# --- a device that comes later ------------------------------------------------
check "load for a device that comes later" load peerpass "policy=$edu0=identity+class"
expect "before removal" identity "$(group_type $edu0)"
echo 1 >/sys/bus/pci/devices/$edu0/remove
expect "removed: only its faults could be listed" "" "$(of $edu0 actual)"
echo 1 >/sys/bus/pci/rescan
expect "after the rescan" identity "$(of $edu0 actual)"
expect "after the rescan: ours" true "$(of $edu0 switched)"
check "unload after the rescan" unload peerpass
expect "after the rescan: type is back" "$dma" "$(group_type $edu0)"

# A function that no rule selects joins a group that was switched while it was
# alone in it (not on 6.1 once it has company, but then it cannot be alone).
echo 1 >/sys/bus/pci/devices/$pair1/remove
check "load for one of two functions" load peerpass "policy=$pair0=identity+class"
expect "alone in its group" identity "$(of $pair0 actual)"
echo 1 >/sys/bus/pci/rescan
if [ "$(kernel_series)" = 6.1 ]; then
	# The kernel refuses to change a group of two, in either direction.
	info "6.1, joined: $(group_type $pair0), reason $(of $pair0 reason)"
	refuse "joined: rmmod while it cannot be put back" unload peerpass
	echo 1 >/sys/bus/pci/devices/$pair1/remove
	tries=50
	while [ "$(of $pair0 reason)" != null ] && [ $tries -gt 0 ]; do
		usleep 100000
		tries=$((tries - 1))
	done
	expect "companion gone: as wanted again" null "$(of $pair0 reason)"
else
	expect "joined: type is back" "$dma" "$(group_type $pair0)"
	expect "joined: reason" group_companion "$(of $pair0 reason)"
fi
check "unload after the join" unload peerpass
echo 1 >/sys/bus/pci/rescan
expect "after the join: type is back" "$dma" "$(group_type $pair0)"

# --- drivers -------------------------------------------------------------------
check "driver first" load pp_test_edu
load peerpass "policy=$edu0=identity+class"
expect "driver bound: reason" driver_bound "$(of $edu0 reason)"
expect "driver bound: named" pp_test_edu "$(of $edu0 driver)"
expect "driver bound: type kept" "$dma" "$(group_type $edu0)"
echo $edu0 >/sys/bus/pci/drivers/pp_test_edu/unbind
sleep 1
expect "unbound: switched now" identity "$(of $edu0 actual)"
echo $edu0 >/sys/bus/pci/drivers/pp_test_edu/bind
expect "bound again: still identity" identity "$(of $edu0 actual)"
refuse "rmmod while a switched device has a driver" unload peerpass
matches "status names the driver in the way" "pp_test_edu.*$edu0|$edu0.*pp_test_edu" "$(peerpass status)"
echo $edu0 >/sys/bus/pci/drivers/pp_test_edu/unbind
check "rmmod after unbinding" unload peerpass
expect "after unbinding: type is back" "$dma" "$(group_type $edu0)"

# A driver that came after the module pins it; its unloading releases it.
unload pp_test_edu
load peerpass "policy=$edu0=identity+class,$mem0=identity+class"
load pp_test_edu && load pp_test_ivshmem
refuse "rmmod with drivers loaded later" unload peerpass
unload pp_test_edu
refuse "rmmod with one driver left" unload peerpass
unload pp_test_ivshmem
check "rmmod with none left" unload peerpass

# --- nothing at all --------------------------------------------------------------
check "load with off=1" load peerpass off=1 "policy=$edu0=identity+class"
matches "off: said" '"state": "off"' "$(peerpass status -j)"
expect "off: type kept" "$dma" "$(group_type $edu0)"
check "unload with off=1" unload peerpass

unchanged "in the end: all types are as at the start"
