#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# The reference as seen from outside: by how many entries did the driver move
# the log's head on, in all of the boot? event-reference.host.sh RUN-DIRECTORY
set -euo pipefail
cd "$1"

guest=$(sed -n 's/^INFO reference //p' result.log | tr -d '\r')
# The first write is the set-up, with 0; later ones follow each entry, or in
# Linux 6.1 each round. The ring has 512 entries of 16 bytes.
host=$(sed -n 's/.*AMDVI_MMIO_EVENT_HEAD.* val \(0x[0-9a-f]*\).*/\1/p' trace.log | {
	head=0 sum=0
	while read -r value; do
		sum=$((sum + ((value - head) & 8191) / 16)) head=$((value))
	done
	echo $sum
})
if [ "$guest" = "$host" ] && [ "$host" -gt 0 ]; then
	echo "PASS host: the log's head moved on by $host entries, as the reference says"
else
	echo "FAIL host: the log's head moved on by $host entries, the reference says '$guest'"
fi
