# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash disable=SC2034
# What every script of the lab needs: where things are, how to complain, how
# to tell the time. Sourced, never run.

LAB_SRC=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
LAB_TREE=$(cd "$LAB_SRC/../.." && pwd)
LAB=${PEERPASS_LAB:-${XDG_CACHE_HOME:-${HOME:?is not set: set HOME or PEERPASS_LAB}/.cache}/peerpass-lab}
# The debug kernel: see debug_kernel.sh.
LAB_DEBUG=$LAB.debug

# say TEXT... - a line of progress
say() { printf 'lab: %s\n' "$*" >&2; }

# die TEXT... - what was asked, what was found, what to do next
die() { printf 'lab: error: %s\n' "$*" >&2; exit 1; }

# min_sec SECONDS - prints m:ss
min_sec() { printf '%d:%02d' $(($1 / 60)) $(($1 % 60)); }

# timed NAME COMMAND... - runs it and says how long it took.
# A plain call, so that errexit stays in force inside the command.
timed() {
	local name=$1 start=$SECONDS
	shift
	"$@"
	say "$name: $(min_sec $((SECONDS - start)))"
}

# lab_kernel SERIES FIELD - a field of the lab's kernel table:
# 2 = release (uname -r), 3 = package version, 4 = compiler
lab_kernel() {
	local line
	line=$(cat "$LAB/kernels" "$LAB_DEBUG/kernel" 2>/dev/null | awk -v s="$1" -v f="$2" '$1 == s { print $f }') || true
	[ -n "$line" ] || [ "$1" != debug ] || die "there is no debug kernel: run tests/lab/debug_kernel.sh"
	[ -n "$line" ] || die "kernel series '$1' is not in the lab; it has: $(lab_series | xargs)." \
		"Run tests/lab/setup.sh if this list is empty"
	printf '%s\n' "$line"
}

# lab_root SERIES, lab_image SERIES - the root to build its modules in, and the
# file that QEMU boots
lab_root() { if [ "$1" = debug ]; then echo "$LAB_DEBUG/root"; else echo "$LAB/root"; fi; }
lab_image() { if [ "$1" = debug ]; then echo "$LAB_DEBUG/vmlinuz"; else echo "$LAB/vmlinuz-$1"; fi; }

# lab_series - the kernel series that the lab has, one a line
lab_series() { awk '{ print $1 }' "$LAB/kernels" 2>/dev/null || true; }
