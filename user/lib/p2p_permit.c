// SPDX-License-Identifier: GPL-2.0-only
/*
 * What engines may be allowed to do after a verdict: nothing, unless everything
 * that they would use is proved.
 */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "p2p_permit.h"

static void off(struct pp_permit *permit, int exit_code, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

static void off(struct pp_permit *permit, int exit_code, const char *fmt, ...)
{
	va_list ap;

	permit->on = false;
	permit->level = PP_DISTANCE_UNKNOWN;
	permit->exit_code = exit_code;
	va_start(ap, fmt);
	vsnprintf(permit->why, sizeof(permit->why), fmt, ap);
	va_end(ap);
}

/** pp_p2p_pair_proved - is this ordered pair "ok" in the verdict? */
bool pp_p2p_pair_proved(const struct pp_claim *claim, struct pp_bdf initiator,
			struct pp_bdf target)
{
	const struct pp_claim_pair *pair = pp_claim_pair(claim, initiator, target);

	return pair && !strcmp(pair->verdict, "ok");
}

/*
 * The widest distance among the pairs that are "ok", below that of every pair
 * that CUDA says cannot do it. False when there is none; then @bad may be set to
 * a pair that forbids P2P altogether.
 */
static bool widest_proved(const struct pp_claim *claim, const struct pp_bdf *gpus, size_t count,
			  enum pp_distance *level, const struct pp_claim_pair **bad,
			  bool *missing)
{
	enum pp_distance limit = PP_DISTANCES;

	*level = PP_DISTANCE_UNKNOWN;
	for (size_t pass = 0; pass < 2; pass++) {
		for (size_t k = 0; k < count * count; k++) {
			const struct pp_claim_pair *pair =
				pp_claim_pair(claim, gpus[k / count], gpus[k % count]);

			if (k / count == k % count)
				continue;
			if (!pair) {
				*missing = true;
				return false;
			}
			if (!strcmp(pair->verdict, "no_access")) {
				limit = pair->distance < limit ? pair->distance : limit;
			} else if (strcmp(pair->verdict, "ok")) {
				*bad = pair;
				return false;
			} else if (pass && pair->distance < limit && pair->distance > *level) {
				*level = pair->distance;
			}
		}
	}
	return *level != PP_DISTANCE_UNKNOWN;
}

/**
 * pp_p2p_permit - may these GPUs use P2P, and how far?
 * @stale: what pp_claim_holds() said
 * @gpus: those that an engine will use, @count of them
 *
 * Off when the verdict does not hold; when anything failed, also between other
 * GPUs, since a hang or a wedged GPU is not only its pair's; when collectives
 * were not run, because copies can pass where they fail; and when fewer than two
 * GPUs are asked about. A pair that CUDA says cannot do P2P (no_access) is not a
 * failure: nobody uses it, and the level ends before its distance.
 */
void pp_p2p_permit(const struct pp_claim *claim, const struct pp_stale_list *stale,
		   const struct pp_bdf *gpus, size_t count, struct pp_permit *permit)
{
	const struct pp_claim_pair *bad = NULL;
	char from[PP_BDF_LEN], to[PP_BDF_LEN];
	bool missing = false;

	memset(permit, 0, sizeof(*permit));
	if (pp_claim_stale(stale)) {
		off(permit, PP_EXIT_STALE, "the verdict does not hold: %s: %s",
		    pp_stale_name(stale->v[0].reason), stale->v[0].text);
	} else if (!pp_claim_ok(claim) && strcmp(claim->verdict, "no_access")) {
		off(permit, claim->exit_code, "the verdict is %s%s%s", claim->verdict,
		    claim->text[0] ? ": " : "", claim->text);
	} else if (count < 2) {
		off(permit, PP_EXIT_INCONCLUSIVE, "P2P takes two GPUs, %zu are asked about", count);
	} else if (widest_proved(claim, gpus, count, &permit->level, &bad, &missing)) {
		if (!claim->collectives || claim->collectives_right != claim->collectives)
			off(permit, PP_EXIT_INCONCLUSIVE,
			    "%zu of %zu collectives are proved (level %s), and copies can pass "
			    "where collectives fail", claim->collectives_right, claim->collectives,
			    claim->level);
		else
			permit->on = true;
	} else if (bad) {
		off(permit, PP_EXIT_STALE, "the pair %s -> %s is %s",
		    pp_bdf_text(bad->initiator, from), pp_bdf_text(bad->target, to), bad->verdict);
	} else if (missing) {
		off(permit, PP_EXIT_STALE, "the verdict is not about every pair of these GPUs");
	} else if (pp_claim_ok(claim)) {
		off(permit, PP_EXIT_INCONCLUSIVE,
		    "the distance of no pair that is proved is known");
	} else {
		off(permit, claim->exit_code, "no pair is proved below the distance of one that "
		    "CUDA says cannot do P2P");
	}
}
