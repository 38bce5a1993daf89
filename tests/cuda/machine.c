// SPDX-License-Identifier: GPL-2.0-only
/* The machine of user/ptx/kernels.c as a CPU: see machine.h. */
#include "launch.h"
#include "machine.h"
#include "state.h"

/*
 * A kernel that waits sleeps so long between two looks. In a virtual machine whose
 * clock counts instructions, and with fewer CPUs than kernels, spinning would be slow.
 */
#define SPIN_NS 20000

/* Looks an address up that the kernel has not reached before. */
static const struct place *find(struct launch *l, uint64_t at)
{
	struct place *place = &l->places[l->next_place], found;
	bool reachable;

	pthread_mutex_lock(&state_lock);
	reachable = memory_find(at, &found) &&
		    (!found.device || found.device == l->context->device ||
		     l->context->peers >> device_number(found.device) & 1);
	pthread_mutex_unlock(&state_lock);
	if (!reachable)
		launch_fail(l, CUDA_ERROR_ILLEGAL_ADDRESS);
	*place = found;
	l->next_place = (l->next_place + 1) % LAUNCH_PLACES;
	if (l->place_count < LAUNCH_PLACES)
		l->place_count++;
	return place;
}

static bool holds(const struct place *place, uint64_t at)
{
	return at - place->start < place->len;
}

/* The allocation that all of [at, at + len) is in; there is none, then the kernel ends. */
static const struct place *reach(struct launch *l, uint64_t at, size_t len)
{
	const struct place *place = l->last;

	l->timed = false;
	if (at % len)
		launch_fail(l, CUDA_ERROR_MISALIGNED_ADDRESS);
	if (!place || !holds(place, at)) {
		place = NULL;
		for (unsigned int i = 0; !place && i < l->place_count; i++)
			if (holds(&l->places[i], at))
				place = &l->places[i];
		if (!place)
			place = find(l, at);
		l->last = place;
	}
	if (len > place->len - (at - place->start))
		launch_fail(l, CUDA_ERROR_ILLEGAL_ADDRESS);
	return place;
}

static bool is_peer(const struct launch *l, const struct place *place)
{
	return place->device && place->device != l->context->device;
}

static void *direct(const struct place *place, uint64_t at)
{
	return place->view + (at - place->start);
}

pp_u64 pp_load64(pp_u64 at)
{
	const struct place *place = reach(launch_now, at, sizeof(pp_u64));
	pp_u64 v;

	if (!is_peer(launch_now, place))
		return __atomic_load_n((pp_u64 *)direct(place, at), __ATOMIC_ACQUIRE);
	window_load(launch_now, place, at, &v, sizeof(v));
	return v;
}

pp_u32 pp_load32(pp_u64 at)
{
	const struct place *place = reach(launch_now, at, sizeof(pp_u32));
	pp_u32 v;

	if (!is_peer(launch_now, place))
		return __atomic_load_n((pp_u32 *)direct(place, at), __ATOMIC_ACQUIRE);
	window_load(launch_now, place, at, &v, sizeof(v));
	return v;
}

void pp_store64(pp_u64 at, pp_u64 v)
{
	const struct place *place = reach(launch_now, at, sizeof(v));

	if (is_peer(launch_now, place))
		window_store(launch_now, place, at, &v, sizeof(v));
	else
		__atomic_store_n((pp_u64 *)direct(place, at), v, __ATOMIC_RELEASE);
}

void pp_store32(pp_u64 at, pp_u32 v)
{
	const struct place *place = reach(launch_now, at, sizeof(v));

	if (is_peer(launch_now, place))
		window_store(launch_now, place, at, &v, sizeof(v));
	else
		__atomic_store_n((pp_u32 *)direct(place, at), v, __ATOMIC_RELEASE);
}

void pp_move16(pp_u64 to, pp_u64 from)
{
	if ((to | from) % 16)
		launch_fail(launch_now, CUDA_ERROR_MISALIGNED_ADDRESS);
	pp_store64(to, pp_load64(from));
	pp_store64(to + 8, pp_load64(from + 8));
}

/* Data, not a flag: read ahead as loads are, until the next fence. */
pp_u64 pp_peek64(pp_u64 at)
{
	return pp_load64(at);
}

/* The second look at the same flag, and any later one, is after a while. */
pp_u32 pp_peek32(pp_u64 at)
{
	const struct place *place = reach(launch_now, at, sizeof(pp_u32));
	struct launch *l = launch_now;

	if (l->spun_at == at)
		sleep_ns(SPIN_NS);
	l->spun_at = at;
	if (context_ends(l->context))
		launch_fail(l, CUDA_ERROR_LAUNCH_FAILED);
	if (is_peer(l, place))
		return window_peek(l, place, at);
	return __atomic_load_n((pp_u32 *)direct(place, at), __ATOMIC_ACQUIRE);
}

/* Also a flag in other memory comes after what was stored to a peer. */
void pp_poke32(pp_u64 at, pp_u32 v)
{
	const struct place *place = reach(launch_now, at, sizeof(v));

	if (is_peer(launch_now, place)) {
		window_poke(launch_now, place, at, v);
		return;
	}
	window_flush(launch_now);
	__atomic_store_n((pp_u32 *)direct(place, at), v, __ATOMIC_SEQ_CST);
}

void pp_fence(void)
{
	static uint64_t fences;

	window_flush(launch_now);
	window_forget(launch_now);
	launch_now->spun_at = 0;
	/* A fence that the thread sanitizer understands too. */
	__atomic_fetch_add(&fences, 1, __ATOMIC_SEQ_CST);
}

/* Not for a peer's memory: PCIe has atomics, but not everywhere. */
static pp_u64 *own(pp_u64 at)
{
	const struct place *place = reach(launch_now, at, sizeof(pp_u64));

	if (is_peer(launch_now, place))
		launch_fail(launch_now, CUDA_ERROR_ILLEGAL_ADDRESS);
	return direct(place, at);
}

void pp_add64(pp_u64 at, pp_u64 v)
{
	__atomic_fetch_add(own(at), v, __ATOMIC_SEQ_CST);
}

void pp_min64(pp_u64 at, pp_u64 v)
{
	pp_u64 *p = own(at), before = __atomic_load_n(p, __ATOMIC_SEQ_CST);

	while (v < before &&
	       !__atomic_compare_exchange_n(p, &before, v, false, __ATOMIC_SEQ_CST,
					    __ATOMIC_SEQ_CST))
		;
}

void pp_or64(pp_u64 at, pp_u64 v)
{
	__atomic_fetch_or(own(at), v, __ATOMIC_SEQ_CST);
}

/* A block has one thread; but whoever waits here may see what others wrote. */
void pp_barrier(void)
{
	window_forget(launch_now);
}

pp_u64 pp_thread(void)
{
	return 0;
}

pp_u64 pp_threads(void)
{
	return 1;
}

pp_u64 pp_block(void)
{
	return launch_now->block;
}

pp_u64 pp_blocks(void)
{
	return launch_now->blocks;
}

/* Who looks at the clock again and again waits for it. */
pp_u64 pp_clock_ns(void)
{
	struct launch *l = launch_now;

	if (context_ends(l->context))
		launch_fail(l, CUDA_ERROR_LAUNCH_FAILED);
	if (l->timed)
		sleep_ns(SPIN_NS);
	l->timed = true;
	return now_ns();
}
