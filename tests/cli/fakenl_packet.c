// SPDX-License-Identifier: GPL-2.0-only
/* The packet that an answer is built in. */
#include <stdlib.h>
#include <string.h>

#include "fakenl_answer.h"
#include "fakenl_packet.h"
#include "world.h"

struct packet packet;

struct nlmsghdr *packet_begin(uint16_t type, uint16_t flags)
{
	struct nlmsghdr *nlh = mnl_nlmsg_put_header(packet.data + packet.used);

	nlh->nlmsg_type = type;
	nlh->nlmsg_flags = flags;
	nlh->nlmsg_seq = packet.request->nlmsg_seq;
	nlh->nlmsg_pid = FAKE_PORT_ID;
	return nlh;
}

void packet_end(struct nlmsghdr *nlh)
{
	packet.used += NLMSG_ALIGN(nlh->nlmsg_len);
	if (packet.used > PACKET_SIZE / 2)
		abort();
}

void packet_flush(void)
{
	if (packet.used)
		fake_send(packet.data, packet.used);
	packet.used = 0;
}

struct nlmsghdr *packet_begin_genl(uint8_t cmd, uint16_t flags)
{
	struct nlmsghdr *nlh = packet_begin(packet.request->nlmsg_type, flags);
	struct genlmsghdr *genl = mnl_nlmsg_put_extra_header(nlh, sizeof(*genl));

	genl->cmd = cmd;
	genl->version = 1;
	return nlh;
}

void packet_ack(int error, const char *text)
{
	struct nlmsghdr *nlh = packet_begin(NLMSG_ERROR, NLM_F_CAPPED |
					    (text ? NLM_F_ACK_TLVS : 0));
	struct nlmsgerr *ack = mnl_nlmsg_put_extra_header(nlh, sizeof(*ack));

	ack->error = -error;
	ack->msg = *packet.request;
	if (text)
		mnl_attr_put_strz(nlh, NLMSGERR_ATTR_MSG, text);
	packet_end(nlh);
}

void packet_keys(struct nlmsghdr *nlh, const char *text, const struct key *keys, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		char value[4600];
		uint64_t number;

		if (!world_get(text, keys[i].name, value, sizeof(value)))
			continue;
		number = strtoull(value, NULL, keys[i].base);
		switch (keys[i].width) {
		case 0:
			mnl_attr_put_strz(nlh, keys[i].type, value);
			break;
		case 1:
			if (number)
				mnl_attr_put(nlh, keys[i].type, 0, NULL);
			break;
		case 8:
			mnl_attr_put_u8(nlh, keys[i].type, (uint8_t)number);
			break;
		case 16:
			mnl_attr_put_u16(nlh, keys[i].type, (uint16_t)number);
			break;
		case 32:
			mnl_attr_put_u32(nlh, keys[i].type, (uint32_t)number);
			break;
		default:
			mnl_attr_put_u64(nlh, keys[i].type, number);
		}
	}
}
