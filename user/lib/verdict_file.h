/* SPDX-License-Identifier: GPL-2.0-only */
/* The file that a verdict is kept in: written as a whole, believed only from root. */
#ifndef PEERPASS_VERDICT_FILE_H
#define PEERPASS_VERDICT_FILE_H

#include <jansson.h>
#include <sys/types.h>

#include "claim.h"

#define PP_VERDICT_PATH "/run/peerpass/verdict.json"

int pp_verdict_withdraw(const char *path, struct pp_error *err);
int pp_verdict_write(const char *path, const json_t *verdict, struct pp_error *err);
int pp_verdict_read(const char *path, uid_t owner, struct pp_claim *claim, struct pp_error *err);

#endif /* PEERPASS_VERDICT_FILE_H */
