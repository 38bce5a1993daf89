# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=dash disable=SC1091
# Windows and the IOVA allocator: however much the initiator's driver maps, nothing
# comes to lie in a window, and windows that come and go fail none of its mappings.
. /lab/lib.sh
. /lab/windows.sh

rounds=${IOVA_ROUNDS:-4} cycles=$(sed -n 's/.*lab\.cycles=\([0-9]*\).*/\1/p' /proc/cmdline)
cycles=${cycles:-500}
edu0=$(edu_bdf 0) faredu=$(edu_bdf 2) mem0=$(ivshmem_bdf 0) mem1=$(ivshmem_bdf 1) far0=$(ivshmem_bdf 2)
cure_amd_6_1

load pp_test_edu
load pp_test_ivshmem
dma=$(group_type "$edu0")
info "domain type $dma"
unbind "$edu0"
check "loads" load peerpass \
	"policy=$edu0=peer:i+class+initiator,$mem0=peer:i+class+target,$mem1=peer:i+class+target,$far0=peer:i+class+target,$faredu=peer:i+class+target" \
	trusted_drivers=pp_test_edu,pp_test_ivshmem window_bars=0x5
bind "$edu0" pp_test_edu
windows=$(for m in "$mem0" "$mem1" "$far0"; do bar_range "$m" 2; done; bar_range "$faredu" 0)
windows=$(echo "$windows" | tr " \n" ,, | sed "s,\,\$,,")
still() {
	for m in "$mem0" "$mem1" "$far0"; do expect "$1: $m BAR2" installed "$(state "$edu0" "$m" 2)"; done
	expect "$1: $faredu BAR0" installed "$(state "$edu0" "$faredu" 0)"
	copies "$1: mem0 -> mem1" "$edu0" "$mem0" "$mem1"
	copies "$1: mem0 -> far0" "$edu0" "$mem0" "$far0"
}
still "at first"

# --- the space below 4 GiB is handed out again and again -------------------------------
load pp_test_iova device="$edu0" rounds="$rounds" windows="$windows"
check "nothing overlaps a window, and the space comes back" sh -c 'echo exhaust >/sys/module/pp_test_iova/parameters/job'
line=$(dmesg | sed -n 's/.*pp_test_iova: exhausted //p' | tail -n 1)
info "exhausted $line"
at_least "more than a GiB, $rounds times" $((rounds * 1024)) "$(echo "$line" | sed 's/.*: \([0-9]*\) MiB.*/\1/')"
check "and small and large mappings pass" sh -c 'echo sizes >/sys/module/pp_test_iova/parameters/job'
unload pp_test_iova
still "after exhaustion"

# Without a window nothing keeps the far BARs' space free: the check can fail.
unload peerpass
load pp_test_iova device="$edu0" rounds=1 windows="$windows"
refuse "control: without windows something overlaps" sh -c 'echo exhaust >/sys/module/pp_test_iova/parameters/job'
matches "control: that is why" ' [1-9][0-9]* overlaps' "$(dmesg | grep 'pp_test_iova: exhausted' | tail -n 1)"
unload pp_test_iova
unbind "$edu0"
load peerpass \
	"policy=$edu0=peer:i+class+initiator,$mem0=peer:i+class+target,$mem1=peer:i+class+target,$far0=peer:i+class+target,$faredu=peer:i+class+target" \
	trusted_drivers=pp_test_edu,pp_test_ivshmem window_bars=0x5
bind "$edu0" pp_test_edu

# --- windows come and go while every CPU maps -------------------------------------------
# churn NAME TARGET COUNT
churn() {
	# shellcheck disable=SC2046 # two words
	set -- "$1" "$2" "$3" $(bar_range "$2" 2)
	check "$1: $3 windows come and go under load" load pp_test_churn device="$2" initiator="$edu0" count="$3" start="$4" size="$5"
	info "$1: $(dmesg | sed -n 's/.*pp_test_churn: //p' | tail -n 1)"
	unload pp_test_churn
}
churn "same bridge" "$mem1" "$cycles"
churn "other bridge" "$far0" "$cycles"
still "in the end"
expect "type as at the start" "$dma" "$(group_type "$edu0")"
check "unloads" unload peerpass
unload pp_test_edu
unload pp_test_ivshmem
