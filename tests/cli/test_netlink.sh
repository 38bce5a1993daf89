# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash disable=SC2154,SC2034
# Answers that are wrong, missing, late or inconsistent.

# No module, and why.
world nofamily
for verb in faults restore 'set gpu0 peer'; do
	# shellcheck disable=SC2086 # words
	fails 1 no_module 'the peerpass module is not loaded' $verb
	says stdout 'modprobe peerpass'
done
fails 1 no_module 'the peerpass module is not loaded' status
ok "no module: every verb says so, and what to run"
mkdir -p "$FAKE_SYSFS/sys/module/peerpass"
for verb in status faults; do
	fails 1 other_netns 'cannot be reached from this network namespace' "$verb"
	says stdout 'nsenter'
done
ok "module in another network namespace: every verb says so"
rm -r "$FAKE_SYSFS/sys/module"

world
for errno in 1 13; do
	FAKE_SOCKET_ERRNO=$errno fails 1 no_permission 'cannot open a netlink socket' faults
done
ok "no permission: socket"
FAKE_SOCKET_ERRNO=97 fails 1 system 'cannot open a netlink socket: Address family not supported' faults
ok "no netlink at all"
world 'quirk info error 1 reading needs a privilege'
fails 1 no_permission 'reading needs a privilege' status
says stdout 'run it as root'
ok "no permission: the module's own words"
world 'quirk sync error 95 the module was loaded to do nothing'
fails 1 refused 'the module was loaded to do nothing: Operation not supported' faults
ok "extended ack is shown"
world 'quirk devs error 22'
fails 1 refused 'the module refused the request: Invalid argument' status
ok "a refusal without words is shown"

# Every operation, every way to be malformed.
for operation in family info devs pairs sync; do
	verb=status
	[ $operation = sync ] && verb=faults
	pair='pair initiator=0000:01:00.0 class=1 target=0000:41:00.0 bar=1 read=1 write=0 other=0'
	for cut in 1 4 7 16; do
		world "$pair" "quirk $operation truncate $cut"
		fails 1 malformed_reply 'truncated netlink reply' $verb
	done
	ok "malformed: $operation cut off"
	world "$pair" "quirk $operation badattr 0"
	fails 1 malformed_reply 'truncated after byte' $verb
	ok "malformed: $operation with an attribute longer than its message"
	world "$pair" "quirk $operation badtype 0"
	fails 1 malformed_reply 'netlink reply of type 43' $verb
	ok "malformed: $operation of another family"
	world "$pair" "quirk $operation oversize 0"
	fails 1 malformed_reply 'longer than 65536 bytes' $verb
	ok "malformed: $operation too long"
done
for operation in info sync family; do
	verb=status
	[ $operation = sync ] && verb=faults
	world "quirk $operation noreply 0"
	fails 1 malformed_reply 'acknowledged but not answered' $verb
done
ok "malformed: acknowledged, not answered"
world 'quirk info notext 0'
fails 1 malformed_reply 'info: unterminated text in attribute 2' status
ok "malformed: text without an end"
world 'quirk devs shortattr 0'
fails 1 malformed_reply 'device: wrong length of attribute 2' status
ok "malformed: number of the wrong length"
world
sed -i 's/version=0.1.0 //' "$FAKE_WORLD"
fails 1 malformed_reply 'info: missing attribute 2' status
ok "malformed: required attribute missing"
world 'pair initiator=0000:01:00.0 class=1 read=1 write=0 other=0'
fails 1 malformed_reply 'pair: missing attribute 5' status
ok "malformed: BAR without its device"

# Neither late nor lost answers may be waited for without end.
world 'quirk devs silent 0'
start=$SECONDS
run 1 status
says stderr 'no complete answer from the module within 5 s'
[ $((SECONDS - start)) -le 8 ] || note "took $((SECONDS - start)) s"
ok "no answer"

# Inconsistent dumps are made again, and nothing is counted twice.
pair='pair initiator=0000:01:00.0 class=2 read=1 write=0 other=0'
for operation in devs pairs; do
	for quirk in intr enobufs; do
		for times in 1 4; do
			world "$pair" "quirk $operation $quirk $times"
			run 0 status -j
			json peerpass/status/1 "len(j['devices']) == 2"
			run 0 faults -j
			json peerpass/faults/1 "len(j['pairs']) == 1"
		done
		ok "repeated: $operation, $quirk"
		world "$pair" "quirk $operation $quirk 99"
		fails 1 changing 'each of 5 attempts' status
		says stdout 'try again'
		ok "given up: $operation, $quirk"
	done
done
world "quirk info enobufs 2" 'unit name=ivhd1 entries=512'
run 0 faults -j
json peerpass/faults/1 "len(j['units']) == 2" "len(j['probes']) == 1"
ok "repeated: info, enobufs"

# Many devices arrive in several packets.
world
for i in $(seq 0 255); do
	printf 'dev bdf=%04x:80:%02x.%x present=1 vendor=8086 device=1234 class=060400 group=%d wanted=0 actual=1 reason=0 detail=a text that makes the message longer\n' \
		$((i / 256)) $((i / 8 % 32)) $((i % 8)) "$i"
done >>"$FAKE_WORLD"
run 0 status --all -j
json peerpass/status/1 "len(j['devices']) == 258" "len({d['bdf'] for d in j['devices']}) == 258" \
	"[d['bdf'] for d in j['devices']] == sorted(d['bdf'] for d in j['devices'])"
ok "list in many packets"

# What this version does not know is shown, not dropped and no error.
world 'dev bdf=0000:81:00.0 present=1 vendor=10de device=2bb1 class=030200 wanted=9 actual=77 reason=99 inexact=1073741824 count=16:4'
sed -i 's/snp=1 source=1/snp=7 source=8/' "$FAKE_WORLD"
run 0 status -j
json peerpass/status/1 "j['devices'][2]['wanted'] == 'unknown(9)'" \
	"j['devices'][2]['actual'] == 'unknown(77)'" "j['devices'][2]['reason'] == 'unknown(99)'" \
	"j['devices'][2]['faults']['inexact_reasons'] == ['unknown(1073741824)']" \
	"not j['devices'][2]['faults']['exact']" "j['devices'][0]['faults']['exact']" \
	"j['iommu']['snp'] == 'unknown(7)'" "j['faults']['source'] == 'unknown(8)'"
run 0 status
says stdout 'unknown(99)'
ok "values of a later version"
world
printf 'dev bdf=0000:81:00.0 present=1 vendor=10de device=2bb1 class=030200 driver=n\xffvidia wanted=0 actual=1 reason=0\n' >>"$FAKE_WORLD"
run 0 status -j
json peerpass/status/1 "j['devices'][2]['driver'] == 'n?vidia'"
ok "text that is not UTF-8"

# A module that was loaded to do nothing.
for state in 1 2; do
	world 'quirk devs error 95 does nothing' 'quirk pairs error 95 does nothing'
	sed -i "s/state=0/state=$state/" "$FAKE_WORLD"
	run 0 status -j
	json peerpass/status/1 "j['module']['state'] == ['off', 'kdump'][$state - 1]" \
		"j['p2p']['works'] == 'not_proved'"
done
ok "module that does nothing"
