// SPDX-License-Identifier: GPL-2.0-only
/* faults for programs: schema peerpass/faults/1. */
#include "faults.h"
#include "lib/fault_json.h"
#include "lib/names.h"
#include "lib/output.h"

static json_t *initiators(const struct faults_view *view)
{
	json_t *array = json_array();
	char bdf[PP_BDF_LEN], label[PP_BDF_LEN];

	for (size_t i = 0; i < view->inv->devices.n; i++) {
		const struct pp_device *dev = &view->inv->devices.v[i];

		if (!view->shown[i])
			continue;
		json_array_append_new(array, json_pack(
			"{s:s, s:o, s:b, s:o}", "bdf", pp_bdf_text(dev->bdf, bdf),
			"index", dev->gpu >= 0 ?
				 json_string(pp_inventory_label(view->inv, dev->bdf, label)) :
				 json_null(),
			"present", dev->present,
			"faults", pp_json_device_faults(&view->inv->info, dev)));
	}
	return array;
}

static json_t *pairs(const struct faults_view *view)
{
	json_t *array = json_array();
	char bdf[PP_BDF_LEN];

	for (size_t i = 0; i < view->inv->pairs.n; i++) {
		const struct pp_pair *pair = &view->inv->pairs.v[i];

		if (!faults_pair_shown(view, pair))
			continue;
		json_array_append_new(array, json_pack(
			"{s:s, s:o, s:o, s:o, s:o}",
			"initiator", pp_bdf_text(pair->initiator, bdf),
			"target", pp_json_target(pair), "read", pp_json_u64(pair->read),
			"write", pp_json_u64(pair->write), "other", pp_json_u64(pair->other)));
	}
	return array;
}

static json_t *units(const struct pp_info *info)
{
	json_t *array = json_array();

	for (size_t i = 0; i < info->unit_count; i++) {
		const struct pp_unit *unit = &info->units[i];

		json_array_append_new(array, json_pack(
			"{s:s, s:I, s:o, s:o, s:o, s:b, s:o}", "name", pp_json_text(unit->name),
			"entries", (json_int_t)unit->entries, "total", pp_json_u64(unit->total),
			"overflows", pp_json_u64(unit->overflows),
			"unseen", pp_json_u64(unit->unseen), "exact", !unit->inexact,
			"inexact_reasons", pp_json_inexact(unit->inexact)));
	}
	return array;
}

static json_t *probes(const struct pp_info *info)
{
	json_t *array = json_array();

	for (size_t i = 0; i < info->probe_count; i++) {
		const struct pp_probe *probe = &info->probes[i];

		json_array_append_new(array, json_pack("{s:s, s:o, s:o}",
						       "symbol", pp_json_text(probe->symbol),
						       "hits", pp_json_u64(probe->hits),
						       "missed", pp_json_u64(probe->missed)));
	}
	return array;
}

/** faults_print_json - totals and pairs in one object, with or without --matrix */
int faults_print_json(const struct faults_view *view)
{
	const struct pp_info *info = &view->inv->info;

	return pp_json_print(json_pack("{s:s, s:o, s:b, s:o, s:o, s:o, s:o}",
				       "schema", "peerpass/faults/1",
				       "faults", pp_json_fault_totals(info),
				       "drained", view->sync.drained == 1,
				       "initiators", initiators(view), "pairs", pairs(view),
				       "units", units(info), "probes", probes(info)));
}
