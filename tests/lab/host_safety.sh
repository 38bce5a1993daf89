#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Proves that setting the lab up removes nothing from the machine and upgrades
# nothing that can stay: lab_host_packages, the function that installs build
# tools, is run inside a fresh Debian root where a stub of Proxmox's packages
# is installed. The machine itself is not touched.
set -euo pipefail

. "$(dirname "$0")/common.sh"
. "$LAB_SRC/recipe.sh"
. "$LAB_SRC/mirror.sh"
. "$LAB_SRC/root.sh"
. "$LAB_SRC/host_packages.sh"

[ -e "$LAB/minbase.tar" ] || die "the lab folder $LAB is not built: run tests/lab/setup.sh"
mkdir -p "$LAB/cache"
ROOT=$(mktemp -d "$LAB/cache/host.XXXXXX")
trap 'rm -rf --one-file-system "$ROOT"' EXIT
REPO=$ROOT/repo
failed=0

pass() { echo "PASS host: $1"; }
fail() { echo "FAIL host: $1: $2"; failed=1; }

# fetch_debs - what the build tools need on a bare machine: $DEBS, kept
fetch_debs() {
	DEBS=$LAB/cache/host-debs-$(cat "$LAB/stamp" "$LAB_SRC/host_packages.sh" | sha256sum | cut -c1-16)
	[ ! -e "$DEBS" ] || return 0
	rm -rf "$LAB"/cache/host-debs-*
	root_sources "$ROOT" "$(lab_mirror)" "$(lab_security_mirror)"
	# shellcheck disable=SC2086 # a list of words
	if ! { root_apt "$ROOT" apt-get update >"$ROOT/log" 2>&1 &&
		root_apt "$ROOT" apt-get install -y --no-install-recommends --download-only \
			$HOST_PACKAGES >>"$ROOT/log" 2>&1; }; then
		tail -n 20 "$ROOT/log" >&2
		die "the build tools' packages could not be fetched: see above"
	fi
	rm -rf "$ROOT"/var/lib/apt/lists/*
	mkdir "$DEBS.new"
	mv "$ROOT"/var/cache/apt/archives/*.deb "$DEBS.new/"
	mv "$DEBS.new" "$DEBS"
}

# stub NAME VERSION [FIELD: VALUE]... - an empty package in the repository
stub() {
	local dir=$ROOT/stub/DEBIAN name=$1 version=$2
	shift 2
	mkdir -p "$dir"
	printf '%s\n' "Package: $name" "Version: $version" "Architecture: all" \
		"Maintainer: nobody <nobody@localhost>" "Description: stub" "$@" >"$dir/control"
	dpkg-deb --root-owner-group -b "$ROOT/stub" "$REPO/${name}_$version.deb" >/dev/null
}

# index - makes an apt repository of the packages in it
index() {
	local deb
	for deb in "$REPO"/*.deb; do
		dpkg-deb -f "$deb"
		printf 'Filename: ./%s\nSize: %s\nSHA256: %s\n\n' "$(basename "$deb")" \
			"$(stat -c %s "$deb")" "$(sha256sum <"$deb" | cut -d ' ' -f 1)"
	done >"$REPO/Packages"
	rm -rf "$ROOT"/var/lib/apt/lists/*
}

# installed - every package of the root with its version
installed() {
	# shellcheck disable=SC2016 # fields of dpkg-query
	in_root "$ROOT" dpkg-query -W -f '${Package} ${Version} ${db:Status-Status}\n' |
		grep ' installed$' | LC_ALL=C sort
}

# version PACKAGE - its installed version, or "none"
version() { installed | awk -v p="$1" '$1 == p { v = $2 } END { print v ? v : "none" }'; }

# kept NAME - passes when all that was installed ($ROOT/before) still is, in
# the same version
kept() {
	local gone
	installed >"$ROOT/after"
	gone=$(LC_ALL=C comm -23 "$ROOT/before" "$ROOT/after" | awk '{ print $1, $2 }' | paste -sd,)
	if [ -z "$gone" ]; then pass "$1"; else fail "$1" "gone or changed: $gone"; fi
}

# inside [PACKAGES] - the function itself, in the root, for its own list or
# another; what it says is in $ROOT/said
inside() {
	# shellcheck disable=SC2016 # for the shell in the root
	in_root "$ROOT" bash -c 'set -euo pipefail
		. /lab/common.sh; . /lab/host_packages.sh
		HOST_PACKAGES=${1:-$HOST_PACKAGES}
		lab_host_packages' bash "${1:-}" >"$ROOT/said" 2>&1
}

# said NAME REGEX
said() {
	if grep -q -E -e "$2" "$ROOT/said"; then
		pass "$1"
	else
		fail "$1" "no '$2' in: $(paste -sd' ' "$ROOT/said")"
	fi
}

tar -x -C "$ROOT" -f "$LAB/minbase.tar"
fetch_debs
mkdir "$REPO" "$ROOT/lab"
cp "$LAB_SRC"/{common,host_packages}.sh "$ROOT/lab/"
cp -l "$DEBS"/*.deb "$REPO/"
# The relations of Proxmox's packages to Debian's.
stub pve-manager 8.0 "Depends: pve-qemu-kvm"
stub pve-qemu-kvm 8.0 "Provides: qemu-system-x86" "Conflicts: qemu-system-x86" "Replaces: qemu-system-x86"
stub qemu-system-x86 1:11.0
stub libstub1 1 "Source: stub"
stub libstub1 2 "Source: stub"
stub libstub-dev 1 "Source: stub" "Depends: libstub1 (= 1)"
stub libstub-dev 2 "Source: stub" "Depends: libstub1 (= 2)"
index
echo 'deb [trusted=yes] file:/repo ./' >"$ROOT/etc/apt/sources.list"
in_root "$ROOT" dpkg -i /repo/pve-manager_8.0.deb /repo/pve-qemu-kvm_8.0.deb /repo/libstub1_1.deb >/dev/null
installed >"$ROOT/before"

if inside; then pass "build tools are installed"; else fail "build tools are installed" "$(tail -n 5 "$ROOT/said")"; fi
for p in $HOST_PACKAGES; do
	[ "$(version "$p")" != none ] || fail "build tools are installed" "$p is not"
done
kept "build tools remove and upgrade nothing, Proxmox's packages stay"
said "the plan is said" 'plan of apt-get: new: [1-9][0-9]*, removed: none, upgraded: none'

# Would this root notice? Debian's QEMU does remove Proxmox, unless forbidden.
in_root "$ROOT" apt-get -s install qemu-system-x86 >"$ROOT/said"
if grep -q '^Remv pve-manager ' "$ROOT/said"; then
	pass "control: Debian's QEMU would remove pve-manager here"
else
	fail "control: Debian's QEMU would remove pve-manager here" "it would not: the stubs prove nothing"
fi
if inside qemu-system-x86; then fail "a package that removes others is refused" "it was installed"; else pass "a package that removes others is refused"; fi
said "the refusal says why" 'Nothing may be removed'
kept "the refusal changes nothing"

# A development package wants its library in the same version.
if inside libstub-dev; then pass "a version that fits is found"; else fail "a version that fits is found" "$(tail -n 5 "$ROOT/said")"; fi
kept "a newer library on the mirror is not pulled in"
in_root "$ROOT" dpkg -r libstub-dev >/dev/null
rm "$REPO"/libstub*_1.deb
index
inside libstub-dev || true
said "an upgrade that cannot be avoided is said" 'upgraded: libstub1 1 -> 2$'
if [ "$(version libstub-dev) $(version libstub1)" = "2 2" ]; then
	pass "and done"
else
	fail "and done" "libstub-dev $(version libstub-dev), libstub1 $(version libstub1)"
fi
exit $failed
