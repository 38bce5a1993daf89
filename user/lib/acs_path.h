/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Which way the transfers of one device to another take, from the bridges above
 * both and their ACS bits. Computes only; acs_read.h asks the hardware, and
 * nothing ever changes it.
 */
#ifndef PEERPASS_ACS_PATH_H
#define PEERPASS_ACS_PATH_H

#include <stdbool.h>
#include <stddef.h>

#include "bdf.h"

#define PP_CHAIN_MAX 16

enum pp_port_type {
	/* Its configuration space cannot be read, or makes no sense. */
	PP_PORT_UNKNOWN,
	PP_PORT_ROOT,
	PP_PORT_UPSTREAM,
	PP_PORT_DOWNSTREAM,
	/* To conventional PCI, or conventional itself: a shared bus below it. */
	PP_PORT_CONVENTIONAL,
};

enum pp_redirect {
	/* Cannot be read: it needs root. */
	PP_REDIRECT_UNKNOWN,
	/* The port has no ACS capability. */
	PP_REDIRECT_NO_ACS,
	PP_REDIRECT_OFF,
	PP_REDIRECT_ON,
};

/**
 * struct pp_port - a bridge
 * @request: P2P Request Redirect (PCI Express Base Specification, 6.12.1.1)
 * @completion: P2P Completion Redirect
 */
struct pp_port {
	struct pp_bdf bdf;
	enum pp_port_type type;
	enum pp_redirect request;
	enum pp_redirect completion;
};

/**
 * struct pp_chain - the way from a host bridge down to a device
 * @root: the host bridge as sysfs has it, "pci0000:00"; empty when not known
 * @ports: the bridges, from the root down
 */
struct pp_chain {
	char root[24];
	struct pp_bdf device;
	struct pp_port ports[PP_CHAIN_MAX];
	size_t n;
};

enum pp_route {
	PP_ROUTE_UNKNOWN,
	/* Below two host bridges: through the root complex. */
	PP_ROUTE_HOST_BRIDGES,
	/* Below one host bridge, but no common bridge: they meet in the root complex. */
	PP_ROUTE_ROOT_COMPLEX,
	/* Below one switch that sends requests up to the root complex. */
	PP_ROUTE_REDIRECTED,
	/* Below one switch or on one bus, straight. */
	PP_ROUTE_DIRECT,
	/* Functions of one device. */
	PP_ROUTE_INSIDE,
};

/**
 * struct pp_path - the way of one device's requests to another
 * @ports: the bridges on it, up from the initiator and down to the target; those
 *	above the place where the ways part are left out
 * @decides: index in @ports of the one whose request redirect decides, -1 if none
 * @answers: index of the one whose completion redirect decides for the answers
 *	to reads, -1 if none
 */
struct pp_path {
	enum pp_route route;
	struct pp_port ports[2 * PP_CHAIN_MAX];
	size_t n;
	int decides;
	int answers;
};

void pp_acs_path(const struct pp_chain *from, const struct pp_chain *to, struct pp_path *path);
const char *pp_route_name(enum pp_route route);
const char *pp_redirect_name(enum pp_redirect redirect);
int pp_route_through_iommu(enum pp_route route);
void pp_path_text(const struct pp_path *path, char *buf, size_t size);

#endif /* PEERPASS_ACS_PATH_H */
