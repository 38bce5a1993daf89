# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=dash disable=SC1091
# "make demo", as seen by the guest: peer-to-peer DMA is lost in translating
# domains, right in identity domains, and the way back. What a person is to read
# leaves as lines "SAY text"; every claim in it is checked here, and the data
# once more from outside, by demo.host.sh.
. /lab/lib.sh

edu0=0000:00:04.0 edu1=0000:00:05.0 mem0=0000:00:10.0 mem1=0000:00:11.0
policy=$edu0=identity+class,$edu1=identity+class
# Places in both peer memories, the same as in demo.host.sh: what the owner
# wrote, and where its DMA engine copies it to in the peer's memory, in each of
# three states.
pattern=0x40000 translated=0x50000 identity=0x60000 unloaded=0x70000
# One transfer of edu: small enough that AMD-Vi's log holds its events.
size=2040

# say [TEXT...] - a line of the story, or standard input
say() {
	if [ $# -gt 0 ]; then printf '%s\n' "$@"; else cat; fi | sed 's/^/SAY /' >"$LAB_PORT"
}

drivers_in() { load pp_test_ivshmem && load pp_test_edu; }
drivers_out() { unload pp_test_edu && unload pp_test_ivshmem; }

# validate - on the stand-in for CUDA; /run/validate has what it says
validate() {
	LD_LIBRARY_PATH=/usr/local/lib/test-cuda peerpass validate --quick --size $size >/run/validate 2>&1
}

# matrix - the matrix of pairs in it; pairs CELL - how many have that cell
matrix() { sed -n '/^from .* to/,/^$/p' /run/validate; }
pairs() { matrix | tr -s ' ' '\n' | grep -c -x "$1"; }

# say_validate - the answer, the matrix and its legend, without the details
say_validate() {
	{
		echo "# peerpass validate"
		sed -n '1{s/ Next: .*//;p}' /run/validate
		matrix | sed '/^$/d'
		sed -n 's/^ *\(XF\|ok\)  \(data .*\)/  \1 = \2/p' /run/validate
	} | sed 's/^/    /' | say
}

# counted KEY - of all faults: total, exact
counted() { peerpass faults -j | awk -v key="\"$1\":" '$1 == key { sub(/,/, "", $2); print $2; exit }'; }

# copy FROM-ENGINE FROM-MEMORY TO-MEMORY PLACE
copy() { edu read "$1" "$2+$pattern" $size && edu write "$1" "$3+$4" $size; }
both_copy() { copy $edu0 $mem0 $mem1 "$1" && copy $edu1 $mem1 $mem0 "$1"; }

for m in $mem0 $mem1; do
	edu fill "$m+$pattern" "0x${m#0000:00:1}" $size
	for place in $translated $identity $unloaded; do edu poison "$m+$place" $size; done
done
cure_amd_6_1
before0=$(group_type $edu0) before1=$(group_type $edu1)

# --- as the machine boots ---------------------------------------------------------
check "module loads without a policy" load peerpass
check "drivers load" drivers_in
dmesg_clear
say "" "1. As the machine boots, the IOMMU translates. peerpass, loaded without a"
say "   policy, only counts. Every copy is reported as done, and:"
validate
expect "translated: validate ends with 11, wrong data and faults" 11 $?
expect "translated: every pair is corrupt" 2 "$(pairs XF)"
say_validate
total=$(counted total)
lines=$(log_lines 'IO_PAGE_FAULT|DMAR:.*fault addr')
at_least "translated: the kernel log says something" 1 "$lines"
at_least "translated: the module counts no less than the log" "$lines" "$total"
peerpass faults --matrix | sed -n '/^initiator/,/^$/p' >/run/matrix
if [ "$(iommu_kind)" = vt-d ]; then
	expect "translated: each engine hit the other's memory" "$edu0 $mem1 BAR2,$edu1 $mem0 BAR2" \
		"$(peerpass faults -j | awk -F'"' '
			$2 == "pairs" { on = 1 } $2 == "units" { on = 0 }
			on && $2 == "initiator" { i = $4 } on && $2 == "bdf" { b = $4 }
			on && $2 == "bar" { gsub(/[^0-9]/, "", $3); print i, b, "BAR" $3 }' | sort | paste -sd,)"
fi
{
	echo "# peerpass faults --matrix"
	sed '/^$/d' /run/matrix
	if [ "$(iommu_kind)" = vt-d ]; then
		echo "(+ at least so many: VT-d keeps few faults at a time.)"
	else
		echo "(QEMU's AMD-Vi logs no address, so the target has no name. VT-d names it.)"
	fi
} | sed 's/^/    /' | say
say "   Faults counted by the module: $total. Lines in the kernel log: $lines."
check "translated: copies for the host to judge" both_copy $translated

# --- the cure ---------------------------------------------------------------------
check "drivers unload" drivers_out
check "module unloads" unload peerpass
check "module loads with a policy" load peerpass "policy=$policy"
expect "identity: types" "identity identity" "$(group_type $edu0) $(group_type $edu1)"
check "drivers load again" drivers_in
validate
expect "identity: validate ends with 0" 0 $?
expect "identity: every pair is ok" 2 "$(pairs ok)"
say "" "2. The cure: peerpass is loaded before the driver, with"
say "   policy=$policy"
say_validate
say "   Faults counted by the module: $(counted total)."
check "identity: copies for the host to judge" both_copy $identity
expect "identity: no faults" 0 "$(counted total)"

# --- the way back -----------------------------------------------------------------
check "drivers unload again" drivers_out
check "module unloads again" unload peerpass
after0=$(group_type $edu0) after1=$(group_type $edu1)
expect "unloaded: the types are back" "$before0 $before1" "$after0 $after1"
check "unloaded: copies for the host to judge" both_copy $unloaded
say "" "3. peerpass is unloaded, and the domains are what they were:"
{
	printf '    %-14s %-12s %-12s %s\n' device before "with policy" unloaded
	printf '    %-14s %-12s %-12s %s\n' $edu0 "$before0" identity "$after0" $edu1 "$before1" identity "$after1"
} | say
info "total $total lines $lines"
