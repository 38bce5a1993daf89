# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash disable=SC2154,SC2034
# validate --check: is a verdict file believed, and does it still hold? Nothing of
# CUDA is there.

# Files of whoever runs the tests count as root's.
FAKE_OWNER=$(id -u)
export FAKE_OWNER

# checks CODE [ARGUMENT...] - as text, then as JSON, of the verdict at $verdict
checks() {
	local code=$1
	shift
	run "$code" validate --check="$verdict_file" "$@" -j
	silent stderr
	cp "$out/stdout" "$out/check.json"
	json peerpass/check/1 "j['exit_code'] == $code" "j['file'] == '$verdict_file'"
	run "$code" validate --check="$verdict_file" "$@"
	silent stderr
}

# stale NAMES TEXT [ARGUMENT...] - it does not hold, for these reasons
stale() {
	local names=$1 text=$2
	shift 2
	checks 16 "$@"
	says stdout "$text"
	grep -vqE "^does not hold: |^Next: peerpass validate$" "$out/stdout" &&
		note "another line: $(cat "$out/stdout")"
	cp "$out/check.json" "$out/stdout"
	json peerpass/check/1 "' '.join(r['reason'] for r in j['reasons']) == '$names'" \
		"not j['holds']" "j['next'] == 'peerpass validate'"
}

world
verdict_file
checks 0
says stdout 'holds: ok, 2 devices, level default, finished 2026-11-29T18:55:01Z'
[ "$(wc -l <"$out/stdout")" = 1 ] || note "not one line"
cp "$out/check.json" "$out/stdout"
json peerpass/check/1 "j['holds'] and j['believed'] and j['verdict'] == 'ok' and j['reasons'] == []" \
	"j['level'] == 'default' and not j['forced'] and j['next'] is None"
FAKE_EUID=1000 run 0 validate --check="$verdict_file" gpu1 01:00.0
run 0 validate gpu0 --check="$verdict_file"
verdict_file 'j["forced"] = True'
run 0 validate --check="$verdict_file"
says stdout 'level default, forced, finished'
ok "check: it holds"

verdict_file 'j.update(verdict="corrupt_with_faults", exit_code=11, text="1 of 2 pairs is", next="peerpass status")' \
	'j["pairs"][0]["verdict"] = "corrupt_with_faults"'
checks 11
says stdout 'holds: corrupt_with_faults, 2 devices'
says stdout '1 of 2 pairs is. Next: peerpass status'
cp "$out/check.json" "$out/stdout"
json peerpass/check/1 "j['holds'] and [r['reason'] for r in j['reasons']] == ['not_proved']" \
	"j['next'] == 'peerpass status'"
verdict_file 'j.update(verdict="not_safe_to_test", exit_code=17, pairs=[])'
checks 17
ok "check: it holds and is not ok: its own exit code"

verdict_file 'j["host"]["boot_id"] = "0"'
stale other_boot 'the verdict is of 0'
verdict_file 'j["host"]["kernel"] = "6.1"'
stale other_kernel 'the verdict is of 6.1'
verdict_file 'j["driver"]["version"] = "595.45.04"'
stale other_driver "the NVIDIA driver's version is none, the verdict is of 595.45.04"
mkdir -p "$FAKE_SYSFS/sys/module/nvidia" "$FAKE_SYSFS/proc/driver/nvidia"
echo 595.45.04 >"$FAKE_SYSFS/sys/module/nvidia/version"
stale_option() { verdict_file 'j["driver"]["version"] = "595.45.04"' "j['driver']['dma_remap_peer_mmio'] = '$1'"; }
stale_option on
stale other_driver_option 'DmaRemapPeerMmio of the NVIDIA driver is unknown, was on'
echo 'DmaRemapPeerMmio: 1' >"$FAKE_SYSFS/proc/driver/nvidia/params"
checks 0
stale_option off
stale other_driver_option 'DmaRemapPeerMmio of the NVIDIA driver is on, was off'
rm "$FAKE_SYSFS/sys/module/nvidia/version"
echo 'NVRM version: NVIDIA UNIX x86_64 Kernel Module  535.54.03  Tue Jun  6 2023' >"$FAKE_SYSFS/proc/driver/nvidia/version"
stale_option on
stale other_driver "the NVIDIA driver's version is 535.54.03"
empty_sysfs
ok "check: another boot, kernel, driver or option of it"

verdict_file
sed -i '/bdf=0000:41/d' "$FAKE_WORLD"
stale device_gone '0000:41:00.0 is not there any more'
world
add_pci 0000:41:00.0 10de 2bb1 030200
printf '\377\377\377\377' >"$FAKE_SYSFS/sys/bus/pci/devices/0000:41:00.0/config"
stale device_gone '0000:41:00.0 does not answer: it reads all ones'
printf '\336\020\261\053' >"$FAKE_SYSFS/sys/bus/pci/devices/0000:41:00.0/config"
checks 0
empty_sysfs
world_of_identity
stale 'other_domain other_domain' 'the domain of 0000:01:00.0 is identity, was DMA-FQ'
world
sed -i '/bdf=0000:01/s/$/ mode=3/' "$FAKE_WORLD"
stale other_mode 'the mode of 0000:01:00.0 is peer (set of peers: none), was none (none)'
world
world 'dev bdf=0000:81:00.0 present=1 vendor=10de device=2bb1 class=030200 wanted=0 actual=2 reason=0'
stale not_covered 'the verdict is not about 0000:81:00.0' gpu0 gpu2
run 0 validate --check="$verdict_file"
ok "check: devices"

world
fails 1 no_device 'there is no device 99:00.0' validate --check="$verdict_file" 99:00.0
ok "check: a device that does not exist"

world nofamily
add_pci 0000:01:00.0 10de 2bb5 030000 12 DMA-FQ nvidia
add_pci 0000:41:00.0 10de 2bb1 030200 13 DMA-FQ nvidia
stale module_gone 'the verdict is of a host with the peerpass module: the peerpass module is not loaded'
verdict_file 'j["module"] = None'
checks 0
mkdir -p "$FAKE_SYSFS/sys/module/peerpass"
verdict_file
stale module_gone 'cannot be reached from this network namespace'
world
rm -r "$FAKE_SYSFS/sys/module/peerpass"
verdict_file 'j["module"]["instance"] = 99'
stale module_reloaded 'was loaded again'
verdict_file 'j["module"]["version"] = "0.0.9"'
stale module_other_version 'the peerpass module is version 0.1.0, was 0.0.9'
verdict_file
sed -i 's/ state=0/ state=1/' "$FAKE_WORLD"
stale module_gone 'the one that is loaded does nothing'
world 'quirk info error 5 gone'
fails 1 refused 'gone: Input/output error' validate --check="$verdict_file"
empty_sysfs
ok "check: the module"

world
verdict_file 'j["devices"][0]["faults"] = 7' 'j["pairs"][0]["faults"] = 7'
printf '0000:01:00.0 0000:41:00.0 1 1 7\n' >"$FAKE_FAULTS"
checks 0
printf '0000:01:00.0 0000:41:00.0 1 1 3\n0000:41:00.0 - 0 2 1\n' >>"$FAKE_FAULTS"
stale 'faults_since faults_since' '3 new faults of 0000:01:00.0 on 0000:41:00.0'
json peerpass/check/1 "[(r['device'][5:7], r['target'], r['faults']) for r in j['reasons']] == [('01', '0000:41:00.0', 3), ('41', None, 1)]"
ok "check: faults since then"

# What is not believed, each with its own reason.
world
verdict_file
chmod 664 "$verdict_file"
stale verdict_writable 'others than root may write to it'
chmod 644 "$verdict_file"
chmod 777 "$out/verdict"
stale verdict_folder 'others than root may write to its folder'
chmod 755 "$out/verdict"
mv "$verdict_file" "$out/verdict/other.json"
ln -s other.json "$verdict_file"
stale verdict_not_a_file 'it is a link'
rm "$verdict_file"
stale verdict_absent 'there is no verdict'
truncate -s 33M "$verdict_file"
stale verdict_too_large 'it is larger than 32 MiB'
echo '{"schema":"peerpass/verdict/9"}' >"$verdict_file"
stale verdict_schema 'its schema is peerpass/verdict/9, expected peerpass/verdict/1'
head -c 500 "$out/verdict/other.json" >"$verdict_file"
stale verdict_not_json 'it is not one JSON object'
verdict_file 'j["devices"][0]["faults"] = -1'
stale verdict_malformed 'is not a whole number of at least 0'
verdict_file 'j["exit_code"] = 10'
stale verdict_malformed 'verdict "ok" with exit code 10'
verdict_file
if [ "$(id -u)" = 0 ]; then
	chown 4711 "$verdict_file"
	stale verdict_owner 'it does not belong to root'
else
	FAKE_OWNER=4711 stale verdict_folder 'others than root'
fi
verdict_file
ok "check: a file that is not believed"

fails 2 usage '"/etc" is not a device' validate --check /etc
says stdout 'a file is given as --check=FILE'
fails 2 usage '"/etc/" is not a file' validate --check=/etc/
fails 2 usage 'unknown option --size' validate --check --size
fails 2 usage '"nonsense" is not a device' validate --check="$verdict_file" nonsense
run 0 validate --check --help
says stdout 'Usage: peerpass validate --check'
if [ ! -e /run/peerpass ]; then
	run 16 validate --check
	says stdout 'there is no verdict: /run/peerpass/verdict.json'
fi
ok "check: command line"

LD_PRELOAD=$out/fakenl.so "$peerpass" validate --check="$verdict_file" >/dev/full 2>"$out/stderr" &&
	note "exit code 0 with a full disk"
ok "check: a full disk is not success"
unset FAKE_OWNER verdict_file
