# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=dash disable=SC1091,SC2086
# The module comes and goes while faults arrive, with peer windows to open and to
# close, and while a driver binds and unbinds. What fails here is a splat, which
# boot.sh finds in the log, or an unload that hangs.
. /lab/lib.sh

rounds=$(count 1000)
# In turn: switched to identity; an initiator with a driver all the time; an
# initiator whose driver comes and goes (see storm.args).
edu0=$(edu_bdf 0) edu1=$(edu_bdf 1) edu2=0000:00:0c.0
mem0=$(ivshmem_bdf 0) mem1=$(ivshmem_bdf 1)
policy="policy=$edu0=identity+class,$edu1=peer:lab+class+initiator,$edu2=peer:lab+class+initiator,$mem1=peer:lab+class+target"
trusted="trusted_drivers=pp_test_edu,pp_test_ivshmem window_bars=0x4"
cure_amd_6_1

load pp_test_edu && load pp_test_ivshmem
echo $edu0 >/sys/bus/pci/drivers/pp_test_edu/unbind

# Transfers that overflow the event log, from two initiators, until told to stop:
# no window leads to mem0.
storm() {
	while [ ! -e /run/calm ]; do
		edu write "$1" $mem0 4088 >/dev/null 2>&1
	done
}
# The driver of edu2, unbound and bound until told to stop.
bind_storm() {
	local n=0
	while [ ! -e /run/calm ]; do
		echo $edu2 >/sys/bus/pci/drivers/pp_test_edu/unbind
		usleep 20000
		echo $edu2 >/sys/bus/pci/drivers/pp_test_edu/bind
		usleep 50000
		n=$((n + 1))
	done
	echo $n >/run/binds
}
storm $edu0 & first=$!
storm $edu1 & second=$!
bind_storm & third=$!

# total - faults since the load; waits for the first, which on a slow machine may
# be long in coming
total() {
	local n=0 tries=0
	while [ "$n" = 0 ] && [ $tries -lt 30 ]; do
		[ $tries = 0 ] || sleep 1
		n=$(peerpass faults -j | awk '$1 == "\"total\":" { gsub(",", ""); print $2; exit }')
		tries=$((tries + 1))
	done
	echo "$n"
}
# window - state of the one from edu1 to mem1
window() {
	peerpass status --all -j | awk -v from=$edu1 '
		$1 == "\"initiator\":" { here = index($2, from) }
		$1 == "\"state\":" && here { gsub(/[",]/, ""); print $2; exit }'
}

failed=0 closed=0 seen=0 i=0
while [ $i -lt "$rounds" ]; do
	load peerpass "$policy" $trusted || failed=$((failed + 1))
	# Some unloads hit an idle moment, some the middle of a storm.
	usleep $((i % 10 * 20000))
	if [ $((i % 10)) = 9 ]; then
		seen=$((seen + $(total)))
		[ "$(window)" = installed ] || closed=$((closed + 1))
	fi
	unload peerpass || failed=$((failed + 1))
	i=$((i + 1))
done
expect "$rounds loads and unloads under faults" 0 $failed
at_least "faults were seen meanwhile" 1 "$seen"
expect "windows were open meanwhile" 0 $closed

: >/run/calm
wait $first $second $third
at_least "a driver came and went meanwhile" $((rounds / 2)) "$(cat /run/binds)"
matches "nothing is open without the module" 'CORRUPT$' "$(edu copy $edu1 $mem0 $mem1 64)"
check "loads once more" load peerpass "$policy" $trusted
matches "and answers" '"state": "active"' "$(peerpass status -j)"
expect "and opens the window" installed "$(window)"
# mem1 is the only peer: edu1 reads it and writes it back.
edu fill $mem1 7 64
edu read $edu1 $mem1 64 >/dev/null
edu poison $mem1 64
edu write $edu1 $mem1 64 >/dev/null
matches "through which transfers arrive" 'OK$' "$(edu verify $mem1 7 64)"
check "and unloads" unload peerpass
unload pp_test_edu
unload pp_test_ivshmem
