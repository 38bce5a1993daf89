// SPDX-License-Identifier: GPL-2.0-only
/* One rule of a policy, as it was written. */
#include <stdio.h>
#include <string.h>

#include "policy_parse.h"
#include "rule_text.h"

/**
 * pp_rule_text - cut a rule out of the policy's text
 * @number: of the rule, counted from 1
 *
 * Found by the module's own parser, so that both count alike.
 *
 * Return: false when there is no such rule or the text does not parse.
 */
bool pp_rule_text(const char *policy, uint32_t number, char *buf, size_t size)
{
	static struct pp_rule rules[PP_POLICY_MAX_RULES];
	struct pp_policy_error err;
	const char *start;
	int n;

	n = pp_policy_parse(policy, rules, PP_POLICY_MAX_RULES, &err);
	if (n < 0 || !number || number > (uint32_t)n)
		return false;
	start = policy + rules[number - 1].pos - 1;
	snprintf(buf, size, "%.*s", (int)strcspn(start, ","), start);
	return true;
}
