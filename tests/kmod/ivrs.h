/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef PP_TEST_IVRS_H
#define PP_TEST_IVRS_H

#include <linux/acpi.h>

/* Register base of the first AMD IOMMU; QEMU has only one. 0 when there is none. */
static inline u64 pp_test_first_unit(void)
{
	struct acpi_table_header *table;
	u8 *pos, *end;
	u64 base = 0;

	if (ACPI_FAILURE(acpi_get_table(ACPI_SIG_IVRS, 0, &table)))
		return 0;
	pos = (u8 *)table + sizeof(struct acpi_table_ivrs);
	end = (u8 *)table + table->length;
	while (!base && end - pos >= (int)sizeof(struct acpi_ivrs_hardware_10)) {
		struct acpi_ivrs_hardware_10 *h = (void *)pos;

		if (!h->header.length)
			break;
		switch (h->header.type) {
		case ACPI_IVRS_TYPE_HARDWARE1:
		case ACPI_IVRS_TYPE_HARDWARE2:
		case ACPI_IVRS_TYPE_HARDWARE3:
			/* The base is at the same place in all three. */
			base = h->base_address;
			break;
		}
		pos += h->header.length;
	}
	acpi_put_table(table);
	return base;
}

#endif /* PP_TEST_IVRS_H */
