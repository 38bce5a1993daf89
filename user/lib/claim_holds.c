// SPDX-License-Identifier: GPL-2.0-only
/*
 * Does a verdict still hold? Whatever it was found under must be as it was, and
 * what cannot be compared counts as changed: nobody gets P2P by taking evidence
 * away.
 */
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "claim_holds.h"
#include "names.h"
#include "uapi/linux/peerpass.h"

/** pp_stale_name - as JSON has it */
const char *pp_stale_name(enum pp_stale reason)
{
	static const char * const names[PP_STALES] = {
		[PP_STALE_OTHER_BOOT] = "other_boot",
		[PP_STALE_OTHER_KERNEL] = "other_kernel",
		[PP_STALE_OTHER_DRIVER] = "other_driver",
		[PP_STALE_OTHER_DRIVER_OPTION] = "other_driver_option",
		[PP_STALE_DEVICE_GONE] = "device_gone",
		[PP_STALE_OTHER_DOMAIN] = "other_domain",
		[PP_STALE_OTHER_MODE] = "other_mode",
		[PP_STALE_MODULE_GONE] = "module_gone",
		[PP_STALE_MODULE_RELOADED] = "module_reloaded",
		[PP_STALE_MODULE_OTHER_VERSION] = "module_other_version",
		[PP_STALE_WINDOWS_CHANGED] = "windows_changed",
		[PP_STALE_FAULTS_SINCE] = "faults_since",
		[PP_STALE_NOT_COVERED] = "not_covered",
		[PP_STALE_NOT_PROVED] = "not_proved",
	};

	return names[reason];
}

/** pp_claim_stale - is there a reason other than that it is not "ok"? */
bool pp_claim_stale(const struct pp_stale_list *list)
{
	return list->n && list->v[0].reason != PP_STALE_NOT_PROVED;
}

static struct pp_stale_reason *add(struct pp_stale_list *list, enum pp_stale reason,
				   const char *fmt, ...) __attribute__((format(printf, 3, 4)));

static struct pp_stale_reason *add(struct pp_stale_list *list, enum pp_stale reason,
				   const char *fmt, ...)
{
	static struct pp_stale_reason not_kept;
	struct pp_stale_reason *v = &not_kept;
	va_list ap;

	if (list->n < PP_STALE_REASONS)
		v = &list->v[list->n++];
	else
		list->more++;
	memset(v, 0, sizeof(*v));
	v->reason = reason;
	va_start(ap, fmt);
	vsnprintf(v->text, sizeof(v->text), fmt, ap);
	va_end(ap);
	return v;
}

static void about(struct pp_stale_reason *v, struct pp_bdf device)
{
	v->has_device = true;
	v->device = device;
}

static const char *or_none(const char *text)
{
	return text[0] ? text : "none";
}

static void check_host(const struct pp_claim *claim, const struct pp_host_facts *host,
		       struct pp_stale_list *list)
{
	uint32_t remap = host->dma_remap_peer_mmio;

	if (strcmp(claim->boot_id, host->boot_id))
		add(list, PP_STALE_OTHER_BOOT, "this is boot %s, the verdict is of %s",
		    or_none(host->boot_id), claim->boot_id);
	if (strcmp(claim->kernel, host->kernel))
		add(list, PP_STALE_OTHER_KERNEL, "this is kernel %s, the verdict is of %s",
		    or_none(host->kernel), claim->kernel);
	if (strcmp(claim->driver, host->driver))
		add(list, PP_STALE_OTHER_DRIVER,
		    "the NVIDIA driver's version is %s, the verdict is of %s",
		    or_none(host->driver), or_none(claim->driver));
	if (claim->dma_remap_peer_mmio != remap)
		add(list, PP_STALE_OTHER_DRIVER_OPTION,
		    "DmaRemapPeerMmio of the NVIDIA driver is %s, was %s", pp_name_tristate(remap),
		    pp_name_tristate(claim->dma_remap_peer_mmio));
}

/* One that was loaded to do nothing is as good as none. */
static bool module_active(const struct pp_now *now)
{
	return now->inv->module && now->inv->info.state == PEERPASS_RUN_STATE_ACTIVE;
}

static void check_device(const struct pp_claim *claim, const struct pp_now *now, size_t i,
			 struct pp_stale_list *list)
{
	const struct pp_claim_device *then = &claim->devices[i];
	const struct pp_device *dev = pp_inventory_find(now->inv, then->bdf);
	const char *actual, *mode;
	char bdf[PP_BDF_LEN];

	pp_bdf_text(then->bdf, bdf);
	if (!dev || !dev->present || now->states[i] == PP_DEVICE_ALL_ONES) {
		about(add(list, PP_STALE_DEVICE_GONE, "%s %s", bdf,
			  dev && dev->present ? "does not answer: it reads all ones" :
						"is not there any more"), then->bdf);
		return;
	}
	actual = dev->actual == PP_UNKNOWN ? "" : pp_name_domain_type(dev->actual);
	if (strcmp(actual, then->actual))
		about(add(list, PP_STALE_OTHER_DOMAIN, "the domain of %s is %s, was %s", bdf,
			  or_none(actual), or_none(then->actual)), then->bdf);
	/* Modes are the module's; that it is gone is said once. */
	if (!claim->has_module || !module_active(now))
		return;
	mode = dev->mode == PP_UNKNOWN ? "" : pp_name_mode(dev->mode);
	if (strcmp(mode, then->mode) || strcmp(dev->set, then->set))
		about(add(list, PP_STALE_OTHER_MODE,
			  "the mode of %s is %s (set of peers: %s), was %s (%s)", bdf,
			  or_none(mode), or_none(dev->set), or_none(then->mode),
			  or_none(then->set)), then->bdf);
}

/* Return: its counters, and its windows' generation, can be compared. */
static bool check_module(const struct pp_claim *claim, const struct pp_now *now,
			 struct pp_stale_list *list)
{
	const struct pp_info *info = &now->inv->info;

	if (!claim->has_module) {
		/* It knows what that verdict could not. */
		if (module_active(now))
			add(list, PP_STALE_MODULE_RELOADED,
			    "the peerpass module was loaded since the verdict");
		return false;
	}
	if (!module_active(now)) {
		add(list, PP_STALE_MODULE_GONE,
		    "the verdict is of a host with the peerpass module: %s", now->inv->module ?
		    "the one that is loaded does nothing" : now->no_module);
		return false;
	}
	if (strcmp(claim->module_version, info->version))
		add(list, PP_STALE_MODULE_OTHER_VERSION,
		    "the peerpass module is version %s, was %s", or_none(info->version),
		    claim->module_version);
	/* 0 is no moment: a module that does not say when is never the same. */
	if (claim->instance != info->since_boottime_ns || !claim->instance) {
		add(list, PP_STALE_MODULE_RELOADED,
		    "the peerpass module was loaded again since the verdict");
		return false;
	}
	return true;
}

static uint64_t rise(uint64_t then, uint64_t now)
{
	return now > then ? now - then : 0;
}

/* All faults of one device on the BARs of another. */
static uint64_t faults_between(const struct pp_inventory *inv, struct pp_bdf initiator,
			       struct pp_bdf target)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < inv->pairs.n; i++) {
		const struct pp_pair *pair = &inv->pairs.v[i];

		if (pair->class == PEERPASS_TARGET_CLASS_BAR &&
		    pp_bdf_equal(pair->initiator, initiator) &&
		    pp_bdf_equal(pair->target, target))
			sum += pair->read + pair->write + pair->other;
	}
	return sum;
}

/* New faults of one member on the others; what is left of its total; in the list. */
static void check_faults_of(const struct pp_claim *claim, const struct pp_now *now,
			    const struct pp_claim_device *member, struct pp_stale_list *list)
{
	const struct pp_device *dev = pp_inventory_find(now->inv, member->bdf);
	char from[PP_BDF_LEN], to[PP_BDF_LEN];
	uint64_t left = dev && member->has_faults ? rise(member->faults, dev->total) : 0;
	struct pp_stale_reason *v;

	pp_bdf_text(member->bdf, from);
	for (size_t i = 0; i < claim->pair_count; i++) {
		const struct pp_claim_pair *pair = &claim->pairs[i];
		uint64_t n;

		if (!pair->has_faults || !pp_bdf_equal(pair->initiator, member->bdf))
			continue;
		n = rise(pair->faults, faults_between(now->inv, pair->initiator, pair->target));
		if (!n)
			continue;
		v = add(list, PP_STALE_FAULTS_SINCE, "%" PRIu64 " new faults of %s on %s", n, from,
			pp_bdf_text(pair->target, to));
		about(v, member->bdf);
		v->has_target = true;
		v->target = pair->target;
		v->faults = n;
		left = rise(n, left);
	}
	if (!left)
		return;
	v = add(list, PP_STALE_FAULTS_SINCE,
		"%" PRIu64 " new faults of %s that are on no BAR of the others", left, from);
	about(v, member->bdf);
	v->faults = left;
}

static void check_covered(const struct pp_claim *claim, const struct pp_bdf *asked,
			  size_t asked_count, struct pp_stale_list *list)
{
	char bdf[PP_BDF_LEN];

	for (size_t i = 0; i < asked_count; i++) {
		if (!pp_claim_device(claim, asked[i]))
			about(add(list, PP_STALE_NOT_COVERED, "the verdict is not about %s",
				  pp_bdf_text(asked[i], bdf)), asked[i]);
	}
}

/**
 * pp_claim_holds - every reason why a verdict does not hold
 * @asked: devices that it has to be about, @asked_count of them; may be none
 * @list: empty when it holds and is "ok"
 *
 * A pure function. Counters of another load of the module are not compared, and
 * neither are modes when it is gone: the load itself is the reason then.
 */
void pp_claim_holds(const struct pp_claim *claim, const struct pp_now *now,
		    const struct pp_bdf *asked, size_t asked_count, struct pp_stale_list *list)
{
	bool comparable;

	list->n = 0;
	list->more = 0;
	check_host(claim, &now->host, list);
	for (size_t i = 0; i < claim->device_count; i++)
		check_device(claim, now, i, list);
	comparable = check_module(claim, now, list);
	if (comparable && claim->has_generation &&
	    (!now->has_generation || claim->generation != now->generation))
		add(list, PP_STALE_WINDOWS_CHANGED, "windows were opened or closed since the "
		    "verdict");
	for (size_t i = 0; comparable && i < claim->device_count; i++)
		check_faults_of(claim, now, &claim->devices[i], list);
	check_covered(claim, asked, asked_count, list);
	if (!pp_claim_ok(claim))
		add(list, PP_STALE_NOT_PROVED, "the verdict is %s%s%s", claim->verdict,
		    claim->text[0] ? ": " : "", claim->text);
}
