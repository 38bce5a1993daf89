// SPDX-License-Identifier: GPL-2.0-only
/*
 * traffic: writes to a peer again and again, until SIGTERM.
 *
 *   traffic EDU TARGET
 *
 * EDU is bound to pp_test_edu, TARGET's BAR2 is looked up once: what happens to
 * TARGET later does not stop the writes to where it was. EDU may go and come
 * again. Prints "N transfers".
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "../../kmod/pp_test_edu.h"

#define BYTES	64

static volatile sig_atomic_t stop;

static void on_term(int signal)
{
	(void)signal;
	stop = 1;
}

static uint64_t bar2(const char *bdf)
{
	unsigned long long start = 0;
	char path[256], line[256];
	FILE *file;

	snprintf(path, sizeof(path), "/sys/bus/pci/devices/%s/resource", bdf);
	file = fopen(path, "r");
	for (int i = 0; file && i < 3; i++)
		if (fgets(line, sizeof(line), file) && i == 2)
			sscanf(line, "%llx", &start);
	if (file)
		fclose(file);
	return start;
}

int main(int argc, char **argv)
{
	struct sigaction action = { .sa_handler = on_term };
	struct pp_test_edu_xfer xfer = { .len = BYTES, .dir = PP_TEST_EDU_WRITE };
	unsigned long transfers = 0;
	char path[256];
	int edu = -1;

	if (argc != 3) {
		fprintf(stderr, "usage: traffic EDU TARGET\n");
		return 2;
	}
	xfer.bus_addr = bar2(argv[2]);
	if (!xfer.bus_addr) {
		fprintf(stderr, "traffic: no BAR2 of %s\n", argv[2]);
		return 1;
	}
	sigaction(SIGTERM, &action, NULL);
	snprintf(path, sizeof(path), "/dev/pp_edu-%s", argv[1]);
	while (!stop) {
		if (edu < 0)
			edu = open(path, O_RDWR);
		if (edu < 0) {
			usleep(10000);
		} else if (!ioctl(edu, PP_TEST_EDU_TRANSFER, &xfer)) {
			transfers++;
		} else if (errno == ENODEV) {
			close(edu);
			edu = -1;
		} else {
			fprintf(stderr, "traffic: %s: %s\n", path, strerror(errno));
			return 1;
		}
	}
	printf("%lu transfers\n", transfers);
	return 0;
}
