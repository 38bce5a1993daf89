// SPDX-License-Identifier: GPL-2.0-only
/* What the environment asks for. A misspelt word must not let a test pass: it is an error. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "memory.h"
#include "pp_test_edu.h"
#include "switches.h"

/*
 * With QEMU's AMD IOMMU each 4 bytes of a dropped transfer make one event, and
 * the log holds 511: 510 fit, and the device's own delay lets the driver empty
 * the log before the next transfer.
 */
#define DEFAULT_CHUNK 2040

struct switches switches;

/* A number with nothing behind it. */
static bool number(const char *text, uint64_t max, uint64_t *value)
{
	char *end;

	if (*text < '0' || *text > '9')
		return false;
	*value = strtoull(text, &end, 10);
	return !*end && *value <= max;
}

static bool set_only(const char *value)
{
	char end;

	return sscanf(value, "%d:%d%c", &switches.initiator, &switches.target, &end) == 2;
}

static bool set_engine(const char *value)
{
	switches.not_sm = !strcmp(value, "ce");
	switches.not_ce = !strcmp(value, "sm");
	return switches.not_sm || switches.not_ce;
}

static bool set_flip(const char *value)
{
	long long n;
	unsigned long long offset;
	char end;

	if (sscanf(value, "%lld:%llu%c", &n, &offset, &end) != 2 || n < 0)
		return false;
	switches.flip_number = n;
	switches.flip_offset = offset;
	return true;
}

/* A word may have a value if it has somewhere to put it, and must have one with @must. */
static const struct {
	const char *word;
	bool *on;
	uint64_t *number;
	bool (*set)(const char *value);
	bool must;
} words[] = {
	{ "only", NULL, NULL, set_only, true },
	{ "engine", NULL, NULL, set_engine, true },
	{ "hang", &switches.hang, NULL, NULL, false },
	{ "crash", &switches.crash, NULL, NULL, false },
	{ "copyerror", &switches.copyerror, NULL, NULL, false },
	{ "drop", &switches.drop, NULL, NULL, false },
	{ "dropwrite", &switches.dropwrite, NULL, NULL, false },
	{ "dropread", &switches.dropread, NULL, NULL, false },
	{ "zeros", &switches.zeros, NULL, NULL, false },
	{ "ones", &switches.ones, NULL, NULL, false },
	{ "half", &switches.half, NULL, NULL, false },
	{ "shift", &switches.shift, NULL, NULL, false },
	{ "flip", &switches.flip, NULL, set_flip, false },
	{ "stale", &switches.stale, NULL, NULL, false },
	{ "mirror", &switches.mirror, NULL, NULL, false },
	{ "late", &switches.late, &switches.late_ms, NULL, true },
	{ "flagfirst", &switches.flagfirst, NULL, NULL, false },
	{ "collective", &switches.collective, NULL, NULL, false },
	{ "lost", &switches.lost, &switches.lost_after, NULL, true },
	{ "fault", &switches.fault, &switches.fault_count, NULL, false },
	{ "faults", &switches.faults, &switches.fault_count, NULL, false },
	{ "unknown-faults", &switches.unknown_faults, &switches.fault_count, NULL, false },
	{ "noaccess", &switches.noaccess, NULL, NULL, false },
	{ "noenable", &switches.noenable, NULL, NULL, false },
	{ "nodev", &switches.nodev, NULL, NULL, false },
	{ "initfail", &switches.initfail, &switches.initfail_error, NULL, false },
	{ "inithang", &switches.inithang, NULL, NULL, false },
	{ "endhang", &switches.endhang, NULL, NULL, false },
	{ "badhost", &switches.badhost, NULL, NULL, false },
	{ "badmemory", &switches.badmemory, NULL, NULL, false },
	{ "renumber", &switches.renumber, NULL, NULL, false },
	{ "noptx", &switches.noptx, &switches.noptx_error, NULL, false },
	{ "print", &switches.print, NULL, NULL, false },
};

static bool set_word(char *word)
{
	char *value = strchr(word, '=');

	if (value)
		*value++ = '\0';
	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
		if (strcmp(words[i].word, word))
			continue;
		if (words[i].on)
			*words[i].on = true;
		if (!value && !words[i].must)
			return true;
		if (value && (words[i].set ? words[i].set(value) :
			      words[i].number && number(value, INT32_MAX, words[i].number)))
			return true;
		fprintf(stderr, "test libcuda: PP_TEST_CUDA: '%s' cannot have the value '%s'\n",
			word, value ? value : "");
		return false;
	}
	fprintf(stderr, "test libcuda: PP_TEST_CUDA has the unknown word '%s'\n", word);
	return false;
}

static bool set_words(const char *text)
{
	char *copy = strdup(text), *rest = NULL, *word;
	bool good = copy;

	for (word = strtok_r(copy, ",", &rest); good && word; word = strtok_r(NULL, ",", &rest))
		good = set_word(word);
	free(copy);
	return good;
}

/* N, or N with K, M or G behind it. */
static bool bytes(const char *text, uint64_t *value)
{
	static const char units[] = "KMG";
	size_t len = strlen(text);
	const char *unit = len ? strchr(units, text[len - 1]) : NULL;
	char digits[24];

	snprintf(digits, sizeof(digits), "%.*s", (int)(unit ? len - 1 : len), text);
	if (!number(digits, MEMORY_MAX, value))
		return false;
	if (unit)
		*value <<= 10 * (unit - units + 1);
	return *value && *value <= MEMORY_MAX;
}

static bool bad(const char *name)
{
	fprintf(stderr, "test libcuda: %s cannot be '%s'\n", name, getenv(name));
	return false;
}

bool switches_read(void)
{
	const char *text = getenv("PP_TEST_CUDA"), *chunk = getenv("PP_TEST_CUDA_CHUNK");
	const char *delay = getenv("PP_TEST_CUDA_DELAY"), *memory = getenv("PP_TEST_CUDA_MEMORY");
	uint64_t n = DEFAULT_CHUNK;

	switches = (struct switches){
		.initiator = -1, .target = -1, .flip_number = -1, .fault_count = 16,
		.initfail_error = CUDA_ERROR_SYSTEM_NOT_READY,
		.noptx_error = CUDA_ERROR_INVALID_PTX, .delay_ms = 20, .memory = 64 << 20,
	};
	if (text && !set_words(text))
		return false;
	if ((switches.fault || switches.faults || switches.unknown_faults) &&
	    !(getenv("PP_TEST_CUDA_DEVICES") && getenv("FAKE_FAULTS"))) {
		fputs("test libcuda: faults need PP_TEST_CUDA_DEVICES and FAKE_FAULTS\n", stderr);
		return false;
	}
	if (chunk && (!number(chunk, PP_TEST_EDU_BUF_LEN, &n) || !n))
		return bad("PP_TEST_CUDA_CHUNK");
	switches.chunk = (uint32_t)n;
	if (delay && !number(delay, 60000, &switches.delay_ms))
		return bad("PP_TEST_CUDA_DELAY");
	if (memory && !bytes(memory, &switches.memory))
		return bad("PP_TEST_CUDA_MEMORY");
	return true;
}
