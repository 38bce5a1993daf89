# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
# The only place that installs anything on the machine itself: build tools and
# nothing else. QEMU, kernels and their compilers live in the lab folder; on a
# hypervisor host Debian's QEMU would push out the distribution's own.
#
# Nothing is ever removed, and nothing is upgraded that can stay: development
# packages demand their library in the same version, so when the mirror has a
# newer one, the version that fits what is installed is asked for. Where the
# mirror has it no more, the plan names the upgrade before it is done.
# Sourced, never run.

HOST_PACKAGES="
	gcc libc6-dev make pkg-config clang
	libmnl-dev libpci-dev libjansson-dev libcap2-bin
	debootstrap debian-archive-keyring cpio xz-utils
	python3 python3-yaml procps
"

# missing_host_packages - those of the list that are not installed, one a line
missing_host_packages() {
	local p
	for p in $HOST_PACKAGES; do
		[ "$(dpkg-query -W -f '${db:Status-Status}' "$p" 2>/dev/null)" = installed ] || printf '%s\n' "$p"
	done
}

# apt_get_install ARG... - never removes a package, never waits for an answer
apt_get_install() {
	DEBIAN_FRONTEND=noninteractive apt-get -q -o DPkg::Lock::Timeout=600 install -y \
		--no-install-recommends --no-remove "$@"
}

# plan_new PLAN, plan_upgraded PLAN - "NAME VERSION" and "NAME OLD NEW" of each,
# from what apt-get --simulate prints:
#   Inst libudev-dev (252.39-1 Debian:12.11/stable [amd64])
#   Inst libudev1 [252.36-1] (252.39-1 Debian:12.11/stable [amd64])
plan_new() { sed -n 's/^Inst \([^ ]*\) (\([^ ]*\) .*/\1 \2/p' <<<"$1"; }
plan_upgraded() { sed -n 's/^Inst \([^ ]*\) \[\([^]]*\)\] (\([^ ]*\) .*/\1 \2 \3/p' <<<"$1"; }

# fitting PLAN - "NAME=VERSION" for each new package that has an installed
# sibling, built from the same source, in another version that apt has too
fitting() {
	local name version source installed candidate
	while read -r name version; do
		# "Source: systemd", "Source: systemd (252.39-1)", or none: the same name
		source=$(apt-cache show "$name=$version" | sed -n 's/^Source: \([^ ]*\).*/\1/p' | head -n 1)
		installed=$(dpkg-query -W -f '${db:Status-Status} ${source:Package} ${source:Version}\n' |
			awk -v s="${source:-$name}" '$1 == "installed" && $2 == s { print $3; exit }')
		[ -n "$installed" ] || continue
		# A rebuild for one architecture adds "+bN" to the source's version.
		candidate=$(apt-cache madison "$name" | awk -v want="$installed" '
			{ source = $3; sub(/\+b[0-9]+$/, "", source) }
			source == want && !found { print $3; found = 1 }')
		[ -z "$candidate" ] || [ "$candidate" = "$version" ] || printf '%s=%s\n' "$name" "$candidate"
	done < <(plan_new "$1")
}

# make_plan PACKAGE... - sets PLAN (what apt would do) and REQUEST (what to ask
# of it); false when it would have to remove something or lacks a package
make_plan() {
	local fit better
	REQUEST=("$@")
	PLAN=$(apt_get_install --simulate "$@" 2>&1) || return
	[ -n "$(plan_upgraded "$PLAN")" ] || return 0
	mapfile -t fit < <(fitting "$PLAN")
	[ ${#fit[@]} -gt 0 ] || return 0
	better=$(apt_get_install --simulate "$@" "${fit[@]}" 2>&1) || return 0
	[ "$(plan_upgraded "$better" | wc -l)" -lt "$(plan_upgraded "$PLAN" | wc -l)" ] || return 0
	PLAN=$better REQUEST=("$@" "${fit[@]}")
}

# print_plan - the plan in a few words
print_plan() {
	local upgraded removed
	upgraded=$(plan_upgraded "$PLAN" | awk '{ printf "%s%s %s -> %s", s, $1, $2, $3; s = ", " }')
	removed=$(sed -n 's/^Remv \([^ ]*\) .*/\1/p' <<<"$PLAN" | xargs)
	say "plan of apt-get: new: $(plan_new "$PLAN" | wc -l), removed: ${removed:-none}, upgraded: ${upgraded:-none}"
	plan_new "$PLAN" | awk '{ print $1 }' | xargs | fold -s -w 70 | sed 's/^/       /' >&2
	[ -z "$upgraded" ] || say "(upgraded since new packages demand it and the mirror has no older ones that fit)"
}

# lab_host_packages - installs what is missing; says so before; calls no apt
# at all when nothing is missing
lab_host_packages() {
	local missing log try
	mapfile -t missing < <(missing_host_packages)
	[ ${#missing[@]} -gt 0 ] || return 0
	say "build tools missing on this machine: ${missing[*]}"
	[ "$(id -u)" = 0 ] || die "installing them needs root. Run as root: apt-get install --no-install-recommends ${missing[*]}"
	log=$(mktemp)
	for try in plain updated; do
		# An index that was never fetched is the usual state of a fresh
		# machine, an old one names files that are gone.
		[ $try = plain ] || apt-get -q update >"$log" 2>&1 || true
		if ! make_plan "${missing[@]}"; then
			printf '%s\n' "$PLAN" >>"$log"
			continue
		fi
		print_plan
		if apt_get_install "${REQUEST[@]}" >"$log" 2>&1; then
			rm "$log"
			return
		fi
	done
	tail -n 20 "$log" >&2
	rm "$log"
	die "apt-get could not install: ${missing[*]}. Nothing may be removed for them (--no-remove): see its message above"
}
