#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Is user/ptx/kernels.ptx what clang makes of kernels.c, and would NVIDIA's assembler
# take it? Prints "PASS name" or "FAIL name: text", exits 1 when one failed.
set -u
cd "$(dirname "$0")/../.." || exit 1
out=$(mktemp -d) || exit 1
trap 'rm -rf "$out"' EXIT
kept=user/ptx/kernels.ptx
failed=0

fail() {
	echo "FAIL $1: $2"
	failed=1
}

# signature FILE - each kernel's name, with the size of what it is given
signature() { tr -d '\n' <"$1" | grep -oE '\.entry [a-z_]*\([^)]*\)' | tr -s ' \t' ' '; }

if ! make -s -C user ptx PTX_OUT="$out/kernels.ptx" >"$out/log" 2>&1; then
	fail "kernels.c compiles to PTX" "$(tail -n 3 "$out/log" | tr '\n' ' ')"
	exit 1
fi
echo "PASS kernels.c compiles to PTX"

# Another clang makes other text, of the same kernels.
made_by=$(sed -n 's/.*by clang \([0-9]*\).*/\1/p' $kept)
this=$(sed -n 's/.*by clang \([0-9]*\).*/\1/p' "$out/kernels.ptx")
if [ "$made_by" = "$this" ]; then
	if cmp -s $kept "$out/kernels.ptx"; then
		echo "PASS kernels.ptx is up to date"
	else
		fail "kernels.ptx is up to date" "it is not what clang $this makes of kernels.c: make -C user ptx"
	fi
elif [ "$(signature $kept)" = "$(signature "$out/kernels.ptx")" ]; then
	echo "PASS kernels.ptx has the kernels of kernels.c (made by clang $made_by, compared with clang $this)"
else
	fail "kernels.ptx has the kernels of kernels.c" "they differ: make -C user ptx"
fi

names=$(grep -oE '\bX\([a-z_0-9]+\)' user/ptx/kernels.h | tr -d 'X()' | sort)
entries=$(sed -n 's/^\.visible \.entry pp_\([a-z_0-9]*\)(.*/\1/p' $kept | sort)
if [ -n "$names" ] && [ "$names" = "$entries" ]; then
	echo "PASS kernels.ptx has $(wc -w <<<"$names") kernels, those of kernels.h"
else
	fail "the kernels of kernels.h" "$(diff <(echo "$names") <(echo "$entries") | tr '\n' ' ')"
fi

# Only where CUDA is installed: Debian has no assembler for it that is new enough.
ptxas=$(command -v ptxas || ls /usr/local/cuda/bin/ptxas 2>/dev/null)
if [ -n "$ptxas" ]; then
	for arch in sm_75 sm_90 sm_120; do
		if said=$("$ptxas" -arch=$arch -o /dev/null $kept 2>&1); then
			echo "PASS ptxas takes kernels.ptx for $arch"
		else
			fail "ptxas takes kernels.ptx for $arch" "$(tail -n 2 <<<"$said" | tr '\n' ' ')"
		fi
	done
else
	echo "INFO there is no ptxas here"
fi
exit $failed
