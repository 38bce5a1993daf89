// SPDX-License-Identifier: GPL-2.0-only
/* Devices as the command line names them: an address, or gpuN. */
#include <stdio.h>
#include <string.h>

#include "devsel.h"

/* N of "gpuN", -1 when @text is not of that form. */
static int gpu_number(const char *text)
{
	int n = 0, digits = 0;

	if (strncmp(text, "gpu", 3))
		return -1;
	for (text += 3; *text; text++) {
		if (*text < '0' || *text > '9' || ++digits > 4)
			return -1;
		n = n * 10 + (*text - '0');
	}
	return digits ? n : -1;
}

/* Return: 0, or -1 with @err filled in. */
static int check(const char *text, struct pp_error *err)
{
	struct pp_bdf bdf;

	if (gpu_number(text) >= 0 || pp_bdf_parse(text, &bdf))
		return 0;
	pp_error_set(err, "usage", PP_EXIT_USAGE, "\"%s\" is not a device", text);
	return pp_error_hint(err, "a device is an address (0000:01:00.0 or 01:00.0) or gpuN as in "
				  "peerpass status");
}

static void list_gpus(const struct pp_inventory *inv, char *buf, size_t size)
{
	size_t used = 0;

	buf[0] = '\0';
	for (size_t i = 0; i < inv->devices.n && used < size; i++) {
		const struct pp_device *dev = &inv->devices.v[i];
		char text[PP_BDF_LEN];

		if (dev->gpu >= 0)
			used += (size_t)snprintf(buf + used, size - used, "%sgpu%d %s",
						 used ? ", " : "", dev->gpu,
						 pp_bdf_text(dev->bdf, text));
	}
}

/**
 * pp_devsel_check - are these names of devices at all?
 *
 * Needs no inventory, so that a malformed command line is refused before
 * anything is asked of the system.
 *
 * Return: 0, or -1 with @err filled in.
 */
int pp_devsel_check(char **texts, int count, struct pp_error *err)
{
	for (int i = 0; i < count; i++) {
		if (check(texts[i], err))
			return -1;
	}
	return 0;
}

/**
 * pp_devsel - find the device that @text names
 *
 * Return: the device, owned by @inv; NULL with @err filled in, which then lists
 * what there is.
 */
struct pp_device *pp_devsel(const struct pp_inventory *inv, const char *text,
			    struct pp_error *err)
{
	struct pp_device *dev = NULL;
	char known[sizeof(err->hint) - 32];
	struct pp_bdf bdf;
	int gpu;

	if (check(text, err))
		return NULL;
	gpu = gpu_number(text);
	if (gpu < 0 && pp_bdf_parse(text, &bdf))
		dev = pp_inventory_find(inv, bdf);
	for (size_t i = 0; gpu >= 0 && i < inv->devices.n; i++) {
		if (inv->devices.v[i].gpu == gpu)
			dev = &inv->devices.v[i];
	}
	if (dev)
		return dev;
	list_gpus(inv, known, sizeof(known));
	pp_error_set(err, "no_device", PP_EXIT_FAILED, "there is no device %s", text);
	if (known[0])
		pp_error_hint(err, "there are: %s", known);
	else
		pp_error_hint(err, "no device here is selected by a rule, a display controller or "
				   "an accelerator; see peerpass status --all");
	return NULL;
}
