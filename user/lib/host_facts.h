/* SPDX-License-Identifier: GPL-2.0-only */
/* What a verdict is only good for: this boot, this kernel, this driver. */
#ifndef PEERPASS_HOST_FACTS_H
#define PEERPASS_HOST_FACTS_H

#include <jansson.h>
#include <stdint.h>

#include "container.h"

/**
 * struct pp_host_facts - the host, apart from its devices
 * @boot_id: of the kernel's, another one at each boot; empty when not readable
 * @kernel: its release
 * @container: kind of container that this process runs in, empty without one
 * @driver: version of the NVIDIA driver, empty without it
 * @dma_remap_peer_mmio: enum peerpass_tristate, its option DmaRemapPeerMmio
 */
struct pp_host_facts {
	char boot_id[40];
	char kernel[128];
	char container[PP_CONTAINER_LEN];
	char driver[32];
	uint32_t dma_remap_peer_mmio;
};

void pp_host_facts_read(const char *root, struct pp_host_facts *facts);
json_t *pp_json_host(const struct pp_host_facts *facts);
json_t *pp_json_driver(const struct pp_host_facts *facts, int cuda_version);

#endif /* PEERPASS_HOST_FACTS_H */
