// SPDX-License-Identifier: GPL-2.0-only
/*
 * Netlink messages about devices and about pairs that faulted.
 */
#include <linux/pci.h>

#include "device.h"
#include "fault_source.h"
#include "fault_table.h"
#include "group.h"
#include "netlink.h"
#include "window.h"

/* Where a dump goes on, in cb->ctx. */
struct dump_state {
	unsigned long key;
	unsigned int pos;
	bool devices_done;
};

static struct dump_state *dump_state(struct netlink_callback *cb)
{
	BUILD_BUG_ON(sizeof(struct dump_state) > sizeof(cb->ctx));
	return (struct dump_state *)cb->ctx;
}

static int refuse_attributes(struct netlink_callback *cb)
{
	if (!nlmsg_attrlen(cb->nlh, GENL_HDRLEN))
		return 0;
	NL_SET_ERR_MSG(cb->extack, "a dump takes no attributes");
	return -EINVAL;
}

static int put_counts(struct sk_buff *msg, const struct pp_fault_counts *counts)
{
	unsigned int kind;

	if (nla_put_u64_64bit(msg, PEERPASS_A_DEV_TOTAL, counts->total,
			      PEERPASS_A_DEV_PAD))
		return -EMSGSIZE;
	for (kind = 0; kind < PP_FAULT_KINDS; kind++) {
		struct nlattr *nest;

		if (!counts->by_kind[kind])
			continue;
		nest = nla_nest_start(msg, PEERPASS_A_DEV_COUNT);
		if (!nest || nla_put_u32(msg, PEERPASS_A_COUNT_KIND, kind) ||
		    nla_put_u64_64bit(msg, PEERPASS_A_COUNT_VALUE,
				      counts->by_kind[kind],
				      PEERPASS_A_COUNT_PAD))
			return -EMSGSIZE;
		nla_nest_end(msg, nest);
	}
	return 0;
}

/* What became of a decision since it was taken. */
static enum peerpass_reason reason_now(const struct pp_device *dev,
				       enum peerpass_domain_type actual,
				       const struct pp_fault_counts *counts)
{
	bool identity = actual == PEERPASS_DOMAIN_TYPE_IDENTITY;
	bool peer = dev->mode == PEERPASS_MODE_PEER;

	if ((!peer && dev->mode != PEERPASS_MODE_IDENTITY) || dev->reason)
		return dev->reason;
	if (actual == PEERPASS_DOMAIN_TYPE_UNMANAGED ||
	    actual == PEERPASS_DOMAIN_TYPE_BLOCKED)
		return PEERPASS_REASON_IN_USE;
	if (peer)
		return pp_windows_complete(dev) ? PEERPASS_REASON_NONE :
						  PEERPASS_REASON_PEERS_MISSING;
	if (!identity)
		return dev->decided ? PEERPASS_REASON_CHANGED_BY_OTHER :
				      PEERPASS_REASON_NONE;
	if (dev->switched &&
	    counts->by_kind[PEERPASS_FAULT_KIND_ILLEGAL_DEV_TABLE_ENTRY] >
	    dev->dte_base)
		return PEERPASS_REASON_ILLEGAL_DTE;
	return PEERPASS_REASON_NONE;
}

static u32 inexact_of(struct pci_dev *pdev)
{
	struct pp_unit *unit = pp_unit_of_device(pdev);
	struct pp_unit_report report;

	if (!unit)
		return pp_fault_inexact();
	pp_unit_report(unit, &report);
	return report.inexact;
}

static int put_identity(struct sk_buff *msg, const struct pp_device *dev)
{
	struct pci_dev *pdev = dev->pdev;

	if (nla_put_flag(msg, PEERPASS_A_DEV_PRESENT) ||
	    nla_put_u16(msg, PEERPASS_A_DEV_VENDOR, pdev->vendor) ||
	    nla_put_u16(msg, PEERPASS_A_DEV_DEVICE, pdev->device) ||
	    nla_put_u32(msg, PEERPASS_A_DEV_CLASS, pdev->class) ||
	    nla_put_s32(msg, PEERPASS_A_DEV_NUMA_NODE,
			dev_to_node(&pdev->dev)))
		return -EMSGSIZE;
	if (dev->group && nla_put_u32(msg, PEERPASS_A_DEV_GROUP,
				      pp_group_id(dev->group)))
		return -EMSGSIZE;
	return 0;
}

static int put_mode(struct sk_buff *msg, const struct pp_device *dev,
		    enum peerpass_domain_type actual,
		    enum peerpass_reason reason)
{
	if (dev->order.rule &&
	    (nla_put_flag(msg, PEERPASS_A_DEV_SELECTED) ||
	     nla_put_u32(msg, PEERPASS_A_DEV_RULE, dev->order.rule)))
		return -EMSGSIZE;
	if (dev->switched && (nla_put_flag(msg, PEERPASS_A_DEV_SWITCHED) ||
			      nla_put_u32(msg, PEERPASS_A_DEV_ORIGINAL,
					  dev->original)))
		return -EMSGSIZE;
	if (dev->driver[0] &&
	    nla_put_string(msg, PEERPASS_A_DEV_DRIVER, dev->driver))
		return -EMSGSIZE;
	if (dev->detail[0] && reason == dev->reason &&
	    nla_put_string(msg, PEERPASS_A_DEV_DETAIL, dev->detail))
		return -EMSGSIZE;
	if (nla_put_u32(msg, PEERPASS_A_DEV_WANTED, dev->order.mode) ||
	    nla_put_u32(msg, PEERPASS_A_DEV_ACTUAL, actual) ||
	    nla_put_u32(msg, PEERPASS_A_DEV_REASON, reason))
		return -EMSGSIZE;
	return 0;
}

static int put_flag_if(struct sk_buff *msg, bool set, int attribute)
{
	return set ? nla_put_flag(msg, attribute) : 0;
}

static int put_u32_if(struct sk_buff *msg, u32 value, int attribute)
{
	return value ? nla_put_u32(msg, attribute, value) : 0;
}

static int put_evidence(struct sk_buff *msg, const struct pp_device *dev)
{
	const struct pp_evidence *ev = &dev->evidence;
	struct nlattr *nest = nla_nest_start(msg, PEERPASS_A_DEV_EVIDENCE);

	if (!nest ||
	    put_flag_if(msg, ev->untrusted, PEERPASS_A_EVIDENCE_UNTRUSTED) ||
	    put_flag_if(msg, ev->pasid, PEERPASS_A_EVIDENCE_PASID) ||
	    put_flag_if(msg, ev->driver_bound,
			PEERPASS_A_EVIDENCE_DRIVER_BOUND) ||
	    put_flag_if(msg, ev->driver_override,
			PEERPASS_A_EVIDENCE_DRIVER_OVERRIDE) ||
	    put_flag_if(msg, ev->snp_mode0, PEERPASS_A_EVIDENCE_SNP_MODE0) ||
	    put_flag_if(msg, ev->memory_encryption,
			PEERPASS_A_EVIDENCE_MEMORY_ENCRYPTION) ||
	    put_flag_if(msg, ev->single_device_groups,
			PEERPASS_A_EVIDENCE_SINGLE_DEVICE_GROUPS) ||
	    put_u32_if(msg, ev->dma_bits, PEERPASS_A_EVIDENCE_DMA_BITS) ||
	    put_u32_if(msg, ev->kernel_said, PEERPASS_A_EVIDENCE_KERNEL_SAID) ||
	    nla_put_u32(msg, PEERPASS_A_EVIDENCE_MEMBERS, ev->members) ||
	    nla_put_u32(msg, PEERPASS_A_EVIDENCE_COMPANIONS, ev->companions) ||
	    nla_put_u32(msg, PEERPASS_A_EVIDENCE_SNP, ev->snp) ||
	    (ev->firmware && nla_put_string(msg, PEERPASS_A_EVIDENCE_FIRMWARE,
					    ev->firmware)))
		return -EMSGSIZE;
	nla_nest_end(msg, nest);
	return 0;
}

/* What is asked of the device and what was decided. */
static int put_decision(struct sk_buff *msg, const struct pp_device *dev)
{
	if (put_flag_if(msg, dev->order.by_request,
			PEERPASS_A_DEV_SET_BY_REQUEST) ||
	    nla_put_u32(msg, PEERPASS_A_DEV_MODE, dev->mode))
		return -EMSGSIZE;
	if (!pp_order_acts(&dev->order))
		return 0;
	if (nla_put_string(msg, PEERPASS_A_DEV_SET, dev->order.set) ||
	    put_u32_if(msg, dev->order.flags, PEERPASS_A_DEV_FLAGS) ||
	    put_u32_if(msg, dev->why, PEERPASS_A_DEV_WHY) ||
	    put_flag_if(msg, dev->forced, PEERPASS_A_DEV_FORCED))
		return -EMSGSIZE;
	return dev->decided ? put_evidence(msg, dev) : 0;
}

/* Context: pp_devices_lock held. */
static int put_known(struct sk_buff *msg, const struct pp_device *dev)
{
	enum peerpass_domain_type actual = pp_group_member_type(dev->group,
								dev->pdev);
	struct pp_fault_counts counts;
	u64 key = pp_key(pci_domain_nr(dev->pdev->bus), pci_dev_id(dev->pdev));

	pp_fault_counts(key, &counts);
	if (nla_put_u32(msg, PEERPASS_A_DEV_DOMAIN, pp_key_domain(key)) ||
	    nla_put_u16(msg, PEERPASS_A_DEV_RID, pp_key_rid(key)) ||
	    put_identity(msg, dev) ||
	    put_mode(msg, dev, actual, reason_now(dev, actual, &counts)) ||
	    put_decision(msg, dev) ||
	    put_counts(msg, &counts) ||
	    nla_put_u32(msg, PEERPASS_A_DEV_INEXACT, inexact_of(dev->pdev)))
		return -EMSGSIZE;
	return 0;
}

/* An initiator that is no device we know: gone, or an alias of a bridge. */
static int put_initiator(struct sk_buff *msg, u64 key,
			 const struct pp_fault_counts *counts)
{
	if (nla_put_u32(msg, PEERPASS_A_DEV_DOMAIN, pp_key_domain(key)) ||
	    nla_put_u16(msg, PEERPASS_A_DEV_RID, pp_key_rid(key)) ||
	    put_counts(msg, counts) ||
	    nla_put_u32(msg, PEERPASS_A_DEV_INEXACT, pp_fault_inexact()))
		return -EMSGSIZE;
	return 0;
}

static bool listed(const struct pp_device *dev)
{
	return dev->order.rule || dev->group;
}

static int put_found(struct sk_buff *msg, u64 key)
{
	struct pp_fault_counts counts;
	struct pp_device *dev;
	int ret;

	mutex_lock(&pp_devices_lock);
	dev = xa_load(&pp_devices, key);
	if (dev) {
		ret = put_known(msg, dev);
	} else {
		pp_fault_counts(key, &counts);
		ret = counts.total ? put_initiator(msg, key, &counts) : -ENODEV;
	}
	mutex_unlock(&pp_devices_lock);
	return ret;
}

int pp_nl_device_doit(struct sk_buff *skb, struct genl_info *info)
{
	struct sk_buff *msg;
	void *hdr;
	int ret;
	u64 key;

	if (GENL_REQ_ATTR_CHECK(info, PEERPASS_A_DEV_DOMAIN) ||
	    GENL_REQ_ATTR_CHECK(info, PEERPASS_A_DEV_RID)) {
		NL_SET_ERR_MSG(info->extack, "domain and rid are required");
		return -EINVAL;
	}
	ret = pp_nl_active(info->extack);
	if (ret)
		return ret;
	key = pp_key(nla_get_u32(info->attrs[PEERPASS_A_DEV_DOMAIN]),
		     nla_get_u16(info->attrs[PEERPASS_A_DEV_RID]));
	msg = genlmsg_new(GENLMSG_DEFAULT_SIZE, GFP_KERNEL);
	if (!msg)
		return -ENOMEM;
	hdr = genlmsg_put_reply(msg, info, &pp_genl_family, 0,
				PEERPASS_CMD_DEV_GET);
	ret = hdr ? put_found(msg, key) : -EMSGSIZE;
	if (ret) {
		if (ret == -ENODEV)
			NL_SET_ERR_MSG(info->extack,
				       "no such device and no fault from it");
		nlmsg_free(msg);
		return ret;
	}
	genlmsg_end(msg, hdr);
	return genlmsg_reply(msg, info);
}

static void *begin(struct sk_buff *skb, struct netlink_callback *cb, u8 cmd)
{
	return genlmsg_put(skb, NETLINK_CB(cb->skb).portid, cb->nlh->nlmsg_seq,
			   &pp_genl_family, NLM_F_MULTI, cmd);
}

/* Return: 0 when all are out, -EMSGSIZE when the message is full. */
static int dump_devices(struct sk_buff *skb, struct netlink_callback *cb)
{
	struct dump_state *state = dump_state(cb);
	struct pp_device *dev;
	unsigned long key;

	xa_for_each_start(&pp_devices, key, dev, state->key) {
		void *hdr;

		state->key = key;
		if (!listed(dev))
			continue;
		hdr = begin(skb, cb, PEERPASS_CMD_DEV_GET);
		if (!hdr)
			return -EMSGSIZE;
		if (put_known(skb, dev)) {
			genlmsg_cancel(skb, hdr);
			return -EMSGSIZE;
		}
		genl_dump_check_consistent(cb, hdr);
		genlmsg_end(skb, hdr);
	}
	return 0;
}

static int dump_initiators(struct sk_buff *skb, struct netlink_callback *cb)
{
	struct dump_state *state = dump_state(cb);
	struct pp_fault_counts counts;
	unsigned int pos = state->pos;
	u64 key;

	while (pp_fault_next_initiator(&pos, &key, &counts)) {
		struct pp_device *dev = xa_load(&pp_devices, key);
		void *hdr;

		if (!dev || !listed(dev)) {
			hdr = begin(skb, cb, PEERPASS_CMD_DEV_GET);
			if (!hdr)
				return -EMSGSIZE;
			if (dev ? put_known(skb, dev) :
				  put_initiator(skb, key, &counts)) {
				genlmsg_cancel(skb, hdr);
				return -EMSGSIZE;
			}
			genl_dump_check_consistent(cb, hdr);
			genlmsg_end(skb, hdr);
		}
		state->pos = pos;
	}
	state->pos = pos;
	return 0;
}

int pp_nl_device_dump(struct sk_buff *skb, struct netlink_callback *cb)
{
	struct dump_state *state = dump_state(cb);
	int ret = refuse_attributes(cb);

	if (ret || pp_run_state != PEERPASS_RUN_STATE_ACTIVE)
		return ret;
	mutex_lock(&pp_devices_lock);
	cb->seq = pp_devices_generation + 1;
	if (!state->devices_done) {
		ret = dump_devices(skb, cb);
		state->devices_done = !ret;
	}
	if (!ret)
		ret = dump_initiators(skb, cb);
	mutex_unlock(&pp_devices_lock);
	/* A device that does not even fit an empty message would loop. */
	return ret && !skb->len ? ret : skb->len;
}

static int put_pair(struct sk_buff *msg, const struct pp_fault_pair *pair)
{
	if (nla_put_u32(msg, PEERPASS_A_PAIR_INITIATOR_DOMAIN,
			pp_key_domain(pair->initiator)) ||
	    nla_put_u16(msg, PEERPASS_A_PAIR_INITIATOR_RID,
			pp_key_rid(pair->initiator)) ||
	    nla_put_u32(msg, PEERPASS_A_PAIR_CLASS, pair->class))
		return -EMSGSIZE;
	if (pair->class == PEERPASS_TARGET_CLASS_BAR &&
	    (nla_put_u32(msg, PEERPASS_A_PAIR_TARGET_DOMAIN,
			 pp_key_domain(pair->target)) ||
	     nla_put_u16(msg, PEERPASS_A_PAIR_TARGET_RID,
			 pp_key_rid(pair->target)) ||
	     nla_put_u32(msg, PEERPASS_A_PAIR_TARGET_BAR, pair->bar)))
		return -EMSGSIZE;
	if (nla_put_u64_64bit(msg, PEERPASS_A_PAIR_READ, pair->read,
			      PEERPASS_A_PAIR_PAD) ||
	    nla_put_u64_64bit(msg, PEERPASS_A_PAIR_WRITE, pair->write,
			      PEERPASS_A_PAIR_PAD) ||
	    nla_put_u64_64bit(msg, PEERPASS_A_PAIR_OTHER, pair->other,
			      PEERPASS_A_PAIR_PAD))
		return -EMSGSIZE;
	return 0;
}

int pp_nl_pair_dump(struct sk_buff *skb, struct netlink_callback *cb)
{
	struct dump_state *state = dump_state(cb);
	unsigned int pos = state->pos;
	struct pp_fault_pair pair;
	int ret = refuse_attributes(cb);

	if (ret || pp_run_state != PEERPASS_RUN_STATE_ACTIVE)
		return ret;
	while (pp_fault_next_pair(&pos, &pair)) {
		void *hdr = begin(skb, cb, PEERPASS_CMD_PAIR_GET);

		if (!hdr)
			break;
		if (put_pair(skb, &pair)) {
			genlmsg_cancel(skb, hdr);
			break;
		}
		genlmsg_end(skb, hdr);
		state->pos = pos;
	}
	return skb->len;
}

static int put_window(struct sk_buff *msg, const struct pp_device *dev,
		      const struct pp_window *window)
{
	const u64 key = pp_key(pci_domain_nr(dev->pdev->bus),
			       pci_dev_id(dev->pdev));

	if (nla_put_u32(msg, PEERPASS_A_WINDOW_INITIATOR_DOMAIN,
			pp_key_domain(key)) ||
	    nla_put_u16(msg, PEERPASS_A_WINDOW_INITIATOR_RID,
			pp_key_rid(key)) ||
	    nla_put_u32(msg, PEERPASS_A_WINDOW_TARGET_DOMAIN,
			pp_key_domain(window->target)) ||
	    nla_put_u16(msg, PEERPASS_A_WINDOW_TARGET_RID,
			pp_key_rid(window->target)) ||
	    nla_put_u32(msg, PEERPASS_A_WINDOW_STATE, window->state))
		return -EMSGSIZE;
	if (window->bar >= 0 &&
	    (nla_put_u32(msg, PEERPASS_A_WINDOW_BAR, window->bar) ||
	     nla_put_u64_64bit(msg, PEERPASS_A_WINDOW_SIZE, window->size,
			       PEERPASS_A_WINDOW_PAD)))
		return -EMSGSIZE;
	return 0;
}

/* Return: 0 when all are out, -EMSGSIZE when the message is full. */
static int dump_windows_of(struct sk_buff *skb, struct netlink_callback *cb,
			   const struct pp_device *dev)
{
	struct dump_state *state = dump_state(cb);
	const struct pp_window *window;
	unsigned int pos = 0;

	list_for_each_entry(window, &dev->windows, list) {
		void *hdr;

		if (pos++ < state->pos)
			continue;
		hdr = begin(skb, cb, PEERPASS_CMD_WINDOW_GET);
		if (!hdr)
			return -EMSGSIZE;
		if (put_window(skb, dev, window)) {
			genlmsg_cancel(skb, hdr);
			return -EMSGSIZE;
		}
		genl_dump_check_consistent(cb, hdr);
		genlmsg_end(skb, hdr);
		state->pos = pos;
	}
	return 0;
}

int pp_nl_window_dump(struct sk_buff *skb, struct netlink_callback *cb)
{
	struct dump_state *state = dump_state(cb);
	int ret = refuse_attributes(cb);
	struct pp_device *dev;
	unsigned long key;

	if (ret || pp_run_state != PEERPASS_RUN_STATE_ACTIVE)
		return ret;
	mutex_lock(&pp_devices_lock);
	cb->seq = pp_devices_generation + 1;
	xa_for_each_start(&pp_devices, key, dev, state->key) {
		if (key != state->key)
			state->pos = 0;
		state->key = key;
		ret = dump_windows_of(skb, cb, dev);
		if (ret)
			break;
	}
	if (!ret) {
		/* Nothing is above this. */
		state->key = ULONG_MAX;
		state->pos = 0;
	}
	mutex_unlock(&pp_devices_lock);
	return skb->len;
}
