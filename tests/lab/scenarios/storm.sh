# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=dash disable=SC1091
# The module comes and goes while faults arrive. What fails here is a splat, which
# boot.sh finds in the log, or an unload that hangs.
. /lab/lib.sh

rounds=50
edu0=$(edu_bdf 0) edu1=$(edu_bdf 1)
cure_amd_6_1

# Transfers that overflow the event log, from two initiators, until told to stop.
storm() {
	while [ ! -e /run/calm ]; do
		edu write "$1" "$(ivshmem_bdf 0)" 4088 >/dev/null 2>&1
	done
}
storm "$edu0" & first=$!
storm "$edu1" & second=$!

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

failed=0 seen=0 i=0
while [ $i -lt $rounds ]; do
	load peerpass policy=0000:00:04.0=identity+class || failed=$((failed + 1))
	# Some unloads hit an idle moment, some the middle of a storm.
	usleep $((i % 10 * 20000))
	[ $((i % 10)) != 9 ] || seen=$((seen + $(total)))
	unload peerpass || failed=$((failed + 1))
	i=$((i + 1))
done
expect "$rounds loads and unloads under faults" 0 $failed
at_least "faults were seen meanwhile" 1 "$seen"

: >/run/calm
wait $first $second
check "loads once more" load peerpass
matches "and answers" '"state": "active"' "$(peerpass status -j)"
check "and unloads" unload peerpass
