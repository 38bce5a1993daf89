#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# "make check-debug": the scenarios of the matrix on the debug kernel, in one
# boot for each kind of IOMMU (but for some), and those of debug/.
#
#   debug.sh [--iommu KIND] [SCENARIO...]
#   debug.sh --short     what "make check" runs of it
#
# A report of the kernel, memory that is left behind, and what fails a scenario
# elsewhere: each is a FAIL line here.
set -euo pipefail

. "$(dirname "$0")/common.sh"

# They prove the lab's instruments, not the module; revoke needs an unbinding that
# takes less than a few milliseconds, and hugebar measures time.
LEFT_OUT="smoke evtcure event-reference cuda-dma revoke hugebar bridge64"
# Each has a boot of its own: allocations fail in thousands of loads, or a second
# host bridge brings more devices than the others count on.
APART="failslab failslab-peer bridge iova reach-get"
# What makes windows and domains come and go, in minutes.
# shellcheck disable=SC2034 # by name
SHORT_amd_vi="auto peer"
# shellcheck disable=SC2034
SHORT_vt_d="race removal"

only_iommu='' only='' short=''
while [ $# -gt 0 ]; do
	case $1 in
	--iommu) only_iommu=${2:?--iommu needs a kind}; shift 2 ;;
	--short) short=yes; shift ;;
	-*) die "unknown option '$1': debug.sh takes --iommu, --short and scenario names" ;;
	*) only+=" $1 "; shift ;;
	esac
done

# scenarios KIND - those of the matrix for that kind of IOMMU, whatever kernels
# they are booted on there, and those of debug/. One with options in the matrix
# needs a boot of its own.
scenarios() {
	awk -v kind="$1" -v left_out=" $LEFT_OUT $APART " '
		function has(list, word) { return index("," list ",", "," word ",") }
		/^#/ || !NF || NF > 3 || index(left_out, " " $1 " ") || seen[$1]++ { next }
		has($3, kind) || ($2 == "some" || has($3, "all")) && kind != "none" { print $1 }
	' "$LAB_SRC/matrix"
	# shellcheck disable=SC2086 # a list of words
	[ "$1" = none ] || printf '%s\n' $APART
}

# path NAME - a scenario, without .sh
path() { if [ -e "$LAB_SRC/debug/$1.sh" ]; then echo "$LAB_SRC/debug/$1"; else echo "$LAB_SRC/scenarios/$1"; fi; }

# boot KIND NAME... - one boot, with the devices and files that any of them needs
boot() {
	local kind=$1 name option value options=() run status=0
	shift
	for name; do
		options+=(--add "$(path "$name").sh:/lab/scenarios/$name.sh")
		[ -f "$(path "$name").args" ] || continue
		while read -r option value; do
			# Short waits, but one processor that does the work of two.
			case $option in
			'' | '#'* | --icount) continue ;;
			# Several bring the same one.
			--device) [[ $'\n'$(printf '%s\n' "${options[@]}")$'\n' != *$'\n'"$value"$'\n'* ]] || continue ;;
			esac
			options+=("$option" "$value")
		done <"$(path "$name").args"
	done
	# dma_map_resource() that fails stays in the book of DMA debugging for good
	# (kernel/dma/debug.c up to 6.12 does not look at the result), and a range of
	# another host bridge is taken by letting one fail.
	case $1 in bridge | iova) options+=(--append dma_debug=off) ;; esac
	mkdir -p "$LAB/run"
	run=$(mktemp -d "$LAB/run/debug-$kind.XXXXXX") || return
	"$LAB_SRC/boot.sh" --kernel debug --iommu "$kind" --scenario "$LAB_SRC/debug/all.sh" --out "$run" \
		--append "lab.scenarios=$(IFS=,; echo "$*")" "${options[@]}" || status=1
	for name; do
		[ -f "$(path "$name").host.sh" ] || continue
		# It ends with 0 also when it prints FAIL lines.
		LAB_IOMMU=$kind LAB_KERNEL=debug bash "$(path "$name").host.sh" "$run" >"$run/host.log" 2>&1 || status=1
		sed "s/^\(PASS\|FAIL\|SKIP\) /  &$name: /" "$run/host.log"
		if grep -q '^FAIL' "$run/host.log" || ! grep -q '^PASS' "$run/host.log"; then status=1; fi
	done
	if [ $status = 0 ]; then rm -r "$run"; else echo "  FAIL debug $kind: see above; logs: $run"; fi
	return $status
}

# self - a boot with defects: each is reported, each report fails the boot, and
# nothing else does
self() {
	local out status=0
	out=$("$LAB_SRC/boot.sh" --kernel debug --scenario "$LAB_SRC/debug/defects.sh") || status=$?
	if [ $status = 1 ] && ! grep '^ *FAIL' <<<"$out" | grep -q -v 'FAIL boot: splat in'; then
		sed '/FAIL boot: splat in/d; $d' <<<"$out"
		echo "  PASS debug: a boot with these reports fails"
		rm -r "${out##*logs: }"
	else
		printf '%s\n' "$out"
		echo "  FAIL debug: boot.sh ended with $status: the reports, and nothing else, should have failed it"
		return 1
	fi
}

"$LAB_SRC/debug_kernel.sh"
"$LAB_SRC/build.sh" debug
status=0 booted=0
if [ -z "$only$only_iommu" ] || [[ $only == *" defects "* ]]; then
	booted=1
	self || status=1
fi
# boot_timed KIND NAME...
boot_timed() {
	local start=$SECONDS
	[ $# -gt 1 ] || return 0
	booted=1
	# boot minds failures itself: errexit is off on the left of ||.
	boot "$@" || status=1
	say "debug $*: $(min_sec $((SECONDS - start)))"
}
for kind in none amd-vi vt-d; do
	[ "${only_iommu:-$kind}" = $kind ] || continue
	together=() apart=() chosen=SHORT_${kind//-/_}
	for name in $(scenarios $kind); do
		[ -z "$short" ] || [[ " ${!chosen:-} " == *" $name "* ]] || continue
		[ -z "$only" ] || [[ $only == *" $name "* ]] || continue
		if [[ " $APART " == *" $name "* ]]; then apart+=("$name"); else together+=("$name"); fi
	done
	boot_timed $kind "${together[@]}"
	for name in "${apart[@]}"; do boot_timed $kind "$name"; done
done
[ $booted = 1 ] || die "no scenario matches '$only_iommu $only'"
exit $status
