// SPDX-License-Identifier: GPL-2.0-only
/* What is read about a host and its devices: parsers, and a made-up root folder. */
#include <ftw.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "device_facts.h"
#include "host_facts.h"
#include "nvidia_driver.h"
#include "test.h"
#include "uapi/linux/peerpass.h"

static char root[] = "/tmp/peerpass-facts-XXXXXX";

static void make(const char *file, const char *text, size_t len)
{
	char path[256];
	FILE *f;

	snprintf(path, sizeof(path), "%s%s", root, file);
	for (char *p = path + sizeof(root); *p; p++) {
		if (*p != '/')
			continue;
		*p = '\0';
		mkdir(path, 0755);
		*p = '/';
	}
	f = fopen(path, "w");
	CHECK(f && fwrite(text, 1, len, f) == len, "cannot write %s", path);
	if (f)
		fclose(f);
}

static void put(const char *file, const char *text)
{
	make(file, text, strlen(text));
}

static void drop(const char *file)
{
	char path[256];

	snprintf(path, sizeof(path), "%s%s", root, file);
	unlink(path);
}

static void expect_kind(const char *kind, const char *what)
{
	char buf[PP_CONTAINER_LEN];

	CHECK(pp_container_kind(root, buf) == (kind[0] != '\0'), "%s: found \"%s\"", what, buf);
	CHECK_STR(buf, kind, what);
}

/* The one that is looked at first last, so that each is seen to win. */
static void container_evidence(void)
{
	static const char first[] = "TERM=linux\0container=lxc\0HOME=/";

	expect_kind("", "no evidence");
	put("/proc/self/cgroup", "0::/\n");
	expect_kind("", "a name space of its own");
	put("/proc/self/cgroup", "5:cpu:/\n4:memory:/system.slice/docker-0123.scope\n0::/\n");
	expect_kind("docker", "cgroup");
	put("/run/.containerenv", "");
	expect_kind("podman", ".containerenv");
	put("/.dockerenv", "");
	expect_kind("docker", ".dockerenv");
	make("/proc/1/environ", first, sizeof(first));
	expect_kind("lxc", "environment of the first process");
	put("/run/systemd/container", "systemd-nspawn\n");
	expect_kind("systemd-nspawn", "/run/systemd/container");
	put("/run/systemd/container", "");
	expect_kind("lxc", "an empty file says nothing");
	drop("/run/systemd/container");
	drop("/.dockerenv");
	drop("/run/.containerenv");
	put("/proc/1/environ", "");
	put("/proc/self/cgroup", "0::/user.slice/docker.service\n");
	expect_kind("", "a service called docker is no container");
}

static void container_environ(void)
{
	static const struct {
		const char *text;
		size_t len;
		const char *kind;
	} table[] = {
		{ "", 0, "" },
		{ "container=oci", 13, "oci" },
		{ "container=oci\0", 14, "oci" },
		{ "container=", 10, "" },
		{ "xcontainer=oci\0a=b\0", 19, "" },
		{ "\0\0container=a b\0", 16, "a" },
		{ "container=\x1b[31m\0", 16, "" },
		{ "container=o", 10, "" },
		{ "container=0123456789012345678901234567890123456789", 50,
		  "0123456789012345678901234567890" },
	};

	for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
		char *exact = malloc(table[i].len + !table[i].len), buf[PP_CONTAINER_LEN] = "";

		memcpy(exact, table[i].text, table[i].len);
		CHECK(pp_container_from_environ(exact, table[i].len, buf) ==
		      (table[i].kind[0] != '\0'), "environment %zu", i);
		CHECK_STR(buf, table[i].kind, "environment");
		free(exact);
	}
}

static void container_cgroup(void)
{
	static const struct {
		const char *line;
		const char *kind;
	} table[] = {
		{ "0::/", "" },
		{ "0::/user.slice/user-0.slice", "" },
		{ "0::/kubepods.slice/kubepods-pod1.slice/cri-containerd-1.scope", "kubernetes" },
		{ "0::/machine.slice/libpod-12.scope/container", "podman" },
		{ "4:memory:/docker/0123", "docker" },
		{ "0::/lxc.payload.web/init.scope", "lxc" },
		{ "2:cpu:/lxc/web", "lxc" },
	};

	for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
		char buf[PP_CONTAINER_LEN] = "";

		pp_container_from_cgroup(table[i].line, buf);
		CHECK_STR(buf, table[i].kind, table[i].line);
	}
}

static void driver_version(void)
{
	static const struct {
		const char *line;
		const char *version;
	} table[] = {
		{ "NVRM version: NVIDIA UNIX x86_64 Kernel Module  535.54.03  Tue Jun  6 2023",
		  "535.54.03" },
		{ "NVRM version: NVIDIA UNIX Open Kernel Module for x86_64  595.45.04  Release",
		  "595.45.04" },
		{ "NVRM version: NVIDIA UNIX x86_64 Kernel Module  535.54", "535.54" },
		{ "NVRM version: NVIDIA UNIX x86_64 Kernel Module  535", "" },
		{ "NVRM version: 1.2x 3.4.", "3.4." },
		{ "GCC version:  gcc version 12.2.0", "" },
		{ "NVRM version:", "" },
		{ "", "" },
	};
	char buf[32];

	for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
		buf[0] = '\0';
		pp_nvidia_version_parse(table[i].line, buf, sizeof(buf));
		CHECK_STR(buf, table[i].version, table[i].line);
	}
	CHECK(!pp_nvidia_version_parse(table[0].line, buf, 9), "longer than the buffer");
}

static void driver_parameters(void)
{
	static const struct {
		const char *line;
		bool good;
		long value;
	} table[] = {
		{ "DmaRemapPeerMmio: 1\n", true, 1 },
		{ "DmaRemapPeerMmio: 0", true, 0 },
		{ "DmaRemapPeerMmio: 1 2\n", false, 0 },
		{ "DmaRemapPeerMmio:\n", false, 0 },
		{ "DmaRemapPeerMmio: \"1\"\n", false, 0 },
		{ "DmaRemapPeerMmio: 99999999999999999999\n", false, 0 },
		{ "DmaRemapPeerMmioX: 1\n", false, 0 },
		{ "XDmaRemapPeerMmio: 1\n", false, 0 },
		{ "DmaRemapPeerMmio", false, 0 },
		{ "", false, 0 },
	};

	for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
		long value = 0;
		bool good = pp_nvidia_param(table[i].line, "DmaRemapPeerMmio", &value);

		CHECK(good == table[i].good, "\"%s\": %d", table[i].line, good);
		CHECK(!good || value == table[i].value, "\"%s\": %ld", table[i].line, value);
	}
}

static void host(void)
{
	struct pp_host_facts facts;
	json_t *json;

	pp_host_facts_read(root, &facts);
	CHECK_STR(facts.driver, "", "no driver");
	CHECK_NUM(facts.dma_remap_peer_mmio, PEERPASS_TRISTATE_UNKNOWN, "no driver's option");
	json = pp_json_host(&facts);
	CHECK(json_is_null(json_object_get(json, "boot_id")), "no boot id is null");
	json_decref(json);
	put("/proc/sys/kernel/random/boot_id", "8a7e3c52-0f0a-4e0c-9a55-0123456789ab\n");
	put("/proc/sys/kernel/osrelease", "6.12.5-amd64\n");
	put("/proc/driver/nvidia/version", "NVRM version: NVIDIA UNIX x86_64 Kernel Module  "
	    "535.54.03  Tue\nGCC version: 12\n");
	put("/proc/driver/nvidia/params", "ResmanDebugLevel: 4294967295\nDmaRemapPeerMmio: 0\n"
	    "RegistryDwords: \"\"\n");
	pp_host_facts_read(root, &facts);
	CHECK_STR(facts.boot_id, "8a7e3c52-0f0a-4e0c-9a55-0123456789ab", "boot id");
	CHECK_STR(facts.kernel, "6.12.5-amd64", "kernel");
	CHECK_STR(facts.driver, "535.54.03", "driver, from /proc");
	CHECK_NUM(facts.dma_remap_peer_mmio, PEERPASS_TRISTATE_OFF, "option");
	put("/sys/module/nvidia/version", "595.45.04\n");
	pp_host_facts_read(root, &facts);
	CHECK_STR(facts.driver, "595.45.04", "driver, from /sys");
	json = pp_json_driver(&facts, 12080);
	CHECK_STR(json_string_value(json_object_get(json, "dma_remap_peer_mmio")), "off", "JSON");
	CHECK_NUM(json_integer_value(json_object_get(json, "cuda_version")), 12080, "CUDA");
	json_decref(json);
}

static void replays(void)
{
	static const char * const rows[] = {
		"RxErr 4\n", "BadTLP 5\n", "Rollover 6\n", "Timeout 18446744073709551615\n",
		"TOTAL_ERR_COR 7\n",
	};
	struct pp_replays r = { 0 };
	unsigned int seen = 0;
	json_t *json;

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		CHECK(r.known == (i > 3), "known after %zu rows", i);
		pp_replays_row(rows[i], &r, &seen);
	}
	CHECK(r.rollover == 6 && r.timeout == UINT64_MAX, "values");
	r = (struct pp_replays){ 0 };
	seen = 0;
	CHECK(!pp_replays_row("Rollover -1", &r, &seen), "negative");
	CHECK(!pp_replays_row("Rollover", &r, &seen), "no value");
	CHECK(!pp_replays_row("Rollover 1x", &r, &seen), "no number");
	CHECK(!pp_replays_row("Timeout 18446744073709551616", &r, &seen), "too large");
	json = pp_json_replays(&r);
	CHECK(json_is_null(json), "not known is null");
	json_decref(json);
}

/* No machine has a function in this segment. */
static void absent_device(void)
{
	const struct pp_bdf nowhere = { 0xfffffff0, 0xffff };
	struct pp_replays r;
	struct pp_link link;
	json_t *json;

	CHECK_STR(pp_device_state_name(pp_device_state(nowhere)), "gone", "state");
	pp_replays_read(nowhere, &r);
	CHECK(!r.known, "replays");
	pp_link_read(nowhere, &link);
	json = pp_json_link(&link);
	CHECK(json_is_null(json_object_get(json, "speed")) &&
	      json_is_null(json_object_get(json, "width")), "link");
	json_decref(json);
}

static int remove_one(const char *path, const struct stat *st, int type, struct FTW *where)
{
	(void)st;
	(void)type;
	(void)where;
	return remove(path);
}

int main(void)
{
	if (!mkdtemp(root))
		return 1;
	RUN(container_evidence);
	RUN(container_environ);
	RUN(container_cgroup);
	RUN(driver_version);
	RUN(driver_parameters);
	RUN(host);
	RUN(replays);
	RUN(absent_device);
	nftw(root, remove_one, 8, FTW_DEPTH | FTW_PHYS);
	return test_failures != 0;
}
