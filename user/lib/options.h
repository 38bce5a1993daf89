/* SPDX-License-Identifier: GPL-2.0-only */
/* What the command lines of all verbs have in common. */
#ifndef PEERPASS_OPTIONS_H
#define PEERPASS_OPTIONS_H

#include <getopt.h>
#include <stdint.h>

#include "error.h"

/* getopt_long()'s value for --help; -h is the same. */
#define PP_OPT_HELP 'h'

bool pp_options_want_json(int argc, char **argv);
int pp_options_error(int opt, char **argv, const char *verb, struct pp_error *err);
int pp_options_number(const char *option, const char *text, uint64_t min, uint64_t max,
		      uint64_t *value, struct pp_error *err);

#endif /* PEERPASS_OPTIONS_H */
