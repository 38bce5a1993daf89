# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=dash disable=SC1091
# Proves that the debug kernel reports what it is there for: pp_test_defect has
# one defect at a time. Whether boot.sh, too, takes each report for a failure is
# seen by defects.host.sh.
. /lab/lib.sh

# defect NAME EXTENDED-REGEX
defect() {
	dmesg_clear
	echo "<6>lab: defect $1" >/dev/kmsg
	load pp_test_defect "defect=$1" && unload pp_test_defect
	at_least "$1 is reported" 1 "$(log_lines "$2")"
}

leaks_clear
dmesg_clear
echo "<6>lab: defect leak" >/dev/kmsg
# Unloaded only afterwards: its functions would have no names.
check "leak is there" load pp_test_defect defect=leak
(export LAB_RESULTS=/run/results.leaks LAB_PORT=/dev/null; leaks "no leak") >/run/out
expect "a leak is found" "FAIL no leak: 1 objects" "$(cut -d, -f1 /run/results.leaks)"
matches "and by whom it was made" 'leak.*pp_test_defect' "$(cat /run/results.leaks)"
unload pp_test_defect

# Before the reports after which lockdep is off: KASAN's, and the one of its own.
defect no_rcu_lock 'WARNING: suspicious RCU usage'
defect lock_order 'WARNING: possible circular locking dependency detected'
defect use_after_free 'BUG: KASAN: slab-use-after-free in use_after_free'
defect out_of_bounds 'BUG: KASAN: vmalloc-out-of-bounds in out_of_bounds'
defect bad_shift 'UBSAN: shift-out-of-bounds in .*pp_test_defect'
defect sleep_in_atomic 'BUG: sleeping function called from invalid context at .*pp_test_defect'
defect free_active_timer 'ODEBUG: free active .* timer_list'
defect list_twice 'list_add (corruption|double add)'
defect unmap_unmapped 'DMA-API: .*device driver tries to free DMA memory it has not allocated'
