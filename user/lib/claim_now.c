// SPDX-License-Identifier: GPL-2.0-only
/* The present, as far as a verdict is compared with it. */
#include <stdio.h>
#include <string.h>

#include "claim_now.h"

/* Faults that were logged before the question are to be in the answer. */
#define SYNC_TIMEOUT_MS 500

static int ask(struct pp_inventory *inv, struct pp_nl *nl, struct pp_error *err)
{
	struct pp_sync sync;

	/* A module that does nothing refuses SYNC; the inventory then says so. */
	if (nl && pp_sync(nl, SYNC_TIMEOUT_MS, &sync, err) && strcmp(err->code, "refused"))
		return -1;
	return pp_inventory_load(inv, nl, err);
}

/**
 * pp_claim_now - look at the host
 * @inv: filled in; to be freed, also after -1
 * @now: points to @inv
 *
 * Needs neither CUDA nor root. That there is no module, or none that can be asked,
 * is part of the answer.
 *
 * Return: 0, or -1 with @err filled in.
 */
int pp_claim_now(const struct pp_claim *claim, struct pp_inventory *inv, struct pp_now *now,
		 struct pp_error *err)
{
	struct pp_error why = { 0 };
	struct pp_nl *nl = pp_nl_open(&why);
	int ret;

	memset(inv, 0, sizeof(*inv));
	memset(now, 0, sizeof(*now));
	now->inv = inv;
	pp_host_facts_read("", &now->host);
	if (!nl)
		snprintf(now->no_module, sizeof(now->no_module), "%.190s", why.message);
	ret = ask(inv, nl, err);
	pp_nl_close(nl);
	now->has_generation = inv->info.window_generation;
	now->generation = inv->info.window_generation;
	for (size_t i = 0; i < claim->device_count; i++)
		now->states[i] = pp_device_state(claim->devices[i].bdf);
	return ret;
}
