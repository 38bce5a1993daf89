// SPDX-License-Identifier: GPL-2.0-only
/* Finds the devices in sysfs and moves data with them. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "device.h"
#include "pp_test_edu.h"
#include "switches.h"

#define SYSFS_PCI "/sys/bus/pci/devices"

struct device devices[MAX_DEVICES];
int device_count;

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
static bool read_bar2(struct device *d)
{
	unsigned long long start = 0, end = 0, flags;
	char path[512];
	bool good = true;
	FILE *f;

	snprintf(path, sizeof(path), SYSFS_PCI "/%s/resource", d->ivshmem);
	f = fopen(path, "re");
	if (!f)
		return false;
	for (int i = 0; good && i <= 2; i++)
		good = fscanf(f, "%llx %llx %llx", &start, &end, &flags) == 3;
	fclose(f);
	d->bus = start;
	d->len = end - start + 1;
	return good && start && end > start;
}

static void engine_path(const struct device *d, char *path, size_t size)
{
	snprintf(path, size, "/dev/pp_edu-%.15s", d->edu);
}

/*
 * All devices there are, in bus order. One whose engine nobody drives is not
 * counted, as a GPU without its kernel driver is not.
 */
CUresult devices_find(void)
{
	struct device found[MAX_DEVICES] = {};
	struct dirent **entries;
	int engines = 0, memories = 0, n;

	n = scandir(SYSFS_PCI, &entries, NULL, alphasort);
	if (n < 0)
		return CUDA_ERROR_NO_DEVICE;
	for (int i = 0; i < n; i++) {
		const char *bdf = entries[i]->d_name;
		unsigned long id = read_hex(bdf, "vendor") << 16 | read_hex(bdf, "device");

		if (id == 0x123411e8 && engines < MAX_DEVICES)
			snprintf(found[engines++].edu, sizeof(found[0].edu), "%.15s", bdf);
		else if (id == 0x1af41110 && memories < MAX_DEVICES)
			snprintf(found[memories++].ivshmem, sizeof(found[0].ivshmem), "%.15s", bdf);
		free(entries[i]);
	}
	free(entries);

	device_count = 0;
	for (int i = 0; i < engines && i < memories; i++) {
		struct device *d = &devices[device_count];
		char path[64];

		engine_path(&found[i], path, sizeof(path));
		if (access(path, R_OK | W_OK) || !read_bar2(&found[i]))
			continue;
		*d = found[i];
		d->engine = -1;
		d->context.device = d;
		d->context.default_stream.context = &d->context;
		device_count++;
	}
	return device_count ? CUDA_SUCCESS : CUDA_ERROR_NO_DEVICE;
}

/* Opens the engine, for the first reference to the device's context. */
CUresult device_open(struct device *d)
{
	char path[64];

	engine_path(d, path, sizeof(path));
	d->engine = open(path, O_RDWR | O_CLOEXEC);
	if (d->engine < 0)
		return CUDA_ERROR_INVALID_DEVICE;
	d->engine_buf = mmap(NULL, PP_TEST_EDU_BUF_LEN, PROT_READ | PROT_WRITE, MAP_SHARED,
			     d->engine, 0);
	if (d->engine_buf == MAP_FAILED) {
		d->engine_buf = NULL;
		device_close(d);
		return CUDA_ERROR_INVALID_DEVICE;
	}
	return device_map_memory(d);
}

void device_close(struct device *d)
{
	if (d->engine_buf)
		munmap(d->engine_buf, PP_TEST_EDU_BUF_LEN);
	if (d->engine >= 0)
		close(d->engine);
	d->engine_buf = NULL;
	d->engine = -1;
}

CUresult device_map_memory(struct device *d)
{
	char path[512];
	void *p;
	int fd;

	if (d->memory)
		return CUDA_SUCCESS;
	snprintf(path, sizeof(path), SYSFS_PCI "/%s/resource2", d->ivshmem);
	fd = open(path, O_RDWR | O_CLOEXEC);
	if (fd < 0)
		return CUDA_ERROR_INVALID_DEVICE;
	p = mmap(NULL, d->len, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	close(fd);
	if (p == MAP_FAILED)
		return CUDA_ERROR_INVALID_DEVICE;
	d->memory = p;
	return CUDA_SUCCESS;
}

/*
 * One transfer. Success says that the device is done, not that the data has
 * arrived: nobody tells it when the IOMMU drops its accesses.
 */
static CUresult transfer(struct device *d, uint64_t bus, uint32_t len, uint32_t dir)
{
	struct pp_test_edu_xfer x = { .bus_addr = bus, .len = len, .dir = dir };

	if (!ioctl(d->engine, PP_TEST_EDU_TRANSFER, &x))
		return CUDA_SUCCESS;
	return errno == ETIMEDOUT ? CUDA_ERROR_LAUNCH_TIMEOUT : CUDA_ERROR_UNKNOWN;
}

static uint32_t chunk(size_t len)
{
	return len < switches.chunk ? (uint32_t)len : switches.chunk;
}

CUresult device_write_peer(struct device *d, uint64_t bus, const uint8_t *from, size_t len)
{
	CUresult r = CUDA_SUCCESS;

	for (size_t done = 0; !r && done < len; done += chunk(len - done)) {
		memcpy(d->engine_buf, from + done, chunk(len - done));
		r = transfer(d, bus + done, chunk(len - done), PP_TEST_EDU_WRITE);
	}
	return r;
}

CUresult device_read_peer(struct device *d, uint64_t bus, uint8_t *to, size_t len)
{
	CUresult r = CUDA_SUCCESS;

	for (size_t done = 0; !r && done < len; done += chunk(len - done)) {
		r = transfer(d, bus + done, chunk(len - done), PP_TEST_EDU_READ);
		if (!r)
			memcpy(to + done, d->engine_buf, chunk(len - done));
	}
	return r;
}
