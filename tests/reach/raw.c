// SPDX-License-Identifier: GPL-2.0-only
/*
 * A reach dump with whatever attributes are named, past the library: prints how many
 * messages came, and all that a refusal says.
 */
#include <libmnl/libmnl.h>
#include <linux/genetlink.h>
#include <linux/netlink.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "raw.h"
#include "uapi/linux/peerpass.h"

static const struct {
	const char *name;
	uint16_t type;
	size_t len;
} attributes[] = {
	{ "initiator_domain", PEERPASS_A_REACH_INITIATOR_DOMAIN, 4 },
	{ "initiator_rid", PEERPASS_A_REACH_INITIATOR_RID, 2 },
	{ "target_domain", PEERPASS_A_REACH_TARGET_DOMAIN, 4 },
	{ "target_rid", PEERPASS_A_REACH_TARGET_RID, 2 },
	/* What the policy is to refuse. */
	{ "bar", PEERPASS_A_REACH_BAR, 4 },
	{ "target_rid_u32", PEERPASS_A_REACH_TARGET_RID, 4 },
	{ "attribute_60", 60, 4 },
};

static char buf[65536];

static const char *name_of(unsigned int type)
{
	for (size_t i = 0; i < sizeof(attributes) / sizeof(attributes[0]); i++)
		if (attributes[i].type == type)
			return attributes[i].name;
	return "?";
}

static int put(struct nlmsghdr *nlh, const char *text)
{
	for (size_t i = 0; i < sizeof(attributes) / sizeof(attributes[0]); i++) {
		size_t len = strlen(attributes[i].name);
		uint32_t value;
		uint16_t half;

		if (strncmp(text, attributes[i].name, len) || text[len] != '=')
			continue;
		value = (uint32_t)strtoul(text + len + 1, NULL, 0);
		half = (uint16_t)value;
		mnl_attr_put(nlh, attributes[i].type, attributes[i].len,
			     attributes[i].len == 2 ? (void *)&half : (void *)&value);
		return 0;
	}
	fprintf(stderr, "reach-get: no attribute '%s'\n", text);
	return -1;
}

static struct nlmsghdr *request(uint16_t type, uint16_t flags, uint8_t cmd)
{
	struct nlmsghdr *nlh = mnl_nlmsg_put_header(buf);
	struct genlmsghdr *genl = mnl_nlmsg_put_extra_header(nlh, sizeof(*genl));

	nlh->nlmsg_type = type;
	nlh->nlmsg_flags = NLM_F_REQUEST | flags;
	nlh->nlmsg_seq = 1;
	genl->cmd = cmd;
	genl->version = 1;
	return nlh;
}

static uint16_t family(struct mnl_socket *nl)
{
	struct nlmsghdr *nlh = request(GENL_ID_CTRL, 0, CTRL_CMD_GETFAMILY);
	const struct nlattr *attr;

	mnl_attr_put_strz(nlh, CTRL_ATTR_FAMILY_NAME, PEERPASS_FAMILY_NAME);
	if (mnl_socket_sendto(nl, nlh, nlh->nlmsg_len) < 0 ||
	    mnl_socket_recvfrom(nl, buf, sizeof(buf)) < 0)
		return 0;
	nlh = (struct nlmsghdr *)buf;
	if (nlh->nlmsg_type != GENL_ID_CTRL)
		return 0;
	mnl_attr_for_each(attr, nlh, GENL_HDRLEN)
		if (mnl_attr_get_type(attr) == CTRL_ATTR_FAMILY_ID)
			return mnl_attr_get_u16(attr);
	return 0;
}

/* @at: offset of the attributes of the acknowledgement, from its payload */
static void print_refusal(const struct nlmsghdr *nlh, size_t at, int error,
			  const struct nlmsghdr *asked)
{
	const struct nlattr *attr;

	printf("%s", strerrorname_np(-error));
	if (!(nlh->nlmsg_flags & NLM_F_ACK_TLVS))
		return;
	mnl_attr_for_each(attr, nlh, at) {
		uint32_t off;

		switch (mnl_attr_get_type(attr)) {
		case NLMSGERR_ATTR_MSG:
			printf(" \"%s\"", mnl_attr_get_str(attr));
			break;
		case NLMSGERR_ATTR_OFFS:
			off = mnl_attr_get_u32(attr);
			printf(" at %s", off + NLA_HDRLEN > asked->nlmsg_len ? "?" :
			       name_of(mnl_attr_get_type((const void *)((const char *)asked + off))));
			break;
		case NLMSGERR_ATTR_MISS_TYPE:
			printf(" without %s", name_of(mnl_attr_get_u32(attr)));
			break;
		}
	}
}

/* Returns true at the end of the dump. */
static bool packet(const void *data, int len, unsigned int *messages, bool *interrupted,
		   const struct nlmsghdr *asked)
{
	const struct nlmsghdr *nlh;

	for (nlh = data; mnl_nlmsg_ok(nlh, len); nlh = mnl_nlmsg_next(nlh, &len)) {
		const int *error = mnl_nlmsg_get_payload(nlh);

		*interrupted |= (nlh->nlmsg_flags & NLM_F_DUMP_INTR) != 0;
		if (nlh->nlmsg_type == NLMSG_ERROR) {
			/* Capped: the request's header, and nothing else of it. */
			print_refusal(nlh, sizeof(struct nlmsgerr), *error, asked);
			printf(" at once\n");
			return true;
		}
		if (nlh->nlmsg_type == NLMSG_DONE) {
			if (*error)
				print_refusal(nlh, sizeof(*error), *error, asked);
			else
				printf(*interrupted ? "complete, interrupted" : "complete");
			printf(" after %s\n", *messages ? "messages" : "none");
			return true;
		}
		++*messages;
	}
	return false;
}

/**
 * raw_dump - ask with these attributes only
 * @attrs: NAME=NUMBER
 * @between: command to run after the first packet; may be NULL
 */
int raw_dump(char **attrs, int count, const char *between)
{
	struct mnl_socket *nl = mnl_socket_open(NETLINK_GENERIC);
	static char asked[1024];
	struct nlmsghdr *nlh;
	unsigned int messages = 0;
	bool interrupted = false;
	uint16_t id;
	ssize_t len;
	int on = 1;

	if (!nl || mnl_socket_bind(nl, 0, MNL_SOCKET_AUTOPID) < 0)
		return 1;
	mnl_socket_setsockopt(nl, NETLINK_EXT_ACK, &on, sizeof(on));
	mnl_socket_setsockopt(nl, NETLINK_CAP_ACK, &on, sizeof(on));
	id = family(nl);
	nlh = request(id, NLM_F_DUMP, PEERPASS_CMD_REACH_GET);
	for (int i = 0; i < count; i++)
		if (put(nlh, attrs[i]))
			return 2;
	memcpy(asked, nlh, nlh->nlmsg_len);
	if (!id || mnl_socket_sendto(nl, nlh, nlh->nlmsg_len) < 0)
		return 1;
	do {
		len = mnl_socket_recvfrom(nl, buf, sizeof(buf));
		if (len < 0)
			return 1;
		if (packet(buf, (int)len, &messages, &interrupted,
			   (struct nlmsghdr *)asked))
			break;
		if (between && system(between))
			return 1;
		between = NULL;
	} while (1);
	mnl_socket_close(nl);
	return 0;
}
