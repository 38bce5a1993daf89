/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * How a failure travels from where it is noticed to the one place that prints
 * it: functions that can fail take a struct pp_error, fill it in and return -1.
 */
#ifndef PEERPASS_ERROR_H
#define PEERPASS_ERROR_H

#include <stdbool.h>

#include "exit_code.h"

/**
 * struct pp_error - one failure, for people and for programs
 * @code: stable word for programs (static text), NULL while nothing failed
 * @exit_code: what the process returns
 * @message: what was asked and what was found, no period at its end
 * @hint: what to do next, empty when there is nothing to advise
 */
struct pp_error {
	const char *code;
	enum pp_exit exit_code;
	char message[512];
	char hint[256];
};

int pp_error_set(struct pp_error *err, const char *code, enum pp_exit exit_code,
		 const char *fmt, ...) __attribute__((format(printf, 4, 5)));
int pp_error_hint(struct pp_error *err, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));
void pp_error_print(const struct pp_error *err, bool json);

#endif /* PEERPASS_ERROR_H */
