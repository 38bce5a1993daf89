/* SPDX-License-Identifier: GPL-2.0-only */
/* Is this a container, and of which kind? Evidence only. */
#ifndef PEERPASS_CONTAINER_H
#define PEERPASS_CONTAINER_H

#include <stdbool.h>
#include <stddef.h>

#define PP_CONTAINER_LEN 32

bool pp_container_kind(const char *root, char buf[PP_CONTAINER_LEN]);
bool pp_container_from_environ(const char *env, size_t len, char buf[PP_CONTAINER_LEN]);
bool pp_container_from_cgroup(const char *line, char buf[PP_CONTAINER_LEN]);

#endif /* PEERPASS_CONTAINER_H */
