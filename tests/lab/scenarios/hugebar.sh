# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=dash disable=SC1091
# Windows to BARs of 32 and 128 GiB: the driver's bind is not held up.
. /lab/lib.sh
. /lab/windows.sh

edu0=$(edu_bdf 0)
near32=$(ivshmem_bdf 2) near128=$(ivshmem_bdf 3) far32=$(ivshmem_bdf 4) far128=$(ivshmem_bdf 5)
cure_amd_6_1
load pp_test_ivshmem
load pp_test_edu

# took - milliseconds that a bind of the engine takes, the mean of 5
took() {
	load pp_test_churn device="$edu0" count=5
	unload pp_test_churn
	dmesg | sed -n 's/.*pp_test_churn: .* \([0-9]*\) us on average.*/\1/p' | tail -n 1 | awk '{ printf "%d\n", $1 / 1000 + 1 }'
}
info "bind of the engine without windows: $(took) ms"
for m in "$near32" "$near128" "$far32" "$far128"; do
	check "$m: loads" load peerpass "policy=$edu0=peer:h+class+initiator,$m=peer:h+class+target" \
		trusted_drivers=pp_test_edu,pp_test_ivshmem window_bars=0x4
	ms=$(took)
	size=$(($(bar_size "$m" 2) >> 30))
	expect "$m, $size GiB" installed "$(state "$edu0" "$m" 2)"
	info "$m, $size GiB at $(at "$m" 0): bind with its window: $ms ms"
	check "$m, $size GiB: a bind takes less than a second" [ "$ms" -lt 1000 ]
	seen=$(total "$edu0")
	check "$m: its first page" edu write "$edu0" "$m" 64
	check "$m: its last page" edu write "$edu0" "$(at "$m" $(((size << 30) - 4096)))" 64
	expect "$m: no fault" "$seen" "$(total "$edu0")"
	faults "$m: the page behind it" "$edu0" write "$(at "$m" $((size << 30)))"
	# The range of a peer that is not there any more is filled before it is given back.
	unbind "$m"
	echo 1 >"/sys/bus/pci/devices/$m/remove"
	start=$(ms)
	unbind "$edu0"
	end=$(ms)
	info "$m, $size GiB: the engine's driver leaves after the peer: $((end - start)) ms"
	unload peerpass
	echo 1 >/sys/bus/pci/rescan
	[ -n "$(driver "$edu0")" ] || bind "$edu0" pp_test_edu
done
unload pp_test_edu
unload pp_test_ivshmem
