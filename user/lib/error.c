// SPDX-License-Identifier: GPL-2.0-only
/* One failure: filled in anywhere, printed once. */
#include <stdarg.h>
#include <stdio.h>

#include "error.h"
#include "output.h"

/**
 * pp_error_set - note a failure; replaces what was noted before
 * @code: static text
 *
 * Return: always -1, so that "return pp_error_set(...)" reads well.
 */
int pp_error_set(struct pp_error *err, const char *code, enum pp_exit exit_code,
		 const char *fmt, ...)
{
	va_list ap;

	err->code = code;
	err->exit_code = exit_code;
	err->hint[0] = '\0';
	va_start(ap, fmt);
	vsnprintf(err->message, sizeof(err->message), fmt, ap);
	va_end(ap);
	return -1;
}

/** pp_error_hint - add what to do next to the failure just noted; returns -1 */
int pp_error_hint(struct pp_error *err, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(err->hint, sizeof(err->hint), fmt, ap);
	va_end(ap);
	return -1;
}

/**
 * pp_error_print - tell the user
 * @json: one error object on standard output; otherwise text on standard error
 */
void pp_error_print(const struct pp_error *err, bool json)
{
	if (json) {
		json_t *hint = pp_json_string_or_null(err->hint);

		pp_json_print(json_pack("{s:s, s:{s:s, s:s, s:o}}", "schema", "peerpass/error/1",
					"error", "code", err->code,
					"message", pp_json_text(err->message), "hint", hint));
		return;
	}
	fprintf(stderr, "peerpass: error: %s\n", err->message);
	if (err->hint[0])
		fprintf(stderr, "peerpass: %s\n", err->hint);
}
