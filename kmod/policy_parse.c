// SPDX-License-Identifier: GPL-2.0-only
/*
 * Parser and matcher of the policy grammar, see policy_parse.h. Pure functions
 * without allocation, for the module as for the helper.
 */
#ifdef __KERNEL__
#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/string.h>
#else
#include <errno.h>
#include <string.h>

#define ARRAY_SIZE(a)	(sizeof(a) / sizeof((a)[0]))
#endif

#include "uapi/linux/peerpass.h"
#include "policy_parse.h"

/* Where the parser stands, and what it has to say when it stops there. */
struct cursor {
	const char *text;
	const char *p;
	const char *msg;
};

static const char * const mode_names[] = {
	[PEERPASS_MODE_OBSERVE] = "observe",
	[PEERPASS_MODE_IDENTITY] = "identity",
	[PEERPASS_MODE_OFF] = "off",
	[PEERPASS_MODE_PEER] = "peer",
	[PEERPASS_MODE_AUTO] = "auto",
};

static const struct {
	const char *name;
	unsigned int bit;
} flag_names[] = {
	{ "class", PEERPASS_RULE_FLAG_CLASS },
	{ "group", PEERPASS_RULE_FLAG_GROUP },
	{ "force", PEERPASS_RULE_FLAG_FORCE },
	{ "all", PEERPASS_RULE_FLAG_ALL },
	{ "initiator", PEERPASS_RULE_FLAG_INITIATOR },
	{ "target", PEERPASS_RULE_FLAG_TARGET },
};

static bool fail(struct cursor *c, const char *msg)
{
	c->msg = msg;
	return false;
}

static int hex_digit(char ch)
{
	if (ch >= '0' && ch <= '9')
		return ch - '0';
	if (ch >= 'a' && ch <= 'f')
		return ch - 'a' + 10;
	if (ch >= 'A' && ch <= 'F')
		return ch - 'A' + 10;
	return -1;
}

/* Number of hexadecimal digits at @p, not looking further than @max + 1. */
static unsigned int hex_len(const char *p, unsigned int max)
{
	unsigned int n = 0;

	while (n <= max && hex_digit(p[n]) >= 0)
		n++;
	return n;
}

static bool take(struct cursor *c, char ch)
{
	if (*c->p != ch)
		return false;
	c->p++;
	return true;
}

/* Exactly @digits hexadecimal digits; more or fewer are an error. */
static bool take_hex(struct cursor *c, unsigned int digits, unsigned int *val,
		     const char *msg)
{
	unsigned int i, v = 0;

	if (hex_len(c->p, digits) != digits)
		return fail(c, msg);
	for (i = 0; i < digits; i++)
		v = v << 4 | (unsigned int)hex_digit(*c->p++);
	*val = v;
	return true;
}

/* Length of the run of lower-case letters, digits, "_" and "-" at @p. */
static size_t word_len(const char *p)
{
	size_t n = 0;

	while ((p[n] >= 'a' && p[n] <= 'z') || (p[n] >= '0' && p[n] <= '9') ||
	       p[n] == '_' || p[n] == '-')
		n++;
	return n;
}

static bool word_is(const char *p, size_t len, const char *name)
{
	return strlen(name) == len && !strncmp(p, name, len);
}

/*
 * "DDDD:BB:" starts an address, "VVVV:DDDD" an id. VMD domains have more than
 * four digits.
 */
static bool looks_like_bdf(const char *p)
{
	unsigned int n = hex_len(p, 8);

	return n >= 1 && p[n] == ':' && hex_len(p + n + 1, 8) == 2 &&
	       p[n + 3] == ':';
}

static bool parse_bdf(struct cursor *c, struct pp_rule *r)
{
	unsigned int digits = hex_len(c->p, 8), bus, slot, func;

	if (digits < 4 || digits > 8)
		return fail(c, "the domain of an address has 4 to 8 hexadecimal digits");
	if (!take_hex(c, digits, &r->domain, "domain expected") ||
	    !take(c, ':') ||
	    !take_hex(c, 2, &bus, "bus: two hexadecimal digits expected") ||
	    !take(c, ':'))
		return false;
	if (!take_hex(c, 2, &slot, "device: two hexadecimal digits expected"))
		return false;
	if (slot > 0x1f) {
		c->p -= 2;
		return fail(c, "device number above 1f");
	}
	if (!take(c, '.'))
		return fail(c, "\".\" and the function expected");
	if (!take_hex(c, 1, &func, "function: one digit expected"))
		return false;
	if (func > 7) {
		c->p -= 1;
		return fail(c, "function number above 7");
	}
	r->by_bdf = true;
	r->rid = (unsigned short)(bus << 8 | slot << 3 | func);
	return true;
}

static bool parse_id_half(struct cursor *c, bool *any, unsigned short *val,
			  const char *msg)
{
	unsigned int v;

	if (take(c, '*')) {
		*any = true;
		return true;
	}
	if (!take_hex(c, 4, &v, msg))
		return false;
	*val = (unsigned short)v;
	return true;
}

static bool parse_id(struct cursor *c, struct pp_rule *r)
{
	if (!parse_id_half(c, &r->any_vendor, &r->vendor,
			   "address DDDD:BB:DD.F or id VVVV:DDDD (\"*\" for any) expected"))
		return false;
	if (!take(c, ':'))
		return fail(c, "\":\" and the device id expected");
	if (!parse_id_half(c, &r->any_device, &r->device,
			   "device id: four hexadecimal digits or \"*\" expected"))
		return false;
	r->has_id = true;
	return true;
}

static bool parse_node(struct cursor *c, struct pp_rule *r)
{
	int v = 0, digits = 0;

	if (r->has_node)
		return fail(c, "a second @node");
	c->p += strlen("node");
	while (*c->p >= '0' && *c->p <= '9') {
		if (++digits > 4)
			return fail(c, "node number too large");
		v = v * 10 + (*c->p++ - '0');
	}
	if (!digits)
		return fail(c, "node number expected");
	r->has_node = true;
	r->node = v;
	return true;
}

static bool parse_class(struct cursor *c, struct pp_rule *r)
{
	static const char msg[] =
		"class: four hexadecimal digits, or two and \"*\", expected";
	unsigned int v;

	if (r->class_mask)
		return fail(c, "a second @class");
	if (hex_len(c->p, 4) == 2 && c->p[2] == '*') {
		if (!take_hex(c, 2, &v, msg))
			return false;
		c->p++;
		r->class_code = (unsigned short)(v << 8);
		r->class_mask = 0xff00;
		return true;
	}
	if (!take_hex(c, 4, &v, msg))
		return false;
	r->class_code = (unsigned short)v;
	r->class_mask = 0xffff;
	return true;
}

static bool parse_selector(struct cursor *c, struct pp_rule *r)
{
	if (looks_like_bdf(c->p)) {
		if (!parse_bdf(c, r))
			return false;
		if (take(c, '/') && !parse_id(c, r))
			return false;
	} else if (!parse_id(c, r)) {
		return false;
	}
	while (take(c, '@')) {
		if (!strncmp(c->p, "node", 4)) {
			if (!parse_node(c, r))
				return false;
		} else if (!parse_class(c, r)) {
			return false;
		}
	}
	return true;
}

static bool parse_mode(struct cursor *c, struct pp_rule *r)
{
	size_t len = word_len(c->p);
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(mode_names); i++) {
		if (word_is(c->p, len, mode_names[i])) {
			r->mode = i;
			c->p += len;
			return true;
		}
	}
	return fail(c, "unknown mode; observe, identity, off, peer or auto expected");
}

static bool parse_set(struct cursor *c, struct pp_rule *r)
{
	size_t len = word_len(c->p);

	if (!len)
		return fail(c, "name of a set expected (a-z, 0-9, \"_\", \"-\")");
	if (len > PP_POLICY_SET_LEN)
		return fail(c, "name of a set longer than 15 characters");
	memcpy(r->set, c->p, len);
	c->p += len;
	return true;
}

static bool parse_flag(struct cursor *c, struct pp_rule *r)
{
	size_t len = word_len(c->p);
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(flag_names); i++) {
		if (!word_is(c->p, len, flag_names[i].name))
			continue;
		if (r->flags & flag_names[i].bit)
			return fail(c, "flag given twice");
		r->flags |= flag_names[i].bit;
		c->p += len;
		return true;
	}
	return fail(c, "unknown flag; class, group, force, all, initiator or target expected");
}

static bool parse_rule(struct cursor *c, struct pp_rule *r)
{
	const char *start = c->p;

	memset(r, 0, sizeof(*r));
	r->pos = (unsigned int)(start - c->text) + 1;
	if (*c->p == ',' || !*c->p)
		return fail(c, "empty rule");
	if (!parse_selector(c, r))
		return false;
	if (!take(c, '='))
		return fail(c, "\"=\" and a mode expected");
	if (!parse_mode(c, r))
		return false;
	if (take(c, ':') && !parse_set(c, r))
		return false;
	while (take(c, '+')) {
		if (!parse_flag(c, r))
			return false;
	}
	if (*c->p && *c->p != ',')
		return fail(c, "unexpected character");
	return true;
}

/**
 * pp_policy_parse - parse a whole policy
 * @text: the policy, ended by NUL; the empty text is a policy without rules
 * @rules: room for @max rules
 * @max: at most PP_POLICY_MAX_RULES are useful
 * @err: filled in when the text is refused
 *
 * Syntax only; what goes together is pp_policy_check_sense()'s.
 *
 * Return: number of rules, or -EINVAL.
 */
int pp_policy_parse(const char *text, struct pp_rule *rules, unsigned int max,
		    struct pp_policy_error *err)
{
	struct cursor c = { .text = text, .p = text };
	unsigned int nr = 0;

	if (!*text)
		return 0;
	do {
		bool ok = nr < max ? parse_rule(&c, &rules[nr]) :
				     fail(&c, "too many rules");

		nr++;
		if (!ok) {
			err->rule = nr;
			err->pos = (unsigned int)(c.p - text) + 1;
			err->msg = c.msg ? c.msg : "malformed address";
			return -EINVAL;
		}
	} while (take(&c, ','));
	return (int)nr;
}

/* What is wrong with a rule that can be read, or NULL. */
static const char *nonsense(const struct pp_rule *rule)
{
	const unsigned int one_way = PEERPASS_RULE_FLAG_INITIATOR |
				     PEERPASS_RULE_FLAG_TARGET;
	bool identity = rule->mode == PEERPASS_MODE_IDENTITY;
	bool peer = rule->mode == PEERPASS_MODE_PEER;
	bool either = rule->mode == PEERPASS_MODE_AUTO;

	if (rule->flags & PEERPASS_RULE_FLAG_CLASS && !rule->by_bdf)
		return "flag \"class\" needs a rule by address";
	if (!identity && !peer && !either &&
	    (rule->set[0] || rule->flags & PEERPASS_RULE_FLAG_ALL))
		return "a set, or flag \"all\", needs mode \"identity\", \"peer\" or \"auto\"";
	if (rule->flags & (PEERPASS_RULE_FLAG_GROUP | PEERPASS_RULE_FLAG_FORCE) &&
	    !identity && !either)
		return "flags \"group\" and \"force\" need mode \"identity\" or \"auto\"";
	if (rule->flags & one_way && !identity && !peer && !either)
		return "flags \"initiator\" and \"target\" need mode \"identity\", \"peer\" or \"auto\"";
	if ((rule->flags & one_way) == one_way)
		return "flags \"initiator\" and \"target\" exclude each other";
	return NULL;
}

/**
 * pp_policy_check_sense - refuse what the grammar lets through and makes no sense
 * @rules: parsed rules
 * @nr: their number
 * @err: filled in when a rule is refused
 *
 * Return: 0, or -EINVAL with @err filled in.
 */
int pp_policy_check_sense(const struct pp_rule *rules, unsigned int nr,
			  struct pp_policy_error *err)
{
	unsigned int i;

	for (i = 0; i < nr; i++) {
		const char *msg = nonsense(&rules[i]);

		if (msg) {
			err->rule = i + 1;
			err->pos = rules[i].pos;
			err->msg = msg;
			return -EINVAL;
		}
	}
	return 0;
}

static bool id_matches(const struct pp_rule *r, const struct pp_device_id *id)
{
	return (r->any_vendor || r->vendor == id->vendor) &&
	       (r->any_device || r->device == id->device);
}

static bool class_and_node_match(const struct pp_rule *r,
				 const struct pp_device_id *id)
{
	return (id->class_code & r->class_mask) ==
		       (r->class_code & r->class_mask) &&
	       (!r->has_node || r->node == id->node);
}

/**
 * pp_policy_match - find the rule that decides about a device
 * @rules: parsed rules
 * @nr: their number
 * @id: the device
 * @id_mismatch: set when that rule expects another device at this address
 *
 * Return: index of the rule, or -1.
 */
int pp_policy_match(const struct pp_rule *rules, unsigned int nr,
		    const struct pp_device_id *id, bool *id_mismatch)
{
	unsigned int i;

	*id_mismatch = false;
	for (i = 0; i < nr; i++) {
		const struct pp_rule *r = &rules[i];

		if (r->by_bdf) {
			if (r->domain != id->domain || r->rid != id->rid)
				continue;
			if (r->has_id && !id_matches(r, id)) {
				*id_mismatch = true;
				return (int)i;
			}
		} else if (!id_matches(r, id)) {
			continue;
		}
		if (class_and_node_match(r, id))
			return (int)i;
	}
	return -1;
}

/**
 * pp_policy_class_allowed - may this rule switch a device of this class?
 * @rule: the rule that decides about the device
 * @class_code: base class and subclass
 *
 * Display controllers (base class 03) and processing accelerators (12) may be
 * switched by any rule; anything else only by a rule that names the address and
 * says +class, so that no wildcard ever reaches storage, network, USB or a
 * bridge.
 */
bool pp_policy_class_allowed(const struct pp_rule *rule,
			     unsigned short class_code)
{
	unsigned int base = class_code >> 8;

	return base == 0x03 || base == 0x12 ||
	       (rule->by_bdf && (rule->flags & PEERPASS_RULE_FLAG_CLASS));
}

/* pp_policy_mode_name - the word for an enum peerpass_mode, or "?" */
const char *pp_policy_mode_name(unsigned int mode)
{
	if (mode >= ARRAY_SIZE(mode_names))
		return "?";
	return mode_names[mode];
}
