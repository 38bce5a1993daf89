// SPDX-License-Identifier: GPL-2.0-only
/* Takes the packets of one netlink answer apart. */
#include <errno.h>
#include <libmnl/libmnl.h>
#include <linux/genetlink.h>
#include <stdio.h>
#include <string.h>

#include "decode.h"
#include "nlreply.h"

static int truncated(struct pp_error *err, const char *what)
{
	return pp_error_set(err, "malformed_reply", PP_EXIT_FAILED,
			    "truncated netlink reply: %s", what);
}

/* The kernel sends negative error numbers; anything else is malformed. */
static int errno_of(int error)
{
	return error <= 0 && error >= -4095 ? -error : EPROTO;
}

/* What the kernel says about a refusal, if it says anything. */
static void extended_ack(struct pp_nl_reply *reply, const void *attrs, size_t len)
{
	struct { char text[256]; } ack = { "" };
	const struct pp_field fields[] = {
		{ NLMSGERR_ATTR_MSG, PP_WIRE_STRING, 0, sizeof(ack.text), NULL },
	};
	const struct pp_layout layout = { "extended ack", fields, 1, 0 };
	struct pp_error ignored;

	/* A text that cannot be read must not hide the refusal itself. */
	if (!pp_decode(&layout, attrs, len, &ack, NULL, &ignored))
		snprintf(reply->text, sizeof(reply->text), "%s", ack.text);
}

static int error_message(struct pp_nl_reply *reply, const struct nlmsghdr *nlh,
			 struct pp_error *err)
{
	const struct nlmsgerr *ack = mnl_nlmsg_get_payload(nlh);
	size_t len = mnl_nlmsg_get_payload_len(nlh), head = sizeof(*ack);

	if (len < head)
		return truncated(err, "acknowledgement");
	/* Unless told otherwise the kernel repeats the whole request. */
	if (!(nlh->nlmsg_flags & NLM_F_CAPPED) && ack->msg.nlmsg_len > sizeof(ack->msg))
		head += NLMSG_ALIGN(ack->msg.nlmsg_len - sizeof(ack->msg));
	if (nlh->nlmsg_flags & NLM_F_ACK_TLVS && len > head)
		extended_ack(reply, (const char *)ack + head, len - head);
	reply->error = errno_of(ack->error);
	reply->finished = true;
	if (!reply->error && !reply->messages)
		return pp_error_set(err, "malformed_reply", PP_EXIT_FAILED,
				    "the netlink request was acknowledged but not answered");
	return 0;
}

static int done_message(struct pp_nl_reply *reply, const struct nlmsghdr *nlh,
			struct pp_error *err)
{
	size_t len = mnl_nlmsg_get_payload_len(nlh);
	const char *payload = mnl_nlmsg_get_payload(nlh);
	int error;

	if (len < sizeof(error))
		return truncated(err, "end of list");
	memcpy(&error, payload, sizeof(error));
	if (nlh->nlmsg_flags & NLM_F_ACK_TLVS && len > sizeof(error))
		extended_ack(reply, payload + sizeof(error), len - sizeof(error));
	reply->error = error < 0 ? errno_of(error) : 0;
	reply->finished = true;
	return 0;
}

static int one_message(struct pp_nl_reply *reply, const struct nlmsghdr *nlh,
		       struct pp_error *err)
{
	size_t len = mnl_nlmsg_get_payload_len(nlh);

	if (nlh->nlmsg_flags & NLM_F_DUMP_INTR)
		reply->interrupted = true;
	switch (nlh->nlmsg_type) {
	case NLMSG_NOOP:
		return 0;
	case NLMSG_ERROR:
		return error_message(reply, nlh, err);
	case NLMSG_DONE:
		return done_message(reply, nlh, err);
	}
	if (nlh->nlmsg_type != reply->type)
		return pp_error_set(err, "malformed_reply", PP_EXIT_FAILED,
				    "netlink reply of type %u, type %u was asked for",
				    nlh->nlmsg_type, reply->type);
	if (len < GENL_HDRLEN)
		return truncated(err, "no room for the generic netlink header");
	reply->messages++;
	return reply->sink->message((const char *)mnl_nlmsg_get_payload(nlh) + GENL_HDRLEN,
				    len - GENL_HDRLEN, reply->sink->arg, err);
}

/* As mnl_nlmsg_ok(), which lets lengths above 2^31 pass. */
static bool whole(const struct nlmsghdr *nlh, int left)
{
	return left >= (int)sizeof(*nlh) && nlh->nlmsg_len >= sizeof(*nlh) &&
	       nlh->nlmsg_len <= (uint32_t)left;
}

/**
 * pp_nl_reply_packet - take one packet apart
 * @packet: aligned as struct nlmsghdr
 *
 * Return: 0; look at @reply for whether it is finished and how. -1 with @err
 * filled in when the packet is malformed or the sink refused a message.
 */
int pp_nl_reply_packet(struct pp_nl_reply *reply, const void *packet, size_t len,
		       struct pp_error *err)
{
	const struct nlmsghdr *nlh = packet;
	int left = (int)len;

	while (left > 0 && !reply->finished) {
		if (!whole(nlh, left))
			return truncated(err, "a message says it is longer than what arrived");
		if (nlh->nlmsg_seq == reply->seq && nlh->nlmsg_pid == reply->portid &&
		    one_message(reply, nlh, err))
			return -1;
		nlh = mnl_nlmsg_next(nlh, &left);
	}
	return 0;
}

/** pp_nl_family_id - sink for CTRL_CMD_GETFAMILY; @arg is the uint16_t to set */
int pp_nl_family_id(const void *attrs, size_t len, void *arg, struct pp_error *err)
{
	static const struct pp_field fields[] = {
		{ CTRL_ATTR_FAMILY_ID, PP_WIRE_U16, 0, 0, NULL },
	};
	static const struct pp_layout layout = {
		"family", fields, 1, 1ULL << CTRL_ATTR_FAMILY_ID
	};

	return pp_decode(&layout, attrs, len, arg, NULL, err);
}
