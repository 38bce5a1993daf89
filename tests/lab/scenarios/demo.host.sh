#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# The peer memories of demo.sh as this machine sees them: they are files here,
# and neither the guest nor peerpass has a hand in the comparison.
# demo.host.sh RUN-DIRECTORY
set -euo pipefail
cd "$1"

# at FILE OFFSET - the bytes of one transfer
at() { dd if="$1" bs=4096 skip=$(($2 / 4096)) count=1 status=none | head -c 2040; }

# not_poison FILE - how many bytes are not 0xa5, the owner's poison
not_poison() { tr -d '\245' <"$1" | wc -c; }

# judge STATE OFFSET EXPECTED - the copy made in that state, from $from to $to
judge() {
	local fate="arrived in part"
	at "$to" "$2" >found
	if cmp -s source found; then
		fate=arrived
	elif [ "$(not_poison found)" = 0 ]; then
		fate=lost
	fi
	if [ "$fate" = "$3" ]; then
		echo "PASS host: $1: $from -> $to: $fate"
	else
		echo "FAIL host: $1: $from -> $to: $fate, expected: $3"
	fi
}

for from in mem0 mem1; do
	if [ $from = mem0 ]; then to=mem1; else to=mem0; fi
	at $from 0x40000 >source
	if [ "$(not_poison source)" -lt 1500 ]; then
		echo "FAIL host: $from holds no pattern: nothing is proved"
		continue
	fi
	judge translated 0x50000 lost
	judge identity 0x60000 arrived
	judge unloaded 0x70000 lost
done
