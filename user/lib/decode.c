// SPDX-License-Identifier: GPL-2.0-only
/* Netlink attributes into a struct, by a table. */
#include <libmnl/libmnl.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "decode.h"

static const size_t wire_len[] = {
	[PP_WIRE_FLAG] = 0, [PP_WIRE_U8] = 1, [PP_WIRE_U16] = 2,
	[PP_WIRE_U32] = 4, [PP_WIRE_S32] = 4, [PP_WIRE_U64] = 8,
};

static int malformed(struct pp_error *err, const struct pp_layout *layout, const char *what,
		     unsigned int type)
{
	pp_error_set(err, "malformed_reply", PP_EXIT_FAILED,
		     "malformed netlink reply: %s: %s %u", layout->name, what, type);
	return pp_error_hint(err, "module and helper may be of different builds; compare "
				  "modinfo -F version peerpass and peerpass --version");
}

static int store(const struct pp_layout *layout, const struct pp_field *field,
		 const struct nlattr *attr, void *obj, struct pp_error *err)
{
	const void *payload = mnl_attr_get_payload(attr);
	size_t len = mnl_attr_get_payload_len(attr);
	char *member = (char *)obj + field->offset;

	switch (field->wire) {
	case PP_WIRE_NEST:
		return field->nest(attr, obj, err);
	case PP_WIRE_STRING:
		if (!len || !memchr(payload, '\0', len))
			return malformed(err, layout, "unterminated text in attribute",
					 field->type);
		snprintf(member, field->size, "%s", (const char *)payload);
		return 0;
	default:
		if (len != wire_len[field->wire])
			return malformed(err, layout, "wrong length of attribute", field->type);
		if (field->wire == PP_WIRE_FLAG)
			*(bool *)member = true;
		else
			memcpy(member, payload, len);
		return 0;
	}
}

/**
 * pp_decode - fill in a struct from the attributes in @data
 * @obj: members whose attribute is absent keep their value
 * @seen: set to the mask of the attributes that were there; may be NULL
 *
 * Attributes that the layout does not know are skipped: later versions of the
 * module append some.
 *
 * Return: 0, or -1 with @err filled in.
 */
int pp_decode(const struct pp_layout *layout, const void *data, size_t len, void *obj,
	      uint64_t *seen, struct pp_error *err)
{
	const struct nlattr *attr = data;
	const char *end = (const char *)data + len;
	uint64_t mask = 0;

	for (; mnl_attr_ok(attr, (int)(end - (const char *)attr)); attr = mnl_attr_next(attr)) {
		unsigned int type = mnl_attr_get_type(attr);

		for (size_t i = 0; i < layout->count; i++) {
			if (layout->fields[i].type != type)
				continue;
			if (store(layout, &layout->fields[i], attr, obj, err))
				return -1;
			mask |= 1ULL << type;
		}
		/* The padding of the last attribute may be cut off. */
		if ((const char *)mnl_attr_next(attr) >= end)
			break;
	}
	if ((const char *)attr < end && !mnl_attr_ok(attr, (int)(end - (const char *)attr)))
		return malformed(err, layout, "truncated after byte",
				 (unsigned int)((const char *)attr - (const char *)data));
	for (unsigned int type = 0; type < 64; type++) {
		if (layout->required & ~mask & 1ULL << type)
			return malformed(err, layout, "missing attribute", type);
	}
	if (seen)
		*seen = mask;
	return 0;
}

/** pp_decode_nest - the same for the attributes inside @nest */
int pp_decode_nest(const struct pp_layout *layout, const struct nlattr *nest, void *obj,
		   struct pp_error *err)
{
	return pp_decode(layout, mnl_attr_get_payload(nest), mnl_attr_get_payload_len(nest), obj,
			 NULL, err);
}
