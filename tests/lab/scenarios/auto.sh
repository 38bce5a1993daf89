# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=dash disable=SC1091
# Mode auto: identity where it is safe, peer where it is not, and why. Then what a
# rule may permit: +force, +group, +all; and a set with members of both kinds.
# Booted with two edu functions in one slot, which share a group (auto.args).
. /lab/lib.sh
. /lab/windows.sh

edu0=0000:00:04.0 edu1=0000:00:05.0 pair0=0000:00:08.0 pair1=0000:00:08.1
mem0=0000:00:10.0 mem1=0000:00:11.0
trusted="trusted_drivers=pp_test_edu,pp_test_ivshmem window_bars=0x4"
dma=$(group_type $edu0)
cure_amd_6_1

before=$(types)
# is NAME BDF MODE WHY REASON FORCED ACTUAL
is() {
	expect "$1: mode, why, reason, forced, actual" "$3 $4 $5 $6 $7" \
		"$(of "$2" mode) $(of "$2" why) $(of "$2" reason) $(of "$2" forced) $(of "$2" actual)"
}
# rule NAME POLICY - loads, or says so
rule() {
	load peerpass "policy=$2" $trusted || fail "$1" "does not load"
}
done_with() {
	check "$1: unloads" unload peerpass
	expect "$1: all types are as before" "$before" "$(types)"
}

# --- the table -------------------------------------------------------------------
rule free "$edu0=auto+class"
is free $edu0 identity null null false identity
expect "free: wanted" auto "$(of $edu0 wanted)"
done_with free

load pp_test_edu
load pp_test_ivshmem
rule bound "$edu0=auto:lab+class,$mem0=peer:lab+class+target,$mem1=peer:lab+class+target"
is bound $edu0 peer driver_bound null false "$dma"
matches "bound: names the driver" pp_test_edu "$(of $edu0 detail)"
matches "bound: arrives" 'OK$' "$(edu copy $edu0 $mem0 $mem1 2040)"
expect "bound: no fault" 0 "$(of $edu0 total)"
# Decided again once the driver is gone.
echo $edu0 >/sys/bus/pci/drivers/pp_test_edu/unbind
sleep 1
is "driver gone" $edu0 identity null null false identity
echo $edu0 >/sys/bus/pci/drivers/pp_test_edu/bind
matches "driver back: arrives" 'OK$' "$(edu copy $edu0 $mem0 $mem1 2040)"
is "driver back" $edu0 identity null null false identity
echo $edu0 >/sys/bus/pci/drivers/pp_test_edu/unbind
done_with bound
unload pp_test_edu
unload pp_test_ivshmem

if [ "$(iommu_kind)" = amd-vi ]; then
	load pp_test_snp
	rule snp "$edu0=auto+class"
	is snp $edu0 peer snp null false "$dma"
	done_with snp
	# The kernel has the last word: it refuses too, or does not (6.13 to 6.19).
	rule "snp, forced" "$edu0=identity+class+force"
	case $(kernel_series) in
	6.1) info "snp, forced: $(of $edu0 reason), actual $(of $edu0 actual)" ;;
	*) is "snp, forced" $edu0 identity null kernel_refused false "$dma" ;;
	esac
	done_with "snp, forced"
	[ "$(kernel_series)" = 6.1 ] || {
		rule "snp, auto forced" "$edu0=auto+class+force"
		is "snp, auto forced" $edu0 peer kernel_refused null false "$dma"
		done_with "snp, auto forced"
	}
	unload pp_test_snp
fi

load pp_test_pretend dev=$edu0 vendor=0x10de device=0x2bb5
rule firmware "10de:2bb5=auto,$edu0=auto+class"
is "firmware, wildcard, wrong class" $edu0 auto null class_not_allowed false "$dma"
done_with firmware
rule firmware "$edu0/10de:2bb5=auto+class"
is firmware $edu0 peer firmware null false "$dma"
expect "firmware: the family" "Blackwell GB202" "$(of $edu0 firmware)"
done_with firmware
rule "firmware, identity" "$edu0=identity+class"
is "firmware, identity" $edu0 identity null firmware false "$dma"
done_with "firmware, identity"
rule "firmware, forced" "$edu0=identity+class+force"
is "firmware, forced" $edu0 identity null null true identity
matches "firmware, forced: said" "[Ff]orce" "$(peerpass status)"
done_with "firmware, forced"
rule "firmware, auto forced" "$edu0=auto+class+force"
is "firmware, auto forced" $edu0 identity null null true identity
done_with "firmware, auto forced"
unload pp_test_pretend

load pp_test_pretend dev=$edu0 untrusted=1
rule untrusted "$edu0=auto+class"
is untrusted $edu0 auto null untrusted false "$dma"
done_with untrusted
rule "untrusted, forced" "$edu0=identity+class+force"
is "untrusted, forced" $edu0 identity null untrusted false "$dma"
done_with "untrusted, forced"
rule "untrusted, peer" "$edu0=peer+class"
is "untrusted, peer" $edu0 peer null untrusted false "$dma"
done_with "untrusted, peer"
unload pp_test_pretend

# --- companions --------------------------------------------------------------------
rule companion "$pair0=auto+class"
is companion $pair0 peer group_companion null false "$dma"
matches "companion: listed with its driver" "$pair1 \(no driver\)" "$(of $pair0 detail)"
done_with companion
rule "companion with a rule of its own" "$pair0=identity+class+group,$pair1=off"
is "companion with a rule of its own" $pair0 identity null group_companion false "$dma"
done_with "companion with a rule of its own"
rule along "$pair0=identity+class+group"
if [ "$(kernel_series)" = 6.1 ]; then
	is along $pair0 identity null kernel_limit false "$dma"
else
	is along $pair0 identity null null false identity
	is "along: the companion" $pair1 observe null null false identity
	expect "along: ours" true "$(of $pair1 switched)"
fi
done_with along
rule "along, auto" "$pair0=auto+class+group"
if [ "$(kernel_series)" = 6.1 ]; then
	is "along, auto" $pair0 peer kernel_limit null false "$dma"
else
	is "along, auto" $pair0 identity null null false identity
	# A companion that goes and comes takes the group's type again.
	echo 1 >/sys/bus/pci/devices/$pair1/remove
	echo 1 >/sys/bus/pci/rescan
	is "along: companion came back" $pair0 identity null null false identity
	is "along: the companion again" $pair1 observe null null false identity
fi
done_with "along, auto"

# An order for a kind of devices takes in what usually comes with a GPU, and no
# more: a second edu function is none of that.
load pp_test_pretend dev=$pair0 vendor=0x10de device=0x2704 class=0x030000
rule "wildcard, strange companion" "10de:*=auto+group"
is "wildcard, strange companion" $pair0 peer group_companion null false "$dma"
done_with "wildcard, strange companion"
unload pp_test_pretend
load pp_test_pretend dev=$pair0,$pair1 vendor=0x10de,0x10de device=0x2704,0x22bb class=0x030000,0x040300
rule "wildcard, audio" "10de:*=auto+group"
if [ "$(kernel_series)" = 6.1 ]; then
	is "wildcard, audio" $pair0 peer kernel_limit null false "$dma"
else
	is "wildcard, audio" $pair0 identity null null false identity
	is "wildcard, audio: came along" $pair1 auto null class_not_allowed false identity
	# Without whom it came along for, it does not stay.
	echo 1 >/sys/bus/pci/devices/$pair0/remove
	sleep 1
	expect "wildcard, audio: alone" "$dma" "$(of $pair1 actual)"
	echo 1 >/sys/bus/pci/rescan
fi
done_with "wildcard, audio"
unload pp_test_pretend
# Identity would harm the companion, so nobody has it.
load pp_test_pretend dev=$pair0,$pair1 vendor=0x10de,0x10de device=0x2704,0x2bb5 class=0x030000,0x030000
rule "harm to a companion" "10de:*=auto"
is "harm to a companion: itself" $pair1 peer firmware null false "$dma"
is "harm to a companion: the other" $pair0 peer group_companion null false "$dma"
done_with "harm to a companion"
unload pp_test_pretend

# --- all or none ---------------------------------------------------------------------
load pp_test_edu
echo $edu0 >/sys/bus/pci/drivers/pp_test_edu/unbind
rule all "$edu0=identity:s+class+all,$edu1=identity:s+class+all"
is "all: one is bound" $edu1 identity null driver_bound false "$dma"
is "all: so the other is refused" $edu0 identity null set_incomplete false "$dma"
matches "all: names it" "$edu1: driver" "$(of $edu0 detail)"
matches "all: in the log" "not switched to identity: another device of its set" "$(dmesg)"
echo $edu1 >/sys/bus/pci/drivers/pp_test_edu/unbind
sleep 1
is "all: free now" $edu0 identity null null false identity
is "all: both" $edu1 identity null null false identity
done_with all
# With auto, all have windows when one cannot have identity.
load pp_test_pretend dev=$edu1 vendor=0x10de device=0x2bb5
rule "all, auto" "$edu0=auto:s+class+all,$edu1=auto:s+class+all"
is "all, auto: one may not" $edu1 peer firmware null false "$dma"
is "all, auto: so all have windows" $edu0 peer set_incomplete null false "$dma"
done_with "all, auto"
unload pp_test_pretend
unload pp_test_edu

# Windows: none is open until all can be; later each lives by itself.
load pp_test_edu
load pp_test_ivshmem
echo $mem1 >/sys/bus/pci/drivers/pp_test_ivshmem/unbind
rule "all windows" "$edu0=peer:w+class+all+initiator,$edu1=peer:w+class+initiator,$mem0=peer:w+class+target,$mem1=peer:w+class+target"
expect "all windows: one target has no driver" target_not_bound "$(state $edu0 $mem1 2)"
expect "all windows: so the other waits" set_waiting "$(state $edu0 $mem0 2)"
expect "all windows: for the other initiator too" set_waiting "$(state $edu1 $mem0 2)"
before_copy=$(of $edu0 total)
edu write $edu0 $mem0 64 >/dev/null
at_least "all windows: it faults" $((before_copy + 1)) "$(of $edu0 total)"
echo $mem1 >/sys/bus/pci/drivers/pp_test_ivshmem/bind
for e in $edu0 $edu1; do
	for m in $mem0 $mem1; do
		expect "all windows: $e -> $m" installed "$(state $e $m 2)"
	done
done
matches "all windows: arrives" 'OK$' "$(edu copy $edu0 $mem0 $mem1 2040)"
echo $mem1 >/sys/bus/pci/drivers/pp_test_ivshmem/unbind
expect "all windows: one leaves" target_not_bound "$(state $edu0 $mem1 2)"
expect "all windows: the other stays" installed "$(state $edu0 $mem0 2)"
echo $mem1 >/sys/bus/pci/drivers/pp_test_ivshmem/bind
expect "all windows: it comes back" installed "$(state $edu1 $mem1 2)"
unload pp_test_edu
load pp_test_edu
expect "all windows: the initiators too" installed "$(state $edu1 $mem1 2)"
unload pp_test_edu
unload pp_test_ivshmem
done_with "all windows"

# --- both kinds in one set ------------------------------------------------------------
load pp_test_ivshmem
echo $mem1 >/sys/bus/pci/drivers/pp_test_ivshmem/unbind
rule both "$edu0=peer:s+class+initiator,$mem0=peer:s+class+target,$mem1=auto:s+class+target"
is "both: target" $mem1 identity null null false identity
echo $mem1 >/sys/bus/pci/drivers/pp_test_ivshmem/bind
load pp_test_edu
is "both: initiator" $edu0 peer null null false "$dma"
matches "both: reaches the one in identity" 'OK$' "$(edu copy $edu0 $mem0 $mem1 2040)"
unload pp_test_edu
unload pp_test_ivshmem
done_with both
