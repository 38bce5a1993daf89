// SPDX-License-Identifier: GPL-2.0-only
/*
 * Where fault counts come from, and how good they are.
 *
 * The hardware's own records are read at the moment the IOMMU driver handles
 * them: by probes at its functions, by a timer that follows the log while only
 * the interrupt thread's entry can be probed, by a slow timer and on request. All
 * of them share one cursor under the unit's lock, so that an entry is counted
 * once, whoever sees it first.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/ktime.h>
#include <linux/workqueue.h>

#include "amd_log.h"
#include "compat.h"
#include "fault_source.h"
#include "fault_table.h"
#include "fault_trace.h"
#include "vtd_records.h"

#define FOLLOW_NS	(100 * NSEC_PER_USEC)
#define FOLLOW_SOON_NS	(20 * NSEC_PER_USEC)
/* Ticks that find the log empty before the follower stops. */
#define FOLLOW_IDLE	8
#define SLOW_LOOK	HZ
/*
 * The driver looks every entry's device up among all PCI devices; it needs at
 * least this long for an entry even when it prints nothing.
 */
#define DRAIN_NS	1000

static enum peerpass_fault_source source;
/* Every entry is seen by a probe before it is drained. */
static bool each_entry_probed;
/* A round of draining begins with a probe. */
static bool each_round_probed;
static u64 since_boottime, since_realtime;

/* Context of what follows: @unit->lock held. */

/*
 * While the driver drains, and rounds cannot be seen: has there been time for a
 * lap of the ring that nobody saw? The pointers alone cannot tell.
 */
static void check_gap(struct pp_unit *unit)
{
	u64 gap = ktime_get_mono_fast_ns() - unit->last_look;

	if (!each_round_probed && unit->following &&
	    gap > (u64)unit->size / PP_AMD_ENTRY_SIZE * DRAIN_NS)
		unit->inexact |= PEERPASS_INEXACT_ENTRY_PROBES_ONLY;
}

/*
 * A probe may be in place and still be passed by, where the compiler inlined the
 * function into one of its callers: the thread drains, and no round is seen.
 */
static void check_rounds(struct pp_unit *unit, u64 head_before)
{
	if (each_round_probed && unit->round_due && unit->head != head_before)
		unit->inexact |= PEERPASS_INEXACT_DEAD_PROBE;
}

/* Every look at an event log is this one. Return: true when entries are left. */
static bool amd_look(struct pp_unit *unit)
{
	u64 head = unit->head;
	bool left;

	if (!unit->counting)
		return false;
	check_gap(unit);
	left = pp_amd_log_poll(unit);
	check_rounds(unit, head);
	return left;
}

static void start_following(struct pp_unit *unit)
{
	if (each_entry_probed || unit->following || !unit->counting)
		return;
	unit->following = true;
	unit->idle_ticks = 0;
	hrtimer_start(&unit->follower, FOLLOW_NS, HRTIMER_MODE_REL_HARD);
}

/* The interrupt thread begins. */
static void amd_entry(struct pp_unit *unit)
{
	amd_look(unit);
	unit->round_due = true;
	if (!each_round_probed || !pp_amd_log_empty(unit))
		start_following(unit);
}

/* A round of draining begins, or one entry is being handled. */
static void amd_round(struct pp_unit *unit)
{
	unit->round_due = false;
	amd_look(unit);
	if (!pp_amd_log_empty(unit))
		start_following(unit);
}

static void amd_restart(struct pp_unit *unit)
{
	if (!unit->counting)
		return;
	amd_look(unit);
	unit->overflows++;
	unit->inexact |= PEERPASS_INEXACT_OVERFLOW;
}

/* In the order of what they are worth. */
static struct pp_probe amd_probes[] = {
	{ .symbol = "iommu_print_event", .seen = amd_round },
	{ .symbol = "iommu_poll_events", .seen = amd_round },
	{ .symbol = "amd_iommu_restart_event_logging", .seen = amd_restart },
	{ .symbol = "amd_iommu_int_thread_evtlog", .arg = 1, .seen = amd_entry },
	{ .symbol = "amd_iommu_int_thread", .arg = 1, .seen = amd_entry },
};

enum { PRINT_EVENT, POLL_EVENTS, RESTART, INT_THREAD_EVTLOG, INT_THREAD };

static struct pp_probe vtd_probes[] = {
	{ .symbol = "dmar_fault", .arg = 1, .seen = pp_vtd_records_read },
};

static enum hrtimer_restart follow(struct hrtimer *timer)
{
	struct pp_unit *unit = container_of(timer, struct pp_unit, follower);
	unsigned long flags;
	bool left, more;

	raw_spin_lock_irqsave(&unit->lock, flags);
	left = amd_look(unit);
	if (left || !pp_amd_log_empty(unit))
		unit->idle_ticks = 0;
	else
		unit->idle_ticks++;
	more = unit->idle_ticks < FOLLOW_IDLE;
	unit->following = more;
	if (more)
		hrtimer_forward_now(timer, left ? FOLLOW_SOON_NS : FOLLOW_NS);
	raw_spin_unlock_irqrestore(&unit->lock, flags);
	return more ? HRTIMER_RESTART : HRTIMER_NORESTART;
}

/*
 * A look that no probe asked for. What the driver drained while probes are dead
 * may have been more than a lap.
 */
static bool unasked_look(struct pp_unit *unit, bool alive)
{
	unsigned long flags;
	bool left, moved;

	if (!unit->regs)
		return false;
	raw_spin_lock_irqsave(&unit->lock, flags);
	if (unit->kind == PEERPASS_IOMMU_KIND_AMD_VI) {
		u64 before = unit->total;
		u64 head = unit->head;

		left = amd_look(unit);
		moved = unit->total != before || unit->head != head;
	} else {
		left = pp_vtd_records_pending(unit);
		moved = left;
	}
	if (!alive && moved)
		unit->inexact |= PEERPASS_INEXACT_DEAD_PROBE;
	raw_spin_unlock_irqrestore(&unit->lock, flags);
	return left;
}

static bool hardware_source(void)
{
	return source == PEERPASS_FAULT_SOURCE_AMD_EVENT_LOG ||
	       source == PEERPASS_FAULT_SOURCE_VTD_FAULT_RECORDS;
}

/**
 * pp_fault_look - look at all records now
 *
 * Context: process, does not sleep.
 *
 * Return: true when all that the hardware has recorded is counted.
 */
bool pp_fault_look(void)
{
	bool alive = pp_probes_alive(), left = false;
	unsigned int i;

	if (!hardware_source())
		return false;
	for (i = 0; i < pp_nr_units; i++)
		left |= unasked_look(pp_units[i], alive);
	return !left;
}

static void slow_look(struct work_struct *work);
static DECLARE_DELAYED_WORK(slow_work, slow_look);

static void slow_look(struct work_struct *work)
{
	pp_fault_look();
	schedule_delayed_work(&slow_work, SLOW_LOOK);
}

enum peerpass_fault_source pp_fault_source(void)
{
	return source;
}

/* pp_fault_probe - the @index-th probe that is in place, or NULL */
struct pp_probe *pp_fault_probe(unsigned int index)
{
	struct pp_probe *all[ARRAY_SIZE(amd_probes) + ARRAY_SIZE(vtd_probes)];
	unsigned int i, nr = 0;

	for (i = 0; i < ARRAY_SIZE(amd_probes); i++)
		if (pp_probe_active(&amd_probes[i]))
			all[nr++] = &amd_probes[i];
	for (i = 0; i < ARRAY_SIZE(vtd_probes); i++)
		if (pp_probe_active(&vtd_probes[i]))
			all[nr++] = &vtd_probes[i];
	return index < nr ? all[index] : NULL;
}

unsigned int pp_fault_nr_probes(void)
{
	unsigned int nr = 0;

	while (pp_fault_probe(nr))
		nr++;
	return nr;
}

/* What holds for every unit. */
static u32 common_inexact(void)
{
	struct pp_probe *probe;
	unsigned int i;
	u32 inexact = 0;

	if (source == PEERPASS_FAULT_SOURCE_TRACEPOINT)
		inexact |= PEERPASS_INEXACT_TRACEPOINT_ONLY;
	else if (hardware_source() && !pp_probes_alive())
		inexact |= PEERPASS_INEXACT_DEAD_PROBE;
	if (pp_fault_table_full())
		inexact |= PEERPASS_INEXACT_TABLE_FULL;
	for (i = 0; (probe = pp_fault_probe(i)); i++)
		if (probe->kp.nmissed)
			inexact |= PEERPASS_INEXACT_MISSED_PROBE;
	return inexact;
}

/* pp_unit_report - consistent counters of one unit */
void pp_unit_report(struct pp_unit *unit, struct pp_unit_report *report)
{
	unsigned long flags;

	raw_spin_lock_irqsave(&unit->lock, flags);
	report->name = unit->name;
	report->entries = unit->kind == PEERPASS_IOMMU_KIND_AMD_VI ?
			  unit->size / PP_AMD_ENTRY_SIZE : unit->nr_records;
	report->total = unit->total;
	report->overflows = unit->overflows;
	report->unseen = unit->unseen;
	report->inexact = unit->inexact;
	raw_spin_unlock_irqrestore(&unit->lock, flags);
	report->inexact |= common_inexact();
}

/* pp_fault_inexact - why the counts are lower bounds, 0 when they are exact */
u32 pp_fault_inexact(void)
{
	u32 inexact = common_inexact();
	unsigned int i;

	for (i = 0; i < pp_nr_units; i++)
		inexact |= READ_ONCE(pp_units[i]->inexact);
	return inexact;
}

/* pp_fault_total - faults seen since counting began, whatever the initiator */
u64 pp_fault_total(void)
{
	u64 total = pp_fault_trace_total();
	unsigned int i;

	for (i = 0; i < pp_nr_units; i++) {
		unsigned long flags;

		raw_spin_lock_irqsave(&pp_units[i]->lock, flags);
		total += pp_units[i]->total;
		raw_spin_unlock_irqrestore(&pp_units[i]->lock, flags);
	}
	return total;
}

/* pp_fault_since - when counting began */
void pp_fault_since(u64 *boottime_ns, u64 *realtime_ns)
{
	*boottime_ns = since_boottime;
	*realtime_ns = since_realtime;
}

/* Counts what is there before the driver resets the log's pointers. */
static int syscore_suspend_hook(PP_SYSCORE_ARG)
{
	unsigned int i;

	for (i = 0; i < pp_nr_units; i++)
		unasked_look(pp_units[i], true);
	return 0;
}

/* After the IOMMU driver's own hook, which was registered before. */
static void syscore_resume_hook(PP_SYSCORE_ARG)
{
	unsigned int i;

	for (i = 0; i < pp_nr_units; i++) {
		struct pp_unit *unit = pp_units[i];
		unsigned long flags;

		if (!unit->regs || unit->kind != PEERPASS_IOMMU_KIND_AMD_VI)
			continue;
		raw_spin_lock_irqsave(&unit->lock, flags);
		/* The driver has set both pointers to 0; events may be there. */
		pp_amd_log_resync(unit, false);
		raw_spin_unlock_irqrestore(&unit->lock, flags);
	}
}

static struct syscore_ops syscore_hooks = {
	.suspend = syscore_suspend_hook,
	.resume = syscore_resume_hook,
};

static struct syscore syscore = {
	.ops = &syscore_hooks,
};

static void start_amd(void)
{
	unsigned int i;

	for (i = 0; i < pp_nr_units; i++)
		hrtimer_setup(&pp_units[i]->follower, follow, CLOCK_MONOTONIC,
			      HRTIMER_MODE_REL_HARD);
	for (i = 0; i < ARRAY_SIZE(amd_probes); i++)
		if (pp_probe_register(&amd_probes[i]))
			source = PEERPASS_FAULT_SOURCE_AMD_EVENT_LOG;
	each_entry_probed = pp_probe_active(&amd_probes[PRINT_EVENT]);
	each_round_probed = each_entry_probed ||
			    pp_probe_active(&amd_probes[POLL_EVENTS]);
	for (i = 0; i < pp_nr_units; i++) {
		struct pp_unit *unit = pp_units[i];
		unsigned long flags;

		if (!unit->regs)
			continue;
		raw_spin_lock_irqsave(&unit->lock, flags);
		unit->restart_seen = pp_probe_active(&amd_probes[RESTART]);
		/* Nothing would tell when the driver begins to drain. */
		if (!each_round_probed &&
		    !pp_probe_active(&amd_probes[INT_THREAD_EVTLOG]) &&
		    !pp_probe_active(&amd_probes[INT_THREAD]))
			unit->inexact |= PEERPASS_INEXACT_ENTRY_PROBES_ONLY;
		pp_amd_log_resync(unit, true);
		unit->counting = true;
		raw_spin_unlock_irqrestore(&unit->lock, flags);
	}
}

static void start_vtd(void)
{
	if (pp_probe_register(&vtd_probes[0]))
		source = PEERPASS_FAULT_SOURCE_VTD_FAULT_RECORDS;
}

static bool any_records(void)
{
	unsigned int i;

	for (i = 0; i < pp_nr_units; i++)
		if (pp_units[i]->regs)
			return true;
	return false;
}

/**
 * pp_fault_source_start - begin to count, from the best source there is
 *
 * After pp_units_init(). Return: 0 or a negative error; then nothing runs.
 */
int pp_fault_source_start(void)
{
	int ret;

	since_boottime = ktime_get_boottime_ns();
	since_realtime = ktime_get_real_ns();
	source = PEERPASS_FAULT_SOURCE_NONE;
	if (any_records() && !pp_probe_canary_init()) {
		if (pp_units_kind() == PEERPASS_IOMMU_KIND_AMD_VI)
			start_amd();
		else
			start_vtd();
	}
	if (source == PEERPASS_FAULT_SOURCE_NONE) {
		ret = pp_fault_trace_start();
		if (ret) {
			pp_probe_canary_exit();
			return ret;
		}
		source = PEERPASS_FAULT_SOURCE_TRACEPOINT;
		return 0;
	}
	register_syscore(&syscore);
	schedule_delayed_work(&slow_work, SLOW_LOOK);
	return 0;
}

/* pp_fault_source_stop - nothing counts any more on return */
void pp_fault_source_stop(void)
{
	unsigned int i;

	if (source == PEERPASS_FAULT_SOURCE_TRACEPOINT) {
		pp_fault_trace_stop();
	} else {
		cancel_delayed_work_sync(&slow_work);
		unregister_syscore(&syscore);
	}
	for (i = 0; i < ARRAY_SIZE(amd_probes); i++)
		pp_probe_unregister(&amd_probes[i]);
	for (i = 0; i < ARRAY_SIZE(vtd_probes); i++)
		pp_probe_unregister(&vtd_probes[i]);
	/* Armed by probes only, and re-armed by itself. */
	if (source == PEERPASS_FAULT_SOURCE_AMD_EVENT_LOG)
		for (i = 0; i < pp_nr_units; i++)
			hrtimer_cancel(&pp_units[i]->follower);
	pp_probe_canary_exit();
	source = PEERPASS_FAULT_SOURCE_NONE;
}
