// SPDX-License-Identifier: GPL-2.0-only
/* PCI functions as sysfs and the PCI id database (through libpci) describe them. */
#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <pci/pci.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "group.h"
#include "model_wire.h"
#include "names.h"
#include "pci.h"
#include "sysfs.h"
#include "uapi/linux/peerpass.h"

static bool read_number(const char *bdf, const char *file, long *value)
{
	char path[128], text[32], *end;

	snprintf(path, sizeof(path), PP_SYSFS_DEVICES "/%s/%s", bdf, file);
	if (!pp_sysfs_line(path, text, sizeof(text)))
		return false;
	*value = strtol(text, &end, 0);
	return end != text && !*end;
}

/* What the kernel says is the default domain's type of the device's group. */
static void read_group(const char *bdf, struct pp_device *dev)
{
	char text[512], path[128];

	dev->actual = PEERPASS_DOMAIN_TYPE_NONE;
	snprintf(path, sizeof(path), PP_SYSFS_DEVICES "/%s/iommu_group", bdf);
	if (!pp_sysfs_link(path, text, sizeof(text)))
		return;
	dev->group = (uint32_t)strtoul(pp_sysfs_last_part(text), NULL, 10);
	snprintf(path, sizeof(path), "/sys/kernel/iommu_groups/%" PRIu32 "/type", dev->group);
	dev->actual = pp_sysfs_line(path, text, sizeof(text)) ? pp_domain_type_from_sysfs(text) :
							    PP_UNKNOWN;
}

static void read_device(const char *bdf, struct pp_device *dev)
{
	long vendor, device, class, node;

	dev->present = true;
	dev->has_id = read_number(bdf, "vendor", &vendor) &&
		      read_number(bdf, "device", &device) && read_number(bdf, "class", &class);
	if (dev->has_id) {
		dev->vendor = (uint16_t)vendor;
		dev->device = (uint16_t)device;
		dev->class = (uint32_t)class;
	}
	if (read_number(bdf, "numa_node", &node))
		dev->numa_node = (int32_t)node;
	pp_driver_of(dev->bdf, dev->driver, sizeof(dev->driver));
	read_group(bdf, dev);
}

/**
 * pp_pci_scan - every PCI function, as sysfs shows it, in no order
 * @list: free @list->v, also after -1
 */
int pp_pci_scan(struct pp_device_list *list, struct pp_error *err)
{
	struct dirent *entry;
	int ret = 0;
	DIR *dir;

	*list = (struct pp_device_list){ 0 };
	dir = opendir(PP_SYSFS_DEVICES);
	if (!dir)
		return pp_error_set(err, "system", PP_EXIT_FAILED,
				    "cannot list PCI devices in %s: %s", PP_SYSFS_DEVICES, strerror(errno));
	while (!ret && (entry = readdir(dir))) {
		struct pp_device *v, *dev;
		struct pp_bdf bdf;

		if (!pp_bdf_parse(entry->d_name, &bdf))
			continue;
		v = pp_grow(list->v, list->n, sizeof(*v), err);
		if (!v) {
			ret = -1;
			continue;
		}
		list->v = v;
		dev = &v[list->n++];
		pp_device_init(dev);
		dev->bdf = bdf;
		read_device(entry->d_name, dev);
	}
	closedir(dir);
	return ret;
}

static jmp_buf names_failed;

/* libpci wants a function that does not return; its own ends the process. */
static void __attribute__((noreturn)) names_error(char *msg, ...)
{
	(void)msg;
	longjmp(names_failed, 1);
}

static void names_silent(char *msg, ...)
{
	(void)msg;
}

/**
 * pp_pci_names - fill in @name of each device
 *
 * From the installed PCI id database; a device that is not in it keeps an empty
 * name. Never asks the network.
 */
void pp_pci_names(struct pp_device_list *list)
{
	struct pci_access *access = pci_alloc();

	if (!access)
		return;
	access->error = names_error;
	access->warning = names_silent;
	access->debug = names_silent;
	if (setjmp(names_failed)) {
		/* A damaged database: what libpci has allocated is lost, the names too. */
		return;
	}
	for (size_t i = 0; i < list->n; i++) {
		struct pp_device *dev = &list->v[i];

		if (!dev->has_id || dev->name[0])
			continue;
		if (!pci_lookup_name(access, dev->name, sizeof(dev->name),
				     PCI_LOOKUP_DEVICE | PCI_LOOKUP_NO_NUMBERS, dev->vendor,
				     dev->device))
			dev->name[0] = '\0';
	}
	pci_cleanup(access);
}

/**
 * pp_pci_short_name - a model name for a narrow column
 *
 * "GB202GL [RTX PRO 6000 Blackwell]" is known by what the brackets hold. A
 * device without a name is called by its numbers.
 */
void pp_pci_short_name(const struct pp_device *dev, char *buf, size_t size)
{
	const char *open = strchr(dev->name, '['), *close = open ? strchr(open, ']') : NULL;

	if (close && close > open + 1)
		snprintf(buf, size, "%.*s", (int)(close - open - 1), open + 1);
	else if (dev->name[0])
		snprintf(buf, size, "%s", dev->name);
	else if (dev->has_id)
		snprintf(buf, size, "%04x:%04x", dev->vendor, dev->device);
	else
		snprintf(buf, size, "-");
}

/** pp_pci_is_accelerator - a display controller or processing accelerator */
bool pp_pci_is_accelerator(const struct pp_device *dev)
{
	uint32_t base = dev->class >> 16;

	return dev->has_id && (base == 0x03 || base == 0x12);
}
