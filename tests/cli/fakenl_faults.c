// SPDX-License-Identifier: GPL-2.0-only
/* Faults that the test-only CUDA has caused, see fakenl_faults.h. */
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fakenl_faults.h"
#include "uapi/linux/peerpass.h"
#include "world.h"

struct fault {
	char initiator[24];
	char target[24];
	unsigned int bar;
	unsigned int kind;
	uint64_t count;
};

static bool next_fault(FILE *f, struct fault *fault)
{
	return fscanf(f, "%23s %23s %u %u %" SCNu64, fault->initiator, fault->target, &fault->bar,
		      &fault->kind, &fault->count) == 5;
}

static FILE *open_faults(void)
{
	const char *path = getenv("FAKE_FAULTS");

	return path ? fopen(path, "re") : NULL;
}

/** fake_faults_of - add the faults of one initiator to @counts, by kind */
void fake_faults_of(uint32_t domain, uint16_t rid, uint64_t *counts)
{
	FILE *f = open_faults();
	struct fault fault;
	uint32_t d;
	uint16_t r;

	while (f && next_fault(f, &fault)) {
		world_bdf(fault.initiator, &d, &r);
		if (d == domain && r == rid)
			counts[fault.kind] += fault.count;
	}
	if (f)
		fclose(f);
}

/* Does an earlier line name the same pair? The dump has one message for each. */
static bool seen_before(const struct fault *fault, long before)
{
	FILE *f = open_faults();
	struct fault other;
	bool seen = false;

	while (f && !seen && before-- > 0 && next_fault(f, &other))
		seen = !strcmp(other.initiator, fault->initiator) &&
		       !strcmp(other.target, fault->target) && other.bar == fault->bar;
	if (f)
		fclose(f);
	return seen;
}

/** fake_fault_pairs - put one message for each pair that faulted */
void fake_fault_pairs(void (*put)(const char *text, uint16_t flags), uint16_t flags)
{
	FILE *f = open_faults();
	struct fault fault, other;
	long line = 0;

	for (; f && next_fault(f, &fault); line++) {
		uint64_t counts[3] = { 0 };
		FILE *again;
		char text[256];

		if (seen_before(&fault, line))
			continue;
		again = open_faults();
		while (again && next_fault(again, &other)) {
			unsigned int place = other.kind > 1 ? 2 : other.kind;

			if (!strcmp(other.initiator, fault.initiator) &&
			    !strcmp(other.target, fault.target) && other.bar == fault.bar)
				counts[place] += other.count;
		}
		if (again)
			fclose(again);
		if (fault.target[0] == '-')
			snprintf(text, sizeof(text), " initiator=%s class=%d read=%" PRIu64
				 " write=%" PRIu64 " other=%" PRIu64, fault.initiator,
				 PEERPASS_TARGET_CLASS_UNASSIGNED, counts[0], counts[1], counts[2]);
		else
			snprintf(text, sizeof(text),
				 " initiator=%s class=%d target=%s bar=%u read=%" PRIu64 " write=%" PRIu64 " other=%" PRIu64, fault.initiator,
				 PEERPASS_TARGET_CLASS_BAR, fault.target, fault.bar, counts[0],
				 counts[1], counts[2]);
		put(text, flags);
	}
	if (f)
		fclose(f);
}
