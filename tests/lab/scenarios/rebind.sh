# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=dash disable=SC1091,SC2086
# set at run time, and --rebind with real drivers: it takes the driver off, sets and
# gives it back; refuses while anybody uses the device or a sibling has a driver; and
# survives a driver whose remove() does not return, as does everything else.
. /lab/lib.sh

edu0=0000:00:04.0 edu1=0000:00:05.0 pair0=0000:00:08.0 pair1=0000:00:08.1
mem0=0000:00:10.0 mem1=0000:00:11.0
trusted="trusted_drivers=pp_test_edu,pp_test_ivshmem window_bars=0x4"
dma=$(group_type $edu0)
cure_amd_6_1

before=$(types)

# pp NAME CODE ARGUMENT... - the helper ends with this code, within 30 s
pp() {
	local name=$1 code=$2
	shift 2
	# busybox's timeout leaves a watcher behind for a second: it holds no file.
	timeout 30 peerpass "$@" >/run/said 2>&1 7<&-
	expect "$name: exit code" "$code" $?
	cat /run/said
}
# said NAME REGEX - in what it printed last
said() { matches "$1" "$2" "$(cat /run/said)"; }

check "loads" load peerpass $trusted
check "drivers" load pp_test_edu
load pp_test_ivshmem
load pp_test_stuck

# --- a driver is in the way ---------------------------------------------------------
pp "driver bound" 1 set $edu0 identity+class
said "driver bound: reason" "refused: driver_bound"
said "driver bound: named" "in the way: driver pp_test_edu on $edu0"
expect "driver bound: type kept" "$dma" "$(group_type $edu0)"

# --- somebody uses it ------------------------------------------------------------------
exec 7<"/dev/pp_edu-$edu0"
pp "held" 1 set $edu0 identity+class --rebind
said "held: reason" "refused: held"
said "held: the process and what it has" "in the way: process [0-9]+ \\(.*\\) uses pp_edu-$edu0 of $edu0"
expect "held: driver kept" pp_test_edu "$(driver $edu0)"
exec 7<&-
exec 7<>"/sys/bus/pci/devices/$mem0/resource2"
pp "a BAR is open" 1 set $mem0 identity+class --rebind
said "a BAR is open: named" "uses resource2, open of $mem0"
exec 7<&-

# --- a sibling has a driver -----------------------------------------------------------
pp "sibling" 1 set $pair0 identity+class+group --rebind
said "sibling: named" "refused: sibling_bound: .*$pair1 \\(driver pp_test_edu\\)"
expect "sibling: driver kept" "pp_test_edu pp_test_edu" "$(driver $pair0) $(driver $pair1)"

# --- done ----------------------------------------------------------------------------------
pp "rebind" 0 set $edu0 identity+class --rebind
expect "rebind: type" identity "$(group_type $edu0)"
expect "rebind: driver is back" pp_test_edu "$(driver $edu0)"
expect "rebind: mode" "identity true true" "$(of $edu0 mode) $(of $edu0 set_by_request) $(of $edu0 switched)"
matches "rebind: arrives" 'OK$' "$(edu copy $edu0 $mem0 $mem1 2040)"
pp "restore with a driver bound" 1 restore $edu0
said "restore with a driver bound: reason" "refused: driver_bound"
pp "back" 0 set $edu0 observe --rebind
expect "back: type" "$dma" "$(group_type $edu0)"
expect "back: driver" pp_test_edu "$(driver $edu0)"

# --- refused by the kernel: put back --------------------------------------------------
if [ "$(kernel_series)" = 6.1 ]; then
	pp "a group that 6.1 cannot switch" 1 set $pair0 $pair1 identity+class+group --rebind
	said "a group that 6.1 cannot switch: reason" "refused: kernel_limit.*all is as it was"
	expect "a group that 6.1 cannot switch: drivers" "pp_test_edu pp_test_edu" "$(driver $pair0) $(driver $pair1)"
	expect "a group that 6.1 cannot switch: type" "$dma" "$(group_type $pair0)"
else
	pp "both siblings" 0 set $pair0 $pair1 identity+class+group --rebind
	expect "both siblings: type" identity "$(group_type $pair0)"
	expect "both siblings: drivers" "pp_test_edu pp_test_edu" "$(driver $pair0) $(driver $pair1)"
	for d in $pair0 $pair1; do echo $d >/sys/bus/pci/drivers/pp_test_edu/unbind; done
fi

# --- windows, without any rebinding ------------------------------------------------------
pp "peers" 0 set $edu0 $mem0 $mem1 peer:lab+class
matches "peers: arrives" 'OK$' "$(edu copy $edu0 $mem0 $mem1 2040)"
pp "status" 0 status --all
said "the set is listed" "lab: (mixed|ready)"
pp "peers restored" 0 restore $edu0 $mem0 $mem1
matches "peers restored: corrupt" CORRUPT "$(edu copy $edu0 $mem0 $mem1 64)"

# --- a remove() that does not return ------------------------------------------------------
hold=/sys/module/pp_test_stuck/parameters/hold
echo $edu1 >/sys/bus/pci/drivers/pp_test_edu/unbind
echo 1234 11e8 >/sys/bus/pci/drivers/pp_test_stuck/new_id
[ "$(driver $edu1)" = pp_test_stuck ] || echo $edu1 >/sys/bus/pci/drivers/pp_test_stuck/bind
expect "the stuck driver has it" pp_test_stuck "$(driver $edu1)"
pp "not stuck yet" 0 set $edu1 identity+class --rebind
pp "not stuck yet: back" 0 set $edu1 observe --rebind
echo 1 >$hold
start=$(ms)
pp "stuck" 1 set $edu1 identity+class --rebind --timeout 2
at_least "stuck: returns in time (20 s)" 0 $((20000 - $(ms) + start))
said "stuck: said" "stuck: driver_stuck: its driver pp_test_stuck does not return from remove\\(\\); process [0-9]+ \\(state D\\)"
pid=$(sed -n 's/.*; process \([0-9]*\) (state.*/\1/p' /run/said)
check "stuck: the process was left" test -d "/proc/$pid"
pp "meanwhile: status" 0 status --all
pp "meanwhile: faults" 0 faults
pp "meanwhile: another device" 0 set $edu0 identity+class --rebind
expect "meanwhile: another device's type" identity "$(group_type $edu0)"
pp "meanwhile: another device, back" 0 set $edu0 observe --rebind
pp "meanwhile: windows" 0 set $edu0 $mem0 $mem1 peer:lab+class
matches "meanwhile: windows: arrives" 'OK$' "$(edu copy $edu0 $mem0 $mem1 2040)"
pp "meanwhile: restore" 0 restore $edu0 $mem0 $mem1
echo 0 >$hold
tries=50
while [ -d "/proc/$pid" ] && [ $tries -gt 0 ]; do
	usleep 100000
	tries=$((tries - 1))
done
refuse "released: the process is gone" test -d "/proc/$pid"
expect "released: without driver" "" "$(driver $edu1)"
expect "released: type as before" "$dma" "$(group_type $edu1)"
echo $edu1 >/sys/bus/pci/drivers/pp_test_stuck/bind
pp "released: works again" 0 set $edu1 identity+class --rebind
expect "released: type" identity "$(group_type $edu1)"
expect "released: driver" pp_test_stuck "$(driver $edu1)"

# --- the end ----------------------------------------------------------------------------------
unload pp_test_stuck
unload pp_test_edu
unload pp_test_ivshmem
pp "restore" 0 restore "$edu0" "$edu1"
expect "restored: type" "$dma" "$(group_type $edu1)"
check "unloads" unload peerpass
expect "in the end: all types are as at the start" "$before" "$(types)"
