#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Sets the lab up and builds what its guests run: the modules for each kernel,
# the helper, the stand-in for CUDA, the program that asks what a domain maps; one PASS
# or FAIL line each. A machine where the lab cannot exist gives a SKIP line: the runner
# makes that a failure in CI.
set -euo pipefail

. "$(dirname "$0")/common.sh"

if [ "$(id -u)" != 0 ]; then
	echo "SKIP lab folder: it needs root (debootstrap, chroot); you are $(id -un)"
	exit 0
fi
if ! "$LAB_SRC/setup.sh"; then
	echo "FAIL lab folder: could not be set up: see above"
	exit 1
fi
echo "PASS lab folder"

status=0
for series in $(lab_series); do
	if "$LAB_SRC/build.sh" "$series"; then
		echo "PASS modules build cleanly for $series ($(lab_kernel "$series" 2))"
	else
		echo "FAIL modules for $series: see above"
		status=1
	fi
done
for what in user tests/cuda tests/reach; do
	if make -s -C "$LAB_TREE/$what"; then
		echo "PASS $what builds for the guests"
	else
		echo "FAIL $what does not build: see above"
		status=1
	fi
done
for scenario in "$LAB_SRC"/scenarios/*.sh; do
	scenario=$(basename "$scenario" .sh)
	case $scenario in *.host | *.during) continue ;; esac
	grep -q "^${scenario}[[:space:]]" "$LAB_SRC/matrix" || {
		echo "FAIL matrix: scenario $scenario is never booted: it has no line in tests/lab/matrix"
		status=1
	}
done
exit $status
