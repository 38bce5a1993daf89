/* SPDX-License-Identifier: GPL-2.0-only */
/* Reach requests that the library cannot make, and all that a refusal says. */
#ifndef PEERPASS_TEST_RAW_H
#define PEERPASS_TEST_RAW_H

int raw_dump(char **attrs, int count, const char *between);

#endif /* PEERPASS_TEST_RAW_H */
