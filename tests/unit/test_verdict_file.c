// SPDX-License-Identifier: GPL-2.0-only
/* The verdict file: written as a whole or not at all, believed from its owner only. */
#include <dirent.h>
#include <fcntl.h>
#include <sys/resource.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include "test.h"
#include "verdict_file.h"
#include "verdict_text.h"

static char root[] = "/tmp/peerpass-verdict-XXXXXX";
static struct pp_claim claim;
static struct pp_error err;

static const char *at(const char *file)
{
	static char paths[32][256];
	static unsigned int next;
	char *path = paths[next++ % 32];

	snprintf(path, sizeof(paths[0]), "%s/%s", root, file);
	return path;
}

static int count(const char *dir)
{
	DIR *d = opendir(dir);
	struct dirent *entry;
	int n = 0;

	while (d && (entry = readdir(d)))
		n += strcmp(entry->d_name, ".") && strcmp(entry->d_name, "..");
	if (d)
		closedir(d);
	return n;
}

static int write_good(const char *path)
{
	json_t *verdict = json_loads(verdict_text, 0, NULL);
	int ret;

	err = (struct pp_error){ 0 };
	ret = pp_verdict_write(path, verdict, &err);
	json_decref(verdict);
	return ret;
}

static int read_it(const char *path)
{
	int ret;

	err = (struct pp_error){ 0 };
	ret = pp_verdict_read(path, geteuid(), &claim, &err);
	pp_claim_free(&claim);
	return ret;
}

static void refused(const char *path, const char *code, const char *what)
{
	CHECK(read_it(path), "%s: believed", what);
	CHECK_STR(err.code ? err.code : "", code, what);
	CHECK_NUM(err.exit_code, PP_EXIT_STALE, what);
	CHECK(strstr(err.message, path), "%s: the path is not in \"%s\"", what, err.message);
	CHECK(err.hint[0], "%s: no advice", what);
}

static void file_there_and_back(void)
{
	const char *path = at("new/folder/verdict.json");
	mode_t mask = umask(077);
	struct stat st;

	refused(path, "verdict_absent", "no folder");
	CHECK(!write_good(path), "write: %s", err.message);
	CHECK(!stat(path, &st) && (st.st_mode & 07777) == 0644, "mode of the file");
	CHECK(!stat(at("new/folder"), &st) && (st.st_mode & 07777) == 0755, "mode of the folder");
	CHECK(!read_it(path), "read: %s", err.message);
	CHECK(!write_good(path) && !read_it(path), "again: %s", err.message);
	CHECK_NUM(count(at("new/folder")), 1, "files");
	refused(at("new/folder/other.json"), "verdict_absent", "no file");
	umask(mask);
}

static void file_refusals(void)
{
	const char *dir = at("d"), *path = at("d/verdict.json");
	int fd;

	CHECK(!write_good(path), "write: %s", err.message);
	chmod(path, 0664);
	refused(path, "verdict_writable", "group may write");
	chmod(path, 0646);
	refused(path, "verdict_writable", "others may write");
	chmod(path, 0644);
	chmod(dir, 0775);
	refused(path, "verdict_folder", "group may write to the folder");
	chmod(dir, 01777);
	refused(path, "verdict_folder", "others may write to the folder");
	chmod(dir, 0755);
	CHECK(!read_it(path), "as it was: %s", err.message);
	err = (struct pp_error){ 0 };
	CHECK(pp_verdict_read(path, geteuid() + 1, &claim, &err) &&
	      !strcmp(err.code, "verdict_folder"), "another one's folder: %s", err.message);
	/* Links, of the file and of its folder. */
	CHECK(!symlink("verdict.json", at("d/link.json")), "link");
	refused(at("d/link.json"), "verdict_not_a_file", "a link");
	CHECK(!symlink("d", at("linked")), "link");
	refused(at("linked/verdict.json"), "verdict_folder", "the folder is a link");
	refused(at("d/verdict.json/x"), "verdict_folder", "the folder is a file");
	CHECK(!mkdir(at("d/sub.json"), 0755), "folder");
	refused(at("d/sub.json"), "verdict_not_a_file", "a folder");
	CHECK(!mkfifo(at("d/pipe.json"), 0644), "pipe");
	refused(at("d/pipe.json"), "verdict_not_a_file", "a pipe");
	fd = open(at("d/large.json"), O_WRONLY | O_CREAT, 0644);
	CHECK(fd >= 0 && !ftruncate(fd, (32 << 20) + 1), "large file");
	refused(at("d/large.json"), "verdict_too_large", "too large");
	CHECK(!ftruncate(fd, 0), "empty file");
	close(fd);
	CHECK(read_it(at("d/large.json")) && !strcmp(err.code, "verdict_not_json"), "empty");
	CHECK(pp_verdict_read(at("d/"), 0, &claim, &err) && err.exit_code == PP_EXIT_USAGE,
	      "a folder's path");
}

static void file_is_not_spoiled(void)
{
	const char *path = at("e/verdict.json");
	struct rlimit limit, small = { 100, RLIM_INFINITY };

	CHECK(!write_good(path), "write: %s", err.message);
	/* A disk that is full half-way. */
	getrlimit(RLIMIT_FSIZE, &limit);
	small.rlim_max = limit.rlim_max;
	signal(SIGXFSZ, SIG_IGN);
	setrlimit(RLIMIT_FSIZE, &small);
	CHECK(write_good(path) && strstr(err.message, "File too large"), "full: %s", err.message);
	setrlimit(RLIMIT_FSIZE, &limit);
	CHECK(!read_it(path), "what was there is not there any more: %s", err.message);
	CHECK_NUM(count(at("e")), 1, "files after a full disk");
	/* A link is replaced, not followed. */
	CHECK(!symlink("verdict.json", at("e/link.json")) && !write_good(at("e/link.json")),
	      "over a link: %s", err.message);
	CHECK(!read_it(at("e/link.json")), "read: %s", err.message);
	/* Where it cannot be renamed to. */
	CHECK(!mkdir(at("e/dir.json"), 0755) && write_good(at("e/dir.json")), "over a folder");
	CHECK_NUM(count(at("e")), 3, "files after that");
	chmod(at("e"), 0775);
	CHECK(write_good(path) && err.exit_code == PP_EXIT_FAILED &&
	      strstr(err.hint, "chmod go-w"), "a folder of others: %s", err.message);
	CHECK(write_good("/proc/nowhere/verdict.json") && strstr(err.message, "/proc/nowhere"),
	      "no such place: %s", err.message);
}

/* Before a test: what was there goes, what is no file stays and is said. */
static void file_is_withdrawn(void)
{
	const char *path = at("w/verdict.json");
	struct stat st;

	err = (struct pp_error){ 0 };
	CHECK(!pp_verdict_withdraw(path, &err), "no file, no folder: %s", err.message);
	CHECK(!stat(at("w"), &st) && S_ISDIR(st.st_mode), "its folder");
	CHECK(!write_good(path) && !pp_verdict_withdraw(path, &err), "withdraw: %s", err.message);
	refused(path, "verdict_absent", "withdrawn");
	CHECK(!write_good(path) && !symlink("verdict.json", at("w/link.json")), "link");
	CHECK(!pp_verdict_withdraw(at("w/link.json"), &err) && !read_it(path),
	      "what a link names is not withdrawn with it: %s", err.message);
	CHECK(!mkfifo(at("w/pipe"), 0644) && pp_verdict_withdraw(at("w/pipe"), &err) &&
	      !strcmp(err.code, "verdict_not_a_file"), "a pipe: %s", err.message);
	CHECK(write_good(at("w/pipe")) && !strcmp(err.code, "verdict_not_a_file") &&
	      err.exit_code == PP_EXIT_FAILED, "to a pipe: %s", err.message);
	CHECK(!lstat(at("w/pipe"), &st) && S_ISFIFO(st.st_mode), "the pipe is not there any more");
	CHECK(!mkdir(at("w/dir"), 0755) && pp_verdict_withdraw(at("w/dir"), &err), "a folder");
	chmod(at("w"), 0775);
	CHECK(pp_verdict_withdraw(path, &err) && !strcmp(err.code, "verdict_folder"),
	      "a folder of others: %s", err.message);
	CHECK(pp_verdict_withdraw("/proc/nowhere/verdict.json", &err), "no such place");
}

/* Mutated files through the whole way, not only through the parser. */
static void file_any_bytes(void)
{
	const char *path = at("f/verdict.json");
	unsigned int seed = 7;

	CHECK(!write_good(path), "write: %s", err.message);
	for (int i = 0; i < 300; i++) {
		size_t len = 1 + (size_t)rand_r(&seed) % (sizeof(verdict_text) - 1);
		FILE *f = fopen(path, "w");

		for (size_t k = 0; f && k < len; k++)
			fputc(rand_r(&seed) % 200 ? verdict_text[k] : rand_r(&seed), f);
		if (f)
			fclose(f);
		if (read_it(path))
			CHECK(err.exit_code == PP_EXIT_STALE && strstr(err.code, "verdict_"),
			      "no reason");
	}
}

int main(void)
{
	char command[64];

	if (!mkdtemp(root))
		return 1;
	RUN(file_there_and_back);
	RUN(file_refusals);
	RUN(file_is_not_spoiled);
	RUN(file_is_withdrawn);
	RUN(file_any_bytes);
	snprintf(command, sizeof(command), "rm -rf '%s'", root);
	return system(command) || test_failures != 0;
}
