// SPDX-License-Identifier: GPL-2.0-only
/*
 * reach: does what a DMA engine writes arrive?
 *
 *   reach EDU PLACE...
 *
 * PLACE is BDF[/BAR][+OFF], memory behind a BAR (default 2), or "ram", a page of
 * this program. Each is filled with a known byte, QEMU's edu device EDU writes 64
 * bytes there, and the memory itself is looked at: no log and no counter is asked,
 * so that it works in any state of the machine. What was there is put back.
 *
 * Prints "PLACE arrives" or "PLACE blocked" for each; ends with 1 on an error.
 */
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* Of edu, see edu.c. */
#define EDU_SRC		0x80
#define EDU_DST		0x88
#define EDU_COUNT	0x90
#define EDU_CMD		0x98
#define EDU_CMD_RUN	1
#define EDU_CMD_TO_BUS	2
#define EDU_BUFFER	0x40000

#define BYTES		64
#define PAGE		4096UL
/* No test lets edu's buffer hold this. */
#define POISON		0x5a

struct place {
	uint64_t address;
	volatile uint8_t *mem;
	uint64_t size;
};

static void die(const char *what, const char *which)
{
	fprintf(stderr, "reach: %s %s: %m\n", what, which);
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

/* Memory decoding and bus mastering on. */
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

static struct place map_bar(const char *bdf, int number)
{
	unsigned long long first = 0, last = 0;
	char text[4096] = "", attr[32], *line = text;
	struct place place;
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
		fprintf(stderr, "reach: %s has no BAR%d\n", bdf, number);
		exit(1);
	}
	place.address = first;
	place.size = last - first + 1;
	snprintf(attr, sizeof(attr), "resource%d", number);
	fd = open_attr(bdf, attr, O_RDWR | O_SYNC);
	place.mem = mmap(NULL, place.size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (place.mem == MAP_FAILED)
		die("cannot map a BAR of", bdf);
	close(fd);
	return place;
}

/* A page of our own, at the address where the processor's bus has it. */
static struct place map_ram(void)
{
	int fd = open("/proc/self/pagemap", O_RDONLY);
	struct place place = { .size = PAGE };
	uint64_t entry = 0;

	place.mem = mmap(NULL, PAGE, PROT_READ | PROT_WRITE,
			 MAP_PRIVATE | MAP_ANONYMOUS | MAP_LOCKED, -1, 0);
	if (place.mem == MAP_FAILED)
		die("cannot get", "a page");
	place.mem[0] = 1;
	if (fd < 0 || pread(fd, &entry, 8, (off_t)((uintptr_t)place.mem / PAGE * 8)) != 8 ||
	    !(entry >> 63))
		die("cannot find", "a page of RAM");
	close(fd);
	place.address = (entry & ((1ULL << 55) - 1)) * PAGE;
	return place;
}

static struct place find(const char *text, uint64_t *off)
{
	char bdf[64];
	char *plus, *slash;
	int number = 2;

	*off = 0;
	if (!strcmp(text, "ram"))
		return map_ram();
	snprintf(bdf, sizeof(bdf), "%s", text);
	plus = strchr(bdf, '+');
	if (plus) {
		*plus = '\0';
		*off = strtoull(plus + 1, NULL, 0);
	}
	slash = strchr(bdf, '/');
	if (slash) {
		*slash = '\0';
		number = atoi(slash + 1);
	}
	return map_bar(bdf, number);
}

static void set_reg(struct place *edu, unsigned int reg, uint64_t value)
{
	*(volatile uint64_t *)(edu->mem + reg) = value;
}

static void write_to(struct place *edu, uint64_t address)
{
	set_reg(edu, EDU_SRC, EDU_BUFFER);
	set_reg(edu, EDU_DST, address);
	set_reg(edu, EDU_COUNT, BYTES);
	set_reg(edu, EDU_CMD, EDU_CMD_RUN | EDU_CMD_TO_BUS);
	while (*(volatile uint64_t *)(edu->mem + EDU_CMD) & EDU_CMD_RUN)
		usleep(1000);
}

static int reached(struct place *edu, const char *text)
{
	uint64_t off;
	struct place place = find(text, &off);
	uint8_t old[BYTES];
	int changed = 0;

	if (off + BYTES > place.size) {
		fprintf(stderr, "reach: %s lies beyond the BAR\n", text);
		exit(1);
	}
	for (unsigned int i = 0; i < BYTES; i++) {
		old[i] = place.mem[off + i];
		place.mem[off + i] = POISON;
	}
	write_to(edu, place.address + off);
	for (unsigned int i = 0; i < BYTES; i++) {
		changed += place.mem[off + i] != POISON;
		place.mem[off + i] = old[i];
	}
	munmap((void *)place.mem, place.size);
	return changed;
}

int main(int argc, char **argv)
{
	struct place edu;

	if (argc < 3) {
		fprintf(stderr, "usage: reach EDU BDF[/BAR][+OFF]|ram ...\n");
		return 2;
	}
	edu = map_bar(argv[1], 0);
	for (int i = 2; i < argc; i++)
		printf("%s %s\n", argv[i], reached(&edu, argv[i]) ? "arrives" : "blocked");
	return 0;
}
