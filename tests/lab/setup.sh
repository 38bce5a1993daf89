#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Builds the lab folder: a Debian root with QEMU, compilers and the newest
# kernel of each series. Does nothing when the folder is there and was built
# by the present recipe.
#
#   setup.sh            build when needed
#   setup.sh --refresh  build anew (newer kernels)
#   setup.sh --where    print the folder's path and say whether it is complete
#
# PEERPASS_LAB=DIR     the folder (default: $XDG_CACHE_HOME or ~/.cache, peerpass-lab)
# LAB_MIRROR=URL       Debian mirror (default: that of the machine's own apt)
# LAB_SECURITY_MIRROR=URL  its security archive
set -euo pipefail

. "$(dirname "$0")/common.sh"
. "$LAB_SRC/recipe.sh"
. "$LAB_SRC/root.sh"
. "$LAB_SRC/mirror.sh"
. "$LAB_SRC/host_packages.sh"

NEW=$LAB.new
ROOT=$NEW/root
STAMP=$(sha256sum <"$LAB_SRC/recipe.sh" | cut -c1-16)

lab_complete() { [ "$(cat "$LAB/stamp" 2>/dev/null)" = "$STAMP" ]; }

# debootstrap mounts these inside the root; an interrupted one leaves them
# mounted, and rm -rf must never walk into a mounted /proc or /sys.
remove_tree() {
	local m
	[ -e "$1" ] || return 0
	for m in proc sys dev/pts dev; do
		if mountpoint -q "$1/root/$m"; then
			umount -l "$1/root/$m" || die "cannot unmount $1/root/$m, left by an interrupted set-up: unmount it by hand"
		fi
	done
	rm -rf --one-file-system "$1"
}

lab_apt() { root_apt "$ROOT" "$@"; }

# export_apt_proxy MIRROR - debootstrap fetches by itself and knows only the
# environment, not apt's configuration
export_apt_proxy() {
	local proxy='' host=${1#*://}
	eval "$(apt-config shell proxy "Acquire::http::Proxy::${host%%/*}")"
	[ -n "$proxy" ] || eval "$(apt-config shell proxy Acquire::http::Proxy)"
	[ -n "$proxy" ] || eval "$(apt-config shell auto Acquire::http::Proxy-Auto-Detect)"
	[ -z "${auto:-}" ] || proxy=$("$auto" "$1" 2>/dev/null) || true
	case $proxy in '' | DIRECT | false) ;; *) export http_proxy=$proxy https_proxy=$proxy ;; esac
}

bootstrap() {
	mkdir -p "$ROOT"
	(
		export_apt_proxy "$MIRROR"
		debootstrap --variant=minbase --arch=amd64 \
			--keyring=/usr/share/keyrings/debian-archive-keyring.gpg \
			"$RECIPE_SUITE" "$ROOT" "$MIRROR"
	) >"$NEW/debootstrap.log" 2>&1 || {
		tail -n 20 "$NEW/debootstrap.log" "$ROOT/debootstrap/debootstrap.log" >&2 || true
		die "debootstrap of $RECIPE_SUITE from $MIRROR failed: see above; another mirror: LAB_MIRROR="
	}
	# A thrown-away folder needs neither fsync nor manuals.
	printf '%s\n' force-unsafe-io 'path-exclude=/usr/share/doc/*' 'path-exclude=/usr/share/man/*' \
		'path-exclude=/usr/share/locale/*' >"$ROOT/etc/dpkg/dpkg.cfg.d/lab"
	# For tests that need a machine of their own to install things on.
	rm -f "$ROOT"/var/cache/apt/archives/*.deb
	tar -C "$ROOT" -cf "$NEW/minbase.tar" .
}

fetch_index() {
	root_sources "$ROOT" "$MIRROR" "$SECURITY"
	lab_apt apt-get update >"$NEW/apt.log" 2>&1 || {
		tail -n 20 "$NEW/apt.log" >&2
		die "apt-get update from ${MIRROR} ${SECURITY:+and $SECURITY }failed: see above; another mirror: LAB_MIRROR="
	}
}

install_packages() {
	# Exactly the files fetched here are installed inside: the root's apt, of
	# another version, may choose differently.
	# shellcheck disable=SC2086,SC2016 # a list of words; the root's shell
	if ! { rm -f "$ROOT"/var/cache/apt/archives/*.deb &&
		lab_apt apt-get install -y --no-install-recommends --download-only \
			-t "$RECIPE_BACKPORTS" $RECIPE_PACKAGES >>"$NEW/apt.log" 2>&1 &&
		in_root "$ROOT" sh -c 'apt-get -q install -y --no-install-recommends --no-download /var/cache/apt/archives/*.deb' \
			>>"$NEW/apt.log" 2>&1; }; then
		tail -n 20 "$NEW/apt.log" >&2
		die "the lab's packages could not be installed: see above"
	fi
	local version
	# shellcheck disable=SC2016 # a field of dpkg-query
	version=$(in_root "$ROOT" dpkg-query -W -f '${Version}' qemu-system-x86)
	in_root "$ROOT" dpkg --compare-versions "$version" ge "1:$RECIPE_QEMU" ||
		die "QEMU $RECIPE_QEMU or newer is needed, the mirror has $version: use a mirror with $RECIPE_SUITE-backports (LAB_MIRROR=)"
	say "QEMU $version"
	rm -f "$ROOT"/var/cache/apt/archives/*.deb
}

# DKMS as Debian releases have it, for the test of dkms.conf: unpacked only, a
# script that brings nothing along.
fetch_dkms() {
	local suite
	mkdir "$NEW/debs"
	for suite in $RECIPE_DKMS; do
		(cd "$NEW/debs" && lab_apt apt-get download "dkms/$suite") >>"$NEW/apt.log" 2>&1 || {
			tail -n 20 "$NEW/apt.log" >&2
			die "the package dkms of $suite could not be fetched: see above"
		}
		dpkg-deb -x "$NEW"/debs/dkms_*.deb "$ROOT/opt/dkms-$suite"
		rm "$NEW"/debs/*.deb
	done
	rmdir "$NEW/debs"
}

# newest_kernel SERIES - "PACKAGE VERSION" of the newest plain amd64 image
newest_kernel() {
	local best='' best_version='' package version
	while read -r package version; do
		if [ -z "$best" ] || dpkg --compare-versions "$version" gt "$best_version"; then
			best=$package best_version=$version
		fi
	done < <(lab_apt apt-cache dumpavail | awk -v series="${1//./\\.}" '
		/^Package: / { package = $2 }
		/^Version: / && package ~ "^linux-image-[0-9][^ ]*[0-9]-amd64$" && $2 ~ "^" series "\\." && package ~ "^linux-image-[0-9]+\\.[0-9]+\\." { print package, $2 }')
	[ -n "$best" ] || die "no kernel $1 in the suites $RECIPE_SUITES of $MIRROR: use a complete mirror (LAB_MIRROR=)"
	printf '%s %s\n' "$best" "$best_version"
}

# kernel_parts PACKAGE VERSION - the packages that make up image and headers
kernel_parts() {
	local headers=${1/linux-image/linux-headers}
	printf '%s=%s\n%s=%s\n' "$1" "$2" "$headers" "$2"
	lab_apt apt-cache show --no-all-versions "$1=$2" "$headers=$2" | sed -n 's/^\(Pre-\)\?Depends: //p' | tr ',' '\n' |
		awk '$1 ~ /^linux-(headers-.*-common|kbuild-|base-[0-9]|modules-|binary-|image-.*-unsigned)/ { print $1 }' | sort -u |
		grep -v -x -e "$1" -e "$headers" || true
}

install_kernels() {
	local series cc package version release parts deb image
	# Drivers of hardware that no guest of the lab has: half the bytes.
	local skip=(--exclude='./usr/share/doc' --exclude='*/kernel/drivers/'{gpu,media,staging,net/wireless,infiniband})
	mkdir "$NEW/debs"
	while read -r series cc; do
		[ -n "$series" ] || continue
		read -r package version < <(newest_kernel "$series")
		release=${package#linux-image-}
		# Fetched and unpacked, not installed: no initramfs hooks, no boot
		# loader, and no quarrel between the series.
		parts=$(kernel_parts "$package" "$version")
		# shellcheck disable=SC2086 # a list of words
		(cd "$NEW/debs" && lab_apt apt-get download $parts) >>"$NEW/apt.log" 2>&1 || {
			tail -n 20 "$NEW/apt.log" >&2
			die "kernel $release could not be fetched: see above"
		}
		mkdir "$ROOT/debs"
		mv "$NEW"/debs/*.deb "$ROOT/debs/"
		# dpkg-deb -x would turn the root's /lib link into a directory.
		for deb in "$ROOT"/debs/*.deb; do
			dpkg-deb --fsys-tarfile "$deb" | tar -x -C "$ROOT" --keep-directory-symlink "${skip[@]}"
		done
		rm -r "$ROOT/debs"
		# Kernels from 7.x on carry their image beside the modules.
		image=boot/vmlinuz-$release
		[ -e "$ROOT/$image" ] || image=usr/lib/modules/$release/vmlinuz
		[ -e "$ROOT/$image" ] || die "package $package $version holds no vmlinuz, neither in /boot nor beside its modules"
		ln "$ROOT/$image" "$NEW/vmlinuz-$series"
		# The link is absolute in some series: it leads somewhere only inside.
		in_root "$ROOT" test -e "/lib/modules/$release/build/Makefile" || die "headers of $release are incomplete: no Makefile below /lib/modules/$release/build"
		in_root "$ROOT" depmod "$release"
		printf '%s %s %s %s\n' "$series" "$release" "$version" "$cc" >>"$NEW/kernels"
		say "kernel $series: $release ($version)"
	done <<<"$RECIPE_KERNELS"
	rmdir "$NEW/debs"
}

build() {
	MIRROR=$(lab_mirror)
	SECURITY=$(lab_security_mirror)
	say "building $LAB from $MIRROR ${SECURITY:+and $SECURITY}"
	[ "$(id -u)" = 0 ] || die "building the lab folder needs root (debootstrap, chroot): run as root"
	remove_tree "$NEW"
	mkdir -p "$NEW"
	timed "base system" bootstrap
	timed "package index" fetch_index
	timed "QEMU and compilers" install_packages
	timed "kernels" install_kernels
	fetch_dkms
	rm -rf "$ROOT/var/lib/apt/lists" "$ROOT"/var/cache/apt/*.bin
	echo "$STAMP" >"$NEW/stamp"
	if [ -e "$LAB" ]; then
		mv "$LAB" "$LAB.old"
		mv -T "$NEW" "$LAB"
		remove_tree "$LAB.old"
	else
		mv -T "$NEW" "$LAB"
	fi
	say "lab folder ready: $(du -sh "$LAB" | cut -f1)"
}

case ${1:-} in
--where)
	printf '%s\n' "$LAB"
	lab_complete
	exit
	;;
--refresh | '') ;;
*) die "unknown argument '$1': setup.sh takes --refresh or --where" ;;
esac

lab_host_packages
mkdir -p "$(dirname "$LAB")"
exec 9>"$LAB.lock"
flock -n 9 || { say "another run is building the lab folder: waiting for it"; flock 9; }
remove_tree "$LAB.old"
if [ "${1:-}" = --refresh ] || ! lab_complete; then
	timed "lab set-up" build
fi
