/* SPDX-License-Identifier: GPL-2.0-only */
/* The IOMMU that GPUs of memory only do not have. */
#ifndef TEST_CUDA_FAULTS_H
#define TEST_CUDA_FAULTS_H

#include "device.h"

void faults_report(const struct device *initiator, const struct device *peer, bool write);

#endif /* TEST_CUDA_FAULTS_H */
