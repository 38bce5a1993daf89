# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash disable=SC2154,SC2034
# What status shows.

# widest - the longest line of the table on standard output
widest() { grep -E '^(gpu|- | +bdf )' "$out/stdout" | awk '{ if (length($0) > w) w = length($0) } END { print w + 0 }'; }

world
run 0
head -1 "$out/stdout" | grep -q '^Does P2P work now? not proved: .* Next: peerpass validate$' ||
	note "first line: $(head -1 "$out/stdout")"
for word in gpu0 0000:01:00.0 gpu1 0000:41:00.0 10de:2bb5 nvidia observe DMA-FQ 'Counts are exact'; do
	says stdout "$word"
done
silent stderr
cp "$out/stdout" "$out/bare"
run 0 status
cmp -s "$out/stdout" "$out/bare" || note "bare peerpass and status differ"
ok "status: bare command"

run 0 -j
json peerpass/status/1 \
	"j['module'] == {'loaded': True, 'version': '0.1.0', 'state': 'active', 'policy': ''}" \
	"j['iommu'] == {'kind': 'amd-vi', 'snp': 'off'}" "j['p2p']['works'] == 'not_proved'" \
	"[d['index'] for d in j['devices']] == ['gpu0', 'gpu1']" \
	"j['devices'][0]['vendor'] == '10de' and j['devices'][0]['device'] == '2bb5'" \
	"j['devices'][0]['class'] == '030000' and j['devices'][0]['numa_node'] == 0" \
	"j['devices'][0]['group'] == 12 and j['devices'][0]['driver'] == 'nvidia'" \
	"j['devices'][0]['wanted'] == 'observe' and j['devices'][0]['actual'] == 'DMA-FQ'" \
	"j['devices'][0]['reason'] is None and j['devices'][0]['rule'] is None" \
	"j['devices'][0]['faults']['source'] == 'amd_event_log' and j['devices'][0]['faults']['exact']" \
	"j['faults']['since'] == '2026-11-29T18:53:23Z' and j['faults']['since_boottime_ns'] == 100000000000"
ok "status: JSON"

# A device with next to nothing known, faults of every sort, one that has gone.
world 'dev bdf=0000:81:00.0 present=1' \
	'dev bdf=0000:82:00.0 vendor=10de count=3:28' \
	'dev bdf=0000:83:00.0 present=1 vendor=8086 device=1234 class=010802 group=3 wanted=0 actual=1 reason=0 inexact=33 count=1:5'
printf '0000:01:00.0 0000:41:00.0 1 0 7\n0000:01:00.0 0000:41:00.0 1 1 1000\n0000:01:00.0 - 0 2 1\n' >"$FAKE_FAULTS"
run 0 -j
json peerpass/status/1 "[d['bdf'][5:7] for d in j['devices']] == ['01', '41', '82', '83']" \
	"j['devices'][0]['faults']['total'] == 1008 and j['devices'][0]['faults']['read'] == 7" \
	"j['devices'][0]['faults']['write'] == 1000 and j['devices'][0]['faults']['other'] == 1" \
	"j['devices'][0]['faults']['by_kind'] == {'read': 7, 'write': 1000, 'interrupt': 1}" \
	"j['devices'][2]['present'] is False and j['devices'][2]['index'] is None" \
	"j['devices'][2]['faults']['by_kind'] == {'illegal_dev_table_entry': 28}" \
	"j['devices'][2]['faults']['other'] == 28 and j['devices'][2]['driver'] is None" \
	"j['devices'][3]['faults']['inexact_reasons'] == ['overflow', 'few_records']" \
	"j['p2p']['works'] == 'no'" "'10de:*=identity' in j['p2p']['next']"
run 0
says stdout 'Does P2P work now? no: 1007 faults of peers'
says stdout '(gone)'
says stdout ' 5+'
ok "status: faults"
run 0 -a -j
json peerpass/status/1 "[d['bdf'][5:7] for d in j['devices']] == ['01', '41', '81', '82', '83']" \
	"j['devices'][2]['vendor'] is None and j['devices'][2]['actual'] is None" \
	"j['devices'][2]['numa_node'] is None and j['devices'][2]['group'] is None"
ok "status: --all"

for name in gpu1 41:00.0 0000:41:00.0 00000000:41:00.0; do
	run 0 status $name -j
	json peerpass/status/1 "[d['bdf'] for d in j['devices']] == ['0000:41:00.0']"
done
run 0 status gpu1 83:00.0 gpu1 -j
json peerpass/status/1 "[d['bdf'][5:7] for d in j['devices']] == ['41', '83']"
ok "status: named devices"
fails 1 no_device 'there is no device 0000:99:00.0' status 0000:99:00.0
says stdout 'gpu0 0000:01:00.0, gpu1 0000:41:00.0'
fails 1 no_device 'there is no device gpu2' status gpu2
says stdout 'gpu0 0000:01:00.0, gpu1 0000:41:00.0'
for verb in faults validate; do
	fails 1 no_device 'there is no device 0000:99:00.0' $verb gpu0 0000:99:00.0
	fails 1 no_device 'there is no device gpu7' $verb gpu0 gpu7
done
ok "status: a device that does not exist"

world_of_identity 'dev bdf=0000:81:00.0 present=1 vendor=10de device=2bb1 class=030200 driver=nvidia group=50 selected=1 rule=1 wanted=1 actual=2 reason=4 detail=nvidia'
run 0
says stdout 'DMA-FQ!'
says stdout 'gpu2 0000:81:00.0: driver_bound: driver nvidia was bound before peerpass saw the device'
says stdout 'rule 1: 10de:*=identity'
says stdout 'to do: load peerpass before driver nvidia'
says stdout 'rmmod: in use; unbind nvidia from gpu0 0000:01:00.0 first'
says stdout 'rmmod: in use; unbind nvidia from gpu1 0000:41:00.0 first'
grep -q 'unbind nvidia from gpu2' "$out/stdout" && note "a device that was not switched holds nothing"
run 0 -j
json peerpass/status/1 "j['devices'][2]['reason'] == 'driver_bound'" \
	"j['devices'][2]['detail'] == 'nvidia' and 'before driver nvidia' in j['devices'][2]['advice']" \
	"j['devices'][0]['switched'] and j['devices'][0]['original'] == 'DMA-FQ'" \
	"j['devices'][0]['rule'] == 1 and j['devices'][0]['selected']"
ok "status: not as wanted, and in use"

world
sed -i 's/inexact=0 total=0 overflows=0 unseen=0 since/inexact=261 total=30000000 overflows=3 unseen=40 since/' "$FAKE_WORLD"
run 0
says stdout '30.0M+ in all'
says stdout 'lower bound (+): overflow, dead_probe, unseen'
says stdout 'overflowed 3 times'
says stdout '40 faults are without an initiator'
run 0 -j
json peerpass/status/1 "j['faults']['total'] == 30000000 and not j['faults']['exact']" \
	"j['faults']['inexact_reasons'] == ['overflow', 'dead_probe', 'unseen']"
world
sed -i 's/source=1/source=0/' "$FAKE_WORLD"
run 0
says stdout 'Faults are not counted on this system.'
ok "status: how faults are counted"

# 16 devices with the longest of everything fit 80 columns.
world
sed -i '/^dev /d' "$FAKE_WORLD"
for i in $(seq 16); do
	printf 'dev bdf=10000:%02x:00.0 present=1 vendor=10de device=2bb1 class=030200 node=%d driver=%s group=%d selected=1 rule=1 wanted=1 actual=4 reason=13 inexact=1 count=1:18446744073709551615\n' \
		"$i" "$((i % 2))" "a_driver_with_a_long_name" "$((100 + i))"
done >>"$FAKE_WORLD"
run 0
[ "$(grep -c '^gpu' "$out/stdout")" = 16 ] || note "$(grep -c '^gpu' "$out/stdout") devices are listed"
[ "$(widest)" -le 80 ] || note "the table is $(widest) columns wide"
[ "$(widest)" -ge 70 ] || note "the table cannot have been measured: $(widest) columns"
says stdout 'gpu15 10000:10:00.0'
ok "status: 16 devices fit 80 columns"

# Without the module: what sysfs knows, and what to run.
world nofamily
add_pci 0000:01:00.0 10de 2bb5 030000 12 DMA-FQ nvidia
add_pci 0000:41:00.0 10de 2bb1 030200 13 identity
add_pci 0000:81:00.0 1002 74a1 120000
add_pci 0000:00:1f.0 8086 1234 060100 1 DMA
run 1
says stderr 'peerpass: error: the peerpass module is not loaded'
says stderr 'run: modprobe peerpass'
head -1 "$out/stdout" | grep -q 'not proved: the peerpass module is not loaded. Next: modprobe peerpass$' ||
	note "first line: $(head -1 "$out/stdout")"
grep -qE '^gpu0 0000:01:00.0 .* 12 nvidia +- +DMA-FQ' "$out/stdout" || note "gpu0: $(grep gpu0 "$out/stdout")"
grep -qE '^gpu1 0000:41:00.0 .* 13 - +- +identity' "$out/stdout" || note "gpu1: $(grep gpu1 "$out/stdout")"
grep -qE '^gpu2 0000:81:00.0 .* - - +- +none' "$out/stdout" || note "gpu2: $(grep gpu2 "$out/stdout")"
grep -q '00:1f.0' "$out/stdout" && note "a bridge is listed without --all"
run 1 --all
says stdout '0000:00:1f.0'
ok "status: without the module, from sysfs"

# A GPU that is not behind an IOMMU is not in the module's list.
world
run 0 -j
json peerpass/status/1 "[(d['index'], d['bdf'][5:7], d['actual']) for d in j['devices']] == [('gpu0', '01', 'DMA-FQ'), ('gpu1', '41', 'DMA-FQ'), ('gpu2', '81', 'none')]"
ok "status: devices without an IOMMU are shown too"

# Model names are those of the PCI id database.
if grep -qs '^1002' /usr/share/misc/pci.ids; then
	run 0 -j
	expected=$(sed -n '/^1002 /,/^[0-9a-f]/s/^\t74a1  //p' /usr/share/misc/pci.ids)
	[ -z "$expected" ] || json peerpass/status/1 "j['devices'][2]['name'] == '''$expected'''"
	world 'dev bdf=0000:91:00.0 present=1 vendor=10de device=2204 class=030000 node=0 wanted=0 actual=1 reason=0'
	run 0
	says stdout 'GeForce RTX 3090'
	run 0 -j
	json peerpass/status/1 "j['devices'][3]['name'] == 'GA102 [GeForce RTX 3090]'"
	ok "status: model names"
fi
empty_sysfs

# Peer windows, a line for each pair.
world 'window initiator=0000:01:00.0 target=0000:41:00.0 bar=0 size=16777216 state=0' \
	'window initiator=0000:01:00.0 target=0000:41:00.0 bar=1 size=34359738368 state=0' \
	'window initiator=0000:41:00.0 target=0000:01:00.0 bar=0 size=16777216 state=0' \
	'window initiator=0000:41:00.0 target=0000:01:00.0 bar=1 size=34359738368 state=4' \
	'window initiator=0000:41:00.0 target=0000:81:00.0 state=3'
run 0
says stdout 'gpu0 -> gpu1: BAR0 BAR1 installed'
says stdout 'gpu1 -> gpu0: BAR0 installed, BAR1 aperture'
says stdout '0000:81:00.0: no_bar'
run 0 -j
json peerpass/status/1 "len(j['windows']) == 5" "j['windows'][1]['size'] == 34359738368" \
	"j['windows'][3]['state'] == 'aperture'" "j['windows'][4]['bar'] is None"
ok "status: peer windows"

# Success must have been written.
world
for verb in status faults; do
	for option in '' -j; do
		LD_PRELOAD=$out/fakenl.so "$peerpass" $verb $option >/dev/full 2>"$out/stderr" &&
			note "$verb $option: exit code 0 with a full disk"
		ran="$verb $option >/dev/full"
		says stderr 'cannot write to standard output'
	done
done
ok "status: a full disk is not success"

# Two at once: reading disturbs nobody.
world
pids=()
for i in $(seq 8); do
	LD_PRELOAD=$out/fakenl.so "$peerpass" status -j >"$out/many.$i" 2>&1 &
	pids+=($!)
done
for pid in "${pids[@]}"; do
	wait "$pid" || note "one of eight at once failed"
done
for i in $(seq 2 8); do cmp -s "$out/many.1" "$out/many.$i" || note "eight at once differ"; done
ok "status: eight at once"
