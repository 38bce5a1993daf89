// SPDX-License-Identifier: GPL-2.0-only
/* What the module knows, asked for one operation at a time. */
#include <errno.h>
#include <libmnl/libmnl.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "model.h"
#include "model_wire.h"
#include "uapi/linux/peerpass.h"

/* The module itself waits at most 10 s. */
#define SET_TIMEOUT_MS 15000

static void info_init(struct pp_info *info)
{
	memset(info, 0, sizeof(*info));
	info->iommu_kind = PP_UNKNOWN;
	info->snp = PEERPASS_TRISTATE_UNKNOWN;
	info->source = PEERPASS_FAULT_SOURCE_NONE;
}

static void info_restart(void *arg)
{
	pp_info_free(arg);
	info_init(arg);
}

static int info_message(const void *attrs, size_t len, void *arg, struct pp_error *err)
{
	return pp_wire_info(attrs, len, arg, err);
}

/** pp_device_init - nothing is known about the device yet */
void pp_device_init(struct pp_device *dev)
{
	memset(dev, 0, sizeof(*dev));
	dev->numa_node = -1;
	dev->group = PP_UNKNOWN;
	dev->wanted = PP_UNKNOWN;
	dev->actual = PP_UNKNOWN;
	dev->reason = PP_UNKNOWN;
	dev->original = PP_UNKNOWN;
	dev->inexact = PP_UNKNOWN;
	dev->mode = PP_UNKNOWN;
	dev->why = PP_UNKNOWN;
	dev->known.dma_bits = PP_UNKNOWN;
	dev->known.members = PP_UNKNOWN;
	dev->known.companions = PP_UNKNOWN;
	dev->known.snp = PP_UNKNOWN;
	dev->known.kernel_said = PP_UNKNOWN;
	dev->gpu = -1;
}

static int device_message(const void *attrs, size_t len, void *arg, struct pp_error *err)
{
	pp_device_init(arg);
	return pp_wire_device(attrs, len, arg, err);
}

static int device_list_message(const void *attrs, size_t len, void *arg, struct pp_error *err)
{
	struct pp_device_list *list = arg;
	struct pp_device *v = pp_grow(list->v, list->n, sizeof(*v), err);

	if (!v)
		return -1;
	list->v = v;
	return device_message(attrs, len, &v[list->n++], err);
}

static void device_list_restart(void *arg)
{
	struct pp_device_list *list = arg;

	free(list->v);
	*list = (struct pp_device_list){ 0 };
}

static int pair_list_message(const void *attrs, size_t len, void *arg, struct pp_error *err)
{
	struct pp_pair_list *list = arg;
	struct pp_pair *v = pp_grow(list->v, list->n, sizeof(*v), err), *pair;

	if (!v)
		return -1;
	list->v = v;
	pair = &v[list->n++];
	memset(pair, 0, sizeof(*pair));
	return pp_wire_pair(attrs, len, pair, err);
}

static void pair_list_restart(void *arg)
{
	struct pp_pair_list *list = arg;

	free(list->v);
	*list = (struct pp_pair_list){ 0 };
}

static int window_list_message(const void *attrs, size_t len, void *arg, struct pp_error *err)
{
	struct pp_window_list *list = arg;
	struct pp_window *v = pp_grow(list->v, list->n, sizeof(*v), err), *window;

	if (!v)
		return -1;
	list->v = v;
	window = &v[list->n++];
	*window = (struct pp_window){ .bar = PP_UNKNOWN };
	return pp_wire_window(attrs, len, window, err);
}

static void window_list_restart(void *arg)
{
	struct pp_window_list *list = arg;

	free(list->v);
	*list = (struct pp_window_list){ 0 };
}

static int sync_message(const void *attrs, size_t len, void *arg, struct pp_error *err)
{
	return pp_wire_sync(attrs, len, arg, err);
}

/** pp_device_inexact - why the counts of a device are a lower bound, 0 if exact */
uint32_t pp_device_inexact(const struct pp_info *info, const struct pp_device *dev)
{
	return dev->inexact == PP_UNKNOWN ? info->inexact : dev->inexact;
}

/** pp_device_faults - faults of one kind (enum peerpass_fault_kind) */
uint64_t pp_device_faults(const struct pp_device *dev, uint32_t kind)
{
	for (size_t i = 0; i < dev->count_len; i++) {
		if (dev->counts[i].kind == kind)
			return dev->counts[i].value;
	}
	return 0;
}

/** pp_get_info - PEERPASS_CMD_INFO_GET; @info must be freed, also after -1 */
int pp_get_info(struct pp_nl *nl, struct pp_info *info, struct pp_error *err)
{
	const struct pp_nl_sink sink = { info_message, info_restart, info };

	info_init(info);
	pp_nl_request(nl, PEERPASS_CMD_INFO_GET, false);
	return pp_nl_run(nl, &sink, err);
}

/**
 * pp_get_device - PEERPASS_CMD_DEV_GET for one function
 *
 * Return: 0, also for a function that the module does not know: it is then
 * without IOMMU and without faults. -1 with @err filled in.
 */
int pp_get_device(struct pp_nl *nl, struct pp_bdf bdf, struct pp_device *dev,
		  struct pp_error *err)
{
	const struct pp_nl_sink sink = { .message = device_message, .arg = dev };
	struct nlmsghdr *nlh = pp_nl_request(nl, PEERPASS_CMD_DEV_GET, false);

	mnl_attr_put_u32(nlh, PEERPASS_A_DEV_DOMAIN, bdf.domain);
	mnl_attr_put_u16(nlh, PEERPASS_A_DEV_RID, bdf.rid);
	if (!pp_nl_run(nl, &sink, err))
		return 0;
	if (pp_nl_errno(nl) != ENODEV)
		return -1;
	err->code = NULL;
	pp_device_init(dev);
	dev->bdf = bdf;
	return 0;
}

/** pp_get_devices - dump PEERPASS_CMD_DEV_GET; free @list->v, also after -1 */
int pp_get_devices(struct pp_nl *nl, struct pp_device_list *list, struct pp_error *err)
{
	const struct pp_nl_sink sink = { device_list_message, device_list_restart, list };

	*list = (struct pp_device_list){ 0 };
	pp_nl_request(nl, PEERPASS_CMD_DEV_GET, true);
	return pp_nl_run(nl, &sink, err);
}

/** pp_get_pairs - dump PEERPASS_CMD_PAIR_GET; free @list->v, also after -1 */
int pp_get_pairs(struct pp_nl *nl, struct pp_pair_list *list, struct pp_error *err)
{
	const struct pp_nl_sink sink = { pair_list_message, pair_list_restart, list };

	*list = (struct pp_pair_list){ 0 };
	pp_nl_request(nl, PEERPASS_CMD_PAIR_GET, true);
	return pp_nl_run(nl, &sink, err);
}

/** pp_get_windows - dump PEERPASS_CMD_WINDOW_GET; free @list->v, also after -1 */
int pp_get_windows(struct pp_nl *nl, struct pp_window_list *list, struct pp_error *err)
{
	const struct pp_nl_sink sink = { window_list_message, window_list_restart, list };

	*list = (struct pp_window_list){ 0 };
	pp_nl_request(nl, PEERPASS_CMD_WINDOW_GET, true);
	return pp_nl_run(nl, &sink, err);
}

static int set_message(const void *attrs, size_t len, void *arg, struct pp_error *err)
{
	return pp_wire_set(attrs, len, arg, err);
}

/**
 * pp_set_mode - PEERPASS_CMD_SET for one function
 * @reply: tells a refusal, which is no error
 *
 * Asked once only, however the answer is lost: the module notes each request in
 * the kernel log.
 *
 * Return: 0, or -1 with @err filled in; with the code "unknown_outcome" it may
 * have been done all the same.
 */
int pp_set_mode(struct pp_nl *nl, struct pp_bdf bdf, const struct pp_set_request *request,
		struct pp_set_reply *reply, struct pp_error *err)
{
	const struct pp_nl_sink sink = { .message = set_message, .arg = reply };
	struct nlmsghdr *nlh = pp_nl_request(nl, PEERPASS_CMD_SET, false);
	char text[PP_BDF_LEN];

	*reply = (struct pp_set_reply){ PP_UNKNOWN, PEERPASS_REASON_NONE, PP_UNKNOWN, "" };
	mnl_attr_put_u32(nlh, PEERPASS_A_SET_DOMAIN, bdf.domain);
	mnl_attr_put_u16(nlh, PEERPASS_A_SET_RID, bdf.rid);
	if (request->mode != PP_UNKNOWN)
		mnl_attr_put_u32(nlh, PEERPASS_A_SET_MODE, request->mode);
	if (request->set[0])
		mnl_attr_put_strz(nlh, PEERPASS_A_SET_SET, request->set);
	if (request->flags)
		mnl_attr_put_u32(nlh, PEERPASS_A_SET_FLAGS, request->flags);
	if (!pp_nl_run_once(nl, &sink, SET_TIMEOUT_MS, err))
		return 0;
	pp_bdf_text(bdf, text);
	if (pp_nl_errno(nl) == EOPNOTSUPP) {
		pp_error_set(err, "refused", PP_EXIT_FAILED,
			     "the peerpass module that is loaded cannot set a mode");
		return pp_error_hint(err, "it is older than this command, or was loaded with off=1");
	}
	if (pp_nl_errno(nl) != ETIMEDOUT && pp_nl_errno(nl) != EINTR &&
	    strcmp(err->code, "no_answer"))
		return -1;
	pp_error_set(err, "unknown_outcome", PP_EXIT_FAILED,
		     "%s: the module did not finish in time; it is not known what becomes of it",
		     text);
	return pp_error_hint(err, "see peerpass status %s, later, and the kernel log: dmesg", text);
}

static void pause_ms(long ms)
{
	const struct timespec pause = { .tv_nsec = ms * 1000000 };

	nanosleep(&pause, NULL);
}

/**
 * pp_sync - wait until what the hardware has recorded is counted
 * @timeout_ms: longest wait
 * @sync: the last answer; drained only if two in a row were, with one total
 *
 * A record arrives after the transfer that caused it; the module itself never
 * waits (see PEERPASS_CMD_SYNC in linux/peerpass.h).
 */
int pp_sync(struct pp_nl *nl, uint32_t timeout_ms, struct pp_sync *sync, struct pp_error *err)
{
	const struct pp_nl_sink sink = { .message = sync_message, .arg = sync };
	struct pp_sync before = { 0 };

	for (uint32_t waited = 0;; waited++) {
		*sync = (struct pp_sync){ 0 };
		pp_nl_request(nl, PEERPASS_CMD_SYNC, false);
		if (pp_nl_run(nl, &sink, err))
			return -1;
		if (before.drained && sync->drained && before.total == sync->total)
			return 0;
		if (waited >= timeout_ms)
			break;
		before = *sync;
		pause_ms(1);
	}
	sync->drained = 0;
	return 0;
}

/** pp_info_free - free what @info owns */
void pp_info_free(struct pp_info *info)
{
	free(info->units);
	free(info->probes);
	info->units = NULL;
	info->probes = NULL;
	info->unit_count = 0;
	info->probe_count = 0;
}
