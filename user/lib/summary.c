// SPDX-License-Identifier: GPL-2.0-only
/*
 * Does P2P work now? Answered from what is known, without touching a device.
 *
 * Counters can prove that P2P does not work, never that it does: lost transfers
 * need not fault, and CUDA reports success for them. So the best answer without
 * a comparison of data is "not proved"; "yes" is left to validate.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "cure.h"
#include "names.h"
#include "pci.h"
#include "reasons.h"
#include "summary.h"
#include "uapi/linux/peerpass.h"

static const char validate_next[] = "peerpass validate";

/** pp_works_name - the answer as JSON has it */
const char *pp_works_name(enum pp_works works)
{
	return works == PP_WORKS_YES ? "yes" : works == PP_WORKS_NO ? "no" : "not_proved";
}

/** pp_works_text - the answer as text output has it */
const char *pp_works_text(enum pp_works works)
{
	return works == PP_WORKS_YES ? "yes" : works == PP_WORKS_NO ? "no" : "not proved";
}

/** pp_summary_print - the answer in one line on standard output */
void pp_summary_print(const struct pp_summary *sum)
{
	printf("Does P2P work now? %s: %s.", pp_works_text(sum->works), sum->why);
	if (sum->next[0])
		printf(" Next: %s", sum->next);
	putchar('\n');
}

static bool any_selected(const struct pp_inventory *inv)
{
	for (size_t i = 0; i < inv->devices.n; i++) {
		const struct pp_device *dev = &inv->devices.v[i];

		if (dev->present && dev->selected && dev->wanted != PEERPASS_MODE_OFF)
			return true;
	}
	return false;
}

/**
 * pp_summary_is_peer - is the question about this device?
 *
 * It is about the devices that rules select; without any, about all display
 * controllers and accelerators. Never about a device whose rule says "off".
 */
bool pp_summary_is_peer(const struct pp_inventory *inv, const struct pp_device *dev)
{
	if (!dev->present || (dev->selected && dev->wanted == PEERPASS_MODE_OFF))
		return false;
	return any_selected(inv) ? dev->selected : pp_pci_is_accelerator(dev);
}

static bool is_peer_address(const struct pp_inventory *inv, struct pp_bdf bdf)
{
	const struct pp_device *dev = pp_inventory_find(inv, bdf);

	return dev && pp_summary_is_peer(inv, dev);
}

static void answer(struct pp_summary *sum, enum pp_works works, const char *next)
{
	sum->works = works;
	snprintf(sum->next, sizeof(sum->next), "%s", next);
}

/* Devices whose DMA does not work at all. */
static bool broken_device(const struct pp_inventory *inv, struct pp_summary *sum)
{
	for (size_t i = 0; i < inv->devices.n; i++) {
		const struct pp_device *dev = &inv->devices.v[i];
		uint64_t n = pp_device_faults(dev, PEERPASS_FAULT_KIND_ILLEGAL_DEV_TABLE_ENTRY);
		struct pp_device blamed = *dev;

		if (!pp_summary_is_peer(inv, dev) ||
		    (!n && dev->reason != PEERPASS_REASON_ILLEGAL_DTE))
			continue;
		blamed.reason = PEERPASS_REASON_ILLEGAL_DTE;
		snprintf(sum->why, sizeof(sum->why),
			 "the IOMMU rejects the device table entry of gpu%d (%" PRIu64
			 " ILLEGAL_DEV_TABLE_ENTRY)", dev->gpu, n);
		sum->works = PP_WORKS_NO;
		pp_reason_advice(&blamed, sum->next, sizeof(sum->next));
		return true;
	}
	return false;
}

/* What to do about the first peer that is not as wanted, if there is one. */
static void first_advice(const struct pp_inventory *inv, char *buf, size_t size)
{
	for (size_t i = 0; i < inv->devices.n; i++) {
		const struct pp_device *dev = &inv->devices.v[i];

		if (pp_summary_is_peer(inv, dev) && pp_reason_given(dev)) {
			pp_reason_advice(dev, buf, size);
			return;
		}
	}
}

/* Faults of one peer on a BAR of another. */
static bool faults_between_peers(const struct pp_inventory *inv, struct pp_summary *sum)
{
	const struct pp_pair *first = NULL;
	char from[PP_BDF_LEN], to[PP_BDF_LEN];
	uint64_t total = 0;
	size_t rows = 0;

	for (size_t i = 0; i < inv->pairs.n; i++) {
		const struct pp_pair *pair = &inv->pairs.v[i];
		uint64_t n = pair->read + pair->write + pair->other;

		if (!n || pair->class != PEERPASS_TARGET_CLASS_BAR ||
		    !is_peer_address(inv, pair->initiator) || !is_peer_address(inv, pair->target))
			continue;
		if (!first)
			first = pair;
		total += n;
		rows++;
	}
	if (!first)
		return false;
	snprintf(sum->why, sizeof(sum->why),
		 "%" PRIu64 " faults of peers on each other's BARs, %s to %s BAR%u%s", total,
		 pp_inventory_label(inv, first->initiator, from),
		 pp_inventory_label(inv, first->target, to), first->bar,
		 rows > 1 ? " and others" : "");
	sum->works = PP_WORKS_NO;
	pp_cure(inv, NULL, 0, sum->next, sizeof(sum->next));
	if (!sum->next[0])
		first_advice(inv, sum->next, sizeof(sum->next));
	if (!sum->next[0])
		answer(sum, PP_WORKS_NO, "peerpass faults --matrix");
	return true;
}

/* Peers that cannot take part or are not what their rule wants. */
static bool peers_not_as_wanted(const struct pp_inventory *inv, size_t peers,
				struct pp_summary *sum)
{
	const struct pp_device *first = NULL;
	size_t n = 0;

	for (size_t i = 0; i < inv->devices.n; i++) {
		const struct pp_device *dev = &inv->devices.v[i];

		if (!pp_summary_is_peer(inv, dev))
			continue;
		if (dev->actual == PEERPASS_DOMAIN_TYPE_UNMANAGED ||
		    dev->actual == PEERPASS_DOMAIN_TYPE_BLOCKED) {
			snprintf(sum->why, sizeof(sum->why),
				 "gpu%d is not the host's (%s, driver %s)", dev->gpu,
				 pp_name_domain_type(dev->actual),
				 dev->driver[0] ? dev->driver : "none");
			answer(sum, PP_WORKS_NOT_PROVED,
			       "give the device back to the host, then peerpass validate");
			return true;
		}
		if (!pp_reason_given(dev))
			continue;
		if (!first)
			first = dev;
		n++;
	}
	if (!first)
		return false;
	snprintf(sum->why, sizeof(sum->why), "%zu of %zu devices not as wanted, gpu%d: %s", n,
		 peers, first->gpu, pp_name_reason(first->reason));
	sum->works = PP_WORKS_NOT_PROVED;
	pp_reason_advice(first, sum->next, sizeof(sum->next));
	return true;
}

static bool other_faults(const struct pp_inventory *inv, struct pp_summary *sum)
{
	for (size_t i = 0; i < inv->devices.n; i++) {
		const struct pp_device *dev = &inv->devices.v[i];

		if (!pp_summary_is_peer(inv, dev) || !dev->total)
			continue;
		snprintf(sum->why, sizeof(sum->why),
			 "gpu%d caused %" PRIu64 " faults, on no known BAR of a peer", dev->gpu,
			 dev->total);
		answer(sum, PP_WORKS_NOT_PROVED, validate_next);
		return true;
	}
	return false;
}

/* Nothing speaks against it. */
static void nothing_proved(const struct pp_inventory *inv, size_t peers, struct pp_summary *sum)
{
	size_t translating = 0, windows = 0, identity = 0;

	for (size_t i = 0; i < inv->devices.n; i++) {
		const struct pp_device *dev = &inv->devices.v[i];

		if (!pp_summary_is_peer(inv, dev))
			continue;
		translating += pp_device_translates(dev);
		/* Peers missing would be a reason; then nobody would ask here. */
		windows += pp_device_translates(dev) && dev->mode == PEERPASS_MODE_PEER;
		identity += dev->actual == PEERPASS_DOMAIN_TYPE_IDENTITY;
	}
	answer(sum, PP_WORKS_NOT_PROVED, validate_next);
	if (translating && windows == translating)
		snprintf(sum->why, sizeof(sum->why),
			 "%zu of %zu devices reach their peers through windows, no faults; data "
			 "not checked", windows, peers);
	else if (translating)
		snprintf(sum->why, sizeof(sum->why),
			 "no faults yet, but %zu of %zu devices are translated", translating,
			 peers);
	else if (identity)
		snprintf(sum->why, sizeof(sum->why),
			 "%zu of %zu devices are identity, no faults; data not checked", identity,
			 peers);
	else
		snprintf(sum->why, sizeof(sum->why),
			 "no IOMMU translates these %zu devices; data not checked", peers);
}

/**
 * pp_summarize - does P2P work now?
 *
 * A pure function of @inv. See the head of this file for why it never says yes.
 */
void pp_summarize(const struct pp_inventory *inv, struct pp_summary *sum)
{
	size_t peers = 0;

	memset(sum, 0, sizeof(*sum));
	answer(sum, PP_WORKS_NOT_PROVED, "modprobe peerpass");
	if (!inv->module) {
		snprintf(sum->why, sizeof(sum->why), "the peerpass module is not loaded");
		return;
	}
	if (inv->info.state != PEERPASS_RUN_STATE_ACTIVE) {
		snprintf(sum->why, sizeof(sum->why),
			 "the peerpass module is loaded but does nothing (%s)",
			 pp_name_run_state(inv->info.state));
		if (inv->info.state == PEERPASS_RUN_STATE_OFF)
			answer(sum, PP_WORKS_NOT_PROVED,
			       "modprobe -r peerpass && modprobe peerpass off=0");
		else
			answer(sum, PP_WORKS_NOT_PROVED, "peerpass status, after the next boot");
		return;
	}
	for (size_t i = 0; i < inv->devices.n; i++)
		peers += pp_summary_is_peer(inv, &inv->devices.v[i]);
	if (peers < 2) {
		snprintf(sum->why, sizeof(sum->why), "P2P takes two devices, there %s %zu here",
			 peers == 1 ? "is" : "are", peers);
		answer(sum, PP_WORKS_NOT_PROVED, "peerpass status --all");
		return;
	}
	if (broken_device(inv, sum) || faults_between_peers(inv, sum) ||
	    peers_not_as_wanted(inv, peers, sum) || other_faults(inv, sum))
		return;
	nothing_proved(inv, peers, sum);
}
