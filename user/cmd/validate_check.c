// SPDX-License-Identifier: GPL-2.0-only
/* peerpass validate --check: does a verdict that was written earlier still hold? */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "lib/claim_now.h"
#include "lib/devsel.h"
#include "lib/options.h"
#include "lib/output.h"
#include "lib/verdict_file.h"
#include "validate_file.h"

static const char usage[] =
	"Usage: peerpass validate --check[=FILE] [DEV...] [-j]\n\n"
	"Does a verdict that validate wrote earlier still hold: same boot, kernel, driver,\n"
	"devices, domains, modes and windows, and no new faults? With DEV: is it about these\n"
	"devices? Touches no GPU; needs neither CUDA nor root. FILE is " PP_VERDICT_PATH "\n"
	"when it is not given.\n\n"
	"  -j, --json  one JSON object, schema peerpass/check/1\n"
	"  -h, --help  this text\n\n"
	"Exit codes: 0 it holds and is ok; 10 to 15 and 17 it holds and is not: its own code; 16\n"
	"it does not hold, is not to be believed, or is not there; 1 failed, 2 usage.\n";

struct arguments {
	const char *file;
	bool json;
	bool help;
	char **devices;
	int device_count;
};

/* All that is said about a file. */
struct check {
	const char *file;
	/* Why it is not believed; code NULL when it is. */
	struct pp_error refusal;
	struct pp_claim claim;
	struct pp_stale_list stale;
	int exit_code;
};

/* "--check" or "--check=..." before any "--" */
static bool has_option(int argc, char **argv, const char *option)
{
	size_t len = strlen(option);

	for (int i = 1; i < argc && strcmp(argv[i], "--"); i++) {
		if (!strncmp(argv[i], option, len) && (!argv[i][len] || argv[i][len] == '='))
			return true;
	}
	return false;
}

/**
 * validate_reads_file - is it about a verdict file? Then all of it is done here
 * @ret: what cmd_validate() has to return
 */
bool validate_reads_file(int argc, char **argv, int *ret, struct pp_error *err)
{
	if (has_option(argc, argv, "--export"))
		*ret = validate_export(argc, argv, err);
	else if (has_option(argc, argv, "--check"))
		*ret = validate_check(argc, argv, err);
	else
		return false;
	return true;
}

static int parse(int argc, char **argv, struct arguments *args, struct pp_error *err)
{
	const struct pp_option options[] = {
		{ "check", 0, PP_OPTION_MAY_BE_TEXT, &args->file, 0, 0 },
		{ "json", 'j', PP_OPTION_FLAG, &args->json, 0, 0 },
		{ 0 },
	};

	if (pp_options_parse(argc, argv, "validate --check", options, &args->help, err))
		return -1;
	args->devices = argv + optind;
	args->device_count = argc - optind;
	if (!pp_devsel_check(args->devices, args->device_count, err))
		return 0;
	if (args->device_count && strchr(args->devices[0], '/'))
		pp_error_hint(err, "a file is given as --check=FILE");
	return -1;
}

static json_t *reason_json(const struct pp_stale_reason *v)
{
	char device[PP_BDF_LEN], target[PP_BDF_LEN];

	return json_pack("{s:s, s:s, s:o, s:o, s:o}", "reason", pp_stale_name(v->reason),
			 "text", pp_json_text(v->text),
			 "device", v->has_device ? json_string(pp_bdf_text(v->device, device)) :
						   json_null(),
			 "target", v->has_target ? json_string(pp_bdf_text(v->target, target)) :
						   json_null(),
			 "faults", v->reason == PP_STALE_FAULTS_SINCE ? pp_json_u64(v->faults) :
									json_null());
}

static int print_json(const struct check *check)
{
	const struct pp_claim *claim = &check->claim;
	bool believed = !check->refusal.code;
	json_t *reasons = json_array();

	if (!believed)
		json_array_append_new(reasons, json_pack(
			"{s:s, s:s, s:n, s:n, s:n}", "reason", check->refusal.code,
			"text", pp_json_text(check->refusal.message), "device", "target",
			"faults"));
	for (size_t i = 0; i < check->stale.n; i++)
		json_array_append_new(reasons, reason_json(&check->stale.v[i]));
	return pp_json_print(json_pack(
		"{s:s, s:s, s:b, s:b, s:o, s:o, s:o, s:o, s:o, s:o, s:I, s:i}",
		"schema", "peerpass/check/1", "file", pp_json_text(check->file),
		"believed", believed, "holds", believed && !pp_claim_stale(&check->stale),
		"verdict", pp_json_string_or_null(believed ? claim->verdict : NULL),
		"level", pp_json_string_or_null(believed ? claim->level : NULL),
		"forced", believed ? json_boolean(claim->forced) : json_null(),
		"finished", pp_json_string_or_null(believed ? claim->finished : NULL),
		"next", check->exit_code == PP_EXIT_STALE ? json_string("peerpass validate") :
			pp_json_string_or_null(believed ? claim->next : NULL),
		"reasons", reasons, "more_reasons", (json_int_t)check->stale.more,
		"exit_code", check->exit_code));
}

static void print_text(const struct check *check)
{
	const struct pp_claim *claim = &check->claim;
	const struct pp_stale_list *stale = &check->stale;

	if (check->refusal.code) {
		printf("does not hold: %s: %s\n", check->refusal.code, check->refusal.message);
	} else if (pp_claim_stale(stale)) {
		for (size_t i = 0; i < stale->n; i++)
			printf("does not hold: %s: %s\n", pp_stale_name(stale->v[i].reason),
			       stale->v[i].text);
		if (stale->more)
			printf("does not hold: %zu more reasons\n", stale->more);
	} else {
		printf("holds: %s, %zu devices, level %s%s, finished %s", claim->verdict,
		       claim->device_count, claim->level, claim->forced ? ", forced" : "",
		       claim->finished);
		if (claim->text[0] && !pp_claim_ok(claim))
			printf(": %s", claim->text);
		if (claim->next[0] && !pp_claim_ok(claim))
			printf(". Next: %s", claim->next);
		putchar('\n');
		return;
	}
	puts("Next: peerpass validate");
}

/* The devices that were named, as addresses. */
static int resolve(const struct pp_inventory *inv, const struct arguments *args,
		   struct pp_bdf *asked, struct pp_error *err)
{
	for (int i = 0; i < args->device_count; i++) {
		const struct pp_device *dev = pp_devsel(inv, args->devices[i], err);

		if (!dev)
			return -1;
		asked[i] = dev->bdf;
	}
	return 0;
}

static int compare_with_now(struct check *check, const struct arguments *args,
			    struct pp_error *err)
{
	static struct pp_now now;
	struct pp_bdf asked[PP_CLAIM_DEVICES];
	struct pp_inventory inv;
	int ret;

	if (args->device_count > PP_CLAIM_DEVICES)
		return pp_error_set(err, "usage", PP_EXIT_USAGE, "more than %d devices are named",
				    PP_CLAIM_DEVICES);
	ret = pp_claim_now(&check->claim, &inv, &now, err);
	if (!ret)
		ret = resolve(&inv, args, asked, err);
	if (!ret)
		pp_claim_holds(&check->claim, &now, asked, (size_t)args->device_count,
			       &check->stale);
	pp_inventory_free(&inv);
	check->exit_code = pp_claim_stale(&check->stale) ? PP_EXIT_STALE :
							   check->claim.exit_code;
	return ret;
}

/** validate_check - as cmd_validate(), for a command line with --check */
int validate_check(int argc, char **argv, struct pp_error *err)
{
	static struct check check;
	struct arguments args = { .file = PP_VERDICT_PATH };
	int ret;

	if (parse(argc, argv, &args, err))
		return -1;
	if (args.help) {
		fputs(usage, stdout);
		return PP_EXIT_OK;
	}
	check.file = args.file;
	ret = pp_verdict_read(args.file, 0, &check.claim, &check.refusal);
	if (ret && check.refusal.exit_code != PP_EXIT_STALE) {
		*err = check.refusal;
	} else if (ret) {
		check.exit_code = PP_EXIT_STALE;
		ret = 0;
	} else {
		ret = compare_with_now(&check, &args, err);
	}
	if (!ret && args.json && print_json(&check))
		check.exit_code = PP_EXIT_FAILED;
	else if (!ret && !args.json)
		print_text(&check);
	pp_claim_free(&check.claim);
	return ret ? ret : check.exit_code;
}
