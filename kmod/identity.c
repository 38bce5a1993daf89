// SPDX-License-Identifier: GPL-2.0-only
/*
 * Making a group's default domain identity, and putting it back. The registry
 * knows of every member whether that was our doing.
 *
 * Context of everything here: on the switch queue (see work.c), which is the only
 * writer, with the capabilities that the kernel asks for; no lock held.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include "device.h"
#include "fault_table.h"
#include "group.h"
#include "identity.h"

/* Whatever comes of it: who compares generations is to look again. */
static int write_type(struct pp_group *group, enum peerpass_domain_type type)
{
	int ret;

	pp_windows_change();
	ret = pp_group_write_type(group, pp_domain_type_word(type));
	pp_windows_change();
	return ret;
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

/**
 * pp_identity_ours - did we switch a group?
 * @view: its members
 * @original: the type before, filled in when we did
 */
bool pp_identity_ours(struct pp_group_view *view,
		      enum peerpass_domain_type *original)
{
	bool ours = false;
	unsigned int i;

	for (i = 0; i < view->nr; i++)
		ours |= pp_device_switched(view->members[i], original);
	return ours;
}

/* pp_identity_forget - somebody else gave a group of ours another type */
void pp_identity_forget(struct pp_group_view *view)
{
	mark(view, false, PEERPASS_DOMAIN_TYPE_NONE);
}

/* pp_identity_join - a member of a group that is ours is as it should be */
void pp_identity_join(struct pp_group_view *view,
		      enum peerpass_domain_type original)
{
	mark(view, true, original);
	mark_stuck(view, false);
}

static bool any_blocked(const struct pp_group_view *view)
{
	unsigned int i;

	for (i = 0; i < view->nr; i++)
		if (view->types[i] == PEERPASS_DOMAIN_TYPE_BLOCKED)
			return true;
	return false;
}

/*
 * Is the switch certain to have had no effect? During a reset (7.x) a member is
 * in the blocking domain for a while.
 */
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

/**
 * pp_identity_put_back - give a group that is ours its old type
 * @pdev: a member, for the log
 * @group: the group
 * @view: its members
 * @original: the old type
 *
 * Return: 0 when its default domain is not identity by our hand (any more); the
 * kernel's error, and then the module stays until it can be done.
 */
int pp_identity_put_back(struct pci_dev *pdev, struct pp_group *group,
			 struct pp_group_view *view,
			 enum peerpass_domain_type original)
{
	enum peerpass_domain_type now;
	int ret = pp_group_read_type(group, &now);

	/* Changed by somebody else since: theirs now. */
	if (!ret && now == PEERPASS_DOMAIN_TYPE_IDENTITY) {
		ret = write_type(group, original);
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
			  struct pp_outcome *outcome)
{
	enum peerpass_domain_type now;

	snprintf(outcome->detail, sizeof(outcome->detail), "domain is %s",
		 pp_domain_type_word(pp_group_member_type(group, pdev)) ?:
		 "of another type");
	outcome->reason = PEERPASS_REASON_NOT_EFFECTIVE;
	if (!pp_group_read_type(group, &now) && now != original &&
	    write_type(group, original))
		mark_stuck(view, true);
	else
		mark(view, false, PEERPASS_DOMAIN_TYPE_NONE);
}

/**
 * pp_identity_switch - make a group's default domain identity
 * @pdev: the member that it is done for
 * @group: the group
 * @view: its members
 * @outcome: filled in
 *
 * Nothing is changed when it fails, but for what mark_stuck() remembers.
 */
void pp_identity_switch(struct pci_dev *pdev, struct pp_group *group,
			struct pp_group_view *view, struct pp_outcome *outcome)
{
	enum peerpass_domain_type original;
	int ret = pp_group_read_type(group, &original);

	memset(outcome, 0, sizeof(*outcome));
	if (!ret) {
		mark(view, true, original);
		ret = write_type(group, PEERPASS_DOMAIN_TYPE_IDENTITY);
		if (!ret && !not_effective(group)) {
			pci_info(pdev, "peerpass: default domain %s -> identity\n",
				 pp_domain_type_word(original));
			return;
		}
	}
	if (!ret) {
		undo_fallback(pdev, group, view, original, outcome);
		return;
	}
	mark(view, false, PEERPASS_DOMAIN_TYPE_NONE);
	snprintf(outcome->detail, sizeof(outcome->detail), "error %d", ret);
	/* A driver binding this moment, or a reset in progress (7.x). */
	outcome->passing = ret == -EBUSY || ret == -EPERM;
	outcome->reason = PEERPASS_REASON_KERNEL_REFUSED;
}
