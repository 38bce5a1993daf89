/* SPDX-License-Identifier: GPL-2.0-only */
/* What a made-up domain maps at the BARs of another device. */
#ifndef TEST_FAKENL_REACH_H
#define TEST_FAKENL_REACH_H

#include "world.h"

void fake_put_reaches(const struct world *world, uint16_t flags);

#endif /* TEST_FAKENL_REACH_H */
