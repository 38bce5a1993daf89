/* SPDX-License-Identifier: GPL-2.0-only */
/* The details of validate's text. */
#ifndef PEERPASS_CMD_VALIDATE_LINES_H
#define PEERPASS_CMD_VALIDATE_LINES_H

#include "validate.h"

void validate_print_session(const struct validate_run *run, const struct pp_session_result *s,
			    int from, int to);
void validate_print_speed(const struct validate_run *run);

#endif /* PEERPASS_CMD_VALIDATE_LINES_H */
