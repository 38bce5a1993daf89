// SPDX-License-Identifier: GPL-2.0-only
/* status for programs: schema peerpass/status/1. */
#include <stdio.h>

#include "lib/fault_json.h"
#include "lib/names.h"
#include "lib/output.h"
#include "lib/pci.h"
#include "lib/reasons.h"
#include "status.h"
#include "uapi/linux/peerpass.h"

static json_t *hex(bool known, uint32_t value, int digits)
{
	char text[16];

	if (!known)
		return json_null();
	snprintf(text, sizeof(text), "%0*x", digits, value);
	return json_string(text);
}

static json_t *number_or_null(bool known, uint32_t value)
{
	return known ? json_integer(value) : json_null();
}

static json_t *name_or_null(const char *(*name)(uint32_t), uint32_t value)
{
	return value == PP_UNKNOWN ? json_null() : json_string(name(value));
}

static json_t *device(const struct pp_inventory *inv, const struct pp_device *dev)
{
	char bdf[PP_BDF_LEN], index[PP_BDF_LEN], text[384];
	bool given = pp_reason_given(dev);
	json_t *obj;

	snprintf(index, sizeof(index), "gpu%d", dev->gpu);
	obj = json_pack("{s:o, s:s, s:b, s:o, s:o, s:o, s:o, s:o, s:o, s:o}",
			"index", dev->gpu >= 0 ? json_string(index) : json_null(),
			"bdf", pp_bdf_text(dev->bdf, bdf), "present", dev->present,
			"vendor", hex(dev->has_id, dev->vendor, 4),
			"device", hex(dev->has_id, dev->device, 4),
			"class", hex(dev->has_id, dev->class, 6),
			"name", pp_json_string_or_null(dev->name),
			"numa_node", number_or_null(dev->numa_node >= 0, (uint32_t)dev->numa_node),
			"driver", pp_json_string_or_null(dev->driver),
			"group", number_or_null(dev->group != PP_UNKNOWN, dev->group));
	if (!obj)
		return NULL;
	json_object_set_new(obj, "selected", json_boolean(dev->selected));
	json_object_set_new(obj, "rule", number_or_null(dev->rule != 0, dev->rule));
	json_object_set_new(obj, "wanted", name_or_null(pp_name_mode, dev->wanted));
	json_object_set_new(obj, "actual", name_or_null(pp_name_domain_type, dev->actual));
	json_object_set_new(obj, "reason",
			    given ? json_string(pp_name_reason(dev->reason)) : json_null());
	json_object_set_new(obj, "detail", pp_json_string_or_null(dev->detail));
	pp_reason_advice(dev, text, sizeof(text));
	json_object_set_new(obj, "advice", pp_json_string_or_null(given ? text : NULL));
	json_object_set_new(obj, "switched", json_boolean(dev->switched));
	json_object_set_new(obj, "original", name_or_null(pp_name_domain_type, dev->original));
	json_object_set_new(obj, "set", pp_json_string_or_null(dev->set));
	status_add_mode_json(obj, dev);
	json_object_set_new(obj, "faults", pp_json_device_faults(&inv->info, dev));
	return obj;
}

/**
 * status_print_json - print the status as one object
 *
 * Only called with the module there; without it -j gives an error object.
 *
 * Return: 0, or -1 when it could not be written.
 */
int status_print_json(const struct status_view *view)
{
	const struct pp_info *info = &view->inv->info;
	const struct pp_summary *sum = &view->summary;
	json_t *devices = json_array();

	for (size_t i = 0; i < view->inv->devices.n; i++) {
		if (view->shown[i])
			json_array_append_new(devices, device(view->inv, &view->inv->devices.v[i]));
	}
	return pp_json_print(json_pack(
		"{s:s, s:{s:s, s:s, s:o}, s:{s:b, s:s, s:s, s:s}, s:{s:o, s:s}, s:o, s:o, s:o, s:o}",
		"schema", "peerpass/status/1",
		"p2p", "works", pp_works_name(sum->works), "why", pp_json_text(sum->why),
		"next", pp_json_string_or_null(sum->next),
		"module", "loaded", 1, "version", pp_json_text(info->version),
		"state", pp_name_run_state(info->state), "policy", pp_json_text(info->policy),
		"iommu", "kind", name_or_null(pp_name_iommu_kind, info->iommu_kind),
		"snp", pp_name_tristate(info->snp),
		"devices", devices, "sets", status_sets_json(view),
		"windows", status_windows_json(view->inv), "faults", pp_json_fault_totals(info)));
}
