#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Builds peerpass.ko and the test modules for kernels of the lab, in the lab:
#
#   build.sh [SERIES...]     6.1, 6.12, 7, debug; default all but debug
#
# Result: out/SERIES/*.ko in the lab folder, without debug information. Built
# with W=1; a warning is an error. Nothing is done when no source has changed.
set -euo pipefail

. "$(dirname "$0")/common.sh"
. "$LAB_SRC/root.sh"

# sources - what the modules are made of, relative to the tree
sources() {
	local d
	cd "$LAB_TREE"
	for d in Kbuild kmod include tests/kmod; do
		[ ! -e "$d" ] || find "$d" -type f \( -name '*.[chS]' -o -name Kbuild \) ! -name '*.mod.c'
	done | LC_ALL=C sort
}

# kbuild ROOT RELEASE CC DIR WORD... - one out-of-tree build inside the root.
# Generating BTF out of tree needs pahole and a vmlinux, and failed on 7.x.
kbuild() {
	local root=$1 release=$2 cc=$3 dir=$4
	shift 4
	in_root "$root" make -C "/lib/modules/$release/build" M="$dir" CC="$cc" HOSTCC="$cc" \
		-j "$(nproc)" W=1 CONFIG_DEBUG_INFO_BTF_MODULES= "$@" modules
}

build_series() {
	local series=$1 root release cc tree log stamp ko
	root=$(lab_root "$series")
	release=$(lab_kernel "$series" 2)
	cc=$(lab_kernel "$series" 4)
	tree=/build/$series
	log=$LAB/out/$series.log
	mkdir -p "$LAB/out" "$root/build"
	exec 8>"$LAB/out/$series.lock"
	flock 8

	local files
	files=$(sources)
	cd "$LAB_TREE"
	# shellcheck disable=SC2086 # file names of the tree, without blanks
	stamp="$release $(cat "$root/../stamp") $(cat $files "$LAB_SRC/build.sh" | sha256sum)"
	if [ "$(cat "$LAB/out/$series/stamp" 2>/dev/null)" = "$stamp" ]; then
		say "modules for $release: up to date"
		return
	fi

	# Objects stay; a source that differs is replaced and so becomes newer
	# than its object, whatever its own time is: another tree, or an older
	# commit, may have been built here last. A failed build leaves nothing,
	# so that no warning is lost by not compiling again.
	rm -rf "$LAB/out/$series"
	mkdir -p "$root$tree"
	local f
	(cd "$root$tree" && find . -type f \( -name '*.[chS]' -o -name Kbuild \) ! -name '*.mod.c' -printf '%P\n') |
		while read -r f; do
			[ -e "$f" ] || rm "$root$tree/$f"
		done
	for f in $files; do
		cmp -s "$f" "$root$tree/$f" || cp --parents -t "$root$tree" "$f"
	done

	local ok=yes
	: >"$log"
	if [ -e "$root$tree/Kbuild" ]; then
		kbuild "$root" "$release" "$cc" "$tree" >>"$log" 2>&1 || ok=no
	else
		say "the tree has no Kbuild yet: peerpass.ko is not built"
	fi
	if [ $ok = yes ] && [ -e "$root$tree/tests/kmod/Kbuild" ]; then
		local symbols=()
		[ ! -e "$root$tree/Module.symvers" ] || symbols=("KBUILD_EXTRA_SYMBOLS=$tree/Module.symvers")
		kbuild "$root" "$release" "$cc" "$tree/tests/kmod" "${symbols[@]}" >>"$log" 2>&1 || ok=no
	fi
	# BTF is off, so the missing pahole is no matter.
	if [ $ok = no ] || grep -v 'pahole version differs' "$log" | grep -q -E '(warning|WARNING|error):'; then
		grep -E -A 4 '(warning|WARNING|error|ERROR|\*\*\*)' "$log" | sed "s|$tree/||g" | head -n 60 >&2
		rm -rf "$root$tree"
		die "modules for $release do not build cleanly (W=1): see above, whole log in $log"
	fi

	mkdir -p "$LAB/out/$series"
	for ko in "$root$tree"/*.ko "$root$tree"/tests/kmod/*.ko; do
		[ -e "$ko" ] || continue
		strip -g -o "$LAB/out/$series/$(basename "$ko")" "$ko"
	done
	echo "$stamp" >"$LAB/out/$series/stamp"
	say "modules for $release: $(cd "$LAB/out/$series" && echo *.ko)"
}

if [ $# = 0 ]; then
	mapfile -t all < <(lab_series)
	set -- "${all[@]}"
fi
[ $# -gt 0 ] || die "the lab has no kernels: run tests/lab/setup.sh"
for series; do timed "build $series" build_series "$series"; done
