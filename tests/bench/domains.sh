# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=dash disable=SC1091,SC2086
# The guest's part of bench.sh. Each repetition does everything once, one after the
# other. Times are the guest's own: see domains.args.
. /lab/lib.sh

repetitions=9
edus=$(devices 1234:11e8) mems=$(devices 1af4:1110)
driver=/sys/bus/pci/drivers/pp_test_edu
peer=''
for d in $edus; do peer="$peer,$d=peer:lab+class+initiator"; done
for d in $mems; do peer="$peer,$d=peer:lab+class+target"; done
peer="policy=${peer#,}"
identity="policy=$(echo "$edus" | sed 's/$/=identity+class/' | paste -sd,)"
trusted="trusted_drivers=pp_test_edu,pp_test_ivshmem window_bars=0x4"
dma=$(group_type "$(edu_bdf 0)")
cure_amd_6_1

# What people do by hand.
{
	echo "for d in" $edus"; do"
	# shellcheck disable=SC2016
	echo "	echo \$d >$driver/unbind" \
		'&& echo identity >/sys/bus/pci/devices/$d/iommu_group/type' \
		"&& echo \$d >$driver/bind || exit 1"
	echo 'done'
} >/run/by-hand
# The same without a switch: what of its time is the driver's.
sed 's/ && echo identity [^&]*//' /run/by-hand >/run/rebind

# all VERB, types WORD - of the initiators
all() { for d in $edus; do echo "$d" >$driver/$1 || return; done; }
types() { for d in $edus; do echo "$1" >"/sys/bus/pci/devices/$d/iommu_group/type" || return; done; }

# effect NAME EXPECTED ACTUAL - nothing was timed if it is not there
effect() {
	[ "$2" = "$3" ] || wrong="$wrong($1: expected $2, found $3) "
}
installed() { peerpass status --all -j | grep -c '"state": "installed"'; }
in_identity() { for d in $edus; do group_type "$d"; done | grep -c '^identity$'; }

# timed NAME COMMAND... - its time, in microseconds, into a file for each name
timed() {
	local name=$1
	shift
	elapsed "/run/time.$name" "$@" || wrong="$wrong($name: exit status $?) "
}

load pp_test_edu && load pp_test_ivshmem
wrong='' i=0
while [ $i -le $repetitions ]; do
	# The first time everything is cold: not counted.
	[ $i != 1 ] || rm /run/time.*
	# 64 windows, drivers bound
	timed windows insmod /lib/peerpass/peerpass.ko "$peer" $trusted
	effect windows 64 "$(installed)"
	timed close rmmod peerpass
	# nothing selected: what of a load is not the windows, nor the switch
	timed observe insmod /lib/peerpass/peerpass.ko
	unload peerpass
	# eight groups, before the driver binds: as at boot
	all unbind
	timed identity insmod /lib/peerpass/peerpass.ko "$identity"
	effect identity 8 "$(in_identity)"
	unload peerpass
	effect "identity, put back" 0 "$(in_identity)"
	all bind
	# the same by hand
	timed script sh /run/by-hand
	effect script 8 "$(in_identity)"
	all unbind
	types "$dma"
	all bind
	effect "script, put back" 0 "$(in_identity)"
	timed rebind sh /run/rebind
	i=$((i + 1))
done
expect "$repetitions times: 64 windows open, 8 groups in identity, 8 by the script" "" "$wrong"

# median, spread NAME - milliseconds; of the middle half
at() { sort -n "/run/time.$1" | sed -n "$2p"; }
middle=$(((repetitions + 1) / 2)) quarter=$(((repetitions + 3) / 4))
ms_of() { awk -v us="$1" 'BEGIN { printf "%.1f", us / 1000 }'; }
line() {
	info "$(printf '%-52s median %7s ms, middle half %s to %s' "$2" "$(ms_of "$(at $1 $middle)")" \
		"$(ms_of "$(at $1 $quarter)")" "$(ms_of "$(at $1 $((repetitions + 1 - quarter)))")")"
}
# ratio TEXT NAME [LESS] - of NAME (less LESS, of the same repetition) to the script:
# median, least and greatest of all repetitions
ratio() {
	paste "/run/time.$2" /run/time.script "/run/time.${3:-script}" |
		awk -v less=$# '{ printf "%.3f\n", ($1 - (less == 3 ? $3 : 0)) / $2 }' | sort -n >/run/ratios
	info "$(printf '%-52s %s (%s to %s)' "$1" "$(sed -n ${middle}p /run/ratios)" \
		"$(sed -n 1p /run/ratios)" "$(sed -n '$p' /run/ratios)")"
}
line script "script: unbind, write identity, bind, 8 devices"
line rebind "script: unbind, bind, without a switch"
line windows "module: load, 8 x 8 peer windows, drivers bound"
line close "module: unload, windows closed"
line identity "module: load, 8 groups to identity"
line observe "module: load, nothing selected"
ratio "ratio to the script: load with 64 windows" windows
ratio "ratio to the script: load with 8 groups to identity" identity
ratio "ratio to the script: load with nothing selected" observe
ratio "ratio to the script: the 64 windows alone" windows observe
ratio "ratio to the script: the switch of 8 groups alone" identity observe
pass "times and ratios"
unload pp_test_edu
unload pp_test_ivshmem
