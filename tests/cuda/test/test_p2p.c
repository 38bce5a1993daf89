// SPDX-License-Identifier: GPL-2.0-only
/* What the switches do to P2P transfers. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "harness.h"

#define WORDS 1000
#define BYTES (WORDS * 8)

/* How device 0 gets data to or from device 1. */
enum way { CE_WRITE, CE_READ, SM_WRITE, SM_READ, WAYS };

static CUdeviceptr source[2], target[2];
static uint64_t sent[WORDS], seen[WORDS];

static void prepare(void)
{
	for (int i = 0; i < 2; i++) {
		source[i] = allocate(i, BYTES);
		target[i] = allocate(i, BYTES);
	}
}

static bool writes(enum way way)
{
	return way == CE_WRITE || way == SM_WRITE;
}

static CUresult move_by(int by, enum way way)
{
	int from = writes(way) ? by : !by, to = !from;
	struct pp_copy c = { .to = dense(target[to], BYTES), .from = dense(source[from], BYTES) };
	CUresult r;

	for (int i = 0; i < WORDS; i++)
		sent[i] = random_number(~0ULL);
	upload(from, source[from], sent, BYTES);
	set(to, target[to], PP_POISON_BYTE, BYTES);
	use(by);
	if (way == CE_WRITE || way == CE_READ) {
		r = cuMemcpyDtoDAsync_v2(target[to], source[from], BYTES, gpus[by].stream);
		if (r)
			return r;
	} else {
		launch(by, KERNEL_copy, &c, 1);
	}
	return wait_result(by);
}

static int count(uint64_t word)
{
	int n = 0;

	for (int i = 0; i < WORDS; i++)
		n += seen[i] == word;
	return n;
}

/* What the owner of the target sees, in a word. */
static const char *outcome(int to)
{
	static char text[32];
	int wrong = 0;

	download(to, seen, target[to], BYTES);
	for (int i = 0; i < WORDS; i++)
		wrong += seen[i] != sent[i];
	if (!wrong)
		return "right";
	if (count(PP_POISON_WORD) == WORDS)
		return "poison";
	if (count(0) == WORDS)
		return "zeros";
	if (count(~0ULL) == WORDS)
		return "ones";
	snprintf(text, sizeof(text), "wrong-%d", wrong);
	return text;
}

static const char *move(int by, enum way way)
{
	expect_result(CUDA_SUCCESS, move_by(by, way), __LINE__, "a transfer");
	return outcome(writes(way) ? !by : by);
}

/* Each way in turn, as @expected says; what device 1 does is right. */
static void moves(void)
{
	char found[128] = "";

	prepare();
	for (enum way way = 0; way < WAYS; way++)
		sprintf(found + strlen(found), "%s%s", way ? " " : "", move(0, way));
	if (strcmp(found, this_test->expected))
		fail("found %s", found);
	for (enum way way = 0; strstr(this_test->switches, "only=0:1") && way < WAYS; way++)
		EXPECT(!strcmp(move(1, way), "right"));
}

static void mirror(void)
{
	prepare();
	EXPECT(!strcmp(move(0, CE_WRITE), "poison"));
	copy(0, source[0], target[1], BYTES);
	download(0, seen, source[0], BYTES);
	EXPECT(!memcmp(seen, sent, BYTES));
	/* Nobody else sees the mirror. */
	copy(1, source[0], target[1], BYTES);
	download(0, seen, source[0], BYTES);
	EXPECT(count(PP_POISON_WORD) == WORDS);
}

static void late(void)
{
	prepare();
	for (enum way way = CE_WRITE; way <= SM_WRITE; way++) {
		EXPECT(!strcmp(move(0, way), "poison"));
		while (strcmp(outcome(writes(way)), "right"))
			pause_ms(10);
	}
	EXPECT(!strcmp(move(0, SM_READ), "right"));
}

static void hangs(void)
{
	prepare();
	for (int i = 0; i < WORDS; i++)
		sent[i] = 1;
	upload(0, source[0], sent, BYTES);
	use(0);
	MUST(cuMemcpyDtoDAsync_v2, target[1], source[0], BYTES, gpus[0].stream);
	pause_ms(300);
	RETURNS(CUDA_ERROR_NOT_READY, cuStreamQuery, gpus[0].stream);
	/* The context is taken away nevertheless. */
	MUST(cuStreamDestroy_v2, gpus[0].stream);
	MUST(cuDevicePrimaryCtxRelease_v2, 0);
}

/* The copy fails at once, a kernel when it reaches out; then the context is dead. */
static void error(void)
{
	prepare();
	EXPECT(move_by(0, CE_WRITE) == CUDA_ERROR_LAUNCH_FAILED);
	EXPECT(move_by(0, SM_WRITE) == CUDA_ERROR_LAUNCH_FAILED);
	RETURNS(CUDA_ERROR_LAUNCH_FAILED, cuCtxSynchronize);
}

/* In a process of its own, before this one has touched CUDA. */
static void crash(void)
{
	pid_t pid = fork();
	int status;

	if (!pid) {
		gpus_open(2);
		prepare();
		move_by(0, CE_READ);
		_exit(0);
	}
	waitpid(pid, &status, 0);
	EXPECT(WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT);
}

/* The lines of the file of faults. */
static void expect_faults(const char *expected)
{
	char text[512] = "";
	FILE *f = fopen(getenv("FAKE_FAULTS"), "r");

	if (f) {
		text[fread(text, 1, sizeof(text) - 1, f)] = '\0';
		fclose(f);
	}
	if (strcmp(text, expected))
		fail("faults: %s", text);
}

static void faults(void)
{
	prepare();
	move(0, CE_WRITE);
	move(0, CE_READ);
	expect_faults(this_test->expected);
}

static void no_faults_of_others(void)
{
	prepare();
	move(1, CE_WRITE);
	move(1, SM_READ);
	copy(0, target[0], source[0], BYTES);
	expect_faults("");
}

const struct test tests_p2p[] = {
	{ "p2p: no switch", "", 2, moves, "right right right right" },
	{ "p2p: drop", "drop,only=0:1", 2, moves, "poison poison poison ones" },
	{ "p2p: dropwrite", "only=0:1,dropwrite", 2, moves, "poison right poison right" },
	{ "p2p: dropread", "dropread,only=0:1", 2, moves, "right poison right ones" },
	{ "p2p: zeros", "zeros,only=0:1", 2, moves, "zeros zeros zeros zeros" },
	{ "p2p: ones", "ones,only=0:1", 2, moves, "ones ones ones ones" },
	{ "p2p: half", "half,only=0:1", 2, moves, "wrong-1 wrong-1 wrong-4 wrong-4" },
	{ "p2p: shift", "shift,only=0:1", 2, moves, "wrong-1000 wrong-1000 wrong-1000 wrong-1000" },
	{ "p2p: flip", "flip,only=0:1", 2, moves, "wrong-1 wrong-1 wrong-4 wrong-4" },
	{ "p2p: flip, the first", "flip=0:16", 2, moves, "wrong-1 right right right" },
	{ "p2p: flip, a later one", "flip=5:0", 2, moves, "right right wrong-1 right" },
	{ "p2p: flip, not in step with words", "flip=1:7996", 2, moves,
	  "right wrong-1 right right" },
	{ "p2p: stale", "stale,only=0:1", 2, moves, "poison right right right" },
	{ "p2p: mirror, owner", "mirror,only=0:1", 2, moves, "poison right poison right" },
	{ "p2p: flagfirst, when all is done", "flagfirst", 2, moves, "right right right right" },
	{ "p2p: collective, copies", "collective", 2, moves, "right right right right" },
	{ "p2p: engine=ce", "engine=ce,drop", 2, moves, "poison poison right right" },
	{ "p2p: engine=sm", "engine=sm,drop", 2, moves, "right right poison ones" },
	{ "p2p: only others", "only=1:0,drop", 2, moves, "right right right right" },
	{ "p2p: mirror, initiator", "mirror,only=0:1", 2, mirror, NULL },
	{ "p2p: late", "late=2000", 2, late, NULL },
	{ "p2p: hang", "hang", 2, hangs, NULL },
	{ "p2p: copyerror", "copyerror", 2, error, NULL },
	{ "p2p: crash", "crash", -2, crash, NULL },
	{ "p2p: fault", "dropread,fault", 2, faults, "0000:a0:00.0 0000:a1:00.0 1 0 16\n" },
	{ "p2p: faults", "faults=3", 2, faults,
	  "0000:a0:00.0 0000:a1:00.0 1 1 3\n0000:a0:00.0 0000:a1:00.0 1 0 3\n" },
	{ "p2p: unknown-faults", "unknown-faults,dropwrite", 2, faults,
	  "0000:a0:00.0 - 0 1 16\n0000:a0:00.0 - 0 0 16\n" },
	{ "p2p: no faults of others", "only=0:1,faults", 2, no_faults_of_others, NULL },
	{ }
};
