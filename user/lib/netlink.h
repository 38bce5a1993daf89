/* SPDX-License-Identifier: GPL-2.0-only */
/* Requests to the module over generic netlink, and its answers. */
#ifndef PEERPASS_NETLINK_H
#define PEERPASS_NETLINK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "error.h"

struct nlmsghdr;
struct pp_nl;

/**
 * struct pp_nl_sink - what takes an answer apart
 * @message: called for each message with its attributes; -1 with @err filled in
 *	ends the request
 * @restart: forget what @message has collected, the request is made again
 */
struct pp_nl_sink {
	int (*message)(const void *attrs, size_t len, void *arg, struct pp_error *err);
	void (*restart)(void *arg);
	void *arg;
};

struct pp_nl *pp_nl_open(struct pp_error *err);
void pp_nl_close(struct pp_nl *nl);
struct nlmsghdr *pp_nl_request(struct pp_nl *nl, uint8_t cmd, bool dump);
int pp_nl_run_once(struct pp_nl *nl, const struct pp_nl_sink *sink, unsigned int timeout_ms,
		   struct pp_error *err);
int pp_nl_run_long(struct pp_nl *nl, const struct pp_nl_sink *sink, unsigned int timeout_ms,
		   struct pp_error *err);
int pp_nl_run(struct pp_nl *nl, const struct pp_nl_sink *sink, struct pp_error *err);
int pp_nl_errno(const struct pp_nl *nl);

#endif /* PEERPASS_NETLINK_H */
