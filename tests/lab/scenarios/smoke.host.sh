#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# The owner's view of smoke.sh's transfer: smoke.host.sh RUN-DIRECTORY, with
# the boot's settings in the environment.
set -euo pipefail
cd "$1"

if cmp -s -n 2040 mem0 mem1; then same=yes; else same=no; fi
if [ "$LAB_IOMMU" = none ]; then want=yes; else want=no; fi

if [ "$same" = "$want" ]; then
	echo "PASS host: destination equals source: $same"
else
	echo "FAIL host: destination equals source: $same, expected $want with IOMMU $LAB_IOMMU"
fi
if [ "$(head -c 2040 mem0 | tr -d '\245' | wc -c)" -gt 1500 ]; then
	echo "PASS host: the source holds a pattern"
else
	echo "FAIL host: the source file holds no pattern: the test proved nothing"
fi
