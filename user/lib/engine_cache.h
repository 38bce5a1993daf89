/* SPDX-License-Identifier: GPL-2.0-only */
/* The file in which an inference engine keeps which GPUs reach each other. */
#ifndef PEERPASS_ENGINE_CACHE_H
#define PEERPASS_ENGINE_CACHE_H

#include <jansson.h>

#include "atomic_file.h"
#include "visible.h"

/**
 * struct pp_engine - an engine that has such a file
 * @folder_env: environment variable that names its folder
 * @folder: the folder below the home directory otherwise
 * @xdg: that is, below XDG_CACHE_HOME instead of ~/.cache if that is set
 * @reads_with: what makes the engine read it
 */
struct pp_engine {
	const char *name;
	const char *folder_env;
	const char *folder;
	bool xdg;
	const char *reads_with;
};

const struct pp_engine *pp_engine_find(const char *name);
int pp_engine_folder(const struct pp_engine *engine, char dir[PP_PATH_LEN],
		     struct pp_error *err);
json_t *pp_engine_cache(const struct pp_visible *visible, const struct pp_claim *claim, bool on);
int pp_engine_cache_write(const struct pp_engine *engine, const char *dir,
			  const struct pp_visible *visible, const struct pp_claim *claim, bool on,
			  char path[PP_PATH_LEN], struct pp_error *err);

#endif /* PEERPASS_ENGINE_CACHE_H */
