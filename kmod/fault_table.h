/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef PEERPASS_FAULT_TABLE_H
#define PEERPASS_FAULT_TABLE_H

#include <linux/atomic.h>

#include "peerpass.h"

#define PP_FAULT_KINDS	(PEERPASS_FAULT_KIND_MAX + 1)

struct pci_dev;

/**
 * struct pp_fault - one fault as the hardware reported it
 * @key: pp_key() of the initiator
 * @addr: its address, 0 when the hardware gave none
 */
struct pp_fault {
	u64 key;
	u64 addr;
	enum peerpass_fault_kind kind;
};

/* struct pp_fault_counts - faults of one initiator */
struct pp_fault_counts {
	u64 total;
	u64 by_kind[PP_FAULT_KINDS];
};

/* struct pp_fault_pair - faults of one initiator at one target */
struct pp_fault_pair {
	u64 initiator;
	u64 target;
	enum peerpass_target_class class;
	unsigned int bar;
	u64 read;
	u64 write;
	u64 other;
};

int pp_fault_table_init(void);
void pp_fault_table_exit(void);

void pp_fault_record(const struct pp_fault *fault);

u64 pp_fault_count(struct pci_dev *pdev, enum peerpass_fault_kind kind);
void pp_fault_counts(u64 key, struct pp_fault_counts *counts);
bool pp_fault_next_initiator(unsigned int *pos, u64 *key,
			     struct pp_fault_counts *counts);
bool pp_fault_next_pair(unsigned int *pos, struct pp_fault_pair *pair);
bool pp_fault_table_full(void);

#endif /* PEERPASS_FAULT_TABLE_H */
