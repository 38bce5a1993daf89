// SPDX-License-Identifier: GPL-2.0-only
/*
 * Mode "identity": the default domain of the groups that the policy selects is
 * made identity before a driver binds, and put back at unload.
 *
 * Every write goes through one ordered workqueue. That serialises the writers
 * without holding a lock across the kernel's own locks (see peerpass.h), and
 * gives the write a task that has the capabilities which the kernel asks for. The
 * bus notifier waits for this queue, so nothing on it may wait for a device's
 * lock (see refusal.c).
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/completion.h>
#include <linux/delay.h>
#include <linux/kref.h>
#include <linux/module.h>
#include <linux/slab.h>
#include <linux/workqueue.h>

#include "device.h"
#include "fault_table.h"
#include "group.h"
#include "identity.h"
#include "platform.h"
#include "refusal.h"

/*
 * A driver that is found coming or going has no event at its very end: a bind
 * that fails is announced before the kernel lets go of the group. Look again.
 */
#define AGAIN_DELAY	msecs_to_jiffies(200)
#define AGAIN_TIMES	10
/* Longest wait of the bus for a switch. */
#define ADDED_TIMEOUT	(10 * HZ)

static struct workqueue_struct *switch_wq;
static atomic_t again;

/* Puts a decision where status finds it; says it in the log when it is news. */
static void publish(struct pci_dev *pdev, const struct pp_refusal *why)
{
	struct pp_device *dev;
	bool news = false;

	mutex_lock(&pp_devices_lock);
	dev = pp_device_find(pdev);
	if (dev) {
		news = why->reason && !why->passing &&
		       (dev->reason != why->reason || dev->passing);
		dev->decided = true;
		dev->reason = why->reason;
		dev->passing = why->passing;
		strscpy(dev->detail, why->detail, sizeof(dev->detail));
	}
	mutex_unlock(&pp_devices_lock);
	if (news)
		pci_notice(pdev, "peerpass: not switched to identity: %s%s%s\n",
			   pp_reason_text(why->reason),
			   why->detail[0] ? ": " : "", why->detail);
}

/*
 * Makes a group ours, or no longer. Ours is marked before the kernel is asked, so
 * that a driver which binds meanwhile is not missed.
 */
static void mark(struct pp_group_view *view, bool ours,
		 enum peerpass_domain_type original)
{
	unsigned int i;

	mutex_lock(&pp_devices_lock);
	for (i = 0; i < view->nr; i++) {
		struct pp_device *dev = pp_device_find(view->members[i]);

		if (!dev || dev->switched == ours)
			continue;
		dev->switched = ours;
		dev->stuck = false;
		dev->original = original;
		dev->dte_base =
			pp_fault_count(view->members[i],
				       PEERPASS_FAULT_KIND_ILLEGAL_DEV_TABLE_ENTRY);
		pp_device_repin(dev);
	}
	mutex_unlock(&pp_devices_lock);
}

/* A group that is in identity by our hand and cannot be put back now. */
static void mark_stuck(struct pp_group_view *view, bool stuck)
{
	unsigned int i;

	mutex_lock(&pp_devices_lock);
	for (i = 0; i < view->nr; i++) {
		struct pp_device *dev = pp_device_find(view->members[i]);

		if (!dev || !dev->switched)
			continue;
		dev->stuck = stuck;
		pp_device_repin(dev);
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

/*
 * During a reset (7.x) a member is in the blocking domain for a while.
 */
static bool any_blocked(const struct pp_group_view *view)
{
	unsigned int i;

	for (i = 0; i < view->nr; i++)
		if (view->types[i] == PEERPASS_DOMAIN_TYPE_BLOCKED)
			return true;
	return false;
}

/* Is the switch certain to have had no effect? */
static bool not_effective(struct pp_group *group)
{
	struct pp_group_view *view = pp_group_view_get(group);
	bool without;

	if (!view)
		return false;
	without = !any_blocked(view) &&
		  !pp_group_view_all(view, PEERPASS_DOMAIN_TYPE_IDENTITY);
	pp_group_view_put(view);
	return without;
}

/* Return: 0 when the default domain is not identity by our hand (any more). */
static int write_back(struct pci_dev *pdev, struct pp_group *group,
		      struct pp_group_view *view,
		      enum peerpass_domain_type original)
{
	enum peerpass_domain_type now;
	int ret = pp_group_read_type(group, &now);

	/* Changed by somebody else since: theirs now. */
	if (!ret && now == PEERPASS_DOMAIN_TYPE_IDENTITY) {
		ret = pp_group_write_type(group, pp_domain_type_word(original));
		if (!ret)
			pci_info(pdev, "peerpass: default domain identity -> %s\n",
				 pp_domain_type_word(original));
	}
	if (ret)
		mark_stuck(view, true);
	else
		mark(view, false, PEERPASS_DOMAIN_TYPE_NONE);
	return ret;
}

/* 6.1 falls back to another type than identity and reports success. */
static void undo_fallback(struct pci_dev *pdev, struct pp_group *group,
			  struct pp_group_view *view,
			  enum peerpass_domain_type original,
			  struct pp_refusal *why)
{
	enum peerpass_domain_type now;

	snprintf(why->detail, sizeof(why->detail), "domain is %s",
		 pp_domain_type_word(pp_group_member_type(group, pdev)) ?:
		 "of another type");
	pp_refuse(why, PEERPASS_REASON_NOT_EFFECTIVE);
	if (!pp_group_read_type(group, &now) && now != original &&
	    pp_group_write_type(group, pp_domain_type_word(original)))
		mark_stuck(view, true);
	else
		mark(view, false, PEERPASS_DOMAIN_TYPE_NONE);
}

static void switch_group(struct pci_dev *pdev, struct pp_group *group,
			 struct pp_group_view *view, struct pp_refusal *why)
{
	enum peerpass_domain_type original;
	int ret = pp_group_read_type(group, &original);

	if (!ret) {
		mark(view, true, original);
		ret = pp_group_write_type(group, "identity");
		if (!ret && !not_effective(group)) {
			pci_info(pdev, "peerpass: default domain %s -> identity\n",
				 pp_domain_type_word(original));
			return;
		}
	}
	if (!ret) {
		undo_fallback(pdev, group, view, original, why);
		return;
	}
	mark(view, false, PEERPASS_DOMAIN_TYPE_NONE);
	snprintf(why->detail, sizeof(why->detail), "error %d", ret);
	/* A driver binding this moment, or a reset in progress (7.x). */
	why->passing = ret == -EBUSY || ret == -EPERM;
	/* Up to 6.3 only groups of one device can be switched. */
	pp_refuse(why, ret == -EINVAL && view->nr > 1 ?
		       PEERPASS_REASON_KERNEL_LIMIT :
		       PEERPASS_REASON_KERNEL_REFUSED);
}

static void decide(struct pci_dev *pdev, struct pp_group *group,
		   struct pp_group_view *view, struct pp_refusal *why)
{
	enum peerpass_domain_type original = PEERPASS_DOMAIN_TYPE_NONE;
	bool identity = pp_group_view_all(view, PEERPASS_DOMAIN_TYPE_IDENTITY);
	bool ours = is_ours(view, &original);

	/* By the host's own default (iommu=pt): nothing for us to do or undo. */
	if (identity && !ours && pp_platform_snp() != PEERPASS_TRISTATE_ON) {
		bool mismatch;

		pp_identity_rule(pdev, &mismatch);
		if (mismatch)
			pp_refuse(why, PEERPASS_REASON_ID_MISMATCH);
		return;
	}
	if (any_blocked(view)) {
		strscpy(why->detail, "a device is being reset",
			sizeof(why->detail));
		why->passing = true;
		pp_refuse(why, PEERPASS_REASON_KERNEL_REFUSED);
		return;
	}
	if (!pp_group_may(pdev, view, why)) {
		/* A companion came since. */
		if (ours && !why->passing &&
		    why->reason == PEERPASS_REASON_GROUP_COMPANION)
			write_back(pdev, group, view, original);
		return;
	}
	if (ours) {
		mark(view, true, original);	/* @pdev rejoined */
		mark_stuck(view, false);
		return;
	}
	if (pp_group_unbound(view, why))
		switch_group(pdev, group, view, why);
}

static bool restore(struct pci_dev *pdev, struct pp_group *group,
		    enum peerpass_domain_type original)
{
	struct pp_group_view *view;
	int ret;

	if (!group)
		return true;
	view = pp_group_view_get(group);
	/* No memory at this moment: it is still ours to put back. */
	if (!view)
		return false;
	ret = write_back(pdev, group, view, original);
	pp_group_view_put(view);
	return !ret;
}

/* A device that no rule switches is in a group of ours: try again to leave it. */
static void leave(struct pci_dev *pdev, struct pp_group *group)
{
	enum peerpass_domain_type original = PEERPASS_DOMAIN_TYPE_NONE;
	struct pp_device *dev;
	bool ours;

	mutex_lock(&pp_devices_lock);
	dev = pp_device_find(pdev);
	ours = dev && dev->switched;
	if (ours)
		original = dev->original;
	mutex_unlock(&pp_devices_lock);
	if (ours)
		restore(pdev, group, original);
}

/* Context: on switch_wq. @group may be NULL. */
static void apply(struct pci_dev *pdev, struct pp_group *group)
{
	struct pp_refusal why = {};
	struct pp_group_view *view;
	bool mismatch;

	if (!pp_identity_rule(pdev, &mismatch)) {
		leave(pdev, group);
		return;
	}
	view = group ? pp_group_view_get(group) : NULL;
	if (view) {
		decide(pdev, group, view, &why);
		pp_group_view_put(view);
	} else if (group) {
		strscpy(why.detail, "out of memory", sizeof(why.detail));
		why.passing = true;
		pp_refuse(&why, PEERPASS_REASON_KERNEL_REFUSED);
	} else {
		pp_refuse(&why, PEERPASS_REASON_NO_GROUP);
	}
	publish(pdev, &why);
}

/* Is there something to decide about this device (again)? */
static bool undecided(const struct pp_device *dev)
{
	if (dev->wanted != PEERPASS_MODE_IDENTITY)
		return dev->switched;
	return !dev->switched || dev->stuck || dev->reason;
}

static bool switched(const struct pp_device *dev)
{
	return dev->switched;
}

static bool passing(const struct pp_device *dev)
{
	return dev->passing || dev->driver_unknown;
}

/* The next such device from @from on, with references; NULL at the end. */
static struct pci_dev *next_device(unsigned long *from,
				   bool (*such)(const struct pp_device *dev),
				   struct pp_group **group,
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
		*group = pp_group_get(dev->group);
		*original = dev->original;
		*from = key + 1;
		break;
	}
	mutex_unlock(&pp_devices_lock);
	return pdev;
}

static bool any_passing(void)
{
	struct pp_device *dev;
	unsigned long key;
	bool any = false;

	mutex_lock(&pp_devices_lock);
	xa_for_each(&pp_devices, key, dev)
		any |= passing(dev);
	mutex_unlock(&pp_devices_lock);
	return any;
}

static void apply_all_work(struct work_struct *work)
{
	enum peerpass_domain_type original;
	struct pp_group *group;
	struct pci_dev *pdev;
	unsigned long from = 0;

	pp_devices_learn_drivers();
	while ((pdev = next_device(&from, undecided, &group, &original))) {
		apply(pdev, group);
		pp_group_put(group);
		pci_dev_put(pdev);
	}
	if (any_passing() && atomic_dec_if_positive(&again) >= 0)
		queue_delayed_work(switch_wq, to_delayed_work(work),
				   AGAIN_DELAY);
}

static DECLARE_DELAYED_WORK(apply_all, apply_all_work);

/* One pass over what is still ours. Return: true when nothing is left. */
static bool restore_pass(bool last)
{
	enum peerpass_domain_type original;
	struct pp_group *group;
	struct pci_dev *pdev;
	unsigned long from = 0;
	bool done = true;

	while ((pdev = next_device(&from, switched, &group, &original))) {
		if (!restore(pdev, group, original)) {
			done = false;
			if (last)
				pci_warn(pdev, "peerpass: default domain stays identity, the kernel refuses to change it\n");
		}
		pp_group_put(group);
		pci_dev_put(pdev);
	}
	return done;
}

/*
 * A bind that failed a moment ago, or a reset (7.x), makes the kernel refuse for
 * as long as it lasts.
 */
static void restore_all_work(struct work_struct *work)
{
	unsigned int tries;

	for (tries = 0; tries < 20; tries++) {
		if (restore_pass(tries == 19))
			return;
		msleep(50);
	}
}

/* Freed by whoever is last: the work, or the notifier that waits for it. */
struct added_work {
	struct work_struct work;
	struct completion done;
	struct kref ref;
	struct pci_dev *pdev;
};

static void added_release(struct kref *ref)
{
	struct added_work *added = container_of(ref, struct added_work, ref);

	pci_dev_put(added->pdev);
	kfree(added);
}

static struct pp_group *group_of_known(struct pci_dev *pdev)
{
	struct pp_group *group = NULL;
	struct pp_device *dev;

	mutex_lock(&pp_devices_lock);
	dev = pp_device_find(pdev);
	if (dev)
		group = pp_group_get(dev->group);
	mutex_unlock(&pp_devices_lock);
	return group;
}

/*
 * A device that may not be switched joined a group that we did switch, and took
 * its type: it must not have it. No driver of the group is bound yet when this
 * happens at hot-plug; when one is, the kernel refuses, and it is tried again
 * when that driver leaves.
 */
static void eject(struct pci_dev *pdev, struct pp_group *group)
{
	struct pp_refusal why = { .reason = PEERPASS_REASON_GROUP_COMPANION };
	struct pp_group_view *view = pp_group_view_get(group);
	enum peerpass_domain_type original;
	unsigned int i;

	if (!view)
		return;
	if (is_ours(view, &original)) {
		int ret;

		/* The newcomer as well: it may be the last that is left of it. */
		mark(view, true, original);
		ret = write_back(pdev, group, view, original);
		if (ret)
			pci_warn(pdev, "peerpass: joined a group that was switched to identity and cannot be put back, error %d\n",
				 ret);
		snprintf(why.detail, sizeof(why.detail), "%s", pci_name(pdev));
		for (i = 0; i < view->nr; i++)
			if (view->members[i] != pdev)
				publish(view->members[i], &why);
	}
	pp_group_view_put(view);
}

static void added_work_fn(struct work_struct *work)
{
	struct added_work *added = container_of(work, struct added_work, work);
	struct pp_group *group = group_of_known(added->pdev);
	struct pp_refusal why = {};

	if (group && !pp_device_may(added->pdev, &why) && !why.passing)
		eject(added->pdev, group);
	/* With a rule that cannot be followed, this publishes the reason. */
	apply(added->pdev, group);
	pp_group_put(group);
	if (any_passing())
		pp_identity_reconsider();
	complete(&added->done);
	kref_put(&added->ref, added_release);
}

/**
 * pp_identity_device_added - a device came; switch it before a driver can bind
 * @pdev: the device
 *
 * Context: BUS_NOTIFY_ADD_DEVICE, after the IOMMU core's own notifier, without
 * device_lock() of this device; another's may be held (SR-IOV). Returns when the
 * switch is done: the bus binds drivers only after the notifier. Does not wait for
 * ever, because up to 6.3 the kernel's own code on the queue may wait for a lock
 * that our caller holds; the device is then switched if no driver is quicker.
 */
void pp_identity_device_added(struct pci_dev *pdev)
{
	struct added_work *added = kzalloc(sizeof(*added), GFP_KERNEL);

	if (!added) {
		pci_warn(pdev, "peerpass: looked at later, drivers may bind before\n");
		pp_identity_reconsider();
		return;
	}
	INIT_WORK(&added->work, added_work_fn);
	init_completion(&added->done);
	kref_init(&added->ref);
	kref_get(&added->ref);
	added->pdev = pci_dev_get(pdev);
	queue_work(switch_wq, &added->work);
	if (!wait_for_completion_timeout(&added->done, ADDED_TIMEOUT))
		pci_warn(pdev, "peerpass: not looked at yet, drivers may bind before\n");
	kref_put(&added->ref, added_release);
}

/**
 * pp_identity_reconsider - a driver or a device left; what it was in the way of
 * may go on
 *
 * Context: under device_lock(), so the work is not waited for. A driver that
 * binds before it runs is the kernel's to refuse.
 */
void pp_identity_reconsider(void)
{
	atomic_set(&again, AGAIN_TIMES);
	mod_delayed_work(switch_wq, &apply_all, 0);
}

/* pp_identity_apply_all - switch the devices that are there; waits */
void pp_identity_apply_all(void)
{
	pp_identity_reconsider();
	flush_delayed_work(&apply_all);
}

/**
 * pp_identity_restore_all - put every type back; waits
 *
 * Context: the notifier is unregistered. A switched device with a bound driver
 * holds a module reference; one whose driver bound after the module began to go
 * cannot, and is reported.
 */
void pp_identity_restore_all(void)
{
	struct work_struct work;

	/* A late arrival may still ask for another look. */
	flush_workqueue(switch_wq);
	cancel_delayed_work_sync(&apply_all);
	INIT_WORK_ONSTACK(&work, restore_all_work);
	queue_work(switch_wq, &work);
	flush_work(&work);
	destroy_work_on_stack(&work);
}

int pp_identity_init(void)
{
	/* The notifier may run on a queue that serves memory reclaim. */
	switch_wq = alloc_ordered_workqueue("peerpass", WQ_MEM_RECLAIM);
	return switch_wq ? 0 : -ENOMEM;
}

/* pp_identity_exit - after pp_devices_stop() and pp_identity_restore_all() */
void pp_identity_exit(void)
{
	destroy_workqueue(switch_wq);
}
