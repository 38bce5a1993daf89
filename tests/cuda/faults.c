// SPDX-License-Identifier: GPL-2.0-only
/* Faults, in the format of tests/cli/fakenl_faults.h. */
#include <stdio.h>
#include <stdlib.h>

#include "faults.h"
#include "switches.h"

/* A line each, in one go: several threads may report at once. */
void faults_report(const struct device *initiator, const struct device *peer, bool write)
{
	FILE *f = fopen(getenv("FAKE_FAULTS"), "ae");

	/* A test without the faults that it asked for must not pass. */
	if (!f)
		abort();
	fprintf(f, "%s %s %d %d %llu\n", initiator->address,
		switches.unknown_faults ? "-" : peer->address, !switches.unknown_faults, write,
		(unsigned long long)switches.fault_count);
	fclose(f);
}
