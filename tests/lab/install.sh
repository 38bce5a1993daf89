#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# What "make install" leaves: the module, the helper, its manual, and nothing
# else, nothing of the tests in particular. The helper is built anew for it,
# with warnings as errors. The module's half runs in the lab, which has the
# headers; the helper's half on this machine, which has the libraries.
set -euo pipefail

. "$(dirname "$0")/common.sh"
. "$LAB_SRC/root.sh"

release=$(lab_kernel 6.12 2)
work=/build/install
dir=$LAB/root$work
failed=0

pass() { echo "PASS install: $1"; }
fail() { echo "FAIL install: $1: $2"; failed=1; }

# must NAME COMMAND... - its output is in $dir/log
must() {
	local name=$1
	shift
	if "$@" >"$dir/log" 2>&1; then
		pass "$name"
	else
		tail -n 8 "$dir/log" | cut -c1-300
		fail "$name" "'$*' failed: see above"
	fi
}

exec 8>"$LAB/install.lock"
flock 8
trap 'rm -rf "$dir"' EXIT
rm -rf "$dir"
mkdir -p "$dir/src" "$dir/dest"

cd "$LAB_TREE"
must "helper, built anew" make -j "$(nproc)" -C user BUILD="$dir/build" DESTDIR="$dir/dest" install
weak=$(grep -E '(^| )-c -o ' "$dir/log" | grep -v -e '-Wall -Wextra -Werror' || true)
if grep -q -e '-Wall -Wextra -Werror' "$dir/log" && [ -z "$weak" ]; then
	pass "every source of the helper is compiled with -Wall -Wextra -Werror"
else
	fail "every source of the helper is compiled with -Wall -Wextra -Werror" "$(head -n 1 <<<"$weak")"
fi

# The compiler's output of earlier builds here is for another kernel.
tar -c --exclude='*.o' --exclude='*.ko' --exclude='.*.cmd' --exclude='*.mod' --exclude='*.mod.c' \
	Makefile Kbuild kmod include | tar -x -C "$dir/src"
must "module for $release" in_root "$LAB/root" make -C "$work/src" -j "$(nproc)" \
	KDIR="/lib/modules/$release/build" DESTDIR="$work/dest" install-module

# Kernels differ in the module's directory and in its compression.
found=$(cd "$dir/dest" && find . ! -type d | LC_ALL=C sort |
	sed -E 's,^\./lib/modules/[^/]+/(extra|updates)/peerpass\.ko(\.(gz|xz|zst))?$,MODULE,' | paste -sd' ')
wanted="MODULE ./usr/bin/peerpass ./usr/share/man/man8/peerpass.8"
if [ "$found" = "$wanted" ]; then
	pass "module, helper, manual and nothing else"
else
	fail "module, helper, manual and nothing else" "expected $wanted, found $found"
fi
exit $failed
