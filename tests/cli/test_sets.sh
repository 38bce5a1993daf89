# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash disable=SC2154,SC2034
# What status shows of modes, of the evidence, of sets and of the ways of transfers.

# --- modes --------------------------------------------------------------------------
world 'dev bdf=0000:81:00.0 present=1 vendor=10de device=2bb1 class=030200 group=45 selected=1 rule=1 wanted=4 mode=3 why=7 actual=1 reason=0 flags=8 set=tp0 e_snp=2 e_members=2 e_companions=1 e_dma_bits=47 e_driver_bound=1' \
	'dev bdf=0000:82:00.0 present=1 vendor=10de device=2bb1 class=030200 group=46 selected=1 rule=1 wanted=4 mode=3 why=17 actual=1 reason=0 e_snp=1 e_firmware=GB202 e_pasid=1 e_kernel_said=10' \
	'dev bdf=0000:83:00.0 present=1 vendor=10de device=2bb1 class=030200 group=47 selected=1 rule=1 wanted=1 mode=1 actual=3 reason=0 forced=1 flags=4 e_snp=2 e_memory_encryption=1' \
	'dev bdf=0000:84:00.0 present=1 vendor=10de device=2bb1 class=030200 group=48 wanted=3 mode=3 by_request=1 actual=1 reason=0 e_snp=1 e_snp_mode0=1 e_untrusted=1 e_single_device_groups=1 e_driver_override=1' \
	'dev bdf=0000:85:00.0 present=1 vendor=10de device=2bb1 class=030200 group=49 selected=1 rule=1 wanted=4 mode=1 actual=3 reason=0 e_snp=1' \
	'dev bdf=0000:88:00.0 present=1 vendor=10de device=2bb1 class=030200 group=52 selected=1 rule=1 wanted=4 mode=1 why=7 actual=3 reason=0' \
	'dev bdf=0000:86:00.0 present=1 vendor=10de device=2bb1 class=030200 group=50 selected=1 rule=1 wanted=1 mode=1 actual=2 reason=6 detail=0000:86:00.1 (snd_hda_intel), 0000:86:00.2' \
	'dev bdf=0000:87:00.0 present=1 vendor=10de device=2bb1 class=030200 group=51 selected=1 rule=1 wanted=4 mode=4 actual=2 reason=8'
run 0
says stdout 'gpu2 0000:81:00.0: auto: peer, because the IOMMU enforces SEV-SNP'
says stdout 'gpu3 0000:82:00.0: auto: peer, because its firmware (GB202) is known not to start'
says stdout 'gpu4 0000:83:00.0: identity, forced against: the IOMMU enforces SEV-SNP, identity domains are illegal there; the host encrypts memory'
says stdout 'gpu5 0000:84:00.0: peer (set by request)'
grep -q 'gpu6 0000:85:00.0: auto: identity$' "$out/stdout" || note "auto that chose identity: $(grep 85:00.0: "$out/stdout")"
says stdout 'gpu9 0000:88:00.0: auto: identity as the host has made it, although the IOMMU enforces SEV-SNP'
grep -q 'gpu8 0000:87:00.0: auto: nothing chosen$' "$out/stdout" || note "auto that was refused: $(grep 87:00.0: "$out/stdout")"
says stdout 'group_companion: its IOMMU group also holds 0000:86:00.1 (snd_hda_intel), 0000:86:00.2, which may not come along'
grep -q evidence: "$out/stdout" && note "evidence without being asked for"
grep -q 'gpu0 0000:01:00.0: ' "$out/stdout" && note "a mode that needs no word has one"
ok "modes: text"
for option in -e --evidence -a; do
	run 0 status $option
	says stdout 'evidence: SEV-SNP on; memory encryption off; a driver was bound; group of 2; companions agreed; DMA mask of 47 bits'
	says stdout 'SEV-SNP off, which permits identity here; memory encryption off; behind an external-facing port; no driver was bound; driver_override is set; this kernel switches only groups of one device'
	says stdout 'firmware of GB202; no driver was bound; PASID; an earlier attempt ended with kernel_refused'
done
ok "modes: the evidence, when asked for"
run 0 -j
json peerpass/status/1 "(j['devices'][2]['mode'], j['devices'][2]['why']) == ('peer', 'snp')" \
	"j['devices'][2]['because'].startswith('the IOMMU enforces SEV-SNP')" \
	"j['devices'][2]['flags'] == ['all'] and j['devices'][2]['set'] == 'tp0'" \
	"j['devices'][2]['evidence'] == {'untrusted': False, 'pasid': False, 'firmware': None, 'driver_bound': True, 'driver_override': False, 'dma_bits': 47, 'members': 2, 'companions': 'agreed', 'snp': 'on', 'snp_mode0': False, 'memory_encryption': False, 'single_device_groups': False, 'kernel_said': None}" \
	"j['devices'][3]['evidence']['firmware'] == 'GB202' and j['devices'][3]['evidence']['kernel_said'] == 'kernel_refused'" \
	"j['devices'][4]['forced'] and j['devices'][4]['flags'] == ['force'] and not j['devices'][3]['forced']" \
	"j['devices'][5]['set_by_request'] and not j['devices'][4]['set_by_request']" \
	"j['devices'][6]['why'] is None and j['devices'][6]['because'] is None" \
	"j['devices'][0]['mode'] is None and j['devices'][0]['evidence'] is None and j['devices'][0]['flags'] == []"
ok "modes: JSON"
world 'dev bdf=0000:81:00.0 present=1 vendor=10de device=2bb1 class=030200 wanted=4 mode=9 why=99 flags=1024 actual=1 reason=0 e_snp=9 e_companions=9 e_kernel_said=98'
run 0 -j
json peerpass/status/1 "j['devices'][2]['mode'] == 'unknown(9)' and j['devices'][2]['why'] == 'unknown(99)'" \
	"j['devices'][2]['flags'] == ['unknown(1024)'] and j['devices'][2]['evidence']['companions'] == 'unknown(9)'"
run 0 -e
says stdout 'auto: unknown(9), because unknown(99)'
ok "modes: values of a later version"

# --- sets -----------------------------------------------------------------------------
# members [LINE...] - two GPUs of the set tp0 in mode peer, both bound, and these lines
members() {
	world "$@"
	sed -i 's/wanted=0 actual=2 reason=0/selected=1 rule=1 wanted=3 mode=3 set=tp0 actual=2 reason=0/' "$FAKE_WORLD"
}
there='window initiator=0000:01:00.0 target=0000:41:00.0 bar=1 size=4096'
back='window initiator=0000:41:00.0 target=0000:01:00.0 bar=1 size=4096'
members "$there state=0" "$back state=0"
run 0
says stdout 'tp0: ready (gpu0 gpu1)'
grep -q 'ways:' "$out/stdout" && note "ways without --all"
run 0 -j
json peerpass/status/1 "[(s['name'], s['state'], s['missing']) for s in j['sets']] == [('tp0', 'ready', [])]" \
	"j['sets'][0]['members'] == ['0000:01:00.0', '0000:41:00.0'] and len(j['sets'][0]['ways']) == 2"
ok "sets: ready"
members "$there state=0" "$back state=5" 'dev bdf=0000:81:00.0 present=1 vendor=10de device=2bb1 class=030200 set=other wanted=1 mode=1 actual=3 reason=0'
run 0
says stdout 'tp0: mixed (gpu0 gpu1), 1 of 2 pairs have no way'
says stdout '      gpu1 -> gpu0: dma_mask'
says stdout 'other: alone (gpu2)'
run 0 -j
json peerpass/status/1 "j['sets'][0]['missing'] == [{'initiator': '0000:41:00.0', 'target': '0000:01:00.0', 'reason': 'dma_mask'}]" \
	"j['sets'][1] == {'name': 'other', 'state': 'alone', 'members': ['0000:81:00.0'], 'missing': [], 'ways': []}"
ok "sets: mixed, and alone"
members
sed -i 's/ driver=nvidia//' "$FAKE_WORLD"
run 0 -j
json peerpass/status/1 "[m['reason'] for m in j['sets'][0]['missing']] == ['initiator_not_bound'] * 2"
ok "sets: initiators without a driver"

# --- ways -----------------------------------------------------------------------------
# place BDF PATH - where a device of the made-up /sys is, below /sys/devices
place() {
	mkdir -p "$FAKE_SYSFS/sys/devices/$2" "$FAKE_SYSFS/sys/bus/pci/devices"
	ln -sfn "../../../devices/$2" "$FAKE_SYSFS/sys/bus/pci/devices/$1"
}
# port BDF PATH TYPE CONTROL [LENGTH] - a bridge with an ACS capability and that
# control register ("none": without ACS); as without root when LENGTH is 64
port() {
	place "$1" "$2"
	python3 - "$FAKE_SYSFS/sys/devices/$2/config" "$3" "$4" "${5:-4096}" <<-'END'
		import sys
		path, kind, control, length = sys.argv[1], int(sys.argv[2]), sys.argv[3], int(sys.argv[4])
		c = bytearray(4096)
		c[0:4] = b"\x22\x10\x83\x14"
		c[0x06] = 0x10                      # has capabilities
		c[0x0e] = 1                         # bridge
		c[0x34] = 0x58
		c[0x58:0x5a] = b"\x10\x00"          # PCI Express, the last one
		c[0x5a] = 2 | kind << 4
		if control != "none":
		    c[0x100:0x104] = b"\x0d\x00\x01\x00"  # ACS, version 1, the last one
		    c[0x106] = int(control)
		open(path, "wb").write(c[:length])
	END
}
# switch CONTROL_0 CONTROL_1 [LENGTH] - both GPUs below one switch
switch() {
	local up=pci0000:00/0000:00:01.0/0000:02:00.0
	empty_sysfs
	port 0000:00:01.0 pci0000:00/0000:00:01.0 4 29 "${3:-}"
	port 0000:02:00.0 $up 5 none "${3:-}"
	port 0000:03:00.0 $up/0000:03:00.0 6 "$1" "${3:-}"
	port 0000:03:01.0 $up/0000:03:01.0 6 "$2" "${3:-}"
	place 0000:01:00.0 $up/0000:03:00.0/0000:01:00.0
	place 0000:41:00.0 $up/0000:03:01.0/0000:41:00.0
}
members "$there state=0" "$back state=0"
switch 12 12
run 0 --all
says stdout 'gpu0 -> gpu1: up to the root complex, because 0000:03:00.0 redirects requests'
says stdout 'request redirect would have to be cleared at 0000:03:00.0 and completion redirect at 0000:03:01.0'
says stdout '6.18.26 and 7.0 write it again'
says stdout '[0000:03:00.0 RR on, CR on; 0000:03:01.0 RR on, CR on]'
run 0 -j
json peerpass/status/1 "[w['route'] for w in j['sets'][0]['ways']] == ['redirected'] * 2" \
	"all(w['through_iommu'] for w in j['sets'][0]['ways'])" \
	"[(b['bdf'], b['request_redirect'], b['completion_redirect'], b['decides']) for b in j['sets'][0]['ways'][0]['bridges']] == [('0000:03:00.0', 'on', 'on', True), ('0000:03:01.0', 'on', 'on', False)]"
ok "ways: one switch, redirect on"
switch 0 4
run 0 -a
says stdout 'gpu0 -> gpu1: straight, below the IOMMU: windows are not used, faults are not seen'
says stdout 'gpu1 -> gpu0: up to the root complex, because 0000:03:01.0'
run 0 -j
json peerpass/status/1 "[(w['route'], w['through_iommu']) for w in j['sets'][0]['ways']] == [('direct', False), ('redirected', True)]"
ok "ways: one switch, redirect off for one of two"
switch none none
run 0 -j
json peerpass/status/1 "[w['route'] for w in j['sets'][0]['ways']] == ['direct'] * 2" \
	"j['sets'][0]['ways'][0]['bridges'][0]['request_redirect'] == 'no_acs'"
ok "ways: one switch without ACS"
switch 12 12 64
run 0 -a
says stdout 'gpu0 -> gpu1: unknown: needs root'
run 0 -j
json peerpass/status/1 "[(w['route'], w['through_iommu']) for w in j['sets'][0]['ways']] == [('unknown', None)] * 2"
ok "ways: without root"
empty_sysfs
port 0000:00:01.0 pci0000:00/0000:00:01.0 4 29
port 0000:40:01.0 pci0000:40/0000:40:01.0 4 29
place 0000:01:00.0 pci0000:00/0000:00:01.0/0000:01:00.0
place 0000:41:00.0 pci0000:40/0000:40:01.0/0000:41:00.0
run 0 -j
json peerpass/status/1 "[w['route'] for w in j['sets'][0]['ways']] == ['host_bridges'] * 2" \
	"[b['bdf'] for b in j['sets'][0]['ways'][0]['bridges']] == ['0000:00:01.0', '0000:40:01.0']"
ok "ways: two host bridges"
empty_sysfs
run 0 -j
json peerpass/status/1 "[w['route'] for w in j['sets'][0]['ways']] == ['unknown'] * 2"
ok "ways: nothing known"
