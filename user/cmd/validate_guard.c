// SPDX-License-Identifier: GPL-2.0-only
/* What has to be clear before the first GPU is touched. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lib/holders.h"
#include "uapi/linux/peerpass.h"
#include "validate.h"

/* It keeps every GPU open, and uses none. */
static bool harmless(const struct pp_holder *holder)
{
	return !strncmp(holder->command, "nvidia-persiste", 15);
}

/* Refused while a process uses one of them: results would be about both. */
static int check_busy(const struct validate_run *run, struct pp_error *err)
{
	for (int i = 0; i < run->gpu_count; i++) {
		struct pp_holder_list list = { 0 };
		const struct pp_device *dev = pp_inventory_find(run->inv, run->gpus[i].bdf);
		int group = dev && dev->group != PP_UNKNOWN ? (int)dev->group : -1;

		if (pp_holders(run->gpus[i].bdf, group, &list, err))
			return -1;
		for (size_t k = 0; k < list.n; k++) {
			const struct pp_holder *h = &list.v[k];

			if (harmless(h))
				continue;
			pp_error_set(err, "gpu_busy", PP_EXIT_FAILED,
				     "%s is used by process %d (%s%s%s): %s", run->gpus[i].label,
				     (int)h->pid, h->command, h->container[0] ? ", " : "",
				     h->container, h->what);
			pp_error_hint(err, "end it, or test all the same with --busy-ok");
			free(list.v);
			return -1;
		}
		free(list.v);
	}
	return 0;
}

static const char *vfio_device(const struct validate_run *run, char buf[PP_BDF_LEN])
{
	for (size_t i = 0; i < run->inv->devices.n; i++)
		if (!strcmp(run->inv->devices.v[i].driver, "vfio-pci"))
			return pp_bdf_text(run->inv->devices.v[i].bdf, buf);
	return NULL;
}

/* A terminal is asked; a script that says --force has been told by the manual. */
static int confirm_force(const struct validate_run *run, struct pp_error *err)
{
	char bdf[PP_BDF_LEN], answer[16] = "";
	const char *vfio = vfio_device(run, bdf);

	fprintf(stderr, "peerpass: --force: some platforms treat an aborted transfer as a fatal "
			"error (AER) and reset,\nand what the IOMMU maps where a BAR is may be "
			"overwritten.\n");
	if (!vfio || !isatty(STDIN_FILENO))
		return 0;
	fprintf(stderr, "%s is bound to vfio-pci: a virtual machine may be running. Go on? [y/N] ",
		vfio);
	if (fgets(answer, sizeof(answer), stdin) && (answer[0] == 'y' || answer[0] == 'Y'))
		return 0;
	return pp_error_set(err, "not_confirmed", PP_EXIT_FAILED, "nothing was tested");
}

/**
 * validate_guard - may the GPUs be tested at all?
 *
 * Return: 0, or -1 with @err filled in; nothing was touched.
 */
int validate_guard(const struct validate_run *run, struct pp_error *err)
{
	if (!run->args->busy_ok && check_busy(run, err))
		return -1;
	return run->args->force ? confirm_force(run, err) : 0;
}
