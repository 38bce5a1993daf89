// SPDX-License-Identifier: GPL-2.0-only
/* The verdict on a pair, through every branch, and what several come to. */
#include "test.h"
#include "verdict.h"

#define R PP_OUTCOME_RIGHT
#define W PP_OUTCOME_WRONG
#define F PP_OUTCOME_FAILED
#define H PP_OUTCOME_HUNG
#define N PP_OUTCOME_NOT_RUN

static const struct {
	const char *what;
	struct pp_evidence evidence;
	enum pp_verdict verdict;
} table[] = {
	{ "all right", { R, R, R, false, 0 }, PP_VERDICT_OK },
	{ "all right, one fault", { R, R, R, false, 1 }, PP_VERDICT_OK_WITH_FAULTS },
	{ "write wrong", { R, W, R, false, 0 }, PP_VERDICT_CORRUPT_WITHOUT_FAULTS },
	{ "write wrong, faults", { R, W, R, false, 9 }, PP_VERDICT_CORRUPT_WITH_FAULTS },
	{ "read wrong", { R, R, W, false, 0 }, PP_VERDICT_CORRUPT_WITHOUT_FAULTS },
	{ "read wrong, faults", { R, R, W, false, 9 }, PP_VERDICT_CORRUPT_WITH_FAULTS },
	{ "both wrong, faults", { R, W, W, false, 9 }, PP_VERDICT_CORRUPT_WITH_FAULTS },
	{ "no access", { PP_OUTCOME_NO_ACCESS, N, N, false, 0 }, PP_VERDICT_NO_ACCESS },
	{ "no access, faults of others", { PP_OUTCOME_NO_ACCESS, N, N, false, 3 },
	  PP_VERDICT_NO_ACCESS },
	{ "control hung", { H, N, N, false, 0 }, PP_VERDICT_HANG },
	{ "write hung", { R, H, N, false, 0 }, PP_VERDICT_HANG },
	{ "write hung, faults", { R, H, N, false, 9 }, PP_VERDICT_HANG },
	{ "read hung", { R, R, H, false, 0 }, PP_VERDICT_HANG },
	{ "right, but no end", { R, R, R, true, 0 }, PP_VERDICT_HANG },
	{ "wrong, but no end", { R, W, R, true, 0 }, PP_VERDICT_CORRUPT_WITHOUT_FAULTS },
	{ "write wrong, read hung", { R, W, H, false, 9 }, PP_VERDICT_CORRUPT_WITH_FAULTS },
	{ "control wrong", { W, N, N, false, 0 }, PP_VERDICT_INCONCLUSIVE },
	{ "control wrong, faults", { W, N, N, false, 9 }, PP_VERDICT_INCONCLUSIVE },
	{ "control failed", { F, N, N, false, 0 }, PP_VERDICT_INCONCLUSIVE },
	{ "nothing run", { N, N, N, false, 0 }, PP_VERDICT_INCONCLUSIVE },
	{ "write failed", { R, F, N, false, 0 }, PP_VERDICT_INCONCLUSIVE },
	{ "write failed, faults", { R, F, N, false, 9 }, PP_VERDICT_INCONCLUSIVE },
	{ "read failed", { R, R, F, false, 0 }, PP_VERDICT_INCONCLUSIVE },
	{ "write wrong, read failed", { R, W, F, false, 0 }, PP_VERDICT_CORRUPT_WITHOUT_FAULTS },
	{ "read not run", { R, R, N, false, 0 }, PP_VERDICT_INCONCLUSIVE },
	{ "write not run", { R, N, R, false, 0 }, PP_VERDICT_INCONCLUSIVE },
};

static void verdict_table(void)
{
	for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++)
		CHECK_STR(pp_verdict_name(pp_verdict(&table[i].evidence)),
			  pp_verdict_name(table[i].verdict), table[i].what);
}

/* Whatever the evidence: without right data from both operations never ok. */
static void verdict_never_ok_without_data(void)
{
	for (int c = 0; c <= PP_OUTCOME_NO_ACCESS; c++) {
		for (int w = 0; w <= PP_OUTCOME_NO_ACCESS; w++) {
			for (int r = 0; r <= PP_OUTCOME_NO_ACCESS; r++) {
				struct pp_evidence e = { c, w, r, false, 0 };
				enum pp_verdict v = pp_verdict(&e);

				CHECK(v < PP_VERDICTS, "control %d write %d read %d: %d", c, w, r,
				      v);
				CHECK((v == PP_VERDICT_OK) == (c == R && w == R && r == R),
				      "control %d write %d read %d: %s", c, w, r,
				      pp_verdict_name(v));
				e.faults = 1;
				CHECK(pp_verdict(&e) != PP_VERDICT_OK, "ok with a fault");
			}
		}
	}
}

static void verdict_exit_codes(void)
{
	static const int codes[PP_VERDICTS] = {
		[PP_VERDICT_OK] = 0, [PP_VERDICT_HANG] = 10,
		[PP_VERDICT_CORRUPT_WITH_FAULTS] = 11, [PP_VERDICT_CORRUPT_WITHOUT_FAULTS] = 12,
		[PP_VERDICT_OK_WITH_FAULTS] = 13, [PP_VERDICT_INCONCLUSIVE] = 14,
		[PP_VERDICT_NO_ACCESS] = 15,
	};

	for (int v = 0; v < PP_VERDICTS; v++)
		CHECK_NUM(pp_verdict_exit((enum pp_verdict)v), codes[v],
			  pp_verdict_name((enum pp_verdict)v));
}

/* The documented order, worst first: 12, 11, 10, 14, 13, 15, 0. */
static void verdict_worst_first(void)
{
	static const int order[] = { 12, 11, 10, 14, 13, 15, 0 };
	enum pp_verdict all[PP_VERDICTS];

	for (int n = PP_VERDICTS; n > 0; n--) {
		for (int v = 0; v < n; v++)
			all[n - 1 - v] = (enum pp_verdict)v;
		CHECK_NUM(pp_verdict_exit(pp_verdict_worst(all, (size_t)n)),
			  order[PP_VERDICTS - n], "worst of several");
	}
	CHECK_NUM(pp_verdict_worst(all, 0), PP_VERDICT_OK, "worst of none");
}

static void verdict_names(void)
{
	static const char * const names[PP_VERDICTS] = {
		"ok", "no_access", "ok_with_faults", "inconclusive", "hang", "corrupt_with_faults",
		"corrupt_without_faults",
	};

	for (int v = 0; v < PP_VERDICTS; v++) {
		CHECK_STR(pp_verdict_name((enum pp_verdict)v), names[v], "name");
		CHECK(strlen(pp_verdict_cell((enum pp_verdict)v)) <= 3 &&
		      strlen(pp_verdict_cell((enum pp_verdict)v)) >= 1, "cell of %s", names[v]);
		CHECK(pp_verdict_text((enum pp_verdict)v)[0], "no text for %s", names[v]);
		for (int u = 0; u < v; u++)
			CHECK(strcmp(pp_verdict_cell((enum pp_verdict)u),
				     pp_verdict_cell((enum pp_verdict)v)),
			      "cell of %s is not its own", names[v]);
	}
}

int main(void)
{
	RUN(verdict_table);
	RUN(verdict_never_ok_without_data);
	RUN(verdict_exit_codes);
	RUN(verdict_worst_first);
	RUN(verdict_names);
	return test_failures != 0;
}
