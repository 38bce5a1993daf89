// SPDX-License-Identifier: GPL-2.0-only
/* Which mode a device is in, why, and from what evidence: in words. */
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "decision_text.h"
#include "names.h"
#include "reasons.h"
#include "uapi/linux/peerpass.h"

/* Appends to @buf, with @between before it unless it is the first. */
static void __attribute__((format(printf, 4, 5)))
append(char *buf, size_t size, const char *between, const char *fmt, ...)
{
	size_t used = strlen(buf);
	va_list ap;

	if (used)
		snprintf(buf + used, size - used, "%s", between);
	used = strlen(buf);
	va_start(ap, fmt);
	vsnprintf(buf + used, size - used, fmt, ap);
	va_end(ap);
}

/** pp_decision_notable - is there more to say than that the rule's mode is in force? */
bool pp_decision_notable(const struct pp_device *dev)
{
	return dev->wanted == PEERPASS_MODE_AUTO || dev->forced || dev->set_by_request;
}

/** pp_why_text - what auto found against identity, as a clause; empty if nothing */
void pp_why_text(const struct pp_device *dev, char *buf, size_t size)
{
	/* The detail is the reason's, if the device has one. */
	const char *detail = pp_reason_given(dev) ? "" : dev->detail;

	buf[0] = '\0';
	if (dev->why == PP_UNKNOWN || dev->why == PEERPASS_REASON_NONE)
		return;
	if (!detail[0] && dev->why == PEERPASS_REASON_FIRMWARE)
		detail = dev->known.firmware;
	if (!detail[0] && dev->why == PEERPASS_REASON_DRIVER_BOUND)
		detail = dev->driver;
	pp_reason_words(dev->why, detail, buf, size);
}

/** pp_forced_text - the refusals that +force overrides, as a clause */
void pp_forced_text(const struct pp_device *dev, char *buf, size_t size)
{
	const struct pp_known *known = &dev->known;
	char words[256];

	buf[0] = '\0';
	if (known->given && known->snp == PEERPASS_TRISTATE_ON && !known->snp_mode0) {
		pp_reason_words(PEERPASS_REASON_SNP, "", words, sizeof(words));
		append(buf, size, "; ", "%s", words);
	}
	if (known->given && known->memory_encryption) {
		pp_reason_words(PEERPASS_REASON_MEMORY_ENCRYPTION, "", words, sizeof(words));
		append(buf, size, "; ", "%s", words);
	}
	if (known->given && known->firmware[0]) {
		pp_reason_words(PEERPASS_REASON_FIRMWARE, known->firmware, words, sizeof(words));
		append(buf, size, "; ", "%s", words);
	}
	if (!buf[0])
		snprintf(buf, size, "a refusal");
}

/** pp_decision_text - "auto: peer, because ...", "identity, forced against: ...", "peer" */
void pp_decision_text(const struct pp_device *dev, char *buf, size_t size)
{
	bool automatic = dev->wanted == PEERPASS_MODE_AUTO;
	uint32_t mode = dev->mode == PP_UNKNOWN ? dev->wanted : dev->mode;
	char words[512];

	if (mode == PP_UNKNOWN)
		snprintf(buf, size, "no mode");
	else if (automatic && mode == PEERPASS_MODE_AUTO)
		snprintf(buf, size, "auto: nothing chosen");
	else
		snprintf(buf, size, "%s%s", automatic ? "auto: " : "", pp_name_mode(mode));
	if (automatic) {
		pp_why_text(dev, words, sizeof(words));
		/* The host's own default stays, whatever speaks against it. */
		if (words[0] && mode == PEERPASS_MODE_IDENTITY)
			append(buf, size, " ", "as the host has made it, although %s", words);
		else if (words[0])
			append(buf, size, ", ", "because %s", words);
	}
	if (dev->forced) {
		pp_forced_text(dev, words, sizeof(words));
		append(buf, size, ", ", "forced against: %s", words);
	}
	if (dev->set_by_request)
		append(buf, size, " ", "(set by request)");
}

/** pp_evidence_text - all that is known, as clauses; empty when it was not told */
void pp_evidence_text(const struct pp_known *known, char *buf, size_t size)
{
	const char *sep = "; ";

	buf[0] = '\0';
	if (!known->given)
		return;
	append(buf, size, sep, "SEV-SNP %s%s",
	       known->snp == PP_UNKNOWN ? "unknown" : pp_name_tristate(known->snp),
	       known->snp_mode0 ? ", which permits identity here" : "");
	append(buf, size, sep, "memory encryption %s", known->memory_encryption ? "on" : "off");
	if (known->firmware[0])
		append(buf, size, sep, "firmware of %s", known->firmware);
	if (known->untrusted)
		append(buf, size, sep, "behind an external-facing port");
	append(buf, size, sep, known->driver_bound ? "a driver was bound" : "no driver was bound");
	if (known->driver_override)
		append(buf, size, sep, "driver_override is set");
	if (known->members != PP_UNKNOWN)
		append(buf, size, sep, "group of %" PRIu32, known->members);
	if (known->companions != PP_UNKNOWN && known->companions != PEERPASS_COMPANIONS_NONE)
		append(buf, size, sep, "companions %s", pp_name_companions(known->companions));
	if (known->single_device_groups)
		append(buf, size, sep, "this kernel switches only groups of one device");
	if (known->dma_bits != PP_UNKNOWN)
		append(buf, size, sep, "DMA mask of %" PRIu32 " bits", known->dma_bits);
	if (known->pasid)
		append(buf, size, sep, "PASID");
	if (known->kernel_said != PP_UNKNOWN && known->kernel_said != PEERPASS_REASON_NONE)
		append(buf, size, sep, "an earlier attempt ended with %s",
		       pp_name_reason(known->kernel_said));
}
