# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=dash disable=SC1091
# An event that is no page fault (AMD-Vi): a device whose table entry is illegal.
. /lab/lib.sh

edu=$(edu_bdf 0)

cure_amd_6_1
check "loads" load peerpass
check "entry made illegal" load pp_test_dte "device=$edu"
edu write "$edu" "$(ivshmem_bdf 0)" 64
sleep 1
at_least "the kernel saw it" 1 "$(log_lines 'Event logged \[ILLEGAL_DEV_TABLE_ENTRY')"
at_least "counted by its name" 1 "$(of "$edu" illegal_dev_table_entry)"
expect "not as read" 0 "$(of "$edu" read)"
expect "not as write" 0 "$(of "$edu" write)"
expect "as other" "$(of "$edu" total)" "$(of "$edu" other)"
info "$(of "$edu" total) events, $(log_lines 'Event logged \[ILLEGAL_DEV') log lines"
check "entry made legal" unload pp_test_dte
check "unloads" unload peerpass

# The same while the module believes it has switched the device to identity: the
# domain's type says identity, and only the event tells that it is broken.
load pp_test_dte "device=$edu"
if [ "$(cat /sys/module/pp_test_dte/parameters/flush_probed)" = Y ]; then
	check "switches" load peerpass "policy=$edu=identity+class"
	expect "type says identity" identity "$(of "$edu" actual)"
	edu write "$edu" "$(ivshmem_bdf 0)" 64
	sleep 1
	at_least "counted" 1 "$(of "$edu" illegal_dev_table_entry)"
	expect "type still says identity" identity "$(of "$edu" actual)"
	expect "the reason says what is wrong" illegal_dte "$(of "$edu" reason)"
	check "unloads again" unload peerpass
else
	info "this kernel has no iommu_flush_dte to probe: seen on other kernels"
fi
unload pp_test_dte
