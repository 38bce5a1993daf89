// SPDX-License-Identifier: GPL-2.0-only
/*
 * revoke: take a target away from under a transfer that has been started.
 *
 *   revoke EDU TARGET DRIVER[:TAKER] TRIALS FIRST_US LAST_US
 *
 * Makes a write by EDU (bound to pp_test_edu) to TARGET's BAR2, which has to
 * arrive and after which the translation is in the IOTLB. Starts another, waits
 * between FIRST_US and LAST_US microseconds, and unbinds TARGET from DRIVER (then
 * binds it to TAKER). edu moves the data 100 ms after the start. What was not
 * there when the unbinding returned must not arrive later.
 *
 * Prints "N trials: S stopped, B before, A after" and exits with 0; with 1 when a
 * trial could not be made. What A may be is the caller's to judge.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include "../../kmod/pp_test_edu.h"

#define BYTES	64

static void die(const char *what, const char *which)
{
	fprintf(stderr, "revoke: %s %s: %s\n", what, which, strerror(errno));
	exit(1);
}

static void put(const char *path, const char *text)
{
	int fd = open(path, O_WRONLY);

	if (fd < 0 || write(fd, text, strlen(text)) < 0)
		die("cannot write to", path);
	close(fd);
}

static void drive(const char *driver, const char *verb, const char *bdf)
{
	char path[256];

	snprintf(path, sizeof(path), "/sys/bus/pci/drivers/%s/%s", driver, verb);
	put(path, bdf);
}

static uint64_t bar2(const char *bdf)
{
	char path[256], line[256];
	unsigned long long start = 0;
	FILE *file;

	snprintf(path, sizeof(path), "/sys/bus/pci/devices/%s/resource", bdf);
	file = fopen(path, "r");
	for (int i = 0; file && i < 3; i++)
		if (fgets(line, sizeof(line), file) && i == 2)
			sscanf(line, "%llx", &start);
	if (!start)
		die("no BAR2 of", bdf);
	fclose(file);
	return start;
}

static volatile uint64_t *map_bar2(const char *bdf)
{
	char path[256];
	void *mem;
	int fd;

	snprintf(path, sizeof(path), "/sys/bus/pci/devices/%s/resource2", bdf);
	fd = open(path, O_RDWR | O_SYNC);
	mem = fd < 0 ? MAP_FAILED : mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (mem == MAP_FAILED)
		die("cannot map", path);
	close(fd);
	return mem;
}

static uint64_t now_us(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000000 + (uint64_t)t.tv_nsec / 1000;
}

int main(int argc, char **argv)
{
	unsigned int trials, first, last, stopped = 0, before = 0, after = 0;
	char path[256], *taker;
	volatile uint64_t *mem;
	uint64_t *buffer;
	int edu;

	if (argc != 7) {
		fprintf(stderr, "usage: revoke EDU TARGET DRIVER[:TAKER] TRIALS FIRST_US LAST_US\n");
		return 2;
	}
	trials = (unsigned int)atoi(argv[4]);
	first = (unsigned int)atoi(argv[5]);
	last = (unsigned int)atoi(argv[6]);
	taker = strchr(argv[3], ':');
	if (taker)
		*taker++ = '\0';
	snprintf(path, sizeof(path), "/dev/pp_edu-%s", argv[1]);
	edu = open(path, O_RDWR);
	if (edu < 0)
		die("cannot open", path);
	buffer = mmap(NULL, PP_TEST_EDU_BUF_LEN, PROT_READ | PROT_WRITE, MAP_SHARED, edu, 0);
	if (buffer == MAP_FAILED)
		die("cannot map", path);
	mem = map_bar2(argv[2]);
	for (unsigned int i = 0; i < trials; i++) {
		struct pp_test_edu_xfer xfer = { bar2(argv[2]), BYTES, PP_TEST_EDU_WRITE };
		uint64_t due;
		int there;

		buffer[0] = ~(uint64_t)i;
		if (ioctl(edu, PP_TEST_EDU_TRANSFER, &xfer))
			die("cannot write with", argv[1]);
		if (mem[0] != buffer[0]) {
			fprintf(stderr, "revoke: trial %u: the first write did not arrive\n", i);
			return 1;
		}
		mem[0] = 0xa5a5a5a5a5a5a5a5;
		buffer[0] = 0x1122334455667788 + i;
		if (ioctl(edu, PP_TEST_EDU_START, &xfer))
			die("cannot start", argv[1]);
		due = now_us() + first + (last > first ? (unsigned int)rand() % (last - first) : 0);
		if (due > now_us() + 1000)
			usleep((useconds_t)(due - now_us() - 1000));
		while (now_us() < due)
			;
		drive(argv[3], "unbind", argv[2]);
		if (taker)
			drive(taker, "bind", argv[2]);
		there = mem[0] == buffer[0];
		if (ioctl(edu, PP_TEST_EDU_WAIT))
			die("cannot wait for", argv[1]);
		if (there)
			before++;
		else if (mem[0] == buffer[0])
			after++;
		else
			stopped++;
		if (taker)
			drive(taker, "unbind", argv[2]);
		drive(argv[3], "bind", argv[2]);
	}
	printf("%u trials: %u stopped, %u before, %u after\n", trials, stopped, before, after);
	return 0;
}
