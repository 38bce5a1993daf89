/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A made-up host for tests of the helper: a text file that says what the module
 * would answer. One thing a line, "key=value" separated by blanks, "#" comments:
 *
 *	nofamily				no such netlink family
 *	info version=0.1.0 state=0 ... policy=TEXT	(policy last: rest of line)
 *	unit name=ivhd0 entries=512 total=0 overflows=0 unseen=0 inexact=0
 *	probe symbol=NAME hits=1 missed=0
 *	dev bdf=0000:01:00.0 present=1 ... count=KIND:N detail=TEXT (detail last)
 *	pair initiator=BDF class=1 target=BDF bar=1 read=0 write=1 other=0
 *	window initiator=BDF target=BDF bar=1 size=4096 state=0
 *	reach initiator=BDF target=BDF domain=3 [dma_ops=1] bar=1 none=0 self=4096 foreign=0 unknown=0
 *	sync drained=1
 *	set bdf=BDF [on=MODE] reason=0 [mode=0] [why=0] [detail=TEXT (detail last)]
 *	set bdf=BDF [on=MODE] error=ERRNO [detail=TEXT]
 *	quirk OPERATION KIND [ARGUMENT]
 *
 * "set" answers a request to set a mode, with "on" only that mode (a number, or
 * "policy"); without a line the answer is that it was done. A device has its
 * evidence with the keys e_snp=1 and on.
 *
 * "reach", one line for each message, answers a question about its pair; without a
 * line the target's BAR 1 is reached, all of it.
 *
 * OPERATION: family, info, dev, devs, pairs, windows, reach, sync, set. KIND:
 *
 *	truncate N	cut N bytes off the packet
 *	badattr		an attribute that claims to be longer than its message
 *	shortattr	first attribute with one byte of payload
 *	notext		a text without its NUL
 *	intr N		NLM_F_DUMP_INTR in the first N answers
 *	enobufs N	ENOBUFS instead of the first N answers
 *	error N TEXT	refused with errno N and an extended ack
 *	silent		no answer
 *	noreply		acknowledged, not answered
 *	badtype		a message of another family
 *	oversize	a packet of more than 64 KiB
 */
#ifndef PEERPASS_TEST_WORLD_H
#define PEERPASS_TEST_WORLD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct world_line {
	char kind[16];
	char text[4600];
};

struct world_quirk {
	char operation[16];
	char kind[16];
	int argument;
	char text[128];
};

struct world {
	struct world_line *lines;
	size_t n;
};

void world_refresh(struct world *world, const char *path);
bool world_get(const char *text, const char *key, char *buf, size_t size);
uint64_t world_number(const char *text, const char *key, int base);
bool world_has(const char *text, const char *key);
bool world_quirk(const struct world *world, const char *operation, struct world_quirk *quirk);
void world_bdf(const char *text, uint32_t *domain, uint16_t *rid);

#endif /* PEERPASS_TEST_WORLD_H */
