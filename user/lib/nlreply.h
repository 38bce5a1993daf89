/* SPDX-License-Identifier: GPL-2.0-only */
/* Takes the packets of one netlink answer apart; does no input or output. */
#ifndef PEERPASS_NLREPLY_H
#define PEERPASS_NLREPLY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "error.h"
#include "netlink.h"

/**
 * struct pp_nl_reply - an answer while it arrives
 * @seq: of the request; messages with another one are skipped
 * @portid: of our socket; messages to another one are skipped
 * @type: netlink message type of the family
 * @dump: the answer ends with NLMSG_DONE, otherwise with an acknowledgement
 * @finished: the answer is complete
 * @interrupted: the kernel says that the dump is inconsistent
 * @messages: handed to the sink so far
 * @error: errno of a refusal, or 0
 * @text: what the module said with the refusal
 */
struct pp_nl_reply {
	uint32_t seq;
	uint32_t portid;
	uint16_t type;
	bool dump;
	const struct pp_nl_sink *sink;
	bool finished;
	bool interrupted;
	unsigned int messages;
	int error;
	char text[256];
};

int pp_nl_reply_packet(struct pp_nl_reply *reply, const void *packet, size_t len,
		       struct pp_error *err);
int pp_nl_family_id(const void *attrs, size_t len, void *arg, struct pp_error *err);

#endif /* PEERPASS_NLREPLY_H */
