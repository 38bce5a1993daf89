// SPDX-License-Identifier: GPL-2.0-only
/* Does a verdict hold, through every branch; then what engines may do after it. */
#include "claim_holds.h"
#include "engine_cache.h"
#include "p2p_permit.h"
#include "test.h"
#include "uapi/linux/peerpass.h"
#include "verdict_text.h"

static const struct pp_bdf gpu0 = { 0, 0x0100 }, gpu1 = { 0, 0x4100 }, gpu2 = { 0, 0x8100 };

static struct pp_claim claim;
static struct pp_now now;
static struct pp_inventory inv;
static struct pp_device devices[3];
static struct pp_pair pairs[4];
static struct pp_stale_list list;

static void load(const char *text)
{
	struct pp_error err = { 0 };

	pp_claim_free(&claim);
	CHECK(!pp_claim_parse(text, strlen(text), &claim, &err), "%s", err.message);
}

static void pair(size_t i, struct pp_bdf initiator, uint32_t class, struct pp_bdf target,
		 uint32_t bar, uint64_t n)
{
	pairs[i] = (struct pp_pair){ initiator, class, target, bar, 0, n, 0 };
	inv.pairs.n = i + 1;
}

/* The host as it was when the verdict of verdict_text.h was found. */
static void as_it_was(void)
{
	load(verdict_text);
	memset(&now, 0, sizeof(now));
	memset(&inv, 0, sizeof(inv));
	snprintf(now.host.boot_id, sizeof(now.host.boot_id),
		 "8a7e3c52-0f0a-4e0c-9a55-0123456789ab");
	snprintf(now.host.kernel, sizeof(now.host.kernel), "6.12.5");
	snprintf(now.host.driver, sizeof(now.host.driver), "595.45.04");
	now.host.dma_remap_peer_mmio = PEERPASS_TRISTATE_ON;
	now.inv = &inv;
	now.has_generation = true;
	now.generation = 4;
	inv.module = true;
	inv.info.state = PEERPASS_RUN_STATE_ACTIVE;
	inv.info.since_boottime_ns = 100000000000;
	snprintf(inv.info.version, sizeof(inv.info.version), "0.1.0");
	inv.devices.v = devices;
	inv.devices.n = 2;
	inv.pairs.v = pairs;
	for (int i = 0; i < 3; i++) {
		struct pp_device *dev = &devices[i];

		pp_device_init(dev);
		dev->bdf = i == 0 ? gpu0 : i == 1 ? gpu1 : gpu2;
		dev->present = true;
		dev->actual = PEERPASS_DOMAIN_TYPE_DMA_FQ;
		dev->mode = PEERPASS_MODE_PEER;
		strcpy(dev->set, "tp0");
	}
	devices[0].total = 10;
	pair(0, gpu0, PEERPASS_TARGET_CLASS_BAR, gpu1, 0, 3);
	pair(1, gpu0, PEERPASS_TARGET_CLASS_BAR, gpu1, 1, 4);
	pair(2, gpu0, PEERPASS_TARGET_CLASS_HOST_RAM, (struct pp_bdf){ 0 }, 0, 3);
}

static const char *reasons(void)
{
	static char text[1024];
	size_t used = 0;

	text[0] = '\0';
	for (size_t i = 0; i < list.n; i++) {
		CHECK(list.v[i].text[0], "%s has no text", pp_stale_name(list.v[i].reason));
		used += (size_t)snprintf(text + used, sizeof(text) - used, "%s%s", used ? " " : "",
					 pp_stale_name(list.v[i].reason));
	}
	return text;
}

static void expect(const char *names, const char *what)
{
	pp_claim_holds(&claim, &now, NULL, 0, &list);
	CHECK_STR(reasons(), names, what);
	CHECK(pp_claim_stale(&list) == (names[0] && strcmp(names, "not_proved")), "%s: stale",
	      what);
}

static void holds_as_it_was(void)
{
	as_it_was();
	expect("", "as it was");
	/* A function that is not readable, in a container for example, may be there. */
	now.states[0] = PP_DEVICE_UNREADABLE;
	expect("", "unreadable");
	/* Fewer faults than then cannot be new ones. */
	devices[0].total = 1;
	inv.pairs.n = 0;
	expect("", "fewer faults");
}

static void holds_host(void)
{
	as_it_was();
	now.host.boot_id[0] = 'f';
	expect("other_boot", "another boot");
	now.host.boot_id[0] = '\0';
	expect("other_boot", "a boot that is not known");
	CHECK(strstr(list.v[0].text, "boot none"), "text: %s", list.v[0].text);
	as_it_was();
	strcpy(now.host.kernel, "6.12.6");
	expect("other_kernel", "another kernel");
	as_it_was();
	strcpy(now.host.driver, "600.1");
	expect("other_driver", "another driver");
	now.host.driver[0] = '\0';
	expect("other_driver", "no driver");
	as_it_was();
	now.host.dma_remap_peer_mmio = PEERPASS_TRISTATE_OFF;
	expect("other_driver_option", "another option");
	now.host.dma_remap_peer_mmio = PEERPASS_TRISTATE_UNKNOWN;
	expect("other_driver_option", "an option that is not known");
	as_it_was();
	claim.driver[0] = now.host.driver[0] = '\0';
	claim.dma_remap_peer_mmio = now.host.dma_remap_peer_mmio = PEERPASS_TRISTATE_UNKNOWN;
	expect("", "no driver, then and now");
	strcpy(now.host.driver, "600.1");
	expect("other_driver", "a driver that was not there");
}

static void holds_devices(void)
{
	as_it_was();
	inv.devices.n = 1;
	expect("device_gone", "not listed");
	CHECK(list.v[0].has_device && pp_bdf_equal(list.v[0].device, gpu1), "which");
	as_it_was();
	devices[1].present = false;
	expect("device_gone", "known from faults only");
	as_it_was();
	now.states[1] = PP_DEVICE_ALL_ONES;
	expect("device_gone", "all ones");
	CHECK(strstr(list.v[0].text, "all ones"), "text: %s", list.v[0].text);
	as_it_was();
	devices[0].actual = PEERPASS_DOMAIN_TYPE_IDENTITY;
	expect("other_domain", "another domain");
	CHECK_STR(list.v[0].text, "the domain of 0000:01:00.0 is identity, was DMA-FQ", "text");
	devices[0].actual = PP_UNKNOWN;
	expect("other_domain", "a domain that is not known");
	as_it_was();
	devices[1].mode = PEERPASS_MODE_OBSERVE;
	expect("other_mode", "another mode");
	devices[1].mode = PP_UNKNOWN;
	expect("other_mode", "a mode that is not known");
	as_it_was();
	strcpy(devices[1].set, "tp1");
	expect("other_mode", "another set");
	devices[0].actual = PEERPASS_DOMAIN_TYPE_DMA;
	expect("other_domain other_mode", "two reasons");
}

static void holds_module(void)
{
	as_it_was();
	inv.module = false;
	strcpy(now.no_module, "the peerpass module is not loaded");
	devices[0].mode = devices[1].mode = PP_UNKNOWN;
	expect("module_gone", "gone, which is said once");
	CHECK(strstr(list.v[0].text, "is not loaded"), "text: %s", list.v[0].text);
	as_it_was();
	inv.info.state = PEERPASS_RUN_STATE_OFF;
	devices[0].mode = PP_UNKNOWN;
	expect("module_gone", "does nothing");
	as_it_was();
	inv.info.since_boottime_ns++;
	devices[0].total = 1000;
	now.generation = 5;
	expect("module_reloaded", "other counters are not compared");
	claim.instance = inv.info.since_boottime_ns = 0;
	expect("module_reloaded", "a load without a moment");
	as_it_was();
	strcpy(inv.info.version, "0.2.0");
	expect("module_other_version", "another version");
	inv.info.since_boottime_ns++;
	expect("module_other_version module_reloaded", "another version, loaded again");
	/* None then: what it says now is not compared, but it knows more. */
	as_it_was();
	claim.has_module = false;
	devices[0].total = 1000;
	expect("module_reloaded", "no module then");
	inv.module = false;
	expect("", "no module then and now");
	as_it_was();
	now.generation = 5;
	expect("windows_changed", "windows");
	claim.has_generation = false;
	expect("", "only now is the generation known");
	claim.has_generation = true;
	now.has_generation = false;
	expect("windows_changed", "only then was the generation known");
}

static void holds_faults(void)
{
	as_it_was();
	pairs[1].write += 5;
	devices[0].total += 5;
	expect("faults_since", "on a peer");
	CHECK(list.v[0].faults == 5 && list.v[0].has_target &&
	      pp_bdf_equal(list.v[0].device, gpu0) && pp_bdf_equal(list.v[0].target, gpu1),
	      "whose");
	CHECK_STR(list.v[0].text, "5 new faults of 0000:01:00.0 on 0000:41:00.0", "text");
	pairs[2].write++;
	devices[0].total++;
	expect("faults_since faults_since", "on a peer and elsewhere");
	CHECK(list.v[1].faults == 1 && !list.v[1].has_target, "elsewhere");
	as_it_was();
	devices[1].total = 2;
	expect("faults_since", "elsewhere only");
	CHECK(pp_bdf_equal(list.v[0].device, gpu1) && list.v[0].faults == 2, "whose");
	/* Those of a device that the verdict is not about do not matter. */
	as_it_was();
	inv.devices.n = 3;
	devices[2].total = 9;
	pair(3, gpu2, PEERPASS_TARGET_CLASS_BAR, gpu0, 1, 9);
	expect("", "of a stranger");
	as_it_was();
	pair(3, gpu0, PEERPASS_TARGET_CLASS_BAR, gpu2, 1, 2);
	devices[0].total += 2;
	expect("faults_since", "on a stranger");
	CHECK(!list.v[0].has_target && list.v[0].faults == 2, "on no other member");
	/* Not counted then. */
	as_it_was();
	claim.devices[0].has_faults = claim.pairs[0].has_faults = false;
	devices[0].total = 1000;
	pairs[0].write = 1000;
	expect("", "nothing to compare with");
}

static void holds_asked(void)
{
	const struct pp_bdf asked[] = { gpu0, gpu2 };

	as_it_was();
	pp_claim_holds(&claim, &now, asked, 1, &list);
	CHECK_STR(reasons(), "", "a member");
	pp_claim_holds(&claim, &now, asked, 2, &list);
	CHECK_STR(reasons(), "not_covered", "a stranger");
	CHECK(pp_bdf_equal(list.v[0].device, gpu2), "which");
}

static void holds_not_proved(void)
{
	as_it_was();
	strcpy(claim.verdict, "hang");
	claim.exit_code = PP_EXIT_HANG;
	expect("not_proved", "a verdict that is not ok");
	strcpy(now.host.kernel, "6.12.6");
	expect("other_kernel not_proved", "last");
}

/* More reasons than are kept. */
static void holds_many(void)
{
	as_it_was();
	claim.device_count = PP_CLAIM_DEVICES;
	inv.devices.n = 0;
	now.host.boot_id[0] = 'f';
	now.host.kernel[0] = 'f';
	pp_claim_holds(&claim, &now, NULL, 0, &list);
	CHECK(list.n == PP_STALE_REASONS && list.more == 2, "%zu and %zu", list.n, list.more);
	CHECK(pp_claim_stale(&list), "stale");
}

static void holds_names(void)
{
	for (int r = 0; r < PP_STALES; r++) {
		CHECK(pp_stale_name((enum pp_stale)r), "reason %d has no name", r);
		for (int q = 0; q < r; q++)
			CHECK(strcmp(pp_stale_name((enum pp_stale)r),
				     pp_stale_name((enum pp_stale)q)), "two are called %s",
			      pp_stale_name((enum pp_stale)r));
	}
}

static struct pp_permit permit;

static void may(int exit_code, enum pp_distance level, const char *why, const char *what)
{
	const struct pp_bdf gpus[] = { gpu0, gpu1 };

	pp_claim_holds(&claim, &now, gpus, 2, &list);
	pp_p2p_permit(&claim, &list, gpus, 2, &permit);
	CHECK(permit.on == !exit_code, "%s: %d %s", what, permit.on, permit.why);
	CHECK_NUM(permit.exit_code, exit_code, what);
	CHECK_STR(pp_distance_name(permit.level), pp_distance_name(level), what);
	CHECK(strstr(permit.why, why), "%s: why is \"%s\"", what, permit.why);
}

static void permit_of_everything(void)
{
	const struct pp_bdf strangers[] = { gpu0, gpu2 };

	as_it_was();
	may(0, PP_DISTANCE_PHB, "", "all proved");
	claim.pairs[0].distance = PP_DISTANCE_SYS;
	may(0, PP_DISTANCE_SYS, "", "the widest");
	claim.pairs[0].distance = PP_DISTANCE_UNKNOWN;
	may(0, PP_DISTANCE_PHB, "", "the widest that is known");
	claim.pairs[1].distance = PP_DISTANCE_UNKNOWN;
	may(PP_EXIT_INCONCLUSIVE, PP_DISTANCE_UNKNOWN, "distance", "no distance");
	as_it_was();
	now.host.boot_id[0] = 'f';
	may(PP_EXIT_STALE, PP_DISTANCE_UNKNOWN, "other_boot: this is boot", "stale");
	as_it_was();
	claim.collectives_right = 0;
	may(PP_EXIT_INCONCLUSIVE, PP_DISTANCE_UNKNOWN, "0 of 1 collectives", "a collective");
	claim.collectives = 0;
	may(PP_EXIT_INCONCLUSIVE, PP_DISTANCE_UNKNOWN, "copies can pass", "no collectives");
	as_it_was();
	strcpy(claim.verdict, "corrupt_with_faults");
	claim.exit_code = PP_EXIT_CORRUPT_WITH_FAULTS;
	may(PP_EXIT_CORRUPT_WITH_FAULTS, PP_DISTANCE_UNKNOWN, "corrupt_with_faults: all pairs ok",
	    "its own code");
	strcpy(claim.verdict, "not_safe_to_test");
	claim.exit_code = PP_EXIT_NOT_SAFE;
	may(PP_EXIT_NOT_SAFE, PP_DISTANCE_UNKNOWN, "not_safe_to_test", "not tested");
	as_it_was();
	pp_claim_holds(&claim, &now, NULL, 0, &list);
	pp_p2p_permit(&claim, &list, strangers, 2, &permit);
	CHECK(!permit.on && permit.exit_code == PP_EXIT_STALE, "a pair that is missing");
	pp_p2p_permit(&claim, &list, strangers, 1, &permit);
	CHECK(!permit.on && permit.exit_code == PP_EXIT_INCONCLUSIVE, "one GPU");
	pp_p2p_permit(&claim, &list, strangers, 0, &permit);
	CHECK(!permit.on && permit.exit_code == PP_EXIT_INCONCLUSIVE, "no GPU");
}

/* A pair that CUDA refuses ends the level before its distance. */
static void permit_no_access(void)
{
	as_it_was();
	strcpy(claim.verdict, "no_access");
	claim.exit_code = PP_EXIT_NOT_USABLE;
	strcpy(claim.pairs[0].verdict, "no_access");
	may(PP_EXIT_NOT_USABLE, PP_DISTANCE_UNKNOWN, "no pair is proved below", "of one distance");
	claim.pairs[1].distance = PP_DISTANCE_PIX;
	may(0, PP_DISTANCE_PIX, "", "nearer than that");
	claim.pairs[1].distance = PP_DISTANCE_SYS;
	may(PP_EXIT_NOT_USABLE, PP_DISTANCE_UNKNOWN, "no pair", "farther than that");
	strcpy(claim.pairs[1].verdict, "hang");
	may(PP_EXIT_STALE, PP_DISTANCE_UNKNOWN, "0000:41:00.0 -> 0000:01:00.0 is hang",
	    "contradicts itself");
}

static void visible_gpus(void)
{
	static const struct {
		const char *text;
		int n;
		const char *why;
	} table[] = {
		{ NULL, 3, "" }, { "0", 1, "" }, { "2,0", 2, "" }, { "1,2,0", 3, "" },
		{ "00", 1, "" },
		{ "", -1, "empty" }, { "3", -1, "there is no GPU 3, but 3" },
		{ "0,0", -1, "names GPU 0 twice" }, { "0,", -1, "not a list" },
		{ ",0", -1, "not a list" }, { "0,,1", -1, "not a list" },
		{ " 0", -1, "not a list" },
		{ "0, 1", -1, "not a list" }, { "-1", -1, "not a list" },
		{ "0x1", -1, "not a list" }, { "00001", -1, "not a list" },
		{ "GPU-8932f937-d72c-4106-c12f-20bd9faed9f6", -1, "not a list" },
		{ "../../etc/x", -1, "not a list" },
	};
	const struct pp_bdf gpus[] = { gpu0, gpu1, gpu2 };
	struct pp_visible visible;
	char *longest = malloc(600);

	for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
		const char *text = table[i].text ? table[i].text : "(not set)";
		struct pp_error err = { 0 };
		int ret = pp_visible_parse(table[i].text, gpus, 3, &visible, &err);

		CHECK(ret ? table[i].n < 0 : (int)visible.n == table[i].n, "%s: %d, %zu GPUs",
		      text, ret, visible.n);
		CHECK(strstr(err.message, table[i].why), "%s: %s", text, err.message);
	}
	CHECK(!pp_visible_parse("2,0", gpus, 3, &visible, NULL) &&
	      pp_bdf_equal(visible.gpus[0], gpu2) && pp_bdf_equal(visible.gpus[1], gpu0), "order");
	CHECK_STR(visible.name, "2,0", "name");
	CHECK(!pp_visible_parse(NULL, gpus, 3, &visible, NULL), "all");
	CHECK_STR(visible.name, "0,1,2", "name of all");
	memset(longest, '0', 599);
	longest[599] = '\0';
	CHECK(pp_visible_parse(longest, gpus, 3, &visible, &(struct pp_error){ 0 }), "too long");
	free(longest);
}

static void engine_file(void)
{
	struct pp_visible visible = { .gpus = { gpu1, gpu2, gpu0 }, .n = 3 };

	as_it_was();
	for (int on = 0; on < 2; on++) {
		json_t *cache = pp_engine_cache(&visible, &claim, on);

		CHECK_NUM(json_object_size(cache), 9, "keys");
		CHECK(json_is_true(json_object_get(cache, "1->1")), "itself");
		CHECK(json_is_true(json_object_get(cache, "0->2")) == on, "proved, %d", on);
		CHECK(json_is_true(json_object_get(cache, "2->0")) == on, "proved, %d", on);
		CHECK(json_is_false(json_object_get(cache, "0->1")) &&
		      json_is_false(json_object_get(cache, "1->2")), "not in the verdict");
		json_decref(cache);
	}
	strcpy(claim.pairs[0].verdict, "no_access");
	for (int i = 0; i < 3; i++) {
		json_t *cache = pp_engine_cache(&visible, &claim, true);

		CHECK(json_is_false(json_object_get(cache, "2->0")) &&
		      json_is_true(json_object_get(cache, "0->2")), "one direction");
		json_decref(cache);
	}
}

static void folder(const char *engine, const char *expected, const char *what)
{
	struct pp_error err = { 0 };
	char dir[PP_PATH_LEN];

	CHECK(!pp_engine_folder(pp_engine_find(engine), dir, &err), "%s: %s", what, err.message);
	CHECK_STR(dir, expected, what);
}

static void engine_folders(void)
{
	setenv("HOME", "/home/me", 1);
	unsetenv("XDG_CACHE_HOME");
	unsetenv("VLLM_CACHE_ROOT");
	unsetenv("SGLANG_CACHE_DIR");
	folder("sglang", "/home/me/.cache/sglang", "sglang");
	folder("vllm", "/home/me/.cache/vllm", "vllm");
	setenv("XDG_CACHE_HOME", "/x", 1);
	folder("sglang", "/home/me/.cache/sglang", "sglang with XDG");
	folder("vllm", "/x/vllm", "vllm with XDG");
	setenv("VLLM_CACHE_ROOT", "~/v", 1);
	setenv("SGLANG_CACHE_DIR", "/s", 1);
	folder("sglang", "/s", "sglang's own");
	folder("vllm", "/home/me/v", "vllm's own");
	CHECK(!pp_engine_find("nccl"), "no engine");
}

int main(void)
{
	RUN(holds_as_it_was);
	RUN(holds_host);
	RUN(holds_devices);
	RUN(holds_module);
	RUN(holds_faults);
	RUN(holds_asked);
	RUN(holds_not_proved);
	RUN(holds_many);
	RUN(holds_names);
	RUN(permit_of_everything);
	RUN(permit_no_access);
	RUN(visible_gpus);
	RUN(engine_file);
	RUN(engine_folders);
	pp_claim_free(&claim);
	return test_failures != 0;
}
