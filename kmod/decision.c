// SPDX-License-Identifier: GPL-2.0-only
/*
 * Which mode a device gets, from what is known about it. Pure, for the module and
 * for the test that goes through its whole table.
 */
#include "decision.h"

/**
 * pp_decide_harm - would identity harm the device itself?
 * @evidence: @snp, @snp_mode0, @memory_encryption and @firmware are looked at
 *
 * That is what +force overrides. What the kernel would refuse anyway, or what
 * would harm others, stays.
 */
enum peerpass_reason pp_decide_harm(const struct pp_evidence *evidence)
{
	/*
	 * An entry of mode 0 is illegal then (kernel commit ba17de98545d), and
	 * kernels 6.13 to 6.19 let it happen.
	 */
	if (evidence->snp == PEERPASS_TRISTATE_ON && !evidence->snp_mode0)
		return PEERPASS_REASON_SNP;
	/* Devices that cannot address the bit would be bounced. */
	if (evidence->memory_encryption)
		return PEERPASS_REASON_MEMORY_ENCRYPTION;
	if (evidence->firmware)
		return PEERPASS_REASON_FIRMWARE;
	return PEERPASS_REASON_NONE;
}

/* What speaks against identity for the whole group, a force left aside. */
static enum peerpass_reason not_possible(const struct pp_evidence *evidence)
{
	if (evidence->driver_override)
		return PEERPASS_REASON_DRIVER_OVERRIDE;
	if (evidence->companions == PEERPASS_COMPANIONS_REFUSED)
		return PEERPASS_REASON_GROUP_COMPANION;
	if (evidence->members > 1 && evidence->single_device_groups)
		return PEERPASS_REASON_KERNEL_LIMIT;
	if (evidence->kernel_said)
		return evidence->kernel_said;
	if (evidence->driver_bound && !evidence->identity && !evidence->ours)
		return PEERPASS_REASON_DRIVER_BOUND;
	return PEERPASS_REASON_NONE;
}

/* What speaks against any change at all. */
static enum peerpass_reason not_selectable(const struct pp_evidence *evidence)
{
	if (evidence->id_mismatch)
		return PEERPASS_REASON_ID_MISMATCH;
	if (!evidence->class_allowed)
		return PEERPASS_REASON_CLASS_NOT_ALLOWED;
	if (!evidence->in_group)
		return PEERPASS_REASON_NO_GROUP;
	if (evidence->untrusted)
		return PEERPASS_REASON_UNTRUSTED;
	return PEERPASS_REASON_NONE;
}

static enum peerpass_reason not_identity(const struct pp_evidence *evidence,
					 bool force, bool *forced)
{
	enum peerpass_reason harm = pp_decide_harm(evidence);
	enum peerpass_reason reason;

	if (harm && !force)
		return harm;
	reason = not_possible(evidence);
	*forced = harm && !reason;
	return reason;
}

/**
 * pp_decide - choose a mode
 * @wanted: what the rule, or a request, wants
 * @flags: PEERPASS_RULE_FLAG_*
 * @evidence: what is known
 *
 * A device that is in identity by the host's own default (iommu=pt, or AMD's for
 * PASID devices) stays there: nothing is to be done, and nothing undone. What
 * speaks against it is said all the same.
 */
struct pp_decision pp_decide(enum peerpass_mode wanted, unsigned int flags,
			     const struct pp_evidence *evidence)
{
	struct pp_decision decision = { .mode = wanted };
	bool force = flags & PEERPASS_RULE_FLAG_FORCE;
	enum peerpass_reason reason;

	if (wanted != PEERPASS_MODE_IDENTITY && wanted != PEERPASS_MODE_PEER &&
	    wanted != PEERPASS_MODE_AUTO)
		return decision;
	decision.reason = not_selectable(evidence);
	if (decision.reason || wanted == PEERPASS_MODE_PEER)
		return decision;
	if (evidence->identity && !evidence->ours) {
		decision.mode = PEERPASS_MODE_IDENTITY;
		reason = pp_decide_harm(evidence);
		if (wanted == PEERPASS_MODE_IDENTITY)
			decision.reason = reason;
		else
			decision.why = reason;
		return decision;
	}
	reason = not_identity(evidence, force, &decision.forced);
	if (wanted == PEERPASS_MODE_IDENTITY) {
		decision.reason = reason;
		return decision;
	}
	if (reason) {
		decision.mode = PEERPASS_MODE_PEER;
		decision.why = reason;
	} else {
		decision.mode = PEERPASS_MODE_IDENTITY;
	}
	return decision;
}
