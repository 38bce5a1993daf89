// SPDX-License-Identifier: GPL-2.0-only
/*
 * Reasons in words, for the kernel log.
 */
#include "reason.h"

/* pp_reason_text - static text */
const char *pp_reason_text(enum peerpass_reason reason)
{
	switch (reason) {
	case PEERPASS_REASON_NO_GROUP:
		return "not behind an IOMMU";
	case PEERPASS_REASON_ID_MISMATCH:
		return "another device than the rule expects";
	case PEERPASS_REASON_CLASS_NOT_ALLOWED:
		return "neither display nor accelerator, and no rule by address with +class";
	case PEERPASS_REASON_DRIVER_BOUND:
		return "driver already bound";
	case PEERPASS_REASON_DRIVER_OVERRIDE:
		return "driver_override is set";
	case PEERPASS_REASON_GROUP_COMPANION:
		return "its group holds a device that may not come along";
	case PEERPASS_REASON_SNP:
		return "SEV-SNP is enabled in the IOMMU, identity is illegal";
	case PEERPASS_REASON_UNTRUSTED:
		return "behind an external-facing port";
	case PEERPASS_REASON_KERNEL_LIMIT:
		return "this kernel switches only groups of one device";
	case PEERPASS_REASON_KERNEL_REFUSED:
		return "the kernel refused";
	case PEERPASS_REASON_NOT_EFFECTIVE:
		return "the kernel reported success without effect";
	case PEERPASS_REASON_MEMORY_ENCRYPTION:
		return "memory is encrypted";
	case PEERPASS_REASON_FIRMWARE:
		return "its firmware does not start in an identity domain";
	case PEERPASS_REASON_SET_INCOMPLETE:
		return "another device of its set was refused";
	default:
		return "see status";
	}
}
