// SPDX-License-Identifier: GPL-2.0-only
/* Devices that are lost. The file has a line for each, its address. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lost.h"

static FILE *state_file(const char *mode)
{
	const char *path = getenv("PP_TEST_CUDA_STATE");

	return path ? fopen(path, mode) : NULL;
}

void lost_set(struct device *device)
{
	FILE *f;

	if (__atomic_exchange_n(&device->lost, true, __ATOMIC_ACQ_REL))
		return;
	f = state_file("ae");
	if (!f)
		return;
	fprintf(f, "%s\n", device->address);
	fclose(f);
}

void lost_recall(void)
{
	FILE *f = state_file("re");
	char address[24];

	while (f && fscanf(f, "%23s", address) == 1)
		for (int i = 0; i < device_count; i++)
			if (!strcmp(devices[i].address, address))
				devices[i].lost = true;
	if (f)
		fclose(f);
}
