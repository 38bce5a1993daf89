// SPDX-License-Identifier: GPL-2.0-only
/*
 * Test only: lets Linux 6.1 handle more than one AMD-Vi event under QEMU.
 *
 * The interrupt thread of 6.1 writes ones to every interrupt bit of the status
 * register to clear them and loops until they read zero. QEMU makes bits 9 and
 * 10 (the guest virtual APIC log) plain read/write, so that write sets them
 * and the loop never ends. Inside the loop the driver sees "GA log overflow"
 * and calls amd_iommu_restart_ga_log(); when that returns, zero is written to
 * the register. QEMU then drops bits 9 and 10 and keeps the others, which are
 * write-one-to-clear there, so no event interrupt is lost.
 *
 * Later kernels write only the bits of the log at hand and need no cure.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/atomic.h>
#include <linux/io.h>
#include <linux/kprobes.h>
#include <linux/module.h>
#include <linux/moduleparam.h>
#include <asm/cpufeature.h>

#include "ivrs.h"

#define AMDVI_STATUS	0x2020

static void __iomem *status_reg;

static atomic_long_t cured;

static int cured_get(char *buf, const struct kernel_param *kp)
{
	return sysfs_emit(buf, "%ld\n", atomic_long_read(&cured));
}

static const struct kernel_param_ops cured_ops = { .get = cured_get };
module_param_cb(cured, &cured_ops, NULL, 0444);
MODULE_PARM_DESC(cured, "times the status register was reset (read only)");

static int restart_ga_log_returned(struct kretprobe_instance *ri, struct pt_regs *regs)
{
	writel(0, status_reg);
	atomic_long_inc(&cured);
	return 0;
}

static struct kretprobe probe = {
	.kp.symbol_name = "amd_iommu_restart_ga_log",
	.handler = restart_ga_log_returned,
};

static int __init pp_evtcure_init(void)
{
	u64 base;
	int ret;

	/* On hardware, a write of zero here cures nothing and proves nothing. */
	if (!boot_cpu_has(X86_FEATURE_HYPERVISOR)) {
		pr_err("not a virtual machine\n");
		return -ENODEV;
	}
	base = pp_test_first_unit();
	if (!base) {
		pr_err("no AMD IOMMU\n");
		return -ENODEV;
	}
	status_reg = ioremap(base + AMDVI_STATUS, sizeof(u32));
	if (!status_reg)
		return -ENOMEM;
	ret = register_kretprobe(&probe);
	if (ret) {
		pr_err("cannot probe %s: %d\n", probe.kp.symbol_name, ret);
		iounmap(status_reg);
	}
	return ret;
}

static void __exit pp_evtcure_exit(void)
{
	unregister_kretprobe(&probe);
	iounmap(status_reg);
}

module_init(pp_evtcure_init);
module_exit(pp_evtcure_exit);
MODULE_DESCRIPTION("Test only: cures the AMD-Vi interrupt thread of Linux 6.1 under QEMU");
MODULE_LICENSE("GPL");
