/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef PEERPASS_NETLINK_H
#define PEERPASS_NETLINK_H

#include <net/genetlink.h>

#include "peerpass.h"

extern struct genl_family pp_genl_family;

int pp_nl_active(struct netlink_ext_ack *extack);
int pp_nl_device_doit(struct sk_buff *skb, struct genl_info *info);
int pp_nl_device_dump(struct sk_buff *skb, struct netlink_callback *cb);
int pp_nl_pair_dump(struct sk_buff *skb, struct netlink_callback *cb);
int pp_nl_window_dump(struct sk_buff *skb, struct netlink_callback *cb);
int pp_nl_reach_start(struct netlink_callback *cb);
int pp_nl_reach_dump(struct sk_buff *skb, struct netlink_callback *cb);
int pp_nl_set_doit(struct sk_buff *skb, struct genl_info *info);

/* What only a reply has is unknown in a request. */
#define PP_NL_REACH_MAXATTR	PEERPASS_A_REACH_TARGET_RID

extern const struct nla_policy pp_nl_reach_policy[PP_NL_REACH_MAXATTR + 1];
extern const struct nla_policy pp_nl_set_policy[PEERPASS_A_SET_MAX + 1];

int pp_netlink_init(void);
void pp_netlink_exit(void);

#endif /* PEERPASS_NETLINK_H */
