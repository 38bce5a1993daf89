# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash disable=SC2154,SC2034
# validate: each verdict from data and faults, and everything that can fail.

export LD_LIBRARY_PATH=$out/cuda
export PP_TEST_CUDA_DEVICES=0000:41:00.0,0000:01:00.0
# Root's verdict would go to the machine's own /run.
mkdir -p "$out/own"
if [ "$(id -u)" = 0 ]; then
	export FAKE_EUID=1000
	chown 1000 "$out/own"
fi
unset PP_TEST_CUDA

# op PAIR NAME - that operation, for an expression; PAIR is its number, or "set"
op() {
	local session="j['pairs'][$1]['session']"
	[ "$1" != set ] || session="j['set']['session']"
	echo "next(o for o in ${session}['operations'] if o['operation'] == '$2')"
}

# verdict WORDS CODE NAME CAUSE CELL [EXPRESSION...] - only what device 0 of CUDA (gpu1,
# since CUDA's order is another one than that of addresses) does to gpu0 goes wrong
verdict() {
	local words=$1 code=$2 name=$3 cause=$4 cell=$5
	shift 5
	world
	export PP_TEST_CUDA=only=0:1${words:+,$words}
	rm -f "$out/lost"
	run "$code" validate --quick --timeout 2 --size 4096
	grep -qE "^ *1 0000:41:00.0 +$cell +-$" "$out/stdout" || note "row: $(grep '41:00.0  ' "$out/stdout")"
	grep -qE '^ *0 0000:01:00.0 +- +ok$' "$out/stdout" || note "the other direction is not ok"
	[ "$name" = ok ] || says stdout "gpu1 -> gpu0: $name: "
	world
	rm -f "$out/lost"
	run "$code" validate --quick --timeout 2 --size 4096 -j
	json peerpass/verdict/1 "len(j['pairs']) == 2" "j['exit_code'] == $code" "j['level'] == 'quick'" \
		"[p['verdict'] for p in j['pairs']] == ['ok', '$name']" \
		"j['pairs'][1]['cause'] == ('$cause' or None)" "j['cause'] == ('$cause' or None)" \
		"j['pairs'][1]['initiator'] == '0000:41:00.0' and j['pairs'][1]['target'] == '0000:01:00.0'" \
		"j['verdicts']['$name'] == (2 if '$name' == 'ok' else 1)" "j['max_bytes'] == 4096" \
		"j['verdict'] == '$name'" "$@"
	ok "validate: ${words:-no switch} is $name, ${cause:-no cause}, exit code $code"
}

verdict "" 0 ok "" ok "j['p2p'] == 'yes' and j['text'] == '2 of 2 pairs ok' and j['next'] is None" \
	"all(o['outcome'] == 'right' and o['tests'] == o['right'] and o['words'] and not o['bad_words']
	     for p in j['pairs'] for o in p['session']['operations'])" \
	"[len(p['session']['operations']) for p in j['pairs']] == [7, 9]" \
	"[c['outcome'] for c in j['collectives']] == ['right'] * 3 and j['set']['verdict'] == 'ok'" \
	"j['devices'][0]['cuda_ordinal'] == 1 and j['devices'][0]['index'] == 'gpu0'" \
	"j['pairs'][0]['reach'] == 'itself' and j['pairs'][0]['write'] == j['pairs'][0]['read'] == 'ok'" \
	"j['module']['instance'] == 100000000000 and len(j['host']['boot_id']) == 36" \
	"not j['forced'] and j['cycles'] == 1"
first="$(op 1 copy_engine_write)['first']"
verdict drop 12 corrupt_without_faults dropped X "j['p2p'] == 'no'" \
	"${first}['bad_words'] == 512 and ${first}['bad_kind'] == 'poison' and ${first}['longest_run'] == 512" \
	"${first}['first_bad_offset'] == 0 and ${first}['found'] == '0x5a5a5a5a5a5a5a5a'" \
	"not j['set']['tested'] and j['collectives'] == [] and j['set']['verdict'] is None" \
	"j['pairs'][1]['write'] == j['pairs'][1]['read'] == 'corrupt_without_faults'"
verdict dropwrite 12 corrupt_without_faults writes_dropped X "j['pairs'][1]['read'] == 'ok'"
verdict dropread 12 corrupt_without_faults reads_dropped X \
	"j['pairs'][1]['write'] == 'ok' and j['pairs'][1]['read'] == 'corrupt_without_faults'"
verdict engine=ce,drop 12 corrupt_without_faults copy_engine_only X
verdict engine=sm,drop 12 corrupt_without_faults sm_only X
verdict zeros 12 corrupt_without_faults zeros X "$(op 1 sm_read)['first']['bad_kind'] == 'zeros'"
verdict ones 12 corrupt_without_faults ones X
verdict half 12 corrupt_without_faults partly X \
	"${first}['first_bad_offset'] == 4088 and ${first}['bad_words'] == 1"
verdict shift 12 corrupt_without_faults misplaced X "${first}['bad_kind'] == 'shifted'"
verdict flip 12 corrupt_without_faults damaged X "${first}['bad_words'] == 1 and ${first}['bad_kind'] == 'random'"
verdict mirror 12 corrupt_without_faults mirror X "'mirror' in ${first}['seen']"
verdict stale 12 corrupt_without_faults first_transfer X "$(op 1 copy_engine_write)['wrong'] == 1"
verdict late=80 12 corrupt_without_faults late X "${first}['seen'] == ['late']"
verdict flagfirst 12 corrupt_without_faults order X \
	"$(op 1 order_write)['first']['order']['bad_words'] > 0 and $(op 1 copy_engine_write)['outcome'] == 'right'"
verdict drop,fault 11 corrupt_with_faults dropped XF \
	"j['pairs'][1]['session']['faults']['initiator'] > 0 and j['pairs'][0]['session']['faults']['total'] == 0" \
	"${first}['faults']['by_kind']['write'] == 16" \
	"$(op 1 copy_engine_read)['first']['faults']['by_kind'] == {'read': 16}" \
	"j['pairs'][1]['session']['faults']['targets'][0]['target'] == {'class': 'bar', 'bdf': '0000:01:00.0', 'bar': 1}" \
	"j['pairs'][1]['faults'] == j['pairs'][1]['session']['faults']['initiator'] == j['devices'][1]['faults']" \
	"'policy=' in j['next']"
verdict faults 13 ok_with_faults faults okF "j['p2p'] == 'not_proved'"
verdict unknown-faults 13 ok_with_faults faults okF \
	"j['pairs'][1]['session']['faults']['targets'][0]['target']['class'] == 'unassigned'"
verdict copyerror 14 inconclusive call_failed '\?' \
	"${first}['why'] == 'cuMemcpyDtoDAsync_v2: CUDA_ERROR_LAUNCH_FAILED (719): unspecified launch failure'" \
	"$(op 1 sm_read)['outcome'] == 'not_run'"
verdict crash 14 inconclusive call_failed '\?' "'signal 6' in ${first}['why']"
verdict hang 10 hang no_answer H "$(op 1 copy_engine_write)['outcome'] == 'hung'" \
	"1.9 < j['pairs'][1]['session']['seconds'] < 8" "j['pairs'][1]['session']['left_behind_pid'] is None"
export PP_TEST_CUDA_STATE=$out/lost
verdict lost=2 14 inconclusive device_lost '\?' "[d['state'] for d in j['devices']] == ['gone', 'lost']" \
	"'CUDA_ERROR_UNKNOWN (999)' in $(op 1 copy_engine_write)['first']['why']"
unset PP_TEST_CUDA_STATE

# All pairs right, all together wrong.
unset PP_TEST_CUDA
world
PP_TEST_CUDA=collective run 12 validate --quick --size 4096 -j
json peerpass/verdict/1 "[p['verdict'] for p in j['pairs']] == ['ok', 'ok']" "j['cause'] == 'collective'" \
	"j['set']['verdict'] == j['verdict'] == 'corrupt_without_faults'" "j['exit_code'] == 12" \
	"$(op set ring)['outcome'] == 'wrong' and $(op set ring)['first']['bad_words'] > 0"
PP_TEST_CUDA=collective run 12 validate --quick --size 4096
says stdout "all GPUs together corrupt_without_faults: copies are right, an all-reduce is wrong"
ok "validate: an all-reduce that is wrong while copies are right, exit code 12"

# A child in state D is not waited for without end.
world
FAKE_NO_KILL=1 PP_TEST_CUDA=only=0:1,hang run 10 validate --quick --timeout 1 --size 4096 -j
json peerpass/verdict/1 "j['verdicts'] == {**j['verdicts'], 'hang': 1, 'ok': 1}" \
	"j['pairs'][1]['session']['left_behind_pid'] > 1" "2.9 < j['pairs'][1]['session']['seconds'] < 8"
FAKE_NO_KILL=1 PP_TEST_CUDA=only=0:1,hang run 10 validate --quick --timeout 1 --size 4096
says stdout 'could not be killed and was left behind'
FAKE_NO_KILL=1 PP_TEST_CUDA=inithang fails 10 hang 'its process cannot be killed' validate --timeout 1
ok "validate: a child that cannot be killed is left behind"

# everything WORDS CODE NAME TEXT - both pairs go wrong
everything() {
	world
	PP_TEST_CUDA=$1 run "$2" validate --quick --timeout 1 --size 4096 -j
	json peerpass/verdict/1 "j['verdicts']['$3'] == 2"
	PP_TEST_CUDA=$1 run "$2" validate --quick --timeout 1 --size 4096
	says stdout "$4"
	ok "validate: $1 is $3, exit code $2"
}
everything noaccess 15 no_access 'cuDeviceCanAccessPeer says no'
everything noenable 15 no_access 'cuCtxEnablePeerAccess: not supported'
everything badmemory 14 inconclusive 'copy through the host: wrong in 1 of 2 tests, first with 4096 bytes: from byte 0x800, 256 of 512 words'
everything badhost 14 inconclusive 'copy through the host: wrong in 1 of 2 tests'
everything endhang 10 hang 'all done, but the process did not end'
everything noptx=222 14 inconclusive 'cuModuleLoadData: CUDA_ERROR_UNSUPPORTED_PTX_VERSION (222)'

world
PP_TEST_CUDA=print run 0 validate --quick --size 8 -j
json peerpass/verdict/1 "j['exit_code'] == 0"
says stderr 'a library that prints'
ok "validate: a library that prints does not spoil the output"

# Whether the counts can be trusted is said.
world 'sync drained=0'
run 0 validate --quick --size 64
says stdout "Fault evidence is weak for 2 of 2 pairs: the hardware's log was not drained in time."
run 0 validate --quick --size 64 -j
json peerpass/verdict/1 "all(p['fault_evidence_weak'] and not p['session']['faults']['drained'] for p in j['pairs'])"
world
sed -i 's/inexact=0/inexact=4/' "$FAKE_WORLD"
run 0 validate --quick --size 64
says stdout 'counts are a lower bound (dead_probe)'
world
sed -i 's/source=1/source=0/' "$FAKE_WORLD"
run 0 validate --quick --size 64
says stdout 'faults are not counted on this system'
ok "validate: weak evidence"

# Not safe to test: nothing is written.
reach='reach initiator=0000:41:00.0 target=0000:01:00.0 bar=1 none=0 self=0 foreign=4096 unknown=0 domain=2 dma_ops=0'
world "$reach"
PP_TEST_CUDA=only=0:1,drop run 17 validate --quick --size 4096 -j
json peerpass/verdict/1 "[p['verdict'] for p in j['pairs']] == ['ok', 'not_safe_to_test']" \
	"j['pairs'][1]['cause'] == 'foreign_mapping' and j['pairs'][1]['session'] is None" \
	"j['pairs'][1]['reach'] == 'foreign' and not j['set']['tested']"
PP_TEST_CUDA=only=0:1,drop run 12 validate --quick --size 4096 --force -j
json peerpass/verdict/1 "j['forced'] and [p['forced'] for p in j['pairs']] == [False, True]"
says stderr 'a fatal error (AER)'
world "${reach/foreign=4096 unknown=0/foreign=0 unknown=4096}"
run 17 validate --quick --size 4096
says stdout 'gpu1 -> gpu0: not_safe_to_test: nothing keeps memory of the host out of where'
world "${reach/foreign=4096 unknown=0/foreign=0 unknown=4096}"
sed -i '/^reach/s/dma_ops=0/dma_ops=1/' "$FAKE_WORLD"
run 17 validate --quick --size 4096
ok "validate: not safe to test, exit code 17"
world nofamily
run 17 validate --quick --size 4096 -j
json peerpass/verdict/1 "j['verdicts']['not_safe_to_test'] == 2 and j['module'] is None and j['cause'] == 'no_module'" \
	"'not loaded' in j['text'] and 'modprobe peerpass' in j['next']"
run 0 validate --quick --size 4096 --force -j
json peerpass/verdict/1 "all(p['session']['faults'] is None and p['fault_evidence_weak'] for p in j['pairs'])"
mkdir -p "$FAKE_SYSFS/sys/module/peerpass"
run 17 validate --quick --size 4096
says stdout 'cannot be reached from this network namespace'
says stdout 'nsenter'
rm -r "$FAKE_SYSFS/sys/module"
ok "validate: without the module nothing is tested, but with --force"

# Not usable here.
world
PP_TEST_CUDA_DEVICES='' fails 15 no_gpu 'P2P takes two GPUs, CUDA has 0' validate
PP_TEST_CUDA_DEVICES=0000:01:00.0 fails 15 too_few_gpus 'P2P takes two GPUs, CUDA has 1' validate
export CUDA_VISIBLE_DEVICES=0
PP_TEST_CUDA_DEVICES=0000:01:00.0 fails 15 too_few_gpus 'CUDA_VISIBLE_DEVICES=0 may hide some' validate
unset CUDA_VISIBLE_DEVICES
ok "validate: too few GPUs, exit code 15"
PP_TEST_CUDA=initfail=999 fails 15 cuda_failed 'CUDA does not work here: CUDA_ERROR_UNKNOWN (999)' validate
ok "validate: cuInit fails, exit code 15"
PP_TEST_CUDA=inithang fails 10 hang 'CUDA did not say within 1 s' validate --timeout 1
ok "validate: cuInit hangs, exit code 10"
PP_TEST_CUDA_DEVICES=xyz,0000:01:00.0 fails 15 cuda_failed 'odd bus id "xyz"' validate
ok "validate: odd bus id"
mkdir -p "$out/broken" "$out/old"
echo "no library" >"$out/broken/libcuda.so.1"
LD_LIBRARY_PATH=$out/broken fails 15 no_cuda 'cannot open libcuda.so.1' validate
says stdout 'LD_LIBRARY_PATH'
echo 'int cuInit(unsigned int f) { return (int)f; }' | "${CC:-cc}" -shared -fPIC -x c -o "$out/old/libcuda.so.1" -
LD_LIBRARY_PATH=$out/old fails 15 no_cuda 'the driver is too old' validate
ok "validate: broken or old libcuda, exit code 15"
if ! ldconfig -p | grep -q libcuda.so.1; then
	LD_LIBRARY_PATH='' fails 15 no_cuda 'libcuda.so.1: cannot open shared object file' validate
	ok "validate: no libcuda, exit code 15"
fi

# Named devices.
export PP_TEST_CUDA_DEVICES=0000:41:00.0,0000:01:00.0,0000:81:00.0
world 'dev bdf=0000:81:00.0 present=1 vendor=10de device=2bb1 class=030200 set=tp0 wanted=4 mode=4 selected=1 rule=1 actual=2 reason=0' \
	'dev bdf=0000:91:00.0 present=1 vendor=1a03 device=2000 class=030000 wanted=0 actual=2 reason=0' \
	'dev bdf=0000:a1:00.0 present=1 vendor=15b3 device=1021 class=020000 set=tp0 wanted=4 mode=4 actual=2 reason=0'
for named in 'gpu2 01:00.0' '--set 0,2' '--set gpu0,0000:81:00.0' 'gpu0 tp0' '--set 0 tp0' '01:00.0 --set 2'; do
	# shellcheck disable=SC2086 # words
	run 0 validate $named --quick --size 64 -j
	json peerpass/verdict/1 "[d['bdf'] for d in j['devices']] == ['0000:01:00.0', '0000:81:00.0']" \
		"len(j['pairs']) == 2" "j['set']['members'] == ['0000:01:00.0', '0000:81:00.0']"
done
fails 1 no_device 'CUDA does not have gpu3' validate gpu0 gpu3
says stdout 'CUDA has: 0000:41:00.0, 0000:01:00.0, 0000:81:00.0'
fails 2 usage 'only gpu0 is named' validate gpu0 01:00.0
fails 2 usage 'there is nothing after the last comma' validate --set 0,1,
fails 2 usage 'is not a list of devices' validate --set ,0
fails 1 no_device 'there is no device gpu7' validate --set 0,7
fails 2 usage '"tp9" is not a device' validate gpu0 tp9
fails 15 too_few_gpus 'CUDA has 1 of those that are named' validate tp0
fails 1 no_device 'CUDA does not have 0000:a1:00.0' validate tp0 a1:00.0
ok "validate: named devices and sets"

# Options.
fails 2 usage '--size: 12 is not a multiple of 8' validate --size 12
fails 2 usage '--memory: 12 is not a multiple of 8' validate --memory 12
fails 2 usage '--quick and --full: only one of them' validate --quick --full
fails 2 usage '--soak: "5x" is not a time' validate --soak 5x
fails 2 usage '--soak: "m" is not a time' validate --soak m
fails 2 usage '--soak: 0 is out of range' validate --soak 0
ok "validate: options"
export PP_TEST_CUDA_DEVICES=0000:41:00.0,0000:01:00.0
world
run 0 validate --quick --size 64 --soak 3s -j
json peerpass/verdict/1 "j['level'] == 'soak' and j['cycles'] > 1"
PP_TEST_CUDA=drop run 12 validate --quick --size 64 --soak 60s -j
json peerpass/verdict/1 "j['cycles'] == 1"
ok "validate: --soak goes on, and ends with what is wrong"
run 0 validate --size 16K -j
json peerpass/verdict/1 "j['level'] == 'default'" \
	"all(v > 0 for v in j['pairs'][1]['session']['gb_per_s'].values())" \
	"j['pairs'][0]['session']['gb_per_s']['sm_read_both'] is None"
run 0 validate --size 16K
says stdout 'GB/s'
ok "validate: bandwidth and latency"
run 0 validate --size 8
run 0 validate --full --size 16K
ok "validate: small transfers at every level"
rm -f "$out/own/verdict.json"
run 0 validate --quick --size 64 -o "$out/own/verdict.json" -j
cmp -s "$out/stdout" "$out/own/verdict.json" || python3 -c "
import json, sys
a, b = (json.load(open(f)) for f in sys.argv[1:])
sys.exit(a != b)" "$out/stdout" "$out/own/verdict.json" || note "another verdict in the file"
# What is written is believed, and goes stale.
as_root() { FAKE_OWNER=$(stat -c %u "$out/own") "$@"; }
world
sed -i 's/^info /info window_generation=7 /' "$FAKE_WORLD"
run 0 validate --quick --size 64 -o "$out/own/verdict.json"
as_root run 0 validate --check="$out/own/verdict.json" -j
json peerpass/check/1 "j['holds'] and j['verdict'] == 'ok'"
as_root run 0 validate --check="$out/own/verdict.json" gpu0 gpu1
sed -i 's/window_generation=7/window_generation=8/' "$FAKE_WORLD"
as_root run 16 validate --check="$out/own/verdict.json" -j
json peerpass/check/1 "[r['reason'] for r in j['reasons']] == ['windows_changed']"
PP_TEST_CUDA=drop run 12 validate --quick --size 64 -o "$out/own/verdict.json"
as_root run 12 validate --check="$out/own/verdict.json"
as_root run 12 validate --export nccl --check="$out/own/verdict.json"
says stdout NCCL_P2P_DISABLE=1
# One that finds no end leaves no older answer behind.
run 0 validate --quick --size 64 -o "$out/own/verdict.json"
PP_TEST_CUDA=hang LD_PRELOAD=$out/fakenl.so timeout --preserve-status -s TERM 2 \
	"$peerpass" validate --quick --size 64 -o "$out/own/verdict.json" >/dev/null 2>&1
[ ! -e "$out/own/verdict.json" ] || note "the older verdict is still there"
run 0 validate --quick --size 64 -o "$out/own/verdict.json"
ok "validate: the verdict that is written holds, until something changes"
fails 1 verdict_folder "/nonexistent" validate --quick --size 64 -o /nonexistent/verdict.json
ok "validate: -o writes the verdict"

# The result is shown also when it cannot be written in the end.
mkdir -p "$out/own/gone"
[ "$(id -u)" != 0 ] || chown 1000 "$out/own/gone"
(sleep 2; rm -r "$out/own/gone"; : >"$out/own/gone") &
run 1 validate --quick --size 64 --soak 4s -o "$out/own/gone/verdict.json" -j
json peerpass/verdict/1 "j['verdict'] == 'ok' and j['exit_code'] == 0"
says stderr 'gone/verdict.json'
wait $!
mkfifo "$out/own/pipe"
fails 1 verdict_not_a_file 'it is there, and is no regular file' validate --quick -o "$out/own/pipe"
[ -p "$out/own/pipe" ] || note "the pipe is not there any more"
ok "validate: a verdict that cannot be written"

# The module's windows change while it works.
world
sed -i 's/^info /info window_generation=7 /' "$FAKE_WORLD"
(sleep 2; sed -i 's/window_generation=7/window_generation=8/' "$FAKE_WORLD") &
run 14 validate --quick --size 64 --soak 4s -j
json peerpass/verdict/1 "j['verdict'] == 'inconclusive' and j['cause'] == 'changed'" \
	"[p['verdict'] for p in j['pairs']] == ['ok', 'ok']"
wait $!
(sleep 2; sed -i 's/since_boottime_ns=1/since_boottime_ns=2/' "$FAKE_WORLD") &
run 14 validate --quick --size 64 --soak 4s -j
json peerpass/verdict/1 "j['cause'] == 'changed'"
wait $!
ok "validate: what changes meanwhile makes a good verdict one on nothing"

# CUDA's numbers mean other GPUs in a later process.
world
PP_TEST_CUDA=renumber run 14 validate --quick --size 64 -j
json peerpass/verdict/1 "all(p['session']['open'] == 'failed' for p in j['pairs'])" \
	"'CUDA has 0000:41:00.0 where 0000:01:00.0 was' in j['pairs'][0]['session']['why'].lower().replace('cuda', 'CUDA')" \
	"all(d['state'] == 'lost' for d in j['devices'])"
ok "validate: a GPU that is another one now is not touched"
PP_TEST_CUDA_MEMORY=1M run 14 validate --quick --size 64K --memory 64M
says stdout 'bytes of GPU 0'"'"'s memory, 1048576 are free: see --memory and --size'
ok "validate: not enough memory"

# A process that has a GPU open.
world
add_pci 0000:01:00.0 10de 2bb5 030000 12 DMA nvidia
hold 'm, s = pty.openpty(); n = os.fstat(s).st_rdev; print(os.major(n), os.minor(n), flush=True)'
mkdir -p "$FAKE_SYSFS/sys/bus/pci/devices/0000:01:00.0/drm/card0"
echo "${held/ /:}" >"$FAKE_SYSFS/sys/bus/pci/devices/0000:01:00.0/drm/card0/dev"
fails 1 gpu_busy "gpu0 is used by process $holder (python3): card0" validate --quick --size 64
run 0 validate --quick --size 64 --busy-ok
letgo
run 0 validate --quick --size 64
empty_sysfs
ok "validate: a GPU that is in use takes --busy-ok"

# --force where a virtual machine may be running: a terminal is asked.
world 'dev bdf=0000:91:00.0 present=1 vendor=10de device=2bb1 class=030000 driver=vfio-pci wanted=0 actual=4 reason=0'
answer() {
	printf '%s\n' "$1" | LD_PRELOAD=$out/fakenl.so script -qefc "'$peerpass' validate --quick --size 64 --force" \
		"$out/typescript" >/dev/null
}
answer n
[ $? = 1 ] && grep -q 'nothing was tested' "$out/typescript" || note "n: $(tail -n 3 "$out/typescript")"
answer y
[ $? = 0 ] && grep -q '0000:91:00.0 is bound to vfio-pci' "$out/typescript" || note "y: $(tail -n 3 "$out/typescript")"
run 0 validate --quick --size 64 --force
ok "validate: --force asks on a terminal when a device is bound to vfio-pci"

# A terminal sees how far it is; nobody else does.
world
LD_PRELOAD=$out/fakenl.so script -qefc "'$peerpass' validate --quick --size 64 >/dev/null" "$out/typescript" >/dev/null
grep -q 'pair 1 of 2: gpu0 -> gpu1: ' "$out/typescript" || note "no progress: $(head -c 300 "$out/typescript")"
run 0 validate --quick --size 64
silent stderr
ok "validate: progress on a terminal only"

# 16 GPUs: 240 pairs, in a matrix of 80 columns.
world
PP_TEST_CUDA_DEVICES=$(for i in $(seq 16); do printf '10000:%02x:00.0,' "$i"; done)
for i in $(seq 16); do
	printf 'dev bdf=10000:%02x:00.0 present=1 vendor=10de device=2bb1 class=030200 wanted=0 actual=2 reason=0\n' "$i"
done >>"$FAKE_WORLD"
PP_TEST_CUDA=noaccess run 15 validate --quick --size 64
width=$(sed -n '/^from/,/^$/p' "$out/stdout" | awk '{ if (length($0) > w) w = length($0) } END { print w + 0 }')
[ "$width" -le 80 ] || note "the matrix is $width columns wide"
[ "$width" -ge 70 ] || note "the matrix cannot have been measured: $width columns"
[ "$(grep -c '^gpu[0-9]* -> ' "$out/stdout")" = 240 ] || note "not 240 lines of evidence"
[ "$(sort -u <(grep -o '^gpu[0-9]* -> gpu[0-9]*' "$out/stdout") | wc -l)" = 240 ] || note "not 240 different pairs"
ok "validate: 16 GPUs fit 80 columns"
PP_TEST_CUDA_DEVICES+=10000:11:00.0
echo 'dev bdf=10000:11:00.0 present=1 vendor=10de device=2bb1 class=030200 wanted=0 actual=2 reason=0' >>"$FAKE_WORLD"
fails 2 usage '17 GPUs are too many to be tested together' validate
ok "validate: 17 GPUs are too many"

# child_of PID - waits for its child and prints it; gives up after 5 s
child_of() {
	local child
	for _ in $(seq 100); do
		child=$(ps -o pid= --ppid "$1") && echo "${child// /}" && return
		sleep 0.05
	done
	return 1
}

# Two at once: the second is refused and changes nothing for the first.
export PP_TEST_CUDA_DEVICES=0000:41:00.0,0000:01:00.0
world
PP_TEST_CUDA=only=0:1,hang LD_PRELOAD=$out/fakenl.so "$peerpass" validate --quick --timeout 3 >"$out/first" 2>&1 &
first=$!
child_of $first >/dev/null || note "the first one has no child: $(cat "$out/first")"
fails 1 busy "another peerpass validate is running (process $first)" validate
run 0 status
wait $first
[ $? = 10 ] || note "the first one was disturbed: $(cat "$out/first")"
run 0 validate --quick --size 64
ok "validate: two at once"

# gone PID - the process ends within 5 s
gone() {
	for _ in $(seq 100); do
		kill -0 "$1" 2>/dev/null || return 0
		sleep 0.05
	done
	return 1
}
for signal in INT TERM HUP; do
	# A shell ignores SIGINT for what it runs in the background; nohup, SIGHUP.
	PP_TEST_CUDA=hang LD_PRELOAD=$out/fakenl.so env --default-signal=INT,HUP \
		"$peerpass" validate --quick -j >"$out/stdout" 2>"$out/stderr" &
	helper=$!
	ran="validate, SIG$signal"
	child=$(child_of $helper) || note "no child to be seen"
	kill -$signal $helper
	wait $helper
	status=$?
	[ $status = 1 ] || note "exit code $status"
	json peerpass/error/1 "j['error']['code'] == 'interrupted'"
	gone "$child" || note "its child $child is still there"
done
ok "validate: interrupted"
# Somebody who ignores a signal wants it ignored.
(
	trap '' HUP
	PP_TEST_CUDA=hang LD_PRELOAD=$out/fakenl.so exec "$peerpass" validate --quick --timeout 2 >/dev/null 2>&1
) &
helper=$!
child_of $helper >/dev/null || note "no child to be seen"
kill -HUP $helper
wait $helper
[ $? = 10 ] || note "SIGHUP ended a helper that ignores it"
ok "validate: an ignored signal stays ignored"
PP_TEST_CUDA=hang LD_PRELOAD=$out/fakenl.so "$peerpass" validate --quick >/dev/null 2>&1 &
helper=$!
child=$(child_of $helper) || note "no child to be seen"
kill -KILL $helper
{ wait $helper; } 2>/dev/null
gone "$child" || note "its child $child is still there"
ok "validate: a killed helper leaves no child"

# A module that goes away meanwhile is an error, not a verdict.
world 'quirk dev error 5 gone'
fails 1 refused 'gone: Input/output error' validate
ok "validate: the module fails"

unset LD_LIBRARY_PATH PP_TEST_CUDA_DEVICES PP_TEST_CUDA FAKE_EUID
