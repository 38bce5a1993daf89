// SPDX-License-Identifier: GPL-2.0-only
/* A mode as the command line has it: MODE[:SET][+FLAG...], or "policy". */
#include <stdio.h>
#include <string.h>

#include "mode_arg.h"
#include "names.h"
#include "policy_parse.h"
#include "uapi/linux/peerpass.h"

/**
 * pp_mode_parse - read what a device is to become
 *
 * By the module's own parser, as the right side of a rule that names an address.
 *
 * Return: 0, or -1 with @err filled in.
 */
int pp_mode_parse(const char *text, struct pp_set_request *request, struct pp_error *err)
{
	static const char left[] = "0000:00:00.0=";
	char rule[sizeof(left) + 128];
	struct pp_policy_error bad = { 0 };
	struct pp_rule parsed;
	unsigned int flags = 0;

	*request = (struct pp_set_request){ .mode = PP_UNKNOWN };
	if (!strcmp(text, "policy"))
		return 0;
	snprintf(rule, sizeof(rule), "%s%s", left, text);
	if (strlen(text) > 120) {
		bad.msg = "too long";
	} else if (strchr(text, ',')) {
		bad.msg = "one mode expected, not a policy";
	} else if (pp_policy_parse(rule, &parsed, 1, &bad) == 1) {
		flags = parsed.flags;
		/* Asked for now, +group ends identity for the whole group. */
		if (parsed.mode != PEERPASS_MODE_IDENTITY && parsed.mode != PEERPASS_MODE_AUTO)
			parsed.flags &= ~(unsigned int)PEERPASS_RULE_FLAG_GROUP;
		pp_policy_check_sense(&parsed, 1, &bad);
	}
	if (bad.msg) {
		pp_error_set(err, "usage", PP_EXIT_USAGE, "mode \"%.120s\": %s", text, bad.msg);
		return pp_error_hint(err, "a mode is observe, identity, off, peer, auto or policy; "
					  "MODE[:SET][+FLAG...]");
	}
	request->mode = parsed.mode;
	request->flags = flags;
	snprintf(request->set, sizeof(request->set), "%s", parsed.set);
	return 0;
}

/** pp_mode_text - the same again as text; returns @buf */
const char *pp_mode_text(const struct pp_set_request *request, char buf[PP_MODE_LEN])
{
	size_t used;

	if (request->mode == PP_UNKNOWN)
		return strcpy(buf, "policy");
	used = (size_t)snprintf(buf, PP_MODE_LEN, "%s%s%s", pp_name_mode(request->mode),
				request->set[0] ? ":" : "", request->set);
	for (uint32_t bit = 1; bit && used < PP_MODE_LEN; bit <<= 1) {
		if (request->flags & bit)
			used += (size_t)snprintf(buf + used, PP_MODE_LEN - used, "+%s",
						 pp_name_rule_flag(bit));
	}
	return buf;
}
