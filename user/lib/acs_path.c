// SPDX-License-Identifier: GPL-2.0-only
/* Which way the transfers of one device to another take. */
#include <stdio.h>
#include <string.h>

#include "acs_path.h"

/** pp_route_name - as JSON has it */
const char *pp_route_name(enum pp_route route)
{
	static const char * const names[] = {
		[PP_ROUTE_UNKNOWN] = "unknown",
		[PP_ROUTE_HOST_BRIDGES] = "host_bridges",
		[PP_ROUTE_ROOT_COMPLEX] = "root_complex",
		[PP_ROUTE_REDIRECTED] = "redirected",
		[PP_ROUTE_DIRECT] = "direct",
		[PP_ROUTE_INSIDE] = "inside",
	};

	return names[route];
}

/** pp_redirect_name - as text and JSON have it */
const char *pp_redirect_name(enum pp_redirect redirect)
{
	static const char * const names[] = {
		[PP_REDIRECT_UNKNOWN] = "unknown",
		[PP_REDIRECT_NO_ACS] = "no_acs",
		[PP_REDIRECT_OFF] = "off",
		[PP_REDIRECT_ON] = "on",
	};

	return names[redirect];
}

/** pp_route_through_iommu - does the IOMMU see it? 1, 0, or -1: not known */
int pp_route_through_iommu(enum pp_route route)
{
	switch (route) {
	case PP_ROUTE_HOST_BRIDGES:
	case PP_ROUTE_ROOT_COMPLEX:
	case PP_ROUTE_REDIRECTED:
		return 1;
	case PP_ROUTE_DIRECT:
		return 0;
	default:
		return -1;
	}
}

static bool same_slot(struct pp_bdf a, struct pp_bdf b)
{
	return a.domain == b.domain && a.rid >> 3 == b.rid >> 3;
}

/* Which way, once the last bridge above both is known. */
static enum pp_route below(const struct pp_path *path, const struct pp_port *common)
{
	switch (common->type) {
	case PP_PORT_CONVENTIONAL:
		return PP_ROUTE_DIRECT;
	case PP_PORT_UPSTREAM:
		break;
	/* One link leads to one device; with ARI it has functions of any number. */
	case PP_PORT_ROOT:
	case PP_PORT_DOWNSTREAM:
		return path->n ? PP_ROUTE_UNKNOWN : PP_ROUTE_INSIDE;
	default:
		return PP_ROUTE_UNKNOWN;
	}
	if (path->decides < 0)
		return PP_ROUTE_UNKNOWN;
	switch (path->ports[path->decides].request) {
	case PP_REDIRECT_ON:
		return PP_ROUTE_REDIRECTED;
	case PP_REDIRECT_OFF:
	case PP_REDIRECT_NO_ACS:
		return PP_ROUTE_DIRECT;
	default:
		return PP_ROUTE_UNKNOWN;
	}
}

/**
 * pp_acs_path - compute the way from one device to another
 *
 * Where the ways of two devices part inside a switch, the downstream port above
 * the initiator decides about its requests: with P2P Request Redirect they go up,
 * without they cross over. The port above the target decides in the same way, by
 * P2P Completion Redirect, about the answers to reads.
 */
void pp_acs_path(const struct pp_chain *from, const struct pp_chain *to, struct pp_path *path)
{
	size_t common = 0;

	memset(path, 0, sizeof(*path));
	path->decides = -1;
	path->answers = -1;
	if (!from->root[0] || !to->root[0])
		return;
	if (!strcmp(from->root, to->root)) {
		while (common < from->n && common < to->n &&
		       pp_bdf_equal(from->ports[common].bdf, to->ports[common].bdf))
			common++;
	}
	for (size_t i = from->n; i > common; i--)
		path->ports[path->n++] = from->ports[i - 1];
	if (path->n)
		path->decides = (int)path->n - 1;
	if (to->n > common)
		path->answers = (int)path->n;
	for (size_t i = common; i < to->n; i++)
		path->ports[path->n++] = to->ports[i];

	if (strcmp(from->root, to->root))
		path->route = PP_ROUTE_HOST_BRIDGES;
	else if (same_slot(from->device, to->device))
		path->route = PP_ROUTE_INSIDE;
	else if (!common)
		path->route = PP_ROUTE_ROOT_COMPLEX;
	else
		path->route = below(path, &from->ports[common - 1]);
}

/* "0000:03:00.0 request redirect on, completion redirect off" for each bridge. */
static size_t bridges(const struct pp_path *path, char *buf, size_t size)
{
	size_t used = 0;

	for (size_t i = 0; i < path->n && used < size; i++) {
		const struct pp_port *port = &path->ports[i];
		char bdf[PP_BDF_LEN];

		pp_bdf_text(port->bdf, bdf);
		if (port->request == PP_REDIRECT_NO_ACS)
			used += (size_t)snprintf(buf + used, size - used, "%s%s no ACS",
						 used ? "; " : "", bdf);
		else if (port->request == PP_REDIRECT_UNKNOWN)
			used += (size_t)snprintf(buf + used, size - used, "%s%s unknown",
						 used ? "; " : "", bdf);
		else
			used += (size_t)snprintf(buf + used, size - used,
						 "%s%s RR %s, CR %s", used ? "; " : "", bdf,
						 pp_redirect_name(port->request),
						 pp_redirect_name(port->completion));
	}
	return used < size ? used : size - 1;
}

/* What would let the switch route straight, and why nobody here does it. */
static void redirected(const struct pp_path *path, char *buf, size_t size)
{
	char above[PP_BDF_LEN], answers[PP_BDF_LEN];
	bool both = path->answers >= 0 &&
		    path->ports[path->answers].completion == PP_REDIRECT_ON;

	pp_bdf_text(path->ports[path->decides].bdf, above);
	if (both)
		pp_bdf_text(path->ports[path->answers].bdf, answers);
	snprintf(buf, size, "up to the root complex, because %s redirects requests: works through "
		 "the window or identity, slower than straight through the switch. For that, "
		 "request redirect would have to be cleared at %s%s%s; peerpass does not touch "
		 "ACS, and kernels from 6.18.26 and 7.0 write it again at every bind of a driver",
		 above, above, both ? " and completion redirect at " : "", both ? answers : "");
}

/** pp_path_text - what the way means, then its bridges */
void pp_path_text(const struct pp_path *path, char *buf, size_t size)
{
	size_t used;

	switch (path->route) {
	case PP_ROUTE_HOST_BRIDGES:
		snprintf(buf, size, "through the root complex (two host bridges): needs the window "
			 "or identity");
		break;
	case PP_ROUTE_ROOT_COMPLEX:
		snprintf(buf, size, "through the root complex (no common switch): needs the window "
			 "or identity");
		break;
	case PP_ROUTE_REDIRECTED:
		redirected(path, buf, size);
		break;
	case PP_ROUTE_DIRECT:
		snprintf(buf, size, "straight, below the IOMMU: windows are not used, faults are "
			 "not seen, and nothing is checked");
		break;
	case PP_ROUTE_INSIDE:
		snprintf(buf, size, "inside one device: the device decides");
		break;
	default:
		snprintf(buf, size, "unknown%s", path->n && path->decides >= 0 &&
			 path->ports[path->decides].request == PP_REDIRECT_UNKNOWN ?
			 ": needs root" : "");
	}
	used = strlen(buf);
	if (path->n && used + 4 < size) {
		used += (size_t)snprintf(buf + used, size - used, " [");
		used += bridges(path, buf + used, size - used - 1);
		snprintf(buf + used, size - used, "]");
	}
}
