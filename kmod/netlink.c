// SPDX-License-Identifier: GPL-2.0-only
/*
 * The generic netlink family: registration, info and sync. The protocol is
 * described in include/uapi/linux/peerpass.h.
 */
#include <linux/module.h>

#include "device.h"
#include "fault_source.h"
#include "netlink.h"
#include "platform.h"
#include "policy.h"

/* An operation without request attributes refuses any. */
static const struct nla_policy no_attributes[] = {
	[1] = { .type = NLA_REJECT },
};

static const struct nla_policy device_policy[] = {
	[PEERPASS_A_DEV_DOMAIN] = { .type = NLA_U32 },
	[PEERPASS_A_DEV_RID] = { .type = NLA_U16 },
};

/* pp_nl_active - refuse what a module that does nothing cannot answer */
int pp_nl_active(struct netlink_ext_ack *extack)
{
	if (pp_run_state == PEERPASS_RUN_STATE_ACTIVE)
		return 0;
	NL_SET_ERR_MSG(extack, "the module was loaded to do nothing");
	return -EOPNOTSUPP;
}

static int put_unit(struct sk_buff *msg, struct pp_unit *unit)
{
	struct nlattr *nest = nla_nest_start(msg, PEERPASS_A_INFO_UNIT);
	struct pp_unit_report report;

	if (!nest)
		return -EMSGSIZE;
	pp_unit_report(unit, &report);
	if (nla_put_string(msg, PEERPASS_A_UNIT_NAME, report.name) ||
	    nla_put_u32(msg, PEERPASS_A_UNIT_ENTRIES, report.entries) ||
	    nla_put_u64_64bit(msg, PEERPASS_A_UNIT_TOTAL, report.total,
			      PEERPASS_A_UNIT_PAD) ||
	    nla_put_u64_64bit(msg, PEERPASS_A_UNIT_OVERFLOWS, report.overflows,
			      PEERPASS_A_UNIT_PAD) ||
	    nla_put_u64_64bit(msg, PEERPASS_A_UNIT_UNSEEN, report.unseen,
			      PEERPASS_A_UNIT_PAD) ||
	    nla_put_u32(msg, PEERPASS_A_UNIT_INEXACT, report.inexact)) {
		nla_nest_cancel(msg, nest);
		return -EMSGSIZE;
	}
	nla_nest_end(msg, nest);
	return 0;
}

static int put_probe(struct sk_buff *msg, struct pp_probe *probe)
{
	struct nlattr *nest = nla_nest_start(msg, PEERPASS_A_INFO_PROBE);

	if (!nest)
		return -EMSGSIZE;
	if (nla_put_string(msg, PEERPASS_A_PROBE_SYMBOL, probe->symbol) ||
	    nla_put_u64_64bit(msg, PEERPASS_A_PROBE_HITS,
			      atomic64_read(&probe->hits),
			      PEERPASS_A_PROBE_PAD) ||
	    nla_put_u64_64bit(msg, PEERPASS_A_PROBE_MISSED, probe->kp.nmissed,
			      PEERPASS_A_PROBE_PAD)) {
		nla_nest_cancel(msg, nest);
		return -EMSGSIZE;
	}
	nla_nest_end(msg, nest);
	return 0;
}

static int put_totals(struct sk_buff *msg)
{
	u64 overflows = 0, unseen = 0, boottime, realtime;
	unsigned int i;

	for (i = 0; i < pp_nr_units; i++) {
		struct pp_unit_report report;

		pp_unit_report(pp_units[i], &report);
		overflows += report.overflows;
		unseen += report.unseen;
	}
	pp_fault_since(&boottime, &realtime);
	if (nla_put_u32(msg, PEERPASS_A_INFO_SOURCE, pp_fault_source()) ||
	    nla_put_u32(msg, PEERPASS_A_INFO_INEXACT, pp_fault_inexact()) ||
	    nla_put_u64_64bit(msg, PEERPASS_A_INFO_TOTAL, pp_fault_total(),
			      PEERPASS_A_INFO_PAD) ||
	    nla_put_u64_64bit(msg, PEERPASS_A_INFO_OVERFLOWS, overflows,
			      PEERPASS_A_INFO_PAD) ||
	    nla_put_u64_64bit(msg, PEERPASS_A_INFO_UNSEEN, unseen,
			      PEERPASS_A_INFO_PAD) ||
	    nla_put_u64_64bit(msg, PEERPASS_A_INFO_SINCE_BOOTTIME_NS, boottime,
			      PEERPASS_A_INFO_PAD) ||
	    nla_put_u64_64bit(msg, PEERPASS_A_INFO_SINCE_REALTIME_NS, realtime,
			      PEERPASS_A_INFO_PAD))
		return -EMSGSIZE;
	return 0;
}

static int put_info(struct sk_buff *msg)
{
	struct pp_probe *probe;
	unsigned int i;

	if (nla_put_string(msg, PEERPASS_A_INFO_VERSION, PP_VERSION) ||
	    nla_put_u32(msg, PEERPASS_A_INFO_STATE, pp_run_state) ||
	    nla_put_string(msg, PEERPASS_A_INFO_POLICY, pp_policy_text()) ||
	    nla_put_u32(msg, PEERPASS_A_INFO_SNP, pp_platform_snp()))
		return -EMSGSIZE;
	/* A module that does nothing has not looked. */
	if (pp_run_state != PEERPASS_RUN_STATE_ACTIVE)
		return 0;
	if (nla_put_u32(msg, PEERPASS_A_INFO_IOMMU_KIND, pp_units_kind()) ||
	    put_totals(msg))
		return -EMSGSIZE;
	for (i = 0; i < pp_nr_units; i++)
		if (put_unit(msg, pp_units[i]))
			return -EMSGSIZE;
	for (i = 0; (probe = pp_fault_probe(i)); i++)
		if (put_probe(msg, probe))
			return -EMSGSIZE;
	return nla_put_u64_64bit(msg, PEERPASS_A_INFO_WINDOW_GENERATION,
				 atomic64_read(&pp_windows_generation),
				 PEERPASS_A_INFO_PAD);
}

/* Upper bound; a unit or a probe needs about 100 bytes. */
static size_t info_size(void)
{
	return 1024 + strlen(pp_policy_text()) + 160 * pp_nr_units +
	       160 * pp_fault_nr_probes();
}

static int info_doit(struct sk_buff *skb, struct genl_info *info)
{
	struct sk_buff *msg = genlmsg_new(info_size(), GFP_KERNEL);
	void *hdr;

	if (!msg)
		return -ENOMEM;
	hdr = genlmsg_put_reply(msg, info, &pp_genl_family, 0,
				PEERPASS_CMD_INFO_GET);
	if (!hdr || put_info(msg)) {
		nlmsg_free(msg);
		return -EMSGSIZE;
	}
	genlmsg_end(msg, hdr);
	return genlmsg_reply(msg, info);
}

/*
 * Must not wait: all families' requests hold one lock for reading, and a family
 * that wanted to register meanwhile would stop every other. Anybody may ask.
 */
static int sync_doit(struct sk_buff *skb, struct genl_info *info)
{
	int ret = pp_nl_active(info->extack);
	struct sk_buff *msg;
	bool drained;
	void *hdr;

	if (ret)
		return ret;
	msg = genlmsg_new(GENLMSG_DEFAULT_SIZE, GFP_KERNEL);
	if (!msg)
		return -ENOMEM;
	drained = pp_fault_look();
	hdr = genlmsg_put_reply(msg, info, &pp_genl_family, 0,
				PEERPASS_CMD_SYNC);
	if (!hdr || nla_put_u8(msg, PEERPASS_A_SYNC_DRAINED, drained) ||
	    nla_put_u64_64bit(msg, PEERPASS_A_SYNC_TOTAL, pp_fault_total(),
			      PEERPASS_A_SYNC_PAD)) {
		nlmsg_free(msg);
		return -EMSGSIZE;
	}
	genlmsg_end(msg, hdr);
	return genlmsg_reply(msg, info);
}

static const struct genl_ops operations[] = {
	{
		.cmd = PEERPASS_CMD_INFO_GET,
		.doit = info_doit,
		.policy = no_attributes,
		.maxattr = ARRAY_SIZE(no_attributes) - 1,
	},
	{
		.cmd = PEERPASS_CMD_DEV_GET,
		.doit = pp_nl_device_doit,
		.dumpit = pp_nl_device_dump,
		.policy = device_policy,
		.maxattr = ARRAY_SIZE(device_policy) - 1,
	},
	{
		.cmd = PEERPASS_CMD_PAIR_GET,
		.dumpit = pp_nl_pair_dump,
		.policy = no_attributes,
		.maxattr = ARRAY_SIZE(no_attributes) - 1,
	},
	{
		.cmd = PEERPASS_CMD_WINDOW_GET,
		.dumpit = pp_nl_window_dump,
		.policy = no_attributes,
		.maxattr = ARRAY_SIZE(no_attributes) - 1,
	},
	{
		.cmd = PEERPASS_CMD_REACH_GET,
		.start = pp_nl_reach_start,
		.dumpit = pp_nl_reach_dump,
		.policy = pp_nl_reach_policy,
		.maxattr = PP_NL_REACH_MAXATTR,
	},
	{
		.cmd = PEERPASS_CMD_SET,
		.doit = pp_nl_set_doit,
		.policy = pp_nl_set_policy,
		.maxattr = PEERPASS_A_SET_MAX,
	},
	{
		.cmd = PEERPASS_CMD_SYNC,
		.doit = sync_doit,
		.policy = no_attributes,
		.maxattr = ARRAY_SIZE(no_attributes) - 1,
	},
};

struct genl_family pp_genl_family __ro_after_init = {
	.name = PEERPASS_FAMILY_NAME,
	.version = PEERPASS_FAMILY_VERSION,
	.module = THIS_MODULE,
	.ops = operations,
	.n_ops = ARRAY_SIZE(operations),
	/* Every operation has locks of its own. */
	.parallel_ops = true,
};

int pp_netlink_init(void)
{
	return genl_register_family(&pp_genl_family);
}

/* pp_netlink_exit - no request is being served any more on return */
void pp_netlink_exit(void)
{
	genl_unregister_family(&pp_genl_family);
}

/*
 * No MODULE_ALIAS_GENL_FAMILY(): asking for a family needs no privilege, in any
 * namespace, and loading this module may switch domains.
 */
