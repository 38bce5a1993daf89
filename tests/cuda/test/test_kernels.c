// SPDX-License-Identifier: GPL-2.0-only
/* The kernels that work on one or two devices, against what kernels.h says. */
#include <stdlib.h>
#include <string.h>

#include "harness.h"

#define ROOM 65536

static const struct pp_stamp stamp = { .key = 0xfeedface12345678, .first = 1000, .source = 1,
				       .round = 3 };

/* What pp_fill has to leave in ROOM bytes, with @at the offset of the first piece. */
static void model_fill(uint8_t *buf, size_t at, const struct pp_pieces *p)
{
	size_t words = (p->len + 7) / 8;

	for (size_t piece = 0; piece < p->count; piece++) {
		for (size_t i = 0; i < words; i++) {
			uint64_t word = pp_word(&stamp, piece * words + i);
			size_t left = p->len - i * 8;

			memcpy(buf + at + piece * p->stride + i * 8, &word, left < 8 ? left : 8);
		}
	}
}

static uint64_t check(int gpu, struct pp_pieces at)
{
	struct pp_check c = { .at = at, .stamp = stamp, .bad = allocate(gpu, 8) };
	uint64_t bad = 0;

	upload(gpu, c.bad, &bad, 8);
	launch(gpu, KERNEL_check, &c, 3);
	wait_for(gpu);
	download(gpu, &bad, c.bad, 8);
	MUST(cuMemFree_v2, c.bad);
	return bad;
}

/* Filled by device 0, in the memory of @owner. */
static void fill_one(int owner, size_t offset, size_t len, size_t stride, size_t count)
{
	static uint8_t expected[ROOM], found[ROOM];
	CUdeviceptr memory = allocate(owner, ROOM);
	struct pp_fill f = { .to = { memory + offset, len, stride, count }, .stamp = stamp };

	memset(expected, PP_POISON_BYTE, ROOM);
	set(owner, memory, PP_POISON_BYTE, ROOM);
	EXPECT(check(0, f.to) == (len + 7) / 8 * count);
	model_fill(expected, offset, &f.to);
	launch(0, KERNEL_fill, &f, 5);
	wait_for(0);
	download(owner, found, memory, ROOM);
	EXPECT(!memcmp(expected, found, ROOM));
	EXPECT(check(0, f.to) == 0);
	EXPECT(check(owner, f.to) == 0);
	/* The first, a middle and the last byte of the region each count. */
	for (int i = 0; i < 3; i++) {
		size_t at = i == 0 ? 0 : i == 1 ? len / 2 : (count - 1) * stride + len - 1;

		at += offset;
		found[at] ^= 0x10;
		upload(owner, memory, found, ROOM);
		EXPECT(check(owner, f.to) == 1);
		found[at] ^= 0x10;
	}
	use(owner);
	MUST(cuMemFree_v2, memory);
}

static void fill(void)
{
	for (int owner = 0; owner < 2; owner++) {
		fill_one(owner, 0, 8, 0, 1);
		fill_one(owner, 0, 4, 0, 1);
		fill_one(owner, 0, 4096, 0, 1);
		fill_one(owner, 16, 4100, 0, 1);
		fill_one(owner, 4, 4096, 0, 1);
		fill_one(owner, 12, 4092, 0, 1);
		fill_one(owner, 0, 64, 4096, 16);
		fill_one(owner, 4, 64, 4100, 15);
		fill_one(owner, 8, 4, 8, 1000);
		fill_one(owner, 0, 12, 20, 100);
	}
}

static void copy_one(size_t to, size_t from, size_t len, size_t stride, size_t count)
{
	for (int direction = 0; direction < 2; direction++) {
		static uint8_t before[ROOM], expected[ROOM], found[ROOM];
		CUdeviceptr source = allocate(direction, ROOM), target = allocate(!direction, ROOM);
		struct pp_copy c = { .to = { target + to, len, stride, count },
				     .from = { source + from, len, stride + 32, count } };

		for (size_t i = 0; i < ROOM; i++)
			before[i] = (uint8_t)random_number(256);
		upload(direction, source, before, ROOM);
		memset(expected, PP_POISON_BYTE, ROOM);
		set(!direction, target, PP_POISON_BYTE, ROOM);
		for (size_t i = 0; i < count; i++)
			memcpy(expected + to + i * stride, before + from + i * (stride + 32), len);
		launch(0, KERNEL_copy, &c, 2);
		wait_for(0);
		download(!direction, found, target, ROOM);
		EXPECT(!memcmp(expected, found, ROOM));
		use(direction);
		MUST(cuMemFree_v2, source);
		use(!direction);
		MUST(cuMemFree_v2, target);
	}
}

static void copies(void)
{
	copy_one(0, 0, 16384, 0, 1);
	copy_one(0, 16, 16384, 0, 1);
	copy_one(8, 0, 8200, 0, 1);
	copy_one(4, 0, 8192, 0, 1);
	copy_one(0, 4, 4, 0, 1);
	copy_one(0, 0, 48, 2048, 20);
	copy_one(4, 8, 24, 2056, 20);
	copy_one(0, 0, 32, 2052, 20);
}

static void small_chunks(void)
{
	setenv("PP_TEST_CUDA_CHUNK", "13", 1);
	gpus_open(2);
	copies();
}

/* Device 0 writes to device 1, whose own kernel reads. */
struct order {
	CUdeviceptr data, flags, report;
	uint32_t *here;
	struct pp_order_report found;
};

static void order(struct order *o, uint32_t rounds, bool with_writer)
{
	const struct pp_order_report start = { .first_bad = ~0ULL };
	enum { WORDS = 300 };
	struct pp_order_write w = { .stamp = stamp, .words = WORDS, .rounds = rounds,
				    .pause_ns = 2000000 };
	struct pp_order_read r = { .stamp = stamp, .words = WORDS, .rounds = rounds };

	w.data = r.data = o->data = allocate(1, WORDS * 8 * rounds);
	w.flags = r.flags = o->flags = allocate(1, 4 * rounds);
	r.report = o->report = allocate(1, sizeof(start));
	set(1, o->data, PP_POISON_BYTE, WORDS * 8 * rounds);
	set(1, o->flags, 0, 4 * rounds);
	upload(1, o->report, &start, sizeof(start));
	o->here = allocate_host(4);
	MUST(cuMemHostGetDevicePointer_v2, (CUdeviceptr *)&r.here, o->here, 0);
	r.limit_ns = with_writer ? LONG_NS : 100000000;
	launch(1, KERNEL_order_read, &r, 1);
	/* The reader is there without anybody waiting for its stream. */
	while (!__atomic_load_n(o->here, __ATOMIC_ACQUIRE))
		pause_ms(1);
	if (with_writer) {
		launch(0, KERNEL_order_write, &w, 1);
		wait_for(0);
	}
	wait_for(1);
	download(1, &o->found, o->report, sizeof(o->found));
}

static void order_right(void)
{
	struct order o;

	order(&o, 20, true);
	EXPECT(o.found.seen == 20 && o.found.late == 0);
	EXPECT(o.found.bad == 0 && o.found.first_bad == ~0ULL);
}

static void order_wrong(void)
{
	struct order o;

	order(&o, 10, true);
	EXPECT(o.found.seen == 10 && o.found.late == 0);
	EXPECT(o.found.bad > 0 && o.found.first_bad < 10);
	/* What was late is there at the end. */
	EXPECT(check(1, dense(o.data, 300 * 8)) == 0);
}

static void order_alone(void)
{
	struct order o;

	order(&o, 5, false);
	EXPECT(o.found.seen == 0 && o.found.late == 1);
}

static void chain_and_chase(void)
{
	enum { WORDS = 1000, STEP = 7 };
	CUdeviceptr at = allocate(0, WORDS * 8), out = allocate(1, 8);
	struct pp_hops hops = { .at = at, .words = WORDS, .step = STEP };
	uint64_t found;

	launch(0, KERNEL_hops, &hops, 1);
	wait_for(0);
	for (uint64_t count = 1; count < 400; count += 133) {
		struct pp_chase chase = { .at = at, .count = count, .out = out };

		launch(1, KERNEL_chase, &chase, 1);
		wait_for(1);
		download(1, &found, out, 8);
		EXPECT(found == count * STEP % WORDS);
	}
}

static void hold(void)
{
	uint32_t *flag = allocate_host(4);
	struct pp_hold h = { .flag = (CUdeviceptr)(uintptr_t)flag, .limit_ns = LONG_NS };
	uint64_t start;

	launch(0, KERNEL_hold, &h, 1);
	pause_ms(200);
	RETURNS(CUDA_ERROR_NOT_READY, cuStreamQuery, gpus[0].stream);
	__atomic_store_n(flag, 1, __ATOMIC_RELEASE);
	wait_for(0);
	MUST(cuStreamQuery, gpus[0].stream);
	__atomic_store_n(flag, 0, __ATOMIC_RELEASE);
	h.limit_ns = 50000000;
	start = elapsed_ms();
	launch(0, KERNEL_hold, &h, 1);
	wait_for(0);
	EXPECT(elapsed_ms() - start >= 50);
}

const struct test tests_kernels[] = {
	{ "kernel: fill and check", NULL, 2, fill, NULL },
	{ "kernel: copy", NULL, 2, copies, NULL },
	{ "kernel: copy, in small chunks", NULL, -2, small_chunks, NULL },
	{ "kernel: order, right", NULL, 2, order_right, NULL },
	{ "kernel: order, the flag overtakes", "flagfirst", 2, order_wrong, NULL },
	{ "kernel: order, no writer", NULL, 2, order_alone, NULL },
	{ "kernel: chain and chase", NULL, 2, chain_and_chase, NULL },
	{ "kernel: hold", NULL, 1, hold, NULL },
	{ }
};
