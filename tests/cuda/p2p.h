/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The one way from a device to another's memory, for the copy engine and for
 * kernels: here go wrong what the switches say.
 */
#ifndef TEST_CUDA_P2P_H
#define TEST_CUDA_P2P_H

#include "device.h"

struct launch;

/**
 * struct crossing - a P2P transfer
 * @by: whose engine does it, as the initiator
 * @peer: whose memory it reaches
 * @launch: the kernel that does it; NULL for the copy engine
 * @flag: it is what pp_poke32() or pp_peek32() is about
 * @offset: in the peer's memory
 */
struct crossing {
	struct device *by, *peer;
	struct launch *launch;
	bool flag;
	uint64_t offset;
	size_t len;
};

/* Without the lock. Of a failed read @to keeps what it had. */
CUresult p2p_write(const struct crossing *c, const void *from);
CUresult p2p_read(const struct crossing *c, void *to);

/* What a copy by the copy engine fails with before it is added to a stream. */
CUresult p2p_refuses_copy(const struct device *by, const struct device *peer);

/* Do the switches mean what @by does to or from @peer's memory? */
bool p2p_concerned(const struct device *by, const struct device *peer);

#endif /* TEST_CUDA_P2P_H */
