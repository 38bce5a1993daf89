// SPDX-License-Identifier: GPL-2.0-only
/*
 * What the platform is, by evidence that the kernel itself acts on.
 */
#include <linux/compiler.h>
#include <linux/crash_dump.h>
#include <linux/io.h>

#include "compat.h"
#include "platform.h"
#include "unit.h"

/* AMD-Vi specification, section 3.4: Extended Feature 2 Register. */
#define AMD_EFR2		0x1a0
#define AMD_EFR2_SNP_MODE0	BIT_ULL(13)

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

/**
 * pp_platform_snp_mode0 - does every IOMMU permit mode 0 with SEV-SNP enforced?
 *
 * The driver's own flag (7.3) is not exported. Believed only on kernels whose
 * driver checks by itself (7.0 and later): older ones let a switch happen that
 * their device table entries are not made for.
 */
bool pp_platform_snp_mode0(void)
{
	unsigned int i;

	if (!PP_KERNEL_CHECKS_SNP ||
	    pp_units_kind() != PEERPASS_IOMMU_KIND_AMD_VI)
		return false;
	for (i = 0; i < pp_nr_units; i++)
		if (!pp_units[i]->regs ||
		    !(readq(pp_units[i]->regs + AMD_EFR2) & AMD_EFR2_SNP_MODE0))
			return false;
	return pp_nr_units;
}

/* pp_platform_crash_kernel - are we the kernel that saves a crash dump? */
bool pp_platform_crash_kernel(void)
{
	return is_kdump_kernel();
}
