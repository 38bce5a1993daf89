// SPDX-License-Identifier: GPL-2.0-only
/*
 * reach-get: what a device's domain maps at the BARs of another one, as the helper's
 * library is told.
 *
 *   reach-get [-u] [-t] INITIATOR TARGET   asks once and prints the answer
 *   reach-get [-u] -n COUNT INITIATOR TARGET   asks until there are so many answers
 *   reach-get -g                       prints the window generation
 *   reach-get -r [-b COMMAND] NAME=NUMBER...   a request with these attributes, see
 *                                      raw.c; -b: run between the first two packets
 *
 * -u: as a user without privilege; -t: prints the milliseconds it took.
 *
 * An answer is "WHAT type=N dma_ops=0|1" and "BAR:NONE/SELF/FOREIGN/UNKNOWN" for each
 * BAR, in bytes; an error "error CODE ERRNO: TEXT". Ends with 1 on an error.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "model.h"
#include "raw.h"
#include "reach.h"

static const char *const words[] = { "nothing", "itself", "partly", "foreign", "unknown" };

static int64_t now_ms(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (int64_t)ts.tv_sec * 1000 + ts.tv_nsec / 1000000;
}

static void print_error(struct pp_nl *nl, const struct pp_error *err)
{
	printf("error %s %s: %s%s%s\n", err->code,
	       nl && pp_nl_errno(nl) ? strerrorname_np(pp_nl_errno(nl)) : "-", err->message,
	       err->hint[0] ? "; " : "", err->hint);
}

static void print_reach(const struct pp_reach *reach)
{
	printf("%s type=%u dma_ops=%d", words[pp_reach_sum(reach)], reach->domain_type,
	       reach->dma_ops);
	for (unsigned int i = 0; i < PP_REACH_BARS; i++) {
		const struct pp_reach_bar *bar = &reach->bars[i];

		if (bar->there)
			printf(" %u:%" PRIu64 "/%" PRIu64 "/%" PRIu64 "/%" PRIu64, i, bar->none,
			       bar->self, bar->foreign, bar->unknown);
	}
}

static int ask_often(struct pp_nl *nl, struct pp_bdf initiator, struct pp_bdf target,
		     unsigned int count)
{
	unsigned int answers[5] = { 0 }, busy = 0, changing = 0, other = 0;
	struct pp_error err = { 0 };
	struct pp_reach reach;

	/* Who was told to ask again asks again. */
	for (unsigned int i = 0; i < count + busy; i++) {
		if (!pp_reach_get(nl, initiator, target, &reach, &err)) {
			answers[pp_reach_sum(&reach)]++;
		} else if (!strcmp(err.code, "changing")) {
			changing++;
		} else if (pp_nl_errno(nl) == EBUSY) {
			busy++;
		} else {
			print_error(nl, &err);
			other++;
		}
	}
	for (unsigned int i = 0; i < 5; i++)
		printf("%s=%u ", words[i], answers[i]);
	printf("busy=%u changing=%u other=%u\n", busy, changing, other);
	return other != 0;
}

static int ask(struct pp_nl *nl, struct pp_bdf initiator, struct pp_bdf target, bool timed)
{
	struct pp_error err = { 0 };
	struct pp_reach reach;
	int64_t start = now_ms();

	if (pp_reach_get(nl, initiator, target, &reach, &err)) {
		print_error(nl, &err);
		return 1;
	}
	print_reach(&reach);
	if (timed)
		printf(" %" PRId64 " ms", now_ms() - start);
	putchar('\n');
	return 0;
}

static int generation(struct pp_nl *nl)
{
	struct pp_error err = { 0 };
	struct pp_info info;
	int ret = pp_get_info(nl, &info, &err);

	if (ret)
		print_error(nl, &err);
	else
		printf("%" PRIu64 "\n", info.window_generation);
	pp_info_free(&info);
	return ret != 0;
}

static int usage(void)
{
	fprintf(stderr, "usage: reach-get [-u] [-t] [-n COUNT] INITIATOR TARGET | -g | "
			"-r [-b COMMAND] NAME=NUMBER...\n");
	return 2;
}

int main(int argc, char **argv)
{
	bool raw = false, only_generation = false, timed = false;
	struct pp_bdf initiator, target;
	struct pp_error err = { 0 };
	const char *between = NULL;
	unsigned int count = 0;
	struct pp_nl *nl;
	int opt, ret;

	while ((opt = getopt(argc, argv, "ub:gn:rt")) != -1) {
		switch (opt) {
		case 'u':
			if (setgid(65534) || setuid(65534))
				return 1;
			break;
		case 'b':
			between = optarg;
			break;
		case 'g':
			only_generation = true;
			break;
		case 'n':
			count = (unsigned int)atoi(optarg);
			break;
		case 'r':
			raw = true;
			break;
		case 't':
			timed = true;
			break;
		default:
			return usage();
		}
	}
	if (raw)
		return raw_dump(argv + optind, argc - optind, between);
	if (!only_generation &&
	    (argc - optind != 2 || !pp_bdf_parse(argv[optind], &initiator) ||
	     !pp_bdf_parse(argv[optind + 1], &target)))
		return usage();
	nl = pp_nl_open(&err);
	if (!nl) {
		print_error(NULL, &err);
		return 1;
	}
	if (only_generation)
		ret = generation(nl);
	else if (count)
		ret = ask_often(nl, initiator, target, count);
	else
		ret = ask(nl, initiator, target, timed);
	pp_nl_close(nl);
	return ret;
}
