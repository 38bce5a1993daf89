/* SPDX-License-Identifier: GPL-2.0-only */
/* The address of a PCI function. */
#ifndef PEERPASS_BDF_H
#define PEERPASS_BDF_H

#include <stdbool.h>
#include <stdint.h>

/* Room for "DDDDDDDD:BB:DD.F". */
#define PP_BDF_LEN 24

/**
 * struct pp_bdf - a PCI function
 * @domain: segment; VMD has some above 0xffff
 * @rid: requester id, bus in the high byte, device and function in the low one
 */
struct pp_bdf {
	uint32_t domain;
	uint16_t rid;
};

bool pp_bdf_parse(const char *text, struct pp_bdf *bdf);
const char *pp_bdf_text(struct pp_bdf bdf, char buf[PP_BDF_LEN]);
int pp_bdf_compare(struct pp_bdf a, struct pp_bdf b);

static inline bool pp_bdf_equal(struct pp_bdf a, struct pp_bdf b)
{
	return a.domain == b.domain && a.rid == b.rid;
}

#endif /* PEERPASS_BDF_H */
