/* SPDX-License-Identifier: GPL-2.0-only */
/* Between the socket of fakenl.c and the answers of fakenl_answer.c. */
#ifndef PEERPASS_TEST_FAKENL_ANSWER_H
#define PEERPASS_TEST_FAKENL_ANSWER_H

#include <stddef.h>

#define FAKE_PORT_ID	4711
#define FAKE_FAMILY_ID	0x2a

struct nlmsghdr;

void fake_answer(const struct nlmsghdr *request);
void fake_send(const void *packet, size_t len);
void fake_lose(void);

#endif /* PEERPASS_TEST_FAKENL_ANSWER_H */
