// SPDX-License-Identifier: GPL-2.0-only
/*
 * Test only: makes the kernel's amd_iommu_snp_en say that the IOMMU enforces
 * SEV-SNP, from load to unload, so that the refusal of identity domains can be
 * seen on a machine without SNP.
 *
 * The driver stops clearing event-log entries while the flag is set; nothing
 * else that a test does depends on it.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/module.h>

/* Weak: a kernel without it still builds, and refuses to load this. */
extern bool amd_iommu_snp_en __weak;

static bool old;

static int __init pp_snp_init(void)
{
	if (!&amd_iommu_snp_en) {
		pr_err("this kernel exports no amd_iommu_snp_en\n");
		return -ENOENT;
	}
	old = amd_iommu_snp_en;
	amd_iommu_snp_en = true;
	return 0;
}

static void __exit pp_snp_exit(void)
{
	amd_iommu_snp_en = old;
}

module_init(pp_snp_init);
module_exit(pp_snp_exit);
MODULE_DESCRIPTION("Test only: pretends that the IOMMU enforces SEV-SNP");
MODULE_LICENSE("GPL");
