/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The policy grammar. One parser, built into the module and into the helper.
 *
 *	policy    = [ rule *( "," rule ) ]
 *	rule      = selector "=" mode [ ":" set ] *( "+" flag )
 *	selector  = ( bdf [ "/" id ] / id ) [ "@" class ] [ "@node" N ]
 *	bdf       = DDDD:BB:DD.F		hexadecimal, F 0..7, DD 00..1f
 *	id        = ( VVVV / "*" ) ":" ( DDDD / "*" )
 *	class     = CCCC / CC "*"		base class and subclass
 *	mode      = "observe" / "identity" / "off" / "peer" / "auto"
 *	set       = 1..15 of a-z 0-9 _ -
 *	flag      = "class" / "group" / "force" / "all" / "initiator" / "target"
 *
 * No white space. The first rule that matches a device decides. A rule by
 * address that finds another device than the id it expects also decides: that
 * device is left alone.
 */
#ifndef PEERPASS_POLICY_PARSE_H
#define PEERPASS_POLICY_PARSE_H

#ifdef __KERNEL__
#include <linux/types.h>
#else
#include <stdbool.h>
#include <stddef.h>
#endif

/*
 * Rules in one policy, characters in one (what a module parameter can show), and
 * characters in a set's name.
 */
#define PP_POLICY_MAX_RULES	256
#define PP_POLICY_MAX_LEN	4094
#define PP_POLICY_SET_LEN	15

/**
 * struct pp_rule - one parsed rule
 * @by_bdf: the selector is an address; otherwise it is an id
 * @has_id: @vendor and @device count (always so when not @by_bdf)
 * @any_vendor: vendor is "*"
 * @any_device: device is "*"
 * @class_mask: bits of the 16-bit class code that must match, 0 for no class
 * @has_node: @node counts
 * @mode: enum peerpass_mode
 * @flags: PEERPASS_RULE_FLAG_*
 * @set: name of the set of peers, or ""
 * @pos: position of the rule in the text, counted from 1
 */
struct pp_rule {
	bool by_bdf;
	bool has_id;
	bool any_vendor;
	bool any_device;
	bool has_node;
	unsigned int domain;
	unsigned short rid;
	unsigned short vendor;
	unsigned short device;
	unsigned short class_code;
	unsigned short class_mask;
	int node;
	unsigned int mode;
	unsigned int flags;
	unsigned int pos;
	char set[PP_POLICY_SET_LEN + 1];
};

/**
 * struct pp_policy_error - where and why a policy was refused
 * @rule: number of the rule, counted from 1
 * @pos: character in the whole text, counted from 1
 * @msg: static text, no period at its end
 */
struct pp_policy_error {
	unsigned int rule;
	unsigned int pos;
	const char *msg;
};

/**
 * struct pp_device_id - what a selector can look at
 * @rid: bus in the high byte, device and function in the low one
 * @class_code: base class and subclass, 16 bits
 * @node: NUMA node, -1 when unknown
 */
struct pp_device_id {
	unsigned int domain;
	unsigned short rid;
	unsigned short vendor;
	unsigned short device;
	unsigned short class_code;
	int node;
};

int pp_policy_parse(const char *text, struct pp_rule *rules, unsigned int max,
		    struct pp_policy_error *err);
int pp_policy_check_sense(const struct pp_rule *rules, unsigned int nr,
			      struct pp_policy_error *err);
int pp_policy_match(const struct pp_rule *rules, unsigned int nr,
		    const struct pp_device_id *id, bool *id_mismatch);
bool pp_policy_class_allowed(const struct pp_rule *rule,
			     unsigned short class_code);
const char *pp_policy_mode_name(unsigned int mode);

#endif /* PEERPASS_POLICY_PARSE_H */
