// SPDX-License-Identifier: GPL-2.0-only
/* Failures on demand. A misspelt word must not let a test pass: it is an error. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "pp_test_edu.h"
#include "switches.h"

/*
 * With QEMU's AMD IOMMU each 4 bytes of a dropped transfer make one event, and
 * the log holds 511: 510 fit, and the device's own delay lets the driver empty
 * the log before the next transfer.
 */
#define DEFAULT_CHUNK 2040

struct switches switches;

static const struct {
	const char *word;
	bool *on;
} words[] = {
	{ "hang", &switches.hang },
	{ "drop", &switches.drop },
	{ "flip", &switches.flip },
	{ "badhost", &switches.badhost },
	{ "noaccess", &switches.noaccess },
	{ "nodev", &switches.nodev },
	{ "initfail", &switches.initfail },
};

static bool set_word(const char *word, size_t len)
{
	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
		if (strlen(words[i].word) != len || strncmp(words[i].word, word, len))
			continue;
		*words[i].on = true;
		return true;
	}
	fprintf(stderr, "test libcuda: PP_TEST_CUDA has the unknown word '%.*s'\n", (int)len, word);
	return false;
}

bool switches_read(void)
{
	const char *text = getenv("PP_TEST_CUDA"), *chunk = getenv("PP_TEST_CUDA_CHUNK");

	memset(&switches, 0, sizeof(switches));
	while (text && *text) {
		size_t len = strcspn(text, ",");

		if (!set_word(text, len))
			return false;
		text += len;
		text += *text == ',';
	}
	switches.chunk = DEFAULT_CHUNK;
	if (chunk) {
		char *end;
		unsigned long n = strtoul(chunk, &end, 10);

		if (end == chunk || *end || n < 1 || n > PP_TEST_EDU_BUF_LEN) {
			fprintf(stderr, "test libcuda: PP_TEST_CUDA_CHUNK is '%s', not 1 to %d\n",
				chunk, PP_TEST_EDU_BUF_LEN);
			return false;
		}
		switches.chunk = (uint32_t)n;
	}
	return true;
}
