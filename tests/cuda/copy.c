// SPDX-License-Identifier: GPL-2.0-only
/*
 * Copies.
 *
 * A copy in a stream is carried out when the stream is waited for. CUDA
 * promises no earlier moment, so a caller that does not wait is found out.
 */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "copy.h"
#include "memory.h"
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

CUresult copy_enqueue(CUstream stream, CUdeviceptr to, CUdeviceptr from, size_t len)
{
	struct copy **p = &stream->first, *c;
	uint64_t offset;

	if (!len)
		return CUDA_SUCCESS;
	if (!memory_owner(to, len, &offset) || !memory_owner(from, len, &offset))
		return CUDA_ERROR_INVALID_VALUE;
	c = malloc(sizeof(*c));
	if (!c)
		return CUDA_ERROR_OUT_OF_MEMORY;
	*c = (struct copy){ .to = to, .from = from, .len = len };
	while (*p)
		p = &(*p)->next;
	*p = c;
	return CUDA_SUCCESS;
}

/*
 * Between two devices: by the engine of the stream's device, which reaches its
 * own memory locally and the other's over the bus. Without peer access the
 * real driver copies through the host and says nothing; so does this.
 */
static CUresult between(CUcontext context, struct device *to, uint64_t to_offset,
			struct device *from, uint64_t from_offset, size_t len)
{
	struct device *engine = context->device, *other = to == engine ? from : to;
	CUresult r;

	if (switches.hang)
		for (;;)
			pause();
	if (switches.drop)
		return CUDA_SUCCESS;
	r = device_map_memory(to);
	if (!r)
		r = device_map_memory(from);
	if (r)
		return r;
	if ((to != engine && from != engine) || !(context->peers & 1U << (other - devices)))
		memcpy(to->memory + to_offset, from->memory + from_offset, len);
	else if (from == engine)
		r = device_write_peer(engine, to->bus + to_offset, from->memory + from_offset, len);
	else
		r = device_read_peer(engine, from->bus + from_offset, to->memory + to_offset, len);
	if (!r && switches.flip)
		spoil(to->memory + to_offset, len);
	return r;
}

static CUresult run(CUcontext context, const struct copy *c)
{
	uint64_t to_offset, from_offset;
	struct device *to = memory_owner(c->to, c->len, &to_offset);
	struct device *from = memory_owner(c->from, c->len, &from_offset);

	/* Freed in the meantime. */
	if (!to || !from)
		return CUDA_ERROR_INVALID_VALUE;
	if (to != from)
		return between(context, to, to_offset, from, from_offset, c->len);
	memmove(to->memory + to_offset, to->memory + from_offset, c->len);
	return CUDA_SUCCESS;
}

CUresult copy_run_all(CUstream stream)
{
	CUresult r = CUDA_SUCCESS;

	while (stream->first && !r) {
		struct copy *c = stream->first;

		r = run(stream->context, c);
		stream->first = c->next;
		free(c);
	}
	return r;
}

void copy_forget_all(CUstream stream)
{
	while (stream->first) {
		struct copy *c = stream->first;

		stream->first = c->next;
		free(c);
	}
}

/*
 * The owner's own view of [address, address + len), for the calls that wait
 * for the default stream. Stricter than the real driver, which would reach
 * another device's memory somehow: only the context that owns the pointer may.
 */
static CUresult owned(CUcontext current, CUdeviceptr address, size_t len, uint8_t **view)
{
	uint64_t offset;
	struct device *d = memory_owner(address, len, &offset);
	CUresult r;

	if (!d)
		return CUDA_ERROR_INVALID_VALUE;
	if (d != current->device)
		return CUDA_ERROR_INVALID_CONTEXT;
	r = copy_run_all(&current->default_stream);
	*view = d->memory + offset;
	return r;
}

CUresult copy_to_device(CUcontext current, CUdeviceptr to, const void *from, size_t len)
{
	uint8_t *view;
	CUresult r = len ? owned(current, to, len, &view) : CUDA_SUCCESS;

	if (r || !len)
		return r;
	memcpy(view, from, len);
	if (switches.badhost && staged.from && staged.from != current->device &&
	    staged.len == len && staged.hash == hash(from, len))
		spoil(view, len);
	return CUDA_SUCCESS;
}

CUresult copy_to_host(CUcontext current, void *to, CUdeviceptr from, size_t len)
{
	uint8_t *view;
	CUresult r = len ? owned(current, from, len, &view) : CUDA_SUCCESS;

	if (r || !len)
		return r;
	memcpy(to, view, len);
	staged.from = current->device;
	staged.len = len;
	staged.hash = switches.badhost ? hash(to, len) : 0;
	return CUDA_SUCCESS;
}

CUresult copy_fill(CUcontext current, CUdeviceptr to, unsigned char value, size_t len)
{
	uint8_t *view;
	CUresult r = len ? owned(current, to, len, &view) : CUDA_SUCCESS;

	if (!r && len)
		memset(view, value, len);
	return r;
}
