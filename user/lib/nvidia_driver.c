// SPDX-License-Identifier: GPL-2.0-only
/* What the NVIDIA kernel driver says about itself. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "nvidia_driver.h"
#include "sysfs.h"
#include "uapi/linux/peerpass.h"

static bool is_digit(char ch)
{
	return ch >= '0' && ch <= '9';
}

/* Digits and dots, at least one of each, up to a blank or the end; 0 otherwise. */
static size_t version_length(const char *text)
{
	size_t n = 0, dots = 0;

	for (; is_digit(text[n]) || text[n] == '.'; n++)
		dots += text[n] == '.';
	return is_digit(text[0]) && dots && (!text[n] || text[n] == ' ' || text[n] == '\t') ? n : 0;
}

/**
 * pp_nvidia_version_parse - the version in the first line of
 * /proc/driver/nvidia/version
 *
 * "NVRM version: NVIDIA UNIX x86_64 Kernel Module  535.54.03  Tue ..." or, of the
 * open modules, "... Open Kernel Module for x86_64  595.45.04  Release Build ...":
 * the first word that is a number with dots.
 */
bool pp_nvidia_version_parse(const char *line, char *buf, size_t size)
{
	if (strncmp(line, "NVRM version:", 13))
		return false;
	for (const char *p = line + 13; *p; p++) {
		size_t n = p[-1] == ' ' || p[-1] == '\t' ? version_length(p) : 0;

		if (n && n < size) {
			memcpy(buf, p, n);
			buf[n] = '\0';
			return true;
		}
	}
	return false;
}

/**
 * pp_nvidia_version - version of the driver that is loaded, as "595.45.04"
 * @root: put before every path; "" but for tests
 *
 * Return: false, and "", without the driver.
 */
bool pp_nvidia_version(const char *root, char *buf, size_t size)
{
	char path[256], line[256];

	snprintf(path, sizeof(path), "%s/sys/module/nvidia/version", root);
	if (pp_sysfs_line(path, line, sizeof(line)) && version_length(line) &&
	    version_length(line) < size) {
		snprintf(buf, size, "%.*s", (int)version_length(line), line);
		return true;
	}
	snprintf(path, sizeof(path), "%s/proc/driver/nvidia/version", root);
	if (pp_sysfs_line(path, line, sizeof(line)) && pp_nvidia_version_parse(line, buf, size))
		return true;
	buf[0] = '\0';
	return false;
}

/** pp_nvidia_param - the value in "Name: value", if it is @name's and a number */
bool pp_nvidia_param(const char *line, const char *name, long *value)
{
	size_t len = strlen(name);
	char *end;

	if (strncmp(line, name, len) || line[len] != ':')
		return false;
	errno = 0;
	*value = strtol(line + len + 1, &end, 10);
	return end != line + len + 1 && !errno && (!*end || *end == '\n');
}

/**
 * pp_nvidia_dma_remap - the option NVreg_DmaRemapPeerMmio in force
 * @root: put before every path; "" but for tests
 *
 * Does the driver map a peer's BAR through the DMA API? Read once when it is
 * loaded; /proc/driver/nvidia/params shows it, sysfs does not.
 *
 * Return: enum peerpass_tristate
 */
uint32_t pp_nvidia_dma_remap(const char *root)
{
	uint32_t found = PEERPASS_TRISTATE_UNKNOWN;
	char path[256], line[512];
	long value;
	FILE *f;

	snprintf(path, sizeof(path), "%s/proc/driver/nvidia/params", root);
	f = fopen(path, "re");
	while (f && fgets(line, sizeof(line), f)) {
		if (pp_nvidia_param(line, "DmaRemapPeerMmio", &value))
			found = value ? PEERPASS_TRISTATE_ON : PEERPASS_TRISTATE_OFF;
	}
	if (f)
		fclose(f);
	return found;
}
