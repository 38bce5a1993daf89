/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Netlink attributes into a struct, by a table. Nothing that comes from the
 * socket is trusted: each length is checked before a value is read.
 */
#ifndef PEERPASS_DECODE_H
#define PEERPASS_DECODE_H

#include <stddef.h>
#include <stdint.h>

#include "error.h"

struct nlattr;

enum pp_wire {
	PP_WIRE_FLAG,	/* bool */
	PP_WIRE_U8,	/* uint8_t */
	PP_WIRE_U16,	/* uint16_t */
	PP_WIRE_U32,	/* uint32_t */
	PP_WIRE_S32,	/* int32_t */
	PP_WIRE_U64,	/* uint64_t */
	PP_WIRE_STRING,	/* char[], cut to @size */
	PP_WIRE_NEST,	/* handed to @nest, once for each occurrence */
};

/**
 * struct pp_field - one attribute and where it goes
 * @type: attribute number, below 64
 * @offset: of the member in the struct that is filled in
 * @size: of the member, for strings
 */
struct pp_field {
	uint16_t type;
	enum pp_wire wire;
	size_t offset;
	size_t size;
	int (*nest)(const struct nlattr *attr, void *obj, struct pp_error *err);
};

/**
 * struct pp_layout - a set of attributes
 * @name: the set, for messages
 * @required: mask of attribute numbers that must be there
 */
struct pp_layout {
	const char *name;
	const struct pp_field *fields;
	size_t count;
	uint64_t required;
};

int pp_decode(const struct pp_layout *layout, const void *data, size_t len, void *obj,
	      uint64_t *seen, struct pp_error *err);
int pp_decode_nest(const struct pp_layout *layout, const struct nlattr *nest, void *obj,
		   struct pp_error *err);

#endif /* PEERPASS_DECODE_H */
