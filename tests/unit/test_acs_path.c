// SPDX-License-Identifier: GPL-2.0-only
/* Which way transfers take, from made-up bridges and their ACS bits. */
#include "acs_path.h"
#include "test.h"

#define ON PP_REDIRECT_ON
#define OFF PP_REDIRECT_OFF
#define NONE PP_REDIRECT_NO_ACS
#define UNKNOWN PP_REDIRECT_UNKNOWN

static struct pp_chain from, to;
static struct pp_path path;

static void chain(struct pp_chain *c, const char *root, uint16_t device)
{
	memset(c, 0, sizeof(*c));
	strcpy(c->root, root);
	c->device.rid = device;
}

static void port(struct pp_chain *c, uint16_t rid, enum pp_port_type type,
		 enum pp_redirect request, enum pp_redirect completion)
{
	c->ports[c->n++] = (struct pp_port){ { 0, rid }, type, request, completion };
}

/* Both devices below one switch: 00:01.0, 02:00.0, then 03:00.0 and 03:01.0. */
static void one_switch(enum pp_redirect above_from, enum pp_redirect above_to)
{
	struct pp_chain *both[] = { &from, &to };

	chain(&from, "pci0000:00", 0x0400);
	chain(&to, "pci0000:00", 0x0500);
	for (int i = 0; i < 2; i++) {
		port(both[i], 0x0008, PP_PORT_ROOT, ON, ON);
		port(both[i], 0x0200, PP_PORT_UPSTREAM, NONE, NONE);
	}
	port(&from, 0x0300, PP_PORT_DOWNSTREAM, above_from, above_from);
	port(&to, 0x0308, PP_PORT_DOWNSTREAM, above_to, above_to);
}

static void expect(const char *what, enum pp_route route, const char *text)
{
	char buf[1536];

	pp_acs_path(&from, &to, &path);
	CHECK_STR(pp_route_name(path.route), pp_route_name(route), what);
	pp_path_text(&path, buf, sizeof(buf));
	CHECK(strstr(buf, text), "%s: \"%s\" is not in \"%s\"", what, text, buf);
}

static void acs_one_switch(void)
{
	one_switch(ON, ON);
	expect("on", PP_ROUTE_REDIRECTED,
	       "cleared at 0000:03:00.0 and completion redirect at 0000:03:01.0");
	CHECK(path.n == 2 && path.decides == 0 && path.answers == 1, "ports: %zu %d %d", path.n,
	      path.decides, path.answers);
	expect("on: why not", PP_ROUTE_REDIRECTED, "kernels from 6.18.26 and 7.0 write it again");
	one_switch(ON, OFF);
	expect("on, the target's off", PP_ROUTE_REDIRECTED, "cleared at 0000:03:00.0; peerpass does not");
	one_switch(OFF, ON);
	expect("off, the target's on", PP_ROUTE_DIRECT, "faults are not seen");
	one_switch(OFF, OFF);
	expect("off", PP_ROUTE_DIRECT, "[0000:03:00.0 RR off, CR off; 0000:03:01.0 RR off, CR off]");
	one_switch(NONE, NONE);
	expect("no ACS", PP_ROUTE_DIRECT, "0000:03:00.0 no ACS");
	one_switch(UNKNOWN, UNKNOWN);
	expect("not readable", PP_ROUTE_UNKNOWN, "unknown: needs root [0000:03:00.0 unknown");
	one_switch(ON, UNKNOWN);
	expect("half readable", PP_ROUTE_REDIRECTED, "cleared at 0000:03:00.0; peerpass");
}

/* Only where the ways part: bridges above have no say. */
static void acs_switch_below_a_switch(void)
{
	one_switch(ON, OFF);
	port(&from, 0x0400, PP_PORT_UPSTREAM, NONE, NONE);
	port(&from, 0x0600, PP_PORT_DOWNSTREAM, OFF, OFF);
	from.device.rid = 0x0700;
	expect("deep initiator", PP_ROUTE_REDIRECTED, "because 0000:03:00.0 redirects");
	CHECK(path.n == 4 && path.decides == 2 && path.answers == 3, "ports: %zu %d %d", path.n,
	      path.decides, path.answers);
	one_switch(OFF, OFF);
	from.ports[0].request = ON;
	to.ports[0].request = ON;
	expect("the root port above does not matter", PP_ROUTE_DIRECT, "straight");
}

static void acs_root_complex(void)
{
	chain(&from, "pci0000:00", 0x0100);
	chain(&to, "pci0000:40", 0x4100);
	port(&from, 0x0008, PP_PORT_ROOT, ON, ON);
	port(&to, 0x4008, PP_PORT_ROOT, OFF, OFF);
	expect("two host bridges", PP_ROUTE_HOST_BRIDGES, "two host bridges");
	CHECK_NUM(path.n, 2, "ports");
	chain(&to, "pci0000:00", 0x0200);
	port(&to, 0x0010, PP_PORT_ROOT, UNKNOWN, UNKNOWN);
	expect("two root ports, not readable", PP_ROUTE_ROOT_COMPLEX, "needs the window or identity");
	chain(&from, "pci0000:00", 0x0020);
	chain(&to, "pci0000:00", 0x0028);
	expect("on the root bus", PP_ROUTE_ROOT_COMPLEX, "no common switch");
	CHECK_NUM(path.n, 0, "ports");
}

static void acs_one_device(void)
{
	chain(&from, "pci0000:00", 0x0100);
	chain(&to, "pci0000:00", 0x0101);
	port(&from, 0x0008, PP_PORT_ROOT, ON, ON);
	port(&to, 0x0008, PP_PORT_ROOT, ON, ON);
	expect("two functions", PP_ROUTE_INSIDE, "the device decides");
	to.device.rid = 0x0110;
	expect("two functions, ARI", PP_ROUTE_INSIDE, "the device decides");
	from.ports[0].type = to.ports[0].type = PP_PORT_CONVENTIONAL;
	expect("one bus", PP_ROUTE_DIRECT, "straight");
	from.ports[0].type = to.ports[0].type = PP_PORT_UNKNOWN;
	expect("not readable", PP_ROUTE_UNKNOWN, "unknown");
}

static void acs_nothing_known(void)
{
	memset(&from, 0, sizeof(from));
	memset(&to, 0, sizeof(to));
	expect("nothing", PP_ROUTE_UNKNOWN, "unknown");
	one_switch(ON, ON);
	from.root[0] = '\0';
	expect("one is not known", PP_ROUTE_UNKNOWN, "unknown");
	/* As deep as chains can be: the text is cut, nothing else happens. */
	chain(&from, "pci0000:00", 0x0100);
	chain(&to, "pci0000:40", 0x4100);
	while (from.n < PP_CHAIN_MAX)
		port(&from, (uint16_t)(from.n << 8), PP_PORT_DOWNSTREAM, ON, ON);
	while (to.n < PP_CHAIN_MAX)
		port(&to, (uint16_t)(0x4000 + (to.n << 8)), PP_PORT_DOWNSTREAM, ON, ON);
	for (size_t size = 1; size < 1536; size += 7) {
		char buf[1536];

		pp_acs_path(&from, &to, &path);
		memset(buf, 'x', sizeof(buf));
		pp_path_text(&path, buf, size);
		CHECK(memchr(buf, '\0', size), "not ended within %zu bytes", size);
		CHECK(buf[size] == 'x', "written beyond %zu bytes", size);
	}
}

static void acs_through_the_iommu(void)
{
	CHECK_NUM(pp_route_through_iommu(PP_ROUTE_HOST_BRIDGES), 1, "host bridges");
	CHECK_NUM(pp_route_through_iommu(PP_ROUTE_ROOT_COMPLEX), 1, "root complex");
	CHECK_NUM(pp_route_through_iommu(PP_ROUTE_REDIRECTED), 1, "redirected");
	CHECK_NUM(pp_route_through_iommu(PP_ROUTE_DIRECT), 0, "direct");
	CHECK_NUM(pp_route_through_iommu(PP_ROUTE_INSIDE), -1, "inside");
	CHECK_NUM(pp_route_through_iommu(PP_ROUTE_UNKNOWN), -1, "unknown");
}

int main(void)
{
	RUN(acs_one_switch);
	RUN(acs_switch_below_a_switch);
	RUN(acs_root_complex);
	RUN(acs_one_device);
	RUN(acs_nothing_known);
	RUN(acs_through_the_iommu);
	return test_failures != 0;
}
