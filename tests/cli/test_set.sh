# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash disable=SC2154,SC2034
# set and restore: what is asked of the module, each refusal, each error.

# asked LINE... - exactly these requests were made since the last world
asked() {
	[ "$(cat "$FAKE_SETS" 2>/dev/null)" = "$([ $# = 0 ] || printf '%s\n' "$@")" ] ||
		note "asked for: $(tr '\n' ';' <"$FAKE_SETS" 2>/dev/null)"
}
# fresh [LINE...] - a world, and nothing asked yet
fresh() {
	: >"$FAKE_SETS"
	world "$@"
}
gpu0=0000:01:00.0 gpu1=0000:41:00.0

# --- what is asked for --------------------------------------------------------------
i=0
for mode in observe identity off peer auto; do
	fresh
	run 0 set gpu0 $mode
	says stdout "gpu0 $gpu0: $mode"
	asked "$gpu0 mode=$i set=- flags=0"
	i=$((i + 1))
done
fresh "set bdf=$gpu0 reason=0 mode=1"
run 0 set 01:00.0 policy
says stdout "gpu0 $gpu0: policy: identity"
asked "$gpu0 mode=policy set=- flags=0"
fresh
run 0 set gpu0 auto:tp0+group+force+all+target -j
asked "$gpu0 mode=4 set=tp0 flags=46"
json peerpass/set/1 "j['exit_code'] == 0" "j['devices'][0]['requested'] == {'mode': 'auto', 'set': 'tp0', 'flags': ['group', 'force', 'all', 'target']}" \
	"j['devices'][0]['outcome'] == 'done' and j['devices'][0]['reason'] is None" \
	"j['devices'][0]['holders'] == [] and j['devices'][0]['put_back'] is None"
ok "set: what is asked for"
fresh "set bdf=$gpu0 reason=0 mode=3 why=7"
run 0 set gpu0 auto
says stdout "gpu0 $gpu0: auto: peer, because the IOMMU enforces SEV-SNP"
run 0 set gpu0 auto -j
json peerpass/set/1 "(j['devices'][0]['mode'], j['devices'][0]['why']) == ('peer', 'snp')"
ok "set: auto says why"
fresh
run 0 set gpu1 gpu0 gpu1 peer:a
asked "$gpu1 mode=3 set=a flags=0" "$gpu0 mode=3 set=a flags=0"
ok "set: several devices, each once"

# --- refusals ---------------------------------------------------------------------------
# Each has words, and each is exit code 1.
reason=1
for word in no_group id_mismatch class_not_allowed driver_bound driver_override group_companion snp \
	untrusted kernel_limit kernel_refused not_effective illegal_dte changed_by_other in_use peers_missing \
	memory_encryption firmware set_incomplete; do
	fresh "set bdf=$gpu0 reason=$reason detail=DETAIL"
	run 1 set gpu0 identity
	says stdout "gpu0 $gpu0: refused: $word: "
	asked "$gpu0 mode=1 set=- flags=0"
	reason=$((reason + 1))
done
fresh "set bdf=$gpu0 reason=77 detail=who knows"
run 1 set gpu0 identity
says stdout "refused: unknown(77): unknown(77): who knows"
ok "set: every refusal has words"
empty_sysfs
add_pci 0000:01:00.0 10de 2bb5 030000 12 DMA-FQ nvidia
add_pci 0000:01:00.1 10de 22e8 040300 12 DMA-FQ snd_hda_intel
add_pci 0000:00:01.0 8086 1901 060400 12 DMA-FQ pcieport
add_pci 0000:41:00.0 10de 2bb1 030200 44 DMA-FQ nvidia
fresh "set bdf=$gpu0 reason=6 detail=0000:01:00.1 (snd_hda_intel)"
run 1 set gpu0 identity
says stdout "its IOMMU group also holds 0000:01:00.1 (snd_hda_intel), which may not come along"
says stdout "to do: "
says stdout "in the way: driver nvidia on $gpu0"
says stdout "in the way: driver snd_hda_intel on 0000:01:00.1"
grep -q pcieport "$out/stdout" && note "a bridge's driver is in nobody's way"
run 1 set gpu0 identity -j
json peerpass/set/1 "j['exit_code'] == 1" "j['devices'][0]['outcome'] == 'refused' and j['devices'][0]['reason'] == 'group_companion'" \
	"j['devices'][0]['drivers'] == [{'bdf': '$gpu0', 'driver': 'nvidia'}, {'bdf': '0000:01:00.1', 'driver': 'snd_hda_intel'}]"
silent stderr
ok "set: a refusal names the drivers of the group"

# --- all or none ---------------------------------------------------------------------------
fresh "set bdf=$gpu1 on=1 reason=4 detail=nvidia"
run 1 set gpu0 gpu1 identity
asked "$gpu0 mode=1 set=- flags=0" "$gpu1 mode=1 set=- flags=0" "$gpu0 mode=policy set=- flags=0"
says stdout "gpu0 $gpu0: undone, because another device was not all right; all is as it was"
says stdout "gpu1 $gpu1: refused: driver_bound"
run 1 set gpu1 gpu0 identity -j
json peerpass/set/1 "[d['outcome'] for d in j['devices']] == ['refused', 'not_tried']"
ok "set: all devices or none"
fresh "set bdf=$gpu1 on=1 error=19 detail=no such device"
sed -i "/bdf=$gpu0/s/wanted=0/wanted=3 flags=16 set=left by_request=1/" "$FAKE_WORLD"
run 1 set gpu0 gpu1 identity -j
asked "$gpu0 mode=1 set=- flags=0" "$gpu1 mode=1 set=- flags=0" "$gpu0 mode=3 set=left flags=16"
json peerpass/set/1 "[d['outcome'] for d in j['devices']] == ['undone', 'failed']" \
	"j['devices'][0]['put_back'] is True and 'no such device' in j['devices'][1]['text']"
ok "set: what was set by request before comes back"
fresh "set bdf=$gpu1 on=1 reason=4" "set bdf=$gpu0 on=policy reason=10 detail=-16"
run 1 set gpu0 gpu1 identity
says stdout "gpu0 $gpu0: undone, because another device was not all right: its mode could not be put back"
ok "set: it is said when the old mode does not come back"

fresh "set bdf=$gpu1 on=1 reason=7" "set bdf=$gpu0 on=policy reason=6 detail=$gpu1"
run 1 set gpu0 gpu1 identity
asked "$gpu0 mode=1 set=- flags=0" "$gpu1 mode=1 set=- flags=0" "$gpu0 mode=policy set=- flags=0" \
	"$gpu0 mode=0 set=- flags=2" "$gpu0 mode=policy set=- flags=0"
fresh "set bdf=$gpu1 on=1 reason=7" "set bdf=$gpu0 on=policy reason=6 detail=$gpu1, 0000:77:00.0"
run 1 set gpu0 gpu1 identity
asked "$gpu0 mode=1 set=- flags=0" "$gpu1 mode=1 set=- flags=0" "$gpu0 mode=policy set=- flags=0"
ok "set: members of a group let go together, others are left alone"
fresh
run 0 set gpu0 observe+group
asked "$gpu0 mode=0 set=- flags=2"
ok "set: +group with a mode that ends identity"

# --- errors ---------------------------------------------------------------------------
for verb in set restore; do
	mode=
	[ $verb = set ] && mode=peer
	# shellcheck disable=SC2086 # none or one word
	{
		fresh "set bdf=$gpu0 error=1 detail=CAP_SYS_ADMIN is needed"
		fails 1 no_permission 'CAP_SYS_ADMIN is needed' $verb gpu0 $mode
		says stdout 'run it as root'
		fresh "set bdf=$gpu0 error=19 detail=no such device"
		fails 1 refused 'no such device: No such device' $verb gpu0 $mode
		fresh "set bdf=$gpu0 error=22 detail=mode out of range"
		fails 1 refused 'mode out of range' $verb gpu0 $mode
		fresh "set bdf=$gpu0 error=95"
		fails 1 refused 'cannot set a mode' $verb gpu0 $mode
		fresh "set bdf=$gpu0 error=110"
		fails 1 unknown_outcome 'did not finish in time' $verb gpu0 $mode
		says stdout "peerpass status $gpu0, later"
		fresh 'quirk set truncate 4'
		fails 1 malformed_reply 'truncated netlink reply' $verb gpu0 $mode
		fails 1 no_device 'there is no device gpu7' $verb gpu7 $mode
	}
	ok "$verb: errors"
done
fresh 'quirk set enobufs 1'
run 1 set gpu0 peer
says stderr 'not known what becomes of it'
asked
ok "set: a lost answer is not asked for again"
fresh 'quirk set silent 0'
start=$SECONDS
run 1 set gpu0 peer
says stderr 'not known what becomes of it'
[ $((SECONDS - start)) -ge 14 ] || note "given up after $((SECONDS - start)) s"
ok "set: waits longer than the module"

# --- restore ---------------------------------------------------------------------------
fresh
run 0 restore
says stdout 'Nothing to restore.'
asked
run 0 restore -j
json peerpass/restore/1 "j['devices'] == [] and j['exit_code'] == 0"
ok "restore: nothing"
fresh 'dev bdf=0000:81:00.0 present=1 vendor=8086 device=1234 class=020000 wanted=1 actual=3 switched=1 reason=0' \
	'dev bdf=0000:82:00.0 present=1 vendor=8086 device=1234 class=020000 wanted=3 set=a actual=1 reason=0 by_request=1' \
	'dev bdf=0000:83:00.0 present=1 vendor=8086 device=1234 class=020000 wanted=2 selected=1 rule=2 actual=1 reason=0' \
	'dev bdf=0000:84:00.0 present=1 vendor=8086 device=1234 class=020000 wanted=0 by_request=1 actual=1 reason=0' \
	'set bdf=0000:81:00.0 reason=4 detail=e1000e' 'set bdf=0000:82:00.0 error=19 detail=gone'
sed -i "/bdf=$gpu0/s/wanted=0/wanted=4 selected=1 rule=1/" "$FAKE_WORLD"
run 1 restore -j
json peerpass/restore/1 "[(d['bdf'][5:7], d['outcome']) for d in j['devices']] == [('01', 'done'), ('81', 'refused'), ('82', 'failed')]" \
	"all(d['requested'] == {'mode': 'observe', 'set': None, 'flags': ['group']} for d in j['devices'])"
ok "restore: all that is concerned, and it goes on after a refusal"
fresh "set bdf=$gpu0 reason=6 detail=x"
run 1 restore gpu0 gpu1
says stdout "gpu0 $gpu0: refused: group_companion"
says stdout "gpu1 $gpu1: observe"
asked "$gpu0 mode=0 set=- flags=0" "$gpu1 mode=0 set=- flags=0" "$gpu0 mode=0 set=- flags=0"
ok "restore: named devices; a second try once a companion is restored"
empty_sysfs
