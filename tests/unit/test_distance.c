// SPDX-License-Identifier: GPL-2.0-only
/* How far devices are apart, from made-up bridges. */
#include "distance.h"
#include "test.h"

static struct pp_chain a, b;

/* The bridges above a device, by their numbers, from the root down; 0 ends them. */
static void chain(struct pp_chain *c, const char *root, const uint16_t *ports)
{
	memset(c, 0, sizeof(*c));
	strcpy(c->root, root);
	while (ports[c->n]) {
		c->ports[c->n].bdf.rid = ports[c->n];
		c->n++;
	}
}

#define PORTS(...) ((const uint16_t[]){ __VA_ARGS__, 0 })

static void expect(enum pp_distance distance, int node_a, int node_b, const char *what)
{
	CHECK_STR(pp_distance_name(pp_distance(&a, &b, node_a, node_b)),
		  pp_distance_name(distance), what);
	CHECK_STR(pp_distance_name(pp_distance(&b, &a, node_b, node_a)),
		  pp_distance_name(distance), "the other way round");
}

static void distance_one_switch(void)
{
	/* Root port, upstream port, then a downstream port for each. */
	chain(&a, "pci0000:00", PORTS(0x0008, 0x0100, 0x0200));
	chain(&b, "pci0000:00", PORTS(0x0008, 0x0100, 0x0208));
	expect(PP_DISTANCE_PIX, 0, 0, "one switch");
	expect(PP_DISTANCE_PIX, 0, 1, "NUMA nodes do not matter below a switch");
	/* Both functions of one device, below one downstream port. */
	chain(&b, "pci0000:00", PORTS(0x0008, 0x0100, 0x0200));
	expect(PP_DISTANCE_PIX, 0, 0, "one port");
}

static void distance_several_switches(void)
{
	chain(&a, "pci0000:00", PORTS(0x0008, 0x0100, 0x0200));
	chain(&b, "pci0000:00", PORTS(0x0008, 0x0100, 0x0208, 0x0500, 0x0600));
	expect(PP_DISTANCE_PXB, 0, 0, "one of them a switch deeper");
	chain(&a, "pci0000:00", PORTS(0x0008, 0x0100, 0x0200, 0x0300, 0x0400));
	expect(PP_DISTANCE_PXB, 0, 0, "below two switches of one");
	chain(&b, "pci0000:00", PORTS(0x0008, 0x0100, 0x0200, 0x0300, 0x0408));
	expect(PP_DISTANCE_PIX, 0, 0, "below the same inner switch");
}

static void distance_root_complex(void)
{
	chain(&a, "pci0000:00", PORTS(0x0008));
	chain(&b, "pci0000:00", PORTS(0x0010));
	expect(PP_DISTANCE_PHB, 0, 0, "two root ports");
	expect(PP_DISTANCE_PHB, -1, -1, "no NUMA at all");
	expect(PP_DISTANCE_SYS, 0, 1, "two nodes");
	expect(PP_DISTANCE_SYS, -1, 0, "a node and none");
	chain(&b, "pci0000:40", PORTS(0x4008));
	expect(PP_DISTANCE_PHB, 0, 0, "two host bridges of one node");
	expect(PP_DISTANCE_SYS, 0, 1, "two host bridges of two nodes");
	chain(&b, "pci0000:40", PORTS(0x4008, 0x4100, 0x4200));
	expect(PP_DISTANCE_SYS, 0, 1, "one of them below a switch");
	chain(&a, "pci0000:00", PORTS(0));
	chain(&b, "pci0000:00", PORTS(0));
	expect(PP_DISTANCE_PHB, 0, 0, "on the root bus");
	/* Both below one root port: that is no switch, and NCCL sees none. */
	chain(&a, "pci0000:00", PORTS(0x0008));
	chain(&b, "pci0000:00", PORTS(0x0008));
	expect(PP_DISTANCE_PHB, 0, 0, "functions of one device");
}

static void distance_unknown(void)
{
	chain(&a, "", PORTS(0x0008));
	chain(&b, "pci0000:00", PORTS(0x0008));
	expect(PP_DISTANCE_UNKNOWN, 0, 0, "no root known");
	chain(&a, "pci0000:00", PORTS(0x0008));
	for (a.n = 0; a.n < PP_CHAIN_MAX; a.n++)
		a.ports[a.n].bdf.rid = (uint16_t)(8 * (a.n + 1));
	expect(PP_DISTANCE_UNKNOWN, 0, 0, "bridges may be missing");
}

static void distance_names(void)
{
	static const enum pp_distance list[] = {
		PP_DISTANCE_PXB, PP_DISTANCE_UNKNOWN, PP_DISTANCE_PHB, PP_DISTANCE_PIX,
	};

	for (int d = 0; d < PP_DISTANCES; d++)
		CHECK_NUM(pp_distance_from_name(pp_distance_name((enum pp_distance)d)), d,
			  "there and back");
	CHECK_NUM(pp_distance_from_name("pix"), PP_DISTANCE_UNKNOWN, "lower case");
	CHECK_NUM(pp_distance_from_name(""), PP_DISTANCE_UNKNOWN, "empty");
	CHECK_NUM(pp_distance_widest(list, 4), PP_DISTANCE_PHB, "widest");
	CHECK_NUM(pp_distance_widest(list, 2), PP_DISTANCE_PXB, "unknown does not count");
	CHECK_NUM(pp_distance_widest(list + 1, 1), PP_DISTANCE_UNKNOWN, "unknown only");
	CHECK_NUM(pp_distance_widest(list, 0), PP_DISTANCE_UNKNOWN, "none");
}

int main(void)
{
	RUN(distance_one_switch);
	RUN(distance_several_switches);
	RUN(distance_root_complex);
	RUN(distance_unknown);
	RUN(distance_names);
	return test_failures != 0;
}
