// SPDX-License-Identifier: GPL-2.0-only
/* From one device to another's memory, and what goes wrong there: see switches.h. */
#include <stdlib.h>
#include <string.h>

#include "bytes.h"
#include "faults.h"
#include "late.h"
#include "launch.h"
#include "lost.h"
#include "mirror.h"
#include "p2p.h"
#include "switches.h"

/* What is made anew is made in pieces of this size. */
#define PIECE 32768

/**
 * struct fate - what becomes of one transfer
 * @lost: nothing arrives
 * @skip: bytes at its beginning that do not arrive; what does is what was at @shift
 *	bytes before
 * @cut: bytes at its end that do not arrive
 * @value: arrives instead, each byte, if not -1
 * @flip: offset of a wrong word, -1 for none
 * @mirror: see mirror.h
 * @late_ns: how much later it arrives
 */
struct fate {
	bool lost;
	size_t shift, cut;
	int value;
	int64_t flip;
	bool mirror;
	uint64_t late_ns;
};

/* Of those that the switches mean. */
static uint64_t transfers;
static bool known[MAX_DEVICES][MAX_DEVICES];

bool p2p_concerned(const struct device *by, const struct device *peer)
{
	return switches.initiator < 0 || (switches.initiator == device_number(by) &&
					  switches.target == device_number(peer));
}

CUresult p2p_refuses_copy(const struct device *by, const struct device *peer)
{
	return switches.copyerror && !switches.not_ce && p2p_concerned(by, peer) ?
	       CUDA_ERROR_LAUNCH_FAILED : CUDA_SUCCESS;
}

static int64_t flip_at(const struct crossing *c, uint64_t n)
{
	if (switches.flip && switches.flip_number < 0)
		return (int64_t)(c->len / 2 / 8 * 8);
	if (switches.flip && switches.flip_number == (int64_t)n)
		return (int64_t)(switches.flip_offset % c->len / 8 * 8);
	if (switches.collective && c->launch && !c->flag && launch_spoils_collective(c->launch))
		return 0;
	return -1;
}

static struct fate decide(const struct crossing *c, bool write, uint64_t n)
{
	bool *seen = &known[device_number(c->by)][device_number(c->peer)];
	bool first = !__atomic_exchange_n(seen, true, __ATOMIC_RELAXED);
	struct fate f = { .value = -1, .flip = flip_at(c, n) };

	f.lost = switches.drop || (write ? switches.dropwrite : switches.dropread) ||
		 (switches.stale && first);
	if (switches.zeros)
		f.value = 0;
	if (switches.ones)
		f.value = 0xff;
	if (switches.half)
		f.cut = c->len < 8 ? c->len : 8;
	if (switches.shift && c->len > 8)
		f.shift = 8;
	f.mirror = switches.mirror && write;
	if (switches.late && (write || !c->launch))
		f.late_ns = switches.late_ms * 1000000;
	if (switches.flagfirst && write && c->launch && !c->flag)
		f.late_ns = FLAG_FIRST_NS;
	return f;
}

static bool spoils(const struct fate *f)
{
	return f->lost || f->shift || f->cut || f->value >= 0 || f->flip >= 0 || f->mirror ||
	       f->late_ns;
}

/* Reports what an IOMMU would, and decides. */
static CUresult begin(const struct crossing *c, bool write, struct fate *f)
{
	uint64_t n;

	*f = (struct fate){ .value = -1, .flip = -1 };
	if (lost_is(c->by))
		return CUDA_ERROR_UNKNOWN;
	if ((c->launch ? switches.not_sm : switches.not_ce) || !p2p_concerned(c->by, c->peer))
		return CUDA_SUCCESS;
	n = __atomic_fetch_add(&transfers, 1, __ATOMIC_RELAXED);
	if (switches.lost && n >= switches.lost_after) {
		lost_set(c->by);
		return CUDA_ERROR_UNKNOWN;
	}
	if (switches.crash)
		abort();
	if (switches.copyerror)
		return CUDA_ERROR_LAUNCH_FAILED;
	if (switches.hang) {
		context_wait_for_end(&c->by->context);
		return CUDA_ERROR_LAUNCH_FAILED;
	}
	*f = decide(c, write, n);
	if (switches.faults || switches.unknown_faults || (switches.fault && spoils(f)))
		faults_report(c->by, c->peer, write);
	return CUDA_SUCCESS;
}

/* Makes the bytes at @done of the transfer, in @data, what they become. */
static void spoil(const struct fate *f, uint8_t *data, size_t done, size_t len)
{
	if (f->value >= 0)
		memset(data, f->value, len);
	for (int64_t i = f->flip; f->flip >= 0 && i < f->flip + 8; i++)
		if (i >= (int64_t)done && i < (int64_t)(done + len))
			data[i - (int64_t)done] ^= 0xff;
}

static CUresult deliver(const struct crossing *c, const struct fate *f, uint64_t offset,
			const void *from, size_t len)
{
	if (f->mirror)
		return mirror_write(c->by, c->peer, offset, from, len);
	if (f->late_ns)
		return late_write(c->by, c->peer, offset, from, len, f->late_ns, c->launch);
	return c->by->backend->write(c->by, c->peer, offset, from, len);
}

CUresult p2p_write(const struct crossing *c, const void *from)
{
	size_t len = c->len;
	struct fate f;
	CUresult r = begin(c, true, &f);

	if (r || f.lost)
		return r;
	len -= f.shift + f.cut < len ? f.shift + f.cut : len;
	if (f.value < 0 && f.flip < 0)
		return deliver(c, &f, c->offset + f.shift, from, len);
	for (size_t done = 0, n; !r && done < len; done += n) {
		_Alignas(8) uint8_t data[PIECE];

		n = len - done < PIECE ? len - done : PIECE;
		bytes_copy(data, (const uint8_t *)from + done, n);
		spoil(&f, data, done, n);
		r = deliver(c, &f, c->offset + f.shift + done, data, n);
	}
	return r;
}

CUresult p2p_read(const struct crossing *c, void *to)
{
	uint8_t *data = to, *arrived = NULL;
	size_t len = c->len;
	struct fate f;
	CUresult r = begin(c, false, &f);

	if (r || f.lost)
		return r;
	len -= f.shift + f.cut < len ? f.shift + f.cut : len;
	data += f.shift;
	if (f.late_ns) {
		arrived = malloc(len + 1);
		if (!arrived)
			return CUDA_ERROR_OUT_OF_MEMORY;
	}
	r = c->by->backend->read(c->by, c->peer, c->offset, arrived ? arrived : data, len);
	if (!r)
		mirror_read(c->by, c->peer, c->offset, arrived ? arrived : data, len);
	if (!r)
		spoil(&f, arrived ? arrived : data, 0, len);
	if (!r && arrived)
		r = late_read(data, arrived, len, f.late_ns);
	free(arrived);
	return r;
}
