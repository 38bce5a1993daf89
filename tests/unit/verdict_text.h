/* SPDX-License-Identifier: GPL-2.0-only */
/* A good verdict file of two GPUs, and the same with a piece of its text replaced. */
#ifndef PEERPASS_VERDICT_TEXT_H
#define PEERPASS_VERDICT_TEXT_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char verdict_text[] =
	"{\"schema\":\"peerpass/verdict/1\",\"verdict\":\"ok\",\"exit_code\":0,\"cause\":null,"
	"\"text\":\"all pairs ok\",\"next\":null,\"level\":\"default\",\"forced\":false,"
	"\"max_bytes\":1048576,\"started\":\"2026-11-29T18:53:23Z\","
	"\"finished\":\"2026-11-29T18:55:01Z\","
	"\"host\":{\"boot_id\":\"8a7e3c52-0f0a-4e0c-9a55-0123456789ab\",\"kernel\":\"6.12.5\","
	"\"container\":null},"
	"\"module\":{\"version\":\"0.1.0\",\"instance\":100000000000,\"window_generation\":4},"
	"\"driver\":{\"version\":\"595.45.04\",\"cuda_version\":13000,"
	"\"dma_remap_peer_mmio\":\"on\"},"
	"\"iommu\":{\"kind\":\"amd-vi\",\"snp\":\"off\"},"
	"\"devices\":["
	"{\"bdf\":\"0000:01:00.0\",\"index\":\"gpu0\",\"actual\":\"DMA-FQ\",\"mode\":\"peer\","
	"\"set\":\"tp0\",\"faults\":10},"
	"{\"bdf\":\"0000:41:00.0\",\"index\":\"gpu1\",\"actual\":\"DMA-FQ\",\"mode\":\"peer\","
	"\"set\":\"tp0\",\"faults\":0}],"
	"\"pairs\":["
	"{\"initiator\":\"0000:01:00.0\",\"target\":\"0000:41:00.0\",\"verdict\":\"ok\","
	"\"distance\":\"PHB\",\"faults\":7},"
	"{\"initiator\":\"0000:41:00.0\",\"target\":\"0000:01:00.0\",\"verdict\":\"ok\","
	"\"distance\":\"PHB\",\"faults\":0}],"
	"\"collectives\":[{\"name\":\"all_reduce\",\"bytes\":65536,\"outcome\":\"right\"}],"
	"\"set\":{\"members\":[\"0000:01:00.0\",\"0000:41:00.0\"],\"distance\":\"PHB\"},"
	"\"log\":{\"readable\":true,\"lines\":[]}}";

/* To be freed; aborts when @old is not in it: the test would test nothing. */
static inline char *verdict_with(const char *old, const char *new)
{
	const char *found = strstr(verdict_text, old);
	char *text;

	if (!found || asprintf(&text, "%.*s%s%s", (int)(found - verdict_text), verdict_text, new,
			       found + strlen(old)) < 0)
		abort();
	return text;
}

#endif /* PEERPASS_VERDICT_TEXT_H */
