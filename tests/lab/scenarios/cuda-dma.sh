# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=dash disable=SC1091
# The test-only libcuda.so.1 by itself, without peerpass: copies between its
# "GPUs" succeed, and the data is lost, in translating domains; the data is
# there in identity domains, and the same for its kernels; some of its switches do
# what they say (tests/cuda/run.sh has all).
. /lab/lib.sh

cure_amd_6_1
amd=$([ "$(iommu_kind)" = amd-vi ] && echo yes)

drivers_in() { load pp_test_edu && load pp_test_ivshmem; }
drivers_out() { unload pp_test_edu && unload pp_test_ivshmem; }

# gpus [SWITCHES [kernels]] - runs the test program; its output is in /run/gpus
gpus() { PP_TEST_CUDA=$1 cuda-dma ${2:+"$2"} >/run/gpus 2>&1; }

# all WORD HOW... - every pair's copy of that kind ended so
all() {
	local word=$1 how
	shift
	for how; do
		[ "$(grep -c "^[01] [01] $how $word" /run/gpus)" = 2 ] || return 1
	done
}

# outcome NAME WORD HOW... - the check for it
outcome() {
	local name=$1
	shift
	if all "$@"; then pass "$name"; else fail "$name" "expected $*, found $(tail -n 6 /run/gpus)"; fi
}

refuse "no driver, no GPU" gpus ''
matches "no driver: the error" 'cuInit: CUDA_ERROR_NO_DEVICE' "$(cat /run/gpus)"

# --- translating ----------------------------------------------------------------
check "drivers" drivers_in
[ -z "$amd" ] || check "reference count" event-reference.sh start
check "translating: every call succeeds" gpus ''
info "translating: $(tr '\n' ';' </run/gpus)"
expect "GPU 0 is the first edu" "gpu 0 0000:00:04.0" "$(grep -o '^gpu 0 [^ ]*' /run/gpus)"
outcome "translating: writes never arrive" untouched write
outcome "translating: reads bring no data" '\(untouched\|wrong\)' read
outcome "translating: through the host" ok host
# 4 copies of 4080 bytes, each by transfers of 2040 bytes, 4 bytes an event.
if [ -n "$amd" ]; then
	sleep 1
	expect "translating: faults" 4080 "$(event-reference.sh read)"
	expect "translating: faults of GPU 0" 2040 "$(event-reference.sh read "$(edu_bdf 0)")"
fi

check "translating: every call for kernels succeeds" gpus '' kernels
info "translating: $(tr '\n' ';' </run/gpus)"
outcome "translating: what kernels write never arrives" wrong-64 kernel-write
outcome "translating: what kernels read is wrong" wrong-64 kernel-read
outcome "translating: flags never come" late order all-reduce
[ -z "$amd" ] || { sleep 1; before=$(event-reference.sh read); }

# --- identity, by hand ------------------------------------------------------------
drivers_out
for n in 0 1; do echo identity >"/sys/bus/pci/devices/$(edu_bdf $n)/iommu_group/type"; done
drivers_in
expect "identity: type" identity "$(group_type "$(edu_bdf 0)")"
check "identity: every call succeeds" gpus ''
outcome "identity: the data is right" ok write read host
check "identity: every call for kernels succeeds" gpus '' kernels
outcome "identity: kernels do what they should" ok kernel-write kernel-read order all-reduce
[ -z "$amd" ] || expect "identity: no faults" "$before" "$(event-reference.sh read)"
check "flagfirst: every call succeeds" gpus flagfirst kernels
outcome "flagfirst: data is not there when its flag is" 'wrong-[0-9]*' order
outcome "flagfirst: copies" ok kernel-write kernel-read

# --- switches ----------------------------------------------------------------------
check "drop: every call succeeds" gpus drop
outcome "drop: nothing moves" untouched write read
outcome "drop: through the host" ok host
check "flip: every call succeeds" gpus flip
outcome "flip: one word is wrong" 'wrong-1$' write read
outcome "flip: through the host" ok host
check "badhost: every call succeeds" gpus badhost
outcome "badhost: one word is wrong" 'wrong-1$' host
outcome "badhost: between devices" ok write read
refuse "noaccess" gpus noaccess
matches "noaccess: said" '0 1 access 0.*cuCtxEnablePeerAccess: CUDA_ERROR_PEER_ACCESS_UNSUPPORTED' \
	"$(tr '\n' ' ' </run/gpus)"
refuse "nodev" gpus nodev
matches "nodev: the error" 'cuInit: CUDA_ERROR_NO_DEVICE' "$(cat /run/gpus)"
refuse "initfail" gpus initfail
matches "initfail: the error" 'cuInit: CUDA_ERROR_SYSTEM_NOT_READY' "$(cat /run/gpus)"
refuse "a misspelt switch" gpus dorp
PP_TEST_CUDA=hang timeout 5 cuda-dma >/run/gpus 2>&1
expect "hang: ended from outside" 143 $?
expect "hang: before the first copy's end" 0 "$(grep -c write /run/gpus)"
PP_TEST_CUDA_CHUNK=4096 cuda-dma 4096 >/run/gpus 2>&1
outcome "chunks of 4096 bytes" ok write read

check "drivers leave" drivers_out
