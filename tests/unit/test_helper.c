// SPDX-License-Identifier: GPL-2.0-only
/* Addresses, counts, tables and fault differences of the helper. */
#include <stdlib.h>

#include "bdf.h"
#include "devsel.h"
#include "options.h"
#include "output.h"
#include "pci.h"
#include "test.h"

static void bdf_there_and_back(void)
{
	static const struct {
		const char *text;
		const char *again;
		uint32_t domain;
		uint16_t rid;
	} table[] = {
		{ "0000:01:00.0", "0000:01:00.0", 0, 0x0100 },
		{ "01:00.0", "0000:01:00.0", 0, 0x0100 },
		{ "c1:1f.7", "0000:c1:1f.7", 0, 0xc1ff },
		{ "0000:C1:00.0", "0000:c1:00.0", 0, 0xc100 },
		{ "10000:e1:00.0", "10000:e1:00.0", 0x10000, 0xe100 },
		{ "00000000:41:00.0", "0000:41:00.0", 0, 0x4100 },
	};
	struct pp_bdf bdf;
	char buf[PP_BDF_LEN];

	for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
		CHECK(pp_bdf_parse(table[i].text, &bdf), "%s was refused", table[i].text);
		CHECK(bdf.domain == table[i].domain && bdf.rid == table[i].rid, "%s: %x %x",
		      table[i].text, bdf.domain, bdf.rid);
		CHECK_STR(pp_bdf_text(bdf, buf), table[i].again, "text");
	}
}

static void bdf_refuses(void)
{
	static const char * const table[] = {
		"", "0", "gpu0", "01:00", "01:00.", "01:00.8", "01:20.0", "01:00.00",
		"0000:01:00.0 ", " 0000:01:00.0", "0000:01:00.0x", "0000:001:00.0",
		"0000:01:000.0", "000000000:01:00.0",
		":01:00.0", "0000::00.0", "0000:01:00:0", "1:2:3:4.5", "0000.01.00.0", "-1:00.0",
		"0000:0g:00.0", "0x00:01:00.0",
	};
	struct pp_bdf bdf;

	for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++)
		CHECK(!pp_bdf_parse(table[i], &bdf), "\"%s\" was accepted", table[i]);
}

static void counts_fit_their_column(void)
{
	static const struct {
		uint64_t count;
		bool lower;
		const char *text;
	} table[] = {
		{ 0, false, "0" },
		{ 0, true, "0+" },
		{ 9999999, false, "9999999" },
		{ 10000000, false, "10.0M" },
		{ 12345678, true, "12.3M+" },
		{ 999999999, false, "999.9M" },
		{ 1000000000, false, "1.0G" },
		{ UINT64_MAX, true, "18.4E+" },
	};
	char buf[PP_TEXT_LEN];

	for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
		pp_count_text(table[i].count, table[i].lower, buf);
		CHECK_STR(buf, table[i].text, "count");
		CHECK(strlen(buf) <= 8, "%s is too long", buf);
	}
}

static void options_number(void)
{
	static const struct {
		const char *text;
		bool good;
		uint64_t value;
	} table[] = {
		{ "8", true, 8 }, { "4096", true, 4096 }, { "0x1000", true, 4096 },
		{ "1K", true, 1024 }, { "1M", true, 1048576 }, { "1G", true, 1073741824 },
		{ "7", false, 0 }, { "0", false, 0 }, { "", false, 0 }, { "-8", false, 0 },
		{ "8x", false, 0 }, { "8KB", false, 0 }, { "K", false, 0 }, { " 8", false, 0 },
		{ "2G", false, 0 }, { "1073741825", false, 0 },
		{ "18446744073709551616", false, 0 }, { "18446744073709551615G", false, 0 },
		{ "17179869184G", false, 0 },
	};

	for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
		struct pp_error err = { 0 };
		uint64_t value = 0;
		int ret = pp_options_number("--size", table[i].text, 8, 1 << 30, &value, &err);

		CHECK(!ret == table[i].good, "\"%s\": %d", table[i].text, ret);
		CHECK(ret || value == table[i].value, "\"%s\": wrong value", table[i].text);
		CHECK(!ret || err.exit_code == PP_EXIT_USAGE, "\"%s\": exit code", table[i].text);
	}
}

static void short_names(void)
{
	static const struct {
		const char *name;
		const char *text;
	} table[] = {
		{ "GB202GL [RTX PRO 6000]", "RTX PRO 6000" },
		{ "Virtio 1.0 RNG", "Virtio 1.0 RNG" },
		{ "odd []", "odd []" },
		{ "odd [unclosed", "odd [unclosed" },
		{ "", "10de:2bb5" },
	};
	struct pp_device dev;
	char buf[64];

	for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
		pp_device_init(&dev);
		dev.has_id = true;
		dev.vendor = 0x10de;
		dev.device = 0x2bb5;
		snprintf(dev.name, sizeof(dev.name), "%s", table[i].name);
		pp_pci_short_name(&dev, buf, sizeof(buf));
		CHECK_STR(buf, table[i].text, "short name");
	}
	pp_device_init(&dev);
	pp_pci_short_name(&dev, buf, sizeof(buf));
	CHECK_STR(buf, "-", "nothing known");
}

static void devices_by_name(void)
{
	struct pp_device v[3];
	struct pp_inventory inv = { .devices = { v, 3 } };
	struct pp_error err;

	for (size_t i = 0; i < 3; i++) {
		pp_device_init(&v[i]);
		v[i].present = true;
		v[i].has_id = true;
		v[i].class = i == 1 ? 0x010802 : 0x030000;
		v[i].bdf.rid = (uint16_t)((i + 1) << 8);
	}
	pp_inventory_number(&inv.devices);
	CHECK(v[0].gpu == 0 && v[1].gpu == -1 && v[2].gpu == 1, "numbers %d %d %d", v[0].gpu,
	      v[1].gpu, v[2].gpu);
	CHECK(pp_devsel(&inv, "gpu1", &err) == &v[2], "gpu1");
	CHECK(pp_devsel(&inv, "02:00.0", &err) == &v[1], "02:00.0");
	CHECK(!pp_devsel(&inv, "gpu2", &err) && err.exit_code == PP_EXIT_FAILED, "gpu2");
	CHECK(strstr(err.hint, "gpu0 0000:01:00.0, gpu1 0000:03:00.0"), "hint: %s", err.hint);
	CHECK(!pp_devsel(&inv, "04:00.0", &err) && err.exit_code == PP_EXIT_FAILED, "04:00.0");
	CHECK(!pp_devsel(&inv, "gpu", &err) && err.exit_code == PP_EXIT_USAGE, "gpu");
	CHECK(!pp_devsel(&inv, "gpu99999", &err) && err.exit_code == PP_EXIT_USAGE, "gpu99999");
	CHECK(!pp_devsel(&inv, "gpu-1", &err) && err.exit_code == PP_EXIT_USAGE, "gpu-1");
	v[1].selected = true;
	pp_inventory_number(&inv.devices);
	CHECK(v[1].gpu == 1 && v[2].gpu == 2, "a selected device has a number");
}

int main(void)
{
	RUN(bdf_there_and_back);
	RUN(bdf_refuses);
	RUN(counts_fit_their_column);
	RUN(options_number);
	RUN(short_names);
	RUN(devices_by_name);
	return test_failures != 0;
}
