# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=dash
# What scenarios of peer windows share: what the module says, and what a transfer
# does. Brought by SCENARIO.args, sourced after lib.sh.

# state INITIATOR TARGET BAR - of one window; nothing when there is none
state() {
	peerpass status --all -j | awk -v from="$1" -v to="$2" -v bar="$3" '
		$1 == "\"initiator\":" { i = index($2, from) }
		$1 == "\"target\":" { t = index($2, to) }
		$1 == "\"bar\":" { b = $2 + 0 == bar }
		$1 == "\"state\":" && i && t && b { gsub(/[",]/, ""); print $2; exit }'
}
# of BDF KEY - one value of a device from status -j, without quotes
of() {
	peerpass status --all -j | awk -v bdf="$1" -v key="\"$2\":" '
		$1 == "\"bdf\":" { here = index($2, bdf) }
		here && $1 == key { sub(/^[^:]*: */, ""); gsub(/[",]/, ""); print; exit }'
}
total() { of "$1" total; }

# arrives NAME EDU SRC DST - a copy through windows, without a fault
arrives() {
	local before line
	before=$(total "$2")
	line=$(edu copy "$2" "$3" "$4" 2040)
	matches "$1" 'OK$' "$line"
	expect "$1: no fault" "$before" "$(total "$2")"
}
# faults NAME EDU COMMAND... - the command's transfer faults
faults() {
	local name=$1 engine=$2 before
	shift 2
	before=$(total "$engine")
	"$@" >/dev/null 2>&1
	peerpass faults >/dev/null
	at_least "$name" $((before + 1)) "$(total "$engine")"
}

# bar BDF NUMBER - start and size of a BAR, in decimal
bar() {
	# shellcheck disable=SC2046 # three words
	set -- $(sed -n "$(($2 + 1))p" "/sys/bus/pci/devices/$1/resource")
	echo $(($1)) $(($2 - $1 + 1))
}
# at BDF OFFSET - a bus address relative to its BAR2
at() { printf '@0x%x' $(($(bar "$1" 2 | cut -d' ' -f1) + $2)); }

# bind BDF DRIVER, unbind BDF
bind() { echo "$1" >"/sys/bus/pci/drivers/$2/bind"; }
unbind() { echo "$1" >"/sys/bus/pci/devices/$1/driver/unbind"; }
