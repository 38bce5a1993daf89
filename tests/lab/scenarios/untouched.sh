# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=dash disable=SC1091
# A rule for one device changes no other, and unloading leaves nothing behind: the
# types of all groups, and where each engine's transfers arrive, before the load,
# with rules, and after it. Memory itself is looked at; nothing of peerpass's is
# asked.
. /lab/lib.sh
. /lab/windows.sh

edu0=$(edu_bdf 0) edu1=$(edu_bdf 1) edu2=$(edu_bdf 2)
mem0=$(ivshmem_bdf 1) mem1=$(ivshmem_bdf 3)
trusted="trusted_drivers=pp_test_edu,pp_test_ivshmem"
cure_amd_6_1

# types - of every group, by the devices that are in it
types() {
	local g
	for g in /sys/kernel/iommu_groups/*; do
		echo "$(cat "$g/type") $(cd "$g/devices" && echo *)"
	done | sort -k 2
}
# The first, middle and last page of each memory, and host RAM. They lie side by
# side: first and last pages are what lies beside the windows, too.
places=$(for m in $(devices 1af4:1110); do echo "$m+0 $m+0x80000 $m+0xfffc0"; done) places="$places ram"
# shellcheck disable=SC2086 # words
reached() { reach "$1" $places; }

# look NAME - at everything
look() {
	mkdir "/run/$1"
	types >"/run/$1/types"
	for e in "$edu0" "$edu1" "$edu2"; do reached "$e" >"/run/$1/$e"; done
}
# same NAME THEN NOW WHAT... - nothing has changed there
same() {
	local name=$1 then=$2 now=$3 what
	shift 3
	for what; do check "$name: $what" cmp "/run/$then/$what" "/run/$now/$what"; done
}
all_same() { same "$@" types "$edu0" "$edu1" "$edu2"; }
count() { grep -c " $1\$" "/run/$2/$3"; }

check "operator: identity by hand" type_is "$edu2" identity
last=
for m in $(devices 1af4:1110); do
	[ -z "$last" ] || expect "$m lies beside the one before" $((last + 0x100000)) $(($(bar "$m" 2)))
	last=$(bar "$m" 2)
done

# --- as it is --------------------------------------------------------------------
look before
cat /run/before/types
expect "before: places" 16 "$(echo "$places" | wc -w)"
expect "before: translating engines reach nothing" "16 16" \
	"$(count blocked before "$edu0") $(count blocked before "$edu1")"
expect "before: the one in identity reaches all" 16 "$(count arrives before "$edu2")"

# --- a rule that asks for identity ----------------------------------------------------
check "identity: loads" load peerpass "policy=$edu0=identity+class"
look identity
same "identity: others" before identity "$edu1" "$edu2"
expect "identity: this one reaches all" 16 "$(count arrives identity "$edu0")"
sed "s/^[^ ]* $edu0\$/identity $edu0/" /run/before/types >/run/expected
check "identity: no other group" cmp /run/expected /run/identity/types
check "identity: unloads" unload peerpass
look after_identity
all_same "after identity" before after_identity

# --- a rule that asks for peers ---------------------------------------------------------
load pp_test_edu && load pp_test_ivshmem
look drivers
all_same "drivers alone" before drivers
check "peer: loads" load peerpass \
	"policy=$edu0=peer:lab+class+initiator,$mem0=peer:lab+class+target,$mem1=peer:lab+class+target" "$trusted" window_bars=0x4
look peer
same "peer: types and others" before peer types "$edu1" "$edu2"
sed -E "/^($mem0|$mem1)\+/s/blocked/arrives/" "/run/before/$edu0" >/run/expected
check "peer: this one reaches its peers and nothing else" cmp /run/expected "/run/peer/$edu0"
expect "peer: so many places" 6 "$(count arrives peer "$edu0")"
check "peer: unloads with drivers bound" unload peerpass
look unloaded
all_same "peer, unloaded" before unloaded

# --- drivers leave first -------------------------------------------------------------------
check "peer: loads again" load peerpass \
	"policy=$edu0=peer:lab+class+initiator,$mem0=peer:lab+class+target,$mem1=peer:lab+class+target" "$trusted" window_bars=0x4
unload pp_test_edu
unload pp_test_ivshmem
look unbound
all_same "peer, drivers gone" before unbound
check "peer: unloads without drivers" unload peerpass
look after
all_same "in the end" before after
