// SPDX-License-Identifier: GPL-2.0-only
/* A kernel's window to the memory of peers: see window.h. */
#include <string.h>

#include "launch.h"
#include "p2p.h"
#include "switches.h"

/* Whole words, whatever the chunk of the copy engine is. */
static size_t chunk(void)
{
	return switches.chunk < 8 ? 8 : switches.chunk / 8 * 8;
}

static struct crossing crossing(struct launch *launch, struct device *peer, uint64_t offset,
				size_t len, bool flag)
{
	return (struct crossing){ .by = launch->context->device, .peer = peer, .launch = launch,
				  .flag = flag, .offset = offset, .len = len };
}

/* A kernel notices that its context ends when it reaches out. */
static void check(struct launch *launch, CUresult r)
{
	if (!r && context_ends(launch->context))
		r = CUDA_ERROR_LAUNCH_FAILED;
	if (r)
		launch_fail(launch, r);
}

static bool overlaps(const struct line *line, const struct device *peer, uint64_t offset,
		     size_t len)
{
	return line->len && line->peer == peer && offset < line->offset + line->len &&
	       line->offset < offset + len;
}

static void drop_loaded(struct window *w, const struct device *peer, uint64_t offset, size_t len)
{
	for (int i = 0; i < WINDOW_LINES; i++)
		if (overlaps(&w->loads[i], peer, offset, len))
			w->loads[i].len = 0;
}

void window_flush(struct launch *launch)
{
	struct line *s = &launch->window.store;
	struct crossing c = crossing(launch, s->peer, s->offset, s->len, false);

	if (!s->len)
		return;
	s->len = 0;
	check(launch, p2p_write(&c, s->data));
}

void window_forget(struct launch *launch)
{
	for (int i = 0; i < WINDOW_LINES; i++)
		launch->window.loads[i].len = 0;
}

void window_store(struct launch *launch, const struct place *place, uint64_t at, const void *from,
		  size_t len)
{
	uint64_t offset = place->offset + (at - place->start);
	struct line *s = &launch->window.store;

	if (s->len && (s->peer != place->device || s->offset + s->len != offset ||
		       s->len + len > chunk()))
		window_flush(launch);
	if (!s->len) {
		s->peer = place->device;
		s->offset = offset;
	}
	memcpy(s->data + s->len, from, len);
	s->len += len;
	drop_loaded(&launch->window, place->device, offset, len);
	if (s->len == chunk())
		window_flush(launch);
}

/* The line that has them, read now if there was none. */
static struct line *line_with(struct launch *launch, const struct place *place, uint64_t offset,
			      size_t len)
{
	struct window *w = &launch->window;
	struct crossing c;
	struct line *l;

	for (int i = 0; i < WINDOW_LINES; i++) {
		l = &w->loads[i];
		if (l->len && l->peer == place->device && offset >= l->offset &&
		    offset + len <= l->offset + l->len)
			return l;
	}
	l = &w->loads[w->next_load++ % WINDOW_LINES];
	l->peer = place->device;
	l->offset = offset;
	l->len = 0;
	c = crossing(launch, l->peer, offset, place->offset + place->len - offset, false);
	if (c.len > chunk())
		c.len = chunk();
	if (overlaps(&w->store, l->peer, offset, c.len))
		window_flush(launch);
	/* What does not arrive reads as all ones, as on a PCI bus. */
	memset(l->data, 0xff, c.len);
	check(launch, p2p_read(&c, l->data));
	l->len = c.len;
	return l;
}

void window_load(struct launch *launch, const struct place *place, uint64_t at, void *to,
		 size_t len)
{
	uint64_t offset = place->offset + (at - place->start);
	const struct line *l = line_with(launch, place, offset, len);

	memcpy(to, l->data + (offset - l->offset), len);
}

void window_poke(struct launch *launch, const struct place *place, uint64_t at, uint32_t value)
{
	struct crossing c = crossing(launch, place->device, place->offset + (at - place->start),
				     sizeof(value), true);

	window_flush(launch);
	drop_loaded(&launch->window, c.peer, c.offset, c.len);
	check(launch, p2p_write(&c, &value));
}

uint32_t window_peek(struct launch *launch, const struct place *place, uint64_t at)
{
	struct crossing c = crossing(launch, place->device, place->offset + (at - place->start),
				     sizeof(uint32_t), true);
	uint32_t value = ~0U;

	if (overlaps(&launch->window.store, c.peer, c.offset, c.len))
		window_flush(launch);
	check(launch, p2p_read(&c, &value));
	return value;
}
