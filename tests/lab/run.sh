#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Boots every line of the matrix, or only those of the scenarios named:
#
#   run.sh [--all] [--kernel SERIES] [--iommu KIND] [SCENARIO...]
#
# --all, or PEERPASS_LONG=1: all of what the matrix boots some of.
#
# Prints PASS, FAIL and SKIP lines; ends with 1 when a boot failed.
set -euo pipefail

. "$(dirname "$0")/common.sh"

only_kernel='' only_iommu='' every=${PEERPASS_LONG:-}
while [ $# -gt 0 ]; do
	case $1 in
	--all) every=1; shift ;;
	--kernel) only_kernel=${2:?--kernel needs a series}; shift 2 ;;
	--iommu) only_iommu=${2:?--iommu needs a kind}; shift 2 ;;
	-*) die "unknown option '$1': run.sh takes --all, --kernel, --iommu and scenario names" ;;
	*) break ;;
	esac
done

# wanted WORD LIST... - is it in the list, or the list empty?
wanted() {
	local word=$1 w
	shift
	[ $# -gt 0 ] || return 0
	for w; do [ "$w" != "$word" ] || return 0; done
	return 1
}

status=0 booted=0
while read -r scenario kernels iommus options; do
	case $scenario in '' | '#'*) continue ;; esac
	wanted "$scenario" "$@" || continue
	half=
	case $kernels.$every.$iommus in
	some.1.*) kernels=all iommus=all ;;
	some.*.*:*) kernels=${iommus%%:*} iommus=${iommus#*:} ;;
	some.*) half=$iommus kernels=all iommus=all ;;
	esac
	kernels=${kernels/all/$(lab_series | paste -sd,)}
	iommus=${iommus/all/amd-vi,vt-d}
	# The halves alternate: one IOMMU, the other one, and so on.
	nth=0
	for kernel in ${kernels//,/ }; do
		nth=$((nth + 1))
		for iommu in ${iommus//,/ }; do
			case $half.$(((nth + half) % 2)).$iommu in
			[12].0.vt-d | [12].1.amd-vi) continue ;;
			esac
			[ "${only_kernel:-$kernel}" = "$kernel" ] || continue
			[ "${only_iommu:-$iommu}" = "$iommu" ] || continue
			booted=$((booted + 1))
			# shellcheck disable=SC2086 # the options are words
			"$LAB_SRC/boot.sh" --kernel "$kernel" --iommu "$iommu" \
				--scenario "$LAB_SRC/scenarios/$scenario.sh" $options </dev/null 2>&1 |
				sed -E "s/^  (PASS|FAIL|SKIP) /&$kernel $iommu: /" || status=1
		done
	done
done <"$LAB_SRC/matrix"
[ $booted -gt 0 ] || die "nothing in tests/lab/matrix matches '${only_kernel:-any kernel} ${only_iommu:-any IOMMU} $*'"
exit $status
