# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash disable=SC2034
# What the lab folder is made of. Any change of this file rebuilds the folder.

RECIPE_SUITE=trixie
RECIPE_BACKPORTS=trixie-backports
# Where apt may look. Suites of the security archive are used only where the
# machine's own apt configuration has such an archive.
RECIPE_SUITES="trixie trixie-updates trixie-backports bookworm bookworm-updates"
RECIPE_SECURITY_SUITES="trixie-security bookworm-security"

# QEMU older than 11 delivers no AMD-Vi event-log entries to the guest.
RECIPE_QEMU=11
# Taken from backports where these have it. perl and python3 are for the check
# of kernel-doc comments that W=1 includes.
RECIPE_PACKAGES="
	qemu-system-x86
	gcc-14 gcc-12 make libc6-dev libelf1t64 kmod
	perl python3
	busybox-static cpio xz-utils
"

# Kernel series and the compiler of each. The newest package of the series is
# looked up in the suites above, never pinned.
RECIPE_KERNELS="
	6.1  gcc-12
	6.12 gcc-14
	7    gcc-14
"

# Debian releases whose DKMS reads dkms.conf in a test.
RECIPE_DKMS="bookworm trixie"
