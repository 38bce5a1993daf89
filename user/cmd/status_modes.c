// SPDX-License-Identifier: GPL-2.0-only
/* Which mode each device is in, why, and from what evidence. */
#include <stdio.h>

#include "lib/counting_text.h"
#include "lib/decision_text.h"
#include "lib/names.h"
#include "lib/output.h"
#include "status.h"
#include "uapi/linux/peerpass.h"

/* Asked for with the evidence, each device that a rule or a request concerns. */
static bool worth_a_line(const struct status_view *view, size_t i)
{
	const struct pp_device *dev = &view->inv->devices.v[i];

	return view->shown[i] && dev->present &&
	       (pp_decision_notable(dev) || (view->evidence && dev->known.given));
}

/**
 * status_print_modes - a line for each mode that needs a word; nothing without
 *
 * A mode that auto chose, that was forced or set by request is always told: nobody
 * can read these out of the policy.
 */
void status_print_modes(const struct status_view *view)
{
	char name[2 * PP_BDF_LEN], text[1024];
	bool first = true;

	for (size_t i = 0; i < view->inv->devices.n; i++) {
		const struct pp_device *dev = &view->inv->devices.v[i];

		if (!worth_a_line(view, i))
			continue;
		if (first)
			puts("\nModes:");
		first = false;
		pp_decision_text(dev, text, sizeof(text));
		printf("  %s: %s\n", pp_device_label(dev, name), text);
		if (!view->evidence || !dev->known.given)
			continue;
		pp_evidence_text(&dev->known, text, sizeof(text));
		printf("      evidence: %s\n", text);
	}
}

static json_t *number(uint32_t value)
{
	return value == PP_UNKNOWN ? json_null() : json_integer(value);
}

static json_t *name(const char *(*words)(uint32_t), uint32_t value)
{
	return value == PP_UNKNOWN ? json_null() : json_string(words(value));
}

/* NONE is told as null, like an absent reason. */
static json_t *reason(uint32_t value)
{
	return name(pp_name_reason, value == PEERPASS_REASON_NONE ? PP_UNKNOWN : value);
}

static json_t *evidence(const struct pp_known *known)
{
	if (!known->given)
		return json_null();
	return json_pack("{s:b, s:b, s:o, s:b, s:b, s:o, s:o, s:o, s:o, s:b, s:b, s:b, s:o}",
			 "untrusted", known->untrusted, "pasid", known->pasid,
			 "firmware", pp_json_string_or_null(known->firmware),
			 "driver_bound", known->driver_bound,
			 "driver_override", known->driver_override,
			 "dma_bits", number(known->dma_bits), "members", number(known->members),
			 "companions", name(pp_name_companions, known->companions),
			 "snp", name(pp_name_tristate, known->snp), "snp_mode0", known->snp_mode0,
			 "memory_encryption", known->memory_encryption,
			 "single_device_groups", known->single_device_groups,
			 "kernel_said", reason(known->kernel_said));
}

/** status_add_mode_json - add the mode in force and its evidence to a device */
void status_add_mode_json(json_t *obj, const struct pp_device *dev)
{
	json_t *flags = json_array();
	char text[512];

	for (uint32_t bit = 1; bit; bit <<= 1) {
		if (dev->flags & bit)
			json_array_append_new(flags, json_string(pp_name_rule_flag(bit)));
	}
	pp_why_text(dev, text, sizeof(text));
	json_object_set_new(obj, "mode", name(pp_name_mode, dev->mode));
	json_object_set_new(obj, "why", reason(dev->why));
	json_object_set_new(obj, "because", pp_json_string_or_null(text));
	json_object_set_new(obj, "forced", json_boolean(dev->forced));
	json_object_set_new(obj, "flags", flags);
	json_object_set_new(obj, "set_by_request", json_boolean(dev->set_by_request));
	json_object_set_new(obj, "evidence", evidence(&dev->known));
}
