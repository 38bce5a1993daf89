/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef PEERPASS_PROBE_H
#define PEERPASS_PROBE_H

#include <linux/atomic.h>
#include <linux/kprobes.h>

struct pp_unit;

/**
 * struct pp_probe - a kernel function of the IOMMU driver that is observed
 * @symbol: its name
 * @arg: which argument, from 0, is the driver's object for the IOMMU
 * @seen: called at its entry with the unit, @unit->lock held
 * @per_event: called for each entry or each round of draining, so that no entry
 *	can be drained unseen in between
 * @kp: registered when @kp.addr is not NULL
 * @hits: calls so far
 */
struct pp_probe {
	const char *symbol;
	unsigned int arg;
	void (*seen)(struct pp_unit *unit);
	bool per_event;
	struct kprobe kp;
	atomic64_t hits;
};

bool pp_probe_register(struct pp_probe *probe);
void pp_probe_unregister(struct pp_probe *probe);
static inline bool pp_probe_active(const struct pp_probe *probe)
{
	return probe->kp.addr;
}

int pp_probe_canary_init(void);
void pp_probe_canary_exit(void);
bool pp_probes_alive(void);

#endif /* PEERPASS_PROBE_H */
