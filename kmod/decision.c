// SPDX-License-Identifier: GPL-2.0-only
/*
 * Which mode a device gets, from what is known about it. A pure function, for the
 * module and for the test that goes through its whole table.
 */
#include "decision.h"

/*
 * What +force overrides: the refusals that keep the device itself from harm. What
 * the kernel would refuse anyway, or what would harm others, stays.
 */
static enum peerpass_reason bad_for_device(const struct pp_evidence *evidence)
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
	enum peerpass_reason bad = bad_for_device(evidence);
	enum peerpass_reason reason;

	/*
	 * The host's own default (iommu=pt, or AMD's for PASID devices): nothing
	 * to do, and nothing to undo. Under SNP it is said all the same.
	 */
	if (evidence->identity && !evidence->ours)
		return bad == PEERPASS_REASON_SNP ? bad : PEERPASS_REASON_NONE;
	if (bad && !force)
		return bad;
	reason = not_possible(evidence);
	*forced = bad && !reason;
	return reason;
}

/**
 * pp_decide - choose a mode
 * @wanted: what the rule, or a request, wants
 * @flags: PEERPASS_RULE_FLAG_*
 * @evidence: what is known
 *
 * A device that is in identity by the host's own default stays there, with
 * auto as with peer: windows need a translating domain, and nothing else does.
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
