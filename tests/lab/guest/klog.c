// SPDX-License-Identifier: GPL-2.0-only
/*
 * klog: print the whole kernel log, also what "dmesg -c" has hidden.
 *
 * A new reader of /dev/kmsg starts at the oldest record that is still in the
 * ring, whatever has been cleared. Continuation lines (" KEY=value") are left
 * out. Each record becomes "[seconds.micros] <level> text".
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

int main(void)
{
	static char record[8192];
	int fd = open("/dev/kmsg", O_RDONLY | O_NONBLOCK);

	if (fd < 0) {
		perror("klog: /dev/kmsg");
		return 1;
	}
	for (;;) {
		unsigned long long prio, seq, usec;
		ssize_t n = read(fd, record, sizeof(record) - 1);
		char *text, *end;

		if (n < 0 && errno == EPIPE)	/* overwritten meanwhile: go on */
			continue;
		if (n <= 0)
			break;
		record[n] = '\0';
		text = strchr(record, ';');
		if (!text || sscanf(record, "%llu,%llu,%llu", &prio, &seq, &usec) != 3)
			continue;
		end = strchr(++text, '\n');
		if (end)
			*end = '\0';
		printf("[%5llu.%06llu] <%llu> %s\n", usec / 1000000, usec % 1000000, prio & 7, text);
	}
	close(fd);
	return fflush(stdout) ? 1 : 0;
}
