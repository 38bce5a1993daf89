// SPDX-License-Identifier: GPL-2.0-only
/*
 * What speaks against switching a device's group to identity. Only refusals that
 * the kernel itself does not make, or makes without saying why; what the kernel
 * refuses is reported as such by identity.c.
 */
#include <linux/spinlock.h>
#include <linux/string.h>

#include "platform.h"
#include "refusal.h"

/* pp_refuse - returns false, for the caller to return */
bool pp_refuse(struct pp_refusal *why, enum peerpass_reason reason)
{
	why->reason = reason;
	return false;
}

/**
 * pp_identity_rule - the rule that wants a device in identity
 * @pdev: the device
 * @mismatch: the rule expects another device at this address
 *
 * Return: NULL when none does.
 */
const struct pp_rule *pp_identity_rule(struct pci_dev *pdev, bool *mismatch)
{
	unsigned int index;
	const struct pp_rule *rule = pp_policy_rule(pdev, &index, mismatch);

	return rule && rule->mode == PEERPASS_MODE_IDENTITY ? rule : NULL;
}

/*
 * Where driver_override is a member of struct pci_dev, device_lock() protects it.
 * That lock may be held for ever by a driver that is stuck, and by somebody who
 * waits for us (enabling SR-IOV announces functions under the lock of the physical
 * one): never wait for it. Where it is a member of struct device it has a lock of
 * its own.
 *
 * Return: length, or -EBUSY.
 */
static int read_override(struct pci_dev *pdev, char *buf, size_t size)
{
#ifdef PP_HAVE_PCI_DRIVER_OVERRIDE
	if (!device_trylock(&pdev->dev))
		return -EBUSY;
	strscpy(buf, pdev->driver_override ?: "", size);
	device_unlock(&pdev->dev);
#else
	spin_lock(&pdev->dev.driver_override.lock);
	strscpy(buf, pdev->dev.driver_override.name ?: "", size);
	spin_unlock(&pdev->dev.driver_override.lock);
#endif
	return strlen(buf);
}

static bool not_overridden(struct pci_dev *pdev, struct pp_refusal *why)
{
	int len = read_override(pdev, why->detail, sizeof(why->detail));

	if (len < 0) {
		snprintf(why->detail, sizeof(why->detail), "%s is being bound",
			 pci_name(pdev));
		why->passing = true;
		return pp_refuse(why, PEERPASS_REASON_DRIVER_BOUND);
	}
	return !len || pp_refuse(why, PEERPASS_REASON_DRIVER_OVERRIDE);
}

/**
 * pp_device_may - does nothing speak against this device, its group left aside?
 * @pdev: the device
 * @why: filled in when something does
 */
bool pp_device_may(struct pci_dev *pdev, struct pp_refusal *why)
{
	bool mismatch;
	const struct pp_rule *rule = pp_identity_rule(pdev, &mismatch);

	if (!rule)
		return pp_refuse(why, PEERPASS_REASON_GROUP_COMPANION);
	if (mismatch)
		return pp_refuse(why, PEERPASS_REASON_ID_MISMATCH);
	if (!pp_policy_class_allowed(rule, pdev->class >> 8)) {
		snprintf(why->detail, sizeof(why->detail), "class %04x",
			 pdev->class >> 8);
		return pp_refuse(why, PEERPASS_REASON_CLASS_NOT_ALLOWED);
	}
	if (pdev->untrusted)
		return pp_refuse(why, PEERPASS_REASON_UNTRUSTED);
	return not_overridden(pdev, why);
}

/**
 * pp_group_may - does nothing speak against a group, drivers left aside?
 * @pdev: the member that is decided about
 * @view: the group
 * @why: filled in when something does
 */
bool pp_group_may(struct pci_dev *pdev, struct pp_group_view *view,
		  struct pp_refusal *why)
{
	unsigned int i;

	if (!pp_device_may(pdev, why))
		return false;
	if (pp_platform_snp() == PEERPASS_TRISTATE_ON)
		return pp_refuse(why, PEERPASS_REASON_SNP);
	if (view->foreign) {
		strscpy(why->detail, "a device that is not PCI, or too many",
			sizeof(why->detail));
		return pp_refuse(why, PEERPASS_REASON_GROUP_COMPANION);
	}
	for (i = 0; i < view->nr; i++) {
		struct pci_dev *member = view->members[i];

		if (member == pdev || pp_device_may(member, why))
			continue;
		snprintf(why->detail, sizeof(why->detail), "%s",
			 pci_name(member));
		return pp_refuse(why, PEERPASS_REASON_GROUP_COMPANION);
	}
	return true;
}

static void name_driver(struct pci_dev *pdev, struct pp_refusal *why)
{
	struct pp_device *dev;

	mutex_lock(&pp_devices_lock);
	dev = pp_device_find(pdev);
	if (dev && dev->driver[0]) {
		snprintf(why->detail, sizeof(why->detail), "%s (%s)",
			 dev->driver, pci_name(pdev));
	} else {
		/* Coming or going: the name is known at the end of it. */
		snprintf(why->detail, sizeof(why->detail), "%s is being bound",
			 pci_name(pdev));
		why->passing = true;
	}
	mutex_unlock(&pp_devices_lock);
}

/**
 * pp_group_unbound - is no member bound to a driver?
 * @view: the group
 * @why: filled in when one is
 */
bool pp_group_unbound(struct pp_group_view *view, struct pp_refusal *why)
{
	unsigned int i;

	for (i = 0; i < view->nr; i++) {
		if (!READ_ONCE(view->members[i]->dev.driver))
			continue;
		name_driver(view->members[i], why);
		return pp_refuse(why, PEERPASS_REASON_DRIVER_BOUND);
	}
	return true;
}

/* pp_reason_text - for the log */
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
		return "its group holds a device that may not be switched";
	case PEERPASS_REASON_SNP:
		return "SEV-SNP is enabled in the IOMMU, identity is illegal";
	case PEERPASS_REASON_UNTRUSTED:
		return "behind an external-facing port";
	case PEERPASS_REASON_KERNEL_LIMIT:
		return "this kernel cannot switch this group";
	case PEERPASS_REASON_KERNEL_REFUSED:
		return "the kernel refused";
	case PEERPASS_REASON_NOT_EFFECTIVE:
		return "the kernel reported success without effect";
	default:
		return "see status";
	}
}
