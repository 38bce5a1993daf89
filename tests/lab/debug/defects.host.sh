#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Is the kernel's report of each defect a line that fails a boot? The leak is
# reported on request only, into a file.
# defects.host.sh RUN-DIRECTORY
set -euo pipefail

splats=$(grep -v '^#' "$(dirname "$0")/../splats")
while read -r defect; do
	if awk -v d="$defect" '/lab: defect / { on = $NF == d; next } on' "$1/kernel.log" | grep -q -E -e "$splats"; then
		echo "PASS host: the report of $defect fails a boot"
	else
		echo "FAIL host: the report of $defect would pass: see tests/lab/splats"
	fi
done < <(sed -n 's/.*lab: defect //p' "$1/kernel.log" | grep -v '^leak$')
