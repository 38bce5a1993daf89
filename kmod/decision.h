/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef PEERPASS_DECISION_H
#define PEERPASS_DECISION_H

#ifdef __KERNEL__
#include <linux/types.h>
#else
#include <stdbool.h>
#endif

#include "uapi/linux/peerpass.h"

/**
 * struct pp_evidence - all that a decision about a device is made from
 *
 * The rule:
 * @id_mismatch: it expects another device at this address
 * @class_allowed: it may switch a device of this class
 *
 * The device:
 * @in_group: it has an IOMMU group
 * @untrusted: behind an external-facing port (pci_dev.untrusted)
 * @pasid: has the PASID capability; AMD's driver then starts in identity
 * @driver_override: it is destined for a certain driver
 * @firmware: family whose firmware does not start in identity, or NULL
 * @dma_bits: of its DMA mask; says something only once a driver has set it
 *
 * The group:
 * @members: devices in it
 * @companions: what the others are
 * @driver_bound: a member that is no bridge has a driver
 * @identity: every member is attached to an identity domain
 * @ours: its default domain is identity by our hand
 *
 * The platform:
 * @snp: SEV-SNP is enforced by the IOMMU
 * @snp_mode0: which permits identity all the same, and the kernel knows
 * @memory_encryption: addresses carry an encryption bit (SME)
 * @single_device_groups: the kernel switches no group of more (up to 6.3)
 *
 * What was tried:
 * @kernel_said: how the last attempt to switch ended, NONE when there was none
 */
struct pp_evidence {
	bool id_mismatch;
	bool class_allowed;
	bool in_group;
	bool untrusted;
	bool pasid;
	bool driver_override;
	const char *firmware;
	unsigned int dma_bits;
	unsigned int members;
	enum peerpass_companions companions;
	bool driver_bound;
	bool identity;
	bool ours;
	enum peerpass_tristate snp;
	bool snp_mode0;
	bool memory_encryption;
	bool single_device_groups;
	enum peerpass_reason kernel_said;
};

/**
 * struct pp_decision - what is to be done about a device
 * @mode: identity, peer, or the wanted mode as it is; with a @reason not done
 * @reason: why nothing is done, NONE when nothing speaks against it
 * @why: why auto does not choose identity
 * @forced: it goes against a refusal
 */
struct pp_decision {
	enum peerpass_mode mode;
	enum peerpass_reason reason;
	enum peerpass_reason why;
	bool forced;
};

enum peerpass_reason pp_decide_harm(const struct pp_evidence *evidence);
struct pp_decision pp_decide(enum peerpass_mode wanted, unsigned int flags,
			     const struct pp_evidence *evidence);

#endif /* PEERPASS_DECISION_H */
