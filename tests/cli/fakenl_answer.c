// SPDX-License-Identifier: GPL-2.0-only
/* Builds the answers of a made-up module, right ones and wrong ones (world.h). */
#include <errno.h>
#include <libmnl/libmnl.h>
#include <linux/genetlink.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fakenl_answer.h"
#include "fakenl_faults.h"
#include "fakenl_packet.h"
#include "fakenl_reach.h"
#include "uapi/linux/peerpass.h"
#include "world.h"

static struct world world;

static void put_nests(struct nlmsghdr *nlh, const char *kind, uint16_t type,
		      const struct key *keys, size_t n)
{
	for (size_t i = 0; i < world.n; i++) {
		struct nlattr *nest;

		if (strcmp(world.lines[i].kind, kind))
			continue;
		nest = mnl_attr_nest_start(nlh, type);
		packet_keys(nlh, world.lines[i].text, keys, n);
		mnl_attr_nest_end(nlh, nest);
	}
}

static void put_info(uint16_t flags)
{
	static const struct key info[] = {
		{ "version", PEERPASS_A_INFO_VERSION, 0, 10 },
		{ "state", PEERPASS_A_INFO_STATE, 32, 10 },
		{ "iommu_kind", PEERPASS_A_INFO_IOMMU_KIND, 32, 10 },
		{ "snp", PEERPASS_A_INFO_SNP, 32, 10 },
		{ "source", PEERPASS_A_INFO_SOURCE, 32, 10 },
		{ "inexact", PEERPASS_A_INFO_INEXACT, 32, 10 },
		{ "total", PEERPASS_A_INFO_TOTAL, 64, 10 },
		{ "overflows", PEERPASS_A_INFO_OVERFLOWS, 64, 10 },
		{ "unseen", PEERPASS_A_INFO_UNSEEN, 64, 10 },
		{ "since_boottime_ns", PEERPASS_A_INFO_SINCE_BOOTTIME_NS, 64, 10 },
		{ "since_realtime_ns", PEERPASS_A_INFO_SINCE_REALTIME_NS, 64, 10 },
		{ "window_generation", PEERPASS_A_INFO_WINDOW_GENERATION, 64, 10 },
		{ "policy", PEERPASS_A_INFO_POLICY, 0, 10 },
	};
	static const struct key unit[] = {
		{ "name", PEERPASS_A_UNIT_NAME, 0, 10 },
		{ "entries", PEERPASS_A_UNIT_ENTRIES, 32, 10 },
		{ "total", PEERPASS_A_UNIT_TOTAL, 64, 10 },
		{ "overflows", PEERPASS_A_UNIT_OVERFLOWS, 64, 10 },
		{ "unseen", PEERPASS_A_UNIT_UNSEEN, 64, 10 },
		{ "inexact", PEERPASS_A_UNIT_INEXACT, 32, 10 },
	};
	static const struct key probe[] = {
		{ "symbol", PEERPASS_A_PROBE_SYMBOL, 0, 10 },
		{ "hits", PEERPASS_A_PROBE_HITS, 64, 10 },
		{ "missed", PEERPASS_A_PROBE_MISSED, 64, 10 },
	};
	struct nlmsghdr *nlh = packet_begin_genl(PEERPASS_CMD_INFO_GET, flags);

	for (size_t i = 0; i < world.n; i++) {
		if (!strcmp(world.lines[i].kind, "info"))
			packet_keys(nlh, world.lines[i].text, KEYS(info));
	}
	put_nests(nlh, "unit", PEERPASS_A_INFO_UNIT, KEYS(unit));
	put_nests(nlh, "probe", PEERPASS_A_INFO_PROBE, KEYS(probe));
	packet_end(nlh);
}

static void put_device(const char *text, uint16_t flags)
{
	static const struct key dev[] = {
		{ "present", PEERPASS_A_DEV_PRESENT, 1, 10 },
		{ "vendor", PEERPASS_A_DEV_VENDOR, 16, 16 },
		{ "device", PEERPASS_A_DEV_DEVICE, 16, 16 },
		{ "class", PEERPASS_A_DEV_CLASS, 32, 16 },
		{ "node", PEERPASS_A_DEV_NUMA_NODE, 32, 10 },
		{ "driver", PEERPASS_A_DEV_DRIVER, 0, 10 },
		{ "group", PEERPASS_A_DEV_GROUP, 32, 10 },
		{ "selected", PEERPASS_A_DEV_SELECTED, 1, 10 },
		{ "rule", PEERPASS_A_DEV_RULE, 32, 10 },
		{ "wanted", PEERPASS_A_DEV_WANTED, 32, 10 },
		{ "actual", PEERPASS_A_DEV_ACTUAL, 32, 10 },
		{ "reason", PEERPASS_A_DEV_REASON, 32, 10 },
		{ "detail", PEERPASS_A_DEV_DETAIL, 0, 10 },
		{ "switched", PEERPASS_A_DEV_SWITCHED, 1, 10 },
		{ "original", PEERPASS_A_DEV_ORIGINAL, 32, 10 },
		{ "inexact", PEERPASS_A_DEV_INEXACT, 32, 10 },
		{ "set", PEERPASS_A_DEV_SET, 0, 10 },
		{ "mode", PEERPASS_A_DEV_MODE, 32, 10 },
		{ "why", PEERPASS_A_DEV_WHY, 32, 10 },
		{ "forced", PEERPASS_A_DEV_FORCED, 1, 10 },
		{ "flags", PEERPASS_A_DEV_FLAGS, 32, 10 },
		{ "by_request", PEERPASS_A_DEV_SET_BY_REQUEST, 1, 10 },
	};
	static const struct key evidence[] = {
		{ "e_untrusted", PEERPASS_A_EVIDENCE_UNTRUSTED, 1, 10 },
		{ "e_pasid", PEERPASS_A_EVIDENCE_PASID, 1, 10 },
		{ "e_firmware", PEERPASS_A_EVIDENCE_FIRMWARE, 0, 10 },
		{ "e_driver_bound", PEERPASS_A_EVIDENCE_DRIVER_BOUND, 1, 10 },
		{ "e_driver_override", PEERPASS_A_EVIDENCE_DRIVER_OVERRIDE, 1, 10 },
		{ "e_dma_bits", PEERPASS_A_EVIDENCE_DMA_BITS, 32, 10 },
		{ "e_members", PEERPASS_A_EVIDENCE_MEMBERS, 32, 10 },
		{ "e_companions", PEERPASS_A_EVIDENCE_COMPANIONS, 32, 10 },
		{ "e_snp", PEERPASS_A_EVIDENCE_SNP, 32, 10 },
		{ "e_snp_mode0", PEERPASS_A_EVIDENCE_SNP_MODE0, 1, 10 },
		{ "e_memory_encryption", PEERPASS_A_EVIDENCE_MEMORY_ENCRYPTION, 1, 10 },
		{ "e_single_device_groups", PEERPASS_A_EVIDENCE_SINGLE_DEVICE_GROUPS, 1, 10 },
		{ "e_kernel_said", PEERPASS_A_EVIDENCE_KERNEL_SAID, 32, 10 },
	};
	struct nlmsghdr *nlh = packet_begin_genl(PEERPASS_CMD_DEV_GET, flags);
	uint64_t counts[PEERPASS_FAULT_KIND_MAX + 1] = { 0 }, total = 0;
	char value[64];
	unsigned long kind;
	uint32_t domain;
	uint16_t rid;
	char *end_of_kind;

	world_get(text, "bdf", value, sizeof(value));
	world_bdf(value, &domain, &rid);
	mnl_attr_put_u32(nlh, PEERPASS_A_DEV_DOMAIN, domain);
	mnl_attr_put_u16(nlh, PEERPASS_A_DEV_RID, rid);
	packet_keys(nlh, text, KEYS(dev));
	if (world_has(text, "e_snp")) {
		struct nlattr *nest = mnl_attr_nest_start(nlh, PEERPASS_A_DEV_EVIDENCE);

		packet_keys(nlh, text, KEYS(evidence));
		mnl_attr_nest_end(nlh, nest);
	}
	if (world_get(text, "count", value, sizeof(value))) {
		kind = strtoul(value, &end_of_kind, 10);
		counts[kind] += strtoull(end_of_kind + 1, NULL, 10);
	}
	fake_faults_of(domain, rid, counts);
	for (uint32_t k = 0; k <= PEERPASS_FAULT_KIND_MAX; k++) {
		struct nlattr *nest;

		total += counts[k];
		if (!counts[k])
			continue;
		nest = mnl_attr_nest_start(nlh, PEERPASS_A_DEV_COUNT);
		mnl_attr_put_u32(nlh, PEERPASS_A_COUNT_KIND, k);
		mnl_attr_put_u64(nlh, PEERPASS_A_COUNT_VALUE, counts[k]);
		mnl_attr_nest_end(nlh, nest);
	}
	mnl_attr_put_u64(nlh, PEERPASS_A_DEV_TOTAL, total);
	packet_end(nlh);
}

static void put_pair(const char *text, uint16_t flags)
{
	static const struct key counts[] = {
		{ "class", PEERPASS_A_PAIR_CLASS, 32, 10 },
		{ "bar", PEERPASS_A_PAIR_TARGET_BAR, 32, 10 },
		{ "read", PEERPASS_A_PAIR_READ, 64, 10 },
		{ "write", PEERPASS_A_PAIR_WRITE, 64, 10 },
		{ "other", PEERPASS_A_PAIR_OTHER, 64, 10 },
	};
	struct nlmsghdr *nlh = packet_begin_genl(PEERPASS_CMD_PAIR_GET, flags);
	char value[64];
	uint32_t domain;
	uint16_t rid;

	if (world_get(text, "initiator", value, sizeof(value))) {
		world_bdf(value, &domain, &rid);
		mnl_attr_put_u32(nlh, PEERPASS_A_PAIR_INITIATOR_DOMAIN, domain);
		mnl_attr_put_u16(nlh, PEERPASS_A_PAIR_INITIATOR_RID, rid);
	}
	if (world_get(text, "target", value, sizeof(value))) {
		world_bdf(value, &domain, &rid);
		mnl_attr_put_u32(nlh, PEERPASS_A_PAIR_TARGET_DOMAIN, domain);
		mnl_attr_put_u16(nlh, PEERPASS_A_PAIR_TARGET_RID, rid);
	}
	packet_keys(nlh, text, KEYS(counts));
	packet_end(nlh);
}

static void put_window(const char *text, uint16_t flags)
{
	static const struct key fields[] = {
		{ "bar", PEERPASS_A_WINDOW_BAR, 32, 10 },
		{ "size", PEERPASS_A_WINDOW_SIZE, 64, 10 },
		{ "state", PEERPASS_A_WINDOW_STATE, 32, 10 },
	};
	struct nlmsghdr *nlh = packet_begin_genl(PEERPASS_CMD_WINDOW_GET, flags);
	char value[64];
	uint32_t domain;
	uint16_t rid;

	if (world_get(text, "initiator", value, sizeof(value))) {
		world_bdf(value, &domain, &rid);
		mnl_attr_put_u32(nlh, PEERPASS_A_WINDOW_INITIATOR_DOMAIN, domain);
		mnl_attr_put_u16(nlh, PEERPASS_A_WINDOW_INITIATOR_RID, rid);
	}
	if (world_get(text, "target", value, sizeof(value))) {
		world_bdf(value, &domain, &rid);
		mnl_attr_put_u32(nlh, PEERPASS_A_WINDOW_TARGET_DOMAIN, domain);
		mnl_attr_put_u16(nlh, PEERPASS_A_WINDOW_TARGET_RID, rid);
	}
	packet_keys(nlh, text, KEYS(fields));
	packet_end(nlh);
}

static void put_sync(void)
{
	struct nlmsghdr *nlh = packet_begin_genl(PEERPASS_CMD_SYNC, 0);
	uint8_t drained = 1;

	for (size_t i = 0; i < world.n; i++) {
		if (!strcmp(world.lines[i].kind, "sync"))
			drained = (uint8_t)world_number(world.lines[i].text, "drained", 10);
	}
	mnl_attr_put_u8(nlh, PEERPASS_A_SYNC_DRAINED, drained);
	mnl_attr_put_u64(nlh, PEERPASS_A_SYNC_TOTAL, 0);
	packet_end(nlh);
}

/* What was asked for, a line each in the file that FAKE_SETS names. */
static void note_set(const char *line)
{
	const char *path = getenv("FAKE_SETS");
	FILE *f = path ? fopen(path, "ae") : NULL;

	if (!f)
		abort();
	fprintf(f, "%s\n", line);
	fclose(f);
}

/* The first line "set" of that device, and of that mode if the line has one. */
static const char *line_for_set(uint32_t domain, uint16_t rid, const char *mode)
{
	for (size_t i = 0; i < world.n; i++) {
		const char *text = world.lines[i].text;
		uint32_t found_domain;
		uint16_t found_rid;
		char value[64];

		if (strcmp(world.lines[i].kind, "set") ||
		    !world_get(text, "bdf", value, sizeof(value)))
			continue;
		world_bdf(value, &found_domain, &found_rid);
		if (found_domain != domain || found_rid != rid)
			continue;
		if (!world_get(text, "on", value, sizeof(value)) || !strcmp(value, mode))
			return text;
	}
	return " reason=0";
}

static void put_set(void)
{
	static const struct key keys[] = {
		{ "mode", PEERPASS_A_SET_MODE, 32, 10 },
		{ "reason", PEERPASS_A_SET_REASON, 32, 10 },
		{ "detail", PEERPASS_A_SET_DETAIL, 0, 10 },
		{ "why", PEERPASS_A_SET_WHY, 32, 10 },
	};
	const char *set = "-", *text;
	struct nlmsghdr *nlh;
	const struct nlattr *attr;
	uint32_t domain = 0, flags = 0;
	uint16_t rid = 0;
	char mode[16] = "policy", line[160];

	mnl_attr_for_each(attr, packet.request, GENL_HDRLEN) {
		switch (mnl_attr_get_type(attr)) {
		case PEERPASS_A_SET_DOMAIN:
			domain = mnl_attr_get_u32(attr);
			break;
		case PEERPASS_A_SET_RID:
			rid = mnl_attr_get_u16(attr);
			break;
		case PEERPASS_A_SET_MODE:
			snprintf(mode, sizeof(mode), "%u", mnl_attr_get_u32(attr));
			break;
		case PEERPASS_A_SET_SET:
			set = mnl_attr_get_str(attr);
			break;
		case PEERPASS_A_SET_FLAGS:
			flags = mnl_attr_get_u32(attr);
			break;
		default:
			abort();
		}
	}
	snprintf(line, sizeof(line), "%04x:%02x:%02x.%x mode=%s set=%s flags=%u", domain,
		 rid >> 8, rid >> 3 & 0x1f, rid & 7, mode, set, flags);
	note_set(line);
	text = line_for_set(domain, rid, mode);
	if (world_has(text, "error")) {
		char words[128] = "";

		world_get(text, "detail", words, sizeof(words));
		packet_ack((int)world_number(text, "error", 10), words[0] ? words : NULL);
		return;
	}
	nlh = packet_begin_genl(PEERPASS_CMD_SET, 0);
	mnl_attr_put_u32(nlh, PEERPASS_A_SET_DOMAIN, domain);
	mnl_attr_put_u16(nlh, PEERPASS_A_SET_RID, rid);
	if (!world_has(text, "mode") && strcmp(mode, "policy"))
		mnl_attr_put_u32(nlh, PEERPASS_A_SET_MODE, (uint32_t)atoi(mode));
	packet_keys(nlh, text, KEYS(keys));
	packet_end(nlh);
	packet_ack(0, NULL);
}

static void put_family(void)
{
	struct nlmsghdr *nlh;

	for (size_t i = 0; i < world.n; i++) {
		if (!strcmp(world.lines[i].kind, "nofamily")) {
			packet_ack(ENOENT, NULL);
			return;
		}
	}
	nlh = packet_begin_genl(CTRL_CMD_NEWFAMILY, 0);
	mnl_attr_put_strz(nlh, CTRL_ATTR_FAMILY_NAME, PEERPASS_FAMILY_NAME);
	mnl_attr_put_u16(nlh, CTRL_ATTR_FAMILY_ID, FAKE_FAMILY_ID);
	packet_end(nlh);
	packet_ack(0, NULL);
}

static void put_dump(const char *kind, void (*put)(const char *, uint16_t), uint16_t flags)
{
	struct nlmsghdr *nlh;

	for (size_t i = 0; i < world.n; i++) {
		if (strcmp(world.lines[i].kind, kind))
			continue;
		put(world.lines[i].text, NLM_F_MULTI | flags);
		/* Several packets, as the kernel sends a long list. */
		if (packet.used > 2048)
			packet_flush();
	}
	if (!strcmp(kind, "pair"))
		fake_fault_pairs(put, NLM_F_MULTI | flags);
	nlh = packet_begin(NLMSG_DONE, NLM_F_MULTI | flags);
	*(int *)mnl_nlmsg_put_extra_header(nlh, sizeof(int)) = 0;
	packet_end(nlh);
}

static void put_one_device(void)
{
	const struct nlattr *attr;
	uint32_t domain = 0, found_domain;
	uint16_t rid = 0, found_rid;
	char value[64];

	mnl_attr_for_each(attr, packet.request, GENL_HDRLEN) {
		if (mnl_attr_get_type(attr) == PEERPASS_A_DEV_DOMAIN)
			domain = mnl_attr_get_u32(attr);
		else
			rid = mnl_attr_get_u16(attr);
	}
	for (size_t i = 0; i < world.n; i++) {
		if (strcmp(world.lines[i].kind, "dev"))
			continue;
		world_get(world.lines[i].text, "bdf", value, sizeof(value));
		world_bdf(value, &found_domain, &found_rid);
		if (found_domain != domain || found_rid != rid)
			continue;
		put_device(world.lines[i].text, 0);
		packet_ack(0, NULL);
		return;
	}
	packet_ack(ENODEV, "no such device and no fault from it");
}

static void put_answer(const char *operation, uint16_t flags)
{
	if (!strcmp(operation, "family")) {
		put_family();
	} else if (!strcmp(operation, "devs")) {
		put_dump("dev", put_device, flags);
	} else if (!strcmp(operation, "pairs")) {
		put_dump("pair", put_pair, flags);
	} else if (!strcmp(operation, "windows")) {
		put_dump("window", put_window, flags);
	} else if (!strcmp(operation, "reach")) {
		fake_put_reaches(&world, flags);
	} else if (!strcmp(operation, "set")) {
		put_set();
	} else if (!strcmp(operation, "dev")) {
		put_one_device();
	} else if (!strcmp(operation, "sync")) {
		put_sync();
		packet_ack(0, NULL);
	} else {
		put_info(0);
		packet_ack(0, NULL);
	}
}

/* The first attribute of the first message. */
static struct nlattr *first_attribute(void)
{
	return (struct nlattr *)(packet.data + NLMSG_HDRLEN + GENL_HDRLEN);
}

/* True when the answer is complete. */
static bool apply_quirk(const struct world_quirk *q)
{
	static int times;
	struct nlmsghdr *nlh = (struct nlmsghdr *)packet.data;

	if (!strcmp(q->kind, "silent"))
		return true;
	if (!strcmp(q->kind, "error") || !strcmp(q->kind, "noreply")) {
		packet_ack(q->argument, q->text[0] ? q->text : NULL);
		packet_flush();
		return true;
	}
	if (!strcmp(q->kind, "enobufs") && times++ < q->argument) {
		fake_lose();
		return true;
	}
	if (!strcmp(q->kind, "intr")) {
		put_answer(q->operation, times++ < q->argument ? NLM_F_DUMP_INTR : 0);
		packet_flush();
		return true;
	}
	put_answer(q->operation, 0);
	if (!strcmp(q->kind, "truncate"))
		packet.used -= (size_t)q->argument;
	else if (!strcmp(q->kind, "badattr"))
		first_attribute()->nla_len = 2000;
	else if (!strcmp(q->kind, "shortattr"))
		first_attribute()->nla_len = MNL_ATTR_HDRLEN + 1;
	else if (!strcmp(q->kind, "notext"))
		first_attribute()->nla_len -= 1;
	else if (!strcmp(q->kind, "badtype"))
		nlh->nlmsg_type = FAKE_FAMILY_ID + 1;
	else if (!strcmp(q->kind, "oversize"))
		packet.used = 70000;
	packet_flush();
	return true;
}

static const char *operation_of(const struct nlmsghdr *nlh)
{
	const struct genlmsghdr *genl = mnl_nlmsg_get_payload(nlh);

	if (nlh->nlmsg_type == GENL_ID_CTRL)
		return "family";
	if (genl->cmd == PEERPASS_CMD_DEV_GET)
		return nlh->nlmsg_flags & NLM_F_DUMP ? "devs" : "dev";
	if (genl->cmd == PEERPASS_CMD_PAIR_GET)
		return "pairs";
	if (genl->cmd == PEERPASS_CMD_WINDOW_GET)
		return "windows";
	if (genl->cmd == PEERPASS_CMD_SET)
		return "set";
	if (genl->cmd == PEERPASS_CMD_REACH_GET)
		return "reach";
	return genl->cmd == PEERPASS_CMD_SYNC ? "sync" : "info";
}

/** fake_answer - answer one request, as FAKE_WORLD says */
void fake_answer(const struct nlmsghdr *nlh)
{
	const char *operation = operation_of(nlh);
	struct world_quirk quirk;

	world_refresh(&world, getenv("FAKE_WORLD"));
	packet.request = nlh;
	packet.used = 0;
	if (world_quirk(&world, operation, &quirk) && apply_quirk(&quirk))
		return;
	put_answer(operation, 0);
	packet_flush();
}
