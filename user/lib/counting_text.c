// SPDX-License-Identifier: GPL-2.0-only
/* How faults are counted, and how good the counts are, for people. */
#include <stdio.h>

#include "counting_text.h"
#include "names.h"
#include "output.h"
#include "uapi/linux/peerpass.h"

/** pp_counting_print - total, since when, from where, exact or not and why */
void pp_counting_print(const struct pp_info *info)
{
	char total[PP_TEXT_LEN], since[PP_TEXT_LEN], why[256];

	if (info->source == PEERPASS_FAULT_SOURCE_NONE) {
		puts("Faults are not counted on this system.");
		return;
	}
	printf("Faults: %s in all since %s, from %s.\n",
	       pp_count_text(info->total, info->inexact != 0, total),
	       info->since_realtime_ns ? pp_time_text(info->since_realtime_ns, since) :
					 "the module was loaded",
	       pp_name_fault_source(info->source));
	if (!info->inexact) {
		puts("Counts are exact: equal to what the hardware recorded.");
		return;
	}
	pp_inexact_text(info->inexact, why, sizeof(why));
	printf("Counts are a lower bound (+): %s.\n", why);
	if (info->overflows)
		printf("The hardware's log overflowed %s times.\n",
		       pp_count_text(info->overflows, false, total));
	if (info->unseen)
		printf("%s faults are without an initiator: drained before they were seen.\n",
		       pp_count_text(info->unseen, false, total));
}

/** pp_device_label - "gpuN BDF", or the address of a device without a number */
const char *pp_device_label(const struct pp_device *dev, char buf[2 * PP_BDF_LEN])
{
	char bdf[PP_BDF_LEN];

	pp_bdf_text(dev->bdf, bdf);
	if (dev->gpu >= 0)
		snprintf(buf, 2 * PP_BDF_LEN, "gpu%d %s", dev->gpu, bdf);
	else
		snprintf(buf, 2 * PP_BDF_LEN, "%s", bdf);
	return buf;
}
