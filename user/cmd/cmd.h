/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The verbs. Each returns the process's exit code, or -1 with @err filled in
 * for the caller to print. argv[0] is the verb.
 */
#ifndef PEERPASS_CMD_H
#define PEERPASS_CMD_H

#include "lib/error.h"

int cmd_status(int argc, char **argv, struct pp_error *err);
int cmd_faults(int argc, char **argv, struct pp_error *err);
int cmd_set(int argc, char **argv, struct pp_error *err);
int cmd_restore(int argc, char **argv, struct pp_error *err);
int cmd_validate(int argc, char **argv, struct pp_error *err);

extern const char cmd_status_usage[];
extern const char cmd_faults_usage[];
extern const char cmd_set_usage[];
extern const char cmd_restore_usage[];
extern const char cmd_validate_usage[];

#endif /* PEERPASS_CMD_H */
