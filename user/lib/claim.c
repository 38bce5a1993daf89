// SPDX-License-Identifier: GPL-2.0-only
/*
 * A verdict file's text into a claim. Whatever is not as peerpass(8) has it makes
 * the whole file worth nothing: there is no half-believed verdict.
 */
#include <jansson.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "claim.h"
#include "names.h"
#include "uapi/linux/peerpass.h"

static int malformed(struct pp_error *err, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

static int malformed(struct pp_error *err, const char *fmt, ...)
{
	char text[256];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	return pp_error_set(err, "verdict_malformed", PP_EXIT_STALE,
			    "the verdict contradicts its schema: %s", text);
}

/* Text from a file goes to terminals: nothing but printable ASCII does. */
static void take_text(const char *text, char *buf, size_t size)
{
	size_t n = 0;

	for (; text[n] && n < size - 1; n++)
		buf[n] = text[n] >= ' ' && text[n] < 0x7f ? text[n] : '?';
	buf[n] = '\0';
}

/* A string; null and absent are empty, if that is allowed. */
static int get_text(const json_t *obj, const char *key, bool may_be_null, char *buf, size_t size,
		    struct pp_error *err)
{
	const json_t *value = json_object_get(obj, key);

	buf[0] = '\0';
	if (may_be_null && (!value || json_is_null(value)))
		return 0;
	if (!json_is_string(value) || !*json_string_value(value))
		return malformed(err, "\"%s\" is missing or not a text", key);
	take_text(json_string_value(value), buf, size);
	return 0;
}

/* As get_text(), but in full: what is compared must not be cut. */
static int get_word(const json_t *obj, const char *key, bool may_be_null, char *buf, size_t size,
		    struct pp_error *err)
{
	if (get_text(obj, key, may_be_null, buf, size, err))
		return -1;
	if (buf[0] && json_string_length(json_object_get(obj, key)) >= size)
		return malformed(err, "\"%s\" is longer than %zu characters", key, size - 1);
	return 0;
}

/* A whole number of at least 0; null and absent make @known false. */
static int get_count(const json_t *obj, const char *key, bool *known, uint64_t *value,
		     struct pp_error *err)
{
	const json_t *found = json_object_get(obj, key);

	*value = 0;
	*known = found && !json_is_null(found);
	if (!*known)
		return 0;
	if (!json_is_integer(found) || json_integer_value(found) < 0)
		return malformed(err, "\"%s\" is not a whole number of at least 0", key);
	*value = (uint64_t)json_integer_value(found);
	return 0;
}

static int get_bdf(const json_t *obj, const char *key, struct pp_bdf *bdf, struct pp_error *err)
{
	const char *text = json_string_value(json_object_get(obj, key));

	if (!text || !pp_bdf_parse(text, bdf))
		return malformed(err, "\"%s\" is missing or not an address", key);
	return 0;
}

static int get_object(const json_t *obj, const char *key, const json_t **value,
		      struct pp_error *err)
{
	*value = json_object_get(obj, key);
	return json_is_object(*value) ? 0 : malformed(err, "\"%s\" is missing or not an object",
						      key);
}

static int get_array(const json_t *obj, const char *key, const json_t **value,
		     struct pp_error *err)
{
	*value = json_object_get(obj, key);
	return json_is_array(*value) ? 0 : malformed(err, "\"%s\" is missing or not an array", key);
}

static int take_module(const json_t *root, struct pp_claim *claim, struct pp_error *err)
{
	const json_t *module = json_object_get(root, "module");
	bool known;

	if (json_is_null(module))
		return 0;
	if (!json_is_object(module))
		return malformed(err, "\"module\" is missing or not an object");
	claim->has_module = true;
	if (get_word(module, "version", false, claim->module_version,
		     sizeof(claim->module_version), err) ||
	    get_count(module, "instance", &known, &claim->instance, err) ||
	    get_count(module, "window_generation", &claim->has_generation, &claim->generation, err))
		return -1;
	return known ? 0 : malformed(err, "\"instance\" of the module is missing");
}

static int take_driver(const json_t *root, struct pp_claim *claim, struct pp_error *err)
{
	char remap[PP_CLAIM_WORD];
	const json_t *driver;

	if (get_object(root, "driver", &driver, err) ||
	    get_word(driver, "version", true, claim->driver, sizeof(claim->driver), err) ||
	    get_word(driver, "dma_remap_peer_mmio", false, remap, sizeof(remap), err))
		return -1;
	for (uint32_t t = PEERPASS_TRISTATE_UNKNOWN; t <= PEERPASS_TRISTATE_ON; t++) {
		if (!strcmp(remap, pp_name_tristate(t))) {
			claim->dma_remap_peer_mmio = t;
			return 0;
		}
	}
	return malformed(err, "\"dma_remap_peer_mmio\" is none of on, off, unknown");
}

static int take_devices(const json_t *root, struct pp_claim *claim, struct pp_error *err)
{
	const json_t *array, *obj;
	size_t i;

	if (get_array(root, "devices", &array, err))
		return -1;
	if (json_array_size(array) > PP_CLAIM_DEVICES)
		return malformed(err, "more than %d devices", PP_CLAIM_DEVICES);
	json_array_foreach(array, i, obj) {
		struct pp_claim_device *dev = &claim->devices[i];

		if (get_bdf(obj, "bdf", &dev->bdf, err) ||
		    get_word(obj, "actual", true, dev->actual, sizeof(dev->actual), err) ||
		    get_word(obj, "mode", true, dev->mode, sizeof(dev->mode), err) ||
		    get_word(obj, "set", true, dev->set, sizeof(dev->set), err) ||
		    get_count(obj, "faults", &dev->has_faults, &dev->faults, err))
			return -1;
		if (pp_claim_device(claim, dev->bdf))
			return malformed(err, "a device is listed twice");
		claim->device_count++;
	}
	return 0;
}

static int take_pair(const json_t *obj, struct pp_claim *claim, struct pp_error *err)
{
	struct pp_claim_pair *pair = &claim->pairs[claim->pair_count];
	char distance[PP_CLAIM_WORD];

	if (get_bdf(obj, "initiator", &pair->initiator, err) ||
	    get_bdf(obj, "target", &pair->target, err) ||
	    get_word(obj, "verdict", false, pair->verdict, sizeof(pair->verdict), err) ||
	    get_word(obj, "distance", true, distance, sizeof(distance), err) ||
	    get_count(obj, "faults", &pair->has_faults, &pair->faults, err))
		return -1;
	pair->distance = pp_distance_from_name(distance);
	if (pp_bdf_equal(pair->initiator, pair->target) ||
	    !pp_claim_device(claim, pair->initiator) || !pp_claim_device(claim, pair->target))
		return malformed(err, "a pair is not one of two devices of the verdict");
	if (pp_claim_pair(claim, pair->initiator, pair->target))
		return malformed(err, "a pair is listed twice");
	claim->pair_count++;
	return 0;
}

static int take_pairs(const json_t *root, struct pp_claim *claim, struct pp_error *err)
{
	const json_t *array, *obj;
	size_t n, i;

	if (get_array(root, "pairs", &array, err))
		return -1;
	n = json_array_size(array);
	if (n > claim->device_count * claim->device_count)
		return malformed(err, "more pairs than its devices have");
	claim->pairs = calloc(n + 1, sizeof(*claim->pairs));
	if (!claim->pairs)
		return pp_error_set(err, "system", PP_EXIT_FAILED, "out of memory");
	json_array_foreach(array, i, obj) {
		if (take_pair(obj, claim, err))
			return -1;
	}
	return 0;
}

static int take_collectives(const json_t *root, struct pp_claim *claim, struct pp_error *err)
{
	const json_t *array, *obj;
	size_t i;

	if (get_array(root, "collectives", &array, err))
		return -1;
	json_array_foreach(array, i, obj) {
		char outcome[PP_CLAIM_WORD];

		if (get_word(obj, "outcome", false, outcome, sizeof(outcome), err))
			return -1;
		claim->collectives++;
		claim->collectives_right += !strcmp(outcome, "right");
	}
	return 0;
}

/* "ok" says that every ordered pair of at least two devices is. */
static int check_ok(const struct pp_claim *claim, struct pp_error *err)
{
	size_t n = claim->device_count;

	if (pp_claim_ok(claim) != !claim->exit_code)
		return malformed(err, "verdict \"%s\" with exit code %d", claim->verdict,
				 claim->exit_code);
	if (!pp_claim_ok(claim))
		return 0;
	if (n < 2 || claim->pair_count != n * (n - 1))
		return malformed(err, "verdict \"ok\" for %zu devices with %zu pairs", n,
				 claim->pair_count);
	for (size_t i = 0; i < claim->pair_count; i++) {
		if (strcmp(claim->pairs[i].verdict, "ok"))
			return malformed(err, "verdict \"ok\" with a pair that is \"%s\"",
					 claim->pairs[i].verdict);
	}
	if (claim->collectives_right != claim->collectives)
		return malformed(err, "verdict \"ok\" with a collective that is not right");
	return 0;
}

static int take_root(const json_t *root, struct pp_claim *claim, struct pp_error *err)
{
	const json_t *host;
	uint64_t exit_code;
	bool known;

	if (get_word(root, "verdict", false, claim->verdict, sizeof(claim->verdict), err) ||
	    get_count(root, "exit_code", &known, &exit_code, err) ||
	    get_word(root, "level", false, claim->level, sizeof(claim->level), err) ||
	    get_word(root, "finished", false, claim->finished, sizeof(claim->finished), err) ||
	    get_text(root, "text", true, claim->text, sizeof(claim->text), err) ||
	    get_text(root, "next", true, claim->next, sizeof(claim->next), err) ||
	    get_object(root, "host", &host, err) ||
	    get_word(host, "boot_id", false, claim->boot_id, sizeof(claim->boot_id), err) ||
	    get_word(host, "kernel", false, claim->kernel, sizeof(claim->kernel), err))
		return -1;
	if (!known || exit_code > 125)
		return malformed(err, "\"exit_code\" is missing or no exit code");
	claim->exit_code = (int)exit_code;
	if (!json_is_boolean(json_object_get(root, "forced")))
		return malformed(err, "\"forced\" is missing or neither true nor false");
	claim->forced = json_is_true(json_object_get(root, "forced"));
	if (take_module(root, claim, err) || take_driver(root, claim, err) ||
	    take_devices(root, claim, err) || take_pairs(root, claim, err) ||
	    take_collectives(root, claim, err))
		return -1;
	return check_ok(claim, err);
}

/**
 * pp_claim_parse - read the text of a verdict file
 * @data: @len bytes of any kind
 * @claim: to be freed, also after -1
 *
 * Return: 0, or -1 with @err filled in: exit code PP_EXIT_STALE and a code of its
 * own for what is no JSON, of another schema, or contradicts itself.
 */
int pp_claim_parse(const char *data, size_t len, struct pp_claim *claim, struct pp_error *err)
{
	json_error_t where;
	const char *schema;
	json_t *root;
	int ret;

	memset(claim, 0, sizeof(*claim));
	root = json_loadb(data, len, JSON_REJECT_DUPLICATES, &where);
	if (!root) {
		char text[JSON_ERROR_TEXT_LENGTH];

		take_text(where.text, text, sizeof(text));
		return pp_error_set(err, "verdict_not_json", PP_EXIT_STALE,
				    "it is not one JSON object: line %d: %.120s", where.line, text);
	}
	schema = json_string_value(json_object_get(root, "schema"));
	if (!schema || strcmp(schema, PP_VERDICT_SCHEMA)) {
		char text[64] = "none";

		if (schema)
			take_text(schema, text, sizeof(text));
		ret = pp_error_set(err, "verdict_schema", PP_EXIT_STALE,
				   "its schema is %s, expected " PP_VERDICT_SCHEMA, text);
	} else {
		ret = take_root(root, claim, err);
	}
	json_decref(root);
	return ret;
}

/** pp_claim_free - free what @claim owns */
void pp_claim_free(struct pp_claim *claim)
{
	free(claim->pairs);
	claim->pairs = NULL;
	claim->pair_count = 0;
}

/** pp_claim_ok - does it claim that all is proved? */
bool pp_claim_ok(const struct pp_claim *claim)
{
	return !strcmp(claim->verdict, "ok");
}

/** pp_claim_device - the device at this address, NULL if the verdict is not about it */
const struct pp_claim_device *pp_claim_device(const struct pp_claim *claim, struct pp_bdf bdf)
{
	for (size_t i = 0; i < claim->device_count; i++) {
		if (pp_bdf_equal(claim->devices[i].bdf, bdf))
			return &claim->devices[i];
	}
	return NULL;
}

/** pp_claim_pair - the ordered pair, NULL if the verdict has none */
const struct pp_claim_pair *pp_claim_pair(const struct pp_claim *claim, struct pp_bdf initiator,
					  struct pp_bdf target)
{
	for (size_t i = 0; i < claim->pair_count; i++) {
		if (pp_bdf_equal(claim->pairs[i].initiator, initiator) &&
		    pp_bdf_equal(claim->pairs[i].target, target))
			return &claim->pairs[i];
	}
	return NULL;
}
