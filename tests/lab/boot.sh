#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Boots one virtual machine, runs one scenario in it, and judges.
#
#   boot.sh --scenario FILE [option...]
#
#   --kernel SERIES     6.1, 6.12, 7 or debug; default 6.12
#   --iommu KIND        amd-vi, vt-d or none; default amd-vi
#   --iommu-args TEXT   more properties of the IOMMU device: aw-bits=39
#   --edu N             DMA initiators, at 0000:00:04.0 and on; default 2
#   --ivshmem N         1 MiB peer memories, at 0000:00:10.0 and on, backed by
#                       mem0, mem1, ... in the run directory; default 2
#   --module NAME       brings a module of the distribution (repeatable)
#   --add FILE[:PATH]   brings a file, with the shared libraries it needs
#                       (repeatable); relative to the tree; default path
#                       /usr/local/bin/<name>
#   --append TEXT       more kernel command line (repeatable)
#   --device TEXT       one more device of QEMU's (repeatable); its --drive TEXT
#   --qemu-arg WORD     one more word for QEMU (repeatable)
#   --external SLOT     the root port in that slot of bus 0 leads out of the
#                       machine, says an ACPI table (repeatable)
#   --smp N, --memory M processors (2), memory (512M; debug 1G)
#   --icount            virtual time follows the instructions executed
#   --trace PATTERN     QEMU trace events into trace.log (repeatable)
#   --timeout SECONDS   default 300; the debug kernel, being slow, has 6 times it
#   --out DIR           keeps the run directory here (default: removed when
#                       all is well, kept and named when not)
#
# Run directory: console.log (ttyS0), result.log (ttyS1, the verdict),
# kernel.log (ttyS2, the whole kernel log), mem0..., qemu.log, trace.log. QEMU
# runs in it, so that arguments may name files there.
#
# Beside SCENARIO.sh there may be SCENARIO.args: options of this script, one a
# line, that every boot of the scenario has; and SCENARIO.host.sh: it is run on
# this machine after the boot with the run directory as argument, and its PASS
# and FAIL lines count like the guest's. SCENARIO.during.sh is run during the
# boot: "exec python3 .../qmp.py RUN-DIRECTORY" does what the guest asks for.
#
# With PEERPASS_LONG=1 in the environment the guest's "count N" is N, not N/20,
# and it has 12 times as long.
#
# Exit status 0: everything passed. 1: something failed. The guest's verdict
# is necessary, never sufficient.
#
# shellcheck disable=SC2054 # QEMU's properties are separated by commas
set -euo pipefail

. "$(dirname "$0")/common.sh"
. "$LAB_SRC/qemu.sh"
. "$LAB_SRC/initramfs.sh"

kernel=6.12 iommu=amd-vi iommu_args='' scenario='' timeout=300 edu=2 ivshmem=2
smp=2 memory='' out='' accel=tcg
append=() external=() qemu_args=() add=() modules=() trace=() icount=()

# The scenario's own options come first: those of the command line win.
for ((i = 1; i < $#; i++)); do
	if [ "${!i}" = --scenario ]; then
		word=$((i + 1))
		scenario=${!word}
	fi
done
if [ -f "${scenario%.sh}.args" ]; then
	own=()
	while read -r option value; do
		case $option in '' | '#'*) continue ;; esac
		own+=("$option")
		[ -z "$value" ] || own+=("$value")
	done <"${scenario%.sh}.args"
	set -- "${own[@]}" "$@"
fi

while [ $# -gt 0 ]; do
	case $1 in
	--icount) icount=(-icount shift=auto,sleep=off) ;;
	--help) sed -n '4,/^set/s/^# \?//p' "$0"; exit 0 ;;
	--*) [ $# -gt 1 ] || die "$1 needs a value" ;;&
	--kernel) kernel=$2; shift ;;
	--iommu) iommu=$2; shift ;;
	--iommu-args) iommu_args=,$2; shift ;;
	--scenario) scenario=$2; shift ;;
	--timeout) timeout=$2; shift ;;
	--edu) edu=$2; shift ;;
	--ivshmem) ivshmem=$2; shift ;;
	--smp) smp=$2; shift ;;
	--memory) memory=$2; shift ;;
	--out) out=$2; shift ;;
	--append) append+=("$2"); shift ;;
	--device) qemu_args+=(-device "$2"); shift ;;
	--drive) qemu_args+=(-drive "$2"); shift ;;
	--external) external+=("$2"); shift ;;
	--qemu-arg) qemu_args+=("$2"); shift ;;
	--add) add+=("$2"); shift ;;
	--module) modules+=("$2"); shift ;;
	--trace) trace+=(-trace "enable=$2"); shift ;;
	*) die "unknown option '$1': boot.sh --help lists them" ;;
	esac
	shift
done

[ -n "$scenario" ] || die "no scenario: boot.sh --scenario FILE"
[ -f "$scenario" ] || die "there is no scenario file $scenario"
release=$(lab_kernel "$kernel" 2)
if [ "$kernel" = debug ]; then
	timeout=$((timeout * 6)) memory=${memory:-1G}
	# Each defect has its report, not only the first.
	append=(kmemleak=on kasan_multi_shot "${append[@]}")
fi
if [ "${PEERPASS_LONG:-}" = 1 ]; then
	timeout=$((timeout * 12))
	append+=(lab.long=1)
fi

case $iommu in
amd-vi) iommu_device=(-device "amd-iommu,intremap=on,dma-remap=on$iommu_args"); cmdline="amd_iommu=on" ;;
vt-d) iommu_device=(-device "intel-iommu,intremap=on$iommu_args"); cmdline="intel_iommu=on" ;;
none) iommu_device=(); cmdline="" ;;
*) die "unknown IOMMU '$iommu': amd-vi, vt-d or none" ;;
esac

mkdir -p "$LAB/cache" "$LAB/run"
if [ -n "$out" ]; then
	mkdir -p "$out"
	run=$(cd "$out" && pwd)
	rm -f "$run"/{console,result,kernel,qemu,trace}.log "$run"/mem*
else
	run=$(mktemp -d "$LAB/run/$kernel-$iommu-$(basename "$scenario" .sh).XXXXXX")
fi

# --- the guest's files -------------------------------------------------------
overlay=$(mktemp -d "$LAB/cache/overlay.XXXXXX")
trap 'rm -rf "$overlay"' EXIT
overlay_add "$overlay" "$scenario" /lab/scenario.sh
# Not while build.sh is at it.
mkdir -p "$LAB/out"
exec 8>>"$LAB/out/$kernel.lock"
flock -s 8
for f in "$LAB/out/$kernel"/*.ko; do
	[ ! -e "$f" ] || overlay_add "$overlay" "$f" "/lib/peerpass/$(basename "$f")"
done
exec 8>&-
for f in "$LAB_SRC"/guest/bin/*; do
	[ ! -e "$f" ] || overlay_add "$overlay" "$f" "/usr/local/bin/$(basename "$f")"
done
[ ! -e "$LAB_TREE/build/peerpass" ] || overlay_add "$overlay" "$LAB_TREE/build/peerpass" /usr/local/bin/peerpass
for f in "${add[@]}"; do
	[[ $f = /* ]] || f=$LAB_TREE/$f
	case $f in
	*:*) overlay_add "$overlay" "${f%%:*}" "${f#*:}" ;;
	*) overlay_add "$overlay" "$f" "/usr/local/bin/$(basename "$f")" ;;
	esac
done
for f in "${modules[@]}"; do overlay_module "$overlay" "$release" "$f"; done
base=$(initramfs_base)
pack "$overlay" "$run/overlay.cpio"
cat "$base" "$run/overlay.cpio" >"$run/initrd"
rm "$run/overlay.cpio"

# --- the machine -------------------------------------------------------------
# 46 address bits: with the default of 40, 64-bit BARs land in the range that
# AMD reserves for HyperTransport, which no AMD IOMMU translates.
lab_qemu_command
machine=("${QEMU[@]}" -accel "$accel" -machine q35,kernel-irqchip=split -cpu qemu64,phys-bits=46
	-smp "$smp" -m "${memory:-512M}" -nodefaults -nographic -no-reboot "${icount[@]}"
	-serial file:console.log -serial file:result.log -serial file:kernel.log
	-qmp unix:qmp,server=on,wait=off "${iommu_device[@]}")
for ((i = 0; i < edu; i++)); do
	machine+=(-device "edu,id=edu$i,dma_mask=0xffffffffffffffff,addr=$(printf '0x%02x' $((4 + i)))")
done
for ((i = 0; i < ivshmem; i++)); do
	truncate -s 1M "$run/mem$i"
	machine+=(-object "memory-backend-file,id=mem$i,mem-path=mem$i,size=1M,share=on"
		-device "ivshmem-plain,id=ivshmem$i,memdev=mem$i,addr=$(printf '0x%02x' $((16 + i)))")
done
if [ ${#external[@]} -gt 0 ]; then
	"$LAB_SRC/external_ports.py" "${external[@]}" >"$run/external.aml"
	machine+=(-acpitable "sig=SSDT,oem_id=LAB,oem_table_id=EXTPORTS,data=external.aml")
fi
[ ${#trace[@]} = 0 ] || machine+=("${trace[@]}" -D trace.log)
# loglevel 5: warnings, and so every splat, reach the console. no_timer_check:
# on a busy machine the emulated timer can miss the kernel's test of it, which
# then panics; under KVM the kernel leaves the test out itself. For the same
# reason a stall is one only after a minute, as on the debug kernel.
machine+=("${qemu_args[@]}" -kernel "$(lab_image "$kernel")" -initrd initrd -append
	"console=ttyS0,115200 loglevel=5 panic=-1 oops=panic no_timer_check rcupdate.rcu_cpu_stall_timeout=60 log_buf_len=4M $cmdline lab.kernel=$kernel lab.iommu=$iommu ${append[*]}")
printf '%q ' "${machine[@]}" >"$run/command"

export LAB_IOMMU=$iommu LAB_KERNEL=$kernel
start=$SECONDS status=0 during=''
if [ -f "${scenario%.sh}.during.sh" ]; then
	bash "${scenario%.sh}.during.sh" "$run" >"$run/during.log" 2>&1 &
	during=$!
fi
(cd "$run" && exec timeout --foreground --kill-after=10 "$timeout" "${machine[@]}" </dev/null >qemu.log 2>&1) || status=$?
took=$((SECONDS - start))
if [ -n "$during" ]; then wait "$during" || true; fi
rm -f "$run/initrd" "$run/qmp"

# --- the judgement -----------------------------------------------------------
lines=$run/lines
: >"$lines"
verdict=$(tail -n 1 "$run/result.log" 2>/dev/null || true)
grep -a -E '^(PASS|FAIL|SKIP|INFO) ' "$run/result.log" >>"$lines" 2>/dev/null || true
seen=$(grep -c '^PASS ' "$lines" || true)

blame() { printf 'FAIL boot: %s\n' "$*" >>"$lines"; }

case $status in
0) ;;
124 | 137) blame "no end after $timeout s; last on the console: $(tail -n 1 "$run/console.log" | tr -d '\r')" ;;
*) blame "QEMU ended with status $status: $(tail -n 1 "$run/qemu.log")" ;;
esac
case $verdict in
"VERDICT pass $seen") ;;
"VERDICT pass "*) blame "the guest counted '${verdict#VERDICT pass }' passes, $seen arrived" ;;
"VERDICT fail "*) ;;
*) blame "no verdict from the guest; last on the console: $(tail -n 1 "$run/console.log" | tr -d '\r')" ;;
esac
[ "$seen" -gt 0 ] || blame "nothing passed"

grep -v '^#' "$LAB_SRC/splats" >"$run/splats"
for log in console.log kernel.log; do
	if splat=$(grep -a -m 1 -n -E -f "$run/splats" "$run/$log"); then
		blame "splat in $log, line $(tr -d '\r' <<<"$splat")"
	fi
done
rm "$run/splats"

if [ -f "${scenario%.sh}.host.sh" ]; then
	host=0
	bash "${scenario%.sh}.host.sh" "$run" >"$run/host.log" 2>&1 || host=$?
	cat "$run/host.log" >>"$lines"
	[ "$host" = 0 ] || blame "$(basename "${scenario%.sh}.host.sh") ended with status $host"
	grep -q '^PASS ' "$run/host.log" || blame "$(basename "${scenario%.sh}.host.sh") proved nothing"
fi

count() { grep -c "^$1 " "$lines" || true; }
failed=$(count FAIL)
sed 's/^/  /' "$lines"
summary="boot $kernel ($release) $iommu $(basename "$scenario"): $(count PASS) passed, $failed failed, $(count SKIP) skipped, $took s"
if [ "$failed" = 0 ]; then
	printf '%s\n' "$summary"
	[ -n "$out" ] || rm -r "$run"
	exit 0
fi
printf '%s; logs: %s\n' "$summary" "$run"
exit 1
