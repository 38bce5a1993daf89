// SPDX-License-Identifier: GPL-2.0-only
/*
 * The file in which an inference engine keeps which GPUs reach each other. The
 * engine believes it without a test of its own, for as long as it is there.
 */
#include <errno.h>
#include <fcntl.h>
#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "engine_cache.h"
#include "p2p_permit.h"

/* SGLang of February and July 2026, vLLM of August 2026. */
static const struct pp_engine engines[] = {
	{ "sglang", "SGLANG_CACHE_DIR", "sglang", false, "--enable-p2p-check" },
	{ "vllm", "VLLM_CACHE_ROOT", "vllm", true, "VLLM_SKIP_P2P_CHECK=0" },
};

/** pp_engine_find - the engine of that name, or NULL */
const struct pp_engine *pp_engine_find(const char *name)
{
	for (size_t i = 0; i < sizeof(engines) / sizeof(engines[0]); i++) {
		if (!strcmp(engines[i].name, name))
			return &engines[i];
	}
	return NULL;
}

static const char *env(const char *name)
{
	const char *value = getenv(name);

	return value && *value ? value : NULL;
}

static const char *home(void)
{
	const struct passwd *pw;

	if (env("HOME"))
		return env("HOME");
	pw = getpwuid(getuid());
	return pw ? pw->pw_dir : NULL;
}

/** pp_engine_folder - where the engine of this user looks for it */
int pp_engine_folder(const struct pp_engine *engine, char dir[PP_PATH_LEN],
		     struct pp_error *err)
{
	const char *given = env(engine->folder_env), *xdg = env("XDG_CACHE_HOME");
	int len;

	if (given && given[0] == '~' && given[1] == '/' && home())
		len = snprintf(dir, PP_PATH_LEN, "%s%s", home(), given + 1);
	else if (given)
		len = snprintf(dir, PP_PATH_LEN, "%s", given);
	else if (engine->xdg && xdg)
		len = snprintf(dir, PP_PATH_LEN, "%s/%s", xdg, engine->folder);
	else if (home())
		len = snprintf(dir, PP_PATH_LEN, "%s/.cache/%s", home(), engine->folder);
	else
		len = -1;
	if (len > 0 && len < PP_PATH_LEN)
		return 0;
	pp_error_set(err, "system", PP_EXIT_FAILED, "%s keeps its file in this user's home folder, "
		     "which is not known", engine->name);
	return pp_error_hint(err, "set HOME or %s, or give --output-dir DIR", engine->folder_env);
}

/**
 * pp_engine_cache - what the file says: "I->J" for every two local indices
 * @on: P2P may be used; otherwise only "I->I" is true, which is no P2P
 *
 * True for pairs that the verdict proves and for no other.
 */
json_t *pp_engine_cache(const struct pp_visible *visible, const struct pp_claim *claim, bool on)
{
	json_t *cache = json_object();

	for (size_t i = 0; i < visible->n; i++) {
		for (size_t j = 0; j < visible->n; j++) {
			bool can = i == j || (on && pp_p2p_pair_proved(claim, visible->gpus[i],
								       visible->gpus[j]));
			char key[48];

			snprintf(key, sizeof(key), "%zu->%zu", i, j);
			json_object_set_new(cache, key, json_boolean(can));
		}
	}
	return cache;
}

static int write_to(const char *dir, const char *name, const json_t *cache, struct pp_error *err)
{
	char *text = json_dumps(cache, JSON_INDENT(1));
	int fd, ret = -1;

	if (!text)
		return pp_error_set(err, "system", PP_EXIT_FAILED, "out of memory");
	fd = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (fd < 0)
		pp_error_set(err, "system", PP_EXIT_FAILED, "cannot open the folder %s: %s", dir,
			     strerror(errno));
	else
		ret = pp_atomic_write(fd, name, text, strlen(text), err);
	if (fd >= 0)
		close(fd);
	free(text);
	return ret;
}

/**
 * pp_engine_cache_write - write the file, and make its folder
 * @dir: instead of the engine's own folder; may be NULL
 * @path: set to the file's path
 *
 * Return: 0, or -1 with @err filled in.
 */
int pp_engine_cache_write(const struct pp_engine *engine, const char *dir,
			  const struct pp_visible *visible, const struct pp_claim *claim, bool on,
			  char path[PP_PATH_LEN], struct pp_error *err)
{
	char folder[PP_PATH_LEN], name[sizeof(visible->name) + 48];
	json_t *cache;
	int ret;

	if (dir)
		snprintf(folder, sizeof(folder), "%s", dir);
	else if (pp_engine_folder(engine, folder, err))
		return -1;
	snprintf(name, sizeof(name), "gpu_p2p_access_cache_for_%s.json", visible->name);
	if ((size_t)snprintf(path, PP_PATH_LEN, "%s/%s", folder, name) >= PP_PATH_LEN)
		return pp_error_set(err, "usage", PP_EXIT_USAGE, "the path %.40s... is too long",
				    path);
	if (pp_make_dir(folder, err))
		return -1;
	cache = pp_engine_cache(visible, claim, on);
	ret = write_to(folder, name, cache, err);
	json_decref(cache);
	return ret;
}
