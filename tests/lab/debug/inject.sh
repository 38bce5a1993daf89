# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=dash disable=SC2034
# What the scenarios share in which each allocation fails once. Sourced after
# lib.sh.

failslab=/sys/kernel/debug/failslab
failpages=/sys/kernel/debug/fail_page_alloc
failing=$failslab

# between START END - only allocations with such an address on their stack count
between() {
	local f
	for f in $failing; do
		echo "$1" >"$f/require-start"
		echo "$2" >"$f/require-end"
	done
}
for f in $failslab $failpages; do
	echo 0 >"$f/ignore-gfp-wait"
	echo 0 >"$f/verbose"
	echo 32 >"$f/stacktrace-depth"
done
# No allocation of pages counts...
echo 0 >"$failpages/min-order"
echo 1 >"$failpages/require-start"
echo 2 >"$failpages/require-end"
# ...before pages_too.
pages_too() { failing="$failslab $failpages"; }

# Where x86 puts modules. Not for what runs code of other modules as well.
in_module() { between 0xffffffffa0000000 0xffffffffff000000; }
# in_peerpass - the loaded module's code; what was loaded before lies below it
in_peerpass() {
	# shellcheck disable=SC2046 # two words
	set -- $(awk '$1 == "peerpass" { print $6, $2 }' /proc/modules)
	between "$1" "$(printf '0x%x' $(($1 + $2)))"
}
# netlink and generic netlink, which lie side by side
in_netlink() {
	# shellcheck disable=SC2046 # two words
	between $(sort /proc/kallsyms | awk '$3 == "_etext" { exit }
		$3 ~ /^(netlink|genl)_[a-z_]*$/ { print "0x" $1 }' | sed -n '1p;$p')
}
# but_not SYMBOL - nor does an allocation of this function of the kernel's or of
# what it calls
but_not() {
	# shellcheck disable=SC2046 # two words
	set -- $(sort /proc/kallsyms | awk -v s="$1" '
		on { print "0x" $1; exit } $3 == s { print "0x" $1; on = 1 }')
	for f in $failing; do
		echo "$1" >"$f/reject-start"
		echo "$2" >"$f/reject-end"
	done
}

# bad TEXT - collected, so that a run of failures is one line
bad() {
	nr_bad=$((nr_bad + 1))
	[ $nr_bad -gt 5 ] || said="$said($1) "
	echo "<5>lab: bad: $1" >/dev/kmsg
}
begin() { nr_bad=0 said='' refused=0 degraded=0; }
# end NAME N - N allocations failed in turn
end() {
	at_least "$1: allocations failed" 1 "$2"
	expect "$1: of $2, $refused refused, $degraded went on" "" "$said"
}

# inject N COMMAND... - sets status and left
inject() {
	failnth "$@" >/run/failnth 2>&1
	# shellcheck disable=SC2046 # three words
	set -- $(tail -n 1 /run/failnth)
	status=$2 left=$3
}

# workers - processes that run work queues
workers() { ps | awk '$0 ~ /\[kworker\/u/ { print $1 }'; }
# inject_work N COMMAND... - the same where the work is done on a queue, by one of the
# kernel's workers: the N-th of whichever it is fails. Sets status and left.
inject_work() {
	local nth=$1 pid now tries=10
	shift
	while :; do
		for pid in $(workers); do echo "$nth" >"/proc/$pid/fail-nth"; done 2>/dev/null
		"$@" >/run/failnth 2>&1
		status=$? left=$nth
		for pid in $(workers); do
			now=$(cat "/proc/$pid/fail-nth") || continue
			[ "$now" -ge "$left" ] || left=$now
			echo 0 >"/proc/$pid/fail-nth"
		done 2>/dev/null
		# A worker that was born meanwhile was not told.
		tries=$((tries - 1))
		[ "$left" = "$nth" ] && [ $tries -gt 0 ] && [ "$nth" -gt 1 ] || break
	done
}
