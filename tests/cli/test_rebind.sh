# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash disable=SC2154,SC2034
# set --rebind: who is in the way, what is done in which order, and that all is put
# back. Drivers, devices and their sysfs are made up; processes are real.

gpu0=0000:01:00.0 gpu1=0000:41:00.0
export FAKE_EUID=0

# stage [LINE...] - two GPUs with a driver, each alone in its group
stage() {
	empty_sysfs
	add_pci $gpu0 10de 2bb5 030000 12 DMA-FQ nvidia
	add_pci $gpu1 10de 2bb1 030200 44 DMA-FQ nvidia
	: >"$FAKE_SETS"
	world "$@"
}
# drivers EXPECTED0 EXPECTED1 - what the two are bound to
drivers() {
	[ "$(bound_to $gpu0) $(bound_to $gpu1)" = "$1 $2" ] ||
		note "bound to $(bound_to $gpu0) and $(bound_to $gpu1)"
}
asked() {
	[ "$(cat "$FAKE_SETS")" = "$([ $# = 0 ] || printf '%s\n' "$@")" ] ||
		note "asked for: $(tr '\n' ';' <"$FAKE_SETS")"
}

stage
run 0 set gpu0 identity --rebind
says stdout "gpu0 $gpu0: identity"
drivers nvidia nvidia
asked "$gpu0 mode=1 set=- flags=0"
run 0 set gpu0 gpu1 auto:a --rebind -j
json peerpass/set/1 "[d['outcome'] for d in j['devices']] == ['done', 'done']" "j['exit_code'] == 0"
drivers nvidia nvidia
rm "$FAKE_SYSFS/sys/bus/pci/devices/$gpu0/driver"
run 0 set gpu0 identity --rebind
drivers '' nvidia
ok "rebind: unbound, set, bound again; without a driver only set"

FAKE_EUID=1000 fails 1 no_permission 'needs root' set gpu0 identity --rebind
ok "rebind: needs root"

# --- siblings ----------------------------------------------------------------------
stage
add_pci 0000:01:00.1 10de 22e8 040300 12 DMA-FQ snd_hda_intel
add_pci 0000:00:01.0 8086 1901 060400 12 DMA-FQ pcieport
add_pci 0000:01:00.2 10de 1ad6 0c0330 12 DMA-FQ
run 1 set gpu0 identity --rebind
says stdout "refused: sibling_bound: its IOMMU group also holds 0000:01:00.1 (driver snd_hda_intel), which is not touched"
asked
drivers nvidia nvidia
run 1 set gpu0 gpu1 identity --rebind -j
json peerpass/set/1 "[(d['outcome'], d['reason']) for d in j['devices']] == [('refused', 'sibling_bound'), ('not_tried', None)]"
run 0 set gpu0 0000:01:00.1 identity+group+class --rebind
[ "$(bound_to 0000:01:00.1)" = snd_hda_intel ] || note "the sibling lost its driver"
ok "rebind: a sibling with a driver must be named"

# --- holders -------------------------------------------------------------------------
# A character device that anybody can make: a terminal.
hold 'm, s = pty.openpty(); n = os.fstat(s).st_rdev; print(os.major(n), os.minor(n), os.ttyname(s), flush=True)'
read -r major minor tty <<<"$held"
# refuses NAME WHAT - it is held as WHAT, and nothing is touched
refuses_held() {
	run 1 set gpu0 identity --rebind
	says stdout "gpu0 $gpu0: refused: held: it is in use"
	says stdout "in the way: process $holder (python3) uses $2 of $gpu0"
	asked
	drivers nvidia nvidia
	ok "rebind: held: $1"
}
stage
mkdir -p "$FAKE_SYSFS/sys/bus/pci/devices/$gpu0/drm/card0"
echo "$major:$minor" >"$FAKE_SYSFS/sys/bus/pci/devices/$gpu0/drm/card0/dev"
refuses_held "a device node below the device" card0
run 1 set gpu0 identity --rebind -j
json peerpass/set/1 "[(h['pid'], h['command'], h['what'], h['bdf']) for h in j['devices'][0]['holders']] == [($holder, 'python3', 'card0', '$gpu0')]" \
	"j['devices'][0]['reason'] == 'held' and j['devices'][0]['drivers'] == []"
ok "rebind: held: JSON"
# The same with a refusal of the module's, without --rebind.
world "set bdf=$gpu0 reason=4 detail=nvidia"
run 1 set gpu0 identity
says stdout "in the way: process $holder (python3) uses card0 of $gpu0"
says stdout "in the way: driver nvidia on $gpu0"
ok "set: a refusal names the processes"
stage
mkdir -p "$FAKE_SYSFS/proc/driver/nvidia/gpus/$gpu0" "$FAKE_SYSFS/dev"
printf 'Model: \t\t NVIDIA\nDevice Minor: \t 7\nGPU Excluded:\t No\n' >"$FAKE_SYSFS/proc/driver/nvidia/gpus/$gpu0/information"
ln -s "$tty" "$FAKE_SYSFS/dev/nvidia7"
refuses_held "NVIDIA's node" /dev/nvidia7
stage
mkdir -p "$FAKE_SYSFS/dev/vfio"
ln -s "$tty" "$FAKE_SYSFS/dev/vfio/12"
refuses_held "VFIO's node of the group" /dev/vfio/12
letgo
stage
truncate -s 4096 "$FAKE_SYSFS/sys/bus/pci/devices/$gpu0/resource1"
hold "f = os.open('$FAKE_SYSFS/sys/bus/pci/devices/$gpu0/resource1', os.O_RDWR); m = mmap.mmap(f, 4096); os.close(f); print(1, flush=True)"
# Python's mmap keeps a descriptor of its own: both uses are named.
refuses_held "a mapped BAR" 'resource1, mapped'
run 0 set gpu1 identity --rebind
ok "rebind: another device's BAR does not matter"
letgo
stage
mkdir -p "$FAKE_SYSFS/sys/bus/pci/devices/$gpu0/net/eth7" "$FAKE_SYSFS/sys/bus/pci/devices/$gpu1/net/eth8"
echo 0x1003 >"$FAKE_SYSFS/sys/bus/pci/devices/$gpu0/net/eth7/flags"
echo 0x1002 >"$FAKE_SYSFS/sys/bus/pci/devices/$gpu1/net/eth8/flags"
run 1 set gpu0 identity --rebind
says stdout "in the way: $gpu0: network interface eth7 is up"
run 0 set gpu1 identity --rebind
ok "rebind: held: a network interface that is up"

# --- failures, each put back -------------------------------------------------------------
stage "set bdf=$gpu1 on=1 reason=7"
run 1 set gpu0 gpu1 identity --rebind
says stdout "gpu0 $gpu0: undone, because another device was not all right; all is as it was"
says stdout "gpu1 $gpu1: refused: snp: the IOMMU enforces SEV-SNP, identity domains are illegal there; all is as it was"
asked "$gpu0 mode=1 set=- flags=0" "$gpu1 mode=1 set=- flags=0" "$gpu0 mode=policy set=- flags=0"
drivers nvidia nvidia
ok "rebind: refused by the module: put back"
stage "set bdf=$gpu0 on=1 error=110"
run 1 set gpu0 identity --rebind -j
json peerpass/set/1 "j['devices'][0]['outcome'] == 'failed' and j['devices'][0]['reason'] == 'unknown_outcome'" \
	"j['devices'][0]['put_back'] is True"
asked "$gpu0 mode=1 set=- flags=0" "$gpu0 mode=policy set=- flags=0"
drivers nvidia nvidia
ok "rebind: no answer in time: put back"
stage
FAKE_UNBIND=$gpu1=errno-16 run 1 set gpu0 gpu1 identity --rebind
says stdout "gpu1 $gpu1: failed: unbind_failed: its driver nvidia could not be unbound: Device or resource busy"
says stdout "gpu0 $gpu0: undone"
asked
drivers nvidia nvidia
ok "rebind: cannot be unbound: put back"
stage
FAKE_BIND=$gpu1=once-5 run 1 set gpu0 gpu1 identity --rebind
says stdout "gpu1 $gpu1: failed: bind_failed: its driver nvidia could not be bound again: Input/output error; all is as it was"
says stdout "gpu0 $gpu0: undone, because another device was not all right; all is as it was"
asked "$gpu0 mode=1 set=- flags=0" "$gpu1 mode=1 set=- flags=0" "$gpu1 mode=policy set=- flags=0" "$gpu0 mode=policy set=- flags=0"
drivers nvidia nvidia
ok "rebind: does not bind in the new mode: put back"
stage
FAKE_BIND=$gpu0=errno-5 run 1 set gpu0 identity --rebind
says stdout "it is without its driver nvidia now (Input/output error): echo $gpu0 >/sys/bus/pci/drivers/nvidia/bind"
stage
FAKE_BIND=$gpu0=errno-5 run 1 set gpu0 identity --rebind -j
json peerpass/set/1 "j['devices'][0]['put_back'] is False and j['devices'][0]['outcome'] == 'failed'"
ok "rebind: it is said when the driver does not come back"

# --- a driver that does not return ----------------------------------------------------------
# left - the process that was left behind, and ends it
left() {
	stuck=$(grep -o 'process [0-9]* (state' "$out/stdout" | grep -o '[0-9]*')
	[ -n "$stuck" ] || note "no process was left behind"
	kill -KILL "$stuck" 2>/dev/null || note "the process $stuck did not stay"
}
stage
start=$SECONDS
FAKE_UNBIND=$gpu1=hang run 1 set gpu0 gpu1 identity --rebind --timeout 1
[ $((SECONDS - start)) -le 10 ] || note "took $((SECONDS - start)) s"
says stdout "gpu1 $gpu1: stuck: driver_stuck: its driver nvidia does not return from remove(); process "
says stdout "gpu0 $gpu0: undone, because another device was not all right; all is as it was"
left
asked
drivers nvidia nvidia
ok "rebind: stuck in remove(): left alone, the others are put back"
stage
FAKE_BIND=$gpu0=hang run 1 set gpu0 gpu1 identity --rebind --timeout 1
says stdout "gpu0 $gpu0: stuck: driver_stuck: its driver nvidia does not return from probe(); process "
left
asked "$gpu0 mode=1 set=- flags=0" "$gpu1 mode=1 set=- flags=0" "$gpu1 mode=policy set=- flags=0"
drivers '' nvidia
ok "rebind: stuck in probe(): left alone, the others are put back"
# Whoever reads the output to its end must not wait for the stuck process.
stage
start=$SECONDS
ran='set | cat'
FAKE_UNBIND=$gpu0=hang LD_PRELOAD=$out/fakenl.so "$peerpass" set gpu0 identity --rebind --timeout 1 2>&1 | cat >"$out/stdout"
[ $((SECONDS - start)) -le 10 ] || note "took $((SECONDS - start)) s"
left
ok "rebind: stuck: a pipe does not wait for it"

# --- signals ----------------------------------------------------------------------------------
for signal in INT TERM HUP; do
	stage
	ran="set --rebind, SIG$signal"
	FAKE_UNBIND="$gpu0=slow-2000" LD_PRELOAD=$out/fakenl.so env --default-signal=INT,HUP \
		"$peerpass" set gpu0 gpu1 identity --rebind -j >"$out/stdout" 2>"$out/stderr" &
	helper=$!
	for _ in $(seq 100); do ps -o pid= --ppid $helper >/dev/null && break; sleep 0.05; done
	kill -$signal $helper
	wait $helper
	status=$?
	[ $status = 1 ] || note "exit code $status"
	json peerpass/set/1 "[(d['outcome'], d['reason']) for d in j['devices']] == [('failed', 'interrupted'), ('not_tried', None)]" \
		"j['devices'][0]['put_back'] is True"
	asked
	drivers nvidia nvidia
done
ok "rebind: a signal puts everything back"
unset FAKE_EUID
empty_sysfs
