// SPDX-License-Identifier: GPL-2.0-only
/* Sets of peers: who is a member, which pairs count, and why one has no way. */
#include "peer_sets.h"
#include "test.h"
#include "uapi/linux/peerpass.h"

static struct pp_inventory inv;
static struct pp_device devices[5];
static struct pp_window windows[32];
static struct pp_set_list sets;

/* @n GPUs of one set in mode peer, each with a driver, and every window open. */
static void whole_set(size_t n)
{
	memset(&inv, 0, sizeof(inv));
	inv.devices.v = devices;
	inv.devices.n = n;
	inv.windows.v = windows;
	for (size_t i = 0; i < n; i++) {
		pp_device_init(&devices[i]);
		devices[i].bdf.rid = (uint16_t)((i + 1) << 8);
		devices[i].present = true;
		devices[i].mode = PEERPASS_MODE_PEER;
		devices[i].actual = PEERPASS_DOMAIN_TYPE_DMA;
		devices[i].reason = PEERPASS_REASON_NONE;
		strcpy(devices[i].driver, "nvidia");
		strcpy(devices[i].set, "a");
		for (size_t j = 0; j < n; j++) {
			if (i != j)
				windows[inv.windows.n++] = (struct pp_window){
					{ 0, (uint16_t)((i + 1) << 8) },
					{ 0, (uint16_t)((j + 1) << 8) }, 1, 4096,
					PEERPASS_WINDOW_STATE_INSTALLED };
		}
	}
}

/* "1>2 dma_mask, 2>1 snp": the pairs of the first set that have no way. */
static const char *missing(void)
{
	static char text[512];
	size_t used = 0;

	text[0] = '\0';
	for (size_t i = 0; sets.n && i < sets.v[0].pair_count; i++) {
		const struct pp_set_pair *pair = &sets.v[0].pairs[i];

		if (pair->missing[0])
			used += (size_t)snprintf(text + used, sizeof(text) - used, "%s%d>%d %s",
						 used ? ", " : "", pair->initiator.rid >> 8,
						 pair->target.rid >> 8, pair->missing);
	}
	return text;
}

static void expect(const char *what, enum pp_set_state state, size_t pairs, const char *lacks)
{
	struct pp_error err;

	pp_peer_sets_free(&sets);
	CHECK(!pp_peer_sets(&inv, &sets, &err), "%s: failed", what);
	CHECK(sets.n == 1, "%s: %zu sets", what, sets.n);
	if (sets.n != 1)
		return;
	CHECK_STR(pp_set_state_name(sets.v[0].state), pp_set_state_name(state), what);
	CHECK(sets.v[0].pair_count == pairs, "%s: %zu pairs", what, sets.v[0].pair_count);
	CHECK_STR(missing(), lacks, what);
}

static void sets_ready(void)
{
	whole_set(2);
	expect("two", PP_SET_READY, 2, "");
	whole_set(4);
	expect("four", PP_SET_READY, 12, "");
	whole_set(2);
	inv.windows.n = 0;
	devices[0].actual = devices[1].actual = PEERPASS_DOMAIN_TYPE_IDENTITY;
	devices[0].mode = devices[1].mode = PEERPASS_MODE_IDENTITY;
	devices[0].driver[0] = '\0';
	expect("identity, with or without driver", PP_SET_READY, 2, "");
	whole_set(2);
	windows[1].state = PEERPASS_WINDOW_STATE_CONFLICT;
	devices[1].actual = PEERPASS_DOMAIN_TYPE_IDENTITY;
	expect("identity needs no window", PP_SET_READY, 2, "");
}

static void sets_members(void)
{
	static const struct {
		const char *what;
		uint32_t mode;
		uint32_t wanted;
		bool member;
	} table[] = {
		{ "observe", PEERPASS_MODE_OBSERVE, PEERPASS_MODE_AUTO, false },
		{ "off", PEERPASS_MODE_OFF, PP_UNKNOWN, false },
		{ "identity", PEERPASS_MODE_IDENTITY, PP_UNKNOWN, true },
		{ "peer", PEERPASS_MODE_PEER, PP_UNKNOWN, true },
		{ "auto", PEERPASS_MODE_AUTO, PP_UNKNOWN, true },
		{ "unknown", 77, PP_UNKNOWN, false },
		{ "older module, peer", PP_UNKNOWN, PEERPASS_MODE_PEER, true },
		{ "nothing known", PP_UNKNOWN, PP_UNKNOWN, false },
	};

	for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
		whole_set(2);
		devices[1].mode = table[i].mode;
		devices[1].wanted = table[i].wanted;
		expect(table[i].what, table[i].member ? PP_SET_READY : PP_SET_ALONE,
		       table[i].member ? 2 : 0, "");
	}
	whole_set(2);
	devices[1].present = false;
	expect("gone", PP_SET_ALONE, 0, "");
	whole_set(2);
	devices[1].set[0] = '\0';
	expect("in no set", PP_SET_ALONE, 0, "");
}

static void sets_directions(void)
{
	whole_set(3);
	devices[0].flags = devices[1].flags = PEERPASS_RULE_FLAG_INITIATOR;
	devices[2].flags = PEERPASS_RULE_FLAG_TARGET;
	for (size_t i = 0; i < inv.windows.n; i++) {
		if (windows[i].target.rid != 0x300)
			windows[i].state = PEERPASS_WINDOW_STATE_NO_BAR;
	}
	expect("two initiators, one target", PP_SET_READY, 2, "");
	whole_set(2);
	devices[0].flags = devices[1].flags = PEERPASS_RULE_FLAG_TARGET;
	expect("targets only", PP_SET_ALONE, 0, "");
	whole_set(2);
	devices[0].flags = PEERPASS_RULE_FLAG_ALL | PEERPASS_RULE_FLAG_FORCE;
	expect("other flags do not matter", PP_SET_READY, 2, "");
}

static void sets_mixed(void)
{
	whole_set(2);
	for (uint32_t s = 0; s <= PEERPASS_WINDOW_STATE_MAX; s++) {
		struct pp_error err;

		windows[1].state = s;
		pp_peer_sets_free(&sets);
		pp_peer_sets(&inv, &sets, &err);
		CHECK((sets.v[0].state == PP_SET_READY) == (s == PEERPASS_WINDOW_STATE_INSTALLED),
		      "window state %u", s);
	}
	whole_set(2);
	windows[inv.windows.n++] = windows[0];
	windows[2].state = PEERPASS_WINDOW_STATE_APERTURE;
	expect("one BAR of two", PP_SET_MIXED, 2, "1>2 aperture");
	whole_set(2);
	inv.windows.n = 1;
	devices[1].driver[0] = '\0';
	expect("no driver, so no window", PP_SET_MIXED, 2, "2>1 initiator_not_bound");
	devices[1].reason = PEERPASS_REASON_PEERS_MISSING;
	expect("peers missing is no cause", PP_SET_MIXED, 2, "2>1 initiator_not_bound");
	devices[1].reason = PEERPASS_REASON_UNTRUSTED;
	expect("its own reason first", PP_SET_MIXED, 2, "2>1 untrusted");
	devices[1].reason = PEERPASS_REASON_NONE;
	strcpy(devices[1].driver, "nvidia");
	expect("nothing is known", PP_SET_MIXED, 2, "2>1 no_window");
	devices[0].reason = PEERPASS_REASON_CLASS_NOT_ALLOWED;
	expect("the target's reason", PP_SET_MIXED, 2, "2>1 class_not_allowed");
	whole_set(3);
	devices[1].actual = PEERPASS_DOMAIN_TYPE_IDENTITY;
	windows[4].state = PEERPASS_WINDOW_STATE_SET_WAITING;
	windows[5].state = PEERPASS_WINDOW_STATE_UNTRUSTED;
	expect("both kinds", PP_SET_MIXED, 6, "3>1 set_waiting, 3>2 untrusted");
}

static void sets_several(void)
{
	struct pp_error err;

	whole_set(5);
	strcpy(devices[1].set, "b");
	strcpy(devices[3].set, "b");
	strcpy(devices[4].set, "c");
	pp_peer_sets_free(&sets);
	CHECK(!pp_peer_sets(&inv, &sets, &err), "failed");
	CHECK_NUM(sets.n, 3, "sets");
	CHECK_STR(sets.v[0].name, "a", "first");
	CHECK_STR(sets.v[1].name, "b", "second");
	CHECK(sets.v[0].member_count == 2 && sets.v[1].member_count == 2 &&
	      sets.v[2].member_count == 1, "members");
	CHECK(sets.v[2].state == PP_SET_ALONE, "one alone");
	inv.devices.n = 0;
	pp_peer_sets_free(&sets);
	CHECK(!pp_peer_sets(&inv, &sets, &err) && !sets.n, "sets of nothing");
	pp_peer_sets_free(&sets);
}

int main(void)
{
	RUN(sets_ready);
	RUN(sets_members);
	RUN(sets_directions);
	RUN(sets_mixed);
	RUN(sets_several);
	pp_peer_sets_free(&sets);
	return test_failures != 0;
}
