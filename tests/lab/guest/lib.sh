# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=dash
# What a scenario may use. A scenario is a shell script run in the guest by
# busybox; it starts with ". /lab/lib.sh". What it reports goes out line by
# line on a serial port of its own; the verdict is added by init.

# report LINE... - one result line
report() {
	local line
	line=$(printf '%s' "$*" | tr '\n\r' '  ')
	echo "$line" >>"$LAB_RESULTS"
	echo "$line" >"$LAB_PORT"
	echo "== $line"
}

# Where several scenarios run in one boot, LAB_PART="NAME: " says which this is.
pass() { report "PASS ${LAB_PART:-}$1"; }                                  # pass NAME
fail() { local name=$1; shift; report "FAIL ${LAB_PART:-}$name: $*"; }     # fail NAME TEXT...
skip() { local name=$1; shift; report "SKIP ${LAB_PART:-}$name: $*"; }     # skip NAME TEXT...
info() { report "INFO ${LAB_PART:-}$*"; }                                  # info TEXT...

# check NAME COMMAND... - passes when the command succeeds
check() {
	local name=$1
	shift
	if "$@" >/run/out 2>&1; then
		pass "$name"
	else
		fail "$name" "exit status $? from '$*': $(tail -n 3 /run/out)"
	fi
}

# refuse NAME COMMAND... - passes when the command fails
refuse() {
	local name=$1
	shift
	if "$@" >/run/out 2>&1; then
		fail "$name" "'$*' succeeded: $(tail -n 3 /run/out)"
	else
		pass "$name"
	fi
}

# expect NAME EXPECTED ACTUAL
expect() {
	if [ "$2" = "$3" ]; then
		pass "$1"
	else
		fail "$1" "expected '$2', found '$3'"
	fi
}

# at_least NAME MINIMUM ACTUAL - numbers
at_least() {
	if [ "$3" -ge "$2" ] 2>/dev/null; then
		pass "$1"
	else
		fail "$1" "expected at least $2, found '$3'"
	fi
}

# matches NAME EXTENDED-REGEX TEXT
matches() {
	if printf '%s\n' "$3" | grep -q -E -e "$2"; then
		pass "$1"
	else
		fail "$1" "expected a match of '$2', found '$3'"
	fi
}

# devices VENDOR:DEVICE - BDFs in bus order
devices() {
	local d v i
	for d in /sys/bus/pci/devices/*; do
		v=$(cat "$d/vendor") i=$(cat "$d/device")
		[ "${v#0x}:${i#0x}" != "$1" ] || basename "$d"
	done
}

edu_bdf() { devices 1234:11e8 | sed -n "$(($1 + 1))p"; }       # edu_bdf N (from 0)
ivshmem_bdf() { devices 1af4:1110 | sed -n "$(($1 + 1))p"; }   # ivshmem_bdf N (from 0)

# group BDF, group_type BDF - number and default-domain type of its IOMMU
# group; empty where there is none
group() { basename "$(readlink "/sys/bus/pci/devices/$1/iommu_group")"; }
group_type() { cat "/sys/bus/pci/devices/$1/iommu_group/type" 2>/dev/null; }

# of BDF KEY - one value of a device from status -j, without quotes
of() {
	peerpass status --all -j | awk -v bdf="$1" -v key="\"$2\":" '
		$1 == "\"bdf\":" { here = index($2, bdf) }
		here && $1 == key { sub(/^[^:]*: */, ""); gsub(/[",]/, ""); print; exit }'
}
# types - of all groups' default domains, in one line
types() { for g in /sys/kernel/iommu_groups/*/type; do [ ! -e "$g" ] || cat "$g"; done | paste -sd' '; }

# driver BDF - the driver bound to it, or nothing
driver() { basename "$(readlink "/sys/bus/pci/devices/$1/driver")"; }

# iommu_kind - amd-vi, vt-d or none: what the scenario was booted with
iommu_kind() { sed -n 's/.*lab\.iommu=\([^ ]*\).*/\1/p' /proc/cmdline; }

# kernel_series - 6.1, 6.12, 7
kernel_series() { sed -n 's/.*lab\.kernel=\([^ ]*\).*/\1/p' /proc/cmdline; }

# load MODULE ARG... - one built from the tree, or one of the distribution
# that boot.sh --module has brought (with what it depends on)
load() {
	local m=$1 dep
	shift
	if [ -e "/lib/peerpass/$m.ko" ]; then
		insmod "/lib/peerpass/$m.ko" "$@"
	elif [ -e "/lib/modules/$m.order" ]; then
		# the last line is the module itself; names hold no blanks
		# shellcheck disable=SC2013
		for dep in $(sed '$d' "/lib/modules/$m.order"); do
			loaded "${dep%.ko}" || insmod "/lib/modules/$dep" || return
		done
		insmod "/lib/modules/$(tail -n 1 "/lib/modules/$m.order")" "$@"
	else
		echo "load: the guest has no module $m; of the tree it has: $(ls /lib/peerpass)" >&2
		return 1
	fi
}
# cure_amd_6_1 - with QEMU's AMD-Vi the interrupt thread of Linux 6.1 never
# returns after its first event; the test-only module cures that. To be called
# before the first fault; does nothing elsewhere.
cure_amd_6_1() {
	[ "$(kernel_series) $(iommu_kind)" = "6.1 amd-vi" ] || return 0
	load pp_test_evtcure
}

unload() { rmmod "$1"; }
loaded() { [ -d "/sys/module/$(echo "$1" | tr - _)" ]; }

# have NAME - is this module or program in the guest?
have() { [ -e "/lib/peerpass/$1.ko" ] || [ -e "/lib/modules/$1.order" ] || command -v "$1" >/dev/null; }

# dmesg_clear - later "dmesg" shows only what comes after; the log that leaves
# the guest at the end stays whole
dmesg_clear() { dmesg -c >/dev/null; }

# log_lines EXTENDED-REGEX - how many lines of the kernel log match
log_lines() { dmesg | grep -c -E -e "$1"; }

# count N - how often: N times in the long run (make check-long), else a twentieth
# of it, and on the debug kernel, where everything is slow, a fiftieth
count() {
	local part=20
	[ "$(kernel_series)" != debug ] || part=50
	! grep -q -w 'lab\.long=1' /proc/cmdline || part=1
	echo $((($1 + part - 1) / part))
}

# ms - milliseconds since boot
ms() { awk '{ printf "%d\n", $1 * 1000 }' /proc/uptime; }

# leaks NAME - passes when kmemleak (debug kernel only) finds no memory that
# nothing points to, but for what leaks_clear has seen. An object younger than 5
# seconds is never reported, nor one that changed between two scans. A scan takes
# seconds itself.
kmemleak=/sys/kernel/debug/kmemleak
leaks() {
	local due
	due=$(($(ms) + 5500))
	# kmemleak takes no command any more once it has given up.
	if ! { echo scan >$kmemleak &&
		while [ "$(ms)" -lt $due ]; do sleep 0.2; done &&
		echo scan >$kmemleak && cat $kmemleak >/run/leaks; }; then
		fail "$1" "kmemleak does not scan: see the kernel log"
	elif [ -s /run/leaks ]; then
		cat /run/leaks
		fail "$1" "$(grep -c '^unreferenced' /run/leaks) objects, the first: $(head -n 24 /run/leaks | tr -s ' ')"
		leaks_clear
	else
		pass "$1"
	fi
}
leaks_clear() { echo scan >$kmemleak && echo scan >$kmemleak && echo clear >$kmemleak; }

# host COMMAND [KEY=VALUE,...] - asks the host for a command of QEMU's machine
# protocol (see qmp.py, which a scenario's .during.sh has to run)
host() { echo "HOST $*" >"$LAB_PORT"; }

# until_true SECONDS COMMAND... - tries until it succeeds
until_true() {
	local tries=$(($1 * 10))
	shift
	until "$@" >/dev/null 2>&1; do
		tries=$((tries - 1))
		[ $tries -gt 0 ] || return 1
		usleep 100000
	done
}
