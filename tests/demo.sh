#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# "make demo": the whole story on a machine without any GPU. Peer-to-peer DMA
# that is silently wrong under a translating IOMMU, the faults counted, the
# cure, and the way back, in virtual machines with AMD-Vi and with VT-d.
#
# The guests' half is tests/lab/scenarios/demo.sh.
set -euo pipefail

. "$(dirname "$0")/lab/common.sh"
. "$LAB_SRC/host_packages.sh"

[ "$(id -u)" = 0 ] || die "the demo builds in a Debian folder of its own (debootstrap, chroot): run it as root"

kernels="6.12 7"
iommus="amd-vi vt-d"
lacking=$(missing_host_packages | xargs | fold -s -w 60 | sed '2,$s/^/                   /')

cat <<END
peerpass demo

  On this machine: ${lacking:-nothing is installed, all build tools are there.}${lacking:+
                   are installed, build tools only; the plan of apt-get comes
                   before it is carried out.}
  In $LAB:
                   a Debian folder with QEMU, compilers and kernels, 1.6 GB,
                   built once; delete it at will. No QEMU, no kernel and no
                   module gets onto the machine itself.
  Then:            boots four virtual machines: kernels ${kernels/ / and },
                   IOMMUs ${iommus/ / and }.

END
"$LAB_SRC/setup.sh"
make -s -C "$LAB_TREE" user
make -s -C "$LAB_TREE/tests/cuda"
for kernel in $kernels; do "$LAB_SRC/build.sh" "$kernel"; done

cat <<'END'

The problem: a GPU that copies to another GPU (peer-to-peer DMA) uses the bus
address of the other's memory. A translating IOMMU has no mapping for it and
drops the transfer. The driver reports success; the data is wrong; the kernel
log has a few lines or none.

The machines below have no GPUs. In their place: QEMU's "edu" devices, which do
DMA, a peer memory for each, and a test library in place of libcuda.so.1.
    #  engine        memory
    0  0000:00:04.0  0000:00:10.0 BAR2, the file mem0 on this machine
    1  0000:00:05.0  0000:00:11.0 BAR2, the file mem1
The IOMMU is QEMU's; kernel, module, DMA, data and faults are as on any machine.
END

work=$(mktemp -d)
boot=''
# shellcheck disable=SC2317 # called by the trap
end() {
	[ -z "$boot" ] || kill -- "-$boot" 2>/dev/null || true
	rm -rf "$work"
}
trap end EXIT

# from_outside RUN - demo.host.sh's lines "PASS host: STATE: mem0 -> mem1: FATE"
# and their FAIL twins as a table
from_outside() {
	printf '    %-14s %-12s %-12s %s\n' copy translated "with policy" unloaded
	sed -n -E 's/^(PASS|FAIL) host: ([a-z]+): (mem. -> mem.): ([a-z ]*).*/\2|\3|\4/p' "$1/host.log" | awk -F'|' '
		!($2 in seen) { order[++n] = $2; seen[$2] }
		{ fate[$2, $1] = $3 }
		END {
			for (i = 1; i <= n; i++)
				printf "    %-14s %-12s %-12s %s\n", order[i], fate[order[i], "translated"],
					fate[order[i], "identity"], fate[order[i], "unloaded"]
		}'
}

# play KERNEL IOMMU - one boot, told as it goes on
play() {
	local run=$work/$2-$1 status=0
	mkdir "$run"
	printf '\n==== %s, kernel %s\n' "$2" "$(lab_kernel "$1" 2)"
	# A process group of its own, so that an interrupt here ends it whole.
	set -m
	"$LAB_SRC/boot.sh" --kernel "$1" --iommu "$2" --scenario "$LAB_SRC/scenarios/demo.sh" \
		--out "$run" >"$run/boot.out" 2>&1 </dev/null &
	boot=$!
	set +m
	# The story as the guest tells it; carriage returns are the serial port's.
	tail -n +1 -s 0.2 --pid=$boot -F "$run/result.log" 2>/dev/null | sed -un 's/\r$//; s/^SAY //p' || true
	wait $boot || status=$?
	boot=''
	printf '\n4. The same copies from outside: this machine compares the files mem0 and mem1.\n'
	from_outside "$run"
	printf '\n'
	grep -E '^ *FAIL |^lab: error' "$run/boot.out" || true
	tail -n 1 "$run/boot.out" | sed -n 's/.*: \([0-9]* passed, [0-9]* failed\), .*, \([0-9]* s\).*/   Checks of this machine: \1 (\2)./p'
	summary+=$(printf '%-7s %-22s %-9s' "$2" "$(lab_kernel "$1" 2)" "$([ $status = 0 ] && echo "as told" || echo FAILED)")
	summary+=$(sed -n 's/^INFO total \([0-9]*\) lines \([0-9]*\).*/ \1 \2/p' "$run/result.log" |
		awk '{ printf "%8d %10d", $1, $2 }')$'\n'
	if [ $status != 0 ]; then
		failed=$((failed + 1))
		keep=$LAB/run/demo-$2-$1
		rm -rf "$keep"
		mkdir -p "$LAB/run"
		mv "$run" "$keep"
		printf '   Logs: %s\n' "$keep"
	fi
}

failed=0 summary=''
for iommu in $iommus; do
	for kernel in $kernels; do play "$kernel" "$iommu"; done
done

printf '\n==== Summary\n\n%-7s %-22s %-9s %8s %10s\n%s' IOMMU kernel outcome faults "log lines" "$summary"
cat <<END

  Translated: every pair corrupt, each copy lost. With policy=...=identity:
  every pair ok, no faults. Unloaded: the types are back.
  $([ $failed = 0 ] && echo "So it was on all machines." || echo "It was NOT so on $failed of them: see FAIL above.")
  The demo took $(min_sec $SECONDS).
END
[ $failed = 0 ]
