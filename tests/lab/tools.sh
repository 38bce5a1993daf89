#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# The build tools that the tests need are there, or are installed.
set -euo pipefail

. "$(dirname "$0")/common.sh"
. "$LAB_SRC/host_packages.sh"

if [ "$(id -u)" != 0 ] && [ -n "$(missing_host_packages)" ]; then
	echo "SKIP build tools: missing, and only root can install them: $(missing_host_packages | xargs)"
	exit 0
fi
lab_host_packages
echo "PASS build tools"
