// SPDX-License-Identifier: GPL-2.0-only
/*
 * reach: does what a DMA engine writes arrive?
 *
 *   reach EDU PLACE...
 *
 * PLACE is BDF[/BAR][+OFF], memory behind a BAR (default 2), "ram", a page of this
 * program, or @ADDRESS, which is only written to. Each is filled with a known byte,
 * QEMU's edu device EDU writes 64 bytes there, and the memory itself is looked at: no
 * log and no counter is asked, so that it works in any state of the machine. What was
 * there is put back.
 *
 * Prints "PLACE arrives", "PLACE blocked" or "PLACE written" for each; ends with 1
 * on an error. A device that is open below VFIO is reached through that, see vfio.c.
 */
#include "edu_dev.h"

#define BYTES		64
#define PAGE		4096UL
/* No test lets edu's buffer hold this. */
#define POISON		0x5a

/* A device that is open below VFIO has its BARs in that file, see vfio.c. */
static struct bar map_place(const char *bdf, int number)
{
	const char *vfio_bdf = getenv("VFIO_BDF");
	struct bar bar;

	if (!vfio_bdf || strcmp(vfio_bdf, bdf))
		return map_bar(bdf, number);
	bar = find_bar(bdf, number);
	bar.mem = mmap(NULL, bar.size, PROT_READ | PROT_WRITE, MAP_SHARED,
		       atoi(getenv("VFIO_FD")), (off_t)number << 40);
	if (bar.mem == MAP_FAILED)
		die("cannot map a BAR of", bdf);
	return bar;
}

/* A page of our own, at the address where the processor's bus has it. */
static struct bar map_ram(void)
{
	int fd = open("/proc/self/pagemap", O_RDONLY);
	struct bar place = { .size = PAGE };
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

static struct bar find(const char *text, uint64_t *off)
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
	return map_place(bdf, number);
}

static int reached(struct bar *edu, const char *text)
{
	uint64_t off;
	struct bar place = find(text, &off);
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
	transfer(edu, place.address + off, BYTES, 1);
	for (unsigned int i = 0; i < BYTES; i++) {
		changed += place.mem[off + i] != POISON;
		place.mem[off + i] = old[i];
	}
	munmap((void *)place.mem, place.size);
	return changed;
}

int main(int argc, char **argv)
{
	struct bar edu;

	if (argc < 3) {
		fprintf(stderr, "usage: reach EDU BDF[/BAR][+OFF]|ram|@ADDRESS ...\n");
		return 2;
	}
	edu = map_place(argv[1], 0);
	for (int i = 2; i < argc; i++) {
		if (argv[i][0] == '@') {
			transfer(&edu, strtoull(argv[i] + 1, NULL, 0), BYTES, 1);
			printf("%s written\n", argv[i]);
		} else {
			printf("%s %s\n", argv[i], reached(&edu, argv[i]) ? "arrives" : "blocked");
		}
	}
	return 0;
}
