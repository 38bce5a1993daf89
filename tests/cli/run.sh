#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Tests of the command line, without module, GPU and privilege: the helper runs
# against a made-up module (fakenl.so, by LD_PRELOAD) and the test-only CUDA. Prints
# "PASS name" or "FAIL name: text", exits 1 when one failed.
#
#   run.sh [GROUP...]	only these: usage netlink reach status sets faults set
#			rebind validate check export manual

set -u
here=$(cd "$(dirname "$0")" && pwd)
tree=$(cd "$here/../.." && pwd)
out=$(mktemp -d) || exit 1
trap 'rm -rf "$out"' EXIT
export FAKE_SYSFS=$out/sysfs FAKE_FAULTS=$out/faults FAKE_SETS=$out/sets FAKE_LOCK=$$
unset CUDA_VISIBLE_DEVICES "${!PP_TEST_CUDA@}" FAKE_WORLD FAKE_SOCKET_ERRNO FAKE_EUID FAKE_OWNER FAKE_BIND FAKE_UNBIND
export LC_ALL=C

# shellcheck source=lib.sh
. "$here/lib.sh"

die() {
	echo "FAIL build: $*"
	exit 1
}

make -s -C "$tree/user" BUILD="$out/build" >"$out/log" 2>&1 || die "$(tail -3 "$out/log" | tr '\n' ' ')"
peerpass=$out/build/peerpass
flags=(-std=gnu11 -D_GNU_SOURCE -O1 -g -Wall -Wextra -Werror -shared -fPIC)
"${CC:-cc}" "${flags[@]}" -I"$tree/include" -o "$out/fakenl.so" "$here"/fakenl*.c "$here/world.c" \
	-lmnl -ldl || die "fakenl.so"
make -s -C "$tree/tests/cuda" OUT="$out/cuda" "$out/cuda/libcuda.so.1" >"$out/log" 2>&1 || die "tests/cuda: $(tail -3 "$out/log" | tr '\n' ' ')"

make -s -C "$tree/tests/reach" BUILD="$out/build" >"$out/log" 2>&1 || die "$(tail -3 "$out/log" | tr '\n' ' ')"

groups=("$@")
[ ${#groups[@]} -gt 0 ] || groups=(usage netlink reach status sets faults set rebind validate check export manual)
for group in "${groups[@]}"; do
	empty_sysfs
	# shellcheck source=/dev/null
	. "$here/test_$group.sh"
done
[ "$failures" = 0 ]
