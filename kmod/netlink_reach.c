// SPDX-License-Identifier: GPL-2.0-only
/*
 * Netlink: what a device's domain maps at the BARs of another one. The request is
 * checked once; each call of the dump finds both devices again, looks at a piece, and
 * holds nothing afterwards.
 */
#include <linux/pci.h>

#include "compat.h"
#include "netlink.h"
#include "reach.h"

/*
 * Pages that one call looks at. Others wait for pp_devices_lock meanwhile, and, in the
 * first call, for the lock that all families' requests have in common: some
 * milliseconds.
 */
#define PAGES_A_CALL	16384

const struct nla_policy pp_nl_reach_policy[PP_NL_REACH_MAXATTR + 1] = {
	[PEERPASS_A_REACH_INITIATOR_DOMAIN] = { .type = NLA_U32 },
	[PEERPASS_A_REACH_INITIATOR_RID] = { .type = NLA_U16 },
	[PEERPASS_A_REACH_TARGET_DOMAIN] = { .type = NLA_U32 },
	[PEERPASS_A_REACH_TARGET_RID] = { .type = NLA_U16 },
};

/**
 * struct reach_state - where a dump goes on, in cb->ctx
 * @initiator: pp_key() of it
 * @target: pp_key() of it
 * @offset: bytes of @bar that are done
 * @bar: BARs below it are done
 * @checked: the request is good, and the keys are filled in
 * @any: a BAR was there
 * @done: all is out
 */
struct reach_state {
	u64 initiator;
	u64 target;
	u64 offset;
	unsigned int bar;
	bool checked;
	bool any;
	bool done;
};

static struct reach_state *reach_state(struct netlink_callback *cb)
{
	BUILD_BUG_ON(sizeof(struct reach_state) > sizeof(cb->ctx));
	return (struct reach_state *)cb->ctx;
}

static u64 key_in(struct nlattr **attrs, int domain, int rid)
{
	return pp_key(nla_get_u32(attrs[domain]), nla_get_u16(attrs[rid]));
}

static bool known(u64 key)
{
	bool there;

	mutex_lock(&pp_devices_lock);
	there = xa_load(&pp_devices, key);
	mutex_unlock(&pp_devices_lock);
	return there;
}

static int check_request(struct netlink_callback *cb)
{
	struct netlink_ext_ack *extack = cb->extack;
	struct reach_state *state = reach_state(cb);
	struct nlattr **attrs = pp_dump_attrs(cb);
	int ret;

	if (NL_REQ_ATTR_CHECK(extack, NULL, attrs,
			      PEERPASS_A_REACH_INITIATOR_DOMAIN) ||
	    NL_REQ_ATTR_CHECK(extack, NULL, attrs,
			      PEERPASS_A_REACH_INITIATOR_RID) ||
	    NL_REQ_ATTR_CHECK(extack, NULL, attrs,
			      PEERPASS_A_REACH_TARGET_DOMAIN) ||
	    NL_REQ_ATTR_CHECK(extack, NULL, attrs,
			      PEERPASS_A_REACH_TARGET_RID)) {
		NL_SET_ERR_MSG(extack,
			       "domain and rid of initiator and target are required");
		return -EINVAL;
	}
	ret = pp_nl_active(extack);
	if (ret)
		return ret;
	state->initiator = key_in(attrs, PEERPASS_A_REACH_INITIATOR_DOMAIN,
				  PEERPASS_A_REACH_INITIATOR_RID);
	state->target = key_in(attrs, PEERPASS_A_REACH_TARGET_DOMAIN,
			       PEERPASS_A_REACH_TARGET_RID);
	if (!known(state->initiator)) {
		NL_SET_ERR_MSG_ATTR(extack,
				    attrs[PEERPASS_A_REACH_INITIATOR_RID],
				    "no such initiator");
		return -ENODEV;
	}
	if (!known(state->target)) {
		NL_SET_ERR_MSG_ATTR(extack, attrs[PEERPASS_A_REACH_TARGET_RID],
				    "no such target");
		return -ENODEV;
	}
	if (state->initiator == state->target) {
		NL_SET_ERR_MSG_ATTR(extack, attrs[PEERPASS_A_REACH_TARGET_RID],
				    "initiator and target are the same device");
		return -EINVAL;
	}
	state->checked = true;
	return 0;
}

/*
 * A refusal from here names the attribute, but some kernels (6.1) have no room for its
 * words here: there it is for the first call of the dump.
 */
int pp_nl_reach_start(struct netlink_callback *cb)
{
	return cb->extack ? check_request(cb) : 0;
}

static int put_reach(struct sk_buff *msg, const struct reach_state *state,
		     const struct pp_reach *reach)
{
	if (nla_put_u32(msg, PEERPASS_A_REACH_INITIATOR_DOMAIN,
			pp_key_domain(state->initiator)) ||
	    nla_put_u16(msg, PEERPASS_A_REACH_INITIATOR_RID,
			pp_key_rid(state->initiator)) ||
	    nla_put_u32(msg, PEERPASS_A_REACH_TARGET_DOMAIN,
			pp_key_domain(state->target)) ||
	    nla_put_u16(msg, PEERPASS_A_REACH_TARGET_RID,
			pp_key_rid(state->target)) ||
	    nla_put_u32(msg, PEERPASS_A_REACH_DOMAIN_TYPE, reach->type) ||
	    (reach->dma_ops && nla_put_flag(msg, PEERPASS_A_REACH_DMA_OPS)))
		return -EMSGSIZE;
	return 0;
}

static int put_bytes(struct sk_buff *msg, unsigned int bar,
		     const struct pp_reach_bytes *bytes)
{
	if (nla_put_u32(msg, PEERPASS_A_REACH_BAR, bar) ||
	    nla_put_u64_64bit(msg, PEERPASS_A_REACH_NONE, bytes->none,
			      PEERPASS_A_REACH_PAD) ||
	    nla_put_u64_64bit(msg, PEERPASS_A_REACH_SELF, bytes->self,
			      PEERPASS_A_REACH_PAD) ||
	    nla_put_u64_64bit(msg, PEERPASS_A_REACH_FOREIGN, bytes->foreign,
			      PEERPASS_A_REACH_PAD) ||
	    nla_put_u64_64bit(msg, PEERPASS_A_REACH_UNKNOWN, bytes->unknown,
			      PEERPASS_A_REACH_PAD))
		return -EMSGSIZE;
	return 0;
}

/* @bytes: NULL when the target has no memory BAR */
static int put_message(struct sk_buff *skb, struct netlink_callback *cb,
		       const struct pp_reach *reach,
		       const struct pp_reach_bytes *bytes)
{
	const struct reach_state *state = reach_state(cb);
	void *hdr = genlmsg_put(skb, NETLINK_CB(cb->skb).portid,
				cb->nlh->nlmsg_seq, &pp_genl_family,
				NLM_F_MULTI, PEERPASS_CMD_REACH_GET);

	if (!hdr)
		return -EMSGSIZE;
	if (put_reach(skb, state, reach) ||
	    (bytes && put_bytes(skb, state->bar, bytes))) {
		genlmsg_cancel(skb, hdr);
		return -EMSGSIZE;
	}
	genl_dump_check_consistent(cb, hdr);
	genlmsg_end(skb, hdr);
	return 0;
}

/* Return: 0 when all is out, or as much as a call may look at. */
static int dump_bars(struct sk_buff *skb, struct netlink_callback *cb,
		     const struct pp_reach *reach)
{
	struct reach_state *state = reach_state(cb);
	unsigned int pages = PAGES_A_CALL;

	for (; state->bar < PCI_STD_NUM_BARS; state->bar++, state->offset = 0) {
		struct pp_reach_bytes bytes;
		u64 looked;

		if (!pp_bar_assigned(reach->target->pdev, state->bar))
			continue;
		if (!pages)
			return 0;
		looked = pp_reach_look(reach, state->bar, state->offset,
				       &pages, &bytes);
		if (put_message(skb, cb, reach, &bytes))
			return -EMSGSIZE;
		state->any = true;
		state->offset += looked;
		if (state->offset < pci_resource_len(reach->target->pdev,
						     state->bar))
			return 0;
	}
	if (!state->any && put_message(skb, cb, reach, NULL))
		return -EMSGSIZE;
	state->done = true;
	return 0;
}

/* Context: pp_devices_lock held. */
static int dump_some(struct sk_buff *skb, struct netlink_callback *cb)
{
	const struct reach_state *state = reach_state(cb);
	const struct pp_device *initiator, *target;
	struct pp_reach reach;
	int ret;

	initiator = xa_load(&pp_devices, state->initiator);
	target = xa_load(&pp_devices, state->target);
	if (!initiator || !target) {
		NL_SET_ERR_MSG(cb->extack, "the device went meanwhile");
		return -ENODEV;
	}
	ret = pp_reach_begin(&reach, initiator, target);
	if (ret) {
		NL_SET_ERR_MSG(cb->extack,
			       "a driver of the initiator or the target is in its probe or remove");
		return ret;
	}
	return dump_bars(skb, cb, &reach);
}

int pp_nl_reach_dump(struct sk_buff *skb, struct netlink_callback *cb)
{
	const struct reach_state *state = reach_state(cb);
	int ret = 0;

	if (!state->checked)
		ret = check_request(cb);
	if (ret || state->done)
		return ret;
	mutex_lock(&pp_devices_lock);
	/* None of them ever falls, so that the sum tells a change of any. */
	cb->seq = pp_devices_generation + pp_drivers_generation +
		  (u32)atomic64_read(&pp_windows_generation) + 1;
	ret = dump_some(skb, cb);
	mutex_unlock(&pp_devices_lock);
	/* What did not fit comes with the next call, if anything did. */
	if (ret == -EMSGSIZE && skb->len)
		ret = 0;
	return ret ?: skb->len;
}
