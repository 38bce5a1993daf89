# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash disable=SC2154,SC2034
# The manual says what the program does.

ran='(manual)'
manual=$tree/user/man/peerpass.8
# in_manual WHAT WORD - the manual has it as a word of its own
in_manual() { grep -qF -- "$2" "$manual" || note "$1 $2 is not in the manual"; }

for verb in status faults set restore validate help; do in_manual verb ".Cm $verb"; done
for verb in status faults set restore validate; do
	LD_PRELOAD=$out/fakenl.so "$peerpass" help $verb >"$out/help"
	# "--size" is written "-size" after .Fl
	while read -r option; do in_manual option "Fl -${option#--}"; done \
		< <(grep -oE -- '^ +(-., )?--[a-z]+' "$out/help" | grep -oE -- '--[a-z]+')
done
ok "manual: verbs and options"

while read -r code; do in_manual "error code" "$code"; done \
	< <(cat "$tree"/user/cmd/*.c "$tree"/user/lib/*.c "$tree"/user/*.c | tr -d '\n' |
		grep -oE 'pp_error_set\([^;]*PP_EXIT' | grep -oE '"[a-z_]+"' | tr -d '"' | sort -u)
while read -r number; do grep -qE "^\.It $number\$" "$manual" || note "exit code $number is not in the manual"; done \
	< <(sed -n 's/.*PP_EXIT_[A-Z_]* = \([0-9]*\),.*/\1/p' "$tree/user/lib/exit_code.h")
ok "manual: error and exit codes"

while read -r key; do in_manual "JSON key" "$key"; done \
	< <(sed -n '/^SCHEMAS/,/^}/p; /^[A-Z2]* = {/,/}$/p' "$here/check_json.py" |
		grep -oE '"[a-z_0-9]+":' | grep -oE '[a-z_0-9]+' | sort -u)
ok "manual: JSON keys"

for verdict in ok_with_faults corrupt_with_faults corrupt_without_faults no_access hang inconclusive; do
	in_manual verdict "$verdict"
done
ok "manual: verdicts"

if command -v mandoc >/dev/null; then
	mandoc -T lint -W warning "$manual" >"$out/lint" 2>&1 || note "$(head -3 "$out/lint" | tr '\n' ' ')"
	ok "manual: mandoc finds nothing wrong"
fi

# What is installed, and where.
make -s -C "$tree/user" BUILD="$out/build" DESTDIR="$out/root" prefix=/opt/x install >/dev/null 2>&1 || note "make install failed"
(cd "$out/root" && find . -type f | sort) >"$out/installed"
[ "$(tr '\n' ' ' <"$out/installed")" = "./opt/x/bin/peerpass ./opt/x/share/man/man8/peerpass.8 " ] ||
	note "installed: $(tr '\n' ' ' <"$out/installed")"
ok "manual: make install installs helper and manual, nothing else"
