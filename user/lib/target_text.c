// SPDX-License-Identifier: GPL-2.0-only
/* What a fault hit, in a few words. */
#include <stdio.h>

#include "names.h"
#include "target_text.h"
#include "uapi/linux/peerpass.h"

/** pp_target_text - "gpu1 BAR1", "0000:00:10.0 BAR2" or "host_ram"; returns @buf */
const char *pp_target_text(const struct pp_inventory *inv, const struct pp_pair *pair,
			   char buf[PP_TARGET_LEN])
{
	char device[PP_BDF_LEN];

	if (pair->class == PEERPASS_TARGET_CLASS_BAR)
		snprintf(buf, PP_TARGET_LEN, "%s BAR%u",
			 pp_inventory_label(inv, pair->target, device), pair->bar);
	else
		snprintf(buf, PP_TARGET_LEN, "%s", pp_name_target_class(pair->class));
	return buf;
}
