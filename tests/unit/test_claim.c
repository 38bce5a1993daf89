// SPDX-License-Identifier: GPL-2.0-only
/*
 * The text of a verdict file is not trusted: what contradicts its schema is
 * refused, and any bytes are, from memory of exactly their own length.
 */
#include "claim.h"
#include "test.h"
#include "uapi/linux/peerpass.h"
#include "verdict_text.h"

static struct pp_claim claim;
static struct pp_error err;

static int parse(const char *text, size_t len)
{
	char *exact = malloc(len + !len);
	int ret;

	memcpy(exact, text, len);
	err = (struct pp_error){ 0 };
	ret = pp_claim_parse(exact, len, &claim, &err);
	free(exact);
	return ret;
}

static void claim_of_a_good_file(void)
{
	const struct pp_bdf a = { 0, 0x0100 }, b = { 0, 0x4100 };

	CHECK(!parse(verdict_text, sizeof(verdict_text) - 1), "refused: %s", err.message);
	CHECK(pp_claim_ok(&claim) && claim.exit_code == 0 && !claim.forced, "verdict");
	CHECK_STR(claim.level, "default", "level");
	CHECK_STR(claim.finished, "2026-11-29T18:55:01Z", "finished");
	CHECK_STR(claim.boot_id, "8a7e3c52-0f0a-4e0c-9a55-0123456789ab", "boot id");
	CHECK_STR(claim.kernel, "6.12.5", "kernel");
	CHECK_STR(claim.driver, "595.45.04", "driver");
	CHECK_NUM(claim.dma_remap_peer_mmio, PEERPASS_TRISTATE_ON, "option");
	CHECK(claim.has_module && claim.instance == 100000000000 && claim.has_generation &&
	      claim.generation == 4, "module");
	CHECK_STR(claim.module_version, "0.1.0", "module's version");
	CHECK_NUM(claim.device_count, 2, "devices");
	CHECK_STR(pp_claim_device(&claim, a)->actual, "DMA-FQ", "actual");
	CHECK_STR(pp_claim_device(&claim, a)->set, "tp0", "set");
	CHECK(pp_claim_device(&claim, a)->has_faults &&
	      pp_claim_device(&claim, a)->faults == 10, "faults");
	CHECK_NUM(claim.pair_count, 2, "pairs");
	CHECK_NUM(pp_claim_pair(&claim, a, b)->faults, 7, "faults of a pair");
	CHECK_NUM(pp_claim_pair(&claim, a, b)->distance, PP_DISTANCE_PHB, "distance");
	CHECK(!pp_claim_pair(&claim, a, a), "no such pair");
	CHECK(claim.collectives == 1 && claim.collectives_right == 1, "collectives");
	pp_claim_free(&claim);
}

static void claim_refusals(void)
{
	static const struct {
		const char *old;
		const char *new;
		/* NULL: accepted. */
		const char *code;
	} table[] = {
		{ "peerpass/verdict/1", "peerpass/verdict/2", "verdict_schema" },
		{ "\"schema\":\"peerpass/verdict/1\"", "\"schema\":1", "verdict_schema" },
		{ "\"exit_code\":0", "\"exit_code\":0,\"exit_code\":0", "verdict_not_json" },
		{ "\"set\":\"tp0\",\"faults\":10", "\"set\":\"tp0\",\"faults\":10,\"faults\":11",
		  "verdict_not_json" },
		{ "\"faults\":10", "\"faults\":99999999999999999999", "verdict_not_json" },
		{ "\"faults\":10", "\"faults\":1e999", "verdict_not_json" },
		{ "all pairs ok", "all\\u0000pairs", "verdict_not_json" },
		{ "all pairs ok", "\xff\xfe", "verdict_not_json" },
		{ "\"lines\":[]}}", "\"lines\":[]}} {}", "verdict_not_json" },
		{ "\"faults\":10", "\"faults\":-1", "verdict_malformed" },
		{ "\"faults\":10", "\"faults\":10.0", "verdict_malformed" },
		{ "\"faults\":10", "\"faults\":\"10\"", "verdict_malformed" },
		{ "\"faults\":10", "\"faults\":9223372036854775807", NULL },
		{ "\"faults\":10", "\"faults\":null", NULL },
		{ "\"verdict\":\"ok\",\"exit_code\":0", "\"verdict\":\"hang\",\"exit_code\":0",
		  "verdict_malformed" },
		{ "\"verdict\":\"ok\",\"exit_code\":0", "\"verdict\":\"ok\",\"exit_code\":10",
		  "verdict_malformed" },
		{ "\"verdict\":\"ok\",\"exit_code\":0", "\"verdict\":\"hang\",\"exit_code\":10",
		  NULL },
		{ "\"verdict\":\"ok\",\"exit_code\":0", "\"verdict\":\"hang\",\"exit_code\":256",
		  "verdict_malformed" },
		{ "\"verdict\":\"ok\",\"exit_code\":0,", "\"verdict\":\"ok\",",
		  "verdict_malformed" },
		{ "\"verdict\":\"ok\",\"exit_code\"", "\"verdict\":\"\",\"exit_code\"",
		  "verdict_malformed" },
		{ "\"verdict\":\"ok\",\"exit_code\"", "\"verdict\":null,\"exit_code\"",
		  "verdict_malformed" },
		{ "\"verdict\":\"ok\",\"distance\"", "\"verdict\":\"hang\",\"distance\"",
		  "verdict_malformed" },
		{ "\"outcome\":\"right\"", "\"outcome\":\"wrong\"", "verdict_malformed" },
		{ "\"outcome\":\"right\"", "\"result\":\"right\"", "verdict_malformed" },
		{ "\"forced\":false", "\"forced\":0", "verdict_malformed" },
		{ "\"forced\":false", "\"forced\":true", NULL },
		{ "\"boot_id\":\"8a7e3c52-0f0a-4e0c-9a55-0123456789ab\"", "\"boot_id\":null",
		  "verdict_malformed" },
		{ "8a7e3c52-0f0a-4e0c-9a55-0123456789ab",
		  "8a7e3c52-0f0a-4e0c-9a55-0123456789ab0123456789", "verdict_malformed" },
		{ "\"host\":{", "\"guest\":{", "verdict_malformed" },
		{ "\"host\":{", "\"host\":[],\"guest\":{", "verdict_malformed" },
		{ "{\"version\":\"0.1.0\",\"instance\":100000000000,\"window_generation\":4}",
		  "null", NULL },
		{ "\"module\":", "\"modul\":", "verdict_malformed" },
		{ "\"instance\":100000000000,", "", "verdict_malformed" },
		{ ",\"window_generation\":4", "", NULL },
		{ "\"version\":\"595.45.04\"", "\"version\":null", NULL },
		{ "\"dma_remap_peer_mmio\":\"on\"", "\"dma_remap_peer_mmio\":\"maybe\"",
		  "verdict_malformed" },
		{ "\"dma_remap_peer_mmio\":\"on\"", "\"dma_remap_peer_mmio\":true",
		  "verdict_malformed" },
		{ "\"devices\":[", "\"devices\":[1,", "verdict_malformed" },
		{ "\"devices\":[", "\"devices\":[{\"bdf\":\"0000:81:00.0\"},",
		  "verdict_malformed" },
		{ "{\"bdf\":\"0000:41:00.0\"", "{\"bdf\":\"0000:01:00.0\"", "verdict_malformed" },
		{ "{\"bdf\":\"0000:41:00.0\"", "{\"bdf\":\"gpu1\"", "verdict_malformed" },
		{ "\"actual\":\"DMA-FQ\"", "\"actual\":null", NULL },
		{ "\"actual\":\"DMA-FQ\"", "\"actual\":7", "verdict_malformed" },
		{ "\"pairs\":[", "\"pairs\":[null,", "verdict_malformed" },
		{ "{\"initiator\":\"0000:01:00.0\",\"target\":\"0000:41:00.0\"",
		  "{\"initiator\":\"0000:41:00.0\",\"target\":\"0000:01:00.0\"",
		  "verdict_malformed" },
		{ "{\"initiator\":\"0000:01:00.0\",\"target\":\"0000:41:00.0\"",
		  "{\"initiator\":\"0000:01:00.0\",\"target\":\"0000:01:00.0\"",
		  "verdict_malformed" },
		{ "{\"initiator\":\"0000:01:00.0\",\"target\":\"0000:41:00.0\"",
		  "{\"initiator\":\"0000:01:00.0\",\"target\":\"0000:81:00.0\"",
		  "verdict_malformed" },
		{ "\"distance\":\"PHB\"", "\"distance\":null", NULL },
		{ "\"distance\":\"PHB\"", "\"distance\":\"next door\"", NULL },
		{ "\"collectives\":[{\"name\":\"all_reduce\",\"bytes\":65536,"
		  "\"outcome\":\"right\"}]", "\"collectives\":[]", NULL },
		{ "\"collectives\":[", "\"collective\":[", "verdict_malformed" },
		{ "\"next\":null", "\"next\":3", "verdict_malformed" },
		{ "\"log\":", "\"new_key\":{\"a\":[1,2,{}]},\"log\":", NULL },
	};

	for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
		char *text = verdict_with(table[i].old, table[i].new);
		int ret = parse(text, strlen(text));

		CHECK(!ret == !table[i].code, "%s -> %s: %d %s", table[i].old, table[i].new, ret,
		      err.message);
		if (ret) {
			CHECK_STR(err.code, table[i].code, table[i].new);
			CHECK_NUM(err.exit_code, PP_EXIT_STALE, table[i].new);
		}
		pp_claim_free(&claim);
		free(text);
	}
}

/* Text goes to a terminal. */
static void claim_text_is_printable(void)
{
	char *text = verdict_with("all pairs ok", "a\\u001b[2Jb\\nc\xc3\xa9");

	CHECK(!parse(text, strlen(text)), "refused: %s", err.message);
	CHECK_STR(claim.text, "a?[2Jb?c??", "text");
	pp_claim_free(&claim);
	free(text);
	text = verdict_with("peerpass/verdict/1", "\\u001b[2J");
	CHECK(parse(text, strlen(text)) && !strchr(err.message, '\x1b'), "schema in the message");
	pp_claim_free(&claim);
	free(text);
}

static void claim_cut_anywhere(void)
{
	for (size_t len = 0; len + 1 < sizeof(verdict_text); len++) {
		CHECK(parse(verdict_text, len), "%zu bytes were accepted", len);
		CHECK(err.exit_code == PP_EXIT_STALE && err.code, "%zu bytes: no reason", len);
		pp_claim_free(&claim);
	}
}

static void claim_any_bytes(void)
{
	static const char interesting[] = "{}[]\",:0-9eE\\u.\x00\x80\xff";
	static char copy[sizeof(verdict_text)];
	unsigned int seed = 4711;

	for (int i = 0; i < 6000; i++) {
		size_t len = sizeof(verdict_text) - 1;

		memcpy(copy, verdict_text, sizeof(copy));
		for (int k = rand_r(&seed) % 4; k >= 0; k--)
			copy[(size_t)rand_r(&seed) % len] = rand_r(&seed) % 2 ?
				interesting[(size_t)rand_r(&seed) % (sizeof(interesting) - 1)] :
				(char)rand_r(&seed);
		/* A piece of it moved elsewhere. */
		if (!(rand_r(&seed) % 4)) {
			size_t from = (size_t)rand_r(&seed) % len, to = (size_t)rand_r(&seed) % len;
			size_t n = (size_t)rand_r(&seed) % 64;

			n = n > len - from ? len - from : n;
			n = n > len - to ? len - to : n;
			memmove(copy + to, copy + from, n);
		}
		if (!parse(copy, len))
			CHECK(pp_claim_ok(&claim) == !claim.exit_code, "contradicts itself");
		else
			CHECK(err.exit_code == PP_EXIT_STALE && err.code, "no reason");
		pp_claim_free(&claim);
	}
}

static void deep(const char *open, size_t depth)
{
	size_t unit = strlen(open);
	char *text = malloc(unit * depth);

	for (size_t i = 0; i < depth; i++)
		memcpy(text + i * unit, open, unit);
	CHECK(parse(text, unit * depth), "accepted");
	CHECK_STR(err.code, "verdict_not_json", open);
	pp_claim_free(&claim);
	free(text);
}

static void claim_deep_nesting(void)
{
	deep("[", 1000000);
	deep("{\"a\":", 500000);
	deep("[{\"a\":", 2047);
}

/* As many devices as there may be, with all of their pairs, and one more. */
static void claim_many_devices(void)
{
	for (int n = PP_CLAIM_DEVICES; n <= PP_CLAIM_DEVICES + 1; n++) {
		static char devices[16384], pairs[1048576], text[1200000];
		size_t d = 0, p = 0;

		for (int i = 0; i < n; i++) {
			d += (size_t)sprintf(devices + d, "%s{\"bdf\":\"0000:%02x:00.0\"}",
					     i ? "," : "", i);
			for (int j = 0; j < n; j++) {
				if (i != j)
					p += (size_t)sprintf(pairs + p,
						"%s{\"initiator\":\"%02x:00.0\",\"target\":"
						"\"%02x:00.0\",\"verdict\":\"ok\"}",
						p ? "," : "", i, j);
			}
		}
		snprintf(text, sizeof(text), "%.*s\"devices\":[%s],\"pairs\":[%s],%s",
			 (int)(strstr(verdict_text, "\"devices\"") - verdict_text), verdict_text,
			 devices, pairs, strstr(verdict_text, "\"collectives\""));
		CHECK(!parse(text, strlen(text)) == (n <= PP_CLAIM_DEVICES), "%d devices: %s", n,
		      err.message);
		CHECK(n > PP_CLAIM_DEVICES ||
		      claim.pair_count == (size_t)n * (size_t)(n - 1), "%zu pairs",
		      claim.pair_count);
		pp_claim_free(&claim);
	}
}

int main(void)
{
	RUN(claim_of_a_good_file);
	RUN(claim_refusals);
	RUN(claim_text_is_printable);
	RUN(claim_cut_anywhere);
	RUN(claim_any_bytes);
	RUN(claim_deep_nesting);
	RUN(claim_many_devices);
	return test_failures != 0;
}
