# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=dash disable=SC1091,SC2086
# Mode peer, peers below another host bridge: what scenario "peer" proves for one
# bridge, and that the range of each window is the initiator's own.
. /lab/lib.sh
. /lab/windows.sh

rebinds=${BRIDGE_REBINDS:-50}
# Functions 4 and 5 on the near bridge, then two of one group, then the far one.
edu0=$(edu_bdf 0) edu1=$(edu_bdf 1) twin0=$(edu_bdf 2) twin1=$(edu_bdf 3) faredu=$(edu_bdf 4)
mem0=$(ivshmem_bdf 0)
far0=$(ivshmem_bdf 2) far1=$(ivshmem_bdf 3) far2=$(ivshmem_bdf 4) small=$(ivshmem_bdf 5)
dma=$(group_type "$edu0")
trusted="trusted_drivers=pp_test_edu,pp_test_ivshmem window_bars=0x4"
targets="$mem0=peer:lab+class+target,$far0=peer:lab+class+target,$far1=peer:lab+class+target,$far2=peer:lab+class+target,$small=peer:lab+class+target"
policy="policy=$edu0=peer:lab+class+initiator,$targets"
cure_amd_6_1

# job BDF JOB [NAME=VALUE...] - of pp_test_iova
job() {
	local bdf=$1 what=$2 parameters=/sys/module/pp_test_iova/parameters
	shift 2
	if ! loaded pp_test_iova; then load pp_test_iova device=$bdf "$@" || return; fi
	echo "$what" >$parameters/job
}
settings() { job "$1" settings && unload pp_test_iova && dmesg | sed -n 's/.*pp_test_iova: mask/mask/p' | tail -n 1; }
first() { echo $(($(bar "$1" "$2"))); }
length() { bar_size "$1" "$2"; }
all_installed() {
	for m in "$mem0" "$far0" "$far1" "$far2"; do
		expect "$1: $m BAR2" installed "$(state "$edu0" "$m" 2)"
	done
}

info "domain type $dma; far BARs at $(printf '%x %x %x, engine %x' "$(first "$far0" 2)" "$(first "$far1" 2)" "$(first "$far2" 2)" "$(first "$faredu" 0)")"
before=$(settings "$edu0")

# --- the engine is bound before its targets, as it is with two GPUs ------------------
check "loads" load peerpass "$policy" $trusted
load pp_test_edu
expect "target without driver" target_not_bound "$(state "$edu0" "$far0" 2)"
faults "target without driver: faults" "$edu0" write "$far0"
load pp_test_ivshmem
# It takes what has no driver.
load pp_test_untrusted
echo 1af4 1110 >/sys/bus/pci/drivers/pp_test_untrusted/new_id
all_installed "targets bound later"
expect "a BAR of 64 KiB" bar_too_small "$(state "$edu0" "$small" 2)"
expect "still translating" "$dma" "$(of "$edu0" actual)"
for m in "$far0" "$far1" "$far2"; do copies "mem0 -> $m" "$edu0" "$mem0" "$m"; done
copies "far1 -> far2" "$edu0" "$far1" "$far2"

# --- any other address still faults --------------------------------------------------
faults "the page before a window" "$edu0" write "$(at "$far1" -4096)"
faults "the page after a window" "$edu0" write "$(at "$far0" 0x100000)"
faults "a BAR too small" "$edu0" write "$small"
faults "another engine" "$edu1" write "$far0"

# --- revocation, and back without a new bind of the initiator -------------------------
unbind "$far0"
expect "target's driver gone" target_not_bound "$(state "$edu0" "$far0" 2)"
faults "target's driver gone: faults" "$edu0" write "$far0"
copies "the others stay" "$edu0" "$mem0" "$far1"
bind "$far0" pp_test_untrusted
expect "taken by an untrusted driver" untrusted "$(state "$edu0" "$far0" 2)"
faults "taken by an untrusted driver: faults" "$edu0" write "$far0"
unbind "$far0"
bind "$far0" pp_test_ivshmem
expect "target's driver back" installed "$(state "$edu0" "$far0" 2)"
copies "target's driver back: arrives" "$edu0" "$mem0" "$far0"
echo 1 >"/sys/bus/pci/devices/$far0/remove"
expect "target removed" "" "$(state "$edu0" "$far0" 2)"
echo 1 >/sys/bus/pci/rescan
expect "target back" installed "$(state "$edu0" "$far0" 2)"
copies "target back: arrives" "$edu0" "$mem0" "$far0"

# --- opened in ascending, descending and mixed order ----------------------------------
for order in "$far0 $far1 $far2" "$far2 $far1 $far0" "$far1 $far2 $far0"; do
	for m in $far0 $far1 $far2; do unbind "$m"; done
	for m in $order; do bind "$m" pp_test_ivshmem; done
	all_installed "order $order"
	for m in $far0 $far1 $far2; do copies "order $order: mem0 -> $m" "$edu0" "$mem0" "$m"; done
done

# --- the initiator leaves while a target is out of reach ------------------------------
unbind "$far0"
bind "$far0" pp_test_untrusted
unbind "$edu0"
faults "initiator's driver gone: faults" "$edu0" write "$far1"
bind "$edu0" pp_test_edu
expect "bound while the target is untrusted" untrusted "$(state "$edu0" "$far0" 2)"
expect "the others" installed "$(state "$edu0" "$far1" 2)"
unbind "$far0"
bind "$far0" pp_test_ivshmem
expect "nothing was taken for it" needs_rebind "$(state "$edu0" "$far0" 2)"
faults "nothing was taken for it: faults" "$edu0" write "$far0"
unbind "$edu0"
bind "$edu0" pp_test_edu
all_installed "bound again"
echo 1 >"/sys/bus/pci/devices/$far2/remove"
unbind "$edu0"
echo 1 >/sys/bus/pci/rescan
bind "$edu0" pp_test_edu
all_installed "left while a target was removed"
expect "settings as before, but the driver's mask" \
	"$(echo "$before" | sed 's/mask f*/mask ffffffffffffffff/')" "$(settings "$edu0")"

# --- many times -----------------------------------------------------------------------
for m in "$far0" "$far1"; do
	check "$rebinds binds of the initiator: $m" load pp_test_churn device=$edu0 count=$rebinds start="$(first "$m" 2)" size="$(length "$m" 2)"
	info "$(dmesg | sed -n 's/.*pp_test_churn: //p' | tail -n 1)"
	unload pp_test_churn
done
all_installed "after $rebinds binds"
for m in "$far0" "$far1" "$far2"; do copies "after $rebinds binds: mem0 -> $m" "$edu0" "$mem0" "$m"; done
check "ordinary mappings of all sizes" job "$edu0" sizes
unload pp_test_iova
expect "type as before" "$dma" "$(group_type "$edu0")"

# --- load and unload with drivers bound -----------------------------------------------
check "unloads with drivers bound" unload peerpass
matches "after unload: corrupt" CORRUPT "$(edu copy "$edu0" "$mem0" "$far0" 64)"
check "loads with drivers bound" load peerpass "$policy" $trusted
expect "same bridge: at once" installed "$(state "$edu0" "$mem0" 2)"
expect "other bridge: later" needs_rebind "$(state "$edu0" "$far0" 2)"
faults "other bridge: faults" "$edu0" write "$far0"
unbind "$edu0"
bind "$edu0" pp_test_edu
all_installed "after the bind"
unload peerpass

# --- engines on two bridges, each other's targets; 32 and 64 bits in one batch --------
load peerpass "policy=$edu0=peer:e+class,$faredu=peer:e+class,$far0=peer:e+class+target" \
	trusted_drivers=pp_test_edu,pp_test_ivshmem window_bars=0x5
unbind "$edu0"
unbind "$faredu"
bind "$edu0" pp_test_edu
expect "near engine: the far one is not bound" target_not_bound "$(state "$edu0" "$faredu" 0)"
bind "$faredu" pp_test_edu
expect "near engine to far engine" installed "$(state "$edu0" "$faredu" 0)"
expect "far engine to near engine" installed "$(state "$faredu" "$edu0" 0)"
expect "near engine to far memory" installed "$(state "$edu0" "$far0" 2)"
expect "far engine to far memory" installed "$(state "$faredu" "$far0" 2)"
seen=$(total "$edu0")
edu read "$edu0" "@$(first "$faredu" 0)" 4 >/dev/null
edu write "$edu0" "$far0" 4 >/dev/null
matches "near engine has read the far one's identification" '^ed000001' "$(edu dump "$far0" 4)"
expect "far engine's register: no fault" "$seen" "$(total "$edu0")"
unload peerpass

# --- two of one group ------------------------------------------------------------------
load peerpass "policy=$twin0=peer:t+class+initiator,$twin1=peer:t+class+initiator,$mem0=peer:t+class+target,$far1=peer:t+class+target" $trusted
for e in "$twin0" "$twin1"; do unbind "$e"; done
bind "$twin0" pp_test_edu
bind "$twin1" pp_test_edu
expect "first of a group" installed "$(state "$twin0" "$far1" 2)"
# DMA debugging knows no second owner of a mapping.
if [ "$(kernel_series)" = debug ]; then
	expect "second of a group" iova_taken "$(state "$twin1" "$far1" 2)"
else
	expect "second of a group" installed "$(state "$twin1" "$far1" 2)"
	unbind "$twin0"
	expect "the first has left" installed "$(state "$twin1" "$far1" 2)"
	copies "the first has left: arrives" "$twin1" "$mem0" "$far1"
	bind "$twin0" pp_test_edu
	expect "the first is back" installed "$(state "$twin0" "$far1" 2)"
	unbind "$twin1"
	copies "the second has left: arrives" "$twin0" "$mem0" "$far1"
	bind "$twin1" pp_test_edu
fi
for e in "$twin1" "$twin0"; do unbind "$e"; done
faults "both have left: faults" "$twin0" write "$far1"
for e in "$twin1" "$twin0"; do bind "$e" pp_test_edu; done
expect "both bound again" installed "$(state "$twin1" "$far1" 2)"
unload peerpass

# --- refused ranges --------------------------------------------------------------------
load peerpass "policy=$edu1=peer:r+class+initiator,$faredu=peer:r+class+target" trusted_drivers=pp_test_edu window_bars=0x1
unbind "$edu1"
start=$(first "$faredu" 0)
check "something lies in the range" job "$edu1" hold last=$((start + 0x7ffff)) size=$((0x40000))
bind "$edu1" pp_test_edu
expect "something lies in the range: refused" iova_taken "$(state "$edu1" "$faredu" 0)"
echo 0x4000000 >/sys/module/pp_test_iova/parameters/size
check "and ordinary mappings of all sizes pass" job "$edu1" sizes
unload pp_test_iova
unbind "$edu1"
bind "$edu1" pp_test_edu
expect "nothing lies there any more" installed "$(state "$edu1" "$faredu" 0)"
unbind "$edu1"
check "no room below the range" job "$edu1" fill last=$((start + 0x7ffff)) size=$((0x40000)) windows=$start,$((0x100000))
bind "$edu1" pp_test_edu
expect "no room below the range: refused" map_failed "$(state "$edu1" "$faredu" 0)"
echo 0x400000 >/sys/module/pp_test_iova/parameters/size
check "and ordinary mappings of the range's size pass" job "$edu1" sizes
unload pp_test_iova
unbind "$edu1"
bind "$edu1" pp_test_edu
expect "there is room again" installed "$(state "$edu1" "$faredu" 0)"
unload peerpass

for m in pp_test_edu pp_test_ivshmem pp_test_untrusted; do check "unloads $m" unload $m; done
expect "type as at the start" "$dma" "$(group_type "$edu0")"
