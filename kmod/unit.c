// SPDX-License-Identifier: GPL-2.0-only
/*
 * The machine's IOMMUs, found through the devices behind them.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/device/class.h>
#include <linux/io.h>
#include <linux/iommu.h>
#include <linux/pci.h>
#include <linux/slab.h>

#include "unit.h"
#include "unit_map.h"

struct pp_unit *pp_units[PP_MAX_UNITS];
unsigned int pp_nr_units;

static enum peerpass_iommu_kind iommu_kind = PEERPASS_IOMMU_KIND_NONE;

/*
 * A driver's own object contains the struct iommu_device that we know the
 * address of, at the same offset in each; learned from the objects seen. For an
 * object whose handle we know the nearest handle behind its address is its own;
 * for any other (a unit that the driver ignores) it is farther away. So the
 * smallest offset seen is the right one.
 */
static unsigned long handle_offset;
/* No driver's object is larger. */
#define MAX_OBJECT	16384

static u32 mmio_read32(const struct pp_unit *unit, unsigned int offset)
{
	return readl(unit->regs + offset);
}

static u64 mmio_read64(const struct pp_unit *unit, unsigned int offset)
{
	return readq(unit->regs + offset);
}

const struct pp_unit_ops pp_mmio_ops = {
	.read32 = mmio_read32,
	.read64 = mmio_read64,
};

/* Takes the nearest handle behind an object for the offset, if it is nearer. */
static void learn_offset(unsigned long object)
{
	unsigned long best = READ_ONCE(handle_offset);
	unsigned int i;

	for (i = 0; i < pp_nr_units; i++) {
		unsigned long offset = pp_units[i]->handle - object;

		if (offset && offset < MAX_OBJECT && (!best || offset < best))
			best = offset;
	}
	WRITE_ONCE(handle_offset, best);
}

static struct pp_unit *look_up(unsigned long object)
{
	unsigned long offset = READ_ONCE(handle_offset);
	unsigned int i;

	for (i = 0; offset && i < pp_nr_units; i++)
		if (pp_units[i]->handle == object + offset)
			return pp_units[i];
	return NULL;
}

/**
 * pp_unit_of - the unit that is the driver's object at an address
 * @object: address of a struct amd_iommu or intel_iommu
 *
 * Context: any. Return: NULL when it is none.
 */
struct pp_unit *pp_unit_of(unsigned long object)
{
	struct pp_unit *unit = look_up(object);

	if (unit)
		return unit;
	learn_offset(object);
	return look_up(object);
}

/* pp_unit_of_device - the unit that a device is behind, or NULL */
struct pp_unit *pp_unit_of_device(struct pci_dev *pdev)
{
	struct dev_iommu *iommu = pdev->dev.iommu;
	unsigned int i;

	if (!iommu)
		return NULL;
	for (i = 0; i < pp_nr_units; i++)
		if (pp_units[i]->handle == (unsigned long)iommu->iommu_dev)
			return pp_units[i];
	return NULL;
}

/* pp_units_kind - what translates DMA here */
enum peerpass_iommu_kind pp_units_kind(void)
{
	return iommu_kind;
}

static enum peerpass_iommu_kind kind_of(const char *name)
{
	if (!strncmp(name, "ivhd", 4))
		return PEERPASS_IOMMU_KIND_AMD_VI;
	if (!strncmp(name, "dmar", 4))
		return PEERPASS_IOMMU_KIND_VT_D;
	return PEERPASS_IOMMU_KIND_OTHER;
}

static int add_unit(struct device *dev)
{
	enum peerpass_iommu_kind kind = kind_of(dev_name(dev));
	struct pp_unit *unit;
	int ret;

	iommu_kind = kind;
	if (kind == PEERPASS_IOMMU_KIND_OTHER)
		return 0;
	if (pp_nr_units == PP_MAX_UNITS) {
		pr_warn("%s: more than %u IOMMUs, its faults are not counted\n",
			dev_name(dev), PP_MAX_UNITS);
		pp_units[0]->inexact |= PEERPASS_INEXACT_NO_HARDWARE_ACCESS;
		return 0;
	}
	unit = kzalloc(sizeof(*unit), GFP_KERNEL);
	if (!unit)
		return -ENOMEM;
	unit->kind = kind;
	unit->ops = &pp_mmio_ops;
	unit->handle = (unsigned long)dev_get_drvdata(dev);
	raw_spin_lock_init(&unit->lock);
	strscpy(unit->name, dev_name(dev), sizeof(unit->name));
	ret = kind == PEERPASS_IOMMU_KIND_AMD_VI ? pp_amd_unit_map(unit, dev) :
						   pp_vtd_unit_map(unit, dev);
	if (ret) {
		/* Kept without registers, so that its faults are known unknown. */
		pr_warn("%s: fault records cannot be read, error %d\n",
			unit->name, ret);
		unit->inexact = PEERPASS_INEXACT_NO_HARDWARE_ACCESS;
	}
	pp_units[pp_nr_units++] = unit;
	return 0;
}

/* Any device behind an IOMMU leads to the class that lists all IOMMUs. */
static const struct class *iommu_class(void)
{
	const struct class *class = NULL;
	struct pci_dev *pdev = NULL;

	for_each_pci_dev(pdev) {
		struct dev_iommu *iommu = pdev->dev.iommu;

		if (iommu && iommu->iommu_dev && iommu->iommu_dev->dev) {
			class = iommu->iommu_dev->dev->class;
			pci_dev_put(pdev);
			break;
		}
	}
	return class;
}

/* virtio-iommu and others have no class device, but groups. */
static bool any_group(void)
{
	struct pci_dev *pdev = NULL;

	for_each_pci_dev(pdev) {
		if (pdev->dev.iommu_group) {
			pci_dev_put(pdev);
			return true;
		}
	}
	return false;
}

/**
 * pp_units_init - find the IOMMUs and map their fault records
 *
 * Return: 0, also when there is none; -ENOMEM.
 */
int pp_units_init(void)
{
	const struct class *class;
	struct class_dev_iter iter;
	struct device *dev;
	int ret = 0;

	/* No device loses its IOMMU data while this is held. */
	pci_lock_rescan_remove();
	class = iommu_class();
	iommu_kind = class || !any_group() ? PEERPASS_IOMMU_KIND_NONE :
					     PEERPASS_IOMMU_KIND_OTHER;
	pci_unlock_rescan_remove();
	if (!class)
		return 0;
	class_dev_iter_init(&iter, (struct class *)class, NULL, NULL);
	while (!ret && (dev = class_dev_iter_next(&iter)))
		ret = add_unit(dev);
	class_dev_iter_exit(&iter);
	if (ret)
		pp_units_exit();
	return ret;
}

/* pp_units_exit - after every reader of the units is stopped */
void pp_units_exit(void)
{
	while (pp_nr_units) {
		struct pp_unit *unit = pp_units[--pp_nr_units];

		if (unit->regs && unit->kind == PEERPASS_IOMMU_KIND_AMD_VI)
			pp_amd_unit_unmap(unit);
		else if (unit->regs)
			pp_vtd_unit_unmap(unit);
		kfree(unit);
	}
	handle_offset = 0;
}
