// SPDX-License-Identifier: GPL-2.0-only
/*
 * What the platform is, by evidence that the kernel itself acts on.
 */
#include <linux/compiler.h>
#include <linux/crash_dump.h>

#include "platform.h"

/*
 * The AMD IOMMU driver's own flag (drivers/iommu/amd/init.c, exported since
 * 6.0); weak, because kernels without that driver do not have it.
 */
extern bool amd_iommu_snp_en __weak;

/**
 * pp_platform_snp - does the IOMMU driver run with SEV-SNP enabled?
 *
 * With SNP enforced a device table entry of mode 0, which is what identity is,
 * is illegal (kernel commit ba17de98545d), and kernels 6.13 to 6.19 let it
 * happen.
 */
enum peerpass_tristate pp_platform_snp(void)
{
	bool *flag = &amd_iommu_snp_en;

	/* The address of a weak symbol may be NULL, whatever the compiler thinks. */
	OPTIMIZER_HIDE_VAR(flag);
	if (!flag)
		return PEERPASS_TRISTATE_UNKNOWN;
	return READ_ONCE(*flag) ? PEERPASS_TRISTATE_ON : PEERPASS_TRISTATE_OFF;
}

/* pp_platform_crash_kernel - are we the kernel that saves a crash dump? */
bool pp_platform_crash_kernel(void)
{
	return is_kdump_kernel();
}
