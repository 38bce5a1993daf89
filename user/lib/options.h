/* SPDX-License-Identifier: GPL-2.0-only */
/* What the command lines of all verbs have in common. */
#ifndef PEERPASS_OPTIONS_H
#define PEERPASS_OPTIONS_H

#include <stdint.h>

#include "error.h"

enum pp_option_kind {
	/* No value; *(bool *) becomes true. */
	PP_OPTION_FLAG,
	/* *(const char **) becomes the value. */
	PP_OPTION_TEXT,
	/* The same, and it may come without one: then nothing changes. */
	PP_OPTION_MAY_BE_TEXT,
	/* *(uint64_t *) becomes the value, see pp_options_number(). */
	PP_OPTION_NUMBER,
};

/* Longest table. */
#define PP_OPTIONS_MAX 24

/**
 * struct pp_option - one option of a verb
 * @name: without "--"; NULL ends a table
 * @letter: short form, 0 if it has none
 * @value: what is set, as @kind says
 * @min: least number, as @max
 */
struct pp_option {
	const char *name;
	char letter;
	enum pp_option_kind kind;
	void *value;
	uint64_t min;
	uint64_t max;
};

bool pp_options_want_json(int argc, char **argv);
int pp_options_parse(int argc, char **argv, const char *verb, const struct pp_option *options,
		     bool *help, struct pp_error *err);
int pp_options_number(const char *option, const char *text, uint64_t min, uint64_t max,
		      uint64_t *value, struct pp_error *err);

#endif /* PEERPASS_OPTIONS_H */
