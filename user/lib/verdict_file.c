// SPDX-License-Identifier: GPL-2.0-only
/*
 * The file that a verdict is kept in. Whoever can write it can make every engine
 * of the host use a broken path, so it is believed only where nobody but root can.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "atomic_file.h"
#include "verdict_file.h"

/* 64 devices have 4032 pairs; each takes some KiB. */
#define MAX_SIZE	(32ll << 20)

#define OTHERS_WRITE	(S_IWGRP | S_IWOTH)

static int refuse(struct pp_error *err, const char *code, const char *path, const char *why)
{
	pp_error_set(err, code, PP_EXIT_STALE, "%s is not believed: %s", path, why);
	return pp_error_hint(err, "run: peerpass validate");
}

/* The folder, opened; -1 with @err filled in. @flags: O_PATH or O_RDONLY. */
static int open_dir(const char *dir, int flags, uid_t owner, const char *path,
		    struct pp_error *err)
{
	int fd = open(dir, flags | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	struct stat st;

	if (fd < 0 && errno == ENOENT) {
		pp_error_set(err, "verdict_absent", PP_EXIT_STALE, "there is no verdict: %s: %s",
			     path, strerror(errno));
		return pp_error_hint(err, "run: peerpass validate");
	}
	if (fd < 0) {
		char why[128];

		snprintf(why, sizeof(why), "its folder: %s", errno == ELOOP || errno == ENOTDIR ?
			 "a link, or no folder at all" : strerror(errno));
		return refuse(err, "verdict_folder", path, why);
	}
	if (fstat(fd, &st) || st.st_uid != owner || st.st_mode & OTHERS_WRITE) {
		close(fd);
		return refuse(err, "verdict_folder", path,
			      "others than root may write to its folder");
	}
	return fd;
}

/* May the file's text be believed? Said of the file that is open. */
static int check_file(int fd, const char *path, uid_t owner, struct stat *st,
		      struct pp_error *err)
{
	if (fstat(fd, st))
		return refuse(err, "verdict_unreadable", path, strerror(errno));
	if (!S_ISREG(st->st_mode))
		return refuse(err, "verdict_not_a_file", path, "it is no regular file");
	if (st->st_uid != owner)
		return refuse(err, "verdict_owner", path, "it does not belong to root");
	if (st->st_mode & OTHERS_WRITE)
		return refuse(err, "verdict_writable", path, "others than root may write to it");
	if (st->st_size > MAX_SIZE)
		return refuse(err, "verdict_too_large", path, "it is larger than 32 MiB");
	return 0;
}

/* All of the file, at most @size bytes; -1 with errno set. */
static ssize_t read_all(int fd, char *buf, size_t size)
{
	size_t used = 0;

	while (used < size) {
		ssize_t n = read(fd, buf + used, size - used);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return -1;
		if (!n)
			break;
		used += (size_t)n;
	}
	return (ssize_t)used;
}

static int read_claim(int fd, const char *path, size_t size, struct pp_claim *claim,
		      struct pp_error *err)
{
	char *data = malloc(size + 1);
	ssize_t len;
	int ret;

	if (!data)
		return pp_error_set(err, "system", PP_EXIT_FAILED, "out of memory");
	len = read_all(fd, data, size);
	if (len < 0)
		ret = refuse(err, "verdict_unreadable", path, strerror(errno));
	else
		ret = pp_claim_parse(data, (size_t)len, claim, err);
	free(data);
	if (ret && err->exit_code == PP_EXIT_STALE && !err->hint[0])
		pp_error_hint(err, "%s: run peerpass validate again", path);
	return ret;
}

/**
 * pp_verdict_read - read a verdict file, if it can be believed
 * @owner: who must own it and its folder: 0 but for tests
 * @claim: to be freed, also after -1
 *
 * A regular file and no link, of @owner and in a folder of @owner's, neither of
 * which anybody else may write, at most 32 MiB of what pp_claim_parse() accepts.
 *
 * Return: 0, or -1 with @err filled in: PP_EXIT_STALE and a code for each of these
 * that does not hold, PP_EXIT_FAILED when memory ran out.
 */
int pp_verdict_read(const char *path, uid_t owner, struct pp_claim *claim, struct pp_error *err)
{
	char dir[PP_PATH_LEN];
	const char *name;
	struct stat st;
	int dir_fd, fd, ret;

	memset(claim, 0, sizeof(*claim));
	if (pp_path_split(path, dir, &name, err))
		return -1;
	dir_fd = open_dir(dir, O_PATH, owner, path, err);
	if (dir_fd < 0)
		return -1;
	/* O_NONBLOCK: a pipe that somebody put there must not hold us. */
	fd = openat(dir_fd, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
	close(dir_fd);
	if (fd < 0 && errno == ENOENT) {
		pp_error_set(err, "verdict_absent", PP_EXIT_STALE, "there is no verdict: %s: %s",
			     path, strerror(errno));
		return pp_error_hint(err, "run: peerpass validate");
	}
	if (fd < 0 && errno == ELOOP)
		return refuse(err, "verdict_not_a_file", path, "it is a link");
	if (fd < 0)
		return refuse(err, "verdict_unreadable", path, strerror(errno));
	ret = check_file(fd, path, owner, &st, err);
	if (!ret)
		ret = read_claim(fd, path, (size_t)st.st_size, claim, err);
	close(fd);
	return ret;
}

/*
 * The folder that a verdict is to be written to, opened, and made if need be; -1 with
 * @err filled in. What is there already may only be a file, or a link, which is replaced
 * and not followed: neither /dev/null nor a pipe is anybody's verdict.
 */
static int open_place(const char *path, const char **name, struct pp_error *err)
{
	char dir[PP_PATH_LEN];
	struct stat st;
	int dir_fd;

	if (pp_path_split(path, dir, name, err) || pp_make_dir(dir, err))
		return -1;
	dir_fd = open_dir(dir, O_RDONLY, geteuid(), path, err);
	if (dir_fd < 0) {
		pp_error_set(err, "verdict_folder", PP_EXIT_FAILED,
			     "no verdict is written to %s: the folder is not this user's, or "
			     "others may write to it", path);
		return pp_error_hint(err, "such a file would not be believed: chmod go-w %s, or "
					  "choose another folder", dir);
	}
	if (fstatat(dir_fd, *name, &st, AT_SYMLINK_NOFOLLOW) || S_ISREG(st.st_mode) ||
	    S_ISLNK(st.st_mode))
		return dir_fd;
	close(dir_fd);
	return pp_error_set(err, "verdict_not_a_file", PP_EXIT_FAILED,
			    "no verdict is written to %s: it is there, and is no regular file",
			    path);
}

/**
 * pp_verdict_withdraw - remove a verdict file, where another one will be written
 *
 * Before a test: what was found earlier must not outlive it, and what cannot be
 * written should not be found out at the end of it. Makes the folder.
 *
 * Return: 0, also when there was no file; -1 with @err filled in when one could not be
 * written there, or not be removed.
 */
int pp_verdict_withdraw(const char *path, struct pp_error *err)
{
	const char *name;
	int dir_fd = open_place(path, &name, err), ret = 0;

	if (dir_fd < 0)
		return -1;
	if ((unlinkat(dir_fd, name, 0) && errno != ENOENT) || faccessat(dir_fd, ".", W_OK, 0))
		ret = pp_error_set(err, "system", PP_EXIT_FAILED, "cannot replace %s: %s", path,
				   strerror(errno));
	close(dir_fd);
	return ret;
}

/**
 * pp_verdict_write - replace the verdict file, or make it, and its folder
 * @verdict: an object of schema peerpass/verdict/1; not taken over
 *
 * The file is there as a whole or as it was before. Refuses a folder that is not
 * this user's or that others may write to. Belief takes root's: see
 * pp_verdict_read().
 *
 * Return: 0, or -1 with @err filled in.
 */
int pp_verdict_write(const char *path, const json_t *verdict, struct pp_error *err)
{
	char *text = json_dumps(verdict, JSON_INDENT(1));
	int dir_fd, ret = -1;
	const char *name;

	if (!text)
		return pp_error_set(err, "system", PP_EXIT_FAILED,
				    "the verdict cannot be written as JSON: out of memory");
	dir_fd = open_place(path, &name, err);
	if (dir_fd >= 0) {
		ret = pp_atomic_write(dir_fd, name, text, strlen(text), err);
		close(dir_fd);
	}
	free(text);
	return ret;
}
