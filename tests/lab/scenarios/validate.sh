# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=dash disable=SC1091,SC2086
# validate on real DMA: its verdicts in translating, identity and peer domains; what
# makes a verdict stale; that memory of the host is not touched; that faults are counted
# without the log's help; what is left of it when it is killed; and, again and again,
# no false alarm and no miss.
. /lab/lib.sh
. /lab/windows.sh

edu0=$(edu_bdf 0) edu1=$(edu_bdf 1) mem0=$(ivshmem_bdf 0) mem1=$(ivshmem_bdf 1)
trusted="trusted_drivers=pp_test_edu,pp_test_ivshmem window_bars=0x4"
policy="policy=$edu0=peer:lab+class+initiator,$edu1=peer:lab+class+initiator,$mem0=peer:lab+class+target,$mem1=peer:lab+class+target"
folder=/run/peerpass
verdict=$folder/verdict.json
cure_amd_6_1

drivers_in() { load pp_test_ivshmem && load pp_test_edu; }
drivers_out() { unload pp_test_edu && unload pp_test_ivshmem; }

# real ARGUMENT... - with edu's DMA into ivshmem: about 40 s of the guest's time where
# all is well. One transfer of edu has 2040 bytes: AMD-Vi's log holds its events.
# $with: switches of the test-only CUDA library. $before: a command, like timeout.
real() {
	env ${with:+"PP_TEST_CUDA=$with"} LD_LIBRARY_PATH=/usr/local/lib/test-cuda \
		$before peerpass validate --quick --size 2040 "$@" >/run/said 2>&1
}
# memory ARGUMENT... - the same GPUs by address, but memory only and no DMA: the IOMMU
# has no part in it, all else has. 0.4 s.
memory() {
	env ${with:+"PP_TEST_CUDA=$with"} LD_LIBRARY_PATH=/usr/local/lib/test-cuda \
		PP_TEST_CUDA_DEVICES=$edu0,$edu1 PP_TEST_CUDA_MEMORY=1M \
		$before peerpass validate --quick --size 2040 "$@" >/run/said 2>&1
}
with='' before=''

# ends NAME CODE COMMAND... - validate's exit code
ends() {
	local name=$1 code=$2 status
	shift 2
	"$@"
	status=$?
	if [ $status = "$code" ]; then
		pass "$name"
	else
		fail "$name" "ended with $status instead of $code: $(tail -n 12 /run/said)"
	fi
}

# top KEY - of the verdict itself; pairs KEY - of its pairs, in order
top() { sed -n "s/^ \"$1\": \"*\([^\",]*\).*/\1/p" $verdict; }
pairs() {
	awk -v key="\"$1\":" '/^ "/ { in_pairs = $1 == "\"pairs\":" }
		in_pairs && /^   "/ && $1 == key { gsub(/[",]/, "", $2); print $2 }' $verdict | paste -sd' '
}
# totals - all numbers of faults in it, of tests and of sessions
totals() { sed -n 's/^ *"total": \([0-9]*\).*/\1/p' $verdict | paste -sd' '; }

# holds NAME - the verdict still does
holds() { check "$1" peerpass validate --check; }
# stale NAME REASON... - it does not, for each of these reasons and no other
stale() {
	local name=$1
	shift
	peerpass validate --check -j >/run/checked 2>&1
	expect "$name: exit code" 16 $?
	expect "$name: reasons" "$*" \
		"$(sed -n 's/^ *"reason": "\(.*\)".*/\1/p' /run/checked | sort -u | paste -sd' ')"
}
# because NAME REGEX - in its words
because() { matches "$1: said" "$2" "$(sed -n 's/^ *"text": "\(.*\)",$/\1/p' /run/checked)"; }

# random N - sets $random to 0..N-1. The seed is told, so that a failure can be met again.
seed=$(awk '{ print int($1 * 100) }' /proc/uptime)
info "seed $seed"
random() {
	seed=$(((seed * 1103515245 + 12345) & 0x7fffffff))
	random=$((seed / 256 % $1))
}

# --- translating ------------------------------------------------------------------
check "loads" load peerpass $trusted
check "drivers" drivers_in
ends "translating: wrong data and faults" 11 real
expect "translating: verdict" "corrupt_with_faults dropped" "$(top verdict) $(top cause)"
expect "translating: both pairs" "corrupt_with_faults corrupt_with_faults" "$(pairs verdict)"
expect "translating: both causes" "dropped dropped" "$(pairs cause)"
refuse "translating: the generation of windows is known" grep -q '"window_generation": null' $verdict
peerpass validate --check >/run/said 2>&1
expect "translating: the verdict holds, and is not good" 11 $?
counted=$(totals)
info "faults: $counted"

# The log has no part in the count: it is emptied, does not reach the console, and has
# few lines, for its limits are used up from the start.
dmesg -n 1
for n in 1 2 3 4 5 6 7 8 9 10 11 12; do
	edu write "$edu0" "$mem1" 64
	edu write "$edu1" "$mem0" 64
done >/dev/null
dmesg_clear
ends "without a log: wrong data and faults" 11 real
lines=$(log_lines 'IO_PAGE_FAULT|DMAR:.*fault addr')
expect "without a log: the same faults" "$counted" "$(totals)"
at_least "without a log: it tells less" $((lines + 1)) $((2 * ${counted##* }))
info "lines in the log: $lines"
dmesg -n 5

# --- somebody else's memory ---------------------------------------------------------
# Only the other way is open, so that the first pair alone decides.
check "one engine gets identity" peerpass set "$edu1" identity+class --rebind
# Reach looks at the BARs of a GPU, which here is edu; its memory is ivshmem's.
job() { echo "$1" >/sys/module/pp_test_iova/parameters/job; }
check "memory of the host at the BARs" load pp_test_iova device="$edu0" \
	at=$(($(bar "$edu1" 0))),$(($(bar "$mem1" 2))) pages=256
check "is mapped" job foreign
changed() { job changed && dmesg | sed -n 's/.*pp_test_iova: changed //p' | tail -n 1; }
ends "foreign memory: not safe to test" 17 real
expect "foreign memory: verdict" "not_safe_to_test foreign_mapping" "$(top verdict) $(top cause)"
expect "foreign memory: the other pair" "not_safe_to_test ok" "$(pairs verdict)"
expect "foreign memory: is as it was" "0 and 0 bytes" "$(changed)"
ends "foreign memory, --force: wrong data, no faults" 12 real --force
expect "foreign memory, --force: said" "true false" "$(pairs forced)"
matches "foreign memory, --force: is hit" '^0 and [1-9]' "$(changed)"
info "foreign memory, --force: $(changed)"
unload pp_test_iova

# (Identity for both: scenario demo.)
check "drivers leave" drivers_out
check "unloads" unload peerpass

# --- peer windows, and what makes a verdict stale ---------------------------------------
check "loads with windows" load peerpass $trusted "$policy"
check "drivers again" drivers_in
stale "of another load" module_reloaded not_proved other_domain other_mode
rm $verdict
stale "absent" verdict_absent
start=$(ms)
ends "peer: all proved" 0 real
real_ms=$(($(ms) - start))
expect "peer: both pairs" "ok ok" "$(pairs verdict)"
expect "peer: exit code in the file" 0 "$(top exit_code)"
expect "peer: all tested together" true "$(sed -n '/^ "set": /,$s/^  "tested": \([a-z]*\).*/\1/p' $verdict)"
holds "peer: holds"

edu write "$edu0" @$(($(bar "$edu1" 0))) 64
stale "a fault on the other's registers" faults_since
# QEMU's AMD-Vi logs no address.
[ "$(iommu_kind)" = amd-vi ] || because "a fault on the other's registers" "[0-9] new faults of $edu0 on $edu1"
start=$(ms)
ends "validated again" 0 memory
memory_ms=$(($(ms) - start))
info "a run: real $real_ms ms, memory $memory_ms ms"
holds "validated again: holds"
edu write "$edu1" @0x1000000 64
stale "a fault elsewhere" faults_since
because "a fault elsewhere" "[0-9] new faults of $edu1 that are on no BAR of the others"
memory
unbind "$mem1"
stale "a window closed" windows_changed
bind "$mem1" pp_test_ivshmem
expect "open again" installed "$(state "$edu0" "$mem1" 2)"
stale "a window closed and opened" windows_changed
memory
holds "validated with the new window: holds"
check "another mode" peerpass set "$edu0" observe
stale "another mode" other_mode windows_changed
because "another mode" "the mode of $edu0 is observe .*, was peer"
check "the mode as before" peerpass set "$edu0" peer:lab+class+initiator
stale "the mode as before" windows_changed
memory
unload peerpass
stale "no module" module_gone
because "no module" "a host with the peerpass module: .*not loaded"
load peerpass $trusted "$policy"
stale "module loaded again" module_reloaded
memory
holds "validated with the new module: holds"

# --- killed -----------------------------------------------------------------------------
# Everything the module says, but for its counters.
told() {
	peerpass status --all -j | grep -v -E '"(total|read|write|other)":' | md5sum
}
# The module's own thread has the same name before 6.9; a kernel's thread is a child of 2.
none_left() {
	for p in $(pidof peerpass); do
		grep -q '^PPid:[^0-9]*2$' "/proc/$p/status" || return 1
	done
}
# left - what is in the folder besides the verdict
left() { find $folder -mindepth 1 ! -name verdict.json | paste -sd' '; }

# killed SIGNAL MILLISECONDS COMMAND - sets $status. The signal goes to the first
# process alone, as from the kernel's OOM killer.
killed() {
	before="timeout -s $1 $(($2 / 1000)).$(printf %03d $(($2 % 1000)))"
	$3
	status=$?
	before=
}

# A moment of the whole run, or, every second time, near its end, where the file is
# written. Every tenth run is a real one. Every third time there is no verdict before.
was=$(told)
peerpass status --all -j >/run/status
at_least "what the module says has windows" 4 "$(grep -c '"state": "installed"' /run/status)"
times=$(count 200) hit=0 late=0 wrong=0 n=0
kill_round() {
	local how=memory length=$memory_ms
	[ $((n % 10)) != 1 ] || { how=real; length=$real_ms; }
	[ $((n % 3)) != 2 ] || { rm -f $verdict; }
	if [ $((n % 2)) = 1 ]; then
		random $((length * 11 / 10))
	else
		random $((length / 5))
		random=$((length * 9 / 10 + random))
	fi
	killed KILL $random $how
	case $status in
	137) hit=$((hit + 1)) ;;
	0) late=$((late + 1)) ;;
	*) echo "ended with $status"; return 1 ;;
	esac
	until_true 10 none_left || { echo "still there: $(pidof peerpass)"; return 1; }
	peerpass validate --check -j >/run/checked 2>&1
	case $? in
	0) ;;
	16) grep -q verdict_absent /run/checked || { cat /run/checked; return 1; } ;;
	*) echo "no whole verdict, nor none: $(cat /run/checked)"; return 1 ;;
	esac
	[ "$(told)" = "$was" ] || { echo "another state: $(peerpass status)"; return 1; }
	[ -z "$(left)" ] || { echo "left behind: $(left)"; return 1; }
	memory || { echo "the next run ended with $?: $(cat /run/said)"; return 1; }
}
none_left || fail "before the kills" "there is a process already: $(pidof peerpass)"
while [ $n -lt $times ]; do
	n=$((n + 1))
	kill_round >/run/why && continue
	wrong=$((wrong + 1))
	fail "killed, round $n" "at $random ms: $(tail -n 6 /run/why)"
	rm -f $folder/.*.json.*
done
expect "killed $times times: nothing is left, nothing changed" 0 $wrong
at_least "killed: in the midst" 1 $hit
info "killed: $hit in the midst, $late after the end"

# A signal that can be taken ends it in order. What the earlier verdict said may hold no
# more: it is gone.
n=$(count 40)
while [ "$n" -gt 0 ]; do
	n=$((n - 1))
	[ $((n % 2)) = 0 ] && signal=TERM || signal=INT
	random $((real_ms / 4))
	killed $signal $((1000 + random)) real
	expect "SIG$signal: exit code" 1 $status
	matches "SIG$signal: said" 'error: interrupted by a signal after [0-2] of 2 pairs; no verdict' "$(tail -n 1 /run/said)"
	check "SIG$signal: nothing is left" until_true 10 none_left
	refuse "SIG$signal: the verdict before is withdrawn" test -e $verdict
	memory || fail "SIG$signal: the next run" "$(cat /run/said)"
done
expect "signals: the module's state" "$was" "$(told)"

# --- no false alarm -----------------------------------------------------------------------
# In both loops the first of 25 runs is a real one, and so the first after the kills; the
# others are of memory, every second of these with transfers of 24 KiB.
# one_of N - sets $how and $more for round N
one_of() {
	how=memory more=
	if [ $(($1 % 25)) = 1 ]; then
		how=real
	elif [ $(($1 % 2)) = 0 ]; then
		more='--size 24K'
	fi
}
times=$(count 500) wrong=0 n=0 start=$(ms)
while [ $n -lt $times ]; do
	n=$((n + 1))
	one_of $n
	$how $more && [ "$(pairs verdict)" = "ok ok" ] && continue
	wrong=$((wrong + 1))
	fail "clean, round $n ($how $more)" "$(tail -n 12 /run/said)"
done
expect "clean: $times runs without a bad verdict" 0 $wrong
info "clean: $times runs in $(($(ms) - start)) ms of the guest"

# --- no miss ------------------------------------------------------------------------------
# One word of one transfer by a copy engine is wrong, in each pair. Each test of a copy
# engine is one transfer; those of the first pair tell how many there are, and what
# follows in the second pair (both ways at once) is left alone.
transfers() {
	awk '$1 == "\"initiator\":" && /^   "/ { pair++ }
		pair == 1 && $1 == "\"operation\":" { ce = /copy_engine_(write|read)"/ }
		pair == 1 && ce && $1 == "\"tests\":" { n += $2 } END { print n }' $verdict
}
memory --size 24K
many=$(transfers)
memory
few=$(transfers)
at_least "flip: transfers of a small run" 8 "$few"
at_least "flip: transfers of a larger one" $((few + 1)) "$many"
with=engine=ce,flip=1000:0
ends "flip: one that never comes is no alarm" 0 memory

# bad_offsets OFFSET - whether the verdict has it, in both pairs: of the transfer's length,
# rounded down to a word
bad_offsets() {
	awk -v offset="$1" '$1 == "\"bytes\":" { bytes = $2 + 0 }
		$1 == "\"first_bad_offset\":" && $2 != "null," {
			at = offset % bytes
			if ($2 + 0 == at - at % 8) right++; else wrong++
		}
		END { exit !(right == 2 && !wrong) }' $verdict
}
times=$(count 500) wrong=0 missed=0 n=0 start=$(ms)
while [ $n -lt $times ]; do
	n=$((n + 1))
	one_of $n
	if [ -n "$more" ]; then random "$many"; else random "$few"; fi
	number=$random
	random 1000000
	with=engine=ce,flip=$number:$random
	$how $more
	status=$?
	case $status in
	11 | 12) ;;
	*)
		missed=$((missed + 1))
		fail "flip, round $n ($how $more, $with)" "ended with $status: $(tail -n 12 /run/said)"
		continue
		;;
	esac
	bad_offsets $random && continue
	wrong=$((wrong + 1))
	fail "flip, round $n ($how $more, $with)" "first bad offset: $(grep -E '"(bytes|first_bad_offset)": [0-9]' $verdict | tr -s ' \n' ' ')"
done
with=
expect "flip: $times runs without a miss" 0 $missed
expect "flip: $times times the right place" 0 $wrong
info "flip: $times runs in $(($(ms) - start)) ms of the guest"

check "drivers leave in the end" drivers_out
check "unloads in the end" unload peerpass
