/* SPDX-License-Identifier: GPL-2.0-only */
/* Does a verdict still hold? A pure function of the verdict and of what is now. */
#ifndef PEERPASS_CLAIM_HOLDS_H
#define PEERPASS_CLAIM_HOLDS_H

#include "claim.h"
#include "device_facts.h"
#include "host_facts.h"
#include "inventory.h"

enum pp_stale {
	PP_STALE_OTHER_BOOT,
	PP_STALE_OTHER_KERNEL,
	PP_STALE_OTHER_DRIVER,
	/* NVreg_DmaRemapPeerMmio. */
	PP_STALE_OTHER_DRIVER_OPTION,
	/* Or it reads all ones. */
	PP_STALE_DEVICE_GONE,
	/* The type of its domain. */
	PP_STALE_OTHER_DOMAIN,
	/* Its mode in force, or its set of peers. */
	PP_STALE_OTHER_MODE,
	/* It was there, and now it is not, or cannot be asked. */
	PP_STALE_MODULE_GONE,
	PP_STALE_MODULE_RELOADED,
	PP_STALE_MODULE_OTHER_VERSION,
	PP_STALE_WINDOWS_CHANGED,
	PP_STALE_FAULTS_SINCE,
	/* A device that was asked about is not in the verdict. */
	PP_STALE_NOT_COVERED,
	/* It holds, but is not "ok". Always last, and at most once. */
	PP_STALE_NOT_PROVED,
	PP_STALES,
};

/**
 * struct pp_stale_reason - one reason why it does not hold
 * @has_device: it is about @device
 * @has_target: @device, as initiator, with @target
 * @faults: how many, for faults_since
 * @text: in words
 */
struct pp_stale_reason {
	enum pp_stale reason;
	bool has_device;
	struct pp_bdf device;
	bool has_target;
	struct pp_bdf target;
	uint64_t faults;
	char text[384];
};

#define PP_STALE_REASONS 64

/**
 * struct pp_stale_list - all reasons
 * @more: further ones that are not kept
 */
struct pp_stale_list {
	struct pp_stale_reason v[PP_STALE_REASONS];
	size_t n;
	size_t more;
};

/**
 * struct pp_now - the present
 * @inv: with @inv->module false when there is no module; not owned
 * @no_module: why it cannot be asked then
 * @states: of the claim's devices, in its order
 * @has_generation: @generation, of the module's windows, is known
 */
struct pp_now {
	struct pp_host_facts host;
	const struct pp_inventory *inv;
	char no_module[192];
	enum pp_device_state states[PP_CLAIM_DEVICES];
	bool has_generation;
	uint64_t generation;
};

void pp_claim_holds(const struct pp_claim *claim, const struct pp_now *now,
		    const struct pp_bdf *asked, size_t asked_count, struct pp_stale_list *list);
bool pp_claim_stale(const struct pp_stale_list *list);
const char *pp_stale_name(enum pp_stale reason);

#endif /* PEERPASS_CLAIM_HOLDS_H */
