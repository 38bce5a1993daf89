/* SPDX-License-Identifier: GPL-2.0-only */
/* The "GPUs", and what stands behind them. */
#ifndef TEST_CUDA_DEVICE_H
#define TEST_CUDA_DEVICE_H

#include <pthread.h>
#include <stddef.h>
#include <sys/types.h>

#include "context.h"

#define MAX_DEVICES 64

struct device;

/**
 * struct backend - one way to have GPUs
 * @find: fills devices[] and device_count
 * @open: for the first reference to the device's context; maps its memory
 * @close: the memory stays mapped, for what may still reach it
 * @write: the device's engine puts data into another's memory, as @read fetches it.
 *	Success says that the engine is done, not that anything has arrived
 */
struct backend {
	CUresult (*find)(void);
	CUresult (*open)(struct device *device);
	void (*close)(struct device *device);
	CUresult (*write)(struct device *device, struct device *peer, uint64_t offset,
			  const void *from, size_t len);
	CUresult (*read)(struct device *device, struct device *peer, uint64_t offset, void *to,
			 size_t len);
};

/* QEMU's edu and ivshmem devices. */
extern const struct backend backend_edu;
/* Memory of this process. */
extern const struct backend backend_memory;

struct allocation {
	uint64_t offset, len;
	struct allocation *next;
};

/**
 * struct device - a GPU
 * @address: on the PCI bus, as it is reported
 * @len: bytes of its memory
 * @memory: the owner's view of it
 * @allocations: by offset
 * @lost: see lost.h
 * @bus: bus address of the memory, as @memory_address is the PCI address of the
 *	device that holds it: edu only, as all that follows
 * @engine: descriptor; -1 while no context is retained
 * @engine_lock: for one transfer at a time
 */
struct device {
	const struct backend *backend;
	char address[24];
	char name[64];
	uint64_t len;
	uint8_t *memory;
	struct allocation *allocations;
	struct CUctx_st context;
	bool lost;

	uint64_t bus;
	char memory_address[24];
	int engine;
	uint8_t *engine_buf;
	pthread_mutex_t engine_lock;
};

extern struct device devices[MAX_DEVICES];
extern int device_count;
/* The process that called cuInit(), 0 before. */
extern pid_t devices_initialised_by;

CUresult devices_find(void);
struct device *device_add(const struct backend *backend);

static inline int device_number(const struct device *device)
{
	return (int)(device - devices);
}

#endif /* TEST_CUDA_DEVICE_H */
