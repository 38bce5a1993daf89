// SPDX-License-Identifier: GPL-2.0-only
/* What the module says about a domain, added up, and what it comes to. */
#include <libmnl/libmnl.h>
#include <stdlib.h>

#include "reach.h"
#include "test.h"
#include "uapi/linux/peerpass.h"

static const struct pp_bdf from = { 0, 0x0100 }, to = { 1, 0x4100 };
static char message[1024];
static struct pp_error err;

static struct nlmsghdr *begin(void)
{
	struct nlmsghdr *nlh = mnl_nlmsg_put_header(message);

	mnl_attr_put_u32(nlh, PEERPASS_A_REACH_INITIATOR_DOMAIN, from.domain);
	mnl_attr_put_u16(nlh, PEERPASS_A_REACH_INITIATOR_RID, from.rid);
	mnl_attr_put_u32(nlh, PEERPASS_A_REACH_TARGET_DOMAIN, to.domain);
	mnl_attr_put_u16(nlh, PEERPASS_A_REACH_TARGET_RID, to.rid);
	mnl_attr_put_u32(nlh, PEERPASS_A_REACH_DOMAIN_TYPE, PEERPASS_DOMAIN_TYPE_DMA_FQ);
	return nlh;
}

static void put_bytes(struct nlmsghdr *nlh, uint32_t bar, uint64_t none, uint64_t self,
		      uint64_t foreign, uint64_t unknown)
{
	mnl_attr_put_u32(nlh, PEERPASS_A_REACH_BAR, bar);
	mnl_attr_put_u64(nlh, PEERPASS_A_REACH_NONE, none);
	mnl_attr_put_u64(nlh, PEERPASS_A_REACH_SELF, self);
	mnl_attr_put_u64(nlh, PEERPASS_A_REACH_FOREIGN, foreign);
	mnl_attr_put_u64(nlh, PEERPASS_A_REACH_UNKNOWN, unknown);
}

/* From memory of exactly its own length. */
static int take_part(struct nlmsghdr *nlh, size_t len, struct pp_reach *reach)
{
	char *exact = malloc(len + !len);
	int ret;

	memcpy(exact, mnl_nlmsg_get_payload(nlh), len);
	memset(&err, 0, sizeof(err));
	ret = pp_reach_message(exact, len, reach, &err);
	free(exact);
	return ret;
}

static int take(struct nlmsghdr *nlh, struct pp_reach *reach)
{
	return take_part(nlh, mnl_nlmsg_get_payload_len(nlh), reach);
}

static int piece(struct pp_reach *reach, uint32_t bar, uint64_t none, uint64_t self,
		 uint64_t foreign, uint64_t unknown)
{
	struct nlmsghdr *nlh = begin();

	put_bytes(nlh, bar, none, self, foreign, unknown);
	return take(nlh, reach);
}

static void reach_adds_pieces(void)
{
	struct pp_reach reach;
	struct nlmsghdr *nlh = begin();

	pp_reach_init(&reach, from, to);
	CHECK(!reach.answered, "answered before anything was said");
	CHECK(!piece(&reach, 0, 256, 0, 0, 0), "%s", err.message);
	CHECK(!reach.dma_ops, "dma_ops without the flag");
	mnl_attr_put(nlh, PEERPASS_A_REACH_DMA_OPS, 0, NULL);
	put_bytes(nlh, 2, 1, 2, 3, 4);
	CHECK(!take(nlh, &reach), "%s", err.message);
	CHECK(!piece(&reach, 2, 10, 20, 30, 40), "%s", err.message);
	CHECK(!piece(&reach, 2, 1ULL << 37, 0, 0, 0), "%s", err.message);
	CHECK(reach.answered && reach.dma_ops, "flags");
	CHECK_NUM(reach.domain_type, PEERPASS_DOMAIN_TYPE_DMA_FQ, "domain");
	CHECK(reach.bars[0].there && !reach.bars[1].there && reach.bars[2].there, "BARs");
	CHECK_NUM(reach.bars[0].none, 256, "BAR 0");
	CHECK_NUM(reach.bars[2].none, 11 + (1LL << 37), "none");
	CHECK_NUM(reach.bars[2].self, 22, "self");
	CHECK_NUM(reach.bars[2].foreign, 33, "foreign");
	CHECK_NUM(reach.bars[2].unknown, 44, "unknown");
}

static void reach_without_bars(void)
{
	struct pp_reach reach;

	pp_reach_init(&reach, from, to);
	CHECK(!take(begin(), &reach), "%s", err.message);
	CHECK(reach.answered, "not answered");
	CHECK_NUM(pp_reach_sum(&reach), PP_REACH_NOTHING, "sum");
}

static void reach_sums(void)
{
	static const struct {
		uint64_t bars[2][4];
		enum pp_reach_sum sum;
	} cases[] = {
		{ { { 1, 0, 0, 0 }, { 1, 0, 0, 0 } }, PP_REACH_NOTHING },
		{ { { 0, 0, 0, 0 }, { 0, 0, 0, 0 } }, PP_REACH_NOTHING },
		{ { { 0, 1, 0, 0 }, { 0, 1, 0, 0 } }, PP_REACH_ITSELF },
		{ { { 1, 0, 0, 0 }, { 0, 1, 0, 0 } }, PP_REACH_PARTLY },
		{ { { 0, 1, 0, 0 }, { 1, 1, 0, 0 } }, PP_REACH_PARTLY },
		{ { { 0, 1, 0, 0 }, { 0, 1, 1, 0 } }, PP_REACH_FOREIGN },
		{ { { 0, 0, 1, 0 }, { 0, 0, 0, 1 } }, PP_REACH_FOREIGN },
		{ { { 0, 0, 0, 1 }, { 0, 0, 1, 0 } }, PP_REACH_FOREIGN },
		{ { { 0, 1, 0, 0 }, { 0, 0, 0, 1 } }, PP_REACH_UNKNOWN },
		{ { { 1, 0, 0, 0 }, { 0, 0, 0, 1 } }, PP_REACH_UNKNOWN },
		{ { { 0, 0, 0, ~0ULL }, { 1, 1, 0, 0 } }, PP_REACH_UNKNOWN },
		{ { { 0, 1ULL << 63, 0, 0 }, { 0, 1, 0, 0 } }, PP_REACH_ITSELF },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct pp_reach reach;

		pp_reach_init(&reach, from, to);
		for (unsigned int b = 0; b < 2; b++) {
			const uint64_t *n = cases[i].bars[b];

			CHECK(!piece(&reach, 5 * b, n[0], n[1], n[2], n[3]), "%s", err.message);
		}
		CHECK(pp_reach_sum(&reach) == cases[i].sum, "case %zu: %d", i,
		      pp_reach_sum(&reach));
	}
}

static void refused(struct pp_reach *reach, struct nlmsghdr *nlh, const char *text)
{
	CHECK(take(nlh, reach) == -1, "taken: %s", text);
	CHECK_STR(err.code ? err.code : "", "malformed_reply", text);
	CHECK(strstr(err.message, text), "\"%s\" instead of \"%s\"", err.message, text);
}

static void reach_malformed(void)
{
	static const uint16_t required[] = {
		PEERPASS_A_REACH_INITIATOR_DOMAIN, PEERPASS_A_REACH_INITIATOR_RID,
		PEERPASS_A_REACH_TARGET_DOMAIN, PEERPASS_A_REACH_TARGET_RID,
		PEERPASS_A_REACH_DOMAIN_TYPE, PEERPASS_A_REACH_NONE, PEERPASS_A_REACH_SELF,
		PEERPASS_A_REACH_FOREIGN, PEERPASS_A_REACH_UNKNOWN,
	};
	struct pp_bdf elsewhere = { 0, 0x0200 };
	struct pp_reach reach;
	struct nlmsghdr *nlh;
	struct nlattr *attr;

	/* Each attribute that must be there, turned into one that is not known. */
	for (size_t i = 0; i < sizeof(required) / sizeof(required[0]); i++) {
		pp_reach_init(&reach, from, to);
		nlh = begin();
		put_bytes(nlh, 1, 0, 4096, 0, 0);
		mnl_attr_for_each(attr, nlh, 0)
			if (mnl_attr_get_type(attr) == required[i])
				attr->nla_type = 60;
		refused(&reach, nlh, "missing attribute");
	}
	pp_reach_init(&reach, from, elsewhere);
	nlh = begin();
	put_bytes(nlh, 1, 0, 4096, 0, 0);
	refused(&reach, nlh, "other devices");
	pp_reach_init(&reach, elsewhere, to);
	refused(&reach, nlh, "other devices");
	pp_reach_init(&reach, from, to);
	nlh = begin();
	put_bytes(nlh, PP_REACH_BARS, 0, 4096, 0, 0);
	refused(&reach, nlh, "no such BAR");
	pp_reach_init(&reach, from, to);
	CHECK(!piece(&reach, 1, 0, 0, 0, ~0ULL), "%s", err.message);
	nlh = begin();
	put_bytes(nlh, 1, 0, 0, 0, 1);
	refused(&reach, nlh, "more bytes");
	nlh = begin();
	mnl_attr_put_u16(nlh, PEERPASS_A_REACH_BAR, 1);
	refused(&reach, nlh, "wrong length");
}

static void reach_unknown_attributes(void)
{
	struct pp_reach reach;
	struct nlmsghdr *nlh = begin();

	pp_reach_init(&reach, from, to);
	mnl_attr_put_strz(nlh, PEERPASS_A_REACH_MAX + 1, "of a later version");
	put_bytes(nlh, 1, 0, 4096, 0, 0);
	mnl_attr_put_u64(nlh, 200, 7);
	CHECK(!take(nlh, &reach), "%s", err.message);
	CHECK_NUM(reach.bars[1].self, 4096, "self");
}

/* Not a byte behind the message is read, whatever is in it. */
static void reach_every_prefix_and_byte(void)
{
	static const unsigned char values[] = { 0, 1, 3, 4, 8, 0x7f, 0x80, 0xff };
	struct nlmsghdr *nlh = begin();
	struct pp_reach reach;
	size_t len;
	char *payload = mnl_nlmsg_get_payload(nlh);

	put_bytes(nlh, 1, 0, 4096, 0, 0);
	len = mnl_nlmsg_get_payload_len(nlh);
	for (size_t cut = 0; cut < len; cut++) {
		pp_reach_init(&reach, from, to);
		/* Whole attributes may be gone: then it has no BAR. */
		if (!take_part(nlh, cut, &reach))
			CHECK(!reach.bars[1].there, "cut at %zu of %zu", cut, len);
	}
	for (size_t at = 0; at < len; at++) {
		char old = payload[at];

		for (size_t v = 0; v < sizeof(values); v++) {
			payload[at] = (char)values[v];
			pp_reach_init(&reach, from, to);
			if (take(nlh, &reach))
				CHECK(err.code && err.message[0], "byte %zu: no message", at);
		}
		payload[at] = old;
	}
}

int main(void)
{
	RUN(reach_adds_pieces);
	RUN(reach_without_bars);
	RUN(reach_sums);
	RUN(reach_malformed);
	RUN(reach_unknown_attributes);
	RUN(reach_every_prefix_and_byte);
	return test_failures != 0;
}
