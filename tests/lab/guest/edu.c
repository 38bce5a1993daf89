// SPDX-License-Identifier: GPL-2.0-only
/*
 * edu: drive the DMA engine of QEMU's "edu" device from user space.
 *
 * edu has a 4 KiB buffer and moves up to that much between it and a bus
 * address. The bus address used here is always a peer's BAR2 as the CPU sees
 * it, which is what a GPU driver programs for peer-to-peer: right in an
 * identity domain and through a peer window, wrong in a translating domain.
 *
 *   edu copy   EDU SRC DST BYTES     edu reads SRC's BAR2, writes DST's BAR2
 *   edu read   EDU SRC[+OFF] BYTES   into edu's buffer only
 *   edu write  EDU DST[+OFF] BYTES   from edu's buffer only
 *                                    (read, write: also @ADDRESS, any bus address)
 *   edu fill   DEV[+OFF] NONCE BYTES the CPU writes a pattern into DEV's BAR2
 *   edu poison DEV[+OFF] BYTES       the CPU fills DEV's BAR2 with 0xa5
 *   edu verify DEV[+OFF] NONCE BYTES the CPU compares DEV's BAR2
 *   edu dump   DEV[+OFF] BYTES       prints what DEV's BAR2 holds, in hexadecimal
 *   edu bar    DEV                   prints BAR2's address and size
 *
 * EDU, SRC, DST, DEV are BDFs (0000:00:04.0); OFF is a byte offset into BAR2.
 * "copy" fills the source and poisons the destination first, and compares
 * after. Output: one line ending in OK or CORRUPT; exit status 0 for OK or
 * done, 3 for CORRUPT, 1 for an error, 2 for wrong usage.
 *
 * A transfer takes edu 100 ms of guest time, and edu never reports a failure:
 * like a GPU, it says done whatever became of the data.
 */
#include "edu_dev.h"

/* Differs with the position and with the nonce, so neither shifted nor stale
 * data can pass for right. */
static uint8_t pattern(uint32_t nonce, uint32_t i)
{
	uint32_t x = (i + 1) * 2654435761u ^ nonce * 40503u;

	return (x ^ x >> 13 ^ x >> 21) & 0xff;
}

static void fill(struct bar *bar, uint64_t off, uint32_t nonce, uint64_t bytes)
{
	for (uint64_t i = 0; i < bytes; i++)
		bar->mem[off + i] = pattern(nonce, i);
}

static void poison(struct bar *bar, uint64_t off, uint64_t bytes)
{
	for (uint64_t i = 0; i < bytes; i++)
		bar->mem[off + i] = 0xa5;
}

static int verify(const char *what, struct bar *bar, uint64_t off, uint32_t nonce, uint64_t bytes)
{
	uint64_t bad = 0;

	for (uint64_t i = 0; i < bytes; i++)
		bad += bar->mem[off + i] != pattern(nonce, i);
	printf("%s: %llu of %llu bytes wrong: %s\n", what, (unsigned long long)bad,
	       (unsigned long long)bytes, bad ? "CORRUPT" : "OK");
	return bad ? 3 : 0;
}

static uint64_t number(const char *text)
{
	char *end;
	uint64_t n = strtoull(text, &end, 0);

	if (*end || end == text) {
		fprintf(stderr, "edu: '%s' is not a number\n", text);
		exit(2);
	}
	return n;
}

static uint64_t byte_count(const char *text, uint64_t limit)
{
	uint64_t n = number(text);

	if (!n || n > limit) {
		fprintf(stderr, "edu: %s bytes asked, 1 to %llu are possible\n", text,
			(unsigned long long)limit);
		exit(2);
	}
	return n;
}

/* "BDF+OFF": cuts the offset off */
static uint64_t split_offset(char *spec)
{
	char *plus = strchr(spec, '+');

	if (!plus)
		return 0;
	*plus = '\0';
	return number(plus + 1);
}

static int cmd_copy(char **arg)
{
	struct bar edu = map_bar(arg[0], 0), src = map_bar(arg[1], 2), dst = map_bar(arg[2], 2);
	uint64_t bytes = byte_count(arg[3], EDU_BUFFER_SIZE);
	uint32_t nonce = getpid() * 7919u ^ (uint32_t)src.address;
	char what[128];

	fill(&src, 0, nonce, bytes);
	poison(&dst, 0, bytes);
	transfer(&edu, src.address, bytes, 0);
	transfer(&edu, dst.address, bytes, 1);
	snprintf(what, sizeof(what), "edu %s copied %s to %s", arg[0], arg[1], arg[2]);
	return verify(what, &dst, 0, nonce, bytes);
}

static int raw_one_way(char **arg, int to_bus)
{
	uint64_t bytes = byte_count(arg[2], EDU_BUFFER_SIZE), address = number(arg[1] + 1);
	struct bar edu = map_bar(arg[0], 0);

	transfer(&edu, address, bytes, to_bus);
	printf("edu %s %s 0x%llx: %llu bytes\n", arg[0], to_bus ? "wrote" : "read",
	       (unsigned long long)address, (unsigned long long)bytes);
	return 0;
}

static int cmd_one_way(char **arg, int to_bus)
{
	uint64_t off, bytes;
	struct bar edu, peer;

	if (arg[1][0] == '@')
		return raw_one_way(arg, to_bus);
	off = split_offset(arg[1]);
	bytes = byte_count(arg[2], EDU_BUFFER_SIZE);
	edu = map_bar(arg[0], 0);
	peer = map_bar(arg[1], 2);

	transfer(&edu, peer.address + off, bytes, to_bus);
	printf("edu %s %s %s+0x%llx (0x%llx): %llu bytes\n", arg[0], to_bus ? "wrote" : "read",
	       arg[1], (unsigned long long)off, (unsigned long long)(peer.address + off),
	       (unsigned long long)bytes);
	return 0;
}

static int cmd_read(char **arg) { return cmd_one_way(arg, 0); }
static int cmd_write(char **arg) { return cmd_one_way(arg, 1); }

/* "DEV[+OFF]": maps the BAR; what is left of it behind the offset is the limit. */
static struct bar map_spec(char *spec, uint64_t *off, uint64_t *limit)
{
	struct bar bar;

	*off = split_offset(spec);
	bar = map_bar(spec, 2);
	if (*off >= bar.size) {
		fprintf(stderr, "edu: offset 0x%llx lies beyond BAR2 of %s, 0x%llx bytes\n",
			(unsigned long long)*off, spec, (unsigned long long)bar.size);
		exit(2);
	}
	*limit = bar.size - *off;
	return bar;
}

static int cmd_fill(char **arg)
{
	uint64_t off, limit;
	struct bar bar = map_spec(arg[0], &off, &limit);

	fill(&bar, off, number(arg[1]), byte_count(arg[2], limit));
	return 0;
}

static int cmd_poison(char **arg)
{
	uint64_t off, limit;
	struct bar bar = map_spec(arg[0], &off, &limit);

	poison(&bar, off, byte_count(arg[1], limit));
	return 0;
}

static int cmd_verify(char **arg)
{
	uint64_t off, limit;
	struct bar bar = map_spec(arg[0], &off, &limit);

	return verify(arg[0], &bar, off, number(arg[1]), byte_count(arg[2], limit));
}

static int cmd_dump(char **arg)
{
	uint64_t off, limit;
	struct bar bar = map_spec(arg[0], &off, &limit);
	uint64_t bytes = byte_count(arg[1], limit);

	for (uint64_t i = 0; i < bytes; i++)
		printf("%02x", bar.mem[off + i]);
	puts("");
	return 0;
}

static int cmd_bar(char **arg)
{
	struct bar bar = map_bar(arg[0], 2);

	printf("0x%llx 0x%llx\n", (unsigned long long)bar.address, (unsigned long long)bar.size);
	return 0;
}

static const struct {
	const char *name;
	int args;
	int (*run)(char **arg);
} verbs[] = {
	{ "copy", 4, cmd_copy },     { "read", 3, cmd_read },     { "write", 3, cmd_write },
	{ "fill", 3, cmd_fill },     { "poison", 2, cmd_poison }, { "verify", 3, cmd_verify },
	{ "dump", 2, cmd_dump },
	{ "bar", 1, cmd_bar },
};

int main(int argc, char **argv)
{
	for (size_t i = 0; argc > 1 && i < sizeof(verbs) / sizeof(*verbs); i++)
		if (!strcmp(argv[1], verbs[i].name) && argc - 2 == verbs[i].args)
			return verbs[i].run(argv + 2);
	fprintf(stderr, "usage: edu copy EDU SRC DST BYTES | read EDU SRC[+OFF] BYTES |"
			" write EDU DST[+OFF] BYTES |\n"
			"       fill DEV[+OFF] NONCE BYTES | poison DEV[+OFF] BYTES |"
			" verify DEV[+OFF] NONCE BYTES |\n       bar DEV\n");
	return 2;
}
