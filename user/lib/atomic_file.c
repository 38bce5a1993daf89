// SPDX-License-Identifier: GPL-2.0-only
/*
 * A file that is there as a whole or not at all: written beside its place under a
 * name that nobody guesses, brought to the disk, then renamed.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "atomic_file.h"

/* Hexadecimal digits at the end of the name that a file has while it is written. */
#define TEMP_DIGITS	16
/* Seconds that no write takes. */
#define TEMP_MAX_AGE	60

/**
 * pp_path_split - folder and file of a path
 * @name: set to the part of @path that is the file's
 *
 * Return: 0, or -1 with @err filled in when it names no file or is too long.
 */
int pp_path_split(const char *path, char dir[PP_PATH_LEN], const char **name,
		  struct pp_error *err)
{
	const char *slash = strrchr(path, '/');
	size_t len = slash ? (size_t)(slash - path) : 0;

	*name = slash ? slash + 1 : path;
	if (!**name || !strcmp(*name, ".") || !strcmp(*name, ".."))
		return pp_error_set(err, "usage", PP_EXIT_USAGE, "\"%s\" is not a file's path",
				    path);
	if (strlen(path) >= PP_PATH_LEN - 32)
		return pp_error_set(err, "usage", PP_EXIT_USAGE, "the path %.40s... is too long",
				    path);
	memcpy(dir, path, len);
	dir[len] = '\0';
	if (!len)
		strcpy(dir, slash ? "/" : ".");
	return 0;
}

/* A folder that was just made; never what somebody has put into its place. */
static bool open_to_others(const char *dir)
{
	int fd = open(dir, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	bool ok = fd >= 0 && !fchmod(fd, 0755);

	if (fd >= 0)
		close(fd);
	return ok;
}

/**
 * pp_make_dir - a folder and those above it, as far as they are missing
 *
 * Those that are made have mode 0755 whatever the umask says: others are to read
 * what will be in them.
 *
 * Return: 0, or -1 with @err filled in.
 */
int pp_make_dir(const char *dir, struct pp_error *err)
{
	char part[PP_PATH_LEN];

	for (const char *p = dir; *p; p++) {
		size_t len = (size_t)(p - dir) + 1;

		if (p[1] && p[1] != '/')
			continue;
		memcpy(part, dir, len);
		part[len] = '\0';
		if (!mkdir(part, 0755) ? open_to_others(part) : !access(part, F_OK))
			continue;
		return pp_error_set(err, "system", PP_EXIT_FAILED, "cannot make the folder %s: %s",
				    part, strerror(errno));
	}
	return 0;
}

static bool write_all(int fd, const char *data, size_t len)
{
	while (len) {
		ssize_t n = write(fd, data, len);

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return false;
		data += n;
		len -= (size_t)n;
	}
	return true;
}

/* Everything that the umask and a full disk could spoil, before the name is given. */
static bool fill(int fd, const void *data, size_t len)
{
	bool ok = write_all(fd, data, len) && !fchmod(fd, 0644) && !fsync(fd);
	int error = errno;

	if (!close(fd))
		errno = error;
	else
		ok = false;
	return ok;
}

/* Is it what a write of @name puts beside it? See pp_atomic_write(). */
static bool is_temp(const char *entry, const char *name)
{
	size_t len = strlen(name);

	return entry[0] == '.' && !strncmp(entry + 1, name, len) && entry[1 + len] == '.' &&
	       strlen(entry + 2 + len) == TEMP_DIGITS &&
	       strspn(entry + 2 + len, "0123456789abcdef") == TEMP_DIGITS;
}

/* What a process that was killed in the middle of a write has left. */
static void sweep(int dir_fd, const char *name)
{
	int fd = openat(dir_fd, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	DIR *dir = fd < 0 ? NULL : fdopendir(fd);
	const struct dirent *entry;
	struct stat st;

	if (!dir) {
		if (fd >= 0)
			close(fd);
		return;
	}
	while ((entry = readdir(dir)))
		/* Somebody else's that is being written is younger. */
		if (is_temp(entry->d_name, name) &&
		    !fstatat(dir_fd, entry->d_name, &st, AT_SYMLINK_NOFOLLOW) &&
		    st.st_mtime + TEMP_MAX_AGE < time(NULL))
			unlinkat(dir_fd, entry->d_name, 0);
	closedir(dir);
}

/**
 * pp_atomic_write - replace a file, or make it, with mode 0644
 * @dir_fd: its folder, open for reading
 * @name: without folder; what it was before, a link too, is replaced and not followed
 *
 * Return: 0; -1 with @err filled in, and the file is as it was, with nothing left
 * beside it. Only when the folder's own entry cannot be brought to the disk is the
 * new file there all the same.
 */
int pp_atomic_write(int dir_fd, const char *name, const void *data, size_t len,
		    struct pp_error *err)
{
	char temp[PP_PATH_LEN];
	uint64_t random = 0;
	int fd;

	if (getrandom(&random, sizeof(random), 0) != sizeof(random))
		random = (uint64_t)getpid();
	sweep(dir_fd, name);
	snprintf(temp, sizeof(temp), ".%.200s.%016" PRIx64, name, random);
	fd = openat(dir_fd, temp, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
	if (fd < 0)
		return pp_error_set(err, "system", PP_EXIT_FAILED, "cannot make %s: %s", temp,
				    strerror(errno));
	if (!fill(fd, data, len) || renameat(dir_fd, temp, dir_fd, name)) {
		pp_error_set(err, "system", PP_EXIT_FAILED, "cannot write %s: %s", name,
			     strerror(errno));
		unlinkat(dir_fd, temp, 0);
		return -1;
	}
	/* Some file systems do not know fsync() of a folder. */
	if (fsync(dir_fd) && errno != EINVAL && errno != EOPNOTSUPP)
		return pp_error_set(err, "system", PP_EXIT_FAILED,
				    "%s is written, but its folder cannot be brought to the "
				    "disk: %s", name, strerror(errno));
	return 0;
}
