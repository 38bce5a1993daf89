# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=dash disable=SC1091
# A device goes to vfio-pci, for a virtual machine, and comes back: as target its
# windows are closed before vfio-pci is probed, as initiator it keeps none. The
# kernel's own trace says what came first. (The distribution's modules are named in
# the matrix.)
. /lab/lib.sh
. /lab/windows.sh

edu0=$(edu_bdf 0) edu1=$(edu_bdf 1) mem0=$(ivshmem_bdf 0) mem1=$(ivshmem_bdf 1)
edu=pp_test_edu ivshmem=pp_test_ivshmem
policy="policy=$edu0=peer:lab+class+initiator,$edu1=peer:lab+class+initiator,$mem0=peer:lab+class+target,$mem1=peer:lab+class+target"
original=$(group_type "$edu0")
trace=/sys/kernel/tracing
cure_amd_6_1

good() {
	expect "$1: installed" installed "$(state "$2" "$3" 2)"
	arrives "$1" "$2" "$3"
}
# shut NAME EDU MEM STATE - no window, and no way
shut() {
	expect "$1: closed" "$4" "$(state "$2" "$3" 2)"
	stopped "$1" "$2" "$3"
}
# given NAME VERB BDF ... - does VERB while a virtual machine has the device
given() {
	local name=$1 bdf=$2
	shift 2
	vfio "$bdf" "$@" >/run/given 2>&1
	expect "$name: VFIO has it" 0 $?
}

load vfio-pci && load vfio_iommu_type1 && load $edu && load $ivshmem
check "loads" load peerpass "$policy" trusted_drivers=$edu,$ivshmem window_bars=0x4
good "at first" "$edu0" "$mem1"

# --- as target -----------------------------------------------------------------------
# Both orders are seen: the windows of both initiators go, then comes the probe.
echo 1 >$trace/events/iommu/unmap/enable
echo 'p:taken vfio_pci_probe' >$trace/kprobe_events
echo 1 >$trace/events/kprobes/taken/enable
start=$(printf '%x' "$(bar "$mem1" 2)")
unbind "$mem1"
expect "target unbound: closed" target_not_bound "$(state "$edu0" "$mem1" 2)"
bind "$mem1" $ivshmem
good "target bound again" "$edu0" "$mem1"
echo >$trace/trace
take "$mem1" vfio-pci
echo 0 >$trace/tracing_on
expect "target: vfio-pci has it" vfio-pci "$(driver "$mem1")"
info "target, in this order: $(grep -o -E ' (unmap|taken): .*' $trace/trace | sed 's/:.*//' | paste -sd,)"
before=$(sed '/taken:/,$d' $trace/trace | grep -c "unmap: .*0x0*$start ")
after=$(sed '1,/taken:/d' $trace/trace | grep -c "unmap: .*0x0*$start ")
expect "target: the probe was seen" 1 "$(grep -c 'taken:' $trace/trace)"
expect "target: both windows were closed before the probe" 2 "$before"
expect "target: none after" 0 "$after"
echo 0 >$trace/events/kprobes/taken/enable
echo >$trace/kprobe_events
echo 0 >$trace/events/iommu/unmap/enable
echo 1 >$trace/tracing_on
for e in "$edu0" "$edu1"; do
	shut "target, vfio-pci: $e" "$e" "$mem1" untrusted
	good "target, vfio-pci: $e to the other" "$e" "$mem0"
done
expect "target, vfio-pci: said" peers_missing "$(of "$edu0" reason)"
given "target, in a virtual machine" "$mem1" sh -c "
	. /lab/lib.sh; . /lab/windows.sh
	of $mem1 actual >/run/actual
	peerpass status --all
	reach $edu0 $mem1 $mem0 >/run/reached"
expect "target, in a virtual machine: whose domain" unmanaged "$(cat /run/actual)"
expect "target, in a virtual machine: is not reached" \
	"$mem1 blocked,$mem0 arrives" "$(paste -sd, /run/reached)"
take "$mem1" $ivshmem
good "target, given back" "$edu0" "$mem1"
expect "target, given back: as wanted" null "$(of "$edu0" reason)"

# --- as initiator ------------------------------------------------------------------
take "$edu0" vfio-pci
expect "initiator: vfio-pci has it" vfio-pci "$(driver "$edu0")"
for m in "$mem0" "$mem1"; do
	refuse "initiator, vfio-pci: no window to $m" [ "$(state "$edu0" "$m" 2)" = installed ]
	stopped "initiator, vfio-pci: $m" "$edu0" "$m"
	good "initiator, vfio-pci: the other to $m" "$edu1" "$m"
done
# 0x100000 is the only place that its virtual machine has.
given "initiator, in a virtual machine" "$edu0" sh -c "
	. /lab/lib.sh; . /lab/windows.sh
	of $edu0 actual >/run/actual
	of $edu0 reason >/run/reason
	reach $edu0 $mem0 $mem1 ram >/run/reached
	peerpass faults >/dev/null; total $edu0 >/run/total
	edu write $edu0 @0x100000 64
	peerpass faults >/dev/null; total $edu0 >>/run/total"
expect "initiator, in a virtual machine: whose domain" unmanaged "$(cat /run/actual)"
expect "initiator, in a virtual machine: said" in_use "$(cat /run/reason)"
expect "initiator, in a virtual machine: reaches nobody" \
	"$mem0 blocked,$mem1 blocked,ram blocked" "$(paste -sd, /run/reached)"
expect "initiator, in a virtual machine: its own memory" 1 "$(sort -u /run/total | wc -l)"
expect "initiator, given up by its machine: actual" "$original" "$(of "$edu0" actual)"
take "$edu0" $edu
good "initiator, given back" "$edu0" "$mem1"
expect "initiator, given back: as wanted" null "$(of "$edu0" reason)"
check "unloads" unload peerpass

# --- a list that calls vfio-pci trusted ------------------------------------------------
# As an initiator it manages its domain itself, and holds none: somebody may change
# the type under a window that is open.
check "loads with vfio-pci trusted" load peerpass "$policy" trusted_drivers=$edu,$ivshmem,vfio-pci window_bars=0x4
take "$edu0" vfio-pci
refuse "trusted vfio-pci: no window" [ "$(state "$edu0" "$mem1" 2)" = installed ]
stopped "trusted vfio-pci" "$edu0" "$mem1"
if type_is "$edu0" identity; then info "the type can be changed below vfio-pci"; else info "the type cannot be changed below vfio-pci"; fi
given "trusted vfio-pci, in a virtual machine" "$edu0" reach "$edu0" "$mem1"
unbind "$edu0"
type_is "$edu0" "$original"
take "$edu0" $edu
good "trusted vfio-pci, given back" "$edu0" "$mem1"
check "unloads in the end" unload peerpass
only "$edu0"
only "$mem1"
unload $edu
unload $ivshmem
unload vfio-pci
unload vfio_iommu_type1
expect "type as at the start" "$original" "$(group_type "$edu0")"
