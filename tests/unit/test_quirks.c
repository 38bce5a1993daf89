// SPDX-License-Identifier: GPL-2.0-only
/* Firmware that does not start in identity: every edge of every range, and beyond. */
#include <stdint.h>

#include "quirks.h"
#include "test.h"

static const struct {
	unsigned short first;
	unsigned short last;
	const char *name;
} ranges[] = {
	{ 0x2900, 0x297f, "Blackwell GB100" }, { 0x2980, 0x29ff, "Blackwell GB102" },
	{ 0x2b80, 0x2bff, "Blackwell GB202" }, { 0x2c00, 0x2c7f, "Blackwell GB203" },
	{ 0x2d00, 0x2d7f, "Blackwell GB206" }, { 0x2d80, 0x2dff, "Blackwell GB207" },
	{ 0x2f00, 0x2f7f, "Blackwell GB205" }, { 0x3180, 0x31ff, "Blackwell GB110" },
};

#define COUNT (sizeof(ranges) / sizeof(ranges[0]))

static const char *expected(unsigned int device)
{
	for (size_t i = 0; i < COUNT; i++) {
		if (device >= ranges[i].first && device <= ranges[i].last)
			return ranges[i].name;
	}
	return NULL;
}

static void quirks_edges(void)
{
	for (size_t i = 0; i < COUNT; i++) {
		const unsigned int at[] = { ranges[i].first - 1u, ranges[i].first,
					    (ranges[i].first + ranges[i].last) / 2u, ranges[i].last,
					    ranges[i].last + 1u };

		for (size_t a = 0; a < sizeof(at) / sizeof(at[0]); a++) {
			const char *name = pp_quirk_firmware(0x10de, (unsigned short)at[a]);
			const char *right = expected(at[a]);

			CHECK((!name && !right) || (name && right && !strcmp(name, right)),
			      "%04x: %s", at[a], name ? name : "none");
		}
	}
}

/* All 65,536, and none of another vendor. */
static void quirks_every_device(void)
{
	static const unsigned short others[] = { 0x0000, 0x10dd, 0x10df, 0x1002, 0x8086, 0xffff };

	for (unsigned int d = 0; d <= 0xffff; d++) {
		const char *name = pp_quirk_firmware(0x10de, (unsigned short)d);

		CHECK(!name == !expected(d), "%04x: %s", d, name ? name : "none");
		for (size_t v = 0; v < sizeof(others) / sizeof(others[0]); v++)
			CHECK(!pp_quirk_firmware(others[v], (unsigned short)d), "vendor %04x",
			      others[v]);
	}
}

/* By name: Blackwell is in, what came before is not. */
static void quirks_known_boards(void)
{
	CHECK(pp_quirk_firmware(0x10de, 0x2901), "B200");
	CHECK(pp_quirk_firmware(0x10de, 0x2bb5), "RTX PRO 6000 Blackwell");
	CHECK(pp_quirk_firmware(0x10de, 0x2b85), "RTX 5090");
	CHECK(pp_quirk_firmware(0x10de, 0x3182), "B300");
	CHECK(!pp_quirk_firmware(0x10de, 0x2330), "H100");
	CHECK(!pp_quirk_firmware(0x10de, 0x2335), "H200");
	CHECK(!pp_quirk_firmware(0x10de, 0x2684), "RTX 4090");
	CHECK(!pp_quirk_firmware(0x10de, 0x20b0), "A100");
}

int main(void)
{
	RUN(quirks_edges);
	RUN(quirks_every_device);
	RUN(quirks_known_boards);
	return test_failures != 0;
}
