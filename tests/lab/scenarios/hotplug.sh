# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=dash disable=SC1091
# Peer windows when devices are plugged and unplugged, by the host, while drivers
# are bound: as target, as initiator, with a BAR of another size, and another
# device at the same address.
. /lab/lib.sh
. /lab/windows.sh

edu0=$(edu_bdf 0) mem0=$(ivshmem_bdf 0)
target=0000:01:00.0 engine=0000:02:00.0 bare=0000:03:00.0
edu=pp_test_edu ivshmem=pp_test_ivshmem
policy="policy=$edu0=peer:lab+class+initiator,$mem0=peer:lab+class+target,$target/1af4:1110=peer:lab+class+target,$engine/1234:11e8=peer:lab+class+initiator,$bare=peer:lab+class+target"
cure_amd_6_1

gone() { [ ! -e "/sys/bus/pci/devices/$1" ]; }
# plug NAME BDF DRIVER PROPERTIES - until the driver has it; DRIVER may be ""
has() { [ -e "/sys/bus/pci/devices/$1" ] && [ "$(driver "$1")" = "$2" ]; }
plug() {
	host device_add "$4"
	check "$1: plugged" until_true 20 has "$2" "$3"
	# BOUND comes a moment after the driver can be seen.
	usleep 200000
}
unplug() {
	host device_del "id=$3"
	check "$1: unplugged" until_true 20 gone "$2"
}
# memory ID SLOT BYTES - an ivshmem with new memory: QEMU takes none twice
memories=0
memory() {
	memories=$((memories + 1))
	host object-add "qom-type=memory-backend-ram,id=ram$memories,size=$3"
	ivshmem_of="driver=ivshmem-plain,id=$1,bus=$2,memdev=ram$memories"
}
small=262144 large=1048576
engine() { echo "driver=edu,id=$1,bus=$2,dma_mask=0xffffffffffffffff"; }
# good NAME EDU MEM - open, from end to end, and not a page further
good() {
	local size
	size=$(bar_size "$3" 2)
	expect "$1: installed" installed "$(state "$2" "$3" 2)"
	arrives "$1: first page" "$2" "$3"
	arrives "$1: middle" "$2" "$3+$((size / 2))"
	arrives "$1: last page" "$2" "$3+$((size - 64))"
	faults "$1: page before" "$2" write "$(at "$3" -4096)"
	faults "$1: page after" "$2" write "$(at "$3" "$size")"
}

load $edu && load $ivshmem && load pp_test_probe
check "loads" load peerpass "$policy" trusted_drivers=$edu,$ivshmem,pp_test_probe window_bars=0x4
expect "empty slot: no window" "" "$(state "$edu0" "$target" 2)"
expect "empty slot: nothing is missing" null "$(of "$edu0" reason)"

# --- as target ---------------------------------------------------------------------
memory target slot0 $small
plug "target" $target $ivshmem "$ivshmem_of"
expect "target: size" $small "$(bar_size $target 2)"
good "target" "$edu0" $target
expect "target: as wanted" null "$(of "$edu0" reason)"
old=$(bar $target 2)
unplug "target" $target target
expect "target gone: no window" "" "$(state "$edu0" $target 2)"
faults "target gone: its first page" "$edu0" write "@$old"
faults "target gone: its last page" "$edu0" write "$(printf '@0x%x' $((old + 0x3f000)))"

memory target slot0 $large
plug "another size" $target $ivshmem "$ivshmem_of"
expect "another size: size" $large "$(bar_size $target 2)"
info "BAR 2 of $target: 256 KiB at $old, then 1 MiB at $(bar $target 2)"
good "another size" "$edu0" $target
old=$(bar $target 2)
unplug "another size" $target target
for offset in 0 0x80000 0xff000; do
	faults "another size gone: offset $offset" "$edu0" write "$(printf '@0x%x' $((old + offset)))"
done

plug "another device" $target $edu "$(engine target slot0)"
expect "another device: reason" id_mismatch "$(of $target reason)"
for bar in 0 2; do
	expect "another device: nothing reaches BAR $bar" "" "$(state "$edu0" $target $bar)"
done
expect "another device: it reaches nothing" "" "$(state $target "$mem0" 2)"
expect "another device: nobody misses it" null "$(of "$edu0" reason)"
faults "another device: its BAR" "$edu0" write "@$(bar $target 0)"
stopped "another device: its transfers" $target "$mem0"
unplug "another device" $target target

memory target slot0 $small
plug "smaller again" $target $ivshmem "$ivshmem_of"
good "smaller again" "$edu0" $target
good "smaller again: the other target" "$edu0" "$mem0"

# --- as initiator ------------------------------------------------------------------
plug "engine" $engine $edu "$(engine engine slot1)"
for m in "$mem0" $target; do good "engine to $m" $engine "$m"; done
expect "engine: as wanted" null "$(of $engine reason)"
expect "engine: translating" "$(group_type "$edu0")" "$(of $engine actual)"
unplug "engine" $engine engine
for m in "$mem0" $target; do expect "engine gone: no window to $m" "" "$(state $engine "$m" 2)"; done
good "engine gone: the other initiator" "$edu0" $target

memory engine slot1 $large
plug "another device for an engine" $engine $ivshmem "$ivshmem_of"
expect "another device for an engine: reason" id_mismatch "$(of $engine reason)"
expect "another device for an engine: reaches nothing" "" "$(state $engine "$mem0" 2)"
expect "another device for an engine: is not reached" "" "$(state "$edu0" $engine 2)"
stopped "another device for an engine" "$edu0" $engine
unplug "another device for an engine" $engine engine

plug "engine again" $engine $edu "$(engine engine slot1)"
for m in "$mem0" $target; do good "engine again, to $m" $engine "$m"; done
# Both at once, the target first, with its window open.
host device_del id=target
host device_del id=engine
check "both go: target" until_true 20 gone $target
check "both go: engine" until_true 20 gone $engine
expect "both gone: target" "" "$(state "$edu0" $target 2)"
expect "both gone: engine" "" "$(state $engine "$mem0" 2)"
good "both gone: what stays" "$edu0" "$mem0"

# --- plugged, and no driver is there -------------------------------------------------
plug "no driver" $bare "" "driver=pci-testdev,id=bare,bus=slot2,membar=65536"
expect "no driver: status knows it" target_not_bound "$(states "$edu0" $bare)"
expect "no driver: said" peers_missing "$(of "$edu0" reason)"
only $bare pp_test_probe
bind $bare pp_test_probe
expect "driver came" installed "$(state "$edu0" $bare 2)"
expect "driver came: as wanted" null "$(of "$edu0" reason)"
unplug "with driver" $bare bare
expect "with driver, unplugged" "" "$(states "$edu0" $bare)"
expect "with driver, unplugged: nothing is missing" null "$(of "$edu0" reason)"

memory target slot0 $small
plug "last" $target $ivshmem "$ivshmem_of"
good "last" "$edu0" $target
check "unloads" unload peerpass
stopped_after=$(reach "$edu0" $target "$mem0" | grep -c blocked)
expect "unloaded: both are closed" 2 "$stopped_after"
unload $edu
unload $ivshmem
unload pp_test_probe
