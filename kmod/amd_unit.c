// SPDX-License-Identifier: GPL-2.0-only
/*
 * Where an AMD IOMMU's registers and event log are: the ACPI IVRS table gives the
 * registers, and they give the log.
 */
#include <linux/acpi.h>
#include <linux/bits.h>
#include <linux/io.h>
#include <linux/mem_encrypt.h>
#include <linux/mm.h>
#include <linux/pci.h>
#include <linux/slab.h>
#include <linux/vmalloc.h>

#include "amd_log.h"
#include "unit_map.h"

/* Up to the last register that is read. */
#define REGS_SIZE	0x3000

/* Bits of the event log base register (AMD-Vi specification, section 3.4.3). */
#define EVT_BASE_ADDR	GENMASK_ULL(51, 12)
#define EVT_BASE_LEN(r)	((u32)((r) >> 56 & 0xf))

/*
 * Base of the IOMMU that is PCI function @devid of @segment. Every IOMMU has up
 * to three blocks (types 10h, 11h, 40h), which agree on the base.
 */
static u64 ivrs_base(u16 segment, u16 devid)
{
	struct acpi_table_header *table;
	u64 base = 0;
	u8 *at, *end;

	if (ACPI_FAILURE(acpi_get_table(ACPI_SIG_IVRS, 0, &table)))
		return 0;
	at = (u8 *)table + sizeof(struct acpi_table_ivrs);
	end = (u8 *)table + table->length;
	while (at + sizeof(struct acpi_ivrs_hardware_10) <= end) {
		const struct acpi_ivrs_hardware_10 *block = (void *)at;
		u8 type = block->header.type;

		if (block->header.length < sizeof(block->header))
			break;
		if ((type == ACPI_IVRS_TYPE_HARDWARE1 ||
		     type == ACPI_IVRS_TYPE_HARDWARE2 ||
		     type == ACPI_IVRS_TYPE_HARDWARE3) &&
		    block->header.device_id == devid &&
		    block->pci_segment_group == segment) {
			base = block->base_address;
			break;
		}
		at += block->header.length;
	}
	acpi_put_table(table);
	return base;
}

/*
 * The log is RAM that the driver allocated; a mapping of our own keeps us from
 * ever writing to it, and carries the encryption bit where the kernel uses one.
 */
static const u32 *map_log(u64 phys, u32 size)
{
	unsigned int nr = size >> PAGE_SHIFT, i;
	struct page **pages;
	void *log = NULL;

	pages = kcalloc(nr, sizeof(*pages), GFP_KERNEL);
	if (!pages)
		return NULL;
	for (i = 0; i < nr; i++) {
		unsigned long pfn = (phys >> PAGE_SHIFT) + i;

		if (!pfn_valid(pfn))
			goto out;
		pages[i] = pfn_to_page(pfn);
	}
	log = vmap(pages, nr, VM_MAP, PAGE_KERNEL_RO);
out:
	kfree(pages);
	return log;
}

/**
 * pp_amd_unit_map - map an AMD IOMMU's registers and event log
 * @unit: filled in
 * @dev: its device below /sys/class/iommu; the parent is its PCI function
 *
 * Return: 0 or a negative error; then nothing is mapped.
 */
int pp_amd_unit_map(struct pp_unit *unit, struct device *dev)
{
	struct pci_dev *self;
	u64 base, reg, phys;

	if (!dev->parent || !dev_is_pci(dev->parent))
		return -ENODEV;
	self = to_pci_dev(dev->parent);
	unit->segment = pci_domain_nr(self->bus);
	unit->self = pp_key(unit->segment, pci_dev_id(self));
	base = ivrs_base(unit->segment, pci_dev_id(self));
	if (!base)
		return -ENODEV;
	unit->regs = ioremap(base, REGS_SIZE);
	if (!unit->regs)
		return -ENOMEM;
	reg = readq(unit->regs + PP_AMD_EVT_BASE);
	/* 8 means 256 entries, the smallest; 15 means 32768, the largest. */
	if (EVT_BASE_LEN(reg) < 8)
		goto err_unmap;
	unit->size = (u32)PP_AMD_ENTRY_SIZE << EVT_BASE_LEN(reg);
	phys = reg & EVT_BASE_ADDR & ~sme_me_mask;
	unit->log = map_log(phys, max_t(u32, unit->size, PAGE_SIZE));
	if (!unit->log)
		goto err_unmap;
	return 0;

err_unmap:
	iounmap(unit->regs);
	unit->regs = NULL;
	return -EIO;
}

void pp_amd_unit_unmap(struct pp_unit *unit)
{
	vunmap(unit->log);
	iounmap(unit->regs);
}
