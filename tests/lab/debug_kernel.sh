#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Builds the debug kernel: the newest Debian source of one series, with the
# checks that debug.config names. Does nothing when it is there and was built
# from the present lab folder and configuration.
#
#   debug_kernel.sh            build when needed
#   debug_kernel.sh --refresh  build anew
#
# Result: a folder beside the lab folder, with a root of its own (hard links to
# the lab's, and what only building a kernel needs), the kernel's tree in it,
# and vmlinuz. The lab folder stays as it is.
set -euo pipefail

. "$(dirname "$0")/common.sh"
. "$LAB_SRC/recipe.sh"
. "$LAB_SRC/root.sh"
. "$LAB_SRC/mirror.sh"

SERIES=6.12
# Beside what the lab's root has for building modules.
PACKAGES="bc bison flex libelf-dev"

NEW=$LAB_DEBUG.new
ROOT=$NEW/root
TREE=/build/linux

debug_apt() { root_apt "$ROOT" "$@" >>"$NEW/apt.log" 2>&1; }

# or_die TEXT - for the right side of ||: the end of apt's log, and TEXT
or_die() { tail -n 20 "$NEW/apt.log" >&2; die "$*: see above; another mirror: LAB_MIRROR="; }

# in_tree WORD... - make in the kernel's tree
in_tree() { in_root "$ROOT" make -C "$TREE" CC="$CC" HOSTCC="$CC" "$@" >>"$NEW/build.log" 2>&1; }

copy_root() {
	mkdir -p "$ROOT"/{proc,tmp,root,build}
	(cd "$LAB/root" && cp -al bin dev etc lib lib64 sbin usr var "$ROOT/")
	# Written in place, which would reach through the link into the lab's.
	rm -rf "$ROOT/etc/apt/sources.list" "$ROOT/var/log"
	mkdir -p "$ROOT/var/log/apt"
}

fetch() {
	root_sources "$ROOT" "$(lab_mirror)" "$(lab_security_mirror)"
	debug_apt apt-get update || or_die "apt-get update failed"
	# libelf and its header are of one version: the lab has that of backports.
	# shellcheck disable=SC2086 # a list of words
	debug_apt apt-get install -y --no-install-recommends --download-only \
		-t "$RECIPE_BACKPORTS" $PACKAGES || or_die "$PACKAGES could not be fetched"
	in_root "$ROOT" sh -c 'apt-get -q install -y --no-install-recommends --no-download /var/cache/apt/archives/*.deb' \
		>>"$NEW/apt.log" 2>&1 || or_die "$PACKAGES could not be installed"
	(cd "$NEW" && debug_apt apt-get download "linux-source-$SERIES") ||
		or_die "linux-source-$SERIES could not be fetched"
	VERSION=$(dpkg-deb -f "$NEW"/linux-source-*.deb Version)
}

# Kconfig reads every directory; of what is never compiled no more is needed.
unpack() {
	local d skip=(--exclude='*/Documentation/*/*' --exclude='*/tools/testing'
		--exclude='*/arch/[!ux]*/*.[chS]' --exclude='*/arch/[!ux]*/*.dts*' --exclude='*/fs/*/*/*.[ch]')
	for d in drivers/{gpu,media,scsi,staging} 'drivers/net/*' sound; do skip+=(--exclude="*/$d/*.[ch]"); done
	mkdir -p "$ROOT$TREE"
	dpkg-deb --fsys-tarfile "$NEW"/linux-source-*.deb | tar -xO "./usr/src/linux-source-$SERIES.tar.xz" |
		xz -dc -T0 | tar -x -C "$ROOT$TREE" --strip-components=1 "${skip[@]}"
	rm -r "$NEW"/linux-source-*.deb "$ROOT"/var/cache/apt/*.bin "$ROOT"/var/cache/apt/archives/*.deb \
		"$ROOT/var/lib/apt/lists"
}

# configure - nothing but the fragment and what it brings; every line of it
# must be in force, or a check would be missing without a word
configure() {
	local line symbol missing=''
	cp "$LAB_SRC/debug.config" "$ROOT$TREE/lab.config"
	in_tree KCONFIG_ALLCONFIG=lab.config allnoconfig || or_die_build
	while read -r line; do
		case $line in
		CONFIG_*) grep -q -x -F "$line" "$ROOT$TREE/.config" || missing+=" $line" ;;
		'# CONFIG_'*' is not set')
			symbol=${line#\# } symbol=${symbol% is not set}
			! grep -q "^$symbol=" "$ROOT$TREE/.config" || missing+=" !$symbol" ;;
		esac
	done <"$LAB_SRC/debug.config"
	[ -z "$missing" ] || die "debug.config: not in force in $VERSION:$missing"
}

or_die_build() {
	grep -E -A 4 '(error|Error|\*\*\*)' "$NEW/build.log" | head -n 40 >&2
	die "the debug kernel could not be built: see above, whole log in $NEW/build.log"
}

compile() {
	in_tree -j "$(nproc)" bzImage modules_prepare || or_die_build
	# What "make modules" would make of it; the kernel has no modules.
	cp "$ROOT$TREE/vmlinux.symvers" "$ROOT$TREE/Module.symvers"
	ln "$ROOT$TREE/arch/x86/boot/bzImage" "$NEW/vmlinuz"
}

build() {
	local release
	[ "$(id -u)" = 0 ] || die "building the debug kernel needs root (chroot): run as root"
	CC=$(lab_kernel $SERIES 4)
	rm -rf --one-file-system "$NEW"
	mkdir -p "$NEW"
	copy_root
	timed "debug kernel: packages and source" fetch
	timed "debug kernel: unpacked" unpack
	configure
	timed "debug kernel: compiled" compile
	release=$(cat "$ROOT$TREE/include/config/kernel.release")
	mkdir "$ROOT/usr/lib/modules/$release"
	ln -s "$TREE" "$ROOT/usr/lib/modules/$release/build"
	printf 'debug %s %s %s\n' "$release" "$VERSION" "$CC" >"$NEW/kernel"
	echo "$STAMP" >"$NEW/stamp"
	rm -rf --one-file-system "$LAB_DEBUG"
	mv -T "$NEW" "$LAB_DEBUG"
	say "debug kernel: $release ($VERSION) in $LAB_DEBUG, $(du -sh "$LAB_DEBUG/root$TREE" | cut -f1)"
}

case ${1:-} in
--refresh | '') ;;
*) die "unknown argument '$1': debug_kernel.sh takes --refresh" ;;
esac

[ -e "$LAB/stamp" ] || die "there is no lab folder $LAB: run tests/lab/setup.sh"
exec 9>"$LAB_DEBUG.lock"
flock -n 9 || { say "another run is building the debug kernel: waiting for it"; flock 9; }
# The lab's own kernel of the series stands for how new it is, its stamp for
# the compiler.
STAMP=$(cat "$LAB_SRC"/debug{.config,_kernel.sh} "$LAB/stamp" <(lab_kernel $SERIES 3) | sha256sum | cut -c1-16)
if [ "${1:-}" = --refresh ] || [ "$(cat "$LAB_DEBUG/stamp" 2>/dev/null)" != "$STAMP" ]; then
	timed "debug kernel" build
fi
