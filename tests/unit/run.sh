#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Tests that need no module, no device and no privilege. Prints "PASS name" or
# "FAIL name: text" for each, exits 1 when one failed. CC= chooses the compiler.

set -u
here=$(cd "$(dirname "$0")" && pwd)
tree=$(cd "$here/../.." && pwd)
out=$(mktemp -d) || exit 1
trap 'rm -rf "$out"' EXIT
failed=0

packages=(libmnl libpci jansson)
read -ra flags < <(pkg-config --cflags "${packages[@]}"; echo)
read -ra libs < <(pkg-config --libs "${packages[@]}")
flags+=(-std=gnu11 -D_GNU_SOURCE '-DPEERPASS_VERSION="test"' -O1 -g -Wall -Wextra -Werror)
flags+=('-fsanitize=address,undefined' -fno-sanitize-recover=all -fno-omit-frame-pointer)
flags+=(-I"$tree/user" -I"$tree/user/lib" -I"$tree/user/proof" -I"$tree/kmod" -I"$tree/include")
# gcc cannot tell how long a formatted number is once the sanitizers are in.
"${CC:-cc}" --version | grep -qi clang || flags+=(-Wno-format-truncation)

# The helper's library, once, then each test against it.
mkdir "$out/lib"
for source in "$tree"/user/{lib,proof}/*.c "$tree"/kmod/{policy_parse,decision,quirks}.c; do
	"${CC:-cc}" "${flags[@]}" -c -o "$out/lib/$(basename "$source" .c).o" "$source" || {
		echo "FAIL build: $(basename "$source") does not compile"
		exit 1
	}
done
"${CC:-cc}" -c -Wa,-I"$tree/user" -o "$out/lib/image.o" "$tree/user/ptx/image.S" || {
	echo "FAIL build: image.S does not assemble"
	exit 1
}
for source in "$here"/test_*.c; do
	name=$(basename "$source" .c)
	if ! "${CC:-cc}" "${flags[@]}" -o "$out/$name" "$source" "$out"/lib/*.o "${libs[@]}" -ldl; then
		echo "FAIL $name: does not compile"
		failed=1
		continue
	fi
	UBSAN_OPTIONS=print_stacktrace=1 "$out/$name" 2>"$out/log"
	status=$?
	# A sanitizer's report ends the program before its own PASS or FAIL.
	if [ -s "$out/log" ]; then
		cat "$out/log" >&2
		echo "FAIL $name: $(grep -m1 -E 'ERROR|runtime error' "$out/log" || echo "wrote to standard error")"
		failed=1
	elif [ $status -ne 0 ]; then
		failed=1
	fi
done

python3 "$here/spec_header.py" "$tree" || failed=1
exit $failed
