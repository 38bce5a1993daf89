#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# dkms.conf, read by the DKMS of each Debian release: a kernel of the lab gets
# its module; a kernel that the module cannot work on is skipped (exit status
# 77), which DKMS does not take for a failure.
set -euo pipefail

. "$(dirname "$0")/common.sh"
. "$LAB_SRC/recipe.sh"
. "$LAB_SRC/root.sh"

SKIPPED=77
release=$(lab_kernel 6.12 2)
work=/build/dkms
dir=$LAB/root$work
version=$(sed -n 's/^PACKAGE_VERSION="\(.*\)"/\1/p' "$LAB_TREE/dkms.conf")
failed=0

# dkms_build SUITE WORD... - builds with that release's DKMS and a tree of its own
dkms_build() {
	local suite=$1
	shift
	rm -rf "$dir/tree"
	mkdir "$dir/tree"
	in_root "$LAB/root" "/opt/dkms-$suite/usr/sbin/dkms" build "peerpass/$version" \
		--dkmstree "$work/tree" --sourcetree "$work/src" "$@" >"$dir/log" 2>&1
}

# must NAME STATUS SUITE WORD...
must() {
	local name=$1 want=$2 status=0
	shift 2
	dkms_build "$@" || status=$?
	if [ $status = "$want" ]; then
		echo "PASS dkms: $name ($1)"
	else
		echo "FAIL dkms: $name ($1): expected exit status $want, found $status: $(tail -n 3 "$dir/log" | paste -sd' ')"
		tail -n 15 "$dir/tree/peerpass/$version/build/make.log" 2>/dev/null || true
		failed=1
	fi
}

[ -x "$LAB_TREE/build/peerpass" ] || die "the helper is not built: run make user"
# Where a version stands: dkms.conf, the module's header, and by way of the
# header the helper.
header=$(sed -n 's/^#define PP_VERSION[[:space:]]*"\(.*\)"/\1/p' "$LAB_TREE/kmod/peerpass.h")
helper=$("$LAB_TREE/build/peerpass" --version | awk '{ print $2 }')
if [ "$version $version" = "$header $helper" ]; then
	echo "PASS dkms: one version everywhere ($version)"
else
	echo "FAIL dkms: one version everywhere: dkms.conf $version, kmod/peerpass.h $header, peerpass --version $helper"
	failed=1
fi

mkdir -p "$LAB/out"
exec 8>"$LAB/out/dkms.lock"
flock 8
trap 'rm -rf "$dir"' EXIT
rm -rf "$dir"
mkdir -p "$dir/src/peerpass-$version"
cd "$LAB_TREE"
tar -c --exclude='*.o' --exclude='*.ko' --exclude='.*.cmd' dkms.conf Kbuild Makefile kmod include |
	tar -x -C "$dir/src/peerpass-$version"

# DKMS looks for options in the headers alone: in one of two files, by version.
headers=$LAB/root/usr/src/linux-headers-$release
mkdir -p "$dir/no-iommu/include/config"
touch "$dir/no-iommu/Makefile"
for f in .config include/config/auto.conf; do grep -v '^CONFIG_IOMMU_API=' "$headers/$f" >"$dir/no-iommu/$f"; done

for suite in $RECIPE_DKMS; do
	must "builds for $release" 0 "$suite" -k "$release"
	must "skips a kernel without CONFIG_IOMMU_API" $SKIPPED "$suite" -k "$release" --kernelsourcedir "$work/no-iommu"
	for old in 5.10.0-1-amd64 6.0.19-1-amd64 8.0.1-amd64; do
		must "skips $old" $SKIPPED "$suite" -k "$old" --kernelsourcedir "/lib/modules/$release/build"
	done
done
exit $failed
