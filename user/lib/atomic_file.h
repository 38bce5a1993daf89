/* SPDX-License-Identifier: GPL-2.0-only */
/* A file that is there as a whole or not at all. */
#ifndef PEERPASS_ATOMIC_FILE_H
#define PEERPASS_ATOMIC_FILE_H

#include <stddef.h>

#include "error.h"

#define PP_PATH_LEN 512

int pp_path_split(const char *path, char dir[PP_PATH_LEN], const char **name,
		  struct pp_error *err);
int pp_make_dir(const char *dir, struct pp_error *err);
int pp_atomic_write(int dir_fd, const char *name, const void *data, size_t len,
		    struct pp_error *err);

#endif /* PEERPASS_ATOMIC_FILE_H */
