// SPDX-License-Identifier: GPL-2.0-only
/*
 * Test only: makes the AMD-Vi driver slow at handling events, as a serial
 * console makes it on a real host. While it is busy the hardware goes on
 * logging, so the driver empties the ring several times inside one call.
 *
 * The driver asks the rate limiter once for each IO_PAGE_FAULT, whether it is
 * printed or not, and names the calling function. That is the one step of the
 * path that can be probed in every kernel: the functions around it are inlined
 * in some.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/atomic.h>
#include <linux/delay.h>
#include <linux/kprobes.h>
#include <linux/module.h>
#include <linux/moduleparam.h>
#include <linux/ptrace.h>
#include <linux/sched.h>
#include <linux/string.h>

static unsigned int delay_us = 600;
module_param(delay_us, uint, 0644);
MODULE_PARM_DESC(delay_us, "microseconds added to each event");

static atomic_long_t hits;

static int hits_get(char *buf, const struct kernel_param *kp)
{
	return sysfs_emit(buf, "%ld\n", atomic_long_read(&hits));
}

static const struct kernel_param_ops hits_ops = { .get = hits_get };
module_param_cb(hits, &hits_ops, NULL, 0444);
MODULE_PARM_DESC(hits, "events delayed (read only)");

static int ratelimit_called(struct kprobe *p, struct pt_regs *regs)
{
	/* ___ratelimit(struct ratelimit_state *rs, const char *func) */
	const char *func = (const char *)regs_get_kernel_argument(regs, 1);

	if (strcmp(func, "amd_iommu_report_page_fault"))
		return 0;
	atomic_long_inc(&hits);
	/* Longer ones would need mdelay(); 5 ms is what udelay() is good for. */
	udelay(min(READ_ONCE(delay_us), 5000U));
	return 0;
}

static struct kprobe probe = {
	.symbol_name = "___ratelimit",
	.pre_handler = ratelimit_called,
};

static int __init pp_slowlog_init(void)
{
	int ret = register_kprobe(&probe);

	if (ret)
		pr_err("cannot probe %s: %d\n", probe.symbol_name, ret);
	return ret;
}

static void __exit pp_slowlog_exit(void)
{
	unregister_kprobe(&probe);
}

module_init(pp_slowlog_init);
module_exit(pp_slowlog_exit);
MODULE_DESCRIPTION("Test only: slows the AMD-Vi driver's handling of events");
MODULE_LICENSE("GPL");
