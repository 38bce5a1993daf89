// SPDX-License-Identifier: GPL-2.0-only
/* Every ordered pair, then all GPUs together. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <time.h>

#include "proof/alive.h"
#include "validate.h"

/* A kernel waits no longer for a flag than this, nor than half of a test's time. */
#define FLAG_LIMIT_NS 2000000000ull

/* Together as long as a driver of a GPU may take for its probe. */
#define REACH_TRIES	100
#define REACH_PAUSE_NS	100000000

/*
 * A test moves up to 52 times the greatest transfer, and a link may be as slow as 1 GB/s:
 * so much longer may it take, and a quarter of that one GPU wait for another.
 */
#define NS_EACH_BYTE 64

struct where {
	const struct validate_run *run;
	int pair;
};

static void progress(void *arg, const struct pp_test *test, size_t i, size_t n)
{
	const struct where *where = arg;

	validate_progress(where->run, where->pair, test, i, n);
}

/* What holds for every session. */
static void prepare(const struct validate_run *run, struct pp_run *session,
		    const struct pp_test_list *tests)
{
	uint64_t work_ns = run->scope.max_bytes * NS_EACH_BYTE;
	uint64_t timeout_ns = run->args->timeout_s * 1000000000 + work_ns;

	session->plan.key = run->key;
	session->plan.max_bytes = run->scope.max_bytes;
	session->plan.span = run->scope.span;
	session->plan.limit_ns = run->args->timeout_s * 500000000;
	if (session->plan.limit_ns > FLAG_LIMIT_NS)
		session->plan.limit_ns = FLAG_LIMIT_NS;
	session->plan.limit_ns += work_ns / 4;
	session->tests = tests;
	session->timeout_ns = timeout_ns;
	session->open_timeout_ns = run->args->open_timeout_s * 1000000000;
	session->progress = progress;
	session->watch.nl = run->nl;
}

static void add_gpu(const struct validate_run *run, struct pp_run *session, int i)
{
	session->plan.addresses[session->plan.gpus] = run->gpus[i].bdf;
	session->plan.ordinals[session->plan.gpus++] = run->gpus[i].ordinal;
	session->watch.devices[session->watch.n++] = run->gpus[i].bdf;
}

/* After a test without a result: do the GPUs still answer? */
static bool any_lost(struct validate_run *run, const struct pp_session_result *result,
		     const int *gpus, int n)
{
	bool lost = false, doubt = result->no_end || result->open == PP_OUTCOME_HUNG ||
				  result->open == PP_OUTCOME_FAILED;

	for (unsigned int op = 0; op < PP_OPS; op++)
		doubt |= result->ops[op].outcome == PP_OUTCOME_HUNG ||
			 result->ops[op].outcome == PP_OUTCOME_FAILED;
	for (int i = 0; doubt && i < n; i++) {
		struct validate_gpu *gpu = &run->gpus[gpus[i]];

		gpu->lost = !pp_gpu_alive(gpu->ordinal, gpu->bdf, run->args->open_timeout_s);
		lost |= gpu->lost;
	}
	return lost;
}

static int session(struct validate_run *run, struct pp_run *how, struct pp_session_result **result,
		   struct pp_error *err)
{
	free(*result);
	*result = calloc(1, sizeof(**result));
	if (!*result)
		return pp_error_set(err, "system", PP_EXIT_FAILED, "out of memory");
	run->round = pp_plan_rounds(how->tests);
	return pp_session_run(how, *result, err);
}

static void judge_pair(struct validate_pair *pair)
{
	pair->judgement = pp_judge(&pair->evidence, PP_OPS_PAIR);
	pair->write = pp_judge(&pair->evidence, PP_OPS_WRITE);
	pair->read = pp_judge(&pair->evidence, PP_OPS_READ);
}

/* While a driver is in its probe or remove the module does not look: ask again. */
static int get_reach(const struct validate_run *run, struct validate_pair *pair,
		     struct pp_error *err)
{
	const struct timespec pause = { .tv_nsec = REACH_PAUSE_NS };
	int ret, tries = REACH_TRIES;

	do {
		ret = pp_reach_get(run->nl, run->gpus[pair->from].bdf, run->gpus[pair->to].bdf,
				   &pair->reach, err);
	} while (ret && pp_nl_errno(run->nl) == EBUSY && --tries && !nanosleep(&pause, NULL));
	return ret;
}

/* What the initiator's domain maps at the target's BARs, before anything is written. */
static int ask_way(const struct validate_run *run, struct validate_pair *pair,
		   struct pp_error *err)
{
	struct pp_evidence *e = &pair->evidence;

	e->forced = run->args->force;
	e->way = PP_WAY_NO_MODULE;
	if (!run->nl)
		return 0;
	if (get_reach(run, pair, err))
		return -1;
	switch (pp_reach_sum(&pair->reach)) {
	case PP_REACH_FOREIGN:
		e->way = PP_WAY_FOREIGN;
		break;
	case PP_REACH_UNKNOWN:
		/*
		 * Also where the driver could have the DMA API map its peers: drivers
		 * that were patched for P2P use raw addresses, and say they do not.
		 */
		e->way = PP_WAY_UNKNOWN;
		break;
	default:
		e->way = PP_WAY_SAFE;
	}
	return 0;
}

/*
 * Both ways at once is tested with the second of two pairs, and only if the first one
 * works by itself: otherwise what is wrong would be blamed on both.
 */
static bool one_way_works(const struct validate_run *run, const struct validate_pair *pair)
{
	return pair->from > pair->to &&
	       validate_pair(run, pair->to, pair->from)->judgement.verdict == PP_VERDICT_OK;
}

static int run_pair(struct validate_run *run, int number, struct pp_error *err)
{
	struct validate_pair *pair = &run->pairs[number];
	const int gpus[] = { pair->from, pair->to };
	struct where where = { run, number };
	struct pp_test_list tests = { 0 };
	struct pp_run how = { .arg = &where };
	int ret;

	/* As short before the test as can be. */
	if (ask_way(run, pair, err))
		return -1;
	if (pair->evidence.way != PP_WAY_SAFE && !pair->evidence.forced) {
		judge_pair(pair);
		return 0;
	}
	ret = pp_plan_pair(&tests, &run->scope, one_way_works(run, pair), run->round);
	if (ret)
		pp_error_set(err, "system", PP_EXIT_FAILED, "out of memory");
	prepare(run, &how, &tests);
	add_gpu(run, &how, pair->from);
	add_gpu(run, &how, pair->to);
	how.watch.initiators = 1;
	if (!ret)
		ret = session(run, &how, &pair->session, err);
	pp_plan_free(&tests);
	if (ret || pp_child_interrupted())
		return ret;
	pp_run_evidence(pair->session, &pair->evidence);
	pair->evidence.lost = any_lost(run, pair->session, gpus, 2);
	judge_pair(pair);
	return 0;
}

/* Only where every pair works: otherwise it could say nothing more, or hang. */
static int run_set(struct validate_run *run, struct pp_error *err)
{
	struct where where = { run, run->pair_count };
	struct pp_evidence evidence = { .way = PP_WAY_SAFE };
	struct pp_test_list tests = { 0 };
	struct pp_run how = { .arg = &where, .plan.all_ways = true };
	int gpus[PP_MAX_RANKS], ret;

	run->set_tested = false;
	free(run->set);
	run->set = NULL;
	if (run->gpu_count > VALIDATE_MAX_SET)
		return 0;
	for (int i = 0; i < run->pair_count; i++)
		if (run->pairs[i].judgement.verdict != PP_VERDICT_OK &&
		    run->pairs[i].judgement.verdict != PP_VERDICT_OK_WITH_FAULTS)
			return 0;
	/* Each reaches each at once: once more, as short before as can be. */
	for (int i = 0; i < run->pair_count; i++) {
		if (ask_way(run, &run->pairs[i], err))
			return -1;
		if (run->pairs[i].evidence.way != PP_WAY_SAFE && !run->pairs[i].evidence.forced)
			return 0;
	}
	ret = pp_plan_set(&tests, &run->scope, (unsigned int)run->gpu_count, run->round);
	if (ret)
		pp_error_set(err, "system", PP_EXIT_FAILED, "out of memory");
	prepare(run, &how, &tests);
	for (int i = 0; i < run->gpu_count; i++) {
		add_gpu(run, &how, i);
		gpus[i] = i;
	}
	how.watch.initiators = how.watch.n;
	if (!ret)
		ret = session(run, &how, &run->set, err);
	pp_plan_free(&tests);
	if (ret || pp_child_interrupted())
		return ret;
	run->set_tested = true;
	pp_run_evidence(run->set, &evidence);
	evidence.lost = any_lost(run, run->set, gpus, run->gpu_count);
	run->set_judgement = pp_judge(&evidence, PP_OPS_COLLECTIVE);
	return 0;
}

static int make_pairs(struct validate_run *run, struct pp_error *err)
{
	int n = 0;

	run->pair_count = run->gpu_count * (run->gpu_count - 1);
	run->pairs = calloc((size_t)run->pair_count, sizeof(*run->pairs));
	if (!run->pairs)
		return pp_error_set(err, "system", PP_EXIT_FAILED, "out of memory");
	for (int i = 0; i < run->gpu_count; i++) {
		for (int j = 0; j < run->gpu_count; j++) {
			if (i == j)
				continue;
			run->pairs[n].from = i;
			run->pairs[n++].to = j;
		}
	}
	return 0;
}

static int interrupted(const struct validate_run *run, int done, struct pp_error *err)
{
	return pp_error_set(err, "interrupted", PP_EXIT_FAILED,
			    "interrupted by a signal after %d of %d pairs; no verdict", done,
			    run->pair_count);
}

static int run_all(struct validate_run *run, struct pp_error *err)
{
	for (int i = 0; i < run->pair_count; i++) {
		if (run_pair(run, i, err))
			return -1;
		if (pp_child_interrupted())
			return interrupted(run, i, err);
	}
	if (run_set(run, err))
		return -1;
	return pp_child_interrupted() ? interrupted(run, run->pair_count, err) : 0;
}

static uint64_t realtime_ns(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_REALTIME, &ts);
	return (uint64_t)ts.tv_sec * 1000000000 + (uint64_t)ts.tv_nsec;
}

static int draw_key(struct validate_run *run, struct pp_error *err)
{
	run->round = 0;
	if (getrandom(&run->key, sizeof(run->key), 0) == (ssize_t)sizeof(run->key))
		return 0;
	return pp_error_set(err, "system", PP_EXIT_FAILED, "cannot draw random numbers: %s",
			    strerror(errno));
}

/* With a soak the first cycle that is not ok is what counts: it ends there. */
static bool again(const struct validate_run *run, uint64_t end_ns)
{
	return run->worst.verdict == PP_VERDICT_OK && pp_now_ns() < end_ns;
}

/**
 * validate_tests - test all pairs, then all together, as often as is asked
 *
 * Return: 0 with @run->pairs, @set and the summary filled in; -1 with @err.
 */
int validate_tests(struct validate_run *run, struct pp_error *err)
{
	uint64_t end_ns = pp_now_ns() + run->args->soak_s * 1000000000;
	int ret = 0;

	run->started_ns = realtime_ns();
	validate_evidence_start(run);
	if (make_pairs(run, err))
		return -1;
	do {
		/* With another key nothing that is left can look right. */
		ret = draw_key(run, err);
		if (!ret)
			ret = run_all(run, err);
		run->cycles++;
		if (!ret)
			validate_summarize(run);
	} while (!ret && again(run, end_ns));
	validate_progress_end();
	run->finished_ns = realtime_ns();
	return ret ? ret : validate_evidence_end(run, err);
}

/** validate_free - free what @run owns */
void validate_free(struct validate_run *run)
{
	for (int i = 0; run->pairs && i < run->pair_count; i++)
		free(run->pairs[i].session);
	free(run->pairs);
	free(run->set);
	pp_klog_end(&run->log);
	pp_inventory_free(&run->after);
}
