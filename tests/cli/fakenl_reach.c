// SPDX-License-Identifier: GPL-2.0-only
/* What a made-up domain maps at the BARs of another device (world.h, "reach"). */
#include <stdlib.h>
#include <string.h>

#include "fakenl_packet.h"
#include "fakenl_reach.h"
#include "uapi/linux/peerpass.h"

/* The two devices that a reach request names. */
struct asked {
	uint32_t domain[2];
	uint16_t rid[2];
};

static struct asked reach_asked(void)
{
	struct asked asked = { { 0 }, { 0 } };
	const struct nlattr *attr;

	mnl_attr_for_each(attr, packet.request, GENL_HDRLEN) {
		switch (mnl_attr_get_type(attr)) {
		case PEERPASS_A_REACH_INITIATOR_DOMAIN:
			asked.domain[0] = mnl_attr_get_u32(attr);
			break;
		case PEERPASS_A_REACH_INITIATOR_RID:
			asked.rid[0] = mnl_attr_get_u16(attr);
			break;
		case PEERPASS_A_REACH_TARGET_DOMAIN:
			asked.domain[1] = mnl_attr_get_u32(attr);
			break;
		case PEERPASS_A_REACH_TARGET_RID:
			asked.rid[1] = mnl_attr_get_u16(attr);
			break;
		default:
			abort();
		}
	}
	return asked;
}

/* Is a line about the devices that were asked for? */
static bool reach_wanted(const char *text)
{
	static const char *const keys[] = { "initiator", "target" };
	struct asked asked = reach_asked();

	for (int i = 0; i < 2; i++) {
		char value[64];
		uint32_t domain;
		uint16_t rid;

		if (!world_get(text, keys[i], value, sizeof(value)))
			return false;
		world_bdf(value, &domain, &rid);
		if (domain != asked.domain[i] || rid != asked.rid[i])
			return false;
	}
	return true;
}

static void put_reach(const char *text, uint16_t flags)
{
	static const struct key fields[] = {
		{ "domain", PEERPASS_A_REACH_DOMAIN_TYPE, 32, 10 },
		{ "dma_ops", PEERPASS_A_REACH_DMA_OPS, 1, 10 },
		{ "bar", PEERPASS_A_REACH_BAR, 32, 10 },
		{ "none", PEERPASS_A_REACH_NONE, 64, 10 },
		{ "self", PEERPASS_A_REACH_SELF, 64, 10 },
		{ "foreign", PEERPASS_A_REACH_FOREIGN, 64, 10 },
		{ "unknown", PEERPASS_A_REACH_UNKNOWN, 64, 10 },
	};
	struct asked asked = reach_asked();
	struct nlmsghdr *nlh = packet_begin_genl(PEERPASS_CMD_REACH_GET, flags);

	mnl_attr_put_u32(nlh, PEERPASS_A_REACH_INITIATOR_DOMAIN, asked.domain[0]);
	mnl_attr_put_u16(nlh, PEERPASS_A_REACH_INITIATOR_RID, asked.rid[0]);
	mnl_attr_put_u32(nlh, PEERPASS_A_REACH_TARGET_DOMAIN, asked.domain[1]);
	mnl_attr_put_u16(nlh, PEERPASS_A_REACH_TARGET_RID, asked.rid[1]);
	packet_keys(nlh, text, KEYS(fields));
	packet_end(nlh);
}

/* Without a line about the pair the target's BAR 1 is reached, all of it. */
void fake_put_reaches(const struct world *world, uint16_t flags)
{
	struct nlmsghdr *nlh;
	bool any = false;

	for (size_t i = 0; i < world->n; i++) {
		if (strcmp(world->lines[i].kind, "reach") || !reach_wanted(world->lines[i].text))
			continue;
		put_reach(world->lines[i].text, NLM_F_MULTI | flags);
		any = true;
	}
	if (!any)
		put_reach(" domain=3 bar=1 none=0 self=34359738368 foreign=0 unknown=0",
			  NLM_F_MULTI | flags);
	nlh = packet_begin(NLMSG_DONE, NLM_F_MULTI | flags);
	*(int *)mnl_nlmsg_put_extra_header(nlh, sizeof(int)) = 0;
	packet_end(nlh);
}
