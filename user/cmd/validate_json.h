/* SPDX-License-Identifier: GPL-2.0-only */
/* Parts of the verdict's JSON. */
#ifndef PEERPASS_CMD_VALIDATE_JSON_H
#define PEERPASS_CMD_VALIDATE_JSON_H

#include "validate.h"

json_t *validate_session_json(const struct pp_session_result *session);
json_t *validate_collectives_json(const struct validate_run *run);

#endif /* PEERPASS_CMD_VALIDATE_JSON_H */
