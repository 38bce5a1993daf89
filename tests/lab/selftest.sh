#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Proves that the lab can fail: each boot here has a defect that boot.sh must
# report, and for the reason given. A lab that cannot fail proves nothing.
set -euo pipefail

. "$(dirname "$0")/common.sh"

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=0

# must NAME STATUS REGEX BOOT-OPTION... - the scenario comes on standard input
must() {
	local name=$1 want=$2 regex=$3 status=0
	shift 3
	{ printf '. /lab/lib.sh\n'; cat; } >"$work/scenario.sh"
	"$LAB_SRC/boot.sh" --iommu none --edu 0 --ivshmem 0 --scenario "$work/scenario.sh" \
		--out "$work/run" "$@" >"$work/output" 2>&1 || status=$?
	if [ "$status" = "$want" ] && grep -q -E "$regex" "$work/output"; then
		printf 'PASS lab: %s\n' "$name"
	else
		printf 'FAIL lab: %s: expected status %s and "%s", found status %s and:\n' "$name" "$want" "$regex" "$status"
		sed 's/^/    | /' "$work/output"
		failed=1
	fi
}

must "a sound guest passes" 0 '1 passed, 0 failed' <<<'pass sound'

# init adds the verdict to whatever the scenario says; with power cut off
# before that, everything has passed and the verdict is missing.
must "a missing verdict fails" 1 'FAIL boot: no verdict' <<<'pass fine; sleep 1; poweroff -f'

must "a forged verdict fails" 1 'FAIL boot: .*passes' <<<'echo "VERDICT pass 5" >/dev/ttyS1; sleep 1; poweroff -f'

must "a failed check fails" 1 'FAIL wrong: because' <<<'pass fine; fail wrong because'

must "a scenario that says nothing fails" 1 'FAIL scenario: reported no result' <<<':'

must "a scenario that dies fails" 1 'FAIL scenario: ended with exit status 3' <<<'pass fine; exit 3'

must "a guest panic fails" 1 'FAIL boot: splat in console.log.*(panic|sysrq|crash|NULL)' \
	<<<'pass fine; sleep 1; echo c >/proc/sysrq-trigger; sleep 5'

# The kernel's own format, written to the kernel log. Level 4 reaches the
# console; with the console silenced the log that leaves at the end has it.
must "a kernel warning fails" 1 'FAIL boot: splat in console.log' \
	<<<'echo "<4>WARNING: CPU: 0 PID: 1 at lab/selftest.c:1 nothing+0x0/0x10" >/dev/kmsg; pass fine'
must "a warning that the console did not show fails" 1 'FAIL boot: splat in kernel.log' \
	<<<'dmesg -n 1; echo "<4>WARNING: CPU: 0 PID: 1 at lab/selftest.c:1 nothing+0x0/0x10" >/dev/kmsg; dmesg -c >/dev/null; pass fine'

must "a hang fails" 1 'FAIL boot: no end after 12 s' --timeout 12 <<<'pass fine; sleep 100'

exit $failed
