// SPDX-License-Identifier: GPL-2.0-only
/*
 * Which GPUs CUDA will show an engine, and in which order, without asking CUDA:
 * with CUDA_DEVICE_ORDER=PCI_BUS_ID its numbers follow the addresses.
 */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "visible.h"

#define NVIDIA	0x10de

static int compare(const void *a, const void *b)
{
	return pp_bdf_compare(*(const struct pp_bdf *)a, *(const struct pp_bdf *)b);
}

/* A folder for each GPU that the driver has; in a container, for those given to it. */
static size_t of_driver(struct pp_bdf gpus[PP_CLAIM_DEVICES])
{
	DIR *dir = opendir("/proc/driver/nvidia/gpus");
	struct dirent *entry;
	size_t n = 0;

	while (dir && n < PP_CLAIM_DEVICES && (entry = readdir(dir)))
		n += pp_bdf_parse(entry->d_name, &gpus[n]);
	if (dir)
		closedir(dir);
	return n;
}

static size_t of_inventory(const struct pp_inventory *inv, struct pp_bdf gpus[PP_CLAIM_DEVICES])
{
	size_t n = 0;

	for (size_t i = 0; i < inv->devices.n && n < PP_CLAIM_DEVICES; i++) {
		const struct pp_device *dev = &inv->devices.v[i];

		if (dev->present && dev->has_id && dev->vendor == NVIDIA &&
		    dev->class >> 16 == 0x03 && !strcmp(dev->driver, "nvidia"))
			gpus[n++] = dev->bdf;
	}
	return n;
}

/**
 * pp_cuda_gpus - the GPUs of this host, or container, in the order of addresses
 * @claim: where neither the driver nor sysfs knows any, those that it is about:
 *	CUDA had them
 */
void pp_cuda_gpus(const struct pp_inventory *inv, const struct pp_claim *claim,
		  struct pp_bdf gpus[PP_CLAIM_DEVICES], size_t *count)
{
	size_t n = of_driver(gpus);

	if (!n)
		n = of_inventory(inv, gpus);
	if (!n) {
		for (; n < claim->device_count; n++)
			gpus[n] = claim->devices[n].bdf;
	}
	qsort(gpus, n, sizeof(*gpus), compare);
	*count = n;
}

static int refuse(const char *text, struct pp_error *err)
{
	pp_error_set(err, "visible_devices", PP_EXIT_FAILED,
		     "CUDA_VISIBLE_DEVICES=%.80s is not a list of numbers", text);
	return pp_error_hint(err, "name GPUs by number, with CUDA_DEVICE_ORDER=PCI_BUS_ID: UUIDs "
				  "break engines, and say nothing about addresses");
}

/* One number and the comma after it; -1 when it is none. */
static long take_index(const char **p)
{
	long value = 0;
	int digits = 0;

	for (; **p >= '0' && **p <= '9' && digits < 4; (*p)++, digits++)
		value = value * 10 + (**p - '0');
	if (!digits || (**p && **p != ','))
		return -1;
	if (**p == ',' && !*++*p)
		return -1;
	return value;
}

static bool has(const struct pp_visible *visible, struct pp_bdf bdf)
{
	for (size_t i = 0; i < visible->n; i++) {
		if (pp_bdf_equal(visible->gpus[i], bdf))
			return true;
	}
	return false;
}

static void all(const struct pp_bdf *gpus, size_t count, struct pp_visible *visible)
{
	size_t used = 0;

	for (size_t i = 0; i < count; i++) {
		visible->gpus[i] = gpus[i];
		used += (size_t)snprintf(visible->name + used, sizeof(visible->name) - used,
					 "%s%zu", i ? "," : "", i);
	}
	visible->n = count;
}

/**
 * pp_visible_parse - the GPUs that a value of CUDA_VISIBLE_DEVICES shows
 * @text: the value; NULL when it is not set, which shows all
 * @gpus: what CUDA has, in its order, @count of them, at most PP_CLAIM_DEVICES
 * @visible: @ordered is left alone
 *
 * Stricter than CUDA, which takes UUIDs, and ignores what follows a number that
 * is too large.
 *
 * Return: 0, or -1 with @err filled in.
 */
int pp_visible_parse(const char *text, const struct pp_bdf *gpus, size_t count,
		     struct pp_visible *visible, struct pp_error *err)
{
	visible->n = 0;
	visible->name[0] = '\0';
	if (!text) {
		all(gpus, count, visible);
		return 0;
	}
	if (strlen(text) >= sizeof(visible->name))
		return refuse(text, err);
	strcpy(visible->name, text);
	if (!*text)
		return pp_error_set(err, "visible_devices", PP_EXIT_FAILED,
				    "CUDA_VISIBLE_DEVICES is empty: it shows no GPU");
	for (const char *p = text; *p;) {
		long index = take_index(&p);

		if (index < 0)
			return refuse(text, err);
		if ((size_t)index >= count)
			return pp_error_set(err, "visible_devices", PP_EXIT_FAILED,
					    "CUDA_VISIBLE_DEVICES=%.80s: there is no GPU %ld, but "
					    "%zu GPUs", text, index, count);
		if (has(visible, gpus[index]))
			return pp_error_set(err, "visible_devices", PP_EXIT_FAILED,
					    "CUDA_VISIBLE_DEVICES=%.80s names GPU %ld twice", text,
					    index);
		visible->gpus[visible->n++] = gpus[index];
	}
	return 0;
}
