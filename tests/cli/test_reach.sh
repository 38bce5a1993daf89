# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash disable=SC2154,SC2034
# What a domain maps, asked through the library (tests/reach): no verb shows it as it is.

reach_get=$out/build/tests/reach-get
# asked CODE TEXT [OPTION...] - reach-get of the two GPUs ends with CODE and says TEXT
asked() {
	local code=$1 text=$2 status
	shift 2
	ran="reach-get $*"
	LD_PRELOAD=$out/fakenl.so timeout -k 5 60 "$reach_get" "$@" 0000:01:00.0 0000:41:00.0 \
		>"$out/stdout" 2>"$out/stderr" </dev/null
	status=$?
	[ "$status" = "$code" ] || note "exit code $status, expected $code"
	says stdout "$text"
}
pair='initiator=0000:01:00.0 target=0000:41:00.0'

world
asked 0 'itself type=3 dma_ops=0 1:0/34359738368/0/0'
ok "reach: without a line BAR 1 is reached"
world "reach $pair domain=2 bar=0 none=16777216 self=0 foreign=0 unknown=0" \
	"reach $pair domain=2 dma_ops=1 bar=1 none=0 self=65536 foreign=0 unknown=0" \
	"reach initiator=0000:41:00.0 target=0000:01:00.0 domain=1 bar=3 none=0 self=0 foreign=1 unknown=0" \
	"reach $pair domain=2 dma_ops=1 bar=1 none=0 self=4096 foreign=0 unknown=0"
asked 0 'partly type=2 dma_ops=1 0:16777216/0/0/0 1:0/69632/0/0'
ok "reach: the lines of the pair are added up"
world "reach $pair domain=2 bar=1 none=0 self=65536 foreign=4096 unknown=0" \
	"reach $pair domain=2 bar=3 none=0 self=0 foreign=0 unknown=4096"
asked 0 'foreign type=2 dma_ops=0 1:0/65536/4096/0 3:0/0/0/4096'
ok "reach: foreign is said before unknown"
world "reach $pair domain=2"
asked 0 'nothing type=2 dma_ops=0'
ok "reach: no memory BAR"

world "quirk reach error 95"
asked 1 "error refused EOPNOTSUPP: the peerpass module that is loaded cannot tell what a device's domain maps; it is older"
ok "reach: a module that is older, or off"
world "quirk reach error 16 a driver of the initiator or the target is in its probe or remove"
asked 1 'error refused EBUSY: the module refused the request: a driver of the initiator'
ok "reach: busy"
world "quirk reach error 19 no such target"
asked 1 'error refused ENODEV: the module refused the request: no such target: No such device'
ok "reach: no such device"
for cut in 1 7 16; do
	world "quirk reach truncate $cut"
	asked 1 'error malformed_reply -: truncated netlink reply'
done
world "quirk reach badattr 0"
asked 1 'error malformed_reply -: malformed netlink reply: reach: truncated after byte'
world "reach $pair domain=2 bar=1 none=0 self=65536 foreign=4096"
asked 1 'error malformed_reply -: malformed netlink reply: reach: missing attribute'
world "reach $pair domain=2 bar=6 none=0 self=65536 foreign=4096 unknown=0"
asked 1 'error malformed_reply -: malformed netlink reply: reach: there is no such BAR'
ok "reach: malformed"
world "reach $pair domain=2 bar=1 none=0 self=4096 foreign=0 unknown=0" "quirk reach intr 3"
asked 0 'itself type=2 dma_ops=0 1:0/4096/0/0'
ok "reach: an inconsistent dump is asked for again, and nothing of it is kept"
world "quirk reach intr 99"
asked 1 'error changing -'
ok "reach: always inconsistent"
world
sed -i 's/ policy=$/ window_generation=77 policy=/' "$FAKE_WORLD"
asked 0 77 -g
ok "reach: the window generation is in info"
