// SPDX-License-Identifier: GPL-2.0-only
/* What a device's IOMMU domain maps at the BARs of another one. */
#include <errno.h>
#include <libmnl/libmnl.h>
#include <string.h>

#include "decode.h"
#include "reach.h"
#include "uapi/linux/peerpass.h"

/* Of one attempt. The module looks at every page, and large BARs have 64 million. */
#define TIMEOUT_MS 60000

#define BIT(n) (1ULL << (n))
#define FIELD(type, wire, member) { type, wire, offsetof(struct piece, member), 0, NULL }

struct piece {
	struct pp_bdf initiator;
	struct pp_bdf target;
	uint32_t domain_type;
	bool dma_ops;
	uint32_t bar;
	struct pp_reach_bar bytes;
};

static const struct pp_field fields[] = {
	FIELD(PEERPASS_A_REACH_INITIATOR_DOMAIN, PP_WIRE_U32, initiator.domain),
	FIELD(PEERPASS_A_REACH_INITIATOR_RID, PP_WIRE_U16, initiator.rid),
	FIELD(PEERPASS_A_REACH_TARGET_DOMAIN, PP_WIRE_U32, target.domain),
	FIELD(PEERPASS_A_REACH_TARGET_RID, PP_WIRE_U16, target.rid),
	FIELD(PEERPASS_A_REACH_DOMAIN_TYPE, PP_WIRE_U32, domain_type),
	FIELD(PEERPASS_A_REACH_DMA_OPS, PP_WIRE_FLAG, dma_ops),
	FIELD(PEERPASS_A_REACH_BAR, PP_WIRE_U32, bar),
	FIELD(PEERPASS_A_REACH_NONE, PP_WIRE_U64, bytes.none),
	FIELD(PEERPASS_A_REACH_SELF, PP_WIRE_U64, bytes.self),
	FIELD(PEERPASS_A_REACH_FOREIGN, PP_WIRE_U64, bytes.foreign),
	FIELD(PEERPASS_A_REACH_UNKNOWN, PP_WIRE_U64, bytes.unknown),
};

#define FIELDS (sizeof(fields) / sizeof(fields[0]))
#define REQUIRED (BIT(PEERPASS_A_REACH_INITIATOR_DOMAIN) | BIT(PEERPASS_A_REACH_INITIATOR_RID) | \
		  BIT(PEERPASS_A_REACH_TARGET_DOMAIN) | BIT(PEERPASS_A_REACH_TARGET_RID) | \
		  BIT(PEERPASS_A_REACH_DOMAIN_TYPE))
#define COUNTS (BIT(PEERPASS_A_REACH_NONE) | BIT(PEERPASS_A_REACH_SELF) | \
		BIT(PEERPASS_A_REACH_FOREIGN) | BIT(PEERPASS_A_REACH_UNKNOWN))

static const struct pp_layout layout = { "reach", fields, FIELDS, REQUIRED };
/* An absent count must not read as no byte. */
static const struct pp_layout bar_layout = { "reach", fields, FIELDS, REQUIRED | COUNTS };

static int malformed(struct pp_error *err, const char *what)
{
	return pp_error_set(err, "malformed_reply", PP_EXIT_FAILED,
			    "malformed netlink reply: reach: %s", what);
}

static int add(uint64_t *sum, uint64_t bytes, struct pp_error *err)
{
	if (__builtin_add_overflow(*sum, bytes, sum))
		return malformed(err, "more bytes than there are addresses");
	return 0;
}

/**
 * pp_reach_init - nothing is known yet
 */
void pp_reach_init(struct pp_reach *reach, struct pp_bdf initiator, struct pp_bdf target)
{
	memset(reach, 0, sizeof(*reach));
	reach->initiator = initiator;
	reach->target = target;
}

/**
 * pp_reach_message - add what one message says
 * @reach: begun with pp_reach_init()
 *
 * Return: 0, or -1 with @err filled in.
 */
int pp_reach_message(const void *attrs, size_t len, struct pp_reach *reach, struct pp_error *err)
{
	struct piece piece = { 0 };
	struct pp_reach_bar *bar;
	uint64_t seen;

	if (pp_decode(&layout, attrs, len, &piece, &seen, err))
		return -1;
	if (!pp_bdf_equal(piece.initiator, reach->initiator) ||
	    !pp_bdf_equal(piece.target, reach->target))
		return malformed(err, "it is about other devices than was asked for");
	reach->answered = true;
	reach->domain_type = piece.domain_type;
	reach->dma_ops |= piece.dma_ops;
	if (!(seen & BIT(PEERPASS_A_REACH_BAR)))
		return 0;
	if (pp_decode(&bar_layout, attrs, len, &piece, NULL, err))
		return -1;
	if (piece.bar >= PP_REACH_BARS)
		return malformed(err, "there is no such BAR");
	bar = &reach->bars[piece.bar];
	bar->there = true;
	return add(&bar->none, piece.bytes.none, err) || add(&bar->self, piece.bytes.self, err) ||
	       add(&bar->foreign, piece.bytes.foreign, err) ||
	       add(&bar->unknown, piece.bytes.unknown, err) ? -1 : 0;
}

/**
 * pp_reach_sum - what all BARs together come to
 *
 * The worst that is known of any byte decides: foreign, then unknown.
 */
enum pp_reach_sum pp_reach_sum(const struct pp_reach *reach)
{
	bool none = false, self = false, foreign = false, unknown = false;

	for (unsigned int i = 0; i < PP_REACH_BARS; i++) {
		none |= reach->bars[i].none != 0;
		self |= reach->bars[i].self != 0;
		foreign |= reach->bars[i].foreign != 0;
		unknown |= reach->bars[i].unknown != 0;
	}
	if (foreign)
		return PP_REACH_FOREIGN;
	if (unknown)
		return PP_REACH_UNKNOWN;
	if (self)
		return none ? PP_REACH_PARTLY : PP_REACH_ITSELF;
	return PP_REACH_NOTHING;
}

static int message(const void *attrs, size_t len, void *arg, struct pp_error *err)
{
	return pp_reach_message(attrs, len, arg, err);
}

static void restart(void *arg)
{
	struct pp_reach *reach = arg;

	pp_reach_init(reach, reach->initiator, reach->target);
}

/**
 * pp_reach_get - PEERPASS_CMD_REACH_GET for one pair
 * @reach: filled in; not to be used after -1
 *
 * Where the module has to look at every page, 32 GiB of BARs took 1 to 3 s in an
 * emulated machine. Needs no privilege.
 *
 * Return: 0, or -1 with @err filled in; pp_nl_errno() then tells EBUSY, a driver of one
 * of the two is in its probe or remove, and ENODEV.
 */
int pp_reach_get(struct pp_nl *nl, struct pp_bdf initiator, struct pp_bdf target,
		 struct pp_reach *reach, struct pp_error *err)
{
	const struct pp_nl_sink sink = { message, restart, reach };
	struct nlmsghdr *nlh = pp_nl_request(nl, PEERPASS_CMD_REACH_GET, true);

	pp_reach_init(reach, initiator, target);
	mnl_attr_put_u32(nlh, PEERPASS_A_REACH_INITIATOR_DOMAIN, initiator.domain);
	mnl_attr_put_u16(nlh, PEERPASS_A_REACH_INITIATOR_RID, initiator.rid);
	mnl_attr_put_u32(nlh, PEERPASS_A_REACH_TARGET_DOMAIN, target.domain);
	mnl_attr_put_u16(nlh, PEERPASS_A_REACH_TARGET_RID, target.rid);
	if (!pp_nl_run_long(nl, &sink, TIMEOUT_MS, err)) {
		/* Silence must not read as nothing mapped. */
		return reach->answered ? 0 : malformed(err, "an empty list");
	}
	if (pp_nl_errno(nl) != EOPNOTSUPP)
		return -1;
	pp_error_set(err, "refused", PP_EXIT_FAILED,
		     "the peerpass module that is loaded cannot tell what a device's domain maps");
	return pp_error_hint(err, "it is older than this command, or was loaded with off=1");
}
