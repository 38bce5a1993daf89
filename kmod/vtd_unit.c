// SPDX-License-Identifier: GPL-2.0-only
/*
 * Where a VT-d unit's fault recording registers are: the driver's sysfs attribute
 * gives the base, the ACPI DMAR table the segment, the CAP register the rest.
 */
#include <linux/acpi.h>
#include <linux/device.h>
#include <linux/gfp.h>
#include <linux/io.h>
#include <linux/kernfs.h>
#include <linux/kstrtox.h>
#include <linux/mm.h>
#include <linux/sysfs.h>

#include "sysfs_attr.h"
#include "unit_map.h"
#include "vtd_records.h"

/* Segment of the unit whose registers are at @base. Return: 0 or -ENODEV. */
static int dmar_segment(u64 base, u32 *segment)
{
	struct acpi_table_header *table;
	int ret = -ENODEV;
	u8 *at, *end;

	if (ACPI_FAILURE(acpi_get_table(ACPI_SIG_DMAR, 0, &table)))
		return -ENODEV;
	at = (u8 *)table + sizeof(struct acpi_table_dmar);
	end = (u8 *)table + table->length;
	while (at + sizeof(struct acpi_dmar_hardware_unit) <= end) {
		const struct acpi_dmar_hardware_unit *unit = (void *)at;

		if (unit->header.length < sizeof(unit->header))
			break;
		if (unit->header.type == ACPI_DMAR_TYPE_HARDWARE_UNIT &&
		    unit->address == base) {
			*segment = unit->segment;
			ret = 0;
			break;
		}
		at += unit->header.length;
	}
	acpi_put_table(table);
	return ret;
}

static int register_base(struct device *dev, u64 *base)
{
	struct kernfs_node *dir = sysfs_get_dirent(dev->kobj.sd, "intel-iommu");
	char *page = (char *)get_zeroed_page(GFP_KERNEL);
	int ret = -ENOENT;

	if (dir && page)
		ret = pp_sysfs_show(dir, "address", page);
	if (ret >= 0)
		ret = kstrtou64(page, 16, base);
	free_page((unsigned long)page);
	kernfs_put(dir);
	return ret;
}

/**
 * pp_vtd_unit_map - map a VT-d unit's registers up to its last fault record
 * @unit: filled in
 * @dev: its device below /sys/class/iommu
 *
 * Return: 0 or a negative error; then nothing is mapped.
 */
int pp_vtd_unit_map(struct pp_unit *unit, struct device *dev)
{
	u64 base, cap;
	int ret;

	ret = register_base(dev, &base);
	if (!ret)
		ret = dmar_segment(base, &unit->segment);
	if (ret)
		return ret;
	unit->self = pp_key(unit->segment, 0);
	unit->regs = ioremap(base, PAGE_SIZE);
	if (!unit->regs)
		return -ENOMEM;
	cap = readq(unit->regs + PP_VTD_CAP);
	unit->records = pp_vtd_cap_records(cap);
	unit->nr_records = pp_vtd_cap_nr_records(cap);
	iounmap(unit->regs);
	unit->regs = ioremap(base, PAGE_ALIGN(unit->records +
					      unit->nr_records *
					      PP_VTD_RECORD_SIZE));
	if (!unit->regs)
		return -ENOMEM;
	/* One record, or some, and repeats from one source are collapsed. */
	unit->inexact = PEERPASS_INEXACT_FEW_RECORDS;
	return 0;
}

void pp_vtd_unit_unmap(struct pp_unit *unit)
{
	iounmap(unit->regs);
}
