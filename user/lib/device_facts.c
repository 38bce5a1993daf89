// SPDX-License-Identifier: GPL-2.0-only
/* A PCI Express function as its link, its error counters and its presence show it. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "device_facts.h"
#include "output.h"
#include "sysfs.h"

#define ROLLOVER	1u
#define TIMEOUT		2u

static void path_of(struct pp_bdf bdf, const char *file, char *path, size_t size)
{
	char text[PP_BDF_LEN];

	snprintf(path, size, PP_SYSFS_DEVICES "/%s%s", pp_bdf_text(bdf, text), file);
}

/** pp_link_read - speed and width of the link now; a GPU at rest may slow it down */
void pp_link_read(struct pp_bdf bdf, struct pp_link *link)
{
	char path[128], line[64];

	memset(link, 0, sizeof(*link));
	path_of(bdf, "/current_link_speed", path, sizeof(path));
	if (pp_sysfs_line(path, line, sizeof(line)) && strncmp(line, "Unknown", 7))
		snprintf(link->speed, sizeof(link->speed), "%.31s", line);
	path_of(bdf, "/current_link_width", path, sizeof(path));
	if (pp_sysfs_line(path, line, sizeof(line)))
		link->width = (unsigned int)strtoul(line, NULL, 10);
}

/* "NAME NUMBER": the number, if it is that row. */
static bool row(const char *line, const char *name, uint64_t *value)
{
	size_t len = strlen(name);
	char *end;

	if (strncmp(line, name, len) || line[len] != ' ' || line[len + 1] < '0' ||
	    line[len + 1] > '9')
		return false;
	errno = 0;
	*value = strtoull(line + len + 1, &end, 10);
	return !errno && (!*end || *end == '\n');
}

/**
 * pp_replays_row - take a row of aer_dev_correctable, if it is about replays
 * @rows: which rows there were; @replays->known follows from it
 */
bool pp_replays_row(const char *line, struct pp_replays *replays, unsigned int *rows)
{
	unsigned int found = row(line, "Rollover", &replays->rollover) ? ROLLOVER :
			     row(line, "Timeout", &replays->timeout) ? TIMEOUT : 0;

	*rows |= found;
	replays->known = *rows == (ROLLOVER | TIMEOUT);
	return found;
}

/** pp_replays_read - what AER has counted; unknown without AER */
void pp_replays_read(struct pp_bdf bdf, struct pp_replays *replays)
{
	char path[128], line[128];
	unsigned int rows = 0;
	FILE *f;

	memset(replays, 0, sizeof(*replays));
	path_of(bdf, "/aer_dev_correctable", path, sizeof(path));
	f = fopen(path, "re");
	while (f && fgets(line, sizeof(line), f))
		pp_replays_row(line, replays, &rows);
	if (f)
		fclose(f);
}

/**
 * pp_device_state - is the function there, and does it answer?
 *
 * From the first word of its configuration space, vendor and device, which every
 * user may read. A function that has fallen off the bus reads all ones, while the
 * kernel goes on listing it.
 */
enum pp_device_state pp_device_state(struct pp_bdf bdf)
{
	uint32_t id = 0;
	char path[128];
	ssize_t len;
	int fd;

	path_of(bdf, "", path, sizeof(path));
	if (access(path, F_OK))
		return PP_DEVICE_GONE;
	path_of(bdf, "/config", path, sizeof(path));
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return PP_DEVICE_UNREADABLE;
	len = pread(fd, &id, sizeof(id), 0);
	close(fd);
	if (len != sizeof(id))
		return PP_DEVICE_UNREADABLE;
	return id == UINT32_MAX ? PP_DEVICE_ALL_ONES : PP_DEVICE_PRESENT;
}

/** pp_device_state_name - as JSON has it */
const char *pp_device_state_name(enum pp_device_state state)
{
	static const char * const names[] = {
		[PP_DEVICE_PRESENT] = "present",
		[PP_DEVICE_GONE] = "gone",
		[PP_DEVICE_ALL_ONES] = "all_ones",
		[PP_DEVICE_UNREADABLE] = "unreadable",
	};

	return names[state];
}

/** pp_json_link - speed and width; null for what is not known */
json_t *pp_json_link(const struct pp_link *link)
{
	return json_pack("{s:o, s:o}", "speed", pp_json_string_or_null(link->speed),
			 "width", link->width ? json_integer(link->width) : json_null());
}

/** pp_json_replays - both kinds together; null when not known */
json_t *pp_json_replays(const struct pp_replays *replays)
{
	return replays->known ? pp_json_u64(replays->rollover + replays->timeout) : json_null();
}
