// SPDX-License-Identifier: GPL-2.0-only
/* A mirror for each initiator and peer, of the peer's size, filled where it was written. */
#include <string.h>
#include <sys/mman.h>

#include "mirror.h"

static struct mirror {
	uint8_t *data, *written;
} mirrors[MAX_DEVICES][MAX_DEVICES];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static struct mirror *mirror_of(const struct device *by, const struct device *peer)
{
	return &mirrors[device_number(by)][device_number(peer)];
}

static bool create(struct mirror *m, uint64_t len)
{
	void *p = mmap(NULL, 2 * len, PROT_READ | PROT_WRITE,
		       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

	if (p == MAP_FAILED)
		return false;
	m->data = p;
	m->written = m->data + len;
	return true;
}

CUresult mirror_write(const struct device *by, const struct device *peer, uint64_t offset,
		      const void *from, size_t len)
{
	struct mirror *m = mirror_of(by, peer);
	CUresult r = CUDA_SUCCESS;

	pthread_mutex_lock(&lock);
	if (m->data || create(m, peer->len)) {
		memcpy(m->data + offset, from, len);
		memset(m->written + offset, 1, len);
	} else {
		r = CUDA_ERROR_OUT_OF_MEMORY;
	}
	pthread_mutex_unlock(&lock);
	return r;
}

void mirror_read(const struct device *by, const struct device *peer, uint64_t offset, uint8_t *to,
		 size_t len)
{
	const struct mirror *m = mirror_of(by, peer);

	pthread_mutex_lock(&lock);
	for (size_t i = 0; m->data && i < len; i++)
		if (m->written[offset + i])
			to[i] = m->data[offset + i];
	pthread_mutex_unlock(&lock);
}
