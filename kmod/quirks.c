// SPDX-License-Identifier: GPL-2.0-only
/*
 * Devices whose firmware is known not to start in an identity domain. Pure, for
 * the module as for the helper.
 *
 * NVIDIA Blackwell: when its driver first loads, the GPU's FSP reads the boot
 * image from host memory. On hosts where the group was identity at that moment,
 * FSP answered the boot commands with error 0x177 and the GPU did not start; in a
 * translating domain it did. What the error means is not public: this is an
 * observation, and every chip of the family is taken to be alike.
 *
 * Ranges: NVIDIA gpu-admin-tools, gpu/devid_chips.py, unless said.
 */
#ifdef __KERNEL__
#include <linux/kernel.h>
#include <linux/stddef.h>
#else
#include <stddef.h>

#define ARRAY_SIZE(a)	(sizeof(a) / sizeof((a)[0]))
#endif

#include "quirks.h"

#define VENDOR_NVIDIA	0x10de

static const struct {
	unsigned short vendor;
	unsigned short first;
	unsigned short last;
	const char *name;
} firmware_quirks[] = {
	{ VENDOR_NVIDIA, 0x2900, 0x297f, "Blackwell GB100" },
	{ VENDOR_NVIDIA, 0x2980, 0x29ff, "Blackwell GB102" },
	{ VENDOR_NVIDIA, 0x2b80, 0x2bff, "Blackwell GB202" },
	{ VENDOR_NVIDIA, 0x2c00, 0x2c7f, "Blackwell GB203" },
	{ VENDOR_NVIDIA, 0x2d00, 0x2d7f, "Blackwell GB206" },
	{ VENDOR_NVIDIA, 0x2d80, 0x2dff, "Blackwell GB207" },
	{ VENDOR_NVIDIA, 0x2f00, 0x2f7f, "Blackwell GB205" },
	/*
	 * open-gpu-kernel-modules, pci_devid_is_self_hosted_blackwell(), has
	 * 31c0 to 31ff; the chip's other half, with the B300, lies below.
	 */
	{ VENDOR_NVIDIA, 0x3180, 0x31ff, "Blackwell GB110" },
};

/**
 * pp_quirk_firmware - is the firmware known not to start in an identity domain?
 * @vendor: PCI vendor id
 * @device: PCI device id
 *
 * Return: static name of the family, or NULL.
 */
const char *pp_quirk_firmware(unsigned short vendor, unsigned short device)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(firmware_quirks); i++)
		if (firmware_quirks[i].vendor == vendor &&
		    firmware_quirks[i].first <= device &&
		    firmware_quirks[i].last >= device)
			return firmware_quirks[i].name;
	return NULL;
}
