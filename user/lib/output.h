/* SPDX-License-Identifier: GPL-2.0-only */
/* What every verb's output is made of: JSON objects, tables, counts, times. */
#ifndef PEERPASS_OUTPUT_H
#define PEERPASS_OUTPUT_H

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

/* Room for any text of pp_count_text() and pp_time_text(). */
#define PP_TEXT_LEN 48

int pp_json_print(json_t *root);
const char *pp_json_text(const char *text);
json_t *pp_json_u64(uint64_t value);
json_t *pp_json_string_or_null(const char *text);
json_t *pp_json_inexact(uint32_t flags);

int pp_output_width(void);
const char *pp_count_text(uint64_t count, bool lower_bound, char buf[PP_TEXT_LEN]);
const char *pp_time_text(uint64_t realtime_ns, char buf[PP_TEXT_LEN]);
void pp_inexact_text(uint32_t flags, char *buf, size_t size);

#endif /* PEERPASS_OUTPUT_H */
