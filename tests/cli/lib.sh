# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash disable=SC2154,SC2034
#
# What the tests of the command line share. A test is
#
#	run 2 status --nonsense		exit code that is expected, then the command line
#	says stderr 'unknown option --nonsense'
#	ok "unknown option"		prints PASS or FAIL for all since the last ok
#
# The environment chooses the made-up module (world.h) and CUDA (tests/cuda/switches.h).

trouble=''
failures=0
ran=''

# note TEXT - the test that is under way has failed
note() { trouble=${trouble:-"peerpass $ran: $*"}; }

# run CODE ARGUMENT... - run the helper against the made-up module
run() {
	local code=$1 status
	shift
	ran=$*
	LD_PRELOAD=$out/fakenl.so timeout -k 5 60 "$peerpass" "$@" \
		>"$out/stdout" 2>"$out/stderr" </dev/null
	status=$?
	[ "$status" = "$code" ] || note "exit code $status, expected $code; it said: $(head -c 300 "$out/stderr")"
}

# says stdout|stderr TEXT - TEXT is in its output
says() {
	grep -qF -- "$2" "$out/$1" || note "\"$2\" is not in $1: $(head -c 300 "$out/$1")"
}

# silent stdout|stderr - it printed nothing there
silent() { [ -s "$out/$1" ] && note "$1 is not empty: $(head -c 300 "$out/$1")"; }

# json SCHEMA [EXPRESSION...] - standard output is one object of that schema, and
# each Python expression, in which j is the object, is true
json() {
	local said
	said=$(python3 "$here/check_json.py" "$out/stdout" "$@" 2>&1) || note "$said"
}

# fails CODE ERROR TEXT ARGUMENT... - it ends with CODE; as text it says TEXT on
# standard error, with -j an error object of code ERROR that says TEXT
fails() {
	local code=$1 error=$2 text=$3
	shift 3
	run "$code" "$@"
	says stderr "peerpass: error: "
	says stderr "$text"
	run "$code" "$@" -j
	silent stderr
	json peerpass/error/1 "j['error']['code'] == '$error'"
	python3 - "$out/stdout" "$text" <<-'END' || note "\"$text\" is not in the error object"
		import json, sys
		error = json.load(open(sys.argv[1]))["error"]
		sys.exit(sys.argv[2] not in error["message"] + " " + (error["hint"] or ""))
	END
}

# ok NAME - print what came of the test
ok() {
	if [ -n "$trouble" ]; then
		printf 'FAIL %s: %s\n' "$1" "${trouble//$'\n'/ }"
		failures=$((failures + 1))
	else
		printf 'PASS %s\n' "$1"
	fi
	trouble=''
}

# world [LINE...] - a module with two translated GPUs, and these lines added
world() {
	export FAKE_WORLD=$out/world
	{
		cat <<-'END'
			info version=0.1.0 state=0 iommu_kind=1 snp=1 source=1 inexact=0 total=0 overflows=0 unseen=0 since_boottime_ns=100000000000 since_realtime_ns=1795978403000000000 policy=
			unit name=ivhd0 entries=512 total=0 overflows=0 unseen=0 inexact=0
			probe symbol=iommu_print_event hits=0 missed=0
			dev bdf=0000:01:00.0 present=1 vendor=10de device=2bb5 class=030000 node=0 driver=nvidia group=12 wanted=0 actual=2 reason=0
			dev bdf=0000:41:00.0 present=1 vendor=10de device=2bb1 class=030200 node=1 driver=nvidia group=44 wanted=0 actual=2 reason=0
		END
		[ $# = 0 ] || printf '%s\n' "$@"
	} >"$FAKE_WORLD"
	: >"$FAKE_FAULTS"
}

# world_of_identity [LINE...] - the same, switched by a rule
world_of_identity() {
	world "$@"
	sed -i -e 's/policy=/policy=10de:*=identity/' \
		-e 's/wanted=0 actual=2 reason=0/selected=1 rule=1 wanted=1 actual=3 reason=0 switched=1 original=2/' \
		"$FAKE_WORLD"
}

# add_pci BDF VENDOR DEVICE CLASS [GROUP TYPE] [DRIVER] - a device in the made-up /sys
add_pci() {
	local dir=$FAKE_SYSFS/sys/bus/pci/devices/$1
	mkdir -p "$dir"
	echo "0x$2" >"$dir/vendor"
	echo "0x$3" >"$dir/device"
	echo "0x$4" >"$dir/class"
	echo -1 >"$dir/numa_node"
	if [ -n "${5:-}" ]; then
		ln -sfn "../../../../kernel/iommu_groups/$5" "$dir/iommu_group"
		mkdir -p "$FAKE_SYSFS/sys/kernel/iommu_groups/$5"
		echo "$6" >"$FAKE_SYSFS/sys/kernel/iommu_groups/$5/type"
	fi
	[ -z "${7:-}" ] || add_driver "$7" "$1"
	if [ -n "${5:-}" ]; then
		mkdir -p "$FAKE_SYSFS/sys/kernel/iommu_groups/$5/devices"
		ln -sfn "$dir" "$FAKE_SYSFS/sys/kernel/iommu_groups/$5/devices/$1"
	fi
}

# add_driver NAME BDF - binds it there
add_driver() {
	ln -sfn "../../drivers/$1" "$FAKE_SYSFS/sys/bus/pci/devices/$2/driver"
	mkdir -p "$FAKE_SYSFS/sys/bus/pci/drivers/$1"
	: >"$FAKE_SYSFS/sys/bus/pci/drivers/$1/bind"
	: >"$FAKE_SYSFS/sys/bus/pci/drivers/$1/unbind"
}

# bound_to BDF - the driver there, or nothing
bound_to() { basename "$(readlink "$FAKE_SYSFS/sys/bus/pci/devices/$1/driver")"; }

# empty_sysfs - no PCI device, no module
empty_sysfs() {
	rm -rf "$FAKE_SYSFS"
	mkdir -p "$FAKE_SYSFS/sys/bus/pci/devices"
}

# verdict_file [STATEMENT...] - one of the two GPUs of world(), at $verdict_file, as
# validate would have written it now; each Python statement changes the object j
verdict_file() {
	verdict_file=$out/verdict/verdict.json
	mkdir -p "$out/verdict"
	chmod 755 "$out/verdict"
	rm -f "$verdict_file"
	python3 - "$@" >"$verdict_file" <<-'END'
		import json, sys
		def line(path):
		    return open(path).readline().strip()
		gpus = ["0000:01:00.0", "0000:41:00.0"]
		j = {
		    "schema": "peerpass/verdict/1", "verdict": "ok", "exit_code": 0, "cause": None,
		    "text": "2 of 2 pairs ok", "next": None, "level": "default", "forced": False,
		    "max_bytes": 1048576, "started": "2026-11-29T18:53:23Z",
		    "finished": "2026-11-29T18:55:01Z",
		    "host": {"boot_id": line("/proc/sys/kernel/random/boot_id"),
		             "kernel": line("/proc/sys/kernel/osrelease"), "container": None},
		    "module": {"version": "0.1.0", "instance": 100000000000},
		    "driver": {"version": None, "cuda_version": 13000, "dma_remap_peer_mmio": "unknown"},
		    "iommu": {"kind": "amd-vi", "snp": "off"},
		    "devices": [{"bdf": bdf, "actual": "DMA-FQ", "mode": None, "set": None, "faults": 0}
		                for bdf in gpus],
		    "pairs": [{"initiator": a, "target": b, "verdict": "ok", "distance": "SYS", "faults": 0}
		              for a in gpus for b in gpus if a != b],
		    "collectives": [{"name": "all_reduce", "bytes": 65536, "outcome": "right"}],
		    "set": {"members": gpus, "distance": "SYS"}, "log": {"readable": True, "lines": []},
		}
		for statement in sys.argv[1:]:
		    exec(statement)
		print(json.dumps(j))
	END
	chmod 644 "$verdict_file"
}

# hold EXPRESSION - a process that runs this Python, which prints a line when ready
hold() {
	coproc HOLD { exec python3 -c "import mmap, os, pty, sys
$1
sys.stdin.read()"; }
	holder=$HOLD_PID
	read -r held <&"${HOLD[0]}" || note "nobody holds: $1"
}
letgo() {
	kill "$holder"
	wait "$holder" 2>/dev/null
}
