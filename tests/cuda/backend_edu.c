// SPDX-License-Identifier: GPL-2.0-only
/*
 * Real DMA: the i-th edu device is a GPU's engine, BAR 2 of the i-th ivshmem device
 * is its memory, both in bus order. Needs the modules pp_test_edu and
 * pp_test_ivshmem, and root.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "bytes.h"
#include "device.h"
#include "pp_test_edu.h"
#include "switches.h"

#define SYSFS_PCI "/sys/bus/pci/devices"

static unsigned long read_hex(const char *bdf, const char *attribute)
{
	unsigned long value = 0;
	char path[512];
	FILE *f;

	snprintf(path, sizeof(path), SYSFS_PCI "/%s/%s", bdf, attribute);
	f = fopen(path, "re");
	if (!f)
		return 0;
	if (fscanf(f, "%lx", &value) != 1)
		value = 0;
	fclose(f);
	return value;
}

/* Address and size of BAR 2, the third line of the file; false without one. */
static bool read_bar2(const char *bdf, uint64_t *bus, uint64_t *len)
{
	unsigned long long start = 0, end = 0, flags;
	char path[512];
	bool good = true;
	FILE *f;

	snprintf(path, sizeof(path), SYSFS_PCI "/%s/resource", bdf);
	f = fopen(path, "re");
	if (!f)
		return false;
	for (int i = 0; good && i <= 2; i++)
		good = fscanf(f, "%llx %llx %llx", &start, &end, &flags) == 3;
	fclose(f);
	*bus = start;
	*len = end - start + 1;
	return good && start && end > start;
}

static void engine_path(const char *bdf, char *path, size_t size)
{
	snprintf(path, size, "/dev/pp_edu-%.20s", bdf);
}

/* One whose engine nobody drives is not counted, as a GPU without its driver is not. */
static void add(const char *edu, const char *ivshmem)
{
	uint64_t bus, len;
	struct device *d;
	char path[64];

	engine_path(edu, path, sizeof(path));
	if (access(path, R_OK | W_OK) || !read_bar2(ivshmem, &bus, &len))
		return;
	d = device_add(&backend_edu);
	snprintf(d->address, sizeof(d->address), "%s", edu);
	snprintf(d->memory_address, sizeof(d->memory_address), "%s", ivshmem);
	snprintf(d->name, sizeof(d->name), "QEMU edu with ivshmem %s", ivshmem);
	d->bus = bus;
	d->len = len;
}

static CUresult edu_find(void)
{
	char edu[MAX_DEVICES][16], ivshmem[MAX_DEVICES][16];
	int engines = 0, memories = 0, n;
	struct dirent **entries;

	n = scandir(SYSFS_PCI, &entries, NULL, alphasort);
	if (n < 0)
		return CUDA_ERROR_NO_DEVICE;
	for (int i = 0; i < n; i++) {
		const char *bdf = entries[i]->d_name;
		unsigned long id = read_hex(bdf, "vendor") << 16 | read_hex(bdf, "device");

		if (id == 0x123411e8 && engines < MAX_DEVICES)
			snprintf(edu[engines++], sizeof(edu[0]), "%.15s", bdf);
		else if (id == 0x1af41110 && memories < MAX_DEVICES)
			snprintf(ivshmem[memories++], sizeof(ivshmem[0]), "%.15s", bdf);
		free(entries[i]);
	}
	free(entries);
	for (int i = 0; i < engines && i < memories; i++)
		add(edu[i], ivshmem[i]);
	return CUDA_SUCCESS;
}

static bool map_memory(struct device *d)
{
	char path[512];
	void *p;
	int fd;

	if (d->memory)
		return true;
	snprintf(path, sizeof(path), SYSFS_PCI "/%s/resource2", d->memory_address);
	fd = open(path, O_RDWR | O_CLOEXEC);
	if (fd < 0)
		return false;
	p = mmap(NULL, d->len, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	close(fd);
	if (p == MAP_FAILED)
		return false;
	d->memory = p;
	return true;
}

static void edu_close(struct device *d)
{
	pthread_mutex_lock(&d->engine_lock);
	if (d->engine_buf)
		munmap(d->engine_buf, PP_TEST_EDU_BUF_LEN);
	if (d->engine >= 0)
		close(d->engine);
	d->engine_buf = NULL;
	d->engine = -1;
	pthread_mutex_unlock(&d->engine_lock);
}

static CUresult edu_open(struct device *d)
{
	char path[64];
	void *p;

	engine_path(d->address, path, sizeof(path));
	d->engine = open(path, O_RDWR | O_CLOEXEC);
	if (d->engine < 0)
		return CUDA_ERROR_INVALID_DEVICE;
	p = mmap(NULL, PP_TEST_EDU_BUF_LEN, PROT_READ | PROT_WRITE, MAP_SHARED, d->engine, 0);
	if (p != MAP_FAILED)
		d->engine_buf = p;
	if (p != MAP_FAILED && map_memory(d))
		return CUDA_SUCCESS;
	edu_close(d);
	return CUDA_ERROR_INVALID_DEVICE;
}

static CUresult transfer(struct device *d, uint64_t bus, uint32_t len, uint32_t dir)
{
	struct pp_test_edu_xfer x = { .bus_addr = bus, .len = len, .dir = dir };

	if (!ioctl(d->engine, PP_TEST_EDU_TRANSFER, &x))
		return CUDA_SUCCESS;
	return errno == ETIMEDOUT ? CUDA_ERROR_LAUNCH_TIMEOUT : CUDA_ERROR_UNKNOWN;
}

/*
 * In chunks. The engine is free for others between two of them, as it must be: a
 * long copy would hold up a kernel's flag.
 */
static CUresult move(struct device *d, struct device *peer, uint64_t offset, uint8_t *data,
		     size_t len, uint32_t dir)
{
	CUresult r = CUDA_SUCCESS;

	for (size_t done = 0, n; !r && done < len; done += n) {
		n = len - done < switches.chunk ? len - done : switches.chunk;
		pthread_mutex_lock(&d->engine_lock);
		if (!d->engine_buf || context_ends(&d->context))
			r = CUDA_ERROR_INVALID_CONTEXT;
		if (!r && dir == PP_TEST_EDU_WRITE)
			bytes_copy(d->engine_buf, data + done, n);
		if (!r)
			r = transfer(d, peer->bus + offset + done, (uint32_t)n, dir);
		if (!r && dir == PP_TEST_EDU_READ)
			bytes_copy(data + done, d->engine_buf, n);
		pthread_mutex_unlock(&d->engine_lock);
	}
	return r;
}

static CUresult edu_write(struct device *d, struct device *peer, uint64_t offset, const void *from,
			  size_t len)
{
	return move(d, peer, offset, (uint8_t *)(uintptr_t)from, len, PP_TEST_EDU_WRITE);
}

static CUresult edu_read(struct device *d, struct device *peer, uint64_t offset, void *to,
			 size_t len)
{
	return move(d, peer, offset, to, len, PP_TEST_EDU_READ);
}

const struct backend backend_edu = {
	.find = edu_find,
	.open = edu_open,
	.close = edu_close,
	.write = edu_write,
	.read = edu_read,
};
