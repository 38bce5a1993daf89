// SPDX-License-Identifier: GPL-2.0-only
/*
 * VT-d fault recording registers, read when the driver is about to read and
 * clear them (drivers/iommu/intel/dmar.c:dmar_fault()). Never written.
 *
 * Formats: Intel VT-d specification, sections 7.2 (fault reasons) and 11.4.14.
 */
#include "fault_table.h"
#include "vtd_records.h"

/* Bits of a record's last 32-bit word. */
#define RECORD_FAULT	BIT(31)
#define RECORD_READ	BIT(30)

/**
 * pp_vtd_fault_kind - what a fault reason says
 * @reason: the FR field
 * @read: the T bit: the request was a read
 */
enum peerpass_fault_kind pp_vtd_fault_kind(u32 reason, bool read)
{
	switch (reason) {
	case 0x01 ... 0x03:	/* root or context entry not present, invalid */
	case 0x08 ... 0x0b:	/* root or context table unreachable, reserved bits */
	case 0x30 ... 0x5f:	/* the same for scalable mode and PASID tables */
		return PEERPASS_FAULT_KIND_ILLEGAL_DEV_TABLE_ENTRY;
	case 0x20 ... 0x2f:	/* interrupt remapping */
		return PEERPASS_FAULT_KIND_INTERRUPT;
	default:
		return read ? PEERPASS_FAULT_KIND_READ :
			      PEERPASS_FAULT_KIND_WRITE;
	}
}

/* Return: false when the record holds no fault. */
static bool count_record(struct pp_unit *unit, unsigned int index)
{
	unsigned int at = unit->records + index * PP_VTD_RECORD_SIZE;
	u32 top = unit->ops->read32(unit, at + 12);
	struct pp_fault fault;

	if (!(top & RECORD_FAULT))
		return false;
	fault.kind = pp_vtd_fault_kind(top & 0xff, top & RECORD_READ);
	fault.key = pp_key(unit->segment,
			   unit->ops->read32(unit, at + 8) & 0xffff);
	/* An interrupt fault has an index there, no address. */
	fault.addr = fault.kind == PEERPASS_FAULT_KIND_INTERRUPT ?
		     0xfee00000 :
		     unit->ops->read64(unit, at) & ~0xfffULL;
	pp_fault_record(&fault);
	unit->total++;
	return true;
}

/**
 * pp_vtd_records_read - count what the driver is about to clear
 * @unit: the IOMMU
 *
 * Context: at the entry of the unit's own dmar_fault(), @unit->lock held.
 * Reading at any other moment would count a record twice.
 */
void pp_vtd_records_read(struct pp_unit *unit)
{
	u32 status = unit->ops->read32(unit, PP_VTD_FSTS);
	unsigned int i, first = (status >> 8 & 0xff) % unit->nr_records;

	if (status & PP_VTD_FSTS_PFO) {
		unit->overflows++;
		unit->inexact |= PEERPASS_INEXACT_OVERFLOW;
	}
	if (!(status & PP_VTD_FSTS_PPF))
		return;
	for (i = 0; i < unit->nr_records; i++)
		if (!count_record(unit, (first + i) % unit->nr_records))
			break;
}

/**
 * pp_vtd_records_pending - is there a fault that the driver has not handled?
 * @unit: the IOMMU
 *
 * Context: @unit->lock held.
 */
bool pp_vtd_records_pending(struct pp_unit *unit)
{
	return unit->ops->read32(unit, PP_VTD_FSTS) & PP_VTD_FSTS_PPF;
}
