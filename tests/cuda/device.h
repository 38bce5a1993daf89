/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A "GPU": the i-th edu device is its copy engine, BAR 2 of the i-th ivshmem
 * device is its memory, both in bus order.
 */
#ifndef TEST_CUDA_DEVICE_H
#define TEST_CUDA_DEVICE_H

#include <stdint.h>

#include "result.h"

#define MAX_DEVICES 16

struct allocation {
	uint64_t offset, len;
	struct allocation *next;
};

struct copy {
	CUdeviceptr to, from;
	size_t len;
	struct copy *next;
};

/* A stream, and of each context its default stream. */
struct CUstream_st {
	CUcontext context;
	struct copy *first;
	struct CUstream_st *next;
};

/* A device's primary context; there are no others. */
struct CUctx_st {
	struct device *device;
	unsigned int references;
	/* A bit for each device that peer access was enabled to. */
	unsigned int peers;
	struct CUstream_st default_stream;
	struct CUstream_st *streams;
};

struct device {
	char edu[16], ivshmem[16];	/* BDFs */
	uint64_t bus;			/* of the memory, as a peer's engine sees it */
	uint64_t len;
	uint8_t *memory;		/* the owner's view; NULL until first used */
	int engine;			/* descriptor; -1 while no context is retained */
	uint8_t *engine_buf;
	struct allocation *allocations;	/* by offset */
	struct CUctx_st context;
};

extern struct device devices[MAX_DEVICES];
extern int device_count;

CUresult devices_find(void);
CUresult device_open(struct device *d);
void device_close(struct device *d);
CUresult device_map_memory(struct device *d);
CUresult device_write_peer(struct device *d, uint64_t bus, const uint8_t *from, size_t len);
CUresult device_read_peer(struct device *d, uint64_t bus, uint8_t *to, size_t len);

#endif /* TEST_CUDA_DEVICE_H */
