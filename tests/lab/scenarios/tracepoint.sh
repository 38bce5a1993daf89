# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=dash disable=SC1091
# Without hardware records (booted without an IOMMU) the tracepoint is the source.
. /lab/lib.sh

check "loads" load peerpass
status=$(peerpass status --all -j)
matches "IOMMU kind" '"kind": "none"' "$status"
check "faults are reported" load pp_test_report reads=700 writes=300
faults=$(peerpass faults -j)
matches "source" '"source": "tracepoint"' "$faults"
matches "a lower bound, and why" '"tracepoint_only"' "$faults"
matches "total" '"total": 1000' "$faults"
matches "reads" '"read": 700' "$faults"
matches "writes" '"write": 300' "$faults"
matrix=$(peerpass faults --matrix)
matches "initiator and target" '0000:00:04.0' "$matrix"
matches "target BAR" '0000:00:10.0.*(BAR ?2|2)' "$matrix"
unload pp_test_report
check "unloads" unload peerpass
check "nothing listens any more" load pp_test_report reads=700
unload pp_test_report
