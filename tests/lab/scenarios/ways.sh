# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=dash disable=SC1091,SC2086
# Which way the transfers of a pair take, from the real bridges: straight through a
# switch without ACS, where no IOMMU sees them, or up to the root complex. Nobody
# touches ACS. Booted with the bridges of ways.args.
. /lab/lib.sh

engine=$(edu_bdf 2) below=$(ivshmem_bdf 2) beside=$(ivshmem_bdf 3)
down=$(basename "$(dirname "$(readlink -f /sys/bus/pci/devices/$below)")")
port=$(basename "$(dirname "$(readlink -f /sys/bus/pci/devices/$beside)")")
members="$engine=peer:lab+class+initiator,$below=peer:lab+class+target,$beside=peer:lab+class+target"

# way TARGET KEY - of the pair from the engine
way() {
	peerpass status --all -j | awk -v to="$1" -v key="\"$2\":" '
		$1 == "\"ways\":" { on = 1 }
		on && $1 == "\"target\":" { t = index($2, to) }
		on && t && $1 == key { sub(/^[^:]*: */, ""); gsub(/[",]/, ""); print; exit }'
}
configs() { for d in /sys/bus/pci/devices/*; do dd if="$d/config" bs=4096 count=1 2>/dev/null; done | md5sum; }

before=$(configs)
check "loads" load peerpass "policy=$members" trusted_drivers=pp_test_edu,pp_test_ivshmem window_bars=0x4
load pp_test_edu
load pp_test_ivshmem
after_drivers=$(configs)
peerpass --all
expect "below the switch: straight" direct "$(way $below route)"
expect "below the switch: no IOMMU" false "$(way $below through_iommu)"
matches "below the switch: the bridge is named" "$down no ACS" "$(way $below text)"
expect "another root port: up" root_complex "$(way $beside route)"
expect "another root port: through the IOMMU" true "$(way $beside through_iommu)"
matches "another root port: named, redirects" "$port RR on,? CR on" "$(way $beside text)"
check "unloads" unload peerpass
expect "no bridge was written to by looking" "$after_drivers" "$(configs)"
unload pp_test_edu
unload pp_test_ivshmem
info "configuration space before the drivers: $before"
