// SPDX-License-Identifier: GPL-2.0-only
/*
 * Mode "identity": the default domain of the groups that the policy selects is
 * made identity before a driver binds, and put back at unload.
 *
 * Every write goes through one ordered workqueue. That serialises the writers
 * without holding a lock across the kernel's own locks (see peerpass.h), and
 * gives the write a task that has the capabilities which the kernel asks for.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/slab.h>
#include <linux/workqueue.h>

#include "device.h"
#include "fault_table.h"
#include "group.h"
#include "identity.h"
#include "platform.h"
#include "policy.h"

static struct workqueue_struct *switch_wq;

struct verdict {
	enum peerpass_reason reason;
	char detail[PP_DETAIL_LEN];
};

static bool refuse(struct verdict *v, enum peerpass_reason reason)
{
	v->reason = reason;
	return false;
}

static const struct pp_rule *identity_rule(struct pci_dev *pdev,
					   bool *mismatch)
{
	unsigned int index;
	const struct pp_rule *rule = pp_policy_rule(pdev, &index, mismatch);

	return rule && rule->mode == PEERPASS_MODE_IDENTITY ? rule : NULL;
}

static bool overridden(struct pci_dev *pdev, struct verdict *v)
{
	char *page = (char *)get_zeroed_page(GFP_KERNEL);
	int len;

	if (!page)
		return false;
	len = pp_sysfs_read(&pdev->dev, NULL, "driver_override", page);
	if (len > 0 && strcmp(page, "(null)")) {
		strscpy(v->detail, page, sizeof(v->detail));
		free_page((unsigned long)page);
		return true;
	}
	free_page((unsigned long)page);
	return false;
}

/* What speaks against switching this one device, its group left aside. */
static bool device_may(struct pci_dev *pdev, struct verdict *v)
{
	bool mismatch;
	const struct pp_rule *rule = identity_rule(pdev, &mismatch);

	if (!rule)
		return refuse(v, PEERPASS_REASON_GROUP_COMPANION);
	if (mismatch)
		return refuse(v, PEERPASS_REASON_ID_MISMATCH);
	if (!pp_policy_class_allowed(rule, pdev->class >> 8)) {
		snprintf(v->detail, sizeof(v->detail), "class %04x",
			 pdev->class >> 8);
		return refuse(v, PEERPASS_REASON_CLASS_NOT_ALLOWED);
	}
	if (pdev->untrusted)
		return refuse(v, PEERPASS_REASON_UNTRUSTED);
	if (overridden(pdev, v))
		return refuse(v, PEERPASS_REASON_DRIVER_OVERRIDE);
	return true;
}

static void name_driver(struct pci_dev *pdev, struct verdict *v)
{
	struct pp_device *dev;

	mutex_lock(&pp_devices_lock);
	dev = pp_device_find(pdev);
	snprintf(v->detail, sizeof(v->detail), "%s (%s)",
		 dev && dev->driver[0] ? dev->driver : "binding",
		 pci_name(pdev));
	mutex_unlock(&pp_devices_lock);
}

/*
 * The decision for @pdev's group, drivers left aside. Only refusals that the
 * kernel itself does not make, or makes without saying why; what the kernel
 * refuses is reported as such.
 */
static bool group_may(struct pci_dev *pdev, struct pp_group_view *view,
		      struct verdict *v)
{
	unsigned int i;

	if (!device_may(pdev, v))
		return false;
	if (pp_platform_snp() == PEERPASS_TRISTATE_ON)
		return refuse(v, PEERPASS_REASON_SNP);
	if (view->foreign) {
		strscpy(v->detail, "a device that is not PCI, or too many",
			sizeof(v->detail));
		return refuse(v, PEERPASS_REASON_GROUP_COMPANION);
	}
	for (i = 0; i < view->nr; i++) {
		struct pci_dev *member = view->members[i];

		if (member == pdev || device_may(member, v))
			continue;
		snprintf(v->detail, sizeof(v->detail), "%s", pci_name(member));
		return refuse(v, PEERPASS_REASON_GROUP_COMPANION);
	}
	return true;
}

static bool group_unbound(struct pp_group_view *view, struct verdict *v)
{
	unsigned int i;

	for (i = 0; i < view->nr; i++) {
		if (!READ_ONCE(view->members[i]->dev.driver))
			continue;
		name_driver(view->members[i], v);
		return refuse(v, PEERPASS_REASON_DRIVER_BOUND);
	}
	return true;
}

static const char *reason_text(enum peerpass_reason reason)
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

/* Says once, in the log, what became of a device. */
static void publish(struct pci_dev *pdev, const struct verdict *v)
{
	struct pp_device *dev;
	bool news = false;

	mutex_lock(&pp_devices_lock);
	dev = pp_device_find(pdev);
	if (dev) {
		news = v->reason && dev->reason != v->reason;
		dev->reason = v->reason;
		strscpy(dev->detail, v->detail, sizeof(dev->detail));
	}
	mutex_unlock(&pp_devices_lock);
	if (news)
		pci_notice(pdev, "peerpass: not switched to identity: %s%s%s\n",
			   reason_text(v->reason), v->detail[0] ? ": " : "",
			   v->detail);
}

static void mark(struct pp_group_view *view, bool switched,
		 enum peerpass_domain_type original)
{
	unsigned int i;

	mutex_lock(&pp_devices_lock);
	for (i = 0; i < view->nr; i++) {
		struct pp_device *dev = pp_device_find(view->members[i]);

		if (!dev)
			continue;
		dev->switched = switched;
		dev->original = original;
		dev->dte_base =
			pp_fault_count(view->members[i],
				       PEERPASS_FAULT_KIND_ILLEGAL_DEV_TABLE_ENTRY);
		if (switched)
			pp_device_pin(dev);
		else
			pp_device_unpin(dev);
	}
	mutex_unlock(&pp_devices_lock);
}

/* Did we switch the group, and from which type? */
static bool is_ours(struct pp_group_view *view,
		    enum peerpass_domain_type *original)
{
	bool ours = false;
	unsigned int i;

	mutex_lock(&pp_devices_lock);
	for (i = 0; i < view->nr; i++) {
		struct pp_device *dev = pp_device_find(view->members[i]);

		if (dev && dev->switched) {
			ours = true;
			*original = dev->original;
		}
	}
	mutex_unlock(&pp_devices_lock);
	return ours;
}

static bool all_identity(struct pp_group_view *view)
{
	unsigned int i;

	for (i = 0; i < view->nr; i++)
		if (pp_domain_type(view->members[i]) !=
		    PEERPASS_DOMAIN_TYPE_IDENTITY)
			return false;
	return true;
}

static void switch_group(struct pci_dev *pdev, struct pp_group_view *view,
			 struct verdict *v)
{
	enum peerpass_domain_type original = pp_domain_type(pdev);
	int ret;

	if (!pp_domain_type_word(original)) {
		strscpy(v->detail, "not attached to its default domain",
			sizeof(v->detail));
		refuse(v, PEERPASS_REASON_KERNEL_REFUSED);
		return;
	}
	mark(view, true, original);
	ret = pp_group_write_type(pdev, "identity");
	if (!ret && all_identity(view)) {
		v->reason = PEERPASS_REASON_NONE;
		pci_info(pdev, "peerpass: default domain %s -> identity\n",
			 pp_domain_type_word(original));
		return;
	}
	mark(view, false, PEERPASS_DOMAIN_TYPE_NONE);
	if (!ret) {
		snprintf(v->detail, sizeof(v->detail), "domain is %s",
			 pp_domain_type_word(pp_domain_type(pdev)) ?: "other");
		refuse(v, PEERPASS_REASON_NOT_EFFECTIVE);
	} else {
		snprintf(v->detail, sizeof(v->detail), "error %d", ret);
		/* Up to 6.3 only groups of one device can be switched. */
		refuse(v, ret == -EINVAL && view->nr > 1 ?
			  PEERPASS_REASON_KERNEL_LIMIT :
			  PEERPASS_REASON_KERNEL_REFUSED);
	}
}

/* Context: on switch_wq. */
static void apply(struct pci_dev *pdev)
{
	enum peerpass_domain_type original = PEERPASS_DOMAIN_TYPE_NONE;
	bool mismatch, identity, ours;
	struct pp_group_view *view;
	struct verdict v = {};

	if (!identity_rule(pdev, &mismatch))
		return;
	view = pp_group_view_get(pdev);
	if (IS_ERR(view)) {
		refuse(&v, PEERPASS_REASON_NO_GROUP);
		publish(pdev, &v);
		return;
	}
	identity = all_identity(view);
	ours = is_ours(view, &original);
	if (identity && !ours && pp_platform_snp() != PEERPASS_TRISTATE_ON)
		v.reason = PEERPASS_REASON_NONE;	/* by the host's own default */
	else if (!group_may(pdev, view, &v))
		;
	else if (identity && ours)
		mark(view, true, original);	/* @pdev rejoined it */
	else if (group_unbound(view, &v))
		switch_group(pdev, view, &v);
	publish(pdev, &v);
	pp_group_view_put(view);
}

static void restore_group(struct pci_dev *pdev,
			  enum peerpass_domain_type original)
{
	struct pp_group_view *view = pp_group_view_get(pdev);
	int ret;

	if (IS_ERR(view))
		return;
	/* Changed by somebody else since: theirs now. */
	ret = all_identity(view) ?
	      pp_group_write_type(pdev, pp_domain_type_word(original)) : 0;
	if (ret) {
		/* Still ours to put back, as soon as the kernel lets us. */
		pci_warn(pdev, "peerpass: default domain stays identity, error %d\n",
			 ret);
	} else {
		pci_info(pdev, "peerpass: default domain is %s again\n",
			 pp_domain_type_word(pp_domain_type(pdev)) ?: "other");
		mark(view, false, PEERPASS_DOMAIN_TYPE_NONE);
	}
	pp_group_view_put(view);
}

/* Is there something to decide about this device (again)? */
static bool undecided(const struct pp_device *dev)
{
	return dev->wanted == PEERPASS_MODE_IDENTITY &&
	       (!dev->switched || dev->reason);
}

static bool switched(const struct pp_device *dev)
{
	return dev->switched;
}

/* The next such device from @from on, with a reference; NULL at the end. */
static struct pci_dev *next_device(unsigned long *from,
				   bool (*such)(const struct pp_device *dev),
				   enum peerpass_domain_type *original)
{
	struct pci_dev *pdev = NULL;
	struct pp_device *dev;
	unsigned long key;

	mutex_lock(&pp_devices_lock);
	xa_for_each_start(&pp_devices, key, dev, *from) {
		if (!such(dev))
			continue;
		pdev = pci_dev_get(dev->pdev);
		if (original)
			*original = dev->original;
		*from = key + 1;
		break;
	}
	mutex_unlock(&pp_devices_lock);
	return pdev;
}

static void apply_all_work(struct work_struct *work)
{
	struct pci_dev *pdev;
	unsigned long from = 0;

	while ((pdev = next_device(&from, undecided, NULL))) {
		apply(pdev);
		pci_dev_put(pdev);
	}
}

static DECLARE_WORK(apply_all, apply_all_work);

static void restore_all_work(struct work_struct *work)
{
	enum peerpass_domain_type original;
	struct pci_dev *pdev;
	unsigned long from = 0;

	while ((pdev = next_device(&from, switched, &original))) {
		restore_group(pdev, original);
		pci_dev_put(pdev);
	}
}

struct added_work {
	struct work_struct work;
	struct pci_dev *pdev;
};

/*
 * A device that no rule switches joined a group that we did switch, and took its
 * type: it must not have it. No driver of the group is bound yet when this
 * happens at hot-plug; when one is, the kernel refuses and status shows it.
 */
static void eject(struct pci_dev *pdev)
{
	struct pp_group_view *view = pp_group_view_get(pdev);
	struct verdict v = { .reason = PEERPASS_REASON_GROUP_COMPANION };
	enum peerpass_domain_type original;
	unsigned int i;

	if (IS_ERR(view))
		return;
	if (is_ours(view, &original)) {
		snprintf(v.detail, sizeof(v.detail), "%s", pci_name(pdev));
		restore_group(pdev, original);
		for (i = 0; i < view->nr; i++)
			if (view->members[i] != pdev)
				publish(view->members[i], &v);
	}
	pp_group_view_put(view);
}

static void added_work_fn(struct work_struct *work)
{
	struct added_work *added = container_of(work, struct added_work, work);
	struct verdict v = {};

	if (device_may(added->pdev, &v)) {
		apply(added->pdev);
		return;
	}
	eject(added->pdev);
	/* With a rule, apply() finds the same refusal and publishes it. */
	apply(added->pdev);
}

/**
 * pp_identity_device_added - a device came; switch it before a driver can bind
 * @pdev: the device
 *
 * Context: BUS_NOTIFY_ADD_DEVICE, after the IOMMU core's own notifier, without
 * device_lock(). Returns when the switch is done: the bus binds drivers only
 * after the notifier.
 */
void pp_identity_device_added(struct pci_dev *pdev)
{
	struct added_work added = { .pdev = pdev };

	INIT_WORK_ONSTACK(&added.work, added_work_fn);
	queue_work(switch_wq, &added.work);
	flush_work(&added.work);
	destroy_work_on_stack(&added.work);
}

/**
 * pp_identity_reconsider - a driver or a device left; what it was in the way of
 * may go on
 *
 * Context: under device_lock(), so the work is not waited for (up to 6.3 it
 * takes that lock). A driver that binds before it runs is the kernel's to refuse.
 */
void pp_identity_reconsider(void)
{
	queue_work(switch_wq, &apply_all);
}

/* pp_identity_apply_all - switch the devices that are there; waits */
void pp_identity_apply_all(void)
{
	queue_work(switch_wq, &apply_all);
	flush_work(&apply_all);
}

/**
 * pp_identity_restore_all - put every type back; waits
 *
 * Context: the notifier is unregistered. A device with a bound driver cannot be
 * restored; it holds a module reference, so this is reached without one.
 */
void pp_identity_restore_all(void)
{
	struct work_struct work;

	INIT_WORK_ONSTACK(&work, restore_all_work);
	queue_work(switch_wq, &work);
	flush_work(&work);
	destroy_work_on_stack(&work);
}

int pp_identity_init(void)
{
	switch_wq = alloc_ordered_workqueue("peerpass", 0);
	return switch_wq ? 0 : -ENOMEM;
}

/* pp_identity_exit - after pp_devices_stop() and pp_identity_restore_all() */
void pp_identity_exit(void)
{
	destroy_workqueue(switch_wq);
}
