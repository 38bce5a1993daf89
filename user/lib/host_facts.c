// SPDX-License-Identifier: GPL-2.0-only
/* What a verdict is only good for: this boot, this kernel, this driver. */
#include <stdio.h>
#include <string.h>

#include "host_facts.h"
#include "names.h"
#include "nvidia_driver.h"
#include "output.h"
#include "sysfs.h"

static void read_line(const char *root, const char *file, char *buf, size_t size)
{
	char path[256];

	snprintf(path, sizeof(path), "%s%s", root, file);
	if (!pp_sysfs_line(path, buf, size))
		buf[0] = '\0';
}

/**
 * pp_host_facts_read - what the kernel shows to every user
 * @root: put before every path; "" but for tests
 */
void pp_host_facts_read(const char *root, struct pp_host_facts *facts)
{
	memset(facts, 0, sizeof(*facts));
	read_line(root, "/proc/sys/kernel/random/boot_id", facts->boot_id,
		  sizeof(facts->boot_id));
	read_line(root, "/proc/sys/kernel/osrelease", facts->kernel, sizeof(facts->kernel));
	pp_container_kind(root, facts->container);
	pp_nvidia_version(root, facts->driver, sizeof(facts->driver));
	facts->dma_remap_peer_mmio = pp_nvidia_dma_remap(root);
}

/** pp_json_host - the key "host" of a verdict */
json_t *pp_json_host(const struct pp_host_facts *facts)
{
	return json_pack("{s:o, s:o, s:o}", "boot_id", pp_json_string_or_null(facts->boot_id),
			 "kernel", pp_json_string_or_null(facts->kernel),
			 "container", pp_json_string_or_null(facts->container));
}

/**
 * pp_json_driver - the key "driver" of a verdict
 * @cuda_version: as cuDriverGetVersion() says, 0 when not known
 */
json_t *pp_json_driver(const struct pp_host_facts *facts, int cuda_version)
{
	return json_pack("{s:o, s:o, s:s}", "version", pp_json_string_or_null(facts->driver),
			 "cuda_version", cuda_version ? json_integer(cuda_version) : json_null(),
			 "dma_remap_peer_mmio", pp_name_tristate(facts->dma_remap_peer_mmio));
}
