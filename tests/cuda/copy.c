// SPDX-License-Identifier: GPL-2.0-only
/* Copies. */
#include <stdlib.h>
#include <string.h>

#include "bytes.h"
#include "copy.h"
#include "memory.h"
#include "p2p.h"
#include "state.h"
#include "switches.h"

/* What last came to the host, to recognise it when it goes to another device. */
static struct {
	const struct device *from;
	size_t len;
	uint64_t hash;
} staged;

static uint64_t hash(const void *data, size_t len)
{
	const unsigned char *p = data;
	uint64_t h = 0xcbf29ce484222325ULL;	/* FNV-1a */

	while (len--)
		h = (h ^ *p++) * 0x100000001b3ULL;
	return h;
}

/* Makes the 8-byte word in the middle wrong. */
static void spoil(uint8_t *data, size_t len)
{
	size_t at = len / 2 / 8 * 8;

	for (size_t i = at; i < at + 8 && i < len; i++)
		data[i] ^= 0xff;
}

struct copy {
	struct work work;
	CUdeviceptr to, from;
	size_t len;
};

/* An end of a copy. */
struct end {
	struct device *device;
	uint64_t offset;
};

static uint8_t *view(const struct end *end)
{
	return end->device->memory + end->offset;
}

/*
 * Between two devices: by the engine of the stream's device, which reaches its
 * own memory locally and the other's over the bus.
 */
static CUresult between(struct device *engine, const struct end *to, const struct end *from,
			size_t len)
{
	bool write = from->device == engine;
	const struct end *other = write ? to : from;
	const struct crossing c = { .by = engine, .peer = other->device, .offset = other->offset,
				    .len = len };

	return write ? p2p_write(&c, view(from)) : p2p_read(&c, view(to));
}

static CUresult run(struct work *work, CUcontext context)
{
	const struct copy *c = (const struct copy *)work;
	struct device *engine = context->device, *other;
	struct end to, from;
	bool p2p;

	pthread_mutex_lock(&state_lock);
	to.device = memory_owner(c->to, c->len, &to.offset);
	from.device = memory_owner(c->from, c->len, &from.offset);
	other = to.device == engine ? from.device : to.device;
	p2p = to.device && from.device && to.device != from.device &&
	      (to.device == engine || from.device == engine) &&
	      context->peers >> device_number(other) & 1;
	pthread_mutex_unlock(&state_lock);
	/* Freed in the meantime. */
	if (!to.device || !from.device)
		return CUDA_ERROR_INVALID_VALUE;
	if (p2p)
		return between(engine, &to, &from, c->len);
	/* Without peer access the real driver copies through the host and says nothing. */
	if (to.device == from.device)
		memmove(view(&to), view(&from), c->len);
	else
		bytes_copy(view(&to), view(&from), c->len);
	return CUDA_SUCCESS;
}

static void free_copy(struct work *work)
{
	free(work);
}

CUresult copy_add(CUstream stream, CUdeviceptr to, CUdeviceptr from, size_t len)
{
	struct device *by = stream->context->device, *target, *source;
	uint64_t offset;
	struct copy *c;
	CUresult r = CUDA_SUCCESS;

	if (!len)
		return CUDA_SUCCESS;
	target = memory_owner(to, len, &offset);
	source = memory_owner(from, len, &offset);
	if (!target || !source)
		return CUDA_ERROR_INVALID_VALUE;
	if (target != source)
		r = p2p_refuses_copy(by, target == by ? source : target);
	if (r)
		return r;
	c = malloc(sizeof(*c));
	if (!c)
		return CUDA_ERROR_OUT_OF_MEMORY;
	*c = (struct copy){ .work = { .run = run, .free = free_copy },
			    .to = to, .from = from, .len = len };
	return stream_add(stream, &c->work);
}

/*
 * The owner's own view of [address, address + len), for the calls that wait
 * for the default stream. Stricter than the real driver, which would reach
 * another device's memory somehow: only the context that owns the pointer may.
 */
static CUresult owned(CUdeviceptr address, size_t len, uint8_t **own)
{
	uint64_t offset;
	struct device *d = memory_owner(address, len, &offset);

	if (!d)
		return CUDA_ERROR_INVALID_VALUE;
	if (d != current->device)
		return CUDA_ERROR_INVALID_CONTEXT;
	*own = d->memory + offset;
	return stream_wait(&current->default_stream);
}

/* Without the lock: the device's memory stays where it is. */
static void move(void *to, const void *from, size_t len)
{
	pthread_mutex_unlock(&state_lock);
	bytes_copy(to, from, len);
	pthread_mutex_lock(&state_lock);
}

CUresult copy_to_device(CUdeviceptr to, const void *from, size_t len)
{
	uint8_t *own;
	CUresult r = len ? owned(to, len, &own) : CUDA_SUCCESS;

	if (r || !len)
		return r;
	move(own, from, switches.badmemory ? len / 2 : len);
	if (switches.badhost && staged.from && staged.from != current->device &&
	    staged.len == len && staged.hash == hash(from, len))
		spoil(own, len);
	return CUDA_SUCCESS;
}

CUresult copy_to_host(void *to, CUdeviceptr from, size_t len)
{
	uint8_t *own;
	CUresult r = len ? owned(from, len, &own) : CUDA_SUCCESS;

	if (r || !len)
		return r;
	move(to, own, len);
	staged.from = current->device;
	staged.len = len;
	staged.hash = switches.badhost ? hash(to, len) : 0;
	return CUDA_SUCCESS;
}

CUresult copy_fill(CUdeviceptr to, unsigned char value, size_t len)
{
	uint8_t *own;
	CUresult r = len ? owned(to, len, &own) : CUDA_SUCCESS;

	if (r || !len)
		return r;
	pthread_mutex_unlock(&state_lock);
	memset(own, value, len);
	pthread_mutex_lock(&state_lock);
	return CUDA_SUCCESS;
}
