# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=sh disable=SC1091
# The lab itself: the devices are there, in groups of their own, in
# translating domains, and peer-to-peer DMA is broken there as it is on real
# machines; the host's view of the memory is checked by smoke.host.sh.
. /lab/lib.sh

kind=$(iommu_kind)
info "kernel $(uname -r), IOMMU $kind"

edu=$(edu_bdf 0) src=$(ivshmem_bdf 0) dst=$(ivshmem_bdf 1)
expect "first edu" 0000:00:04.0 "$edu"
expect "first ivshmem" 0000:00:10.0 "$src"
expect "second ivshmem" 0000:00:11.0 "$dst"

for d in "$edu" "$src" "$dst"; do
	info "$d group $(group "$d") type $(group_type "$d")"
done

cure_amd_6_1
dmesg_clear
line=$(edu copy "$edu" "$src" "$dst" 2040)
info "$line"
if [ "$kind" = none ]; then
	matches "P2P works without an IOMMU" OK "$line"
else
	matches "edu is in a translating domain" '^DMA' "$(group_type "$edu")"
	matches "P2P is corrupt in a translating domain" CORRUPT "$line"
	info "fault lines in the kernel log: $(log_lines 'IO_PAGE_FAULT|DMAR:.*fault')"
	at_least "the IOMMU reported it" 1 "$(log_lines 'IO_PAGE_FAULT|DMAR:.*fault')"
fi
