// SPDX-License-Identifier: GPL-2.0-only
/*
 * Netlink: giving a device another mode at run time.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/cred.h>
#include <linux/sched.h>
#include <linux/string.h>
#include <net/genetlink.h>
#include <net/netlink.h>

#include "device.h"
#include "netlink.h"
#include "order.h"
#include "reason.h"
#include "work.h"

#define KNOWN_FLAGS	(PEERPASS_RULE_FLAG_CLASS | PEERPASS_RULE_FLAG_GROUP | \
			 PEERPASS_RULE_FLAG_FORCE | PEERPASS_RULE_FLAG_ALL | \
			 PEERPASS_RULE_FLAG_INITIATOR | \
			 PEERPASS_RULE_FLAG_TARGET)

const struct nla_policy pp_nl_set_policy[PEERPASS_A_SET_MAX + 1] = {
	[PEERPASS_A_SET_DOMAIN] = { .type = NLA_U32 },
	[PEERPASS_A_SET_RID] = { .type = NLA_U16 },
	[PEERPASS_A_SET_MODE] =
		NLA_POLICY_MAX(NLA_U32, PEERPASS_MODE_MAX),
	[PEERPASS_A_SET_SET] = { .type = NLA_NUL_STRING,
				 .len = PP_POLICY_SET_LEN },
	[PEERPASS_A_SET_FLAGS] = NLA_POLICY_MASK(NLA_U32, KNOWN_FLAGS),
	[PEERPASS_A_SET_REASON] = { .type = NLA_REJECT },
	[PEERPASS_A_SET_DETAIL] = { .type = NLA_REJECT },
	[PEERPASS_A_SET_WHY] = { .type = NLA_REJECT },
};

static struct pci_dev *find(u32 domain, u16 rid)
{
	struct pci_dev *pdev = NULL;
	struct pp_device *dev;

	mutex_lock(&pp_devices_lock);
	dev = xa_load(&pp_devices, pp_key(domain, rid));
	if (dev)
		pdev = pci_dev_get(dev->pdev);
	mutex_unlock(&pp_devices_lock);
	return pdev;
}

/* A name that the policy could not have is not taken here either. */
static bool good_set(const char *set)
{
	return *set && !set[strspn(set, "abcdefghijklmnopqrstuvwxyz0123456789_-")];
}

/* What the request asks, as a rule: what makes no sense there makes none here. */
static int read_order(struct genl_info *info, struct pci_dev *pdev,
		      struct pp_order *order)
{
	struct nlattr **attrs = info->attrs;
	struct pp_policy_error err = {};
	struct pp_rule rule = { .by_bdf = true };
	const char *set = NULL;
	unsigned int flags;

	if (!attrs[PEERPASS_A_SET_MODE]) {
		if (attrs[PEERPASS_A_SET_SET] || attrs[PEERPASS_A_SET_FLAGS]) {
			NL_SET_ERR_MSG(info->extack,
				       "a set or flags without a mode");
			return -EINVAL;
		}
		pp_order_from_policy(pdev, order);
		return 0;
	}
	rule.mode = nla_get_u32(attrs[PEERPASS_A_SET_MODE]);
	if (attrs[PEERPASS_A_SET_FLAGS])
		rule.flags = nla_get_u32(attrs[PEERPASS_A_SET_FLAGS]);
	if (attrs[PEERPASS_A_SET_SET]) {
		set = nla_data(attrs[PEERPASS_A_SET_SET]);
		if (!good_set(set)) {
			NL_SET_ERR_MSG_ATTR(info->extack,
					    attrs[PEERPASS_A_SET_SET],
					    "name of a set: a-z, 0-9, \"_\" and \"-\"");
			return -EINVAL;
		}
		strscpy(rule.set, set, sizeof(rule.set));
	}
	/* To end identity it means all that hold the group in it. */
	flags = rule.flags;
	if (rule.mode != PEERPASS_MODE_IDENTITY &&
	    rule.mode != PEERPASS_MODE_AUTO)
		rule.flags &= ~PEERPASS_RULE_FLAG_GROUP;
	if (pp_policy_check_sense(&rule, 1, &err)) {
		NL_SET_ERR_MSG_ATTR(info->extack, attrs[PEERPASS_A_SET_MODE],
				    "mode, set and flags do not go together");
		return -EINVAL;
	}
	pp_order_from_request(pdev, rule.mode, flags, set, order);
	return 0;
}

/* One line for each request, whatever became of it: who, what, from, to. */
static void audit(struct pci_dev *pdev, const struct pp_order *from,
		  const struct pp_order *to, int ret,
		  const struct pp_result *result)
{
	char how[64];

	if (ret)
		snprintf(how, sizeof(how), "error %d", ret);
	else if (result->reason)
		snprintf(how, sizeof(how), "refused, %s",
			 pp_reason_text(result->reason));
	else
		strscpy(how, "done", sizeof(how));
	pci_info(pdev, "peerpass: set by uid %u, pid %d (%s): %s -> %s%s: %s\n",
		 from_kuid(&init_user_ns, current_uid()),
		 task_tgid_nr(current), current->comm,
		 pp_policy_mode_name(from->mode), pp_policy_mode_name(to->mode),
		 to->flags & PEERPASS_RULE_FLAG_FORCE ? "+force" : "", how);
}

/* Return: NULL when there is no memory; then nothing has been done yet. */
static struct sk_buff *answer_new(struct genl_info *info, void **hdr)
{
	struct sk_buff *msg = genlmsg_new(GENLMSG_DEFAULT_SIZE, GFP_KERNEL);

	if (!msg)
		return NULL;
	*hdr = genlmsg_put_reply(msg, info, &pp_genl_family, 0,
				 PEERPASS_CMD_SET);
	if (*hdr)
		return msg;
	nlmsg_free(msg);
	return NULL;
}

static int answer(struct genl_info *info, struct sk_buff *msg, void *hdr,
		  const struct pp_result *result)
{
	struct nlattr **attrs = info->attrs;

	if (nla_put_u32(msg, PEERPASS_A_SET_DOMAIN,
			nla_get_u32(attrs[PEERPASS_A_SET_DOMAIN])) ||
	    nla_put_u16(msg, PEERPASS_A_SET_RID,
			nla_get_u16(attrs[PEERPASS_A_SET_RID])) ||
	    nla_put_u32(msg, PEERPASS_A_SET_MODE, result->mode) ||
	    nla_put_u32(msg, PEERPASS_A_SET_REASON, result->reason) ||
	    (result->detail[0] && nla_put_string(msg, PEERPASS_A_SET_DETAIL,
						 result->detail)) ||
	    (result->why &&
	     nla_put_u32(msg, PEERPASS_A_SET_WHY, result->why))) {
		nlmsg_free(msg);
		return -EMSGSIZE;
	}
	genlmsg_end(msg, hdr);
	return genlmsg_reply(msg, info);
}

/* Does what is asked, and says so in the log. */
static int do_request(struct genl_info *info, struct pci_dev *pdev,
		      struct pp_result *result)
{
	struct pp_order from, to;
	int ret;

	ret = read_order(info, pdev, &to);
	if (ret)
		return ret;
	if (!pp_device_order(pdev, &from))
		return -ENODEV;
	ret = pp_work_request(pdev, &to, result);
	audit(pdev, &from, &to, ret, result);
	if (ret == -ETIMEDOUT)
		NL_SET_ERR_MSG(info->extack,
			       "not done yet, and still may be: see status");
	return ret;
}

/*
 * Waits, which holds up families that register meanwhile: only somebody who may do
 * anything can make it wait, and not for long.
 */
int pp_nl_set_doit(struct sk_buff *skb, struct genl_info *info)
{
	struct nlattr **attrs = info->attrs;
	struct pp_result result = {};
	struct pci_dev *pdev;
	struct sk_buff *msg;
	void *hdr;
	int ret;

	if (!netlink_capable(skb, CAP_SYS_ADMIN)) {
		NL_SET_ERR_MSG(info->extack,
			       "needs CAP_SYS_ADMIN in the initial user namespace");
		return -EPERM;
	}
	if (GENL_REQ_ATTR_CHECK(info, PEERPASS_A_SET_DOMAIN) ||
	    GENL_REQ_ATTR_CHECK(info, PEERPASS_A_SET_RID)) {
		NL_SET_ERR_MSG(info->extack, "domain and rid are required");
		return -EINVAL;
	}
	ret = pp_nl_active(info->extack);
	if (ret)
		return ret;
	pdev = find(nla_get_u32(attrs[PEERPASS_A_SET_DOMAIN]),
		    nla_get_u16(attrs[PEERPASS_A_SET_RID]));
	if (!pdev) {
		NL_SET_ERR_MSG(info->extack, "no such device");
		return -ENODEV;
	}
	msg = answer_new(info, &hdr);
	ret = msg ? do_request(info, pdev, &result) : -ENOMEM;
	pci_dev_put(pdev);
	if (!ret)
		return answer(info, msg, hdr, &result);
	nlmsg_free(msg);
	return ret;
}
