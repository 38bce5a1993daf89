#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# "make check-gpu": what one real GPU can show of validate, in a few minutes. Without
# one there is nothing to do.
#
#   run.sh [--stand-in]    on the test-only CUDA library instead, and less of it
set -euo pipefail
cd "$(dirname "$0")/../.."
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT

small=''
if [ "${1:-}" = --stand-in ]; then
	make -s -C tests/cuda OUT="$out/cuda" "$out/cuda/libcuda.so.1"
	export LD_LIBRARY_PATH=$out/cuda PP_TEST_CUDA_DEVICES=0000:01:00.0
	small=small
elif ! ldconfig -p | grep -q 'libcuda\.so\.1' && [ -z "${LD_LIBRARY_PATH:-}" ]; then
	echo "SKIP check-gpu: there is no libcuda.so.1 here"
	exit 0
elif ! compgen -G '/dev/nvidia[0-9]*' >/dev/null; then
	echo "SKIP check-gpu: there is no NVIDIA GPU here"
	exit 0
fi

make -s -C user BUILD="$out/build"
read -ra flags < <(pkg-config --cflags --libs libmnl libpci jansson)
mapfile -t objects < <(cd user && printf "$out/build/user/%s\n" lib/*.c proof/*.c | sed "s/c\$/o/"; echo "$out/build/user/kmod/policy_parse.o"; echo "$out/build/user/ptx/image.o")
"${CC:-cc}" -std=gnu11 -D_GNU_SOURCE -O2 -g -Wall -Wextra -Werror -Iuser -Iuser/lib -Iinclude -Ikmod \
	-o "$out/check-gpu" tests/gpu/check_gpu.c "${objects[@]}" "${flags[@]}" -ldl
[ -n "$small" ] || { nvidia-smi --query-gpu=name,driver_version --format=csv,noheader || true; } |
	sed 's/^/INFO /'
"$out/check-gpu" 0 $small
