// SPDX-License-Identifier: GPL-2.0-only
/*
 * Test only: a driver whose remove() does not return while the module parameter
 * "hold" is set, in uninterruptible sleep and with the device's lock held, as
 * drivers of GPUs do while something uses them. It binds only when it is told to
 * (new_id or driver_override), to whatever device that names.
 */
#include <linux/module.h>
#include <linux/moduleparam.h>
#include <linux/pci.h>
#include <linux/wait.h>

static DECLARE_WAIT_QUEUE_HEAD(pp_stuck_wait);
static bool hold;

static int hold_set(const char *val, const struct kernel_param *kp)
{
	int ret = param_set_bool(val, kp);

	wake_up_all(&pp_stuck_wait);
	return ret;
}

static const struct kernel_param_ops hold_ops = {
	.flags = KERNEL_PARAM_OPS_FL_NOARG,
	.set = hold_set,
	.get = param_get_bool,
};
module_param_cb(hold, &hold_ops, &hold, 0644);
MODULE_PARM_DESC(hold, "remove() waits until this is off");

static int pp_stuck_probe(struct pci_dev *pdev, const struct pci_device_id *id)
{
	return pci_enable_device_mem(pdev);
}

static void pp_stuck_remove(struct pci_dev *pdev)
{
	if (READ_ONCE(hold))
		pci_info(pdev, "pp_test_stuck: remove() waits\n");
	wait_event(pp_stuck_wait, !READ_ONCE(hold));
	pci_disable_device(pdev);
}

static struct pci_driver pp_stuck_driver = {
	.name = KBUILD_MODNAME,
	/* No table: new_id and driver_override only. */
	.probe = pp_stuck_probe,
	.remove = pp_stuck_remove,
};
module_pci_driver(pp_stuck_driver);

MODULE_DESCRIPTION("Test only: a driver whose remove() does not return");
MODULE_LICENSE("GPL");
