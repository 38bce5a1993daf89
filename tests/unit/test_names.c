// SPDX-License-Identifier: GPL-2.0-only
/* Every value of every enumeration has a word of its own. */
#include <stdint.h>

#include "names.h"
#include "reasons.h"
#include "test.h"
#include "uapi/linux/peerpass.h"

#define TABLE(fn, max) { #fn, fn, max }

static const struct {
	const char *what;
	const char *(*name)(uint32_t value);
	uint32_t max;
} tables[] = {
	TABLE(pp_name_run_state, PEERPASS_RUN_STATE_MAX),
	TABLE(pp_name_iommu_kind, PEERPASS_IOMMU_KIND_MAX),
	TABLE(pp_name_tristate, PEERPASS_TRISTATE_MAX),
	TABLE(pp_name_mode, PEERPASS_MODE_MAX),
	TABLE(pp_name_domain_type, PEERPASS_DOMAIN_TYPE_MAX),
	TABLE(pp_name_reason, PEERPASS_REASON_MAX),
	TABLE(pp_name_fault_kind, PEERPASS_FAULT_KIND_MAX),
	TABLE(pp_name_fault_source, PEERPASS_FAULT_SOURCE_MAX),
	TABLE(pp_name_target_class, PEERPASS_TARGET_CLASS_MAX),
	TABLE(pp_name_window_state, PEERPASS_WINDOW_STATE_MAX),
	TABLE(pp_name_companions, PEERPASS_COMPANIONS_MAX),
};

static void names_cover_every_value(void)
{
	for (size_t t = 0; t < sizeof(tables) / sizeof(tables[0]); t++) {
		for (uint32_t v = 0; v <= tables[t].max; v++) {
			const char *name = tables[t].name(v);

			CHECK(strncmp(name, "unknown(", 8), "%s has no word for %u",
			      tables[t].what, v);
			for (uint32_t u = 0; u < v; u++)
				CHECK(strcmp(name, tables[t].name(u)), "%s: %u and %u are both %s",
				      tables[t].what, u, v, name);
		}
	}
}

static void names_admit_what_they_do_not_know(void)
{
	for (size_t t = 0; t < sizeof(tables) / sizeof(tables[0]); t++) {
		char expected[32];

		snprintf(expected, sizeof(expected), "unknown(%u)", tables[t].max + 1);
		CHECK_STR(tables[t].name(tables[t].max + 1), expected, tables[t].what);
		CHECK_STR(tables[t].name(UINT32_MAX), "unknown(4294967295)", tables[t].what);
	}
	CHECK_STR(pp_name_inexact(1u << 30), "unknown(1073741824)", "inexact");
}

static void names_cover_every_flag(void)
{
	/* The last one of the header; a test of the header finds later ones. */
	for (uint32_t bit = 1; bit <= PEERPASS_INEXACT_UNSEEN; bit <<= 1)
		CHECK(strncmp(pp_name_inexact(bit), "unknown(", 8), "no word for flag 0x%x", bit);
	for (uint32_t bit = 1; bit <= PEERPASS_RULE_FLAG_TARGET; bit <<= 1)
		CHECK(strncmp(pp_name_rule_flag(bit), "unknown(", 8), "no word for flag 0x%x", bit);
}

/* What the issue fixes, word for word. */
static void names_that_are_fixed(void)
{
	CHECK_STR(pp_name_domain_type(PEERPASS_DOMAIN_TYPE_DMA), "DMA", "domain type");
	CHECK_STR(pp_name_domain_type(PEERPASS_DOMAIN_TYPE_DMA_FQ), "DMA-FQ", "domain type");
	CHECK_STR(pp_name_domain_type(PEERPASS_DOMAIN_TYPE_IDENTITY), "identity", "domain type");
	CHECK_STR(pp_name_domain_type(PEERPASS_DOMAIN_TYPE_UNMANAGED), "unmanaged", "domain type");
	CHECK_STR(pp_name_domain_type(PEERPASS_DOMAIN_TYPE_BLOCKED), "blocked", "domain type");
	CHECK_STR(pp_name_iommu_kind(PEERPASS_IOMMU_KIND_AMD_VI), "amd-vi", "IOMMU kind");
	CHECK_STR(pp_name_iommu_kind(PEERPASS_IOMMU_KIND_VT_D), "vt-d", "IOMMU kind");
	CHECK_STR(pp_name_iommu_kind(PEERPASS_IOMMU_KIND_OTHER), "other", "IOMMU kind");
	CHECK_STR(pp_name_tristate(PEERPASS_TRISTATE_ON), "on", "tristate");
	CHECK_STR(pp_name_tristate(PEERPASS_TRISTATE_OFF), "off", "tristate");
	CHECK_STR(pp_name_tristate(PEERPASS_TRISTATE_UNKNOWN), "unknown", "tristate");
	CHECK_STR(pp_name_reason(PEERPASS_REASON_ID_MISMATCH), "id_mismatch", "reason");
	CHECK_STR(pp_name_fault_kind(PEERPASS_FAULT_KIND_ILLEGAL_DEV_TABLE_ENTRY),
		  "illegal_dev_table_entry", "fault kind");
}

static void names_from_sysfs(void)
{
	static const char * const words[] = { "DMA", "DMA-FQ", "identity", "unmanaged", "blocked" };

	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		CHECK_STR(pp_name_domain_type(pp_domain_type_from_sysfs(words[i])), words[i],
			  "there and back");
	CHECK_NUM(pp_domain_type_from_sysfs("unheard-of"), PEERPASS_DOMAIN_TYPE_OTHER,
		  "unknown word");
	CHECK_NUM(pp_domain_type_from_sysfs(""), PEERPASS_DOMAIN_TYPE_OTHER, "empty");
}

static void reasons_are_explained(void)
{
	struct pp_device dev;
	char text[384], advice[384];

	for (uint32_t r = PEERPASS_REASON_NONE + 1; r <= PEERPASS_REASON_MAX; r++) {
		pp_device_init(&dev);
		dev.reason = r;
		snprintf(dev.detail, sizeof(dev.detail), "DETAIL");
		CHECK(pp_reason_given(&dev), "%s is no reason", pp_name_reason(r));
		pp_reason_text(&dev, text, sizeof(text));
		pp_reason_advice(&dev, advice, sizeof(advice));
		CHECK(text[0] && strcmp(text, "DETAIL"), "no text for %s", pp_name_reason(r));
		CHECK(advice[0], "no advice for %s", pp_name_reason(r));
		CHECK(!strchr(text, '%') && !strchr(advice, '%'), "detail left out for %s",
		      pp_name_reason(r));
	}
	dev.reason = PEERPASS_REASON_MAX + 1;
	pp_reason_text(&dev, text, sizeof(text));
	CHECK(strstr(text, "unknown(") && strstr(text, "DETAIL"), "unknown reason: %s", text);
	pp_reason_advice(&dev, advice, sizeof(advice));
	CHECK_STR(advice, "", "advice for an unknown reason");
	dev.reason = PEERPASS_REASON_NONE;
	CHECK(!pp_reason_given(&dev), "none is a reason");
	pp_device_init(&dev);
	CHECK(!pp_reason_given(&dev), "an absent reason is a reason");
}

int main(void)
{
	RUN(names_cover_every_value);
	RUN(names_admit_what_they_do_not_know);
	RUN(names_cover_every_flag);
	RUN(names_that_are_fixed);
	RUN(names_from_sysfs);
	RUN(reasons_are_explained);
	return test_failures != 0;
}
