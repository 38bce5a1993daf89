// SPDX-License-Identifier: GPL-2.0-only
/* JSON objects, counts and times as every verb prints them. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

#include "names.h"
#include "output.h"

/**
 * pp_json_print - write one object and a newline to standard output
 * @root: taken over; NULL means that memory ran out while it was built
 *
 * Return: 0, or -1 when it could not be written.
 */
int pp_json_print(json_t *root)
{
	int ret = -1;

	if (!root) {
		fprintf(stderr, "peerpass: error: out of memory\n");
		return -1;
	}
	if (!json_dumpf(root, stdout, JSON_INDENT(2)) && putchar('\n') != EOF && !fflush(stdout))
		ret = 0;
	json_decref(root);
	return ret;
}

/**
 * pp_json_text - text that jansson accepts
 *
 * Names of drivers and devices come from outside and need not be UTF-8; jansson
 * refuses anything else. Non-ASCII bytes become "?".
 *
 * Return: @text itself, or a static copy that the second next call reuses.
 */
const char *pp_json_text(const char *text)
{
	static char copies[2][512];
	static unsigned int next;
	char *copy, *p;

	for (p = (char *)text; *p; p++) {
		if ((unsigned char)*p >= 0x80)
			break;
	}
	if (!*p)
		return text;
	copy = copies[next++ % 2];
	snprintf(copy, sizeof(copies[0]), "%s", text);
	for (p = copy; *p; p++) {
		if ((unsigned char)*p >= 0x80)
			*p = '?';
	}
	return copy;
}

/** pp_json_u64 - a counter as a number; JSON integers here end at 2^63 - 1 */
json_t *pp_json_u64(uint64_t value)
{
	return json_integer(value > INT64_MAX ? INT64_MAX : (json_int_t)value);
}

/** pp_json_string_or_null - null for NULL and for the empty text */
json_t *pp_json_string_or_null(const char *text)
{
	return text && text[0] ? json_string(pp_json_text(text)) : json_null();
}

/** pp_json_inexact - the reasons in @flags as an array of names */
json_t *pp_json_inexact(uint32_t flags)
{
	json_t *array = json_array();

	for (uint32_t bit = 1; bit; bit <<= 1) {
		if (flags & bit)
			json_array_append_new(array, json_string(pp_name_inexact(bit)));
	}
	return array;
}

/** pp_output_width - columns of the terminal, 80 when standard output is none */
int pp_output_width(void)
{
	struct winsize ws;

	if (!isatty(STDOUT_FILENO) || ioctl(STDOUT_FILENO, TIOCGWINSZ, &ws) || ws.ws_col < 80)
		return 80;
	return ws.ws_col;
}

/**
 * pp_count_text - a count in at most 8 characters
 * @lower_bound: append "+"
 *
 * Counts of more than seven digits are rounded down ("12.3M"); -j has them in
 * full.
 */
const char *pp_count_text(uint64_t count, bool lower_bound, char buf[PP_TEXT_LEN])
{
	static const char units[] = { 'M', 'G', 'T', 'P', 'E' };
	const char *sign = lower_bound ? "+" : "";
	uint64_t unit = 1000000;
	unsigned int i = 0;

	if (count < 10 * unit) {
		snprintf(buf, PP_TEXT_LEN, "%" PRIu64 "%s", count, sign);
		return buf;
	}
	while (i + 1 < sizeof(units) && count / unit >= 1000) {
		unit *= 1000;
		i++;
	}
	snprintf(buf, PP_TEXT_LEN, "%" PRIu64 ".%" PRIu64 "%c%s", count / unit,
		 count % unit / (unit / 10), units[i], sign);
	return buf;
}

/** pp_time_text - CLOCK_REALTIME nanoseconds as RFC 3339 in UTC */
const char *pp_time_text(uint64_t realtime_ns, char buf[PP_TEXT_LEN])
{
	time_t seconds = (time_t)(realtime_ns / 1000000000);
	struct tm tm;

	if (!gmtime_r(&seconds, &tm) || !strftime(buf, PP_TEXT_LEN, "%Y-%m-%dT%H:%M:%SZ", &tm))
		snprintf(buf, PP_TEXT_LEN, "unknown");
	return buf;
}

/** pp_inexact_text - the reasons in @flags, comma-separated */
void pp_inexact_text(uint32_t flags, char *buf, size_t size)
{
	size_t used = 0;

	buf[0] = '\0';
	for (uint32_t bit = 1; bit; bit <<= 1) {
		if (flags & bit && used < size)
			used += (size_t)snprintf(buf + used, size - used, "%s%s", used ? ", " : "",
						 pp_name_inexact(bit));
	}
}
