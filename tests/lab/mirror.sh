# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
# Finds the Debian mirror in the machine's own apt configuration. apt itself
# reads the files (one-line and deb822 formats alike). Sourced, never run.

# apt_archives - "URI SUITE" of every Debian 'main' archive that apt knows
apt_archives() {
	# shellcheck disable=SC2016 # the $(...) are apt's, not the shell's
	apt-get indextargets --format '$(COMPONENT) $(RELEASE) $(REPO_URI)' 'Created-By: Packages' |
		awk -v names='^(bookworm|trixie|forky|duke|sid|stable|oldstable|testing|unstable)(-updates|-security|-backports|/updates)?$' \
			'$1 == "main" && $2 ~ names { print $3, $2 }'
}

# plain_uri URI - what debootstrap can use: a list of mirrors becomes its first
plain_uri() {
	case $1 in
	mirror+file:*) awk '!/^#/ && NF { print $1; exit }' "${1#mirror+file:}" ;;
	mirror:* | mirror+*) die "apt's mirror list '$1' cannot be followed: set LAB_MIRROR=" ;;
	cdrom:*) ;;
	*) printf '%s\n' "$1" ;;
	esac
}

# first_archive PATTERN - the first archive whose suite matches (or, with a
# leading '!', does not match)
first_archive() {
	local uri suite plain
	while read -r uri suite; do
		case $1 in
		!*) [[ $suite =~ ${1#!} ]] && continue ;;
		*) [[ $suite =~ $1 ]] || continue ;;
		esac
		plain=$(plain_uri "$uri")
		if [ -n "$plain" ]; then
			printf '%s\n' "${plain%/}"
			return
		fi
	done < <(apt_archives)
}

# lab_mirror - the Debian archive to build the lab from
lab_mirror() {
	local m=${LAB_MIRROR:-}
	[ -n "$m" ] || m=$(first_archive '!-security|/updates')
	[ -n "$m" ] || die "no Debian 'main' archive in this machine's apt configuration" \
		"(apt-get indextargets shows none): set LAB_MIRROR= to the address of a Debian mirror"
	printf '%s\n' "${m%/}"
}

# lab_security_mirror - the security archive, or nothing when there is none
lab_security_mirror() {
	if [ -n "${LAB_SECURITY_MIRROR:-}" ]; then
		printf '%s\n' "${LAB_SECURITY_MIRROR%/}"
	elif [ -z "${LAB_MIRROR:-}" ]; then
		first_archive '-security|/updates'
	fi
}
