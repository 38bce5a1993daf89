# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=dash disable=SC1091,SC2154
# Each allocation that the module makes, or has made for it, fails once: at load,
# at unload, when a device comes, when status is asked for; in the task that
# asks and in the kernel threads that work for it. Nothing may be left half done.
. /lab/lib.sh
. /lab/inject.sh

edu0=$(edu_bdf 0) edu1=$(edu_bdf 1)
policy=policy=$edu0=identity+class,$edu1=identity+class
type0=/sys/bus/pci/devices/$edu0/iommu_group/type
type1=/sys/bus/pci/devices/$edu1/iommu_group/type

# types - of every group, in one line
types() {
	local g t all=''
	for g in /sys/kernel/iommu_groups/*; do
		read -r t <"$g/type"
		all="$all ${g##*/}=$t"
	done
	echo "$all"
}
before=$(types)

# unchanged WHAT - complains when a type is not what it was
unchanged() {
	local now
	now=$(types)
	[ "$now" = "$before" ] || { bad "$1: types$now"; reset_types; }
}
reset_types() {
	local g t
	for g in /sys/kernel/iommu_groups/*; do
		t=${before#* "${g##*/}"=}
		echo "${t%% *}" >"$g/type"
	done
}

# arm_workers N - the same for the kernel threads that serve the module's queue
arm_workers() {
	local f
	for f in $workers; do echo "$1" >"$f"; done 2>/dev/null
}
find_workers() { workers=$(grep -l kworker /proc/[0-9]*/comm | sed 's/comm$/fail-nth/'); }
# workers_hit - did one of them have its failure?
workers_hit() {
	local f n
	for f in $workers; do
		read -r n 2>/dev/null <"$f" || continue
		[ "$n" != 0 ] || return 0
	done
	return 1
}

# state - what status says, of the selected devices and in sum
state() {
	peerpass status -j | awk '
		$1 ~ /"(source|exact|actual|reason|inexact)"/ { gsub(/[",]/, ""); printf "%s%s ", $1, $2 }'
}

# went_on N - in spite of a failure; as wanted, or status says why not
went_on() {
	local t0 t1 s=''
	degraded=$((degraded + 1))
	read -r t0 <"$type0"
	read -r t1 <"$type1"
	[ "$t0 $t1" != "identity identity" ] || return 0
	s=$(state)
	case $s in
	*'actual:DMA reason:null'*) bad "$1: no reason: $s" ;;
	esac
	echo "<5>lab: went on: $1: $s" >/dev/kmsg
}

# --- load: the task that loads ------------------------------------------------------
in_module
# Not ours to mend: without memory for IOVAs, iommu_setup_dma_ops() leaves the
# device without translation and the kernel reports success; and
# iova_domain_init_rcaches(), further down, frees what it has not allocated yet,
# and oopses.
but_not iommu_setup_dma_ops
n=1
begin
while :; do
	inject $n insmod /lib/peerpass/peerpass.ko "$policy"
	[ "$left" = 0 ] || break
	if [ "$status" = 0 ]; then
		went_on $n
		unload peerpass || bad "$n: does not unload"
	else
		refused=$((refused + 1))
		[ "$status" = 12 ] || bad "$n: error $status"
		! loaded peerpass || bad "$n: refused, but there"
	fi
	unchanged $n
	n=$((n + 1))
done
normal=$(state)
expect "load, undisturbed" 0 "$status"
end "load" $((n - 1))
info "load, undisturbed: $normal"
unload peerpass
leaks "load: no memory is left"

# --- unload: the task that unloads ------------------------------------------------------
# Nor this: unregister_kprobe() that finds no memory says nothing to its caller
# and leaves the probe where it is.
but_not unregister_kprobe
n=1
begin
while :; do
	load peerpass "$policy" || bad "$n: does not load"
	inject $n rmmod peerpass
	[ "$left" = 0 ] || break
	[ "$status" = 0 ] || bad "$n: does not unload"
	unchanged $n
	n=$((n + 1))
done
end "unload" $((n - 1))

# --- load and unload: the threads that switch domains and put them back ----------------
but_not iommu_setup_dma_ops
# The threads come and go: all that are there are armed anew each time.
n=1
begin
while :; do
	find_workers
	arm_workers $n
	load peerpass "$policy" || bad "$n: does not load"
	workers_hit || break
	arm_workers 0
	went_on $n
	unload peerpass || bad "$n: does not unload"
	unchanged $n
	n=$((n + 1))
done
arm_workers 0
unload peerpass
end "load, threads" $((n - 1))

n=1
begin
while :; do
	load peerpass "$policy" || bad "$n: does not load"
	find_workers
	arm_workers $n
	unload peerpass || bad "$n: does not unload"
	workers_hit || break
	arm_workers 0
	unchanged $n
	n=$((n + 1))
done
arm_workers 0
end "unload, threads" $((n - 1))

# --- a device comes ----------------------------------------------------------------------
load peerpass "$policy"
# replug COMMAND... - takes a device that is switched away and lets it come again
replug() {
	echo 1 >"/sys/bus/pci/devices/$edu0/remove"
	"$@"
	[ -e "/sys/bus/pci/devices/$edu0" ] || bad "$n: the device did not come"
}
rescan() { echo 1 >/sys/bus/pci/rescan; }

n=1
begin
while :; do
	replug inject $n sh -c 'echo 1 >/sys/bus/pci/rescan'
	[ "$left" = 0 ] || break
	went_on $n
	n=$((n + 1))
done
end "hot-plug" $((n - 1))

n=1
begin
while :; do
	find_workers
	arm_workers $n
	replug rescan
	workers_hit || break
	arm_workers 0
	went_on $n
	n=$((n + 1))
done
arm_workers 0
replug rescan
expect "hot-plug, undisturbed" "$normal" "$(state)"
end "hot-plug, threads" $((n - 1))

# --- status is asked for ------------------------------------------------------------------
# What it says is whole or not said: a failure goes with a message. With either
# IOMMU the same.
if [ "$(iommu_kind)" = vt-d ]; then set --; else set -- "status --all -j" "faults -j"; fi
in_netlink
for ask; do
	# shellcheck disable=SC2086 # words
	whole=$(peerpass $ask | wc -l)
	n=1
	begin
	while :; do
		# shellcheck disable=SC2086
		inject $n peerpass $ask
		[ "$left" = 0 ] || break
		if [ "$status" = 0 ]; then
			degraded=$((degraded + 1))
			[ "$(grep -c -v '^failnth: ' /run/failnth)" = "$whole" ] || bad "$n: cut short"
		else
			refused=$((refused + 1))
			grep -v '^failnth: ' /run/failnth | grep -q '[a-z]' || bad "$n: status $status without a word"
		fi
		n=$((n + 1))
	done
	end "peerpass $ask" $((n - 1))
done
between 0 0xffffffffffffffff
unload peerpass
unchanged "in the end"
expect "in the end: all types are as at the start" "$before" "$(types)"
