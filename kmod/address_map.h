/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef PEERPASS_ADDRESS_MAP_H
#define PEERPASS_ADDRESS_MAP_H

#include "peerpass.h"

/**
 * struct pp_target - what lies at an address
 * @key: pp_key() of the device, with class bar only
 * @bar: its BAR, with class bar only
 * @offset: bytes from the BAR's start, with class bar only
 */
struct pp_target {
	enum peerpass_target_class class;
	u64 key;
	unsigned int bar;
	u64 offset;
};

/* MSI, and HyperTransport's interrupt range (AMD-Vi specification, 2.2.1). */
#define PP_MSI_START	0xfee00000ULL
#define PP_MSI_END	0xfeefffffULL
#define PP_HT_INT_START	0xfdf8000000ULL
#define PP_HT_INT_END	0xfdf8ffffffULL

static inline bool pp_interrupt_address(u64 addr)
{
	return (addr >= PP_MSI_START && addr <= PP_MSI_END) ||
	       (addr >= PP_HT_INT_START && addr <= PP_HT_INT_END);
}

int pp_address_map_init(enum peerpass_iommu_kind kind);
void pp_address_map_stale(void);
void pp_address_map_exit(void);
void pp_address_map_lookup(u64 addr, struct pp_target *target);

#endif /* PEERPASS_ADDRESS_MAP_H */
