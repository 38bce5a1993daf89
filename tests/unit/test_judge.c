// SPDX-License-Identifier: GPL-2.0-only
/* The verdict and its cause, through every branch, and what several come to. */
#include "judge.h"
#include "test.h"

#define R PP_OUTCOME_RIGHT
#define W PP_OUTCOME_WRONG
#define F PP_OUTCOME_FAILED
#define H PP_OUTCOME_HUNG
#define N PP_OUTCOME_NOT_RUN

#define BIT(op) PP_OP_BIT(PP_OP_##op)
#define WRITES (BIT(CE_WRITE) | BIT(SM_WRITE))
#define READS (BIT(CE_READ) | BIT(SM_READ))
#define COPIES (WRITES | READS)

/* A pair of which all is right, then changed by the test. */
static struct pp_evidence good(void)
{
	struct pp_evidence e = { .open = R };

	for (int op = 0; op < PP_OPS; op++) {
		if (PP_OP_BIT(op) & PP_OPS_COLLECTIVE)
			continue;
		e.ops[op] = (struct pp_op_evidence){ .planned = true, .outcome = R };
	}
	return e;
}

/* The same of all GPUs together. */
static struct pp_evidence good_set(void)
{
	struct pp_evidence e = { .open = R };

	for (int op = PP_OP_ONE_SHOT; op <= PP_OP_RING; op++)
		e.ops[op] = (struct pp_op_evidence){ .planned = true, .outcome = R };
	return e;
}

static void all_of(struct pp_evidence *e, uint32_t ops, enum pp_outcome outcome,
		   enum pp_word_kind kind, uint32_t seen)
{
	for (int op = 0; op < PP_OPS; op++) {
		if (!(ops & PP_OP_BIT(op)))
			continue;
		e->ops[op].outcome = outcome;
		e->ops[op].kind = kind;
		e->ops[op].seen = seen;
		e->ops[op].wrong = outcome == W ? 2 : 0;
		e->ops[op].words = 100;
		e->ops[op].bad_words = outcome == W ? 100 : 0;
	}
}

static void is(const struct pp_evidence *e, enum pp_verdict verdict, enum pp_cause cause,
	       const char *what)
{
	const uint32_t ops = e->ops[PP_OP_RING].planned ? PP_OPS_COLLECTIVE : PP_OPS_PAIR;
	struct pp_judgement j = pp_judge(e, ops);

	CHECK_STR(pp_verdict_name(j.verdict), pp_verdict_name(verdict), what);
	CHECK_STR(pp_cause_name(j.cause), pp_cause_name(cause), what);
}

static void right_data(void)
{
	struct pp_evidence e = good();

	is(&e, PP_VERDICT_OK, PP_CAUSE_NONE, "all right");
	e.faults = 1;
	is(&e, PP_VERDICT_OK_WITH_FAULTS, PP_CAUSE_FAULTS, "one fault");
	e.lost = true;
	is(&e, PP_VERDICT_INCONCLUSIVE, PP_CAUSE_DEVICE_LOST, "and the device lost");
	e = good_set();
	is(&e, PP_VERDICT_OK, PP_CAUSE_NONE, "all together right");
	e.faults = 1;
	is(&e, PP_VERDICT_OK_WITH_FAULTS, PP_CAUSE_FAULTS, "all together, one fault");
}

static void not_tested(void)
{
	static const struct { enum pp_way way; enum pp_cause cause; } ways[] = {
		{ PP_WAY_NO_MODULE, PP_CAUSE_NO_MODULE },
		{ PP_WAY_FOREIGN, PP_CAUSE_FOREIGN_MAPPING },
		{ PP_WAY_UNKNOWN, PP_CAUSE_MAPPING_UNKNOWN },
	};

	for (size_t i = 0; i < 3; i++) {
		struct pp_evidence e = good();

		e.way = ways[i].way;
		is(&e, PP_VERDICT_NOT_SAFE, ways[i].cause, "not forced");
		e.forced = true;
		is(&e, PP_VERDICT_OK, PP_CAUSE_NONE, "forced");
	}
}

static void before_any_transfer(void)
{
	struct pp_evidence e = good();

	e.open = PP_OUTCOME_NO_ACCESS;
	e.faults = 3;
	is(&e, PP_VERDICT_NO_ACCESS, PP_CAUSE_NO_PEER_ACCESS, "no access, faults of others");
	e.open = H;
	is(&e, PP_VERDICT_HANG, PP_CAUSE_NO_ANSWER, "opening hangs");
	e.open = F;
	is(&e, PP_VERDICT_INCONCLUSIVE, PP_CAUSE_CALL_FAILED, "opening fails");
	e.lost = true;
	is(&e, PP_VERDICT_INCONCLUSIVE, PP_CAUSE_DEVICE_LOST, "since a device is lost");
	e.open = N;
	e.lost = false;
	is(&e, PP_VERDICT_INCONCLUSIVE, PP_CAUSE_CALL_FAILED, "nothing run");
}

static void control(void)
{
	static const struct { enum pp_outcome outcome; enum pp_verdict verdict; enum pp_cause cause; }
	table[] = {
		{ W, PP_VERDICT_INCONCLUSIVE, PP_CAUSE_CONTROL_FAILED },
		{ F, PP_VERDICT_INCONCLUSIVE, PP_CAUSE_CONTROL_FAILED },
		{ N, PP_VERDICT_INCONCLUSIVE, PP_CAUSE_CONTROL_FAILED },
		{ H, PP_VERDICT_HANG, PP_CAUSE_NO_ANSWER },
	};

	for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
		struct pp_evidence e = good();

		e.ops[PP_OP_CONTROL].outcome = table[i].outcome;
		all_of(&e, COPIES, W, PP_WORD_POISON, 0);
		e.faults = i;
		is(&e, table[i].verdict, table[i].cause, pp_outcome_name(table[i].outcome));
	}
}

static const struct {
	const char *what;
	uint32_t wrong;
	enum pp_word_kind kind;
	uint32_t seen;
	enum pp_cause cause;
} wrongs[] = {
	{ "nothing arrives", PP_OPS_DATA, PP_WORD_POISON, 0, PP_CAUSE_DROPPED },
	{ "no copy arrives", COPIES, PP_WORD_POISON, 0, PP_CAUSE_DROPPED },
	{ "no write arrives", WRITES, PP_WORD_POISON, 0, PP_CAUSE_WRITES_DROPPED },
	{ "no read arrives", READS, PP_WORD_POISON, 0, PP_CAUSE_READS_DROPPED },
	{ "by copy engine", BIT(CE_WRITE) | BIT(CE_READ), PP_WORD_POISON, 0,
	  PP_CAUSE_COPY_ENGINE },
	{ "by SM", BIT(SM_WRITE) | BIT(SM_READ), PP_WORD_POISON, 0, PP_CAUSE_SM },
	{ "writes and both ways", WRITES | PP_OPS_BOTH, PP_WORD_POISON, 0,
	  PP_CAUSE_WRITES_DROPPED },
	{ "a mirror", WRITES, PP_WORD_POISON, PP_SEEN_MIRROR, PP_CAUSE_MIRROR },
	{ "late", COPIES, PP_WORD_POISON, PP_SEEN_LATE, PP_CAUSE_LATE },
	{ "late, flags too", COPIES | PP_OPS_ORDER, PP_WORD_POISON, PP_SEEN_LATE,
	  PP_CAUSE_LATE },
	{ "stale", COPIES, PP_WORD_STALE, 0, PP_CAUSE_STALE },
	{ "zeros", READS, PP_WORD_ZEROS, 0, PP_CAUSE_ZEROS },
	{ "ones", READS, PP_WORD_ONES, 0, PP_CAUSE_ONES },
	{ "shifted", COPIES, PP_WORD_SHIFTED, 0, PP_CAUSE_MISPLACED },
	{ "of another GPU", COPIES, PP_WORD_FOREIGN, 0, PP_CAUSE_FOREIGN_DATA },
	{ "random", BIT(SM_READ), PP_WORD_OTHER, 0, PP_CAUSE_DAMAGED },
	{ "both ways only", PP_OPS_BOTH, PP_WORD_POISON, 0, PP_CAUSE_BOTH_WAYS },
	{ "one engine, both ways only", BIT(SM_BOTH), PP_WORD_OTHER, 0, PP_CAUSE_BOTH_WAYS },
	{ "order only", BIT(ORDER_WRITE), PP_WORD_OTHER, 0, PP_CAUSE_ORDER },
	{ "order both", PP_OPS_ORDER, PP_WORD_OTHER, 0, PP_CAUSE_ORDER },
};

static void wrong_data_of_a_pair(void)
{
	for (size_t i = 0; i < sizeof(wrongs) / sizeof(wrongs[0]); i++) {
		struct pp_evidence e = good();

		all_of(&e, wrongs[i].wrong, W, wrongs[i].kind, wrongs[i].seen);
		is(&e, PP_VERDICT_CORRUPT_WITHOUT_FAULTS, wrongs[i].cause, wrongs[i].what);
		e.faults = 9;
		is(&e, PP_VERDICT_CORRUPT_WITH_FAULTS, wrongs[i].cause, wrongs[i].what);
		/* What comes after wrong data does not change what is known. */
		e.no_end = true;
		e.lost = true;
		is(&e, PP_VERDICT_CORRUPT_WITH_FAULTS, wrongs[i].cause, wrongs[i].what);
	}
}

static void wrong_data_in_detail(void)
{
	struct pp_evidence e = good();

	all_of(&e, COPIES, W, PP_WORD_POISON, 0);
	e.ops[PP_OP_CE_WRITE].bad_words = 99;
	is(&e, PP_VERDICT_CORRUPT_WITHOUT_FAULTS, PP_CAUSE_PARTLY, "all but one word lost");

	e = good();
	all_of(&e, BIT(CE_WRITE), W, PP_WORD_POISON, 0);
	e.ops[PP_OP_CE_WRITE].wrong = 1;
	e.ops[PP_OP_CE_WRITE].first_wrong = true;
	is(&e, PP_VERDICT_CORRUPT_WITHOUT_FAULTS, PP_CAUSE_FIRST_TRANSFER, "the first one");
	all_of(&e, BIT(CE_BOTH), W, PP_WORD_POISON, PP_SEEN_WAY_BACK);
	is(&e, PP_VERDICT_CORRUPT_WITHOUT_FAULTS, PP_CAUSE_FIRST_TRANSFER, "and the first back");
	e.ops[PP_OP_CE_WRITE].wrong = 2;
	is(&e, PP_VERDICT_CORRUPT_WITHOUT_FAULTS, PP_CAUSE_WRITES_DROPPED, "not only the first");

	e = good();
	all_of(&e, BIT(SM_WRITE), W, PP_WORD_OTHER, PP_SEEN_BESIDE);
	e.ops[PP_OP_SM_WRITE].bad_words = 0;
	is(&e, PP_VERDICT_CORRUPT_WITHOUT_FAULTS, PP_CAUSE_BESIDE, "written beside");

	e = good();
	all_of(&e, COPIES, W, PP_WORD_POISON, PP_SEEN_LATE);
	e.ops[PP_OP_SM_READ].seen = 0;
	is(&e, PP_VERDICT_CORRUPT_WITHOUT_FAULTS, PP_CAUSE_DROPPED, "not all of it is late");
}

static void no_end(void)
{
	struct pp_evidence e = good();

	e.no_end = true;
	is(&e, PP_VERDICT_HANG, PP_CAUSE_NO_END, "the process does not end");
	e = good();
	e.ops[PP_OP_SM_READ].outcome = H;
	e.faults = 9;
	is(&e, PP_VERDICT_HANG, PP_CAUSE_NO_ANSWER, "a test hangs, faults");
	e.lost = true;
	is(&e, PP_VERDICT_HANG, PP_CAUSE_NO_ANSWER, "and the device is lost");
	e = good();
	e.ops[PP_OP_SM_SPEED].outcome = H;
	is(&e, PP_VERDICT_HANG, PP_CAUSE_NO_ANSWER, "measuring hangs");
	e = good();
	all_of(&e, BIT(ORDER_READ), W, PP_WORD_OTHER, PP_SEEN_NO_FLAG);
	e.ops[PP_OP_ORDER_READ].bad_words = 0;
	is(&e, PP_VERDICT_HANG, PP_CAUSE_FLAG_LOST, "a flag never comes");
	e = good_set();
	all_of(&e, BIT(RING), W, PP_WORD_OTHER, PP_SEEN_NO_FLAG);
	e.ops[PP_OP_RING].bad_words = 0;
	is(&e, PP_VERDICT_HANG, PP_CAUSE_RANK_STUCK, "a rank never comes");
}

static void not_decided(void)
{
	struct pp_evidence e = good();

	e.ops[PP_OP_CE_READ].outcome = F;
	is(&e, PP_VERDICT_INCONCLUSIVE, PP_CAUSE_CALL_FAILED, "a call fails");
	e.lost = true;
	is(&e, PP_VERDICT_INCONCLUSIVE, PP_CAUSE_DEVICE_LOST, "since the device is lost");
	e = good();
	e.ops[PP_OP_ORDER_READ].outcome = N;
	is(&e, PP_VERDICT_INCONCLUSIVE, PP_CAUSE_NOT_ALL_RUN, "one not run");
	e = (struct pp_evidence){ .open = R };
	is(&e, PP_VERDICT_INCONCLUSIVE, PP_CAUSE_NOT_ALL_RUN, "nothing planned");
	e.ops[PP_OP_LATENCY] = (struct pp_op_evidence){ .planned = true, .outcome = R };
	is(&e, PP_VERDICT_INCONCLUSIVE, PP_CAUSE_NOT_ALL_RUN, "only measured");
}

static void collectives(void)
{
	struct pp_evidence e = good_set();

	all_of(&e, BIT(TWO_SHOT), W, PP_WORD_MISSING, 0);
	is(&e, PP_VERDICT_CORRUPT_WITHOUT_FAULTS, PP_CAUSE_COLLECTIVE, "a share is missing");
	e.faults = 1;
	is(&e, PP_VERDICT_CORRUPT_WITH_FAULTS, PP_CAUSE_COLLECTIVE, "and faults");
}

static void directions(void)
{
	struct pp_evidence e = good();

	all_of(&e, READS, W, PP_WORD_POISON, 0);
	CHECK_NUM(pp_judge(&e, PP_OPS_WRITE).verdict, PP_VERDICT_OK, "writes are right");
	CHECK_NUM(pp_judge(&e, PP_OPS_READ).verdict, PP_VERDICT_CORRUPT_WITHOUT_FAULTS,
		  "reads are not");
}

/* Whatever else: unless each operation was right, it is never ok. */
static void never_ok_without_data(void)
{
	for (int op = PP_OP_CONTROL; op < PP_OPS; op++) {
		for (int outcome = 0; outcome < PP_OUTCOMES; outcome++) {
			struct pp_evidence e = op >= PP_OP_ONE_SHOT && op <= PP_OP_RING ?
					       good_set() : good();
			uint32_t ops = e.ops[PP_OP_RING].planned ? PP_OPS_COLLECTIVE : PP_OPS_PAIR;

			e.ops[op].outcome = outcome;
			CHECK((pp_judge(&e, ops).verdict == PP_VERDICT_OK) == (outcome == R),
			      "%s %s is %s", pp_op_name(op), pp_outcome_name(outcome),
			      pp_verdict_name(pp_judge(&e, ops).verdict));
			e.faults = 1;
			CHECK(pp_judge(&e, ops).verdict != PP_VERDICT_OK, "ok with a fault");
		}
	}
}

static void verdict_exit_codes(void)
{
	static const int codes[PP_VERDICTS] = {
		[PP_VERDICT_OK] = 0, [PP_VERDICT_HANG] = 10,
		[PP_VERDICT_CORRUPT_WITH_FAULTS] = 11, [PP_VERDICT_CORRUPT_WITHOUT_FAULTS] = 12,
		[PP_VERDICT_OK_WITH_FAULTS] = 13, [PP_VERDICT_INCONCLUSIVE] = 14,
		[PP_VERDICT_NO_ACCESS] = 15, [PP_VERDICT_NOT_SAFE] = 17,
	};

	for (int v = 0; v < PP_VERDICTS; v++)
		CHECK_NUM(pp_verdict_exit((enum pp_verdict)v), codes[v],
			  pp_verdict_name((enum pp_verdict)v));
}

/* The documented order, worst first. */
static void verdict_worst_first(void)
{
	static const int order[] = { 12, 11, 10, 14, 13, 17, 15, 0 };

	for (int n = PP_VERDICTS; n > 0; n--) {
		struct pp_judgement worst = { 0 };

		for (int v = n - 1; v >= 0; v--)
			worst = pp_judge_worse(worst, (struct pp_judgement){ .verdict = v });
		CHECK_NUM(pp_verdict_exit(worst.verdict), order[PP_VERDICTS - n],
			  "worst of several");
		for (int v = 0; v < n; v++)
			worst = pp_judge_worse((struct pp_judgement){ .verdict = v }, worst);
		CHECK_NUM(pp_verdict_exit(worst.verdict), order[PP_VERDICTS - n],
			  "worst of several, the other way round");
	}
}

static void words_for_all(void)
{
	static const char * const names[PP_VERDICTS] = {
		"ok", "no_access", "not_safe_to_test", "ok_with_faults", "inconclusive", "hang",
		"corrupt_with_faults", "corrupt_without_faults",
	};

	for (int v = 0; v < PP_VERDICTS; v++) {
		const char *cell = pp_verdict_cell((enum pp_verdict)v);

		CHECK_STR(pp_verdict_name((enum pp_verdict)v), names[v], "name");
		CHECK(strlen(cell) <= 3 && strlen(cell) >= 1, "cell of %s", names[v]);
		CHECK(pp_verdict_text((enum pp_verdict)v)[0], "no text for %s", names[v]);
		for (int u = 0; u < v; u++)
			CHECK(strcmp(pp_verdict_cell((enum pp_verdict)u), cell),
			      "cell of %s is not its own", names[v]);
	}
	for (int c = 1; c < PP_CAUSES; c++) {
		CHECK(pp_cause_name((enum pp_cause)c) && pp_cause_text((enum pp_cause)c)[0] &&
		      pp_cause_next((enum pp_cause)c)[0], "words for cause %d", c);
		for (int b = 0; b < c; b++)
			CHECK(strcmp(pp_cause_name((enum pp_cause)b),
				     pp_cause_name((enum pp_cause)c)), "cause %d twice", c);
	}
}

int main(void)
{
	RUN(right_data);
	RUN(not_tested);
	RUN(before_any_transfer);
	RUN(control);
	RUN(wrong_data_of_a_pair);
	RUN(wrong_data_in_detail);
	RUN(no_end);
	RUN(not_decided);
	RUN(collectives);
	RUN(directions);
	RUN(never_ok_without_data);
	RUN(verdict_exit_codes);
	RUN(verdict_worst_first);
	RUN(words_for_all);
	return test_failures != 0;
}
