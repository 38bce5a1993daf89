#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Runs every test ("make check") and counts.
#
#   check.sh [PART...]     only these parts; check.sh --list names them
#   check.sh --long        "make check-long": the scenarios that repeat something,
#                          with their large counts (see count in lab/guest/lib.sh)
#
# Each scenario of tests/lab/matrix is a part of its own, lab-SCENARIO.
#
# A part is a command that prints lines "PASS name", "FAIL name: text" and
# "SKIP name: text" (indented or not) among whatever else. A part that fails
# without a FAIL line, or proves nothing at all, counts as one failure. The
# last line is "N passed, N failed" with ", N skipped" when there were any.
# With CI=true nothing may be skipped.
set -euo pipefail
cd "$(dirname "$0")/.."

# name, what it needs (lab, or -), command: in the order of their run
parts() {
	cat <<-'END'
		tools       -    tests/lab/tools.sh
		unit        -    tests/unit/run.sh
		ptx         -    tests/ptx/run.sh
		cli         -    tests/cli/run.sh
		cuda        -    tests/cuda/run.sh
		gpu         -    tests/gpu/run.sh --stand-in
		lab-ready   -    tests/lab/ready.sh
		install     lab  tests/lab/install.sh
		dkms        lab  tests/lab/dkms.sh
		host        lab  tests/lab/host_safety.sh
		lab-self    lab  tests/lab/selftest.sh
		demo        lab  tests/lab/demo_story.sh
	END
	awk '!/^#/ && NF && !seen[$1]++ { print "lab-" $1, "lab", "tests/lab/run.sh", $1 }' tests/lab/matrix
	# The longest: what fails elsewhere has been seen by then.
	cat <<-'END'
		debug-kernel lab tests/lab/debug_kernel.sh && echo PASS debug kernel
		debug       lab  tests/lab/debug.sh --short
	END
}

if [ "${1:-}" = --list ]; then
	parts | awk '{ print $1 }'
	exit 0
fi
if [ "${1:-}" = --long ]; then
	export PEERPASS_LONG=1
	mapfile -t long < <(grep -l '[$](count [0-9]' tests/lab/scenarios/*.sh | sed 's|.*/\(.*\)\.sh|lab-\1|')
	set -- tools lab-ready "${long[@]}"
fi
for name; do
	parts | awk -v name="$name" '$1 == name { found = 1 } END { exit !found }' || {
		echo "check: error: there is no part '$name': tests/check.sh --list names them" >&2
		exit 2
	}
done

# Seconds for a part. The longest is the lab's set-up over a slow line.
limit=2400
[ "${PEERPASS_LONG:-}" != 1 ] || limit=28800
log=$(mktemp)
part=''
# shellcheck disable=SC2317 # called by the trap
end() {
	[ -z "$part" ] || kill "$part" 2>/dev/null || true
	rm -f "$log"
}
trap end EXIT
passed=0 failed=0 skipped=0 lab=yes failures=''

count() { grep -a -c -E "^ *$1 " "$log" || true; }

# run COMMAND - runs a part, shows what it says as it says it, sets $status.
# Into a file, not into a pipe: what a part left running would hold that open.
# timeout gives the part a process group and ends all of it.
run() {
	timeout --kill-after=10 "$limit" bash -c "$1" </dev/null >"$log" 2>&1 &
	part=$!
	tail -n +1 -s 0.2 -f --pid=$part "$log"
	wait $part || status=$?
	part=''
	[ "$status" != 124 ] || echo "FAIL no end after $limit s" | tee -a "$log"
}

# tally NAME STATUS - adds the lines in $log to the totals
tally() {
	local p f s
	p=$(count PASS) f=$(count FAIL) s=$(count SKIP)
	if [ "$f" = 0 ] && [ "$2" != 0 ]; then
		echo "FAIL $1: ended with status $2" | tee -a "$log"
		f=1
	elif [ $((p + f + s)) = 0 ]; then
		echo "FAIL $1: proved nothing" | tee -a "$log"
		f=1
	fi
	if [ "${CI:-}" = true ] && [ "$s" -gt 0 ]; then
		sed -n 's/^ *SKIP /FAIL skipped in CI: /p' "$log" | tee "$log.ci"
		cat "$log.ci" >>"$log"
		rm "$log.ci"
		f=$((f + s)) s=0
	fi
	passed=$((passed + p)) failed=$((failed + f)) skipped=$((skipped + s))
	failures+=$(grep -a -E '^ *FAIL ' "$log" | sed "s/^ */  $1: /" || true)
	[ "$f" = 0 ] || failures+=$'\n'
}

start=$SECONDS
while read -r name needs command; do
	if [ $# -gt 0 ] && ! [[ " $* " == *" $name "* ]]; then continue; fi
	printf -- '--- %s\n' "$name"
	part_start=$SECONDS status=0
	if [ "$lab" = no ] && [ "$needs" = lab ]; then
		echo "SKIP $name: there is no lab on this machine" | tee "$log"
	else
		run "$command"
	fi
	tally "$name" "$status"
	if [ "$name" = lab-ready ] && ! grep -q '^PASS lab folder' "$log"; then lab=no; fi
	took=$((SECONDS - part_start))
	printf -- '--- %s: %d:%02d\n\n' "$name" $((took / 60)) $((took % 60))
done < <(parts)

[ -z "$failures" ] || printf 'Failures:\n%s\n' "$failures"
took=$((SECONDS - start))
printf 'all parts: %d:%02d\n' $((took / 60)) $((took % 60))
summary="$passed passed, $failed failed"
[ "$skipped" = 0 ] || summary+=", $skipped skipped"
echo "$summary"
[ "$failed" = 0 ] && [ "$passed" -gt 0 ]
