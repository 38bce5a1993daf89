// SPDX-License-Identifier: GPL-2.0-only
/* What a reason means, and what to do about it, in words. */
#include <stdio.h>
#include <string.h>

#include "names.h"
#include "reasons.h"
#include "uapi/linux/peerpass.h"

/* "%" stands for the reason's detail: a driver, a device or an error. */
static const struct {
	const char *text;
	const char *advice;
} reasons[] = {
	[PEERPASS_REASON_NONE] = { "as wanted", "" },
	[PEERPASS_REASON_NO_GROUP] = {
		"it has no IOMMU group, nothing translates its DMA",
		"nothing to switch here; remove its rule or enable the IOMMU",
	},
	[PEERPASS_REASON_ID_MISMATCH] = {
		"the rule expects another device at this address, found %",
		"addresses move when a card is added: correct the rule in policy=",
	},
	[PEERPASS_REASON_CLASS_NOT_ALLOWED] = {
		"it is neither a display controller nor an accelerator",
		"to switch it all the same, name its address in a rule with +class",
	},
	[PEERPASS_REASON_DRIVER_BOUND] = {
		"driver % was bound before peerpass saw the device",
		"load peerpass before driver % (initramfs or modules-load.d), or peerpass set DEV "
		"MODE --rebind",
	},
	[PEERPASS_REASON_DRIVER_OVERRIDE] = {
		"its driver_override names %",
		"clear driver_override if the host itself is to use the device",
	},
	[PEERPASS_REASON_GROUP_COMPANION] = {
		"its IOMMU group also holds %, which may not come along",
		"add a rule for % too, with +class if it is no accelerator; or +group to its own",
	},
	[PEERPASS_REASON_SNP] = {
		"the IOMMU enforces SEV-SNP, identity domains are illegal there",
		"use mode auto or peer; identity takes a boot without SEV-SNP",
	},
	[PEERPASS_REASON_UNTRUSTED] = {
		"it is behind an external-facing port",
		"move the device to an internal slot, or remove its rule",
	},
	[PEERPASS_REASON_KERNEL_LIMIT] = {
		"this kernel cannot switch its group: %",
		"boot a newer kernel, 6.12 or later",
	},
	[PEERPASS_REASON_KERNEL_REFUSED] = {
		"the kernel refused to switch its group: %",
		"look into the kernel log: dmesg | grep -i -e iommu -e peerpass",
	},
	[PEERPASS_REASON_NOT_EFFECTIVE] = {
		"the kernel reported success, but the domain did not become identity: %",
		"look into the kernel log: dmesg | grep -i iommu",
	},
	[PEERPASS_REASON_ILLEGAL_DTE] = {
		"the IOMMU logged ILLEGAL_DEV_TABLE_ENTRY for it: its DMA does not work",
		"unbind its driver and unload peerpass, which puts the old type back",
	},
	[PEERPASS_REASON_CHANGED_BY_OTHER] = {
		"somebody else changed the type after peerpass had set it",
		"find what writes to the group's type file, then reload peerpass",
	},
	[PEERPASS_REASON_IN_USE] = {
		"its driver has put it into a domain of its own, as VFIO does",
		"nothing, while that driver needs it",
	},
	[PEERPASS_REASON_PEERS_MISSING] = {
		"it cannot reach every BAR of its peers; the windows below say why",
		"bind the peers' drivers, this one's again at needs_rebind; man peerpass, WINDOWS",
	},
	[PEERPASS_REASON_MEMORY_ENCRYPTION] = {
		"the host encrypts memory, and in identity its addresses carry the encryption bit",
		"use mode auto or peer; +force if the device can address that bit",
	},
	[PEERPASS_REASON_FIRMWARE] = {
		"its firmware (%) is known not to start in an identity domain",
		"use mode auto or peer; +force if it starts all the same",
	},
	[PEERPASS_REASON_SET_INCOMPLETE] = {
		"its rule says +all, and of its set % was refused",
		"see what is said about %, or leave +all out",
	},
};

/* Copies @from and puts @detail where "%" stands. */
static void fill_in(const char *from, const char *detail, char *buf, size_t size)
{
	const char *mark = strchr(from, '%');

	if (!mark)
		snprintf(buf, size, "%s", from);
	else
		snprintf(buf, size, "%.*s%s%s", (int)(mark - from), from,
			 detail[0] ? detail : "(unknown)", mark + 1);
}

/** pp_reason_given - is there anything to explain about this device? */
bool pp_reason_given(const struct pp_device *dev)
{
	return dev->reason != PP_UNKNOWN && dev->reason != PEERPASS_REASON_NONE;
}

/** pp_reason_words - a reason (enum peerpass_reason) with its detail, as a clause */
void pp_reason_words(uint32_t reason, const char *detail, char *buf, size_t size)
{
	if (reason < sizeof(reasons) / sizeof(reasons[0]))
		fill_in(reasons[reason].text, detail, buf, size);
	else
		snprintf(buf, size, "%s%s%s", pp_name_reason(reason), detail[0] ? ": " : "", detail);
}

/** pp_reason_text - why the device is not as wanted, as a clause */
void pp_reason_text(const struct pp_device *dev, char *buf, size_t size)
{
	pp_reason_words(dev->reason, dev->detail, buf, size);
}

/** pp_reason_advice - what to do about it; empty when there is no advice */
void pp_reason_advice(const struct pp_device *dev, char *buf, size_t size)
{
	buf[0] = '\0';
	if (dev->reason < sizeof(reasons) / sizeof(reasons[0]))
		fill_in(reasons[dev->reason].advice, dev->detail, buf, size);
}
