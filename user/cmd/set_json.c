// SPDX-License-Identifier: GPL-2.0-only
/* set and restore for programs: schemas peerpass/set/1 and peerpass/restore/1. */
#include <stdio.h>

#include "lib/names.h"
#include "lib/output.h"
#include "set.h"
#include "uapi/linux/peerpass.h"

static json_t *request(const struct pp_set_request *req)
{
	json_t *flags = json_array();

	for (uint32_t bit = 1; bit; bit <<= 1) {
		if (req->flags & bit)
			json_array_append_new(flags, json_string(pp_name_rule_flag(bit)));
	}
	return json_pack("{s:s, s:o, s:o}", "mode",
			 req->mode == PP_UNKNOWN ? "policy" : pp_name_mode(req->mode),
			 "set", pp_json_string_or_null(req->set), "flags", flags);
}

static json_t *drivers(const struct pp_group *group)
{
	json_t *array = json_array();
	char bdf[PP_BDF_LEN];

	for (size_t i = 0; i < group->n; i++) {
		const struct pp_member *member = &group->members[i];

		if (member->driver[0] && !member->bridge)
			json_array_append_new(array, json_pack(
				"{s:s, s:s}", "bdf", pp_bdf_text(member->bdf, bdf),
				"driver", pp_json_text(member->driver)));
	}
	return array;
}

static json_t *holders(const struct pp_holder_list *list)
{
	json_t *array = json_array();
	char bdf[PP_BDF_LEN];

	for (size_t i = 0; i < list->n; i++) {
		const struct pp_holder *h = &list->v[i];

		json_array_append_new(array, json_pack(
			"{s:s, s:o, s:o, s:o, s:s}", "bdf", pp_bdf_text(h->bdf, bdf),
			"pid", h->pid ? json_integer(h->pid) : json_null(),
			"command", pp_json_string_or_null(h->command),
			"container", pp_json_string_or_null(h->container),
			"what", pp_json_text(h->what)));
	}
	return array;
}

static json_t *put_back(enum set_put_back how)
{
	return how == SET_NOT_NEEDED ? json_null() : json_boolean(how == SET_PUT_BACK);
}

static json_t *item(const struct set_item *it)
{
	char bdf[PP_BDF_LEN], index[PP_BDF_LEN];
	bool why = it->why != PP_UNKNOWN && it->why != PEERPASS_REASON_NONE;
	json_t *obj;

	snprintf(index, sizeof(index), "gpu%d", it->dev->gpu);
	obj = json_pack("{s:s, s:o, s:o, s:s, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o}",
			"bdf", pp_bdf_text(it->dev->bdf, bdf),
			"index", it->dev->gpu >= 0 ? json_string(index) : json_null(),
			"requested", request(&it->wanted),
			"outcome", set_outcome_name(it->outcome),
			"mode", it->mode == PP_UNKNOWN ? json_null() :
							 json_string(pp_name_mode(it->mode)),
			"why", why ? json_string(pp_name_reason(it->why)) : json_null(),
			"reason", pp_json_string_or_null(it->reason),
			"text", pp_json_string_or_null(it->text),
			"advice", pp_json_string_or_null(it->advice),
			"put_back", put_back(it->put_back), "drivers", drivers(&it->group),
			"holders", holders(&it->holders));
	return obj;
}

/** set_print_json - print the result as one object; -1 when it could not be written */
int set_print_json(const struct set_run *run, int exit_code)
{
	json_t *devices = json_array();

	for (size_t i = 0; i < run->n; i++)
		json_array_append_new(devices, item(&run->items[i]));
	return pp_json_print(json_pack("{s:s, s:i, s:o}", "schema", run->schema,
				       "exit_code", exit_code, "devices", devices));
}
