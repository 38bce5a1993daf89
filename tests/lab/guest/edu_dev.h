/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the guest's programs need of sysfs and of QEMU's edu device: BARs as the CPU
 * sees them, and one transfer of its DMA engine. For one source file each, static.
 */
#ifndef LAB_EDU_DEV_H
#define LAB_EDU_DEV_H

/* program_invocation_short_name */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define EDU_SRC		0x80
#define EDU_DST		0x88
#define EDU_COUNT	0x90
#define EDU_CMD		0x98
#define EDU_CMD_RUN	1	/* stays set until the transfer is over */
#define EDU_CMD_TO_BUS	2	/* from the buffer to the bus address */
#define EDU_BUFFER	0x40000	/* the buffer, in edu's own address space */
#define EDU_BUFFER_SIZE	4096

struct bar {
	uint64_t address;	/* as the CPU sees it */
	uint64_t size;
	volatile uint8_t *mem;
};

static void die(const char *what, const char *which)
{
	fprintf(stderr, "%s: %s %s: %m\n", program_invocation_short_name, what, which);
	exit(1);
}

static int open_attr(const char *bdf, const char *attr, int flags)
{
	char path[256];
	int fd;

	snprintf(path, sizeof(path), "/sys/bus/pci/devices/%s/%s", bdf, attr);
	fd = open(path, flags);
	if (fd < 0)
		die("cannot open", path);
	return fd;
}

/* Memory decoding and bus mastering on; what a driver's probe would do. */
static void enable(const char *bdf)
{
	int fd = open_attr(bdf, "config", O_RDWR);
	uint16_t cmd;

	if (pread(fd, &cmd, 2, 4) != 2)
		die("cannot read the command register of", bdf);
	cmd |= 6;
	if (pwrite(fd, &cmd, 2, 4) != 2)
		die("cannot write the command register of", bdf);
	close(fd);
}

/* Where a BAR is; it decodes, and the device may master the bus, from now on. */
static struct bar find_bar(const char *bdf, int number)
{
	unsigned long long first = 0, last = 0;
	char text[4096] = "", *line = text;
	struct bar bar = { 0 };
	int fd;

	enable(bdf);
	fd = open_attr(bdf, "resource", O_RDONLY);
	if (read(fd, text, sizeof(text) - 1) < 0)
		die("cannot read the resources of", bdf);
	close(fd);
	for (int i = 0; i < number && line; i++) {
		line = strchr(line, '\n');
		line = line ? line + 1 : NULL;
	}
	if (!line || sscanf(line, "%llx %llx", &first, &last) != 2 || !first) {
		fprintf(stderr, "%s: %s has no BAR%d\n", program_invocation_short_name, bdf,
			number);
		exit(1);
	}
	bar.address = first;
	bar.size = last - first + 1;
	return bar;
}

static struct bar map_bar(const char *bdf, int number)
{
	struct bar bar = find_bar(bdf, number);
	char attr[16];
	int fd;

	snprintf(attr, sizeof(attr), "resource%d", number);
	fd = open_attr(bdf, attr, O_RDWR | O_SYNC);
	bar.mem = mmap(NULL, bar.size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (bar.mem == MAP_FAILED)
		die("cannot map a BAR of", bdf);
	close(fd);
	return bar;
}

static void set_reg(struct bar *edu, unsigned int reg, uint64_t value)
{
	*(volatile uint64_t *)(edu->mem + reg) = value;
}

static void transfer(struct bar *edu, uint64_t address, uint64_t bytes, int to_bus)
{
	set_reg(edu, EDU_SRC, to_bus ? EDU_BUFFER : address);
	set_reg(edu, EDU_DST, to_bus ? address : EDU_BUFFER);
	set_reg(edu, EDU_COUNT, bytes);
	set_reg(edu, EDU_CMD, EDU_CMD_RUN | (to_bus ? EDU_CMD_TO_BUS : 0));
	while (*(volatile uint64_t *)(edu->mem + EDU_CMD) & EDU_CMD_RUN)
		usleep(1000);
}

#endif /* LAB_EDU_DEV_H */
