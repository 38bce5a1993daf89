// SPDX-License-Identifier: GPL-2.0-only
/* Fault counts as JSON; the same keys in every verb. */
#include "fault_json.h"
#include "names.h"
#include "output.h"
#include "uapi/linux/peerpass.h"

/** pp_json_kinds - an object of counts by kind of fault */
json_t *pp_json_kinds(const struct pp_count *counts, size_t n)
{
	json_t *kinds = json_object();

	for (size_t i = 0; i < n; i++)
		json_object_set_new(kinds, pp_name_fault_kind(counts[i].kind),
				    pp_json_u64(counts[i].value));
	return kinds;
}

/** pp_json_device_faults - what one initiator caused, and how good the counts are */
json_t *pp_json_device_faults(const struct pp_info *info, const struct pp_device *dev)
{
	uint64_t read = pp_device_faults(dev, PEERPASS_FAULT_KIND_READ);
	uint64_t write = pp_device_faults(dev, PEERPASS_FAULT_KIND_WRITE);
	uint32_t inexact = pp_device_inexact(info, dev);
	/* Counters move while they are read: never below zero. */
	uint64_t other = dev->total > read + write ? dev->total - read - write : 0;

	return json_pack("{s:o, s:o, s:o, s:o, s:o, s:s, s:b, s:o}",
			 "total", pp_json_u64(dev->total), "read", pp_json_u64(read),
			 "write", pp_json_u64(write), "other", pp_json_u64(other),
			 "by_kind", pp_json_kinds(dev->counts, dev->count_len),
			 "source", pp_name_fault_source(info->source), "exact", !inexact,
			 "inexact_reasons", pp_json_inexact(inexact));
}

/** pp_json_fault_totals - all initiators together, and since when */
json_t *pp_json_fault_totals(const struct pp_info *info)
{
	char since[PP_TEXT_LEN];

	return json_pack("{s:o, s:o, s:o, s:s, s:b, s:o, s:o, s:o}",
			 "total", pp_json_u64(info->total),
			 "overflows", pp_json_u64(info->overflows),
			 "unseen", pp_json_u64(info->unseen),
			 "source", pp_name_fault_source(info->source), "exact", !info->inexact,
			 "inexact_reasons", pp_json_inexact(info->inexact),
			 "since", info->since_realtime_ns ?
				  json_string(pp_time_text(info->since_realtime_ns, since)) :
				  json_null(),
			 "since_boottime_ns", info->since_boottime_ns ?
					      pp_json_u64(info->since_boottime_ns) : json_null());
}

/** pp_json_target - what was hit: class, and for a BAR whose and which */
json_t *pp_json_target(const struct pp_pair *pair)
{
	bool bar = pair->class == PEERPASS_TARGET_CLASS_BAR;
	char bdf[PP_BDF_LEN];

	return json_pack("{s:s, s:o, s:o}", "class", pp_name_target_class(pair->class),
			 "bdf", bar ? json_string(pp_bdf_text(pair->target, bdf)) : json_null(),
			 "bar", bar ? json_integer(pair->bar) : json_null());
}
