/* SPDX-License-Identifier: GPL-2.0-only */
/* What validate does with a verdict file instead of GPUs: --check and --export. */
#ifndef PEERPASS_CMD_VALIDATE_FILE_H
#define PEERPASS_CMD_VALIDATE_FILE_H

#include <stdbool.h>

#include "lib/error.h"

bool validate_reads_file(int argc, char **argv, int *ret, struct pp_error *err);
int validate_check(int argc, char **argv, struct pp_error *err);
int validate_export(int argc, char **argv, struct pp_error *err);

#endif /* PEERPASS_CMD_VALIDATE_FILE_H */
