# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=dash disable=SC1091
# Fake IOMMUs, fed from as many threads, count exactly (tests/kmod/pp_test_units.c;
# loading fails when a count is off).
. /lab/lib.sh

check "8 fake units, 2 processors" load pp_test_units units=8 events=100000
dmesg | grep pp_test_units: | tail -n 5
unload pp_test_units
check "1 fake unit, alone" load pp_test_units units=1 events=300000
unload pp_test_units
