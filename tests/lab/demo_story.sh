#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# "make demo" ends well and tells what it is there to tell, on each of its four
# machines. (What the guests find is checked in them, and by demo.host.sh.)
set -euo pipefail

. "$(dirname "$0")/common.sh"

story=$(mktemp)
trap 'rm -f "$story"' EXIT
failed=0

status=0
"$LAB_TREE/tests/demo.sh" 2>&1 </dev/null | tee "$story" || status=$?
if [ $status = 0 ]; then echo "PASS demo: ends well"; else echo "FAIL demo: ended with exit status $status"; failed=1; fi

# told TIMES NAME REGEX - lines that match
told() {
	local n
	n=$(grep -c -E -e "$3" "$story" || true)
	if [ "$n" = "$1" ]; then
		echo "PASS demo: $2"
	else
		echo "FAIL demo: $2: expected $1 lines with '$3', found $n"
		failed=1
	fi
}

told 4 "translated: the answer is no" 'Does P2P work now\? no: 2 of 2 pairs corrupt_with_faults'
told 4 "translated: two counts" 'Faults counted by the module: [1-9][0-9]*\. Lines in the kernel log: [1-9][0-9]*\.$'
told 2 "translated: VT-d names both targets" 'initiator +0000:00:10.0 BAR2 0000:00:11.0 BAR2$'
told 4 "identity: the answer is yes" 'Does P2P work now\? yes: 2 of 2 pairs ok'
told 4 "identity: no faults" 'Faults counted by the module: 0\.$'
told 8 "unloaded: types are back" '^ *0000:00:0[45]\.0 +(DMA|DMA-FQ) +identity +(DMA|DMA-FQ)$'
told 8 "from outside: lost, arrived, lost" '^ *mem. -> mem. +lost +arrived +lost$'
sed -i '1,/^The problem/d' "$story"
told 0 "no line of the story is longer than 80 characters" '^.{81}'
exit $failed
