# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=dash disable=SC1091
# A crash kernel (elfcorehdr= on its command line): load, do nothing.
. /lab/lib.sh

cure_amd_6_1
dma=$(group_type "$(edu_bdf 0)")
check "loads" load peerpass policy=0000:00:04.0=identity+class
matches "says so" '"state": "kdump"' "$(peerpass status -j)"
expect "nothing changed" "$dma" "$(group_type "$(edu_bdf 0)")"
edu write "$(edu_bdf 0)" "$(ivshmem_bdf 0)" 64 >/dev/null
matches "nothing counted" '"total": 0|"total": null|"devices": \[\]' "$(peerpass status -j)"
check "unloads" unload peerpass
