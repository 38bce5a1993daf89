# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
# The lab's own QEMU, run without entering the lab's root: its loader, its
# libraries and its firmware, on the machine's own paths. Sourced, never run.

# lab_qemu_command - sets QEMU to the words of the command
lab_qemu_command() {
	local root=$LAB/root lib
	lib=$root/usr/lib/x86_64-linux-gnu
	[ -x "$root/usr/bin/qemu-system-x86_64" ] || die "the lab folder $LAB has no QEMU: run tests/lab/setup.sh"
	# shellcheck disable=SC2034 # for the caller
	QEMU=(env "QEMU_MODULE_DIR=$lib/qemu" "$root/usr/lib64/ld-linux-x86-64.so.2" --library-path "$lib"
		"$root/usr/bin/qemu-system-x86_64" -L "$root/usr/share/qemu" -L "$root/usr/share/seabios")
}
