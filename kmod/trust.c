// SPDX-License-Identifier: GPL-2.0-only
/*
 * Drivers whose devices may reach, and be reached by, peers. A device that is
 * taken by any other driver (vfio-pci, say) is somebody else's from then on.
 */
#include <linux/moduleparam.h>
#include <linux/string.h>

#include "trust.h"

static char *trusted_drivers =
	"nvidia,nouveau,amdgpu,xe,i915,habanalabs,mlx5_core,mlx4_core,bnxt_en,ice,irdma,nvme";
module_param(trusted_drivers, charp, 0444);
MODULE_PARM_DESC(trusted_drivers,
		 "drivers between whose devices peer windows may be open, comma-separated");

/* pp_driver_trusted - is a driver on the list? "" is not. */
bool pp_driver_trusted(const char *driver)
{
	const char *at = trusted_drivers;
	size_t len = strlen(driver);

	while (len && *at) {
		size_t word = strcspn(at, ",");

		if (word == len && !strncmp(at, driver, len))
			return true;
		at += word;
		at += *at == ',';
	}
	return false;
}
