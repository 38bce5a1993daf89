// SPDX-License-Identifier: GPL-2.0-only
/*
 * Requests to the module over generic netlink, and its answers.
 *
 * A request is made again, a few times, when the kernel says that a dump was
 * inconsistent (NLM_F_DUMP_INTR: a device came or went meanwhile) or that
 * messages were lost (ENOBUFS).
 */
#include <errno.h>
#include <libmnl/libmnl.h>
#include <linux/genetlink.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "netlink.h"
#include "nlreply.h"
#include "uapi/linux/peerpass.h"

#define MAX_ATTEMPTS	5
/* The longest SYNC takes 1 s in the module. */
#define ANSWER_TIMEOUT_MS 5000
#define REQUEST_SIZE	256
#define REPLY_SIZE	65536

/**
 * struct pp_nl - a socket that knows the family
 * @last_errno: what the module refused the last request with, 0 if it did not
 */
struct pp_nl {
	struct mnl_socket *socket;
	uint16_t family;
	uint32_t seq;
	int last_errno;
	char request[REQUEST_SIZE];
	char reply[REPLY_SIZE];
};

/* How one attempt ended. */
enum attempt {
	ATTEMPT_DONE,
	ATTEMPT_FAILED,
	/* The dump was inconsistent. */
	ATTEMPT_INTERRUPTED,
	/* Messages were lost. */
	ATTEMPT_OVERRUN,
};

static int64_t now_ms(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (int64_t)ts.tv_sec * 1000 + ts.tv_nsec / 1000000;
}

/* The family is not there: say which of the possible causes it is. */
static int no_family(struct pp_error *err)
{
	if (access("/sys/module/peerpass", F_OK)) {
		pp_error_set(err, "no_module", PP_EXIT_FAILED,
			     "the peerpass module is not loaded");
		return pp_error_hint(err, "run: modprobe peerpass");
	}
	pp_error_set(err, "other_netns", PP_EXIT_FAILED,
		     "the peerpass module is loaded, but cannot be reached from this network "
		     "namespace");
	return pp_error_hint(err, "run it in the initial network namespace: "
				  "nsenter --net=/proc/1/ns/net peerpass");
}

static int refused(struct pp_nl *nl, int error, const char *text, struct pp_error *err)
{
	nl->last_errno = error;
	if (error == EPERM || error == EACCES) {
		pp_error_set(err, "no_permission", PP_EXIT_FAILED,
			     "the module does not permit this request%s%s", text[0] ? ": " : "",
			     text);
		return pp_error_hint(err, "run it as root");
	}
	return pp_error_set(err, "refused", PP_EXIT_FAILED,
			    "the module refused the request: %s%s%s", text,
			    text[0] ? ": " : "", strerror(error));
}

/* Waits for the next packet. Returns its length, or -1 with @err filled in. */
static ssize_t receive(struct pp_nl *nl, int64_t deadline, unsigned int timeout_ms,
		       bool *overrun, struct pp_error *err)
{
	struct pollfd pfd = { .fd = mnl_socket_get_fd(nl->socket), .events = POLLIN };
	int64_t left = deadline - now_ms();
	ssize_t len;
	int ready;

	do {
		ready = left > 0 ? poll(&pfd, 1, (int)left) : 0;
		left = deadline - now_ms();
	} while (ready < 0 && errno == EINTR);
	if (ready <= 0) {
		pp_error_set(err, "no_answer", PP_EXIT_FAILED,
			     "no complete answer from the module within %u s",
			     timeout_ms / 1000);
		return pp_error_hint(err, "look for a blocked task in the kernel log: dmesg");
	}
	len = mnl_socket_recvfrom(nl->socket, nl->reply, sizeof(nl->reply));
	if (len > 0)
		return len;
	*overrun = len < 0 && errno == ENOBUFS;
	if (len < 0 && errno == ENOSPC)
		return pp_error_set(err, "malformed_reply", PP_EXIT_FAILED,
				    "netlink reply longer than %d bytes", REPLY_SIZE);
	return pp_error_set(err, "system", PP_EXIT_FAILED,
			    "cannot read from the netlink socket: %s",
			    len ? strerror(errno) : "closed");
}

static enum attempt attempt(struct pp_nl *nl, const struct pp_nl_sink *sink,
			    unsigned int timeout_ms, struct pp_error *err)
{
	const struct nlmsghdr *request = (const struct nlmsghdr *)nl->request;
	int64_t deadline = now_ms() + timeout_ms;
	struct pp_nl_reply reply = {
		.seq = request->nlmsg_seq,
		.portid = mnl_socket_get_portid(nl->socket),
		.type = request->nlmsg_type,
		.dump = request->nlmsg_flags & NLM_F_DUMP,
		.sink = sink,
	};

	if (mnl_socket_sendto(nl->socket, request, request->nlmsg_len) < 0) {
		pp_error_set(err, "system", PP_EXIT_FAILED,
			     "cannot write to the netlink socket: %s", strerror(errno));
		return ATTEMPT_FAILED;
	}
	while (!reply.finished) {
		bool overrun = false;
		ssize_t len = receive(nl, deadline, timeout_ms, &overrun, err);

		if (len < 0)
			return overrun ? ATTEMPT_OVERRUN : ATTEMPT_FAILED;
		if (pp_nl_reply_packet(&reply, nl->reply, (size_t)len, err))
			return ATTEMPT_FAILED;
	}
	if (reply.error) {
		refused(nl, reply.error, reply.text, err);
		return ATTEMPT_FAILED;
	}
	return reply.interrupted ? ATTEMPT_INTERRUPTED : ATTEMPT_DONE;
}

/**
 * pp_nl_request - begin a request; attributes are then put with mnl_attr_put_*()
 *
 * Return: the message, in memory of @nl, valid until the next call.
 */
struct nlmsghdr *pp_nl_request(struct pp_nl *nl, uint8_t cmd, bool dump)
{
	struct nlmsghdr *nlh = mnl_nlmsg_put_header(nl->request);
	struct genlmsghdr *genl;

	nlh->nlmsg_type = nl->family;
	nlh->nlmsg_flags = NLM_F_REQUEST | (dump ? NLM_F_DUMP : NLM_F_ACK);
	genl = mnl_nlmsg_put_extra_header(nlh, sizeof(*genl));
	genl->cmd = cmd;
	genl->version = PEERPASS_FAMILY_VERSION;
	return nlh;
}

/**
 * pp_nl_run_long - send the request begun last and take its answer apart
 * @timeout_ms: longest wait for the whole answer, in each of five attempts at most
 *
 * Return: 0, or -1 with @err filled in; pp_nl_errno() then tells a refusal by
 * the module from the rest.
 */
int pp_nl_run_long(struct pp_nl *nl, const struct pp_nl_sink *sink, unsigned int timeout_ms,
		   struct pp_error *err)
{
	struct nlmsghdr *request = (struct nlmsghdr *)nl->request;
	enum attempt result = ATTEMPT_FAILED;

	nl->last_errno = 0;
	for (int i = 0; i < MAX_ATTEMPTS; i++) {
		if (i && sink->restart)
			sink->restart(sink->arg);
		/* A new number, so that what is left of the last attempt is skipped. */
		request->nlmsg_seq = ++nl->seq;
		result = attempt(nl, sink, timeout_ms, err);
		if (result == ATTEMPT_DONE) {
			err->code = NULL;
			return 0;
		}
		if (result == ATTEMPT_FAILED)
			return -1;
	}
	if (result == ATTEMPT_INTERRUPTED)
		pp_error_set(err, "changing", PP_EXIT_FAILED,
			     "devices came or went during each of %d attempts to list them",
			     MAX_ATTEMPTS);
	else
		pp_error_set(err, "changing", PP_EXIT_FAILED,
			     "netlink messages were lost in each of %d attempts", MAX_ATTEMPTS);
	return pp_error_hint(err, "try again when the system is quieter");
}

/** pp_nl_run - the same, which waits at most five times 5 s */
int pp_nl_run(struct pp_nl *nl, const struct pp_nl_sink *sink, struct pp_error *err)
{
	return pp_nl_run_long(nl, sink, ANSWER_TIMEOUT_MS, err);
}

/**
 * pp_nl_run_once - the same for a request that changes something
 *
 * Sent once: when its answer is lost, it is not known whether it was done.
 */
int pp_nl_run_once(struct pp_nl *nl, const struct pp_nl_sink *sink, unsigned int timeout_ms,
		   struct pp_error *err)
{
	struct nlmsghdr *request = (struct nlmsghdr *)nl->request;

	nl->last_errno = 0;
	request->nlmsg_seq = ++nl->seq;
	switch (attempt(nl, sink, timeout_ms, err)) {
	case ATTEMPT_DONE:
		return 0;
	case ATTEMPT_FAILED:
		return -1;
	default:
		return pp_error_set(err, "no_answer", PP_EXIT_FAILED,
				    "the module's answer was lost");
	}
}

/** pp_nl_errno - the errno the module refused the last request with, or 0 */
int pp_nl_errno(const struct pp_nl *nl)
{
	return nl->last_errno;
}

static int resolve_family(struct pp_nl *nl, struct pp_error *err)
{
	uint16_t family = 0;
	const struct pp_nl_sink sink = { .message = pp_nl_family_id, .arg = &family };
	struct nlmsghdr *nlh;

	nl->family = GENL_ID_CTRL;
	nlh = pp_nl_request(nl, CTRL_CMD_GETFAMILY, false);
	mnl_attr_put_strz(nlh, CTRL_ATTR_FAMILY_NAME, PEERPASS_FAMILY_NAME);
	if (pp_nl_run(nl, &sink, err))
		return pp_nl_errno(nl) == ENOENT ? no_family(err) : -1;
	nl->family = family;
	return 0;
}

/**
 * pp_nl_open - connect to the module
 *
 * Return: to be closed with pp_nl_close(); NULL with @err filled in when the
 * module is not loaded or does not answer here.
 */
struct pp_nl *pp_nl_open(struct pp_error *err)
{
	struct pp_nl *nl = calloc(1, sizeof(*nl));
	int on = 1;

	if (!nl) {
		pp_error_set(err, "system", PP_EXIT_FAILED, "out of memory");
		return NULL;
	}
	nl->seq = (uint32_t)time(NULL);
	nl->socket = mnl_socket_open2(NETLINK_GENERIC, SOCK_CLOEXEC);
	if (!nl->socket || mnl_socket_bind(nl->socket, 0, MNL_SOCKET_AUTOPID) < 0) {
		int error = errno;

		pp_error_set(err, error == EPERM || error == EACCES ? "no_permission" : "system",
			     PP_EXIT_FAILED, "cannot open a netlink socket: %s", strerror(error));
		if (error == EPERM || error == EACCES)
			pp_error_hint(err, "a sandbox forbids netlink here: run it outside");
		goto fail;
	}
	/* Without these two (kernels before 4.12) refusals come without a text. */
	mnl_socket_setsockopt(nl->socket, NETLINK_EXT_ACK, &on, sizeof(on));
	mnl_socket_setsockopt(nl->socket, NETLINK_CAP_ACK, &on, sizeof(on));
	if (resolve_family(nl, err))
		goto fail;
	return nl;
fail:
	pp_nl_close(nl);
	return NULL;
}

/** pp_nl_close - end the connection; NULL is accepted */
void pp_nl_close(struct pp_nl *nl)
{
	if (!nl)
		return;
	if (nl->socket)
		mnl_socket_close(nl->socket);
	free(nl);
}
