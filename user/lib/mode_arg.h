/* SPDX-License-Identifier: GPL-2.0-only */
/* A mode as the command line has it: MODE[:SET][+FLAG...], or "policy". */
#ifndef PEERPASS_MODE_ARG_H
#define PEERPASS_MODE_ARG_H

#include "model.h"

/* Room for any text of pp_mode_text(). */
#define PP_MODE_LEN 96

int pp_mode_parse(const char *text, struct pp_set_request *request, struct pp_error *err);
const char *pp_mode_text(const struct pp_set_request *request, char buf[PP_MODE_LEN]);

#endif /* PEERPASS_MODE_ARG_H */
