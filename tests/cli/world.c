// SPDX-License-Identifier: GPL-2.0-only
/* Reads the text file that describes a made-up host, see world.h. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "world.h"

static void die(const char *what)
{
	fprintf(stderr, "test world: %s\n", what);
	abort();
}

/* A test without a readable file is wrong itself. */
static void world_load(struct world *world, const char *path)
{
	FILE *f = path ? fopen(path, "re") : NULL;
	char line[4608];

	if (!f)
		die("FAKE_WORLD does not name a readable file");
	memset(world, 0, sizeof(*world));
	while (fgets(line, sizeof(line), f)) {
		struct world_line *entry;
		size_t len;

		line[strcspn(line, "\n")] = '\0';
		if (!line[0] || line[0] == '#')
			continue;
		world->lines = realloc(world->lines, (world->n + 1) * sizeof(*world->lines));
		if (!world->lines)
			die("out of memory");
		entry = &world->lines[world->n++];
		len = strcspn(line, " ");
		snprintf(entry->kind, sizeof(entry->kind), "%.*s", (int)len, line);
		/* One leading blank, so that each key has one before it. */
		snprintf(entry->text, sizeof(entry->text), "%s", line + len);
	}
	fclose(f);
}

/** world_refresh - read the file, if that was not done since it is as it is now */
void world_refresh(struct world *world, const char *path)
{
	static struct stat then;
	struct stat now;

	if (path && !stat(path, &now) && world->lines && now.st_ino == then.st_ino &&
	    now.st_mtim.tv_sec == then.st_mtim.tv_sec &&
	    now.st_mtim.tv_nsec == then.st_mtim.tv_nsec)
		return;
	world_load(world, path);
	then = now;
}

/** world_get - the value of a key; false when the line does not have it */
bool world_get(const char *text, const char *key, char *buf, size_t size)
{
	bool to_the_end = !strcmp(key, "policy") || !strcmp(key, "detail");
	char pattern[32];
	const char *p;

	snprintf(pattern, sizeof(pattern), " %s=", key);
	p = strstr(text, pattern);
	if (!p)
		return false;
	p += strlen(pattern);
	snprintf(buf, size, "%.*s", (int)(to_the_end ? strlen(p) : strcspn(p, " ")), p);
	return true;
}

bool world_has(const char *text, const char *key)
{
	char value[8];

	return world_get(text, key, value, sizeof(value));
}

/** world_number - the value of a key as a number, 0 without it */
uint64_t world_number(const char *text, const char *key, int base)
{
	char value[32];

	return world_get(text, key, value, sizeof(value)) ? strtoull(value, NULL, base) : 0;
}

void world_bdf(const char *text, uint32_t *domain, uint16_t *rid)
{
	unsigned int d, bus, slot, func;

	if (sscanf(text, "%x:%x:%x.%x", &d, &bus, &slot, &func) != 4)
		die("bad address");
	*domain = d;
	*rid = (uint16_t)(bus << 8 | slot << 3 | func);
}

/** world_quirk - what is wrong with the answer to an operation, if anything */
bool world_quirk(const struct world *world, const char *operation, struct world_quirk *quirk)
{
	for (size_t i = 0; i < world->n; i++) {
		if (strcmp(world->lines[i].kind, "quirk"))
			continue;
		memset(quirk, 0, sizeof(*quirk));
		sscanf(world->lines[i].text, " %15s %15s %d %127[^\n]", quirk->operation,
		       quirk->kind, &quirk->argument, quirk->text);
		if (!strcmp(quirk->operation, operation))
			return true;
	}
	return false;
}
