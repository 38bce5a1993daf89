# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash disable=SC2154,SC2034
# What faults shows.

world
run 0 faults
says stdout 'No device has caused a fault.'
run 0 faults --matrix
says stdout 'No initiator and target have faulted together.'
run 0 faults -j
json peerpass/faults/1 "j['initiators'] == [] and j['pairs'] == [] and j['drained']" \
	"j['units'][0]['name'] == 'ivhd0' and j['units'][0]['entries'] == 512" \
	"j['probes'][0]['symbol'] == 'iommu_print_event'"
ok "faults: none"

world 'dev bdf=0000:82:00.0 vendor=10de count=3:28' \
	'pair initiator=0000:82:00.0 class=2 read=28 write=0 other=0' \
	'pair initiator=0000:82:00.0 class=3 read=0 write=3 other=0'
printf '0000:01:00.0 0000:41:00.0 1 0 7\n0000:01:00.0 0000:41:00.0 1 1 1000\n0000:41:00.0 0000:01:00.0 0 1 2\n0000:01:00.0 - 0 2 1\n' >"$FAKE_FAULTS"
run 0 faults
grep -qE '^gpu0 0000:01:00.0 +7 +1000 +1 +0 +1008$' "$out/stdout" || note "gpu0: $(grep gpu0 "$out/stdout")"
grep -qE '^gpu1 0000:41:00.0 +0 +2 +0 +0 +2$' "$out/stdout" || note "gpu1: $(grep gpu1 "$out/stdout")"
grep -qE '^0000:82:00.0 +0 +0 +0 +28 +28$' "$out/stdout" || note "82: $(grep 82: "$out/stdout")"
says stdout '0000:82:00.0: 28 illegal_dev_table_entry'
ok "faults: totals"
run 0 faults -m
grep -qE '^initiator +host_ram +interrupt +gpu1 BAR1 +gpu0 BAR0 +unassigned$' "$out/stdout" ||
	note "head: $(grep initiator "$out/stdout")"
grep -qE '^0000:82:00.0 +28 +3 +\. +\. +\.$' "$out/stdout" || note "82: $(grep ^0000:82 "$out/stdout")"
grep -qE '^gpu0 +\. +\. +1007 +\. +1$' "$out/stdout" || note "gpu0: $(grep ^gpu0 "$out/stdout")"
grep -qE '^gpu1 +\. +\. +\. +2 +\.$' "$out/stdout" || note "gpu1: $(grep ^gpu1 "$out/stdout")"
says stdout 'host_ram: memory of'
ok "faults: matrix"
run 0 faults --matrix gpu0
grep -qE '^initiator +gpu1 BAR1 +unassigned$' "$out/stdout" || note "head: $(grep initiator "$out/stdout")"
run 0 faults gpu0 -j
json peerpass/faults/1 "[i['bdf'] for i in j['initiators']] == ['0000:01:00.0']" \
	"[p['initiator'] for p in j['pairs']] == ['0000:01:00.0'] * 2" \
	"j['pairs'][0]['target'] == {'class': 'bar', 'bdf': '0000:41:00.0', 'bar': 1}" \
	"(j['pairs'][0]['read'], j['pairs'][0]['write'], j['pairs'][0]['other']) == (7, 1000, 0)" \
	"j['pairs'][1]['target'] == {'class': 'unassigned', 'bdf': None, 'bar': None}"
ok "faults: of one device"

world 'sync drained=0'
run 0 faults
says stdout 'not drained in time'
run 0 faults -j
json peerpass/faults/1 "not j['drained']"
ok "faults: log not drained"

# A matrix that would not fit the line becomes a list.
world
for i in $(seq 20); do
	printf 'pair initiator=0000:01:00.0 class=1 target=0000:%02x:00.0 bar=1 read=%d write=0 other=0\n' "$((i + 128))" "$i"
done >>"$FAKE_WORLD"
run 0 faults --matrix
says stdout 'gpu0 -> 0000:81:00.0 BAR1: 1 read, 0 write, 0 other'
says stdout 'gpu0 -> 0000:94:00.0 BAR1: 20 read, 0 write, 0 other'
[ "$(grep -c -- '->' "$out/stdout")" = 20 ] || note "not 20 lines"
ok "faults: a wide matrix is a list"
