# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
# The guest's file system: a base archive, cached, and an overlay for each
# boot. The kernel unpacks archives laid one behind the other. Sourced.

# pack DIR FILE - DIR as a cpio archive, padded so that another may follow
pack() { (cd "$1" && find . -mindepth 1 | LC_ALL=C sort | cpio -o -H newc -R 0:0 --quiet) >"$2"; }

# initramfs_base - prints the path of the base archive, made when its sources
# changed: busybox, init, the scenario libraries, the guest's own programs
initramfs_base() {
	local sum base work src
	sum=$(cat "$LAB/stamp" "$LAB_SRC/initramfs.sh" "$LAB_SRC"/guest/{init,*.sh,*.[ch]} | sha256sum | cut -c1-16)
	base=$LAB/cache/base-$sum.cpio
	if [ ! -e "$base" ]; then
		work=$(mktemp -d "$LAB/cache/base.XXXXXX")
		mkdir -p "$work"/{bin,lab,lib/peerpass,lib/modules,usr/local/bin,dev}
		cp "$LAB/root/usr/bin/busybox" "$work/bin/"
		install -m 755 "$LAB_SRC/guest/init" "$work/init"
		cp "$LAB_SRC"/guest/*.sh "$work/lab/"
		for src in "$LAB_SRC"/guest/*.c; do
			gcc -static -O2 -Wall -Wextra -Werror -o "$work/usr/local/bin/$(basename "$src" .c)" "$src" ||
				die "$src does not compile: see above"
		done
		# The kernel opens it for init before devtmpfs is mounted.
		mknod -m 600 "$work/dev/console" c 5 1
		pack "$work" "$work.cpio"
		rm -f "$LAB"/cache/base-*.cpio
		mv "$work.cpio" "$base"
		rm -r "$work"
	fi
	printf '%s\n' "$base"
}

# libraries PROGRAM... - the shared objects each needs, its loader among them
libraries() {
	local file
	for file; do
		# Static programs and scripts need none; ldd says so by failing.
		ldd "$file" 2>/dev/null | awk '$2 == "=>" && $3 ~ /^\// { print $3 } $1 ~ /^\// { print $1 }'
	done | sort -u
}

# overlay_add OVERLAY FILE GUESTPATH - a file, and the libraries it needs at
# the paths where its loader looks for them
overlay_add() {
	local lib
	[ -e "$2" ] || die "there is no file $2 to put into the guest"
	mkdir -p "$1$(dirname "$3")"
	cp -L "$2" "$1$3"
	while read -r lib; do
		mkdir -p "$1$(dirname "$lib")"
		[ -e "$1$lib" ] || cp -L "$lib" "$1$lib"
	done < <(libraries "$2")
}

# overlay_module OVERLAY RELEASE MODULE - a module of the distribution, with
# those it depends on, uncompressed, and the order to load them in
overlay_module() {
	local dir=$LAB/root/usr/lib/modules/$2 line file name
	line=$(grep -E "/${3//[-_]/[-_]}\.ko[^/]*:" "$dir/modules.dep") ||
		die "kernel $2 has no module $3 (searched in $dir/modules.dep)"
	mkdir -p "$1/lib/modules"
	# modules.dep names the deepest dependency last
	for file in $(tr -d : <<<"$line" | xargs -n1 | tac); do
		name=$(basename "$file")
		case $file in
		*.xz) xz -dc "$dir/$file" >"$1/lib/modules/${name%.xz}" ;;
		*.zst) zstd -dcq "$dir/$file" >"$1/lib/modules/${name%.zst}" ;;
		*) cp "$dir/$file" "$1/lib/modules/" ;;
		esac
		name=${name%.xz}
		printf '%s\n' "${name%.zst}"
	done >"$1/lib/modules/$3.order"
}
