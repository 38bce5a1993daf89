/* SPDX-License-Identifier: GPL-2.0-only */
/* Who uses a device: what an unbinding of its driver would hit. */
#ifndef PEERPASS_HOLDERS_H
#define PEERPASS_HOLDERS_H

#include <stddef.h>
#include <sys/types.h>

#include "bdf.h"
#include "error.h"

/**
 * struct pp_holder - one use of a device
 * @pid: the process; 0 when it is none (a mount, a network interface)
 * @command: its name, as ps has it
 * @container: its control group, when that looks like a container's; or empty
 * @what: what it uses: "/dev/nvidia0", "card0", "resource2, mapped"
 */
struct pp_holder {
	struct pp_bdf bdf;
	pid_t pid;
	char command[32];
	char container[128];
	char what[128];
};

struct pp_holder_list {
	struct pp_holder *v;
	size_t n;
};

int pp_holders(struct pp_bdf bdf, int group, struct pp_holder_list *list, struct pp_error *err);

#endif /* PEERPASS_HOLDERS_H */
