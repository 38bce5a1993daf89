# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
# Working on and in a Debian root. Sourced, never run.

# in_root ROOT COMMAND... - runs a command of that root. It has a /proc
# (objtool of Linux 7 reads its limits there) that goes away with the command.
in_root() {
	# shellcheck disable=SC2016 # for the inner shell
	unshare --mount --propagation private sh -c '
		root=$1; shift
		mount -t proc proc "$root/proc" &&
		exec env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin LC_ALL=C.UTF-8 HOME=/root \
			DEBIAN_FRONTEND=noninteractive chroot "$root" "$@"' sh "$@"
}

# root_apt ROOT COMMAND... - the machine's own apt, with its proxies,
# credentials and certificates, working on that root. Keys are those of the
# root, which debootstrap has verified.
root_apt() {
	local root=$1 cmd=$2
	shift 2
	"$cmd" -q -o "Dir=$root" -o "Dir::State::status=$root/var/lib/dpkg/status" \
		-o Dir::Etc::netrc=/etc/apt/auth.conf -o Dir::Etc::netrcparts=/etc/apt/auth.conf.d \
		-o APT::Architecture=amd64 -o APT::Architectures=amd64 \
		-o APT::Sandbox::User=root -o Acquire::Languages=none \
		-o Acquire::AllowInsecureRepositories=false -o APT::Get::AllowUnauthenticated=false "$@"
}

# root_sources ROOT MIRROR SECURITY-MIRROR - what apt knows in that root; the
# second may be empty
root_sources() {
	local s
	for s in $RECIPE_SUITES; do printf 'deb %s %s main\n' "$2" "$s"; done >"$1/etc/apt/sources.list"
	[ -n "$3" ] || return 0
	for s in $RECIPE_SECURITY_SUITES; do printf 'deb %s %s main\n' "$3" "$s"; done >>"$1/etc/apt/sources.list"
}
