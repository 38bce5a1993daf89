#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# "make bench": what peer windows and the switch to identity cost for eight
# initiators, beside a shell script that does the switch by hand, as ratios; all in
# one virtual machine. It fails when an effect is missing, never for being slow.
#
#   bench.sh [boot.sh's options]     default: kernel 6.12, AMD-Vi
set -euo pipefail

. "$(dirname "$0")/../lab/common.sh"

"$LAB_SRC/setup.sh"
kernel=6.12
for ((i = 1; i < $#; i++)); do
	word=$((i + 1))
	[ "${!i}" != --kernel ] || kernel=${!word}
done
"$LAB_SRC/build.sh" "$kernel"
make -s -C "$LAB_TREE/user"
exec "$LAB_SRC/boot.sh" --scenario "$LAB_TREE/tests/bench/domains.sh" "$@"
