// SPDX-License-Identifier: GPL-2.0-only
/* The command line of validate. */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cmd.h"
#include "lib/devsel.h"
#include "lib/options.h"
#include "validate.h"

#define MAX_SIZE	(1ull << 30)
#define MAX_MEMORY	(64ull << 30)
#define DEFAULT_TIMEOUT	30
/* Without a daemon that keeps them up, each GPU's firmware starts at each opening. */
#define DEFAULT_OPEN_TIMEOUT 120
#define MAX_TIMEOUT	3600
#define MAX_SOAK	(30ull * 24 * 3600)

const char cmd_validate_usage[] =
	"Usage: peerpass validate [OPTION...] [DEV...]\n\n"
	"Tests P2P between every two of the GPUs that CUDA has, or of those named, in both\n"
	"directions, with copy engines and kernels, then all together; compares data through\n"
	"the GPU that owns the memory, and counts the faults meanwhile. DEV is an address\n"
	"(0000:01:00.0 or 01:00.0), gpuN, or the name of a set of peers.\n\n"
	"  --quick            less of everything: seconds\n"
	"  --full             more: sizes, offsets, 4 GiB edges; memory up to 4.3 GiB\n"
	"  --soak TIME        again and again for TIME (s, m, h or d at its end)\n"
	"  --set LIST         the same as DEV, separated by commas; N is gpuN\n"
	"  --size BYTES       greatest transfer, a multiple of 8 up to 1G, with K, M or G\n"
	"  --memory BYTES     of each GPU that the others reach, up to 64G\n"
	"  --timeout SECONDS  for one test, up to 3600; 30, and 120 to open the GPUs\n"
	"  --busy-ok          also with GPUs that other processes use\n"
	"  --force            also where a transfer could hit memory of the host\n"
	"  -o, --output FILE  write the verdict there too\n"
	"  --check[=FILE]     does the verdict in FILE still hold?\n"
	"  --export FORMAT    settings that follow from it: nccl, sh, sglang, vllm\n"
	"  -j, --json         one JSON object, schema peerpass/verdict/1\n"
	"  -h, --help         this text\n\n"
	"Takes of each GPU about the memory named and one transfer, and a transfer of the host.\n"
	"Root's verdict goes to /run/peerpass/verdict.json.\n\n"
	"Exit codes: 0 all proved, 1 failed, 2 usage, 10 hang, 11 wrong data with faults, 12\n"
	"wrong data without faults, 13 right data with faults, 14 inconclusive, 15 not usable\n"
	"here, 16 stale, 17 not safe to test. Of several the worst counts: 12, 11, 10, 14, 13,\n"
	"17, 15.\n";

/* "90", "90s", "15m", "8h", "2d" */
static int parse_time(const char *text, uint64_t *seconds, struct pp_error *err)
{
	static const struct { char letter; uint64_t seconds; } units[] = {
		{ 's', 1 }, { 'm', 60 }, { 'h', 3600 }, { 'd', 24 * 3600 },
	};
	size_t len = strlen(text);
	uint64_t unit = 1, n;
	char digits[16];

	for (size_t i = 0; len && i < sizeof(units) / sizeof(units[0]); i++) {
		if (text[len - 1] != units[i].letter)
			continue;
		unit = units[i].seconds;
		len--;
		break;
	}
	if (!len || len >= sizeof(digits) || strspn(text, "0123456789") < len)
		return pp_error_set(err, "usage", PP_EXIT_USAGE,
				    "--soak: \"%s\" is not a time, like 90s, 15m, 8h or 2d", text);
	snprintf(digits, sizeof(digits), "%.*s", (int)len, text);
	if (pp_options_number("--soak", digits, 1, MAX_SOAK / unit, &n, err))
		return -1;
	*seconds = n * unit;
	return 0;
}

/* Anything else may be the name of a set. */
static bool is_address_or_gpu(const char *word)
{
	return !*word || strchr(word, ':') || !strncmp(word, "gpu", 3);
}

static int check(const struct validate_args *args, struct pp_error *err)
{
	if (args->max_bytes % 8)
		return pp_error_set(err, "usage", PP_EXIT_USAGE,
				    "--size: %llu is not a multiple of 8",
				    (unsigned long long)args->max_bytes);
	if (args->memory % 8)
		return pp_error_set(err, "usage", PP_EXIT_USAGE,
				    "--memory: %llu is not a multiple of 8",
				    (unsigned long long)args->memory);
	for (int i = 0; i < args->device_count; i++)
		if (is_address_or_gpu(args->devices[i]) && pp_devsel_check(&args->devices[i], 1, err))
			return -1;
	if (args->device_count == 1 && !args->set && is_address_or_gpu(args->devices[0]))
		return pp_error_set(err, "usage", PP_EXIT_USAGE,
				    "P2P takes two devices, only %s is named", args->devices[0]);
	return 0;
}

/**
 * validate_parse - the command line
 *
 * Return: 0, or -1 with @err filled in.
 */
int validate_parse(int argc, char **argv, struct validate_args *args, struct pp_error *err)
{
	bool quick = false, full = false;
	const char *soak = NULL;
	uint64_t timeout_s = 0;
	const struct pp_option options[] = {
		{ "quick", 0, PP_OPTION_FLAG, &quick, 0, 0 },
		{ "full", 0, PP_OPTION_FLAG, &full, 0, 0 },
		{ "soak", 0, PP_OPTION_TEXT, &soak, 0, 0 },
		{ "set", 0, PP_OPTION_TEXT, &args->set, 0, 0 },
		{ "size", 0, PP_OPTION_NUMBER, &args->max_bytes, 8, MAX_SIZE },
		{ "memory", 0, PP_OPTION_NUMBER, &args->memory, 8, MAX_MEMORY },
		{ "timeout", 0, PP_OPTION_NUMBER, &timeout_s, 1, MAX_TIMEOUT },
		{ "busy-ok", 0, PP_OPTION_FLAG, &args->busy_ok, 0, 0 },
		{ "force", 0, PP_OPTION_FLAG, &args->force, 0, 0 },
		{ "output", 'o', PP_OPTION_TEXT, &args->output, 0, 0 },
		{ "json", 'j', PP_OPTION_FLAG, &args->json, 0, 0 },
		{ 0 },
	};

	*args = (struct validate_args){ .level = PP_LEVEL_DEFAULT };
	if (pp_options_parse(argc, argv, "validate", options, &args->help, err))
		return -1;
	if (quick && full)
		return pp_error_set(err, "usage", PP_EXIT_USAGE,
				    "--quick and --full: only one of them");
	if (soak && parse_time(soak, &args->soak_s, err))
		return -1;
	args->level = quick ? PP_LEVEL_QUICK : full ? PP_LEVEL_FULL : PP_LEVEL_DEFAULT;
	args->timeout_s = timeout_s ? timeout_s : DEFAULT_TIMEOUT;
	args->open_timeout_s = timeout_s ? timeout_s : DEFAULT_OPEN_TIMEOUT;
	args->devices = argv + optind;
	args->device_count = argc - optind;
	return check(args, err);
}
