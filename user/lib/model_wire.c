// SPDX-License-Identifier: GPL-2.0-only
/* Which attribute of the netlink interface goes where in the model. */
#include <libmnl/libmnl.h>
#include <stdlib.h>
#include <string.h>

#include "decode.h"
#include "model_wire.h"
#include "uapi/linux/peerpass.h"

#define FIELD(type, wire, st, member) \
	{ type, wire, offsetof(st, member), sizeof(((st *)0)->member), NULL }
#define NEST(type, fn) { type, PP_WIRE_NEST, 0, 0, fn }
#define LAYOUT(text, table, mask) { text, table, sizeof(table) / sizeof((table)[0]), mask }
#define BIT(n) (1ULL << (n))

/**
 * pp_grow - make room for one more element at the end of an array
 * @count: elements it has; @size: bytes of one
 *
 * Return: the array, perhaps moved; the new element is not set. NULL with @err
 * filled in when memory ran out; the old array is untouched then.
 */
void *pp_grow(void *array, size_t count, size_t size, struct pp_error *err)
{
	/* Room is for the next power of two: full when count is one itself. */
	if (count && (count & (count - 1)))
		return array;
	array = reallocarray(array, count ? 2 * count : 1, size);
	if (!array)
		pp_error_set(err, "system", PP_EXIT_FAILED, "out of memory");
	return array;
}

static const struct pp_field unit_fields[] = {
	FIELD(PEERPASS_A_UNIT_NAME, PP_WIRE_STRING, struct pp_unit, name),
	FIELD(PEERPASS_A_UNIT_ENTRIES, PP_WIRE_U32, struct pp_unit, entries),
	FIELD(PEERPASS_A_UNIT_TOTAL, PP_WIRE_U64, struct pp_unit, total),
	FIELD(PEERPASS_A_UNIT_OVERFLOWS, PP_WIRE_U64, struct pp_unit, overflows),
	FIELD(PEERPASS_A_UNIT_UNSEEN, PP_WIRE_U64, struct pp_unit, unseen),
	FIELD(PEERPASS_A_UNIT_INEXACT, PP_WIRE_U32, struct pp_unit, inexact),
};

static const struct pp_layout unit_layout =
	LAYOUT("unit", unit_fields, BIT(PEERPASS_A_UNIT_NAME));

static const struct pp_field probe_fields[] = {
	FIELD(PEERPASS_A_PROBE_SYMBOL, PP_WIRE_STRING, struct pp_probe, symbol),
	FIELD(PEERPASS_A_PROBE_HITS, PP_WIRE_U64, struct pp_probe, hits),
	FIELD(PEERPASS_A_PROBE_MISSED, PP_WIRE_U64, struct pp_probe, missed),
};

static const struct pp_layout probe_layout =
	LAYOUT("probe", probe_fields, BIT(PEERPASS_A_PROBE_SYMBOL));

static int info_unit(const struct nlattr *attr, void *obj, struct pp_error *err)
{
	struct pp_info *info = obj;
	struct pp_unit *units = pp_grow(info->units, info->unit_count, sizeof(*units), err);

	if (!units)
		return -1;
	info->units = units;
	memset(&units[info->unit_count], 0, sizeof(*units));
	return pp_decode_nest(&unit_layout, attr, &units[info->unit_count++], err);
}

static int info_probe(const struct nlattr *attr, void *obj, struct pp_error *err)
{
	struct pp_info *info = obj;
	struct pp_probe *probes = pp_grow(info->probes, info->probe_count, sizeof(*probes), err);

	if (!probes)
		return -1;
	info->probes = probes;
	memset(&probes[info->probe_count], 0, sizeof(*probes));
	return pp_decode_nest(&probe_layout, attr, &probes[info->probe_count++], err);
}

static const struct pp_field info_fields[] = {
	FIELD(PEERPASS_A_INFO_VERSION, PP_WIRE_STRING, struct pp_info, version),
	FIELD(PEERPASS_A_INFO_STATE, PP_WIRE_U32, struct pp_info, state),
	FIELD(PEERPASS_A_INFO_POLICY, PP_WIRE_STRING, struct pp_info, policy),
	FIELD(PEERPASS_A_INFO_IOMMU_KIND, PP_WIRE_U32, struct pp_info, iommu_kind),
	FIELD(PEERPASS_A_INFO_SNP, PP_WIRE_U32, struct pp_info, snp),
	FIELD(PEERPASS_A_INFO_SOURCE, PP_WIRE_U32, struct pp_info, source),
	FIELD(PEERPASS_A_INFO_INEXACT, PP_WIRE_U32, struct pp_info, inexact),
	FIELD(PEERPASS_A_INFO_TOTAL, PP_WIRE_U64, struct pp_info, total),
	FIELD(PEERPASS_A_INFO_OVERFLOWS, PP_WIRE_U64, struct pp_info, overflows),
	FIELD(PEERPASS_A_INFO_UNSEEN, PP_WIRE_U64, struct pp_info, unseen),
	FIELD(PEERPASS_A_INFO_SINCE_BOOTTIME_NS, PP_WIRE_U64, struct pp_info, since_boottime_ns),
	FIELD(PEERPASS_A_INFO_SINCE_REALTIME_NS, PP_WIRE_U64, struct pp_info, since_realtime_ns),
	FIELD(PEERPASS_A_INFO_WINDOW_GENERATION, PP_WIRE_U64, struct pp_info, window_generation),
	NEST(PEERPASS_A_INFO_UNIT, info_unit),
	NEST(PEERPASS_A_INFO_PROBE, info_probe),
};

static const struct pp_layout info_layout =
	LAYOUT("info", info_fields, BIT(PEERPASS_A_INFO_VERSION) | BIT(PEERPASS_A_INFO_STATE));

static const struct pp_field count_fields[] = {
	FIELD(PEERPASS_A_COUNT_KIND, PP_WIRE_U32, struct pp_count, kind),
	FIELD(PEERPASS_A_COUNT_VALUE, PP_WIRE_U64, struct pp_count, value),
};

static const struct pp_layout count_layout =
	LAYOUT("count", count_fields, BIT(PEERPASS_A_COUNT_KIND) | BIT(PEERPASS_A_COUNT_VALUE));

static int device_count(const struct nlattr *attr, void *obj, struct pp_error *err)
{
	struct pp_device *dev = obj;

	if (dev->count_len == PP_MAX_KINDS)
		return pp_error_set(err, "malformed_reply", PP_EXIT_FAILED,
				    "malformed netlink reply: more than %d kinds of faults",
				    PP_MAX_KINDS);
	return pp_decode_nest(&count_layout, attr, &dev->counts[dev->count_len++], err);
}

static const struct pp_field known_fields[] = {
	FIELD(PEERPASS_A_EVIDENCE_UNTRUSTED, PP_WIRE_FLAG, struct pp_known, untrusted),
	FIELD(PEERPASS_A_EVIDENCE_PASID, PP_WIRE_FLAG, struct pp_known, pasid),
	FIELD(PEERPASS_A_EVIDENCE_FIRMWARE, PP_WIRE_STRING, struct pp_known, firmware),
	FIELD(PEERPASS_A_EVIDENCE_DRIVER_BOUND, PP_WIRE_FLAG, struct pp_known, driver_bound),
	FIELD(PEERPASS_A_EVIDENCE_DRIVER_OVERRIDE, PP_WIRE_FLAG, struct pp_known,
	      driver_override),
	FIELD(PEERPASS_A_EVIDENCE_DMA_BITS, PP_WIRE_U32, struct pp_known, dma_bits),
	FIELD(PEERPASS_A_EVIDENCE_MEMBERS, PP_WIRE_U32, struct pp_known, members),
	FIELD(PEERPASS_A_EVIDENCE_COMPANIONS, PP_WIRE_U32, struct pp_known, companions),
	FIELD(PEERPASS_A_EVIDENCE_SNP, PP_WIRE_U32, struct pp_known, snp),
	FIELD(PEERPASS_A_EVIDENCE_SNP_MODE0, PP_WIRE_FLAG, struct pp_known, snp_mode0),
	FIELD(PEERPASS_A_EVIDENCE_MEMORY_ENCRYPTION, PP_WIRE_FLAG, struct pp_known,
	      memory_encryption),
	FIELD(PEERPASS_A_EVIDENCE_SINGLE_DEVICE_GROUPS, PP_WIRE_FLAG, struct pp_known,
	      single_device_groups),
	FIELD(PEERPASS_A_EVIDENCE_KERNEL_SAID, PP_WIRE_U32, struct pp_known, kernel_said),
};

static const struct pp_layout known_layout = LAYOUT("evidence", known_fields, 0);

static int device_known(const struct nlattr *attr, void *obj, struct pp_error *err)
{
	struct pp_device *dev = obj;

	dev->known.given = true;
	return pp_decode_nest(&known_layout, attr, &dev->known, err);
}

static const struct pp_field device_fields[] = {
	FIELD(PEERPASS_A_DEV_DOMAIN, PP_WIRE_U32, struct pp_device, bdf.domain),
	FIELD(PEERPASS_A_DEV_RID, PP_WIRE_U16, struct pp_device, bdf.rid),
	FIELD(PEERPASS_A_DEV_PRESENT, PP_WIRE_FLAG, struct pp_device, present),
	FIELD(PEERPASS_A_DEV_VENDOR, PP_WIRE_U16, struct pp_device, vendor),
	FIELD(PEERPASS_A_DEV_DEVICE, PP_WIRE_U16, struct pp_device, device),
	FIELD(PEERPASS_A_DEV_CLASS, PP_WIRE_U32, struct pp_device, class),
	FIELD(PEERPASS_A_DEV_NUMA_NODE, PP_WIRE_S32, struct pp_device, numa_node),
	FIELD(PEERPASS_A_DEV_DRIVER, PP_WIRE_STRING, struct pp_device, driver),
	FIELD(PEERPASS_A_DEV_GROUP, PP_WIRE_U32, struct pp_device, group),
	FIELD(PEERPASS_A_DEV_SELECTED, PP_WIRE_FLAG, struct pp_device, selected),
	FIELD(PEERPASS_A_DEV_RULE, PP_WIRE_U32, struct pp_device, rule),
	FIELD(PEERPASS_A_DEV_WANTED, PP_WIRE_U32, struct pp_device, wanted),
	FIELD(PEERPASS_A_DEV_ACTUAL, PP_WIRE_U32, struct pp_device, actual),
	FIELD(PEERPASS_A_DEV_REASON, PP_WIRE_U32, struct pp_device, reason),
	FIELD(PEERPASS_A_DEV_DETAIL, PP_WIRE_STRING, struct pp_device, detail),
	FIELD(PEERPASS_A_DEV_SWITCHED, PP_WIRE_FLAG, struct pp_device, switched),
	FIELD(PEERPASS_A_DEV_ORIGINAL, PP_WIRE_U32, struct pp_device, original),
	FIELD(PEERPASS_A_DEV_TOTAL, PP_WIRE_U64, struct pp_device, total),
	NEST(PEERPASS_A_DEV_COUNT, device_count),
	FIELD(PEERPASS_A_DEV_INEXACT, PP_WIRE_U32, struct pp_device, inexact),
	FIELD(PEERPASS_A_DEV_SET, PP_WIRE_STRING, struct pp_device, set),
	FIELD(PEERPASS_A_DEV_MODE, PP_WIRE_U32, struct pp_device, mode),
	FIELD(PEERPASS_A_DEV_WHY, PP_WIRE_U32, struct pp_device, why),
	FIELD(PEERPASS_A_DEV_FORCED, PP_WIRE_FLAG, struct pp_device, forced),
	FIELD(PEERPASS_A_DEV_FLAGS, PP_WIRE_U32, struct pp_device, flags),
	FIELD(PEERPASS_A_DEV_SET_BY_REQUEST, PP_WIRE_FLAG, struct pp_device, set_by_request),
	NEST(PEERPASS_A_DEV_EVIDENCE, device_known),
};

static const struct pp_layout device_layout =
	LAYOUT("device", device_fields, BIT(PEERPASS_A_DEV_DOMAIN) | BIT(PEERPASS_A_DEV_RID));

static const struct pp_field pair_fields[] = {
	FIELD(PEERPASS_A_PAIR_INITIATOR_DOMAIN, PP_WIRE_U32, struct pp_pair, initiator.domain),
	FIELD(PEERPASS_A_PAIR_INITIATOR_RID, PP_WIRE_U16, struct pp_pair, initiator.rid),
	FIELD(PEERPASS_A_PAIR_CLASS, PP_WIRE_U32, struct pp_pair, class),
	FIELD(PEERPASS_A_PAIR_TARGET_DOMAIN, PP_WIRE_U32, struct pp_pair, target.domain),
	FIELD(PEERPASS_A_PAIR_TARGET_RID, PP_WIRE_U16, struct pp_pair, target.rid),
	FIELD(PEERPASS_A_PAIR_TARGET_BAR, PP_WIRE_U32, struct pp_pair, bar),
	FIELD(PEERPASS_A_PAIR_READ, PP_WIRE_U64, struct pp_pair, read),
	FIELD(PEERPASS_A_PAIR_WRITE, PP_WIRE_U64, struct pp_pair, write),
	FIELD(PEERPASS_A_PAIR_OTHER, PP_WIRE_U64, struct pp_pair, other),
};

#define PAIR_REQUIRED (BIT(PEERPASS_A_PAIR_INITIATOR_DOMAIN) | \
		       BIT(PEERPASS_A_PAIR_INITIATOR_RID) | BIT(PEERPASS_A_PAIR_CLASS))

static const struct pp_layout pair_layout = LAYOUT("pair", pair_fields, PAIR_REQUIRED);

static const struct pp_layout bar_pair_layout =
	LAYOUT("pair", pair_fields, PAIR_REQUIRED | BIT(PEERPASS_A_PAIR_TARGET_DOMAIN) |
	       BIT(PEERPASS_A_PAIR_TARGET_RID) | BIT(PEERPASS_A_PAIR_TARGET_BAR));

static const struct pp_field window_fields[] = {
	FIELD(PEERPASS_A_WINDOW_INITIATOR_DOMAIN, PP_WIRE_U32, struct pp_window, initiator.domain),
	FIELD(PEERPASS_A_WINDOW_INITIATOR_RID, PP_WIRE_U16, struct pp_window, initiator.rid),
	FIELD(PEERPASS_A_WINDOW_TARGET_DOMAIN, PP_WIRE_U32, struct pp_window, target.domain),
	FIELD(PEERPASS_A_WINDOW_TARGET_RID, PP_WIRE_U16, struct pp_window, target.rid),
	FIELD(PEERPASS_A_WINDOW_BAR, PP_WIRE_U32, struct pp_window, bar),
	FIELD(PEERPASS_A_WINDOW_SIZE, PP_WIRE_U64, struct pp_window, size),
	FIELD(PEERPASS_A_WINDOW_STATE, PP_WIRE_U32, struct pp_window, state),
};

static const struct pp_layout window_layout =
	LAYOUT("window", window_fields,
	       BIT(PEERPASS_A_WINDOW_INITIATOR_DOMAIN) | BIT(PEERPASS_A_WINDOW_INITIATOR_RID) |
	       BIT(PEERPASS_A_WINDOW_TARGET_DOMAIN) | BIT(PEERPASS_A_WINDOW_TARGET_RID) |
	       BIT(PEERPASS_A_WINDOW_STATE));

static const struct pp_field set_fields[] = {
	FIELD(PEERPASS_A_SET_MODE, PP_WIRE_U32, struct pp_set_reply, mode),
	FIELD(PEERPASS_A_SET_REASON, PP_WIRE_U32, struct pp_set_reply, reason),
	FIELD(PEERPASS_A_SET_DETAIL, PP_WIRE_STRING, struct pp_set_reply, detail),
	FIELD(PEERPASS_A_SET_WHY, PP_WIRE_U32, struct pp_set_reply, why),
};

static const struct pp_layout set_layout =
	LAYOUT("set", set_fields, BIT(PEERPASS_A_SET_REASON));

static const struct pp_field sync_fields[] = {
	FIELD(PEERPASS_A_SYNC_DRAINED, PP_WIRE_U8, struct pp_sync, drained),
	FIELD(PEERPASS_A_SYNC_TOTAL, PP_WIRE_U64, struct pp_sync, total),
};

static const struct pp_layout sync_layout =
	LAYOUT("sync", sync_fields, BIT(PEERPASS_A_SYNC_DRAINED));

/** pp_wire_info - decode the attributes of one info message */
int pp_wire_info(const void *attrs, size_t len, struct pp_info *info, struct pp_error *err)
{
	return pp_decode(&info_layout, attrs, len, info, NULL, err);
}

/** pp_wire_device - decode the attributes of one device message */
int pp_wire_device(const void *attrs, size_t len, struct pp_device *dev, struct pp_error *err)
{
	const uint64_t id = BIT(PEERPASS_A_DEV_VENDOR) | BIT(PEERPASS_A_DEV_DEVICE) |
			    BIT(PEERPASS_A_DEV_CLASS);
	uint64_t seen = 0;

	if (pp_decode(&device_layout, attrs, len, dev, &seen, err))
		return -1;
	dev->has_id = (seen & id) == id;
	return 0;
}

/** pp_wire_pair - decode the attributes of one pair message */
int pp_wire_pair(const void *attrs, size_t len, struct pp_pair *pair, struct pp_error *err)
{
	if (pp_decode(&pair_layout, attrs, len, pair, NULL, err))
		return -1;
	if (pair->class != PEERPASS_TARGET_CLASS_BAR)
		return 0;
	return pp_decode(&bar_pair_layout, attrs, len, pair, NULL, err);
}

/** pp_wire_window - decode the attributes of one window message */
int pp_wire_window(const void *attrs, size_t len, struct pp_window *window, struct pp_error *err)
{
	return pp_decode(&window_layout, attrs, len, window, NULL, err);
}

/** pp_wire_set - decode the attributes of the answer to set */
int pp_wire_set(const void *attrs, size_t len, struct pp_set_reply *reply, struct pp_error *err)
{
	return pp_decode(&set_layout, attrs, len, reply, NULL, err);
}

/** pp_wire_sync - decode the attributes of the answer to sync */
int pp_wire_sync(const void *attrs, size_t len, struct pp_sync *sync, struct pp_error *err)
{
	return pp_decode(&sync_layout, attrs, len, sync, NULL, err);
}
