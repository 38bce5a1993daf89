# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=dash disable=SC1091
# The scenarios that the command line names, one after the other on the debug
# kernel, and after each what it left behind (see ../debug.sh).
. /lab/lib.sh

# lockdep counts nothing any more after its first report, or when its tables
# are full.
lockdep_on() { grep -q '^ debug_locks: *1$' /proc/lockdep_stats; }

before=$(types)
check "kmemleak is on" leaks_clear
check "lockdep is on" lockdep_on
for name in $(sed -n 's/.*lab\.scenarios=\([^ ]*\).*/\1/p' /proc/cmdline | tr , ' '); do
	echo "<6>lab: $name begins" >/dev/kmsg
	start=$(ms)
	LAB_PART="$name: " sh "/lab/scenarios/$name.sh" </dev/null ||
		fail "$name" "ended with exit status $?"
	expect "$name: no module is left" "" "$(cut -d' ' -f1 /proc/modules | paste -sd' ')"
	expect "$name: types of all groups are as before" "$before" "$(types)"
	leaks "$name: no memory is left"
	info "$name: $((($(ms) - start) / 1000)) s"
done
check "lockdep was on to the end" lockdep_on
