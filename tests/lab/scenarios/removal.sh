# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=dash disable=SC1091,SC2086
# Initiators and targets go while transfers run, and come again: by sysfs, and
# unplugged by the machine. After each removal no window to or from the device is
# left and writes to where it was fault; after each return all are open again.
. /lab/lib.sh

rounds=$(count 200)
edu0=$(edu_bdf 0) edu1=$(edu_bdf 1) mem0=$(ivshmem_bdf 0)
# Below the two root ports; see removal.args. A device returns to the same place.
plug0=$(cd /sys/bus/pci/devices/0000:00:18.0 && echo 0000:??:00.0)
plug1=$(cd /sys/bus/pci/devices/0000:00:19.0 && echo 0000:??:00.0)
policy="policy=$edu0=peer:lab+class+initiator,$edu1=peer:lab+class+initiator,$plug0=peer:lab+class+initiator"
policy="$policy,$mem0=peer:lab+class+target,$plug1=peer:lab+class+target"
cure_amd_6_1

# --- QMP -------------------------------------------------------------------------
stty -F /dev/ttyS3 raw -echo
cat /dev/ttyS3 >/run/qmp &
reader=$!
qmp() { echo "{\"execute\": \"$1\", \"arguments\": {$2}}" >/dev/ttyS3; }
deleted() { grep -c DEVICE_DELETED /run/qmp; }

# --- what is expected ---------------------------------------------------------------
# until COMMAND... - polls for half a minute
until_true() {
	local end
	end=$(($(ms) + 30000))
	while ! "$@"; do
		[ "$(ms)" -lt $end ] || return 1
		usleep 20000
	done
}
# windows - "INITIATOR>TARGET" of each window that is installed, and of any other
# one that status knows, with its state
windows() {
	peerpass status --all -j | awk '
		{ gsub(/[",]/, "") }
		$1 == "initiator:" { from = $2 }
		$1 == "target:" { to = $2 }
		$1 == "state:" && from { print from ">" to ($2 == "installed" ? "" : "=" $2); from = "" }' |
		sort | paste -sd' '
}
# between INITIATOR... -- TARGET... - the same for all pairs, all installed
between() {
	local from=''
	while [ "$1" != -- ]; do from="$from $1"; shift; done
	shift
	for e in $from; do for t; do echo "$e>$t"; done; done | sort | paste -sd' '
}
total() {
	peerpass status --all -j | awk -v bdf="$1" '
		$1 == "\"bdf\":" { here = index($2, bdf) }
		here && $1 == "\"total\":" { print $2 + 0; exit }'
}
windows_are() { [ "$(windows)" = "$1" ]; }
rose() { [ "$(total "$edu0")" -gt "$1" ]; }

all=$(between $edu0 $edu1 $plug0 -- $mem0 $plug1)
without_plug0=$(between $edu0 $edu1 -- $mem0 $plug1)
without_plug1=$(between $edu0 $edu1 $plug0 -- $mem0)

# --- removal and return -----------------------------------------------------------
# wrong ROUND TEXT - collected into one line
wrong() {
	bad=$((bad + 1))
	said="$said(round $1: $2) "
}
there() { [ -e "/sys/bus/pci/devices/$1" ]; }
gone() { ! there "$1"; }

# unplugged NUMBER DELETED-BEFORE
unplugged() { [ "$(deleted)" -gt "$2" ] && gone "$(bdf_of "$1")"; }
bdf_of() { if [ "$1" = 0 ]; then echo "$plug0"; else echo "$plug1"; fi; }

# take NUMBER HOW, bring NUMBER HOW - the device below port NUMBER
take() {
	local before
	if [ "$2" = sysfs ]; then
		echo 1 >"/sys/bus/pci/devices/$(bdf_of $1)/remove"
	else
		before=$(deleted)
		qmp device_del "\"id\": \"plug$1\""
		until_true unplugged $1 "$before"
	fi
}
bring() {
	if [ "$2" = sysfs ]; then
		echo 1 >/sys/bus/pci/rescan
		return
	fi
	# A memory that an ivshmem has had cannot be given to another one.
	qmp object-add "\"qom-type\": \"memory-backend-ram\", \"id\": \"plugmem$i\", \"size\": 1048576, \"share\": true"
	if [ "$1" = 0 ]; then
		qmp device_add '"driver": "edu", "id": "plug0", "bus": "port0", "dma_mask": 18446744073709551615'
	else
		qmp device_add '"driver": "ivshmem-plain", "id": "plug1", "bus": "port1", "memdev": "plugmem'$i'"'
	fi
}

# round NUMBER HOW - of round $i
round() {
	local left faults
	left=$without_plug0
	[ $1 = 0 ] || left=$without_plug1
	take $1 $2 || { wrong $i "plug$1 does not go ($2)"; return; }
	gone "$(bdf_of $1)" || wrong $i "plug$1 is still there ($2)"
	windows_are "$left" || wrong $i "plug$1 gone ($2): $(windows)"
	if [ $1 = 1 ]; then
		faults=$(total "$edu0")
		until_true rose "$faults" || wrong $i "target gone ($2): no faults"
	fi
	bring $1 $2
	until_true windows_are "$all" || wrong $i "plug$1 came ($2): $(windows)"
}

# --- the run ------------------------------------------------------------------------
load pp_test_edu && load pp_test_ivshmem
qmp qmp_capabilities
check "QMP answers" until_true grep -q '"return"' /run/qmp
check "loads" load peerpass "$policy" trusted_drivers=pp_test_edu,pp_test_ivshmem window_bars=0x4
expect "all windows are open" "$all" "$(windows)"
traffic $edu0 $plug1 >/run/traffic.0 2>&1 & first=$!
traffic $plug0 $mem0 >/run/traffic.1 2>&1 & second=$!
traffic $edu1 $mem0 >/run/traffic.2 2>&1 & third=$!

i=0 bad=0 said='' sysfs=0 unplugged=0
while [ $i -lt "$rounds" ] && [ $bad -lt 5 ]; do
	if [ $((i / 2 % 2)) = 0 ]; then how=sysfs sysfs=$((sysfs + 1)); else how=qmp unplugged=$((unplugged + 1)); fi
	round $((i % 2)) $how
	i=$((i + 1))
done
expect "$rounds removals and returns ($sysfs by sysfs, $unplugged unplugged)" "" "$said"
expect "QMP complained of nothing" "" "$(grep '"error"' /run/qmp | head -n 1)"

kill $first $second $third
wait $first $second $third
info "initiator that stays, target that goes: $(cat /run/traffic.0)"
info "initiator that goes, target that stays: $(cat /run/traffic.1)"
info "pair that stays: $(cat /run/traffic.2)"
for n in 0 1 2; do
	at_least "transfers ran meanwhile ($n)" "$rounds" "$(sed -n 's/^\([0-9]*\) transfers$/\1/p' /run/traffic.$n)"
done
expect "the pair that stays had no fault" 0 "$(total $edu1)"
matches "arrives in the end: $edu0 -> $plug1" 'OK$' "$(edu copy $edu0 $mem0 $plug1 64)"
matches "arrives in the end: $plug0 -> $plug1" 'OK$' "$(edu copy $plug0 $mem0 $plug1 64)"
check "unloads" unload peerpass
matches "nothing is open afterwards" 'CORRUPT$' "$(edu copy $plug0 $mem0 $plug1 64)"
kill $reader
unload pp_test_edu
unload pp_test_ivshmem
