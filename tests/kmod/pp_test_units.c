// SPDX-License-Identifier: GPL-2.0-only
/*
 * Test only: the module's own log readers and fault tables, compiled in here,
 * fed by fake IOMMUs from as many threads.
 *
 * Each fake AMD unit has a thread that plays hardware and driver in random
 * interleaving: it writes events at the tail, lets the reader look as a probe
 * would, and drains at the head, sometimes before the reader looked. Another
 * thread looks at all units all the time, as SYNC does. Afterwards every count
 * must be equal to what was written. Loading fails when one is not.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/completion.h>
#include <linux/kthread.h>
#include <linux/module.h>
#include <linux/slab.h>

#include "../../kmod/address_map.c"
#include "../../kmod/fault_table.c"
#include "../../kmod/amd_log.c"
#include "../../kmod/vtd_records.c"

static unsigned int units = 8;
module_param(units, uint, 0444);
static unsigned int events = 100000;
module_param(events, uint, 0444);
MODULE_PARM_DESC(events, "events of each unit");

#define RING_ENTRIES	512
#define INITIATORS	16

struct fake {
	struct pp_unit unit;
	u32 ring[RING_ENTRIES][4];
	u32 head;
	u32 tail;
	u32 status;
	struct task_struct *thread;
	struct completion done;
	u64 rng;
	u64 written;
	u64 by_initiator[INITIATORS][PP_FAULT_KINDS];
};

static struct fake **fakes;

/* A BAR of the running machine, and an address where nothing is. */
static u64 bar_addr, bar_key;
static unsigned int bar_nr;
static atomic64_t at_bar[2];

static u32 fake_read32(const struct pp_unit *unit, unsigned int offset)
{
	const struct fake *fake = container_of(unit, struct fake, unit);

	switch (offset) {
	case PP_AMD_EVT_HEAD:
		return READ_ONCE(fake->head);
	case PP_AMD_EVT_TAIL:
		return READ_ONCE(fake->tail);
	case PP_AMD_STATUS:
		return READ_ONCE(fake->status);
	}
	return 0;
}

static const struct pp_unit_ops fake_ops = { .read32 = fake_read32 };

static u32 next_random(struct fake *fake)
{
	/* xorshift64 */
	fake->rng ^= fake->rng << 13;
	fake->rng ^= fake->rng >> 7;
	fake->rng ^= fake->rng << 17;
	return fake->rng >> 16;
}

static u32 level(const struct fake *fake)
{
	return (fake->tail + sizeof(fake->ring) - fake->head) %
	       sizeof(fake->ring) / PP_AMD_ENTRY_SIZE;
}

/* What the hardware does: the entry, then the tail. */
static void write_event(struct fake *fake)
{
	u32 *entry = fake->ring[fake->tail / PP_AMD_ENTRY_SIZE];
	unsigned int initiator = next_random(fake) % INITIATORS;
	/* Page faults most of the time, each other code now and then. */
	u32 code = next_random(fake) % 4 ? 2 : 1 + next_random(fake) % 14;
	bool write = next_random(fake) & 1;
	u64 addr = next_random(fake) & 1 ? bar_addr + 64 : 0;
	u32 flags = write ? 0x020 : 0;

	/* Command buffer errors belong to the IOMMU itself. */
	if (code == 5 || code == 6)
		code = 1;
	entry[0] = 0x4000 | initiator;
	entry[2] = addr;
	entry[3] = addr >> 32;
	/* The entry before its code, and both before the tail, as hardware does. */
	smp_wmb();
	WRITE_ONCE(entry[1], code << 28 | flags << 16 | 0x17);
	smp_store_release(&fake->tail, (fake->tail + PP_AMD_ENTRY_SIZE) %
				       sizeof(fake->ring));
	fake->written++;
	fake->by_initiator[initiator][pp_amd_event_kind(entry)]++;
	if (addr && code == 2)
		atomic64_inc(&at_bar[write]);
}

/* What the driver does: it clears all but page faults, then moves the head. */
static void drain(struct fake *fake)
{
	u32 *entry = fake->ring[fake->head / PP_AMD_ENTRY_SIZE];

	if (entry[1] >> 28 != 2)
		memset(entry, 0, PP_AMD_ENTRY_SIZE);
	WRITE_ONCE(fake->head, (fake->head + PP_AMD_ENTRY_SIZE) %
			       sizeof(fake->ring));
}

static void look(struct fake *fake)
{
	unsigned long flags;

	raw_spin_lock_irqsave(&fake->unit.lock, flags);
	pp_amd_log_poll(&fake->unit);
	raw_spin_unlock_irqrestore(&fake->unit.lock, flags);
}

static int play(void *data)
{
	struct fake *fake = data;

	while (fake->written < events) {
		u32 burst = next_random(fake) % 64;

		while (burst-- && level(fake) < RING_ENTRIES - 1 &&
		       fake->written < events)
			write_event(fake);
		/* A probe at the entry of a round of draining. */
		look(fake);
		burst = next_random(fake) % 64;
		while (burst-- && level(fake))
			drain(fake);
		cond_resched();
	}
	while (level(fake))
		drain(fake);
	look(fake);
	complete(&fake->done);
	while (!kthread_should_stop())
		schedule_timeout_interruptible(1);
	return 0;
}

static int look_at_all(void *data)
{
	unsigned int i;

	while (!kthread_should_stop()) {
		for (i = 0; i < units; i++)
			look(fakes[i]);
		cond_resched();
	}
	return 0;
}

static bool find_bar(void)
{
	struct pci_dev *pdev = NULL;
	struct pp_target target;

	for_each_pci_dev(pdev) {
		u64 start = pci_resource_start(pdev, 0);

		if (!(pci_resource_flags(pdev, 0) & IORESOURCE_MEM) || !start)
			continue;
		pp_address_map_lookup(start + 64, &target);
		if (target.class != PEERPASS_TARGET_CLASS_BAR)
			continue;
		bar_addr = start;
		bar_key = target.key;
		bar_nr = target.bar;
		pci_dev_put(pdev);
		return target.offset == 64;
	}
	return false;
}

static bool expect(const char *what, u64 expected, u64 found)
{
	if (expected == found)
		return true;
	pr_err("%s: expected %llu, found %llu\n", what, expected, found);
	return false;
}

static bool check_counts(void)
{
	u64 read = 0, write = 0, sum = 0;
	struct pp_fault_pair pair;
	unsigned int i, j, k, pos = 0;
	bool ok = true;

	for (i = 0; i < units; i++) {
		ok &= expect("total of a unit", fakes[i]->written,
			     fakes[i]->unit.total);
		ok &= expect("unseen of a unit", 0, fakes[i]->unit.unseen);
		ok &= expect("inexact of a unit", 0, fakes[i]->unit.inexact);
		sum += fakes[i]->written;
	}
	for (j = 0; j < INITIATORS; j++) {
		struct pp_fault_counts counts;

		pp_fault_counts(pp_key(0, 0x4000 | j), &counts);
		for (k = 0; k < PP_FAULT_KINDS; k++) {
			u64 expected = 0;

			for (i = 0; i < units; i++)
				expected += fakes[i]->by_initiator[j][k];
			ok &= expect("kind of an initiator", expected,
				     counts.by_kind[k]);
		}
	}
	while (pp_fault_next_pair(&pos, &pair)) {
		if (pair.class != PEERPASS_TARGET_CLASS_BAR)
			continue;
		ok &= expect("target", bar_key, pair.target);
		ok &= expect("BAR", bar_nr, pair.bar);
		read += pair.read;
		write += pair.write;
	}
	ok &= expect("reads at the BAR", atomic64_read(&at_bar[0]), read);
	ok &= expect("writes at the BAR", atomic64_read(&at_bar[1]), write);
	ok &= expect("table full", 0, pp_fault_table_full());
	if (ok)
		pr_info("%u units, %llu events: exact\n", units, sum);
	return ok;
}

/* The driver was quicker: page faults are recovered, cleared entries counted. */
static bool check_late(struct fake *fake)
{
	u64 total = fake->unit.total, unseen = 0;
	unsigned int i;
	bool ok;

	for (i = 0; i < 100; i++)
		write_event(fake);
	for (i = 0; i < 100; i++) {
		unseen += fake->ring[fake->head / PP_AMD_ENTRY_SIZE][1] >> 28 != 2;
		drain(fake);
	}
	look(fake);
	ok = expect("late: total", total + 100, fake->unit.total);
	ok &= expect("late: unseen", unseen, fake->unit.unseen);
	ok &= expect("late: said", PEERPASS_INEXACT_UNSEEN, fake->unit.inexact);
	fake->status = PP_AMD_STATUS_OVERFLOW;
	look(fake);
	look(fake);
	ok &= expect("overflow: once", 1, fake->unit.overflows);
	ok &= expect("overflow: said",
		     PEERPASS_INEXACT_UNSEEN | PEERPASS_INEXACT_OVERFLOW,
		     fake->unit.inexact);
	fake->status = 0;
	return ok;
}

/*
 * The tail passes the cursor by more than a lap within one round: the driver took
 * entries along that came after the look, and the hardware filled up behind it.
 */
static bool check_lap(struct fake *fake)
{
	u64 total, unseen;
	unsigned int i;
	bool ok;

	for (i = 0; i < 99; i++)
		write_event(fake);
	look(fake);
	total = fake->unit.total;
	unseen = fake->unit.unseen;
	for (i = 0; i < 10; i++)
		write_event(fake);
	while (level(fake))
		drain(fake);
	while (level(fake) < RING_ENTRIES - 1)
		write_event(fake);
	look(fake);
	ok = expect("lap: total", total + 10 + RING_ENTRIES - 1,
		    fake->unit.total);
	/* As many as there are slots, but for the one that is written next. */
	ok &= expect("lap: unseen", unseen + 10, fake->unit.unseen);
	return ok;
}

/* A whole lap is drained behind our back: too few are counted, and never more. */
static bool check_hidden_lap(struct fake *fake)
{
	u64 total;
	unsigned int i;
	bool ok;

	while (level(fake))
		drain(fake);
	look(fake);
	for (i = 0; i < 300; i++)
		write_event(fake);
	look(fake);
	total = fake->unit.total;
	for (i = 0; i < 300; i++)
		drain(fake);
	for (i = 0; i < 232; i++) {
		write_event(fake);
		drain(fake);
	}
	for (i = 0; i < 5; i++)
		look(fake);
	ok = expect("hidden lap: no more than there were", 1,
		    fake->unit.total <= total + 232);
	ok &= expect("hidden lap: said", PEERPASS_INEXACT_UNSEEN,
		     fake->unit.inexact & PEERPASS_INEXACT_UNSEEN);
	return ok;
}

struct decode_case {
	u32 entry[4];
	enum peerpass_fault_kind kind;
};

static bool check_decode(void)
{
	static const struct decode_case amd[] = {
		{ { 0, 0x20200000, 0x1000, 0 }, PEERPASS_FAULT_KIND_WRITE },
		{ { 0, 0x20000000, 0x1000, 0 }, PEERPASS_FAULT_KIND_READ },
		{ { 0, 0x20300000, 0x1000, 0 }, PEERPASS_FAULT_KIND_WRITE },
		{ { 0, 0x20280000, 0xfee01000, 0 }, PEERPASS_FAULT_KIND_INTERRUPT },
		{ { 0, 0x20280000, 0, 0 }, PEERPASS_FAULT_KIND_WRITE },
		{ { 0, 0x20080000, 0xf8001000, 0xfd }, PEERPASS_FAULT_KIND_INTERRUPT },
		{ { 0, 0x10000000, 0, 0 }, PEERPASS_FAULT_KIND_ILLEGAL_DEV_TABLE_ENTRY },
		{ { 0, 0x30000000, 0, 0 }, PEERPASS_FAULT_KIND_DEV_TAB_HARDWARE_ERROR },
		{ { 0, 0x40000000, 0, 0 }, PEERPASS_FAULT_KIND_PAGE_TAB_HARDWARE_ERROR },
		{ { 0, 0x50000000, 0, 0 }, PEERPASS_FAULT_KIND_ILLEGAL_COMMAND_ERROR },
		{ { 0, 0x60000000, 0, 0 }, PEERPASS_FAULT_KIND_COMMAND_HARDWARE_ERROR },
		{ { 0, 0x70000000, 0, 0 }, PEERPASS_FAULT_KIND_IOTLB_INV_TIMEOUT },
		{ { 0, 0x80000000, 0, 0 }, PEERPASS_FAULT_KIND_INVALID_DEVICE_REQUEST },
		{ { 0, 0x90000000, 0, 0 }, PEERPASS_FAULT_KIND_INVALID_PPR_REQUEST },
		{ { 0, 0xa0000000, 0, 0 }, PEERPASS_FAULT_KIND_EVENT_COUNTER_ZERO },
		{ { 0, 0xb0000000, 0, 0 }, PEERPASS_FAULT_KIND_GUEST_EVENT_FAULT },
		{ { 0, 0xc0000000, 0, 0 }, PEERPASS_FAULT_KIND_VIOMMU_HARDWARE_ERROR },
		{ { 0, 0xd0000000, 0, 0 }, PEERPASS_FAULT_KIND_RMP_PAGE_FAULT },
		{ { 0, 0xe0000000, 0, 0 }, PEERPASS_FAULT_KIND_RMP_HARDWARE_ERROR },
		{ { 0, 0xf0000000, 0, 0 }, PEERPASS_FAULT_KIND_OTHER },
	};
	static const struct {
		u32 reason;
		bool read;
		enum peerpass_fault_kind kind;
	} vtd[] = {
		{ 0x01, true, PEERPASS_FAULT_KIND_ILLEGAL_DEV_TABLE_ENTRY },
		{ 0x02, false, PEERPASS_FAULT_KIND_ILLEGAL_DEV_TABLE_ENTRY },
		{ 0x05, false, PEERPASS_FAULT_KIND_WRITE },
		{ 0x06, true, PEERPASS_FAULT_KIND_READ },
		{ 0x22, false, PEERPASS_FAULT_KIND_INTERRUPT },
		{ 0x40, true, PEERPASS_FAULT_KIND_ILLEGAL_DEV_TABLE_ENTRY },
		{ 0x71, true, PEERPASS_FAULT_KIND_READ },
		{ 0x79, false, PEERPASS_FAULT_KIND_WRITE },
	};
	unsigned int i;
	bool ok = true;

	for (i = 0; i < ARRAY_SIZE(amd); i++)
		ok &= expect("kind of an AMD-Vi event", amd[i].kind,
			     pp_amd_event_kind(amd[i].entry));
	for (i = 0; i < ARRAY_SIZE(vtd); i++)
		ok &= expect("kind of a VT-d fault", vtd[i].kind,
			     pp_vtd_fault_kind(vtd[i].reason, vtd[i].read));
	return ok;
}

static void free_fakes(void)
{
	unsigned int i;

	for (i = 0; fakes && i < units; i++)
		kfree(fakes[i]);
	kfree(fakes);
}

static int make_fakes(void)
{
	unsigned int i;

	fakes = kcalloc(units, sizeof(*fakes), GFP_KERNEL);
	if (!fakes)
		return -ENOMEM;
	for (i = 0; i < units; i++) {
		struct fake *fake = kzalloc(sizeof(*fake), GFP_KERNEL);

		if (!fake)
			return -ENOMEM;
		fakes[i] = fake;
		fake->rng = 0x9e3779b97f4a7c15ULL + i;
		init_completion(&fake->done);
		raw_spin_lock_init(&fake->unit.lock);
		fake->unit.ops = &fake_ops;
		fake->unit.log = &fake->ring[0][0];
		fake->unit.size = sizeof(fake->ring);
	}
	return 0;
}

static int run(void)
{
	struct task_struct *looker;
	unsigned int i, nr;
	int ret = 0;

	looker = kthread_run(look_at_all, NULL, "pp_test_looker");
	if (IS_ERR(looker))
		return PTR_ERR(looker);
	for (nr = 0; nr < units; nr++) {
		struct task_struct *thread =
			kthread_create(play, fakes[nr], "pp_test_unit%u", nr);

		if (IS_ERR(thread)) {
			ret = PTR_ERR(thread);
			break;
		}
		kthread_bind(thread, nr % num_online_cpus());
		fakes[nr]->thread = thread;
		wake_up_process(thread);
	}
	for (i = 0; i < nr; i++) {
		wait_for_completion(&fakes[i]->done);
		kthread_stop(fakes[i]->thread);
	}
	kthread_stop(looker);
	return ret;
}

static int __init pp_test_units_init(void)
{
	int ret = pp_fault_table_init();

	if (ret)
		return ret;
	ret = pp_address_map_init(PEERPASS_IOMMU_KIND_AMD_VI);
	if (ret)
		goto out_table;
	ret = make_fakes();
	if (ret)
		goto out;
	if (!find_bar()) {
		pr_err("no BAR to fault at\n");
		ret = -ENODEV;
		goto out;
	}
	ret = run();
	if (ret)
		goto out;
	if (!check_decode() || !check_counts() || !check_late(fakes[0]) ||
	    !check_lap(fakes[0]) || !check_hidden_lap(fakes[0]))
		ret = -EINVAL;
out:
	free_fakes();
	pp_address_map_exit();
out_table:
	pp_fault_table_exit();
	return ret;
}

static void __exit pp_test_units_exit(void)
{
}

module_init(pp_test_units_init);
module_exit(pp_test_units_exit);
MODULE_DESCRIPTION("Test only: fake IOMMUs count exactly");
MODULE_LICENSE("GPL");
