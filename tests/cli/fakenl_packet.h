/* SPDX-License-Identifier: GPL-2.0-only */
/* The packet that an answer is built in, message by message. */
#ifndef TEST_FAKENL_PACKET_H
#define TEST_FAKENL_PACKET_H

#include <libmnl/libmnl.h>
#include <linux/genetlink.h>
#include <stddef.h>
#include <stdint.h>

#define PACKET_SIZE 131072

/**
 * struct packet - the one that is being built
 * @request: what it answers
 */
struct packet {
	char data[PACKET_SIZE];
	size_t used;
	const struct nlmsghdr *request;
};

extern struct packet packet;

/* Attributes by key: width 0 is text, 1 a flag, otherwise bits. */
struct key {
	const char *name;
	uint16_t type;
	unsigned int width;
	int base;
};

#define KEYS(table) table, sizeof(table) / sizeof((table)[0])

struct nlmsghdr *packet_begin(uint16_t type, uint16_t flags);
struct nlmsghdr *packet_begin_genl(uint8_t cmd, uint16_t flags);
void packet_keys(struct nlmsghdr *nlh, const char *text, const struct key *keys, size_t n);
void packet_ack(int error, const char *text);
void packet_end(struct nlmsghdr *nlh);
void packet_flush(void);

#endif /* TEST_FAKENL_PACKET_H */
