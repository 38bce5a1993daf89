/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Faults that the test-only CUDA has caused, in the file that FAKE_FAULTS names; a line
 * each: INITIATOR TARGET BAR KIND COUNT. TARGET "-" is an unassigned address.
 */
#ifndef PEERPASS_TEST_FAKENL_FAULTS_H
#define PEERPASS_TEST_FAKENL_FAULTS_H

#include <stdint.h>

void fake_faults_of(uint32_t domain, uint16_t rid, uint64_t *counts);
void fake_fault_pairs(void (*put)(const char *text, uint16_t flags), uint16_t flags);

#endif /* PEERPASS_TEST_FAKENL_FAULTS_H */
