#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Tests of the test-only CUDA and, by it, of the device code in user/ptx, on GPUs of
# memory only; without privilege. Prints "PASS name" or "FAIL name: text" for each,
# exits 1 when one failed. All run three times: plain, and with gcc's sanitizers.
#
#   run.sh [PREFIX...]	only the tests whose names begin so

set -u
here=$(cd "$(dirname "$0")" && pwd)
out=$(mktemp -d) || exit 1
trap 'rm -rf "$out"' EXIT
unset "${!PP_TEST_CUDA@}"
export PP_TEST_FILE=$out/file LC_ALL=C
failed=0

fail() {
	echo "FAIL $*"
	failed=1
}

# Nothing of CUDA is needed to build or to test, and CI does not have it. Where there
# is none, the declarations have been compared by whoever changed them last: no SKIP.
compare_declarations() {
	local include
	for include in "${CUDA_PATH:-/usr/local/cuda}/include" /usr/include; do
		[ -e "$include/cuda.h" ] || continue
		if "${CC:-cc}" -std=gnu11 -Wall -Wextra -Werror -isystem "$include" -fsyntax-only \
			"$here/signatures.c" 2>"$out/log"; then
			echo "PASS cuda_api.h says what $include/cuda.h says"
		else
			fail "cuda_api.h differs from $include/cuda.h: $(grep -m1 error: "$out/log")"
		fi
		return
	done
	echo "INFO no cuda.h here to compare cuda_api.h with"
}

# The thread sanitizer of gcc 12 cannot run where addresses are too random.
steady=(setarch "$(uname -m)" -R)
"${steady[@]}" true 2>/dev/null || steady=()

# build DIR FLAG... - the test program, in $out/DIR
build() {
	local dir=$1
	shift
	make -s -C "$here" OUT="$out/$dir" CFLAGS="$*" "$out/$dir/cuda-test" >"$out/log" 2>&1 && return
	fail "cuda-test with $*: does not compile: $(grep -m1 -E 'error|Error' "$out/log")"
	return 1
}

# again DIR NAME FLAG... - the same tests with a sanitizer: one line if all are well
again() {
	local dir=$1 name=$2
	shift 2
	build "$dir" -O1 -g -fno-omit-frame-pointer -fno-sanitize-recover=all "$@" || return
	if "${steady[@]}" "$out/$dir/cuda-test" "${tests[@]}" >"$out/said" 2>"$out/log"; then
		echo "PASS all of these with $name"
		return
	fi
	head -n 60 "$out/log" >&2
	sed -n "s/^FAIL /FAIL $name: /p" "$out/said"
	failed=1
}

tests=("$@")
compare_declarations
if build plain -O2 -g; then
	"$out/plain/cuda-test" "${tests[@]}" || failed=1
fi
again address "sanitizers for addresses and undefined behaviour" -fsanitize=address,undefined
again thread "the sanitizer for threads" -fsanitize=thread
exit $failed
