// SPDX-License-Identifier: GPL-2.0-only
/*
 * peerpass: GPU peer-to-peer DMA on hosts whose IOMMU stays on.
 *
 * Counting starts before the first domain is switched, so that the events which
 * a switch causes are seen.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/module.h>

#include "address_map.h"
#include "device.h"
#include "fault_source.h"
#include "fault_table.h"
#include "netlink.h"
#include "platform.h"
#include "unit.h"
#include "window.h"
#include "work.h"

static bool off;
module_param(off, bool, 0444);
MODULE_PARM_DESC(off, "load, but do nothing (default: false)");

enum peerpass_run_state pp_run_state;

static int __init start_counting(void)
{
	int ret;

	ret = pp_fault_table_init();
	if (ret)
		return ret;
	ret = pp_units_init();
	if (ret)
		goto err_table;
	ret = pp_address_map_init(pp_units_kind());
	if (ret)
		goto err_units;
	ret = pp_fault_source_start();
	if (ret)
		goto err_map;
	return 0;

err_map:
	pp_address_map_exit();
err_units:
	pp_units_exit();
err_table:
	pp_fault_table_exit();
	return ret;
}

static void stop_counting(void)
{
	pp_fault_source_stop();
	pp_address_map_exit();
	pp_units_exit();
	pp_fault_table_exit();
}

/*
 * Everything that can fail comes before the first domain is switched, but for a
 * device that is plugged in at this very moment.
 */
static int __init start(void)
{
	int ret;

	ret = start_counting();
	if (ret)
		return ret;
	ret = pp_work_init();
	if (ret)
		goto err_counting;
	ret = pp_devices_init();
	if (ret)
		goto err_devices;
	ret = pp_netlink_init();
	if (ret)
		goto err_stop;
	pp_work_apply_all();
	return 0;

err_stop:
	pp_windows_stop();
	pp_devices_stop();
err_devices:
	pp_work_restore_all();
	pp_devices_exit();
	pp_work_exit();
err_counting:
	stop_counting();
	return ret;
}

static void stop(void)
{
	pp_windows_stop();
	pp_devices_stop();
	pp_work_restore_all();
	pp_work_exit();
	pp_devices_exit();
	stop_counting();
}

static int __init peerpass_init(void)
{
	if (off)
		pp_run_state = PEERPASS_RUN_STATE_OFF;
	else if (pp_platform_crash_kernel())
		pp_run_state = PEERPASS_RUN_STATE_KDUMP;
	if (pp_run_state == PEERPASS_RUN_STATE_ACTIVE)
		return start();
	pr_info("loaded to do nothing (%s)\n",
		off ? "off=1" : "crash kernel");
	return pp_netlink_init();
}

static void __exit peerpass_exit(void)
{
	pp_netlink_exit();
	if (pp_run_state == PEERPASS_RUN_STATE_ACTIVE)
		stop();
}

module_init(peerpass_init);
module_exit(peerpass_exit);

MODULE_LICENSE("GPL");
MODULE_AUTHOR("The peerpass authors");
MODULE_DESCRIPTION("GPU peer-to-peer DMA on hosts whose IOMMU stays on");
MODULE_VERSION(PP_VERSION);
