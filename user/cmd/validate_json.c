// SPDX-License-Identifier: GPL-2.0-only
/* validate for programs: schema peerpass/validate/1. */
#include <inttypes.h>
#include <stdio.h>

#include "lib/fault_json.h"
#include "lib/names.h"
#include "lib/output.h"
#include "validate.h"

/* 64-bit words do not survive JSON's numbers. */
static json_t *word(uint64_t value)
{
	char text[24];

	snprintf(text, sizeof(text), "0x%016" PRIx64, value);
	return json_string(text);
}

static json_t *faults(const struct pp_fault_delta *f)
{
	json_t *targets = json_array();

	for (size_t i = 0; i < f->target_len; i++) {
		const struct pp_pair *row = &f->targets[i];

		json_array_append_new(targets, json_pack(
			"{s:o, s:o, s:o, s:o}", "target", pp_json_target(row),
			"read", pp_json_u64(row->read), "write", pp_json_u64(row->write),
			"other", pp_json_u64(row->other)));
	}
	return json_pack("{s:o, s:o, s:o, s:o, s:o, s:o, s:I, s:b, s:b, s:o}",
			 "total", pp_json_u64(pp_pair_fault_count(f)),
			 "initiator", pp_json_u64(f->initiator), "peer", pp_json_u64(f->target),
			 "unattributed", pp_json_u64(f->unattributed),
			 "by_kind", pp_json_kinds(f->counts, f->count_len), "targets", targets,
			 "more_targets", (json_int_t)f->more_targets, "drained", f->drained,
			 "exact", !f->inexact, "inexact_reasons", pp_json_inexact(f->inexact));
}

static json_t *operation(const struct pp_operation *op, enum pp_phase phase)
{
	const struct pp_diff *d = &op->diff;
	bool bad = op->outcome == PP_OUTCOME_WRONG;
	json_t *obj = json_pack("{s:s, s:s, s:o, s:o, s:o, s:o}", "operation", pp_phase_name(phase),
				"outcome", pp_outcome_name(op->outcome),
				"cause", pp_json_string_or_null(op->why), "nonce", word(op->nonce),
				"words", pp_json_u64(d->words), "bad_words", pp_json_u64(d->bad));

	if (!obj)
		return NULL;
	json_object_set_new(obj, "first_bad_offset", bad ? pp_json_u64(d->first * 8) : json_null());
	json_object_set_new(obj, "expected", bad ? word(d->expected) : json_null());
	json_object_set_new(obj, "found", bad ? word(d->found) : json_null());
	json_object_set_new(obj, "bad_kind", bad ? json_string(pp_diff_guess(d)) : json_null());
	json_object_set_new(obj, "faults", faults(&op->faults));
	return obj;
}

static json_t *pair(const struct validate_run *run, const struct pp_pair_result *p)
{
	char from[PP_BDF_LEN], to[PP_BDF_LEN], why[256];
	json_t *operations = json_array();
	bool weak = validate_weak(run, p, why, sizeof(why));

	for (unsigned int phase = 0; phase < PP_PHASES; phase++)
		json_array_append_new(operations, operation(&p->operations[phase], phase));
	return json_pack("{s:s, s:s, s:s, s:o, s:o, s:b, s:o, s:f, s:b, s:o}",
			 "initiator", pp_bdf_text(p->initiator, from),
			 "target", pp_bdf_text(p->target, to),
			 "verdict", pp_verdict_name(p->verdict), "operations", operations,
			 "faults", faults(&p->faults), "fault_evidence_weak", weak,
			 "weak_reason", pp_json_string_or_null(why),
			 "seconds", (double)p->elapsed_ns / 1e9,
			 "hung_at_end", p->hung_at_end,
			 "left_behind_pid", p->end.reaped ? json_null() :
							    json_integer((json_int_t)p->end.pid));
}

static json_t *devices(const struct validate_run *run)
{
	json_t *array = json_array();

	for (int i = 0; i < run->gpu_count; i++) {
		const struct validate_gpu *gpu = &run->gpus[i];
		const struct pp_device *dev = pp_inventory_find(run->inv, gpu->bdf);
		char bdf[PP_BDF_LEN];

		json_array_append_new(array, json_pack(
			"{s:s, s:o, s:s, s:i, s:o}", "bdf", pp_bdf_text(gpu->bdf, bdf),
			"index", dev && dev->gpu >= 0 ? json_string(gpu->label) : json_null(),
			"name", pp_json_text(gpu->name), "cuda_ordinal", gpu->ordinal,
			"actual", dev && dev->actual != PP_UNKNOWN ?
				  json_string(pp_name_domain_type(dev->actual)) : json_null()));
	}
	return array;
}

static json_t *counts(const struct validate_run *run)
{
	json_t *obj = json_object();

	for (int v = 0; v < PP_VERDICTS; v++) {
		json_int_t n = 0;

		for (int i = 0; i < run->pair_count; i++)
			n += run->pairs[i].verdict == (enum pp_verdict)v;
		json_object_set_new(obj, pp_verdict_name((enum pp_verdict)v), json_integer(n));
	}
	return obj;
}

/** validate_print_json - print the result of a whole validation as one object */
int validate_print_json(const struct validate_run *run)
{
	const struct pp_info *info = &run->inv->info;
	const struct pp_summary *sum = &run->summary;
	json_t *pairs = json_array();
	char started[PP_TEXT_LEN];

	for (int i = 0; i < run->pair_count; i++)
		json_array_append_new(pairs, pair(run, &run->pairs[i]));
	return pp_json_print(json_pack(
		"{s:s, s:{s:s, s:s, s:o}, s:s, s:I, s:I, s:i, s:{s:s}, s:{s:s, s:s}, s:o, s:o,"
		" s:o, s:i}",
		"schema", "peerpass/validate/1",
		"p2p", "works", pp_works_name(sum->works), "why", pp_json_text(sum->why),
		"next", pp_json_string_or_null(sum->next),
		"started", pp_time_text(run->started_ns, started),
		"size", (json_int_t)run->size, "timeout_s", (json_int_t)run->timeout_s,
		"cuda_version", run->driver, "module", "version", pp_json_text(info->version),
		"iommu", "kind", info->iommu_kind == PP_UNKNOWN ? "unknown" :
				 pp_name_iommu_kind(info->iommu_kind),
		"snp", pp_name_tristate(info->snp),
		"devices", devices(run), "pairs", pairs, "verdicts", counts(run),
		"exit_code", (int)pp_verdict_exit(run->worst)));
}
