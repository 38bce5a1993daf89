// SPDX-License-Identifier: GPL-2.0-only
/* All that is known about this host: from the module, completed from sysfs. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "inventory.h"
#include "model_wire.h"
#include "pci.h"
#include "uapi/linux/peerpass.h"

static int compare(const void *a, const void *b)
{
	return pp_bdf_compare(((const struct pp_device *)a)->bdf,
			      ((const struct pp_device *)b)->bdf);
}

static void sort(struct pp_device_list *list)
{
	if (list->n)
		qsort(list->v, list->n, sizeof(*list->v), compare);
}

/*
 * The module lists functions behind an IOMMU; sysfs has the others, so that a
 * GPU does not disappear from view on a host whose IOMMU is off.
 */
static int add_missing(struct pp_device_list *list, const struct pp_device_list *host,
		       struct pp_error *err)
{
	size_t known = list->n;

	for (size_t i = 0; i < host->n; i++) {
		struct pp_device *v;

		if (bsearch(&host->v[i], list->v, known, sizeof(*list->v), compare))
			continue;
		v = pp_grow(list->v, list->n, sizeof(*v), err);
		if (!v)
			return -1;
		list->v = v;
		v[list->n++] = host->v[i];
	}
	sort(list);
	return 0;
}

/**
 * pp_inventory_number - give the devices their N of gpuN
 * @list: ordered by address
 *
 * In the order of their addresses, those that a rule selects and all display
 * controllers and processing accelerators.
 */
void pp_inventory_number(struct pp_device_list *list)
{
	int next = 0;

	for (size_t i = 0; i < list->n; i++) {
		struct pp_device *dev = &list->v[i];

		dev->gpu = dev->present && (dev->selected || pp_pci_is_accelerator(dev)) ? next++ :
											   -1;
	}
}

/**
 * pp_inventory_load - ask the module, if there is one, and sysfs
 * @inv: to be freed, also after -1
 * @nl: NULL without the module
 */
int pp_inventory_load(struct pp_inventory *inv, struct pp_nl *nl, struct pp_error *err)
{
	struct pp_device_list host;
	int ret;

	memset(inv, 0, sizeof(*inv));
	if (nl) {
		inv->module = true;
		if (pp_get_info(nl, &inv->info, err))
			return -1;
		/* A module that was loaded to do nothing refuses to list devices. */
		if (inv->info.state == PEERPASS_RUN_STATE_ACTIVE &&
		    (pp_get_devices(nl, &inv->devices, err) ||
		     pp_get_pairs(nl, &inv->pairs, err) ||
		     pp_get_windows(nl, &inv->windows, err)))
			return -1;
		sort(&inv->devices);
	}
	ret = pp_pci_scan(&host, err);
	if (!ret)
		ret = add_missing(&inv->devices, &host, err);
	free(host.v);
	if (ret)
		return ret;
	pp_inventory_number(&inv->devices);
	pp_pci_names(&inv->devices);
	return 0;
}

/** pp_inventory_free - free what @inv owns */
void pp_inventory_free(struct pp_inventory *inv)
{
	pp_info_free(&inv->info);
	free(inv->devices.v);
	free(inv->pairs.v);
	free(inv->windows.v);
	memset(inv, 0, sizeof(*inv));
}

/** pp_inventory_find - the device at this address, or NULL */
struct pp_device *pp_inventory_find(const struct pp_inventory *inv, struct pp_bdf bdf)
{
	const struct pp_device key = { .bdf = bdf };

	if (!inv->devices.n)
		return NULL;
	return bsearch(&key, inv->devices.v, inv->devices.n, sizeof(*inv->devices.v), compare);
}

/** pp_inventory_label - "gpuN", or the address of a device without a number */
const char *pp_inventory_label(const struct pp_inventory *inv, struct pp_bdf bdf,
			       char buf[PP_BDF_LEN])
{
	const struct pp_device *dev = pp_inventory_find(inv, bdf);

	if (!dev || dev->gpu < 0)
		return pp_bdf_text(bdf, buf);
	snprintf(buf, PP_BDF_LEN, "gpu%d", dev->gpu);
	return buf;
}
