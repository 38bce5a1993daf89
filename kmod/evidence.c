// SPDX-License-Identifier: GPL-2.0-only
/*
 * What a decision is made from: one small probe for each field of struct
 * pp_evidence. Only what the kernel itself does not refuse, or refuses without
 * saying why.
 *
 * Context of everything here: on the switch queue, no lock held. Nothing waits for
 * a device's lock, see work.c.
 */
#include <linux/mem_encrypt.h>
#include <linux/pci.h>
#include <linux/spinlock.h>
#include <linux/string.h>

#include "compat.h"
#include "evidence.h"
#include "platform.h"
#include "quirks.h"

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

static bool is_bridge(struct pci_dev *pdev)
{
	return pdev->class >> 8 == PCI_CLASS_BRIDGE_PCI;
}

static void find_override(struct pci_dev *pdev, struct pp_findings *found)
{
	int len = read_override(pdev, found->override,
				sizeof(found->override));

	/* Somebody has the device's lock: a driver comes or goes. */
	if (len < 0)
		found->passing = true;
	found->evidence.driver_override = len > 0;
}

/* The driver that @pdev has, in words. Return: false when it has none. */
static bool name_driver(struct pci_dev *pdev, char *buf, size_t size,
			bool *passing)
{
	struct pp_device *dev;

	if (!READ_ONCE(pdev->dev.driver))
		return false;
	mutex_lock(&pp_devices_lock);
	dev = pp_device_find(pdev);
	if (dev && dev->driver[0]) {
		strscpy(buf, dev->driver, size);
	} else {
		/* Coming or going: the name is known at the end of it. */
		strscpy(buf, "being bound", size);
		*passing = true;
	}
	mutex_unlock(&pp_devices_lock);
	return true;
}

/*
 * A port's driver does no DMA and leaves the domain to others, which the kernel
 * knows by driver_managed_dma. VFIO's says the same and means the opposite.
 */
static bool harmless_driver(struct pci_dev *pdev)
{
	struct pp_device *dev;
	bool harmless;

	if (!is_bridge(pdev))
		return false;
	mutex_lock(&pp_devices_lock);
	dev = pp_device_find(pdev);
	harmless = dev && dev->manages_dma;
	mutex_unlock(&pp_devices_lock);
	return harmless;
}

static void find_driver(struct pp_group_view *view, struct pp_findings *found)
{
	char name[PP_DRIVER_NAME_LEN];
	unsigned int i;

	for (i = 0; i < view->nr; i++) {
		struct pci_dev *member = view->members[i];

		if (harmless_driver(member) ||
		    !name_driver(member, name, sizeof(name), &found->passing))
			continue;
		found->evidence.driver_bound = true;
		if (!found->driver[0])
			snprintf(found->driver, sizeof(found->driver),
				 "%s (%s)", name, pci_name(member));
	}
}

/* What comes with a GPU: its audio, its USB port and what drives that. */
static bool usual_companion(struct pci_dev *pdev)
{
	switch (pdev->class >> 8) {
	case PCI_CLASS_MULTIMEDIA_HD_AUDIO:
	case PCI_CLASS_SERIAL_USB:
	case PCI_CLASS_SERIAL_USB_DEVICE:
	case 0x0c80:	/* serial bus, other: UCSI */
		return true;
	default:
		return pdev->class >> 16 == PCI_BASE_CLASS_DISPLAY;
	}
}

/*
 * Does an order for @pdev take in this companion, of which nothing is asked? An
 * order for a kind of devices takes in only bridges and what usually comes with
 * the device: never somebody's disk or network card.
 */
static bool takes_in(struct pci_dev *pdev, const struct pp_order *order,
		     struct pci_dev *companion)
{
	if (!(order->flags & PEERPASS_RULE_FLAG_GROUP))
		return false;
	if (order->by_address || is_bridge(companion))
		return true;
	return companion->bus == pdev->bus &&
	       PCI_SLOT(companion->devfn) == PCI_SLOT(pdev->devfn) &&
	       usual_companion(companion);
}

static bool sponsors(struct pci_dev *pdev, const struct pp_order *order,
		     struct pci_dev *companion, bool harm)
{
	return pdev != companion && pp_order_selects(order) &&
	       takes_in(pdev, order, companion) &&
	       (!harm || order->flags & PEERPASS_RULE_FLAG_FORCE);
}

/**
 * pp_sponsored - does any member of a group take in this one?
 * @view: the group
 * @but: a member that is not to be counted, or NULL
 * @companion: a member of which nothing is asked
 * @harm: identity would harm it: only +force takes it in
 */
bool pp_sponsored(struct pp_group_view *view, const struct pci_dev *but,
		  struct pci_dev *companion, bool harm)
{
	struct pp_order order;
	unsigned int i;

	for (i = 0; i < view->nr; i++)
		if (view->members[i] != but &&
		    pp_device_order(view->members[i], &order) &&
		    sponsors(view->members[i], &order, companion, harm))
			return true;
	return false;
}

/*
 * What @member is to a switch of its group, if @order were that of @pdev, as it is
 * but for a request. The same for every other member that asks: either all of
 * those that want identity can have it, or none.
 */
static enum peerpass_companions
companion(struct pci_dev *pdev, const struct pp_order *order,
	  struct pp_group_view *view, struct pci_dev *member,
	  const struct pp_evidence *platform, bool *passing)
{
	struct pp_evidence evidence = *platform;
	char override[PP_DRIVER_NAME_LEN];
	struct pp_order own;
	bool harm;
	int len;

	if (!pp_device_order(member, &own) || member->untrusted)
		return PEERPASS_COMPANIONS_REFUSED;
	len = read_override(member, override, sizeof(override));
	if (len) {
		*passing |= len < 0;
		return PEERPASS_COMPANIONS_REFUSED;
	}
	evidence.firmware = pp_quirk_firmware(member->vendor, member->device);
	harm = pp_decide_harm(&evidence);
	if (pp_order_selects(&own))
		return harm && !(own.flags & PEERPASS_RULE_FLAG_FORCE) ?
		       PEERPASS_COMPANIONS_REFUSED : PEERPASS_COMPANIONS_AGREED;
	if (pp_order_none(&own) && (sponsors(pdev, order, member, harm) ||
				    pp_sponsored(view, pdev, member, harm)))
		return PEERPASS_COMPANIONS_ALONG;
	return PEERPASS_COMPANIONS_REFUSED;
}

static void list_companion(struct pci_dev *pdev, struct pp_findings *found)
{
	size_t len = strlen(found->companions);
	char name[PP_DRIVER_NAME_LEN];

	if (!name_driver(pdev, name, sizeof(name), &found->passing))
		strscpy(name, "no driver", sizeof(name));
	snprintf(found->companions + len, sizeof(found->companions) - len,
		 "%s%s (%s)", len ? ", " : "", pci_name(pdev), name);
}

static void find_companions(struct pci_dev *pdev, const struct pp_order *order,
			    struct pp_group_view *view,
			    struct pp_findings *found)
{
	enum peerpass_companions worst = PEERPASS_COMPANIONS_NONE;
	unsigned int i;

	for (i = 0; i < view->nr; i++) {
		enum peerpass_companions is;

		if (view->members[i] == pdev)
			continue;
		is = companion(pdev, order, view, view->members[i],
			       &found->evidence, &found->passing);
		if (is == PEERPASS_COMPANIONS_REFUSED)
			list_companion(view->members[i], found);
		worst = max(worst, is);
	}
	if (view->foreign) {
		worst = PEERPASS_COMPANIONS_REFUSED;
		strscpy(found->companions,
			"a device that is not PCI, or too many",
			sizeof(found->companions));
	}
	found->evidence.companions = worst;
}

static void find_domains(struct pp_group *group, struct pp_group_view *view,
			 struct pp_findings *found)
{
	enum peerpass_domain_type now;
	unsigned int i;

	found->evidence.members = view->nr + view->foreign;
	found->evidence.identity =
		pp_group_view_all(view, PEERPASS_DOMAIN_TYPE_IDENTITY);
	for (i = 0; i < view->nr; i++) {
		found->blocked |=
			view->types[i] == PEERPASS_DOMAIN_TYPE_BLOCKED;
		found->switched |=
			pp_device_switched(view->members[i], NULL);
	}
	/* Somebody else may have changed it since. */
	found->evidence.ours = found->switched &&
		(pp_group_read_type(group, &now) ||
		 now == PEERPASS_DOMAIN_TYPE_IDENTITY);
}

static void find_platform(struct pp_evidence *evidence)
{
	evidence->snp = pp_platform_snp();
	evidence->snp_mode0 = pp_platform_snp_mode0();
	evidence->memory_encryption = sme_me_mask;
	evidence->single_device_groups = PP_SINGLE_DEVICE_GROUPS;
}

/**
 * pp_findings_collect - find out all that a decision is made from
 * @pdev: the device
 * @order: what is asked of it
 * @group: its group, or NULL when it has none
 * @view: the group's members, or NULL
 * @found: filled in
 */
void pp_findings_collect(struct pci_dev *pdev, const struct pp_order *order,
			 struct pp_group *group, struct pp_group_view *view,
			 struct pp_findings *found)
{
	struct pp_evidence *evidence = &found->evidence;

	memset(found, 0, sizeof(*found));
	snprintf(found->class, sizeof(found->class), "class %04x",
		 pdev->class >> 8);
	evidence->id_mismatch = order->id_mismatch;
	evidence->class_allowed = order->class_allowed;
	evidence->in_group = view;
	evidence->untrusted = pdev->untrusted;
	evidence->pasid = pci_find_ext_capability(pdev, PCI_EXT_CAP_ID_PASID);
	evidence->firmware = pp_quirk_firmware(pdev->vendor, pdev->device);
	evidence->dma_bits = pp_dma_bits(pdev);
	find_override(pdev, found);
	find_platform(evidence);
	if (!view)
		return;
	find_domains(group, view, found);
	find_companions(pdev, order, view, found);
	find_driver(view, found);
}

/* pp_findings_detail - the words that go with a reason; "" for most */
const char *pp_findings_detail(const struct pp_findings *found,
			       enum peerpass_reason reason)
{
	switch (reason) {
	case PEERPASS_REASON_CLASS_NOT_ALLOWED:
		return found->class;
	case PEERPASS_REASON_DRIVER_OVERRIDE:
		return found->override;
	case PEERPASS_REASON_GROUP_COMPANION:
		return found->companions;
	case PEERPASS_REASON_DRIVER_BOUND:
		return found->driver;
	case PEERPASS_REASON_FIRMWARE:
		return found->evidence.firmware;
	default:
		return "";
	}
}
