// SPDX-License-Identifier: GPL-2.0-only
/*
 * Kprobes at the entry of the IOMMU drivers' own functions, and the proof that
 * kprobes fire at all.
 *
 * kernel.ftrace_enabled=0 and /sys/kernel/debug/kprobes/enabled stop probes
 * without a word. A function of our own, probed the same way, tells.
 */
#include <linux/kprobes.h>
#include <linux/ptrace.h>

#include "probe.h"
#include "unit.h"

static atomic64_t canary_hits;

/* The attribute keeps the call, and with it the probed entry. */
static noinline void peerpass_probe_canary(void)
{
	barrier();
}

static int canary_fired(struct kprobe *kp, struct pt_regs *regs)
{
	atomic64_inc(&canary_hits);
	return 0;
}

static struct kprobe canary = {
	.pre_handler = canary_fired,
};

/* pp_probes_alive - do kprobes fire at this moment? Context: any process. */
bool pp_probes_alive(void)
{
	u64 before = atomic64_read(&canary_hits);

	if (!canary.addr)
		return false;
	peerpass_probe_canary();
	return (u64)atomic64_read(&canary_hits) != before;
}

int pp_probe_canary_init(void)
{
	int ret;

	canary.addr = (kprobe_opcode_t *)peerpass_probe_canary;
	ret = register_kprobe(&canary);
	if (ret)
		canary.addr = NULL;
	return ret;
}

void pp_probe_canary_exit(void)
{
	if (canary.addr)
		unregister_kprobe(&canary);
	canary.addr = NULL;
}

/*
 * Interrupts may be on here (the AMD driver drains its log in a thread). Neither
 * allocates nor prints nor sleeps.
 */
static int probe_hit(struct kprobe *kp, struct pt_regs *regs)
{
	struct pp_probe *probe = container_of(kp, struct pp_probe, kp);
	unsigned long object = regs_get_kernel_argument(regs, probe->arg);
	struct pp_unit *unit = pp_unit_of(object);
	unsigned long flags;

	atomic64_inc(&probe->hits);
	if (!unit || !unit->regs)
		return 0;
	raw_spin_lock_irqsave(&unit->lock, flags);
	probe->seen(unit);
	raw_spin_unlock_irqrestore(&unit->lock, flags);
	return 0;
}

/**
 * pp_probe_register - observe a function, if this kernel has it
 * @probe: its symbol, argument and handler are set
 *
 * Return: false when it does not, or was inlined.
 */
bool pp_probe_register(struct pp_probe *probe)
{
	memset(&probe->kp, 0, sizeof(probe->kp));
	atomic64_set(&probe->hits, 0);
	probe->kp.symbol_name = probe->symbol;
	probe->kp.pre_handler = probe_hit;
	if (!register_kprobe(&probe->kp))
		return true;
	probe->kp.addr = NULL;
	return false;
}

/* pp_probe_unregister - no handler runs any more on return */
void pp_probe_unregister(struct pp_probe *probe)
{
	if (!pp_probe_active(probe))
		return;
	unregister_kprobe(&probe->kp);
	probe->kp.addr = NULL;
}
