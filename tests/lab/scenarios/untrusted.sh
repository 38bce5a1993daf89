# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=dash disable=SC1091
# Devices behind a port that leads out of the machine (Thunderbolt, an enclosure)
# are refused, in both modes, whatever the rule says. The kernel knows such ports
# from an ACPI property, which the matrix asks for (--external).
. /lab/lib.sh
. /lab/windows.sh

outer_edu=0000:01:00.0 outer_mem=0000:02:00.0 inner_edu=0000:03:00.0
edu0=$(edu_bdf 0) mem0=$(ivshmem_bdf 0)
original=$(group_type $outer_edu)
cure_amd_6_1

removable() { cat "/sys/bus/pci/devices/$1/removable" 2>/dev/null; }
expect "the kernel's view: outer engine" removable "$(removable $outer_edu)"
expect "the kernel's view: outer memory" removable "$(removable $outer_mem)"
refuse "the kernel's view: inner engine" [ "$(removable $inner_edu)" = removable ]
info "types: outer $original, inner $(group_type $inner_edu)"

# --- identity ------------------------------------------------------------------------
check "identity: loads" load peerpass "policy=$outer_edu=identity+class,$inner_edu=identity+class"
expect "identity: refused" untrusted "$(of $outer_edu reason)"
expect "identity: type kept" "$original" "$(group_type $outer_edu)"
expect "identity: actual" "$original" "$(of $outer_edu actual)"
stopped "identity: nothing arrives" $outer_edu "$mem0"
expect "identity: inner, switched" identity "$(of $inner_edu actual)"
arrives "identity: inner" $inner_edu "$mem0"
check "identity: unloads" unload peerpass

# --- peer ------------------------------------------------------------------------------
load pp_test_edu && load pp_test_ivshmem
check "peer: loads" load peerpass \
	"policy=$outer_edu=peer:lab+class,$outer_mem=peer:lab+class,$inner_edu=peer:lab+class+initiator,$edu0=peer:lab+class+initiator,$mem0=peer:lab+class+target" \
	trusted_drivers=pp_test_edu,pp_test_ivshmem window_bars=0x4
for d in $outer_edu $outer_mem; do
	expect "peer: refused: $d" untrusted "$(of "$d" reason)"
	expect "peer: translating: $d" "$original" "$(of "$d" actual)"
done
expect "peer: the outer engine has no window" "" "$(states $outer_edu "$mem0")"
stopped "peer: the outer engine" $outer_edu "$mem0"
for e in "$edu0" $inner_edu; do
	expect "peer: $e has none to the outer memory" "" "$(states "$e" $outer_mem)"
	stopped "peer: $e to the outer memory" "$e" $outer_mem
	expect "peer: $e to the inner memory: installed" installed "$(state "$e" "$mem0" 2)"
	arrives "peer: $e to the inner memory" "$e" "$mem0"
done
check "peer: unloads" unload peerpass
unload pp_test_edu
unload pp_test_ivshmem
