// SPDX-License-Identifier: GPL-2.0-only
/* The policy grammar: what is accepted, what is refused and where, what matches. */
#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>

#include "policy_parse.h"
#include "rule_text.h"
#include "test.h"
#include "uapi/linux/peerpass.h"

static struct pp_rule rules[PP_POLICY_MAX_RULES];
static struct pp_policy_error error;

static int parse(const char *text)
{
	memset(rules, 0xaa, sizeof(rules));
	memset(&error, 0, sizeof(error));
	return pp_policy_parse(text, rules, PP_POLICY_MAX_RULES, &error);
}

static void policy_accepts(void)
{
	static const struct {
		const char *text;
		int count;
	} table[] = {
		{ "", 0 },
		{ "10de:*=identity", 1 },
		{ "*:*=observe", 1 },
		{ "0000:01:00.0=identity", 1 },
		{ "0000:01:00.0/10de:2bb5=identity", 1 },
		{ "0000:01:00.0/10de:*=identity", 1 },
		{ "10000:e1:1f.7=off", 1 },
		{ "0000:01:00.0=identity+class", 1 },
		{ "10de:2bb5@0302=identity", 1 },
		{ "10de:*@03*=identity", 1 },
		{ "10de:*@node1=identity", 1 },
		{ "10de:*@0302@node12=identity", 1 },
		{ "*:2bb5=observe", 1 },
		{ "10DE:2BB5=identity", 1 },
		{ "10de:*=peer:left_4-b", 1 },
		{ "10de:*=auto:set+all+force", 1 },
		{ "0000:01:00.0=identity,10de:*=observe,*:*=off", 3 },
	};

	for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++)
		CHECK(parse(table[i].text) == table[i].count, "\"%s\": %s at %u", table[i].text,
		      error.msg ? error.msg : "wrong number of rules", error.pos);
}

static void policy_fills_rules_in(void)
{
	static const char text[] =
		"0001:c1:02.3/10de:*@12*@node7=peer:a_1+class+all,10de:2bb5=off";

	CHECK_NUM(parse(text), 2, "rules");
	CHECK(rules[0].by_bdf && rules[0].has_id && !rules[0].any_vendor && rules[0].any_device,
	      "kind of selector");
	CHECK_NUM(rules[0].domain, 1, "domain");
	CHECK_NUM(rules[0].rid, 0xc113, "rid");
	CHECK_NUM(rules[0].vendor, 0x10de, "vendor");
	CHECK_NUM(rules[0].class_code, 0x1200, "class");
	CHECK_NUM(rules[0].class_mask, 0xff00, "class mask");
	CHECK(rules[0].has_node && rules[0].node == 7, "node");
	CHECK_NUM(rules[0].mode, PEERPASS_MODE_PEER, "mode");
	CHECK_STR(rules[0].set, "a_1", "set");
	CHECK_NUM(rules[0].flags, PEERPASS_RULE_FLAG_CLASS | PEERPASS_RULE_FLAG_ALL, "flags");
	CHECK_NUM(rules[0].pos, 1, "position of the first rule");
	CHECK_NUM(rules[1].pos, 50, "position of the second rule");
	CHECK(!rules[1].by_bdf && rules[1].has_id && !rules[1].class_mask && !rules[1].has_node &&
	      !rules[1].flags && !rules[1].set[0], "nothing left over from the first rule");
}

static const struct refusal {
	const char *text;
	unsigned int rule;
	unsigned int pos;
	const char *msg;
} refusals[] = {
	{ ",", 1, 1, "empty rule" },
	{ "10de:*=identity,", 2, 17, "empty rule" },
	{ "10de:*=identity,,10de:*=off", 2, 17, "empty rule" },
	{ "hello", 1, 1,
	  "address DDDD:BB:DD.F or id VVVV:DDDD (\"*\" for any) expected" },
	{ " 10de:*=identity", 1, 1,
	  "address DDDD:BB:DD.F or id VVVV:DDDD (\"*\" for any) expected" },
	{ "10d:*=identity", 1, 1,
	  "address DDDD:BB:DD.F or id VVVV:DDDD (\"*\" for any) expected" },
	{ "10de=identity", 1, 5, "\":\" and the device id expected" },
	{ "10de:12=identity", 1, 6, "device id: four hexadecimal digits or \"*\" expected" },
	{ "10de:12345=identity", 1, 6, "device id: four hexadecimal digits or \"*\" expected" },
	{ "10de:*", 1, 7, "\"=\" and a mode expected" },
	{ "10de:*=", 1, 8, "unknown mode; observe, identity, off, peer or auto expected" },
	{ "10de:*=ident", 1, 8, "unknown mode; observe, identity, off, peer or auto expected" },
	{ "10de:*=IDENTITY", 1, 8, "unknown mode; observe, identity, off, peer or auto expected" },
	{ "10de:*=identity2", 1, 8, "unknown mode; observe, identity, off, peer or auto expected" },
	{ "000:01:00.0=off", 1, 1, "the domain of an address has 4 to 8 hexadecimal digits" },
	{ "123456789:01:00.0=off", 1, 1, "the domain of an address has 4 to 8 hexadecimal digits" },
	{ "0000:01:0.0=off", 1, 9, "device: two hexadecimal digits expected" },
	{ "0000:01:20.0=off", 1, 9, "device number above 1f" },
	{ "0000:01:00=off", 1, 11, "\".\" and the function expected" },
	{ "0000:01:00.x=off", 1, 12, "function: one digit expected" },
	{ "0000:01:00.8=off", 1, 12, "function number above 7" },
	{ "0000:01:00.0/10de=off", 1, 18, "\":\" and the device id expected" },
	{ "10de:*@=off", 1, 8, "class: four hexadecimal digits, or two and \"*\", expected" },
	{ "10de:*@030=off", 1, 8, "class: four hexadecimal digits, or two and \"*\", expected" },
	{ "10de:*@0302@0300=off", 1, 13, "a second @class" },
	{ "10de:*@node=off", 1, 12, "node number expected" },
	{ "10de:*@node12345=off", 1, 16, "node number too large" },
	{ "10de:*@node1@node2=off", 1, 14, "a second @node" },
	{ "10de:*=peer:", 1, 13, "name of a set expected (a-z, 0-9, \"_\", \"-\")" },
	{ "10de:*=peer:abcdefghijklmnop", 1, 13, "name of a set longer than 15 characters" },
	{ "10de:*=identity+", 1, 17, "unknown flag; class, group, force, all, initiator or target expected" },
	{ "10de:*=identity+klass", 1, 17, "unknown flag; class, group, force, all, initiator or target expected" },
	{ "0000:01:00.0=identity+class+class", 1, 29, "flag given twice" },
	{ "10de:*=identity 10de:*=off", 1, 16, "unexpected character" },
	{ "10de:*=identity;10de:*=off", 1, 16, "unexpected character" },
	{ "10de:*=off,1002:*=of", 2, 19,
	  "unknown mode; observe, identity, off, peer or auto expected" },
};

static void policy_refuses(void)
{
	for (size_t i = 0; i < sizeof(refusals) / sizeof(refusals[0]); i++) {
		const struct refusal *r = &refusals[i];
		int ret = parse(r->text);

		CHECK(ret == -EINVAL, "\"%s\" was accepted (%d)", r->text, ret);
		if (ret != -EINVAL)
			continue;
		CHECK(error.rule == r->rule && error.pos == r->pos && !strcmp(error.msg, r->msg),
		      "\"%s\": rule %u, position %u, \"%s\"; expected %u, %u, \"%s\"", r->text,
		      error.rule, error.pos, error.msg, r->rule, r->pos, r->msg);
	}
}

static void policy_of_4000_characters(void)
{
	char text[4400];
	size_t len;

	/* 18 characters a rule, the comma with it. */
	for (size_t i = 0; i < 235; i++)
		sprintf(text + i * 18, "10de:%04zx=observe,", i);
	len = 235 * 18 - 1;
	text[len] = '\0';
	CHECK(strlen(text) >= 4000, "only %zu characters", strlen(text));
	CHECK_NUM(parse(text), 235, "rules");
	CHECK_NUM(rules[234].pos, 234 * 18 + 1, "position of the last rule");
	CHECK_NUM(rules[234].device, 234, "last device");
	text[len - 1] = 'x';
	CHECK_NUM(parse(text), -EINVAL, "a wrong last character");
	CHECK(error.rule == 235 && error.pos == 234 * 18 + 11, "rule %u, position %u", error.rule,
	      error.pos);
	memset(text, 'a', 4000);
	text[4000] = '\0';
	CHECK_NUM(parse(text), -EINVAL, "4,000 letters");
	CHECK(error.rule == 1 && error.pos == 1, "rule %u, position %u", error.rule, error.pos);
}

static void policy_has_a_limit_of_rules(void)
{
	static char text[18 * 300];

	for (size_t i = 0; i < 257; i++)
		sprintf(text + i * 18, "10de:%04zx=observe,", i);
	text[256 * 18 - 1] = '\0';
	CHECK_NUM(parse(text), 256, "256 rules");
	text[256 * 18 - 1] = ',';
	text[257 * 18 - 1] = '\0';
	CHECK_NUM(parse(text), -EINVAL, "257 rules");
	CHECK_STR(error.msg, "too many rules", "message");
	CHECK_NUM(error.rule, 257, "rule");
}

/*
 * Each prefix in memory of exactly its own length, so that the sanitizer sees a
 * byte read too many; it must be accepted, or be refused within the text.
 */
static void policy_survives_every_prefix(void)
{
	static const char whole[] =
		"0000:01:00.0/10de:2bb5@0302@node1=identity+class+all,10de:*@03*=peer:left-4+force,"
		"10000:e1:1f.7=off,*:*=observe";

	for (size_t len = 0; len < sizeof(whole); len++) {
		char *prefix = strndup(whole, len);
		int ret = parse(prefix);

		CHECK(ret >= 0 || (ret == -EINVAL && error.msg && error.pos >= 1 &&
				   error.pos <= len + 1 && error.rule >= 1),
		      "prefix of %zu: %d, position %u", len, ret, error.pos);
		CHECK(ret < 0 || ret <= 4, "prefix of %zu: %d rules", len, ret);
		free(prefix);
	}
}

static void policy_names_what_makes_no_sense(void)
{
	static const char set_or_all[] =
		"a set, or flag \"all\", needs mode \"identity\", \"peer\" or \"auto\"";
	static const char group_or_force[] =
		"flags \"group\" and \"force\" need mode \"identity\" or \"auto\"";
	static const char one_way[] =
		"flags \"initiator\" and \"target\" need mode \"identity\", \"peer\" or \"auto\"";
	static const char class[] = "flag \"class\" needs a rule by address";
	static const struct refusal table[] = {
		{ "10de:*=observe:a", 1, 1, set_or_all },
		{ "10de:*=auto,10de:*=off:a", 2, 13, set_or_all },
		{ "10de:*=observe+all", 1, 1, set_or_all },
		{ "10de:*=off+group", 1, 1, group_or_force },
		{ "10de:*=observe+force", 1, 1, group_or_force },
		{ "10de:*=peer+group", 1, 1, group_or_force },
		{ "10de:*=peer+force", 1, 1, group_or_force },
		{ "10de:*=off+initiator", 1, 1, one_way },
		{ "10de:*=observe+target", 1, 1, one_way },
		{ "10de:*=peer+target+initiator", 1, 1,
		  "flags \"initiator\" and \"target\" exclude each other" },
		{ "10de:*=auto+initiator+target", 1, 1,
		  "flags \"initiator\" and \"target\" exclude each other" },
		{ "10de:*=identity+class", 1, 1, class },
		{ "10de:2bb5=auto+class", 1, 1, class },
	};
	static const char * const good[] = {
		"", "10de:*=auto", "10de:*=identity:a", "10de:*=auto:a", "10de:*=peer:a",
		"10de:*=identity+group", "10de:*=identity:a+initiator", "10de:*=identity+force", "10de:*=identity+all",
		"10de:*=auto+group+force+all", "10de:*=auto:a+initiator", "10de:*=auto+target+all",
		"10de:*=identity:a+all+group+force", "0000:01:00.0=off+class",
		"0000:01:00.0=identity+class,10de:*=observe,10de:*=peer:a+target,*:*=off",
	};
	int n;

	for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
		n = parse(table[i].text);
		CHECK(n > 0, "\"%s\" did not parse", table[i].text);
		n = pp_policy_check_sense(rules, (unsigned int)n, &error);
		CHECK(n == -EINVAL && error.rule == table[i].rule && error.pos == table[i].pos &&
		      !strcmp(error.msg, table[i].msg), "\"%s\": %d, rule %u, position %u, \"%s\"",
		      table[i].text, n, error.rule, error.pos, error.msg ? error.msg : "");
	}
	for (size_t i = 0; i < sizeof(good) / sizeof(good[0]); i++) {
		n = parse(good[i]);
		CHECK(n >= 0, "\"%s\" did not parse", good[i]);
		CHECK(!pp_policy_check_sense(rules, (unsigned int)n, &error), "\"%s\": %s",
		      good[i], error.msg);
	}
}

static void policy_matches(void)
{
	static const char policy[] =
		"0000:02:00.0/10de:1111=identity,0000:03:00.0=off,10de:*@0302@node1=identity,"
		"1002:*=observe,*:5678=identity";
	static const struct {
		const char *what;
		struct pp_device_id id;
		int rule;
		bool mismatch;
	} table[] = {
		{ "by address and id", { 0, 0x0200, 0x10de, 0x1111, 0x0300, 0 }, 0, false },
		{ "another device there", { 0, 0x0200, 0x10de, 0x2222, 0x0302, 1 }, 0, true },
		{ "in another domain", { 1, 0x0200, 0x10de, 0x2222, 0x0302, 1 }, 2, false },
		{ "by address alone", { 0, 0x0300, 0x8086, 0x1234, 0x0200, 0 }, 1, false },
		{ "by vendor, class and node", { 0, 0x0400, 0x10de, 0x2222, 0x0302, 1 }, 2, false },
		{ "wrong class", { 0, 0x0400, 0x10de, 0x2222, 0x0300, 1 }, -1, false },
		{ "wrong node", { 0, 0x0400, 0x10de, 0x2222, 0x0302, 0 }, -1, false },
		{ "unknown node", { 0, 0x0400, 0x10de, 0x2222, 0x0302, -1 }, -1, false },
		{ "by vendor", { 0, 0x0500, 0x1002, 0x9999, 0x0300, 0 }, 3, false },
		{ "first match wins", { 0, 0x0500, 0x1002, 0x5678, 0x0300, 0 }, 3, false },
		{ "by device of any vendor", { 0, 0x0500, 0x8086, 0x5678, 0x0300, 0 }, 4, false },
		{ "no rule", { 0, 0x0500, 0x8086, 0x9999, 0x0300, 0 }, -1, false },
	};
	int n = parse(policy);

	CHECK_NUM(n, 5, "rules");
	for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
		bool mismatch = true;
		int rule = pp_policy_match(rules, (unsigned int)n, &table[i].id, &mismatch);

		CHECK(rule == table[i].rule && mismatch == table[i].mismatch,
		      "%s: rule %d, mismatch %d", table[i].what, rule, mismatch);
	}
}

/* No wildcard may ever reach storage, network, USB or a bridge. */
static void policy_guards_the_class(void)
{
	static const unsigned short others[] = { 0x0108, 0x0200, 0x0604, 0x0c03, 0x0580, 0x00ff };

	CHECK_NUM(parse("*:*=identity,0000:01:00.0=identity,0000:01:00.0=identity+class"), 3,
		  "rules");
	for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++) {
		CHECK(!pp_policy_class_allowed(&rules[0], others[i]), "wildcard hits class %04x",
		      others[i]);
		CHECK(!pp_policy_class_allowed(&rules[1], others[i]),
		      "address alone hits class %04x", others[i]);
		CHECK(pp_policy_class_allowed(&rules[2], others[i]), "+class does not allow %04x",
		      others[i]);
	}
	/* A flag that slipped past the check for support still opens nothing. */
	CHECK_NUM(parse("*:*=identity+class"), 1, "rules");
	CHECK(!pp_policy_class_allowed(&rules[0], 0x0108), "wildcard with +class hits storage");
	CHECK(pp_policy_class_allowed(&rules[0], 0x0300) &&
	      pp_policy_class_allowed(&rules[0], 0x0302) && pp_policy_class_allowed(&rules[0], 0x1200), "display or accelerator is refused");
}

static void policy_rule_text(void)
{
	static const char policy[] = "0000:01:00.0=identity+class,10de:*=observe";
	char buf[64];

	CHECK(pp_rule_text(policy, 1, buf, sizeof(buf)), "rule 1");
	CHECK_STR(buf, "0000:01:00.0=identity+class", "rule 1");
	CHECK(pp_rule_text(policy, 2, buf, sizeof(buf)), "rule 2");
	CHECK_STR(buf, "10de:*=observe", "rule 2");
	CHECK(!pp_rule_text(policy, 0, buf, sizeof(buf)), "rule 0");
	CHECK(!pp_rule_text(policy, 3, buf, sizeof(buf)), "rule 3");
	CHECK(!pp_rule_text("nonsense", 1, buf, sizeof(buf)), "rule of nonsense");
}

int main(void)
{
	RUN(policy_accepts);
	RUN(policy_fills_rules_in);
	RUN(policy_refuses);
	RUN(policy_of_4000_characters);
	RUN(policy_has_a_limit_of_rules);
	RUN(policy_survives_every_prefix);
	RUN(policy_names_what_makes_no_sense);
	RUN(policy_matches);
	RUN(policy_guards_the_class);
	RUN(policy_rule_text);
	return test_failures != 0;
}
