# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=dash disable=SC1091,SC2086
# Revocation: a transfer has been started when its target is taken away. Nothing
# arrives after that has returned, in strict and in lazy mode.
. /lab/lib.sh

edu=$(edu_bdf 0) mem=$(ivshmem_bdf 0)
trials=$(count 1000)
policy="policy=$edu=peer:lab+class+initiator,$mem=peer:lab+class+target"
trusted="trusted_drivers=pp_test_edu,pp_test_ivshmem window_bars=0x4"
cure_amd_6_1
type=$(group_type "$edu")
# Debian's kernels are lazy where the hardware lets them be; see the matrix.
if grep -q 'iommu\.strict=1' /proc/cmdline || [ "$(iommu_kind)" = amd-vi ]; then
	expect "domain is strict" DMA "$type"
else
	expect "domain is lazy" DMA-FQ "$type"
fi

# judge NAME LINE - nothing after; and the moment was met: some trials were stopped
judge() {
	info "$1: $2"
	matches "$type, $1, $trials times: nothing arrives afterwards" "^$trials trials: .* 0 after\$" "$2"
	refuse "$type, $1: some were stopped" sh -c "echo '$2' | grep -q ' 0 stopped'"
}

load pp_test_edu && load pp_test_ivshmem && load pp_test_untrusted
echo 1af4 1110 >/sys/bus/pci/drivers/pp_test_untrusted/new_id

# Without the module the same moment lets transfers through: the test can fail.
echo "$edu" >/sys/bus/pci/drivers/pp_test_edu/unbind
echo identity >"/sys/bus/pci/devices/$edu/iommu_group/type"
echo "$edu" >/sys/bus/pci/drivers/pp_test_edu/bind
line=$(revoke "$edu" "$mem" pp_test_ivshmem 10 80000 85000)
info "identity, nobody revokes: $line"
refuse "control: transfers arrive afterwards" sh -c "echo '$line' | grep -q ' 0 after'"
echo "$edu" >/sys/bus/pci/drivers/pp_test_edu/unbind
echo auto >"/sys/bus/pci/devices/$edu/iommu_group/type"
echo "$edu" >/sys/bus/pci/drivers/pp_test_edu/bind

check "loads" load peerpass "$policy" $trusted
line=$(revoke "$edu" "$mem" pp_test_ivshmem 5 150000 150000)
matches "control: all arrive in time" ' 0 stopped, 5 before' "$line"
judge "unbound" "$(revoke "$edu" "$mem" pp_test_ivshmem "$trials" 97000 99900)"
judge "taken by an untrusted driver" \
	"$(revoke "$edu" "$mem" pp_test_ivshmem:pp_test_untrusted "$trials" 97000 99900)"
check "unloads" unload peerpass
unload pp_test_untrusted
unload pp_test_edu
unload pp_test_ivshmem
