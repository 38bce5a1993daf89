// SPDX-License-Identifier: GPL-2.0-only
/*
 * Answers from the socket are not trusted: each prefix of a good one, and each
 * good one with a byte changed, is taken apart from memory of exactly its own
 * length, so that the sanitizer sees a byte read too many.
 */
#include <libmnl/libmnl.h>
#include <linux/genetlink.h>
#include <stdlib.h>

#include "model_wire.h"
#include "nlreply.h"
#include "test.h"
#include "uapi/linux/peerpass.h"

#define FAMILY	0x1f
#define SEQ	7
#define PORT	4711

static char packet[4096];
static struct pp_error err;
static struct pp_info info;
static struct pp_device dev;
static struct pp_pair pair;
static struct pp_sync sync_answer;
static int messages;

static int on_info(const void *attrs, size_t len, void *arg, struct pp_error *e)
{
	(void)arg;
	messages++;
	pp_info_free(&info);
	return pp_wire_info(attrs, len, &info, e);
}

static int on_device(const void *attrs, size_t len, void *arg, struct pp_error *e)
{
	(void)arg;
	messages++;
	pp_device_init(&dev);
	return pp_wire_device(attrs, len, &dev, e);
}

static int on_pair(const void *attrs, size_t len, void *arg, struct pp_error *e)
{
	(void)arg;
	messages++;
	return pp_wire_pair(attrs, len, &pair, e);
}

static int on_sync(const void *attrs, size_t len, void *arg, struct pp_error *e)
{
	(void)arg;
	messages++;
	return pp_wire_sync(attrs, len, &sync_answer, e);
}

static struct nlmsghdr *begin(size_t at, uint16_t type)
{
	struct nlmsghdr *nlh = mnl_nlmsg_put_header(packet + at);

	nlh->nlmsg_type = type;
	nlh->nlmsg_seq = SEQ;
	nlh->nlmsg_pid = PORT;
	if (type == FAMILY)
		mnl_nlmsg_put_extra_header(nlh, GENL_HDRLEN);
	return nlh;
}

static void put_count(struct nlmsghdr *nlh, uint32_t kind, uint64_t value)
{
	struct nlattr *nest = mnl_attr_nest_start(nlh, PEERPASS_A_DEV_COUNT);

	mnl_attr_put_u32(nlh, PEERPASS_A_COUNT_KIND, kind);
	mnl_attr_put_u64(nlh, PEERPASS_A_COUNT_VALUE, value);
	mnl_attr_nest_end(nlh, nest);
}

static size_t device_packet(void)
{
	struct nlmsghdr *nlh = begin(0, FAMILY), *done;

	mnl_attr_put_u32(nlh, PEERPASS_A_DEV_DOMAIN, 1);
	mnl_attr_put_u16(nlh, PEERPASS_A_DEV_RID, 0x4100);
	mnl_attr_put(nlh, PEERPASS_A_DEV_PRESENT, 0, NULL);
	mnl_attr_put_u16(nlh, PEERPASS_A_DEV_VENDOR, 0x10de);
	mnl_attr_put_u16(nlh, PEERPASS_A_DEV_DEVICE, 0x2bb5);
	mnl_attr_put_u32(nlh, PEERPASS_A_DEV_CLASS, 0x030000);
	mnl_attr_put_strz(nlh, PEERPASS_A_DEV_DRIVER, "nvidia");
	put_count(nlh, PEERPASS_FAULT_KIND_WRITE, 1022);
	put_count(nlh, 4000, 3);
	mnl_attr_put_u64(nlh, PEERPASS_A_DEV_TOTAL, 1025);
	done = begin(nlh->nlmsg_len, NLMSG_DONE);
	*(int *)mnl_nlmsg_put_extra_header(done, sizeof(int)) = 0;
	return nlh->nlmsg_len + done->nlmsg_len;
}

static size_t info_packet(void)
{
	struct nlmsghdr *nlh = begin(0, FAMILY), *ack;
	struct nlmsgerr *error;

	mnl_attr_put_strz(nlh, PEERPASS_A_INFO_VERSION, "0.1.0");
	mnl_attr_put_u32(nlh, PEERPASS_A_INFO_STATE, 0);
	mnl_attr_put_u64(nlh, PEERPASS_A_INFO_TOTAL, 5);
	for (int i = 0; i < 3; i++) {
		struct nlattr *nest = mnl_attr_nest_start(nlh, PEERPASS_A_INFO_UNIT);

		mnl_attr_put_strz(nlh, PEERPASS_A_UNIT_NAME, "ivhd0");
		mnl_attr_put_u32(nlh, PEERPASS_A_UNIT_ENTRIES, 512);
		mnl_attr_nest_end(nlh, nest);
		nest = mnl_attr_nest_start(nlh, PEERPASS_A_INFO_PROBE);
		mnl_attr_put_strz(nlh, PEERPASS_A_PROBE_SYMBOL, "iommu_print_event");
		mnl_attr_nest_end(nlh, nest);
	}
	ack = begin(nlh->nlmsg_len, NLMSG_ERROR);
	ack->nlmsg_flags = NLM_F_ACK_TLVS;
	error = mnl_nlmsg_put_extra_header(ack, sizeof(*error));
	error->msg.nlmsg_len = sizeof(error->msg);
	mnl_attr_put_strz(ack, NLMSGERR_ATTR_MSG, "a word of warning");
	return nlh->nlmsg_len + ack->nlmsg_len;
}

static size_t pair_packet(void)
{
	struct nlmsghdr *nlh = begin(0, FAMILY), *done;

	mnl_attr_put_u32(nlh, PEERPASS_A_PAIR_INITIATOR_DOMAIN, 0);
	mnl_attr_put_u16(nlh, PEERPASS_A_PAIR_INITIATOR_RID, 0x0100);
	mnl_attr_put_u32(nlh, PEERPASS_A_PAIR_CLASS, PEERPASS_TARGET_CLASS_BAR);
	mnl_attr_put_u32(nlh, PEERPASS_A_PAIR_TARGET_DOMAIN, 0);
	mnl_attr_put_u16(nlh, PEERPASS_A_PAIR_TARGET_RID, 0x0200);
	mnl_attr_put_u32(nlh, PEERPASS_A_PAIR_TARGET_BAR, 1);
	mnl_attr_put_u64(nlh, PEERPASS_A_PAIR_WRITE, 77);
	done = begin(nlh->nlmsg_len, NLMSG_DONE);
	*(int *)mnl_nlmsg_put_extra_header(done, sizeof(int)) = 0;
	return nlh->nlmsg_len + done->nlmsg_len;
}

static size_t sync_packet(void)
{
	struct nlmsghdr *nlh = begin(0, FAMILY), *ack;

	mnl_attr_put_u8(nlh, PEERPASS_A_SYNC_DRAINED, 1);
	ack = begin(nlh->nlmsg_len, NLMSG_ERROR);
	mnl_nlmsg_put_extra_header(ack, sizeof(struct nlmsgerr));
	return nlh->nlmsg_len + ack->nlmsg_len;
}

static const struct {
	const char *what;
	size_t (*packet)(void);
	int (*sink)(const void *attrs, size_t len, void *arg, struct pp_error *e);
} answers[] = {
	{ "device", device_packet, on_device },
	{ "info", info_packet, on_info },
	{ "pair", pair_packet, on_pair },
	{ "sync", sync_packet, on_sync },
};

#define ANSWERS (sizeof(answers) / sizeof(answers[0]))

/* From memory of exactly @len bytes. */
static int take_apart(size_t answer, const char *bytes, size_t len, struct pp_nl_reply *reply)
{
	const struct pp_nl_sink sink = { .message = answers[answer].sink };
	char *exact = malloc(len + !len);
	int ret;

	memcpy(exact, bytes, len);
	*reply = (struct pp_nl_reply){
		.seq = SEQ, .portid = PORT, .type = FAMILY, .sink = &sink,
	};
	memset(&err, 0, sizeof(err));
	messages = 0;
	ret = pp_nl_reply_packet(reply, exact, len, &err);
	free(exact);
	return ret;
}

static void nlreply_good(void)
{
	struct pp_nl_reply reply;

	for (size_t a = 0; a < ANSWERS; a++) {
		size_t len = answers[a].packet();

		CHECK(!take_apart(a, packet, len, &reply), "%s: %s", answers[a].what, err.message);
		CHECK(reply.finished && !reply.error && messages == 1, "%s: not finished",
		      answers[a].what);
	}
	CHECK(dev.bdf.domain == 1 && dev.bdf.rid == 0x4100 && dev.present && dev.has_id, "device");
	CHECK_STR(dev.driver, "nvidia", "driver");
	CHECK_NUM(pp_device_faults(&dev, PEERPASS_FAULT_KIND_WRITE), 1022, "write faults");
	CHECK_NUM(pp_device_faults(&dev, 4000), 3, "faults of a later kind");
	CHECK_NUM(dev.group, PP_UNKNOWN, "absent group");
	CHECK_NUM(info.unit_count, 3, "units");
	CHECK_NUM(info.probe_count, 3, "probes");
	CHECK(pair.write == 77 && pair.bar == 1, "pair");
	CHECK(sync_answer.drained == 1, "sync");
}

static void nlreply_every_prefix(void)
{
	struct pp_nl_reply reply;

	for (size_t a = 0; a < ANSWERS; a++) {
		size_t whole = answers[a].packet();

		for (size_t len = 0; len < whole; len++) {
			int ret = take_apart(a, packet, len, &reply);

			CHECK(ret ? err.message[0] != 0 : !reply.finished, "%s cut at %zu of %zu",
			      answers[a].what, len, whole);
		}
	}
}

static void nlreply_every_changed_byte(void)
{
	static const unsigned char values[] = { 0, 1, 2, 3, 4, 7, 8, 0x7f, 0x80, 0xfe, 0xff };
	struct pp_nl_reply reply;

	for (size_t a = 0; a < ANSWERS; a++) {
		size_t len = answers[a].packet();

		for (size_t at = 0; at < len; at++) {
			char old = packet[at];

			for (size_t v = 0; v < sizeof(values); v++) {
				packet[at] = (char)values[v];
				if (take_apart(a, packet, len, &reply))
					CHECK(err.code && err.message[0], "%s: no message",
					      answers[a].what);
			}
			packet[at] = old;
		}
	}
	pp_info_free(&info);
}

static void nlreply_others_are_skipped(void)
{
	struct pp_nl_reply reply;
	size_t len = device_packet();

	((struct nlmsghdr *)packet)->nlmsg_seq = SEQ - 1;
	CHECK(!take_apart(0, packet, len, &reply) && !messages, "an answer to an earlier request");
	len = device_packet();
	((struct nlmsghdr *)packet)->nlmsg_pid = PORT + 1;
	CHECK(!take_apart(0, packet, len, &reply) && !messages, "an answer to another socket");
}

static void nlreply_refusals(void)
{
	struct pp_nl_reply reply;
	struct nlmsghdr *nlh = begin(0, NLMSG_ERROR);
	struct nlmsgerr *error = mnl_nlmsg_put_extra_header(nlh, sizeof(*error));

	/* With the whole request, 40 bytes of it, between the error and its text. */
	nlh->nlmsg_flags = NLM_F_ACK_TLVS;
	error->error = -95;
	error->msg.nlmsg_len = sizeof(error->msg) + 21;
	mnl_nlmsg_put_extra_header(nlh, 24);
	mnl_attr_put_strz(nlh, NLMSGERR_ATTR_MSG, "not like this");
	CHECK(!take_apart(0, packet, nlh->nlmsg_len, &reply), "%s", err.message);
	CHECK_NUM(reply.error, 95, "errno");
	CHECK_STR(reply.text, "not like this", "text after the request");
	nlh->nlmsg_flags |= NLM_F_CAPPED;
	CHECK(!take_apart(0, packet, nlh->nlmsg_len, &reply), "%s", err.message);
	CHECK_NUM(reply.error, 95, "errno stays when its text cannot be read");
	/* A dump can fail at its end. */
	nlh = begin(0, NLMSG_DONE);
	nlh->nlmsg_flags = NLM_F_ACK_TLVS | NLM_F_DUMP_INTR;
	*(int *)mnl_nlmsg_put_extra_header(nlh, sizeof(int)) = -5;
	mnl_attr_put_strz(nlh, NLMSGERR_ATTR_MSG, "half way");
	CHECK(!take_apart(0, packet, nlh->nlmsg_len, &reply), "%s", err.message);
	CHECK(reply.finished && reply.error == 5 && reply.interrupted, "failed dump");
	CHECK_STR(reply.text, "half way", "text of a failed dump");
}

static void nlreply_too_many_kinds(void)
{
	struct pp_nl_reply reply;
	struct nlmsghdr *nlh = begin(0, FAMILY);

	mnl_attr_put_u32(nlh, PEERPASS_A_DEV_DOMAIN, 0);
	mnl_attr_put_u16(nlh, PEERPASS_A_DEV_RID, 0);
	for (uint32_t kind = 0; kind <= PP_MAX_KINDS; kind++)
		put_count(nlh, kind, 1);
	CHECK(take_apart(0, packet, nlh->nlmsg_len, &reply) &&
	      strstr(err.message, "kinds of faults"), "%s", err.message);
}

int main(void)
{
	RUN(nlreply_good);
	RUN(nlreply_every_prefix);
	RUN(nlreply_every_changed_byte);
	RUN(nlreply_others_are_skipped);
	RUN(nlreply_refusals);
	RUN(nlreply_too_many_kinds);
	return test_failures != 0;
}
