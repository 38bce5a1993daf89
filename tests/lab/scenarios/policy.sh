# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=dash disable=SC1091
# Bad policies: each fails the load with one message that names rule and
# position, and nothing is changed. (The grammar itself is tested in
# tests/unit.) And what a load does that is asked to do nothing.
. /lab/lib.sh

dma=$(group_type "$(edu_bdf 0)")
good=0000:00:04.0=identity+class

# bad NAME POLICY REGEX - refused with a message that matches
bad() {
	dmesg_clear
	refuse "$1" load peerpass "policy=$2"
	# busybox asks the kernel a second time after a refusal: two equal messages.
	said=$(dmesg | sed -n 's/.*\(peerpass: policy refused\)/\1/p' | sort -u)
	matches "$1: said" "$3" "$said"
	expect "$1: one message" 1 "$(printf '%s\n' "$said" | wc -l)"
	expect "$1: nothing changed" "$dma" "$(group_type "$(edu_bdf 0)")"
}

bad "no mode" "$good,10de:2bb5" "rule 2, character 38: .*mode expected"
bad "unknown mode" "$good,10de:*=passthrough" "rule 2, character 36: unknown mode"
bad "empty rule" "$good,,10de:*=identity" "rule 2, character 29: empty rule"
bad "comma at the end" "$good," "rule 2, character 29: empty rule"
bad "no such device number" "0000:00:24.0=identity" "rule 1, character 9: device number above 1f"
bad "no such function" "0000:00:04.8=identity" "rule 1, character 12: function number above 7"
bad "no domain" "00:04.0=identity" "rule 1, character 1: .*expected"
bad "short id" "10de:2bb=identity" "rule 1, character 6: device id"
bad "unknown flag" "0000:00:04.0=identity+clas" "rule 1, character 23: unknown flag"
bad "flag twice" "0000:00:04.0=identity+class+class" "rule 1, character 29: flag given twice"
bad "white space" "\"$good, 10de:*=off\"" "rule 2, character 29: .*expected"
bad "bad class" "*:*@03=identity" "rule 1, character 5: class"
bad "set without a name" "10de:*=identity:" "rule 1, character 17: name of a set"
bad "set with another mode" "$good,10de:*=observe:a" "rule 2, character 29: a set, or flag \"all\", needs mode"
bad "force without identity" "10de:*=peer+force" "rule 1, character 1: flags \"group\" and \"force\" need mode"

# 4,000 characters, well-formed, and one more.
long=$(awk 'BEGIN { for (i = 0; i < 234; i++) printf "0000:00:1%d.%d=off,", i % 10, i % 8 }')
long=${long}10de:2bb5@0302=observe
expect "long policy: characters" 4000 ${#long}
bad "long policy, broken at its end" "${long}!" "rule 235, character 4001: unexpected character"
check "long policy, well-formed" load peerpass "policy=$long"
matches "long policy: whole" "\"policy\": \"$long\"" "$(peerpass status -j)"
unload peerpass

# --- nothing ----------------------------------------------------------------
check "no policy" load peerpass
expect "no policy: nothing changed" "$dma" "$(group_type "$(edu_bdf 0)")"
unload peerpass
check "off=1" load peerpass off=1 "policy=$good"
matches "off=1: said" '"state": "off"' "$(peerpass status -j)"
expect "off=1: nothing changed" "$dma" "$(group_type "$(edu_bdf 0)")"
unload peerpass
