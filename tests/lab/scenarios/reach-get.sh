# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=dash disable=SC1091,SC2046,SC2086
# What the module says about a domain before anything is written through it: nothing,
# the BAR itself, something else, or that it cannot tell; a BAR of 32 GiB to its end;
# devices and drivers that come and go meanwhile; and how a reader can tell.
. /lab/lib.sh
. /lab/windows.sh

edu0=$(edu_bdf 0) edu1=$(edu_bdf 1)
mem0=$(ivshmem_bdf 0) mem1=$(ivshmem_bdf 1) huge=$(ivshmem_bdf 2) far=$(ivshmem_bdf 3)
bridge=0000:00:00.0
edu=pp_test_edu ivshmem=pp_test_ivshmem stuck=pp_test_stuck
dma=$(group_type "$edu0")
small=1048576 large=34359738368
times=1000
# With these, windows to the other bridge are opened. To take an IOVA range is to make
# the DMA API refuse one, and DMA debugging (6.12) counts what it refused as leaked.
reached="$mem0 $far"
if [ "$(kernel_series)" = debug ]; then
	times=200 reached=$mem0
	skip "other bridge: window" "DMA debugging would report the ranges that are taken for it"
fi
cure_amd_6_1

# As enum peerpass_domain_type has them; the DMA API is called directly from 6.12 on.
types="type=$([ "$dma" = DMA ] && echo 1 || echo 2)"
[ "$(kernel_series)" = 6.1 ] && types="$types dma_ops=1" || types="$types dma_ops=0"
identity="type=3 dma_ops=0"

# answer NAME EXPECTED INITIATOR TARGET
answer() { expect "$1" "$2" "$(reach-get "$3" "$4" 2>&1)"; }
# says NAME REGEX REACH-GET'S-ARGUMENT...
says() {
	local name=$1 text=$2
	shift 2
	matches "$name" "$text" "$(reach-get "$@" 2>&1)"
}
# The parts of an answer about a memory: its registers, its BAR2.
none="0:256/0/0/0 2:$small/0/0/0"
window="0:256/0/0/0 2:0/$small/0/0"
all="0:0/256/0/0 2:0/$small/0/0"
unknown="0:0/0/0/256 2:0/0/0/$small"
far_window="0:0/0/0/256 2:0/$small/0/0"

# rid BDF - as a number
rid() { echo "$1" | sed 's/.*:\(..\):\(..\)\.\(.\)/0x\1 0x\2 \3/' | { read -r b d f; echo $((b << 8 | d << 3 | f)); }; }
from="initiator_domain=0 initiator_rid=$(rid "$edu0")"
to() { echo "target_domain=0 target_rid=$(rid "$1")"; }

# --- no module that could tell -------------------------------------------------------
check "loads with off=1" load peerpass off=1
says "off: refused" '^error refused EOPNOTSUPP: .*cannot tell what a device.s domain maps' "$edu0" "$mem0"
unload peerpass

# --- nothing, and unknown --------------------------------------------------------------
check "loads" load peerpass trusted_drivers=$edu,$ivshmem window_bars=0x4
answer "no driver: unknown" "unknown $types $unknown" "$edu0" "$mem0"
load $edu && load $ivshmem
answer "same bridge: nothing" "nothing $types $none" "$edu0" "$mem0"
answer "same bridge: another engine" "nothing $types 0:$small/0/0/0" "$edu0" "$edu1"
answer "a target without memory BARs" "nothing $types" "$edu0" "$bridge"
answer "other bridge: unknown" "unknown $types $unknown" "$edu0" "$far"
expect "without privilege" "nothing $types $none" "$(reach-get -u "$edu0" "$mem0" 2>&1)"
says "32 GiB: nothing" "^nothing $types 0:256/0/0/0 2:$large/0/0/0 " -t "$edu0" "$huge"
info "32 GiB, page by page: $(reach-get -t "$edu0" "$huge" | sed 's/.* \([0-9]* ms\)$/\1/')"

# --- refusals ----------------------------------------------------------------------------
required='EINVAL "domain and rid of initiator and target are required" without'
refused() {
	local name=$1 text=$2
	shift 2
	case $(kernel_series).$text in
	# Said by the kernel's own check, or at the end of an empty dump, without the attribute.
	6.1.*\"Unknown*) text="$text at once" ;;
	6.1.*) text="${text%\"*}\" after none" ;;
	*) text="$text at once" ;;
	esac
	expect "refused: $name" "$text" "$(reach-get -r "$@" 2>&1)"
}
refused "no attributes" "$required initiator_domain"
refused "no initiator_rid" "$required initiator_rid" initiator_domain=0 $(to $mem0)
refused "no target_domain" "$required target_domain" $from target_rid=1
refused "no target_rid" "$required target_rid" $from target_domain=0
refused "no such initiator" 'ENODEV "no such initiator" at initiator_rid' initiator_domain=7 initiator_rid=8 $(to $mem0)
refused "no such target" 'ENODEV "no such target" at target_rid' $from target_domain=0 target_rid=0xfff8
refused "the same device" 'EINVAL "initiator and target are the same device" at target_rid' $from $(to $edu0)
refused "an attribute of the answer" 'EINVAL "Unknown attribute type" at bar' $from $(to $mem0) bar=2
refused "an attribute of the future" 'EINVAL "Unknown attribute type" at attribute_60' $from $(to $mem0) attribute_60=1
says "refused: a wrong length" '^EINVAL ".*length.*" at target_rid at once' -r $from target_domain=0 target_rid_u32=1
expect "complete with all four" "complete after messages" "$(reach-get -r $from $(to $mem0))"

# --- windows, and the generation -----------------------------------------------------------
generation() { reach-get -g; }
# rises, stays NAME COMMAND...
rises() {
	local name=$1 before
	shift
	before=$(generation)
	check "$name" "$@"
	at_least "$name: generation" $((before + 1)) "$(generation)"
}
stays() {
	local name=$1 before
	shift
	before=$(generation)
	check "$name" "$@"
	expect "$name: generation" "$before" "$(generation)"
}
asks() { peerpass status --all && peerpass faults && reach-get "$edu0" "$mem0" && reach-get "$edu0" "$far"; }
again() { unbind "$1" && bind "$1" "$2"; }

stays "nobody changes anything" asks
stays "the driver of a device in no set" again "$mem1" $ivshmem
rises "set: windows open" peerpass set "$edu0" $reached "$huge" peer:lab+class
answer "same bridge: window" "partly $types $window" "$edu0" "$mem0"
answer "same bridge: none to another" "nothing $types $none" "$edu0" "$mem1"
answer "from another: none" "nothing $types $none" "$edu1" "$mem0"
[ "$reached" = "$mem0" ] || expect "other bridge: waits for a bind" needs_rebind "$(state "$edu0" "$far" 2)"
answer "other bridge: no window yet" "unknown $types $unknown" "$edu0" "$far"
answer "32 GiB: window" "partly $types 0:256/0/0/0 2:0/$large/0/0" "$edu0" "$huge"
stays "nobody changes anything, with windows" asks
stays "the driver of a device in no set, with windows" again "$mem1" $ivshmem
rises "the initiator is bound again" again "$edu0" $edu
if [ "$(state "$edu0" "$far" 2)" = installed ]; then
	answer "other bridge: window" "unknown $types $far_window" "$edu0" "$far"
	rises "other bridge: the target's driver leaves" unbind "$far"
	answer "other bridge: closed" "unknown $types $unknown" "$edu0" "$far"
	rises "other bridge: and comes" bind "$far" $ivshmem
	answer "other bridge: window again" "unknown $types $far_window" "$edu0" "$far"
elif [ "$reached" != "$mem0" ]; then
	fail "other bridge: window" "$(state "$edu0" "$far" 2)"
fi
rises "a window closes" unbind "$mem0"
answer "same bridge: closed" "nothing $types $none" "$edu0" "$mem0"
rises "a window opens" bind "$mem0" $ivshmem
answer "same bridge: window again" "partly $types $window" "$edu0" "$mem0"
rises "set: windows close" peerpass set "$edu0" observe
answer "same bridge: nothing again" "nothing $types $none" "$edu0" "$mem0"
answer "other bridge: unknown again" "unknown $types $unknown" "$edu0" "$far"

# --- identity ------------------------------------------------------------------------------
rises "set: identity" peerpass set "$edu1" identity+class --rebind
answer "identity: the BAR itself" "itself $identity $all" "$edu1" "$mem0"
answer "identity: other bridge" "itself $identity $all" "$edu1" "$far"
answer "identity: 32 GiB" "itself $identity 0:0/256/0/0 2:0/$large/0/0" "$edu1" "$huge"
answer "identity: others are as before" "nothing $types $none" "$edu0" "$mem0"
unbind "$edu1"
answer "identity: without a driver" "itself $identity $all" "$edu1" "$mem0"
bind "$edu1" $edu
rises "set: translating again" peerpass set "$edu1" observe --rebind
answer "translating again: nothing" "nothing $types $none" "$edu1" "$mem0"

# --- somebody else's memory -------------------------------------------------------------------
# foreign MEM OFFSET - a page of host memory is mapped there, until pp_test_iova leaves
foreign() {
	load pp_test_iova device="$edu0" at=$(($(bar "$1" 2) + $2)) &&
		echo foreign >/sys/module/pp_test_iova/parameters/job
}
check "one page in the middle" foreign "$mem1" 0x80000
answer "one page in the middle: foreign" "foreign $types 0:256/0/0/0 2:$((small - 4096))/0/4096/0" "$edu0" "$mem1"
before=$(total "$edu0")
matches "one page in the middle: a write is not in the BAR" ' blocked$' "$(reach "$edu0" "$mem1+0x80000")"
expect "one page in the middle: no fault tells" "$before" "$(total "$edu0")"
answer "one page in the middle: not the neighbour's" "nothing $types $none" "$edu0" "$mem0"
answer "one page in the middle: not another engine's" "nothing $types $none" "$edu1" "$mem1"
unload pp_test_iova
answer "one page in the middle: gone" "nothing $types $none" "$edu0" "$mem1"
check "the first page" foreign "$mem1" 0
answer "the first page: foreign" "foreign $types 0:256/0/0/0 2:$((small - 4096))/0/4096/0" "$edu0" "$mem1"
unload pp_test_iova
check "the last of 32 GiB" foreign "$huge" $((large - 4096))
answer "the last of 32 GiB: foreign" "foreign $types 0:256/0/0/0 2:$((large - 4096))/0/4096/0" "$edu0" "$huge"
unload pp_test_iova

# --- a driver in its remove ------------------------------------------------------------------
hold=/sys/module/$stuck/parameters/hold
load $stuck
take "$edu1" $stuck
answer "another driver: nothing" "nothing $types $none" "$edu1" "$mem0"
echo 1 >$hold
unbind "$edu1" &
leaving=$!
waits() { dmesg | grep -q "$stuck: remove() waits"; }
check "remove() does not return" until_true 30 waits
busy='^error refused EBUSY: the module refused the request: a driver of the initiator or the target is in its probe or remove'
says "remove(): initiator busy" "$busy" "$edu1" "$mem0"
says "remove(): target busy" "$busy" "$edu0" "$edu1"
answer "remove(): others" "nothing $types $none" "$edu0" "$mem0"
echo 0 >$hold
wait $leaving
answer "after remove(): unknown" "unknown $types $unknown" "$edu1" "$mem0"
only "$edu1"
unload $stuck
bind "$edu1" $edu

# --- devices go while it is being said ------------------------------------------------------
remove() { echo "echo 1 >/sys/bus/pci/devices/$1/remove"; }
rescan() { echo 1 >/sys/bus/pci/rescan; }
gone='ENODEV "the device went meanwhile" after messages'
expect "target removed during a dump" "$gone" "$(reach-get -r -b "$(remove "$huge")" $from $(to "$huge") 2>&1)"
says "target removed" '^error refused ENODEV: .*no such target' "$edu0" "$huge"
rescan
expect "target removed and back during a dump: said" "complete, interrupted after messages" \
	"$(reach-get -r -b "$(remove "$huge"); echo 1 >/sys/bus/pci/rescan" $from $(to "$huge") 2>&1)"
expect "initiator removed during a dump" "$gone" "$(reach-get -r -b "$(remove "$edu0")" $from $(to "$huge") 2>&1)"
says "initiator removed" '^error refused ENODEV: .*no such initiator' "$edu0" "$huge"
rescan
expect "initiator bound anew during a dump: said" "complete, interrupted after messages" \
	"$(reach-get -r -b "echo $edu0 >/sys/bus/pci/drivers/$edu/unbind; echo $edu0 >/sys/bus/pci/drivers/$edu/bind" $from $(to "$huge") 2>&1)"
expect "nothing happens during a dump" "complete after messages" "$(reach-get -r -b true $from $(to "$huge") 2>&1)"
expect "a reader that goes away" 0 "$(timeout 1 reach-get -n 1000 "$edu0" "$huge" >/dev/null 2>&1; echo $(($? == 0)))"
says "all are back" "^nothing $types 0:256/0/0/0 2:$large/0/0/0\$" "$edu0" "$huge"

# --- many ask while windows open and close ---------------------------------------------------
check "windows for many" peerpass set "$edu0" $reached peer:lab+class --rebind
start=$(ms)
reach-get -n $times "$edu0" "$mem0" >/run/asked.0 2>&1 & first=$!
reach-get -u -n $times "$edu0" "$far" >/run/asked.1 2>&1 & second=$!
reach-get -n $times "$edu1" "$mem0" >/run/asked.2 2>&1 & third=$!
reach-get -u -n $times "$edu0" "$mem0" >/run/asked.3 2>&1 & fourth=$!
running() { kill -0 $first || kill -0 $second || kill -0 $third || kill -0 $fourth; }
changes=0
while running 2>/dev/null; do
	again "$mem0" $ivshmem
	again "$far" $ivshmem
	again "$edu0" $edu
	changes=$((changes + 1))
done
for p in $first $second $third $fourth; do wait $p || fail "many" "process $p ended with $?"; done
info "4 x $times dumps in $(($(ms) - start)) ms, $changes times all drivers anew"
at_least "many: windows opened and closed" 1 $changes
for n in 0 1 2 3; do
	info "process $n: $(cat /run/asked.$n)"
	matches "many: process $n: nothing foreign, no error" ' foreign=0 .* other=0$' "$(cat /run/asked.$n)"
done
# seen WORD - so often in all answers of the two that asked the same
seen() { cat /run/asked.0 /run/asked.3 | grep -o " $1=[0-9]*\|^$1=[0-9]*" | awk -F= '{ sum += $2 } END { print sum }'; }
at_least "many: windows were seen open" 1 "$(seen partly)"
# There all that is slow is a driver in its probe or remove.
[ "$(kernel_series)" = debug ] || at_least "many: and closed" 1 "$(seen nothing)"
answer "many: in the end" "partly $types $window" "$edu0" "$mem0"

# --- VFIO -----------------------------------------------------------------------------------
if have vfio-pci; then
	load vfio-pci && load vfio_iommu_type1 allow_unsafe_interrupts=1
	take "$edu1" vfio-pci
	answer "vfio-pci: unknown" "unknown $types $unknown" "$edu1" "$mem0"
	# In a domain of VFIO's own.
	matches "vfio-pci, open: unknown" "^unknown type=4 dma_ops=[01] $unknown\$" \
		"$(vfio "$edu1" reach-get "$edu1" "$mem0" 2>&1)"
	unload vfio-pci
	only "$edu1"
else
	skip "VFIO" "its modules are not here"
fi

check "unloads" unload peerpass
unload $edu
unload $ivshmem
expect "type as before" "$dma" "$(group_type "$edu0")"
