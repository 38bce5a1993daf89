// SPDX-License-Identifier: GPL-2.0-only
/* The verdict for programs: schema peerpass/verdict/1, see peerpass(8). */
#include <inttypes.h>
#include <stdio.h>

#include "lib/claim.h"
#include "lib/names.h"
#include "lib/output.h"
#include "uapi/linux/peerpass.h"
#include "validate.h"
#include "validate_json.h"

/* Adds these four keys; @j NULL: there is no judgement, and they are null. */
static void add_judgement(json_t *obj, const struct pp_judgement *j, const char *text,
			  const char *next)
{
	json_object_set_new(obj, "verdict",
			    j ? json_string(pp_verdict_name(j->verdict)) : json_null());
	json_object_set_new(obj, "cause",
			    j && j->cause ? json_string(pp_cause_name(j->cause)) : json_null());
	json_object_set_new(obj, "text", pp_json_string_or_null(text));
	json_object_set_new(obj, "next", pp_json_string_or_null(next));
}

/* Faults of @from on the BARs of @to, since the module was loaded. */
static json_t *matrix_faults(const struct validate_run *run, struct pp_bdf from, struct pp_bdf to)
{
	uint64_t n = 0;

	if (!run->nl)
		return json_null();
	for (size_t i = 0; i < run->after.pairs.n; i++) {
		const struct pp_pair *row = &run->after.pairs.v[i];

		if (row->class == PEERPASS_TARGET_CLASS_BAR &&
		    pp_bdf_equal(row->initiator, from) && pp_bdf_equal(row->target, to))
			n += row->read + row->write + row->other;
	}
	return pp_json_u64(n);
}

static json_t *reach(const struct validate_pair *p)
{
	static const char * const names[] = {
		[PP_REACH_NOTHING] = "nothing", [PP_REACH_ITSELF] = "itself",
		[PP_REACH_PARTLY] = "partly", [PP_REACH_FOREIGN] = "foreign",
		[PP_REACH_UNKNOWN] = "unknown",
	};

	if (p->evidence.way == PP_WAY_NO_MODULE)
		return json_null();
	return json_string(names[pp_reach_sum(&p->reach)]);
}

static json_t *way(const struct validate_run *run, const struct validate_pair *p)
{
	struct pp_path path;
	char text[512];

	pp_acs_path(&run->gpus[p->from].chain, &run->gpus[p->to].chain, &path);
	pp_path_text(&path, text, sizeof(text));
	return json_pack("{s:s, s:s}", "route", pp_route_name(path.route), "text", text);
}

static json_t *pair(const struct validate_run *run, const struct validate_pair *p)
{
	const struct validate_gpu *from = &run->gpus[p->from], *to = &run->gpus[p->to];
	char a[PP_BDF_LEN], b[PP_BDF_LEN], why[256];
	bool weak = validate_weak(run, p->session, why, sizeof(why));
	json_t *obj = json_object();

	json_object_set_new(obj, "initiator", json_string(pp_bdf_text(from->bdf, a)));
	json_object_set_new(obj, "target", json_string(pp_bdf_text(to->bdf, b)));
	add_judgement(obj, &p->judgement, pp_cause_text(p->judgement.cause),
		      pp_cause_next(p->judgement.cause));
	json_object_set_new(obj, "write", json_string(pp_verdict_name(p->write.verdict)));
	json_object_set_new(obj, "read", json_string(pp_verdict_name(p->read.verdict)));
	json_object_set_new(obj, "distance",
			    json_string(pp_distance_name(validate_distance(run, p->from, p->to))));
	json_object_set_new(obj, "faults", matrix_faults(run, from->bdf, to->bdf));
	json_object_set_new(obj, "reach", reach(p));
	json_object_set_new(obj, "way", way(run, p));
	json_object_set_new(obj, "forced",
			    json_boolean(p->evidence.forced && p->evidence.way != PP_WAY_SAFE));
	json_object_set_new(obj, "fault_evidence_weak", json_boolean(weak));
	json_object_set_new(obj, "weak_reason", pp_json_string_or_null(why));
	json_object_set_new(obj, "session", validate_session_json(p->session));
	return obj;
}

static json_t *device(const struct validate_run *run, int i)
{
	const struct validate_gpu *gpu = &run->gpus[i];
	const struct pp_device *dev = pp_inventory_find(&run->after, gpu->bdf);
	char bdf[PP_BDF_LEN];

	return json_pack(
		"{s:s, s:o, s:s, s:i, s:o, s:o, s:o, s:o, s:{s:o, s:o}, s:{s:o, s:o}, s:s}",
		"bdf", pp_bdf_text(gpu->bdf, bdf),
		"index", dev && dev->gpu >= 0 ? json_string(gpu->label) : json_null(),
		"name", pp_json_text(gpu->name), "cuda_ordinal", gpu->ordinal,
		"actual", dev && dev->actual != PP_UNKNOWN ?
			  json_string(pp_name_domain_type(dev->actual)) : json_null(),
		"mode", dev && dev->mode != PP_UNKNOWN ? json_string(pp_name_mode(dev->mode)) :
							 json_null(),
		"set", dev ? pp_json_string_or_null(dev->set) : json_null(),
		"faults", dev && run->nl ? pp_json_u64(dev->total) : json_null(),
		"link", "before", pp_json_link(&gpu->link[0]), "after", pp_json_link(&gpu->link[1]),
		"replays", "before", pp_json_replays(&gpu->replays[0]),
		"after", pp_json_replays(&gpu->replays[1]),
		"state", gpu->lost ? "lost" : pp_device_state_name(pp_device_state(gpu->bdf)));
}

static json_t *counts(const struct validate_run *run)
{
	json_t *obj = json_object();

	for (unsigned int v = 0; v < PP_VERDICTS; v++) {
		json_int_t n = 0;

		for (int i = 0; i < run->pair_count; i++)
			n += run->pairs[i].judgement.verdict == v;
		json_object_set_new(obj, pp_verdict_name((enum pp_verdict)v), json_integer(n));
	}
	return obj;
}

/* The load of the module and the state of its windows when the tests began. */
static json_t *module(const struct validate_run *run)
{
	const struct pp_info *info = &run->inv->info;

	if (!run->nl)
		return json_null();
	return json_pack("{s:s, s:o, s:o}", "version", pp_json_text(info->version),
			 "instance", pp_json_u64(info->since_boottime_ns),
			 "window_generation", info->window_generation ?
				pp_json_u64(info->window_generation) : json_null());
}

static json_t *set(const struct validate_run *run)
{
	enum pp_distance widest = PP_DISTANCE_UNKNOWN;
	json_t *members = json_array(), *obj;

	for (int i = 0; i < run->gpu_count; i++) {
		char bdf[PP_BDF_LEN];

		json_array_append_new(members, json_string(pp_bdf_text(run->gpus[i].bdf, bdf)));
	}
	for (int i = 0; i < run->pair_count; i++) {
		enum pp_distance d = validate_distance(run, run->pairs[i].from, run->pairs[i].to);

		widest = d > widest ? d : widest;
	}
	obj = json_pack("{s:o, s:s, s:b}", "members", members, "distance", pp_distance_name(widest),
			"tested", run->set_tested);
	if (run->set_tested)
		add_judgement(obj, &run->set_judgement, pp_cause_text(run->set_judgement.cause),
			      pp_cause_next(run->set_judgement.cause));
	else
		add_judgement(obj, NULL, "", "");
	json_object_set_new(obj, "session", validate_session_json(run->set));
	return obj;
}

/**
 * validate_json - the verdict as one object
 *
 * Return: owned by the caller; NULL without memory.
 */
json_t *validate_json(const struct validate_run *run)
{
	const struct pp_info *info = &run->inv->info;
	const struct pp_summary *sum = &run->summary;
	json_t *pairs = json_array(), *devices = json_array(), *obj = json_object();
	char started[PP_TEXT_LEN], finished[PP_TEXT_LEN];

	for (int i = 0; i < run->pair_count; i++)
		json_array_append_new(pairs, pair(run, &run->pairs[i]));
	for (int i = 0; i < run->gpu_count; i++)
		json_array_append_new(devices, device(run, i));
	json_object_set_new(obj, "schema", json_string(PP_VERDICT_SCHEMA));
	add_judgement(obj, &run->worst, sum->why, sum->next);
	json_object_set_new(obj, "exit_code",
			    json_integer((json_int_t)pp_verdict_exit(run->worst.verdict)));
	json_object_set_new(obj, "p2p", json_string(pp_works_name(sum->works)));
	json_object_set_new(obj, "level", json_string(run->args->soak_s ? "soak" :
						      pp_level_name(run->scope.level)));
	json_object_set_new(obj, "forced", json_boolean(run->args->force));
	json_object_set_new(obj, "max_bytes", pp_json_u64(run->scope.max_bytes));
	json_object_set_new(obj, "span", pp_json_u64(run->scope.span));
	json_object_set_new(obj, "cycles", json_integer(run->cycles));
	json_object_set_new(obj, "started", json_string(pp_time_text(run->started_ns, started)));
	json_object_set_new(obj, "finished", json_string(pp_time_text(run->finished_ns, finished)));
	json_object_set_new(obj, "host", pp_json_host(&run->host));
	json_object_set_new(obj, "module", module(run));
	json_object_set_new(obj, "driver", pp_json_driver(&run->host, run->driver));
	json_object_set_new(obj, "iommu", json_pack(
		"{s:s, s:s}", "kind", info->iommu_kind == PP_UNKNOWN ? "unknown" :
				      pp_name_iommu_kind(info->iommu_kind),
		"snp", pp_name_tristate(info->snp)));
	json_object_set_new(obj, "devices", devices);
	json_object_set_new(obj, "verdicts", counts(run));
	json_object_set_new(obj, "pairs", pairs);
	json_object_set_new(obj, "collectives", validate_collectives_json(run));
	json_object_set_new(obj, "set", set(run));
	json_object_set_new(obj, "log", pp_json_klog(&run->log));
	return obj;
}
