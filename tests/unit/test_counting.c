// SPDX-License-Identifier: GPL-2.0-only
/* Fault counters: what changed between two moments. */
#include "counting.h"
#include "test.h"
#include "uapi/linux/peerpass.h"

static struct pp_device then[2], now[2];
static const struct pp_watch pair = {
	.devices = { { .rid = 0x0100 }, { .rid = 0x0200 } }, .n = 2, .initiators = 1,
};

static void set(struct pp_pair *pair, uint32_t class, uint16_t target, uint64_t read,
		uint64_t write)
{
	memset(pair, 0, sizeof(*pair));
	pair->initiator.rid = 0x0100;
	pair->class = class;
	pair->target.rid = target;
	pair->bar = class == PEERPASS_TARGET_CLASS_BAR ? 1 : 0;
	pair->read = read;
	pair->write = write;
}

static void fault_difference(void)
{
	struct pp_pair old[2], new[4];
	struct pp_snapshot before = { .counted = true, .devices = then, .pairs = { old, 2 },
				      .drained = true };
	struct pp_snapshot after = { .counted = true, .devices = now, .pairs = { new, 4 },
				     .drained = true };
	struct pp_fault_delta d;

	pp_device_init(&before.devices[0]);
	pp_device_init(&before.devices[1]);
	before.devices[0].bdf.rid = 0x0100;
	before.devices[0].inexact = 0;
	before.devices[1].inexact = 0;
	memcpy(now, then, sizeof(now));
	before.devices[0].total = 100;
	before.devices[0].counts[0] = (struct pp_count){ PEERPASS_FAULT_KIND_WRITE, 100 };
	before.devices[0].count_len = 1;
	after.devices[0].total = 117;
	after.devices[0].counts[0] = (struct pp_count){ PEERPASS_FAULT_KIND_READ, 7 };
	after.devices[0].counts[1] = (struct pp_count){ PEERPASS_FAULT_KIND_WRITE, 110 };
	after.devices[0].count_len = 2;
	after.devices[1].total = 2;
	after.info.unseen = 3;
	set(&old[0], PEERPASS_TARGET_CLASS_BAR, 0x0200, 0, 90);
	set(&old[1], PEERPASS_TARGET_CLASS_HOST_RAM, 0, 0, 10);
	set(&new[0], PEERPASS_TARGET_CLASS_BAR, 0x0200, 0, 100);
	set(&new[1], PEERPASS_TARGET_CLASS_HOST_RAM, 0, 0, 10);
	set(&new[2], PEERPASS_TARGET_CLASS_UNASSIGNED, 0, 7, 0);
	set(&new[3], PEERPASS_TARGET_CLASS_BAR, 0x0100, 0, 2);
	new[3].initiator.rid = 0x0200;
	pp_snapshot_diff(&pair, &before, &after, &d);
	CHECK_NUM(d.initiator, 17, "initiator");
	CHECK_NUM(d.target, 2, "target");
	CHECK_NUM(d.unattributed, 3, "unattributed");
	CHECK_NUM(d.count_len, 2, "kinds");
	CHECK(d.counts[0].value == 7 && d.counts[1].value == 10, "kinds");
	CHECK_NUM(d.target_len, 2, "targets: changed ones of this initiator only");
	CHECK(d.targets[0].write == 10 && d.targets[0].target.rid == 0x0200, "write on the BAR");
	CHECK(d.targets[1].read == 7 && d.targets[1].class == PEERPASS_TARGET_CLASS_UNASSIGNED,
	      "read of nothing");
	CHECK(d.drained && !d.inexact, "as good as it gets");
	before.drained = false;
	after.devices[1].inexact = PEERPASS_INEXACT_OVERFLOW;
	pp_snapshot_diff(&pair, &before, &after, &d);
	CHECK(!d.drained && d.inexact == PEERPASS_INEXACT_OVERFLOW, "doubts are kept");
	/* The module was loaded again: counters fell, which is no fault. */
	pp_snapshot_diff(&pair, &after, &before, &d);
	CHECK_NUM(d.initiator, 0, "fallen counter");
}

static void fault_difference_of_many_targets(void)
{
	struct pp_pair many[PP_MAX_TARGETS + 3];
	struct pp_snapshot before = { .counted = true, .devices = then, .drained = true };
	struct pp_snapshot after = { .counted = true, .devices = now, .drained = true };
	struct pp_fault_delta d;

	pp_device_init(&before.devices[0]);
	pp_device_init(&before.devices[1]);
	before.devices[0].bdf.rid = 0x0100;
	memcpy(now, then, sizeof(now));
	for (size_t i = 0; i < PP_MAX_TARGETS + 3; i++)
		set(&many[i], PEERPASS_TARGET_CLASS_BAR, (uint16_t)(i << 8), 1, 0);
	after.pairs.v = many;
	after.pairs.n = PP_MAX_TARGETS + 3;
	pp_snapshot_diff(&pair, &before, &after, &d);
	CHECK_NUM(d.target_len, PP_MAX_TARGETS, "targets kept");
	CHECK_NUM(d.more_targets, 3, "targets counted only");
}

/* All GPUs together: each of them initiates. */
static void fault_difference_of_a_set(void)
{
	struct pp_watch set_watch = pair;
	struct pp_snapshot before = { .counted = true, .devices = then, .drained = true };
	struct pp_snapshot after = { .counted = true, .devices = now, .drained = true };
	struct pp_fault_delta d;

	set_watch.initiators = 2;
	for (int i = 0; i < 2; i++) {
		pp_device_init(&then[i]);
		then[i].inexact = 0;
		now[i] = then[i];
		now[i].total = 10;
		now[i].counts[0] = (struct pp_count){ PEERPASS_FAULT_KIND_WRITE, 10 };
		now[i].count_len = 1;
	}
	pp_snapshot_diff(&set_watch, &before, &after, &d);
	CHECK(d.initiator == 20 && !d.target, "both count as initiators");
	CHECK(d.count_len == 1 && d.counts[0].value == 20, "kinds are added up");
	before.counted = false;
	pp_snapshot_diff(&set_watch, &before, &after, &d);
	CHECK(!d.counted && !pp_faults_of(&d), "not counted");
}

int main(void)
{
	RUN(fault_difference);
	RUN(fault_difference_of_many_targets);
	RUN(fault_difference_of_a_set);
	return test_failures != 0;
}
