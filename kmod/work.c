// SPDX-License-Identifier: GPL-2.0-only
/*
 * The switch queue: one ordered workqueue on which everything happens that may
 * change a domain's type. That serialises the writers without holding a lock
 * across the kernel's own locks (see peerpass.h), and gives the write a task that
 * has the capabilities which the kernel asks for. The bus notifier waits for this
 * queue, so nothing on it may wait for a device's lock (see evidence.c).
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/completion.h>
#include <linux/delay.h>
#include <linux/kref.h>
#include <linux/slab.h>
#include <linux/workqueue.h>

#include "apply.h"
#include "device.h"
#include "group.h"
#include "request.h"
#include "work.h"

/*
 * A driver that is found coming or going has no event at its very end: a bind
 * that fails is announced before the kernel lets go of the group. Look again.
 */
#define AGAIN_DELAY	msecs_to_jiffies(200)
#define AGAIN_TIMES	10
/* Longest wait of the bus for a switch. */
#define ADDED_TIMEOUT	(10 * HZ)
/* Of a request, in all; and how often it is tried while something is under way. */
#define REQUEST_TIMEOUT	(10 * HZ)
#define REQUEST_TRIES	10

static struct workqueue_struct *switch_wq;
static atomic_t again;

/* Why auto chose windows may be gone once there is no driver. */
static bool may_choose_again(const struct pp_device *dev)
{
	if (dev->order.mode != PEERPASS_MODE_AUTO || dev->driver[0])
		return false;
	switch (dev->why) {
	case PEERPASS_REASON_DRIVER_BOUND:
	case PEERPASS_REASON_DRIVER_OVERRIDE:
	case PEERPASS_REASON_GROUP_COMPANION:
	case PEERPASS_REASON_KERNEL_REFUSED:
	case PEERPASS_REASON_SET_INCOMPLETE:
		return true;
	default:
		return false;
	}
}

/* Is there something to decide about this device (again)? */
static bool undecided(const struct pp_device *dev)
{
	if (!pp_order_acts(&dev->order))
		return dev->switched;
	if (!dev->decided || dev->passing || dev->stuck || dev->reason ||
	    may_choose_again(dev))
		return true;
	/* By the host's own default until now, or it left its group. */
	return dev->mode == PEERPASS_MODE_IDENTITY && !dev->switched;
}

static bool switched(const struct pp_device *dev)
{
	return dev->switched;
}

static bool passing(const struct pp_device *dev)
{
	return dev->passing || dev->driver_unknown ||
	       (dev->stuck && !dev->driver[0]);
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
	bool last = atomic_read(&again) <= 0;
	unsigned long from = 0;

	pp_devices_learn_drivers();
	while ((pdev = next_device(&from, undecided, &group, &original))) {
		pp_apply(pdev, group, last);
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
		if (!pp_apply_restore(pdev, group, original)) {
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

static void added_work_fn(struct work_struct *work)
{
	struct added_work *added = container_of(work, struct added_work, work);
	struct pp_group *group = group_of_known(added->pdev);

	if (group)
		pp_apply_newcomer(added->pdev, group);
	/* With a rule that cannot be followed, this publishes the reason. */
	pp_apply(added->pdev, group, false);
	pp_group_put(group);
	if (any_passing())
		pp_work_reconsider();
	complete(&added->done);
	kref_put(&added->ref, added_release);
}

/**
 * pp_work_device_added - a device came; switch it before a driver can bind
 * @pdev: the device
 *
 * Context: BUS_NOTIFY_ADD_DEVICE, after the IOMMU core's own notifier, without
 * device_lock() of this device; another's may be held (SR-IOV). Returns when the
 * switch is done: the bus binds drivers only after the notifier. Does not wait for
 * ever, because up to 6.3 the kernel's own code on the queue may wait for a lock
 * that our caller holds; the device is then switched if no driver is quicker.
 */
void pp_work_device_added(struct pci_dev *pdev)
{
	struct added_work *added = kzalloc(sizeof(*added), GFP_KERNEL);

	if (!added) {
		pci_warn(pdev, "peerpass: looked at later, drivers may bind before\n");
		pp_work_reconsider();
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
 * pp_work_reconsider - a driver or a device left; what it was in the way of
 * may go on
 *
 * Context: under device_lock(), so the work is not waited for. A driver that
 * binds before it runs is the kernel's to refuse.
 */
void pp_work_reconsider(void)
{
	atomic_set(&again, AGAIN_TIMES);
	mod_delayed_work(switch_wq, &apply_all, 0);
}

/* pp_work_apply_all - switch the devices that are there; waits */
void pp_work_apply_all(void)
{
	pp_work_reconsider();
	flush_delayed_work(&apply_all);
}

/* Freed by whoever is last: the work, or who waits for it. */
struct request_work {
	struct work_struct work;
	struct completion done;
	struct kref ref;
	struct pci_dev *pdev;
	struct pp_order order;
	struct pp_result result;
	int ret;
};

static void request_release(struct kref *ref)
{
	struct request_work *request =
		container_of(ref, struct request_work, ref);

	pci_dev_put(request->pdev);
	kfree(request);
}

static void request_work_fn(struct work_struct *work)
{
	struct request_work *request =
		container_of(work, struct request_work, work);
	unsigned int tries = REQUEST_TRIES;
	struct pp_group *group;

	pp_devices_learn_drivers();
	do {
		group = group_of_known(request->pdev);
		request->ret = pp_request_do(request->pdev, group,
						&request->order,
						&request->result);
		pp_group_put(group);
		if (request->ret || !request->result.passing)
			break;
		msleep(100);
	} while (--tries);
	/* What others were refused for may be gone. */
	if (!request->ret && !request->result.reason)
		pp_work_reconsider();
	complete(&request->done);
	kref_put(&request->ref, request_release);
}

/**
 * pp_work_request - give a device another order, and wait
 * @pdev: the device
 * @order: what is asked
 * @result: what became of it, filled in with 0
 *
 * Context: a process, no lock held that a bus notifier or a driver's probe may
 * want.
 *
 * Return: 0, -ENODEV when the device is not known (any more), -ENOMEM, or
 * -ETIMEDOUT when it is not done yet, and still may be.
 */
int pp_work_request(struct pci_dev *pdev, const struct pp_order *order,
		    struct pp_result *result)
{
	struct request_work *request = kzalloc(sizeof(*request), GFP_KERNEL);
	int ret = -ETIMEDOUT;

	if (!request)
		return -ENOMEM;
	INIT_WORK(&request->work, request_work_fn);
	init_completion(&request->done);
	kref_init(&request->ref);
	kref_get(&request->ref);
	request->pdev = pci_dev_get(pdev);
	request->order = *order;
	queue_work(switch_wq, &request->work);
	if (wait_for_completion_timeout(&request->done, REQUEST_TIMEOUT)) {
		ret = request->ret;
		*result = request->result;
	}
	kref_put(&request->ref, request_release);
	return ret;
}

/**
 * pp_work_restore_all - put every type back; waits
 *
 * Context: the notifier is unregistered. A switched device with a bound driver
 * holds a module reference; one whose driver bound after the module began to go
 * cannot, and is reported.
 */
void pp_work_restore_all(void)
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

int pp_work_init(void)
{
	/* The notifier may run on a queue that serves memory reclaim. */
	switch_wq = alloc_ordered_workqueue("peerpass", WQ_MEM_RECLAIM);
	return switch_wq ? 0 : -ENOMEM;
}

/* pp_work_exit - after pp_devices_stop() and pp_work_restore_all() */
void pp_work_exit(void)
{
	destroy_workqueue(switch_wq);
}
