// SPDX-License-Identifier: GPL-2.0-only
/*
 * The module's choice of a mode, over its whole table: every combination of what
 * is known, of the mode that is wanted and of +force. What must hold is said here
 * in other words than there; then some rows as the design has them.
 */
#include "decision.h"
#include "test.h"

#define FORCE PEERPASS_RULE_FLAG_FORCE

static const enum peerpass_reason said[] = {
	PEERPASS_REASON_NONE, PEERPASS_REASON_KERNEL_REFUSED, PEERPASS_REASON_NOT_EFFECTIVE,
	PEERPASS_REASON_KERNEL_LIMIT,
};

#define BITS 13
#define COMBINATIONS ((1ul << BITS) * 4 * 3 * 4)

/* The combination number @n; what may not matter is left alone. */
static struct pp_evidence evidence_number(unsigned long n)
{
	struct pp_evidence e = { 0 };

	e.id_mismatch = n & 1;
	e.class_allowed = n >> 1 & 1;
	e.in_group = n >> 2 & 1;
	e.untrusted = n >> 3 & 1;
	e.driver_override = n >> 4 & 1;
	e.firmware = n >> 5 & 1 ? "family" : NULL;
	e.members = 1 + (n >> 6 & 1);
	e.driver_bound = n >> 7 & 1;
	e.identity = n >> 8 & 1;
	e.ours = n >> 9 & 1;
	e.snp_mode0 = n >> 10 & 1;
	e.memory_encryption = n >> 11 & 1;
	e.single_device_groups = n >> 12 & 1;
	n >>= BITS;
	e.companions = n % 4;
	e.snp = n / 4 % 3;
	e.kernel_said = said[n / 12];
	e.dma_bits = 64;
	return e;
}

static bool same(struct pp_decision a, struct pp_decision b)
{
	return a.mode == b.mode && a.reason == b.reason && a.why == b.why && a.forced == b.forced;
}

static bool may_be_touched(const struct pp_evidence *e)
{
	return !e->id_mismatch && e->class_allowed && e->in_group && !e->untrusted;
}

static bool snp_forbids(const struct pp_evidence *e)
{
	return e->snp == PEERPASS_TRISTATE_ON && !e->snp_mode0;
}

/* Harm that would be the device's own. */
static bool harmful(const struct pp_evidence *e)
{
	return snp_forbids(e) || e->memory_encryption || e->firmware;
}

static bool host_default(const struct pp_evidence *e)
{
	return e->identity && !e->ours;
}

/* Will the group be, or stay, in identity by our doing? */
static bool makes_identity(struct pp_decision d, const struct pp_evidence *e)
{
	return d.mode == PEERPASS_MODE_IDENTITY && !d.reason && !host_default(e);
}

#define ALL(n, e, force) \
	for (unsigned long n = 0; n < COMBINATIONS && !test_text[0]; n++) \
		for (struct pp_evidence e = evidence_number(n), *once_ = &e; once_; once_ = NULL) \
			for (unsigned int force = 0; force <= FORCE; force += FORCE)

static void decision_observes_without_asking(void)
{
	ALL(n, e, force) {
		struct pp_decision o = pp_decide(PEERPASS_MODE_OBSERVE, force, &e);
		struct pp_decision f = pp_decide(PEERPASS_MODE_OFF, force, &e);

		CHECK(o.mode == PEERPASS_MODE_OBSERVE && !o.reason && !o.why && !o.forced,
		      "observe, combination %lu", n);
		CHECK(f.mode == PEERPASS_MODE_OFF && !f.reason && !f.why && !f.forced,
		      "off, combination %lu", n);
	}
}

/* Another device, another class, no group, an external port: nothing is done. */
static void decision_leaves_alone_what_is_not_meant(void)
{
	static const enum peerpass_mode modes[] = {
		PEERPASS_MODE_IDENTITY, PEERPASS_MODE_PEER, PEERPASS_MODE_AUTO,
	};

	ALL(n, e, force) {
		for (int m = 0; m < 3; m++) {
			struct pp_decision d = pp_decide(modes[m], force, &e);

			if (may_be_touched(&e))
				CHECK(d.mode != PEERPASS_MODE_PEER || !d.reason,
				      "peer was refused, combination %lu", n);
			else
				CHECK(d.mode == modes[m] && d.reason && !d.why && !d.forced,
				      "mode %d was not refused, combination %lu", m, n);
		}
	}
}

/* Nothing that stands in the way is overlooked, and a force opens only so much. */
static void decision_switches_only_when_it_may(void)
{
	ALL(n, e, force) {
		struct pp_decision d = pp_decide(PEERPASS_MODE_IDENTITY, force, &e);

		if (!makes_identity(d, &e))
			continue;
		CHECK(!e.untrusted && !e.id_mismatch && e.class_allowed && e.in_group,
		      "not meant, combination %lu", n);
		CHECK(e.companions != PEERPASS_COMPANIONS_REFUSED, "companion, combination %lu", n);
		CHECK(!e.driver_override, "driver_override, combination %lu", n);
		CHECK(e.members == 1 || !e.single_device_groups, "group, combination %lu", n);
		CHECK(!e.kernel_said, "the kernel said no, combination %lu", n);
		CHECK(!e.driver_bound || e.identity || e.ours, "driver, combination %lu", n);
		CHECK(force || !harmful(&e), "harm without force, combination %lu", n);
		CHECK(!snp_forbids(&e) || d.forced, "SNP, combination %lu", n);
	}
}

/* And what nothing speaks against is done. */
static void decision_switches_when_it_may(void)
{
	ALL(n, e, force) {
		struct pp_decision d = pp_decide(PEERPASS_MODE_IDENTITY, force, &e);
		bool clear = may_be_touched(&e) && e.companions != PEERPASS_COMPANIONS_REFUSED &&
			     !e.driver_override && !(e.members > 1 && e.single_device_groups) &&
			     !e.kernel_said && !(e.driver_bound && !e.identity && !e.ours);

		if (clear && (force || !harmful(&e)) && !host_default(&e))
			CHECK(makes_identity(d, &e), "reason %d, combination %lu", d.reason, n);
		CHECK(d.mode == PEERPASS_MODE_IDENTITY && !d.why, "mode, combination %lu", n);
	}
}

/* Forced is what would have been refused for the device's own good, and is done. */
static void decision_says_forced_exactly_then(void)
{
	ALL(n, e, force) {
		for (int m = PEERPASS_MODE_OBSERVE; m <= PEERPASS_MODE_MAX; m++) {
			struct pp_decision d = pp_decide(m, force, &e);
			bool expected = force && harmful(&e) && makes_identity(d, &e);

			CHECK(d.forced == expected, "mode %d, combination %lu: forced %d", m, n,
			      d.forced);
		}
	}
}

static void decision_force_overrides_no_other_refusal(void)
{
	ALL(n, e, force) {
		struct pp_decision without = pp_decide(PEERPASS_MODE_IDENTITY, 0, &e);
		struct pp_decision with = pp_decide(PEERPASS_MODE_IDENTITY, FORCE, &e);

		if (without.reason != PEERPASS_REASON_SNP &&
		    without.reason != PEERPASS_REASON_MEMORY_ENCRYPTION &&
		    without.reason != PEERPASS_REASON_FIRMWARE)
			CHECK(same(without, with), "reason %d, combination %lu", without.reason, n);
	}
}

/* Identity where identity goes, peer with the reason where it does not. */
static void decision_auto_is_the_better_of_both(void)
{
	ALL(n, e, force) {
		struct pp_decision i = pp_decide(PEERPASS_MODE_IDENTITY, force, &e);
		struct pp_decision p = pp_decide(PEERPASS_MODE_PEER, force, &e);
		struct pp_decision a = pp_decide(PEERPASS_MODE_AUTO, force, &e);

		CHECK(a.reason == p.reason, "auto ends with %d, peer with %d, combination %lu",
		      a.reason, p.reason, n);
		if (a.reason)
			CHECK(a.mode == PEERPASS_MODE_AUTO && !a.why, "combination %lu", n);
		else if (host_default(&e))
			CHECK(a.mode == PEERPASS_MODE_IDENTITY && a.why == i.reason && !a.forced,
			      "combination %lu", n);
		else if (i.reason)
			CHECK(a.mode == PEERPASS_MODE_PEER && a.why == i.reason && !a.forced,
			      "combination %lu", n);
		else
			CHECK(a.mode == PEERPASS_MODE_IDENTITY && !a.why && a.forced == i.forced,
			      "combination %lu", n);
	}
}

/* What the host made identity by itself stays; what is bad about it is said. */
static void decision_respects_the_hosts_default(void)
{
	ALL(n, e, force) {
		struct pp_decision d = pp_decide(PEERPASS_MODE_IDENTITY, force, &e);

		if (!host_default(&e) || !may_be_touched(&e))
			continue;
		CHECK(!d.forced, "forced, combination %lu", n);
		CHECK(!d.reason == !harmful(&e), "reason %d, combination %lu", d.reason, n);
		CHECK(!snp_forbids(&e) || d.reason == PEERPASS_REASON_SNP, "SNP, combination %lu", n);
		CHECK(pp_decide(PEERPASS_MODE_AUTO, force, &e).mode == PEERPASS_MODE_IDENTITY,
		      "auto changes it, combination %lu", n);
	}
}

/* Told to people, and no ground for a decision. */
static void decision_ignores_pasid_and_dma_mask(void)
{
	ALL(n, e, force) {
		struct pp_evidence other = e;

		other.pasid = true;
		other.dma_bits = 32;
		CHECK(same(pp_decide(PEERPASS_MODE_AUTO, force, &e),
			   pp_decide(PEERPASS_MODE_AUTO, force, &other)), "combination %lu", n);
	}
}

/* A device that nothing speaks against, changed by one line. */
#define FREE .class_allowed = true, .in_group = true
#define SNP .snp = PEERPASS_TRISTATE_ON
#define IDENTITY PEERPASS_MODE_IDENTITY
#define PEER PEERPASS_MODE_PEER
#define AUTO PEERPASS_MODE_AUTO
#define R(word) PEERPASS_REASON_ ## word

static const struct {
	const char *what;
	struct pp_evidence evidence;
	enum peerpass_mode wanted;
	unsigned int flags;
	struct pp_decision expected;
} rows[] = {
	{ "free", { FREE }, AUTO, 0, { IDENTITY, 0, 0, false } },
	{ "free, by rule", { FREE }, IDENTITY, 0, { IDENTITY, 0, 0, false } },
	{ "free, peer", { FREE }, PEER, 0, { PEER, 0, 0, false } },
	{ "force where nothing is to be forced", { FREE }, AUTO, FORCE, { IDENTITY, 0, 0, false } },
	{ "SNP", { FREE, SNP }, AUTO, 0, { PEER, 0, R(SNP), false } },
	{ "SNP, by rule", { FREE, SNP }, IDENTITY, 0, { IDENTITY, R(SNP), 0, false } },
	{ "SNP, forced", { FREE, SNP }, IDENTITY, FORCE, { IDENTITY, 0, 0, true } },
	{ "SNP, auto forced", { FREE, SNP }, AUTO, FORCE, { IDENTITY, 0, 0, true } },
	{ "SNP with mode 0", { FREE, SNP, .snp_mode0 = true }, AUTO, 0, { IDENTITY, 0, 0, false } },
	{ "SNP off", { FREE, .snp = PEERPASS_TRISTATE_OFF }, AUTO, 0,
	  { IDENTITY, 0, 0, false } },
	{ "memory encryption", { FREE, .memory_encryption = true }, AUTO, 0,
	  { PEER, 0, R(MEMORY_ENCRYPTION), false } },
	{ "firmware", { FREE, .firmware = "Blackwell" }, AUTO, 0, { PEER, 0, R(FIRMWARE), false } },
	{ "firmware, by rule", { FREE, .firmware = "Blackwell" }, IDENTITY, 0,
	  { IDENTITY, R(FIRMWARE), 0, false } },
	{ "firmware, forced", { FREE, .firmware = "Blackwell" }, IDENTITY, FORCE,
	  { IDENTITY, 0, 0, true } },
	{ "untrusted", { FREE, .untrusted = true }, AUTO, FORCE, { AUTO, R(UNTRUSTED), 0, false } },
	{ "untrusted, peer", { FREE, .untrusted = true }, PEER, 0, { PEER, R(UNTRUSTED), 0, false } },
	{ "driver bound", { FREE, .driver_bound = true }, AUTO, 0,
	  { PEER, 0, R(DRIVER_BOUND), false } },
	{ "driver bound, by rule, forced", { FREE, .driver_bound = true }, IDENTITY, FORCE,
	  { IDENTITY, R(DRIVER_BOUND), 0, false } },
	{ "driver bound since our switch", { FREE, .driver_bound = true, .identity = true,
	  .ours = true }, AUTO, 0, { IDENTITY, 0, 0, false } },
	{ "iommu=pt, driver bound", { FREE, .driver_bound = true, .identity = true }, AUTO, 0,
	  { IDENTITY, 0, 0, false } },
	{ "iommu=pt, SNP", { FREE, SNP, .identity = true }, IDENTITY, FORCE,
	  { IDENTITY, R(SNP), 0, false } },
	{ "iommu=pt, SNP, auto", { FREE, SNP, .identity = true }, AUTO, FORCE,
	  { IDENTITY, 0, R(SNP), false } },
	{ "iommu=pt, all else in the way", { FREE, .identity = true, .driver_override = true,
	  .members = 2, .companions = PEERPASS_COMPANIONS_REFUSED, .single_device_groups = true,
	  .kernel_said = R(KERNEL_REFUSED) }, IDENTITY, 0, { IDENTITY, 0, 0, false } },
	{ "6.1, group of two", { FREE, .members = 2, .single_device_groups = true,
	  .companions = PEERPASS_COMPANIONS_AGREED }, AUTO, 0, { PEER, 0, R(KERNEL_LIMIT), false } },
	{ "6.1, group of two, forced", { FREE, .members = 2, .single_device_groups = true,
	  .companions = PEERPASS_COMPANIONS_ALONG }, IDENTITY, FORCE,
	  { IDENTITY, R(KERNEL_LIMIT), 0, false } },
	{ "6.1, alone", { FREE, .single_device_groups = true }, AUTO, 0, { IDENTITY, 0, 0, false } },
	{ "companions agree", { FREE, .members = 2, .companions = PEERPASS_COMPANIONS_AGREED }, AUTO,
	  0, { IDENTITY, 0, 0, false } },
	{ "companions come along", { FREE, .members = 2, .companions = PEERPASS_COMPANIONS_ALONG },
	  AUTO, 0, { IDENTITY, 0, 0, false } },
	{ "a companion may not", { FREE, .members = 2, .companions = PEERPASS_COMPANIONS_REFUSED },
	  AUTO, FORCE, { PEER, 0, R(GROUP_COMPANION), false } },
	{ "driver_override", { FREE, .driver_override = true }, AUTO, 0,
	  { PEER, 0, R(DRIVER_OVERRIDE), false } },
	{ "the kernel refused once", { FREE, .kernel_said = R(KERNEL_REFUSED) }, AUTO, FORCE,
	  { PEER, 0, R(KERNEL_REFUSED), false } },
	{ "SNP before all else", { FREE, SNP, .memory_encryption = true, .firmware = "Blackwell",
	  .driver_bound = true }, AUTO, 0, { PEER, 0, R(SNP), false } },
	{ "another device there", { FREE, .id_mismatch = true }, AUTO, FORCE,
	  { AUTO, R(ID_MISMATCH), 0, false } },
	{ "class", { .in_group = true, .members = 1 }, IDENTITY, FORCE,
	  { IDENTITY, R(CLASS_NOT_ALLOWED), 0, false } },
	{ "no group", { .class_allowed = true, .members = 1 }, AUTO, 0,
	  { AUTO, R(NO_GROUP), 0, false } },
};

static void decision_rows(void)
{
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct pp_decision d = pp_decide(rows[i].wanted, rows[i].flags, &rows[i].evidence);

		CHECK(same(d, rows[i].expected), "%s: mode %d, reason %d, why %d, forced %d",
		      rows[i].what, d.mode, d.reason, d.why, d.forced);
	}
}

int main(void)
{
	RUN(decision_observes_without_asking);
	RUN(decision_leaves_alone_what_is_not_meant);
	RUN(decision_switches_only_when_it_may);
	RUN(decision_switches_when_it_may);
	RUN(decision_says_forced_exactly_then);
	RUN(decision_force_overrides_no_other_refusal);
	RUN(decision_auto_is_the_better_of_both);
	RUN(decision_respects_the_hosts_default);
	RUN(decision_ignores_pasid_and_dma_mask);
	RUN(decision_rows);
	return test_failures != 0;
}
