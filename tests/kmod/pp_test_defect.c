// SPDX-License-Identifier: GPL-2.0-only
/*
 * Test only: has the defect that its parameter names, so that it can be seen
 * whether the debug kernel reports it. Harmless beyond the report.
 */
#include <linux/dma-mapping.h>
#include <linux/list.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/pci.h>
#include <linux/rcupdate.h>
#include <linux/slab.h>
#include <linux/spinlock.h>
#include <linux/timer.h>
#include <linux/vmalloc.h>

static char *defect = "none";
module_param(defect, charp, 0444);

/* What the compiler cannot know. */
static volatile int forty = 40;

static void leak(void)
{
	void *p = kmalloc(100, GFP_KERNEL);

	OPTIMIZER_HIDE_VAR(p);
}

static void use_after_free(void)
{
	volatile char *p = kmalloc(100, GFP_KERNEL);

	kfree((void *)p);
	p[3] = 1;
}

static void out_of_bounds(void)
{
	volatile char *p = vmalloc(PAGE_SIZE - 8);

	if (p)
		p[PAGE_SIZE - 8] = 1;
	vfree((void *)p);
}

static void bad_shift(void)
{
	forty = 1 << forty;
}

static void sleep_in_atomic(void)
{
	static DEFINE_SPINLOCK(lock);

	spin_lock(&lock);
	might_sleep();
	spin_unlock(&lock);
}

static void no_rcu_lock(void)
{
	static int __rcu *pointer;

	forty += !rcu_dereference(pointer);
}

static void nothing(struct timer_list *timer)
{
}

static void free_active_timer(void)
{
	struct timer_list *timer = kzalloc(sizeof(*timer), GFP_KERNEL);

	if (!timer)
		return;
	timer_setup(timer, nothing, 0);
	mod_timer(timer, jiffies + HZ);
	kfree(timer);
}

static void list_twice(void)
{
	static LIST_HEAD(list);
	static struct list_head entry;

	list_add(&entry, &list);
	list_add(&entry, &list);
}

static void unmap_unmapped(void)
{
	struct pci_dev *edu = pci_get_device(0x1234, 0x11e8, NULL);

	if (edu)
		dma_unmap_single(&edu->dev, 0x1000, 64, DMA_TO_DEVICE);
	pci_dev_put(edu);
}

/* The last: lockdep reports once. */
static void lock_order(void)
{
	static DEFINE_MUTEX(one);
	static DEFINE_MUTEX(other);

	mutex_lock(&one);
	mutex_lock(&other);
	mutex_unlock(&other);
	mutex_unlock(&one);
	mutex_lock(&other);
	mutex_lock(&one);
	mutex_unlock(&one);
	mutex_unlock(&other);
}

static const struct {
	const char *name;
	void (*make)(void);
} defects[] = {
	{ "leak", leak },
	{ "use_after_free", use_after_free },
	{ "out_of_bounds", out_of_bounds },
	{ "bad_shift", bad_shift },
	{ "sleep_in_atomic", sleep_in_atomic },
	{ "no_rcu_lock", no_rcu_lock },
	{ "free_active_timer", free_active_timer },
	{ "list_twice", list_twice },
	{ "unmap_unmapped", unmap_unmapped },
	{ "lock_order", lock_order },
};

static int __init pp_test_defect_init(void)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(defects); i++) {
		if (strcmp(defects[i].name, defect))
			continue;
		defects[i].make();
		return 0;
	}
	return -EINVAL;
}

static void __exit pp_test_defect_exit(void)
{
}

module_init(pp_test_defect_init);
module_exit(pp_test_defect_exit);
MODULE_DESCRIPTION("peerpass test: defects, to be reported");
MODULE_LICENSE("GPL");
