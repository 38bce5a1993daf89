// SPDX-License-Identifier: GPL-2.0-only
/* One session in the verdict's JSON: what was tested, what was wrong, how fast it was. */
#include <inttypes.h>
#include <stdio.h>

#include "lib/fault_json.h"
#include "lib/output.h"
#include "proof/diagnosis.h"
#include "validate_json.h"

/* 64-bit words do not survive JSON's numbers. */
static json_t *word(uint64_t value)
{
	char text[24];

	snprintf(text, sizeof(text), "0x%016" PRIx64, value);
	return json_string(text);
}

static json_t *faults(const struct pp_fault_delta *f)
{
	json_t *targets;

	if (!f->counted)
		return json_null();
	targets = json_array();
	for (size_t i = 0; i < f->target_len; i++) {
		const struct pp_pair *row = &f->targets[i];

		json_array_append_new(targets, json_pack(
			"{s:o, s:o, s:o, s:o}", "target", pp_json_target(row),
			"read", pp_json_u64(row->read), "write", pp_json_u64(row->write),
			"other", pp_json_u64(row->other)));
	}
	return json_pack("{s:o, s:o, s:o, s:o, s:o, s:o, s:I, s:b, s:b, s:o}",
			 "total", pp_json_u64(pp_faults_of(f)),
			 "initiator", pp_json_u64(f->initiator), "peer", pp_json_u64(f->target),
			 "unattributed", pp_json_u64(f->unattributed),
			 "by_kind", pp_json_kinds(f->counts, f->count_len), "targets", targets,
			 "more_targets", (json_int_t)f->more_targets, "drained", f->drained,
			 "exact", !f->inexact, "inexact_reasons", pp_json_inexact(f->inexact));
}

static json_t *seen(uint32_t flags)
{
	static const struct { uint32_t flag; const char *name; } names[] = {
		{ PP_SEEN_LATE, "late" }, { PP_SEEN_MIRROR, "mirror" },
		{ PP_SEEN_BESIDE, "beside" }, { PP_SEEN_NO_FLAG, "no_flag" },
		{ PP_SEEN_WAY_BACK, "way_back" },
	};
	json_t *array = json_array();

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (flags & names[i].flag)
			json_array_append_new(array, json_string(names[i].name));
	return array;
}

static json_t *kinds(const struct pp_segment *d)
{
	json_t *obj = json_object();

	for (unsigned int kind = 0; kind < PP_WORD_KINDS; kind++)
		if (d->kinds[kind])
			json_object_set_new(obj, pp_word_kind_name((enum pp_word_kind)kind),
					    pp_json_u64(d->kinds[kind]));
	return obj;
}

/* What a reader of flags saw; null for any other test. */
static json_t *order(const struct pp_order_report *r)
{
	if (!r->seen && !r->late)
		return json_null();
	return json_pack("{s:o, s:o, s:o, s:o}", "seen", pp_json_u64(r->seen), "early",
			 pp_json_u64(r->early), "late", pp_json_u64(r->late), "bad_words",
			 pp_json_u64(r->bad));
}

/* The first test that was not right. */
static json_t *first(const struct pp_op_result *op)
{
	const struct pp_segment *d = &op->result.diff;
	char text[64];
	json_t *obj;

	if (!op->test.magic)
		return json_null();
	pp_test_text(&op->test, text, sizeof(text));
	obj = json_pack("{s:s, s:s, s:I, s:I, s:I, s:o, s:o, s:o, s:o}", "test", text,
			"outcome", pp_outcome_name((enum pp_outcome)op->result.outcome),
			"bytes", (json_int_t)op->test.bytes, "offset", (json_int_t)op->test.offset,
			"round", (json_int_t)op->test.round,
			"seen", seen(op->result.seen), "words", pp_json_u64(d->words),
			"bad_words", pp_json_u64(d->bad),
			"faults", faults(&op->test_faults));
	json_object_set_new(obj, "why", pp_json_string_or_null(op->result.why));
	json_object_set_new(obj, "order", order(&op->result.order));
	json_object_set_new(obj, "first_bad_offset",
			    d->bad ? pp_json_u64(d->first * 8) : json_null());
	json_object_set_new(obj, "expected", d->bad ? word(d->expected) : json_null());
	json_object_set_new(obj, "found", d->bad ? word(d->found) : json_null());
	json_object_set_new(obj, "longest_run", pp_json_u64(d->longest_run));
	json_object_set_new(obj, "bad_kind",
			    d->bad ? json_string(pp_word_kind_name(pp_segment_kind(d))) :
				     json_null());
	json_object_set_new(obj, "bad_kinds", kinds(d));
	return obj;
}

static json_t *operation(const struct pp_op_result *op, enum pp_op number, bool counted)
{
	return json_pack("{s:s, s:s, s:i, s:i, s:i, s:o, s:o, s:o, s:o, s:o}",
			 "operation", pp_op_name(number), "outcome", pp_outcome_name(op->outcome),
			 "tests", (int)op->tests, "right", (int)op->right, "wrong", (int)op->wrong,
			 "words", pp_json_u64(op->words), "bad_words", pp_json_u64(op->bad),
			 "faults", counted ? pp_json_u64(op->faults) : json_null(), "seen", seen(op->seen),
			 "first", first(op));
}

static json_t *speed(const struct pp_session_result *s)
{
	static const char * const names[PP_ENGINES][PP_DIRECTIONS][2] = {
		{ { "copy_engine_write", "copy_engine_write_both" },
		  { "copy_engine_read", "copy_engine_read_both" } },
		{ { "sm_write", "sm_write_both" }, { "sm_read", "sm_read_both" } },
	};
	json_t *obj = json_object();
	bool any = s->latency_ps;

	for (unsigned int i = 0; i < PP_ENGINES * PP_DIRECTIONS * 2; i++) {
		unsigned int e = i / 4, d = i / 2 % 2, both = i % 2;
		const struct pp_speed *v = &s->speed[e][d][both];

		any |= v->ns;
		json_object_set_new(obj, names[e][d][both], v->ns ?
				    json_real((double)v->bytes / (double)v->ns) : json_null());
	}
	json_object_set_new(obj, "read_latency_ns", s->latency_ps ?
			    json_real((double)s->latency_ps / 1000) : json_null());
	if (any)
		return obj;
	json_decref(obj);
	return json_null();
}

/** validate_session_json - one session; null when there was none */
json_t *validate_session_json(const struct pp_session_result *s)
{
	json_t *operations;

	if (!s)
		return json_null();
	operations = json_array();
	for (unsigned int op = 0; op < PP_OPS; op++)
		if (s->ops[op].tests)
			json_array_append_new(operations, operation(&s->ops[op], (enum pp_op)op,
							s->faults.counted));
	return json_pack("{s:s, s:o, s:o, s:o, s:o, s:f, s:b, s:o}",
			 "open", pp_outcome_name(s->open), "why", pp_json_string_or_null(s->why),
			 "operations", operations, "faults", faults(&s->faults),
			 "gb_per_s", speed(s), "seconds", (double)s->elapsed_ns / 1e9,
			 "hung_at_end", s->no_end,
			 "left_behind_pid", s->end.reaped ? json_null() :
							    json_integer((json_int_t)s->end.pid));
}

/** validate_collectives_json - the all-reduces by themselves; empty when not tested */
json_t *validate_collectives_json(const struct validate_run *run)
{
	json_t *array = json_array();

	for (unsigned int op = PP_OP_ONE_SHOT; run->set_tested && op <= PP_OP_RING; op++) {
		const struct pp_op_result *r = &run->set->ops[op];

		json_array_append_new(array, json_pack(
			"{s:s, s:i, s:I, s:s, s:i, s:i}", "name", pp_op_name((enum pp_op)op),
			"ranks", run->gpu_count, "bytes", (json_int_t)run->scope.max_bytes,
			"outcome", pp_outcome_name(r->outcome),
			"tests", (int)r->tests, "wrong", (int)r->wrong));
	}
	return array;
}
