# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash disable=SC2154,SC2034
# validate --export: settings from a verdict, which forbid P2P whatever goes wrong.

FAKE_OWNER=$(id -u)
export FAKE_OWNER CUDA_DEVICE_ORDER=PCI_BUS_ID
unset CUDA_VISIBLE_DEVICES XDG_CACHE_HOME VLLM_CACHE_ROOT SGLANG_CACHE_DIR

# exports CODE FORMAT TEXT [ARGUMENT...] - standard output is TEXT
exports() {
	local code=$1 format=$2 text=$3
	shift 3
	run "$code" validate --export "$format" --check="$verdict_file" "$@"
	[ "$(cat "$out/stdout")" = "$text" ] || note "--export $format printed: $(cat "$out/stdout")"
}

# off CODE TEXT [ARGUMENT...] - P2P is forbidden, both ways; TEXT is on standard error
off() {
	local code=$1 text=$2
	shift 2
	exports "$code" nccl NCCL_P2P_DISABLE=1 "$@"
	says stderr "$text"
	exports "$code" sh "export NCCL_P2P_DISABLE='1'
unset NCCL_P2P_LEVEL" "$@"
	says stderr "$text"
}

# level WORD [ARGUMENT...] - P2P is permitted up to there
level() {
	local word=$1
	shift
	exports 0 nccl "NCCL_P2P_LEVEL=$word" "$@"
	silent stderr
	exports 0 sh "unset NCCL_P2P_DISABLE
export NCCL_P2P_LEVEL='$word'" "$@"
	silent stderr
}

world
verdict_file
level SYS
level SYS gpu0 gpu1
verdict_file 'for p in j["pairs"]: p["distance"] = "PHB"'
level PHB
export CUDA_VISIBLE_DEVICES=1,0
level PHB
unset CUDA_VISIBLE_DEVICES
# A shell that evaluates it, with a setting of earlier.
run 0 validate --export sh --check="$verdict_file"
(NCCL_P2P_DISABLE=1 && eval "$(cat "$out/stdout")" && [ -z "${NCCL_P2P_DISABLE+x}" ] && [ "$NCCL_P2P_LEVEL" = PHB ]) ||
	note "a shell does not understand it"
ok "export: NCCL, all proved"

verdict_file 'j["collectives"] = []' 'j["level"] = "quick"'
off 14 '0 of 0 collectives are proved (level quick)'
verdict_file 'j["host"]["kernel"] = "6.1"'
off 16 'P2P is off: the verdict does not hold: other_kernel: '
verdict_file 'j.update(verdict="hang", exit_code=10, text="pair 1")' 'j["pairs"][0]["verdict"] = "hang"'
off 10 'P2P is off: the verdict is hang: pair 1'
verdict_file 'j["pairs"][0]["distance"] = j["pairs"][1]["distance"] = None'
off 14 'the distance of no pair'
verdict_file 'j.update(verdict="no_access", exit_code=15)' 'j["pairs"][0]["verdict"] = "no_access"' \
	'j["pairs"][1]["distance"] = "PIX"'
level PIX
verdict_file
world 'dev bdf=0000:81:00.0 present=1 vendor=10de device=2bb1 class=030200 driver=nvidia wanted=0 actual=2 reason=0'
off 16 'not_covered: the verdict is not about 0000:81:00.0'
level SYS gpu0 gpu1
export CUDA_VISIBLE_DEVICES=0,1
level SYS
export CUDA_VISIBLE_DEVICES=0,2
off 16 'not_covered: the verdict is not about 0000:81:00.0'
export CUDA_VISIBLE_DEVICES=0
off 14 'P2P takes two GPUs, 1 are asked about'
# By speed any of the three may be meant.
export CUDA_VISIBLE_DEVICES=0,1
unset CUDA_DEVICE_ORDER
off 16 'CUDA_DEVICE_ORDER is not PCI_BUS_ID, so any of the 3 GPUs may be used'
world
level SYS
export CUDA_DEVICE_ORDER=PCI_BUS_ID CUDA_VISIBLE_DEVICES=GPU-8932f937-d72c-4106-c12f-20bd9faed9f6
off 1 'is not a list of numbers'
says stderr 'UUIDs break engines'
export CUDA_VISIBLE_DEVICES=0,7
off 1 'there is no GPU 7, but 2'
unset CUDA_VISIBLE_DEVICES
off 1 'there is no device 99:00.0' gpu0 99:00.0
world nofamily
off 16 'P2P is off: the verdict does not hold: device_gone: '
world 'quirk pairs error 5 gone'
off 1 'gone: Input/output error'
world
rm "$verdict_file"
off 16 'there is no verdict'
verdict_file
chmod 666 "$verdict_file"
off 16 'others than root may write to it'
ok "export: NCCL is told to do without P2P, whatever is wrong"

# cache PATH [EXPRESSION...] - the file there is an object j of these properties
cache() {
	local path=$1
	shift
	[ "$(stat -c %a "$path" 2>/dev/null)" = 644 ] || note "mode of $path: $(stat -c %a "$path" 2>&1)"
	[ "$(ls -A "$(dirname "$path")")" = "$(basename "$path")" ] || note "left beside it: $(ls -A "$(dirname "$path")")"
	python3 - "$path" "$@" <<-'END' 2>"$out/said" || note "$(tail -1 "$out/said")"
		import json, sys
		j = json.load(open(sys.argv[1]))
		for expression in sys.argv[2:]:
		    assert eval(expression), f"not true: {expression}: {j}"
	END
}
both="j == {'0->0': True, '0->1': True, '1->0': True, '1->1': True}"
none="j == {'0->0': True, '0->1': False, '1->0': False, '1->1': True}"

world
verdict_file
for engine in sglang vllm; do
	path=$out/home/.cache/$engine/gpu_p2p_access_cache_for_0,1.json
	HOME=$out/home exports 0 $engine "$path"
	says stderr 'tensor parallel size 2 only'
	cache "$path" "$both"
	verdict_file 'j["host"]["kernel"] = "6.1"'
	HOME=$out/home exports 16 $engine "$path"
	says stderr "start $engine with --disable-custom-all-reduce"
	cache "$path" "$none"
	verdict_file
done
export SGLANG_CACHE_DIR=$out/own VLLM_CACHE_ROOT=$out/own2
HOME=$out/home exports 0 sglang "$out/own/gpu_p2p_access_cache_for_0,1.json"
XDG_CACHE_HOME=$out/xdg exports 0 vllm "$out/own2/gpu_p2p_access_cache_for_0,1.json"
unset SGLANG_CACHE_DIR VLLM_CACHE_ROOT
XDG_CACHE_HOME=$out/xdg exports 0 vllm "$out/xdg/vllm/gpu_p2p_access_cache_for_0,1.json"
ok "export: an engine's file, and where it is"

dir=$out/cache
world 'dev bdf=0000:81:00.0 present=1 vendor=10de device=2bb1 class=030200 driver=nvidia wanted=0 actual=2 reason=0' \
	'dev bdf=0000:91:00.0 present=1 vendor=1a03 device=2000 class=030000 wanted=0 actual=2 reason=0'
# the file of those that are visible
visible() { rm -rf "$dir" && export CUDA_VISIBLE_DEVICES=$1 path=$dir/gpu_p2p_access_cache_for_$1.json; }
visible 2,1,0
exports 0 vllm "$path" --output-dir "$dir"
cache "$path" "len(j) == 9" "[k for k in sorted(j) if j[k]] == ['0->0', '1->1', '1->2', '2->1', '2->2']"
visible 0,2
exports 14 vllm "$path" --output-dir "$dir"
cache "$path" "$none"
visible 1,0
unset CUDA_DEVICE_ORDER
exports 16 vllm "$path" --output-dir "$dir"
says stderr 'CUDA_DEVICE_ORDER is not PCI_BUS_ID'
cache "$path" "$none"
export CUDA_DEVICE_ORDER=PCI_BUS_ID
# The driver's own list goes first: a container has only some.
mkdir -p "$FAKE_SYSFS/proc/driver/nvidia/gpus/0000:41:00.0" "$FAKE_SYSFS/proc/driver/nvidia/gpus/0000:01:00.0"
unset CUDA_VISIBLE_DEVICES
rm -rf "$dir"
exports 0 sglang "$dir/gpu_p2p_access_cache_for_0,1.json" --output-dir "$dir"
cache "$dir/gpu_p2p_access_cache_for_0,1.json" "$both"
empty_sysfs
world
verdict_file 'j.update(verdict="no_access", exit_code=15)' 'j["pairs"][0]["verdict"] = "no_access"' \
	'j["pairs"][1]["distance"] = "PIX"'
exports 0 sglang "$dir/gpu_p2p_access_cache_for_0,1.json" --output-dir "$dir"
cache "$dir/gpu_p2p_access_cache_for_0,1.json" "j['1->0'] and not j['0->1']"
ok "export: an engine's file is true for proved pairs only"

# Without a verdict, and with none that is believed, what was there is replaced.
verdict_file
exports 0 sglang "$dir/gpu_p2p_access_cache_for_0,1.json" --output-dir "$dir"
cache "$dir/gpu_p2p_access_cache_for_0,1.json" "$both"
rm "$verdict_file"
exports 16 sglang "$dir/gpu_p2p_access_cache_for_0,1.json" --output-dir "$dir"
says stderr 'there is no verdict'
cache "$dir/gpu_p2p_access_cache_for_0,1.json" "$none"
verdict_file
rm -rf "$dir"
touch "$dir"
exports 1 sglang '' --output-dir "$dir"
says stderr "cannot open the folder $dir"
rm "$dir"
export CUDA_VISIBLE_DEVICES=MIG-1
exports 1 vllm '' --output-dir "$dir"
says stderr 'CUDA_VISIBLE_DEVICES=MIG-1 is not a list of numbers'
[ -e "$dir" ] && note "something was written"
unset CUDA_VISIBLE_DEVICES
ok "export: an engine's file that cannot be written, or says nothing"

# refuses TEXT ARGUMENT... - a usage error; what is printed forbids P2P, or nothing is
refuses() {
	run 2 validate --export "${@:2}"
	says stderr "$1"
	case ${2:-} in
	nccl) [ "$(cat "$out/stdout")" = NCCL_P2P_DISABLE=1 ] || note "it printed $(cat "$out/stdout")" ;;
	sh) says stdout "export NCCL_P2P_DISABLE='1'" ;;
	*) silent stdout ;;
	esac
}
refuses '--export: "tgi" is unknown; nccl, sh, sglang or vllm expected' tgi
refuses 'option --export needs a value'
refuses '--output-dir: --export nccl writes no file' nccl --output-dir "$dir"
refuses '--export vllm takes no devices' vllm gpu0 gpu1
refuses '"nonsense" is not a device' nccl nonsense
refuses 'unknown option --set' sh --set 0,1
run 2 validate --export nccl -j
json peerpass/error/1 "j['error']['message'] == 'unknown option -j'"
run 0 validate --export sh --help
says stdout 'Usage: peerpass validate --export'
ok "export: command line"
unset FAKE_OWNER CUDA_DEVICE_ORDER verdict_file
