# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=dash disable=SC2154 # a scenario's own variables
# What scenarios about peer windows share; sourced after lib.sh.

# state INITIATOR TARGET BAR - of one window
state() {
	peerpass status --all -j | awk -v from="$1" -v to="$2" -v bar="$3" '
		$1 == "\"initiator\":" { i = index($2, from) }
		$1 == "\"target\":" { t = index($2, to) }
		$1 == "\"bar\":" { b = $2 + 0 == bar }
		$1 == "\"state\":" && i && t && b { gsub(/[",]/, ""); print $2; exit }'
}
# states INITIATOR TARGET - of all its windows, whatever the BAR
states() {
	peerpass status --all -j | awk -v from="$1" -v to="$2" '
		$1 == "\"initiator\":" { i = index($2, from) }
		$1 == "\"target\":" { t = index($2, to) }
		$1 == "\"state\":" && i && t { gsub(/[",]/, ""); print $2 }' | paste -sd,
}
# total BDF - faults counted for it. QEMU's AMD-Vi logs a device without its bus:
# 0000:02:00.0 as 0000:00:00.0.
total() {
	if [ "$(iommu_kind)" = amd-vi ]; then
		of "0000:00:${1##*:}" total
	else
		of "$1" total
	fi
}

# bar BDF N - first address of a BAR; bar_size BDF N
bar() { sed -n "$(($2 + 1))s/ .*//p" "/sys/bus/pci/devices/$1/resource"; }
bar_size() {
	# shellcheck disable=SC2046 # three words
	set -- $(sed -n "$(($2 + 1))p" "/sys/bus/pci/devices/$1/resource")
	echo $(($2 - $1 + 1))
}
# bar_range BDF N - start and size, in decimal
bar_range() { echo $(($(bar "$1" "$2"))) "$(bar_size "$1" "$2")"; }
# at BDF OFFSET - a bus address relative to its BAR2
at() { printf '@0x%x' $(($(bar "$1" 2) + $2)); }

# arrives NAME EDU MEM[+OFFSET] - a write to its BAR2 is there afterwards, and no
# fault was counted
arrives() {
	local before line
	before=$(total "$2")
	line=$(reach "$2" "$3")
	matches "$1" ' arrives$' "$line"
	peerpass faults >/dev/null
	expect "$1: no fault" "$before" "$(total "$2")"
}
# copies NAME EDU FROM TO - through both windows, without a fault
copies() {
	local before
	before=$(total "$2")
	matches "$1" 'OK$' "$(edu copy "$2" "$3" "$4" 2040)"
	peerpass faults >/dev/null
	expect "$1: no fault" "$before" "$(total "$2")"
}
# stopped NAME EDU MEM[+OFFSET] - it is not there, and a fault was counted
stopped() {
	local before line
	before=$(total "$2")
	line=$(reach "$2" "$3")
	matches "$1" ' blocked$' "$line"
	peerpass faults >/dev/null
	at_least "$1: counted" $((before + 1)) "$(total "$2")"
}
# faults NAME EDU VERB PLACE - where no memory can be looked at
faults() {
	local before
	before=$(total "$2")
	edu "$3" "$2" "$4" 64 >/dev/null 2>&1
	peerpass faults >/dev/null
	at_least "$1" $((before + 1)) "$(total "$2")"
}

# bind BDF DRIVER, unbind BDF
bind() { echo "$1" >"/sys/bus/pci/drivers/$2/bind"; }
unbind() { echo "$1" >"/sys/bus/pci/devices/$1/driver/unbind"; }
# only BDF [DRIVER] - no other driver takes it; none named: any may
only() { echo "${2:-}" >"/sys/bus/pci/devices/$1/driver_override"; }
# take BDF DRIVER - from the driver it has
take() {
	[ -z "$(driver "$1")" ] || unbind "$1"
	only "$1" "$2"
	bind "$1" "$2"
}

# type_is BDF TYPE - sets it by hand, as an operator might
type_is() { echo "$2" >"/sys/bus/pci/devices/$1/iommu_group/type"; }
