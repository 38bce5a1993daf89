# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=dash disable=SC1091,SC2086,SC2154
# Mode peer: each allocation that the module makes, or has made for it, fails once,
# at load with drivers bound, when an initiator or a target is bound, unbound, or
# comes, and at unload. What status calls open lets every page through, what it does
# not call open lets none, and it says why not; the next time all is open again.
. /lab/lib.sh
. /lab/inject.sh

pages_too

edu0=$(edu_bdf 0) edu1=$(edu_bdf 1) mem0=$(ivshmem_bdf 0)
policy="policy=$edu0=peer:lab+class+initiator,$edu1=peer:lab+class+initiator,$mem0=peer:lab+class+target"
trusted="trusted_drivers=pp_test_edu,pp_test_ivshmem window_bars=0x4"
edus=/sys/bus/pci/drivers/pp_test_edu mems=/sys/bus/pci/drivers/pp_test_ivshmem

# state - of each initiator: its address, its reason, and the state of its windows
state() {
	peerpass status --all -j | awk -v e0=$edu0 -v e1=$edu1 '
		{ gsub(/[",]/, "") }
		$1 == "bdf:" { dev = $2 == e0 || $2 == e1 ? $2 : "" }
		$1 == "reason:" && dev { seen[dev] = $2; dev = "" }
		$1 == "initiator:" { from = $2 }
		$1 == "state:" && from { open[from] = open[from] "," $2; from = "" }
		END { for (d in seen) print d, seen[d], substr(open[d], 2) }' | sort
}
# of EDU - its windows in the state that was read
of() { echo "$now" | awk -v d="$1" '$1 == d { print $3 }'; }
reason() { echo "$now" | awk -v d="$1" '$1 == d { print $2 }'; }

# reached EDU - how many of two pages of the window, the first and the last, it
# can write to. Its buffer holds what is looked for.
reached() {
	local n=0 off
	for off in 0 0xff000; do
		edu poison $mem0+$off 64
		edu write $1 $mem0+$off 64 >/dev/null
		case $(edu verify $mem0+$off 7 64) in *OK) n=$((n + 1)) ;; esac
	done
	echo $n
}

# look WHAT - in some state after a failure: is it said as it is?
look() {
	local e n
	now=$(state)
	[ "$now" != "$normal" ] || return 0
	case $now in *no_memory*) no_memory=$((no_memory + 1)) ;; esac
	degraded=$((degraded + 1))
	echo "<5>lab: $1:" $now >/dev/kmsg
	for e in $edu0 $edu1; do
		[ -e $edus/$e ] || continue
		n=$(reached $e)
		case $(of $e) in
		installed) [ $n = 2 ] || bad "$1: $e: called open, $n of 2 pages let through" ;;
		*) [ $n = 0 ] || bad "$1: $e: '$(of $e)', $n of 2 pages let through" ;;
		esac
		if [ "$(of $e)" = installed ] || [ "$(reason $e)" != null ]; then continue; fi
		# Without a target nothing is missing.
		[ -e /sys/bus/pci/devices/$mem0 ] || continue
		# A device for which there was no memory at all is not in status.
		[ "$(log_lines 'out of memory, not watched')" -gt 0 ] || bad "$1: $e: no reason"
	done
}
# whole WHAT - after the same without a failure
whole() {
	now=$(state)
	[ "$now" = "$normal" ] || bad "$1: does not recover: $now"
}

# each NAME UNDO DO - DO, each time with another allocation failing, and UNDO before
# each; then both without a failure
each() {
	n=1
	begin
	while :; do
		dmesg_clear
		eval "$2" || bad "$n: not undone"
		in_peerpass
		inject $n sh -c "$3"
		[ "$left" = 0 ] || break
		[ "$status" = 0 ] || bad "$n: status $status"
		look "$n"
		n=$((n + 1))
		# Every failure is recovered from, one in four is looked at.
		[ $((n % 4)) = 0 ] || continue
		eval "$2" && sh -c "$3"
		whole "after $n"
	done
	whole "undisturbed"
	end "$1" $((n - 1))
}

no_memory=0
load pp_test_edu && load pp_test_ivshmem
check "allocations of pages can fail" test -d $failpages

# --- without a failure ---------------------------------------------------------------
load peerpass "$policy" $trusted
normal=$(state)
expect "both initiators have their window" \
	"$edu0 null installed $edu1 null installed" "$(echo "$normal" | paste -sd' ')"
edu fill $mem0 7 64
for e in $edu0 $edu1; do edu read $e $mem0 64 >/dev/null; done
expect "open windows let every page through" "2 2" "$(reached $edu0) $(reached $edu1)"
unload peerpass
expect "none lets none through" "0 0" "$(reached $edu0) $(reached $edu1)"
load peerpass "$policy" $trusted

# --- drivers and devices -------------------------------------------------------------
each "an initiator is bound" "echo $edu0 >$edus/unbind" "echo $edu0 >$edus/bind"
# A domain keeps its tables: only a new one allocates pages for the window.
type0=/sys/bus/pci/devices/$edu0/iommu_group/type
dma=$(group_type $edu0)
fresh="echo $edu0 >$edus/unbind && echo identity >$type0 && echo $dma >$type0"
each "an initiator with a new domain is bound" "$fresh" "echo $edu0 >$edus/bind"
at_least "windows were refused for want of memory" 1 $no_memory
each "a target is bound" "echo $mem0 >$mems/unbind" "echo $mem0 >$mems/bind"
each "an initiator comes" "echo 1 >/sys/bus/pci/devices/$edu0/remove" "echo 1 >/sys/bus/pci/rescan"
each "a target comes" "echo 1 >/sys/bus/pci/devices/$mem0/remove" "echo 1 >/sys/bus/pci/rescan"

# request NAME UNDO MODE - asked of the first initiator, with each allocation of the
# request failing, then each of the work that does it: done, or refused in words and
# as before, or done and degraded as for a bind
request() {
	local how
	for how in inject inject_work; do
		n=1
		begin
		while [ $n -lt 200 ]; do
			dmesg_clear
			$2 || bad "$n: not undone"
			was=$(state)
			in_peerpass
			$how $n peerpass set $edu0 $3
			[ "$left" = 0 ] || break
			if [ "$status" = 0 ]; then
				look "$n"
			else
				refused=$((refused + 1))
				grep -v '^failnth: ' /run/failnth | grep -q '[a-z]' || bad "$n: status $status without a word"
				[ "$(state)" = "$was" ] || bad "$n: refused, and not as before: $(state)"
			fi
			n=$((n + 1))
			$2 && peerpass set $edu0 $3 >/dev/null || bad "after $n: does not recover"
		done
		end "$1, $how" $((n - 1))
	done
}
nothing() { peerpass set $edu0 observe >/dev/null; }
request "peer is asked for" nothing peer:lab+class+initiator
echo $edu0 >$edus/unbind
request "identity is asked for" nothing identity+class
request "auto is asked for" nothing auto:lab+class+initiator
peerpass set $edu0 policy >/dev/null
expect "type is back" "$dma" "$(group_type $edu0)"
echo $edu0 >$edus/bind
whole "after the requests"

# leave NAME DO UNDO - the other way round: a failure while something goes
leave() {
	n=1
	begin
	while :; do
		dmesg_clear
		in_peerpass
		inject $n sh -c "$2"
		[ "$left" = 0 ] || break
		[ "$status" = 0 ] || bad "$n: status $status"
		look "$n"
		eval "$3" || bad "$n: not undone"
		whole "after $n"
		n=$((n + 1))
	done
	eval "$3"
	whole "undisturbed"
	expect "$1: of $((n - 1)), $degraded went on" "" "$said"
}
leave "an initiator is unbound" "echo $edu0 >$edus/unbind" "echo $edu0 >$edus/bind"
leave "a target is unbound" "echo $mem0 >$mems/unbind" "echo $mem0 >$mems/bind"
leave "a target goes" "echo 1 >/sys/bus/pci/devices/$mem0/remove" "echo 1 >/sys/bus/pci/rescan"

# --- unload ------------------------------------------------------------------------------
# unregister_kprobe() that finds no memory says nothing to its caller and leaves the
# probe where it is: not ours to mend.
but_not unregister_kprobe
n=1
begin
while :; do
	in_peerpass
	inject $n rmmod peerpass
	[ "$left" = 0 ] || break
	[ "$status" = 0 ] || bad "$n: does not unload"
	[ "$(reached $edu0) $(reached $edu1)" = "0 0" ] || bad "$n: unloaded, and open"
	load peerpass "$policy" $trusted || bad "$n: does not load"
	whole "loaded after $n"
	n=$((n + 1))
done
expect "unload: of $((n - 1)), all unloaded" "" "$said"

# --- load with drivers bound --------------------------------------------------------
n=1
begin
in_module
while :; do
	dmesg_clear
	inject $n insmod /lib/peerpass/peerpass.ko "$policy" $trusted
	[ "$left" = 0 ] || break
	if [ "$status" = 0 ]; then
		look "$n"
		unload peerpass || bad "$n: does not unload"
	else
		refused=$((refused + 1))
		[ "$status" = 12 ] || bad "$n: error $status"
		! loaded peerpass || bad "$n: refused, but there"
		[ $((n % 16)) != 0 ] || [ "$(reached $edu0)" = 0 ] || bad "$n: refused, but open"
	fi
	n=$((n + 1))
done
whole "undisturbed"
end "load" $((n - 1))

now=$(state)
expect "status is as at the start" "$normal" "$now"
expect "everything works" "2 2" "$(reached $edu0) $(reached $edu1)"
check "unloads in the end" unload peerpass
unload pp_test_edu
unload pp_test_ivshmem
