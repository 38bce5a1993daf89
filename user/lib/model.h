/* SPDX-License-Identifier: GPL-2.0-only */
/* What the module knows, as typed structs: info, devices, pairs, sync. */
#ifndef PEERPASS_MODEL_H
#define PEERPASS_MODEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "bdf.h"
#include "error.h"
#include "netlink.h"

/* For u32 enumerations: the attribute was absent, the value is not known. */
#define PP_UNKNOWN UINT32_MAX
/* Kinds of faults that are kept apart; newer ones than this version's too. */
#define PP_MAX_KINDS 48

struct pp_unit {
	char name[32];
	uint32_t entries;
	uint64_t total;
	uint64_t overflows;
	uint64_t unseen;
	uint32_t inexact;
};

struct pp_probe {
	char symbol[64];
	uint64_t hits;
	uint64_t missed;
};

/**
 * struct pp_info - the module and its counting
 * @units: owned
 * @probes: owned
 * @since_boottime_ns: 0 when absent, as for @since_realtime_ns
 * @window_generation: rises when what a device reaches may change by the module's hand;
 *	0 when absent
 */
struct pp_info {
	char version[32];
	char policy[8192];
	uint32_t state;
	uint32_t iommu_kind;
	uint32_t snp;
	uint32_t source;
	uint32_t inexact;
	uint64_t total;
	uint64_t overflows;
	uint64_t unseen;
	uint64_t since_boottime_ns;
	uint64_t since_realtime_ns;
	uint64_t window_generation;
	struct pp_unit *units;
	size_t unit_count;
	struct pp_probe *probes;
	size_t probe_count;
};

struct pp_count {
	uint32_t kind;
	uint64_t value;
};

/**
 * struct pp_known - the evidence that the module decides a device's mode from
 * @given: the module told it; otherwise nothing else here counts
 * @firmware: family whose firmware does not start in identity; empty if none
 * @dma_bits: of the DMA mask, PP_UNKNOWN when not said, as for all numbers here
 * @companions: enum peerpass_companions
 * @snp: enum peerpass_tristate
 * @kernel_said: enum peerpass_reason, how an earlier attempt ended
 */
struct pp_known {
	bool given;
	bool untrusted;
	bool pasid;
	char firmware[64];
	bool driver_bound;
	bool driver_override;
	uint32_t dma_bits;
	uint32_t members;
	uint32_t companions;
	uint32_t snp;
	bool snp_mode0;
	bool memory_encryption;
	bool single_device_groups;
	uint32_t kernel_said;
};

/**
 * struct pp_device - a PCI function
 * @present: a device is there; false for an initiator known from faults only
 * @has_id: @vendor, @device and @class are known
 * @class: base class, subclass, programming interface: 24 bits
 * @numa_node: -1 when unknown
 * @driver: empty when none is bound
 * @group: IOMMU group, PP_UNKNOWN without one
 * @rule: number of the policy's rule, counted from 1; 0 without one
 * @wanted: enum peerpass_mode or PP_UNKNOWN
 * @actual: enum peerpass_domain_type or PP_UNKNOWN
 * @reason: enum peerpass_reason or PP_UNKNOWN
 * @original: enum peerpass_domain_type or PP_UNKNOWN
 * @inexact: flags of enum peerpass_inexact, PP_UNKNOWN when not said for this
 *	device; pp_device_inexact() knows what holds then
 * @set: its set of peers; empty when it is in none that has a name
 * @mode: enum peerpass_mode in force, or PP_UNKNOWN
 * @why: enum peerpass_reason, why auto did not choose identity, or PP_UNKNOWN
 * @forced: against a refusal, by +force
 * @flags: of enum peerpass_rule_flag
 * @set_by_request: the mode is not the policy's, but that of the verb set
 * @name: model, from the PCI id database; empty when it has none
 * @gpu: N of gpuN, -1 when the device has no such number
 */
struct pp_device {
	struct pp_bdf bdf;
	bool present;
	bool has_id;
	uint16_t vendor;
	uint16_t device;
	uint32_t class;
	int32_t numa_node;
	char driver[64];
	uint32_t group;
	bool selected;
	uint32_t rule;
	uint32_t wanted;
	uint32_t actual;
	uint32_t reason;
	char detail[256];
	bool switched;
	uint32_t original;
	uint64_t total;
	struct pp_count counts[PP_MAX_KINDS];
	size_t count_len;
	uint32_t inexact;
	char set[32];
	uint32_t mode;
	uint32_t why;
	bool forced;
	uint32_t flags;
	bool set_by_request;
	struct pp_known known;
	char name[128];
	int gpu;
};

/**
 * struct pp_pair - faults of one initiator on one target
 * @class: enum peerpass_target_class
 * @target: with class bar only, as @bar
 */
struct pp_pair {
	struct pp_bdf initiator;
	uint32_t class;
	struct pp_bdf target;
	uint32_t bar;
	uint64_t read;
	uint64_t write;
	uint64_t other;
};

/**
 * struct pp_window - the way from an initiator to one BAR of a peer
 * @bar: PP_UNKNOWN when the target has none
 * @size: bytes
 * @state: enum peerpass_window_state
 */
struct pp_window {
	struct pp_bdf initiator;
	struct pp_bdf target;
	uint32_t bar;
	uint64_t size;
	uint32_t state;
};

/**
 * struct pp_set_request - what PEERPASS_CMD_SET asks for
 * @mode: enum peerpass_mode; PP_UNKNOWN lets the policy decide again
 * @set: name of the set of peers, or empty
 * @flags: of enum peerpass_rule_flag
 */
struct pp_set_request {
	uint32_t mode;
	char set[32];
	uint32_t flags;
};

/**
 * struct pp_set_reply - what became of it
 * @mode: enum peerpass_mode in force now, or PP_UNKNOWN
 * @reason: enum peerpass_reason; unless none, it was refused
 * @why: as in struct pp_device
 */
struct pp_set_reply {
	uint32_t mode;
	uint32_t reason;
	uint32_t why;
	char detail[256];
};

struct pp_sync {
	uint8_t drained;
	uint64_t total;
};

struct pp_device_list {
	struct pp_device *v;
	size_t n;
};

struct pp_pair_list {
	struct pp_pair *v;
	size_t n;
};

struct pp_window_list {
	struct pp_window *v;
	size_t n;
};

void pp_device_init(struct pp_device *dev);
uint32_t pp_device_inexact(const struct pp_info *info, const struct pp_device *dev);
uint64_t pp_device_faults(const struct pp_device *dev, uint32_t kind);

int pp_get_info(struct pp_nl *nl, struct pp_info *info, struct pp_error *err);
int pp_get_device(struct pp_nl *nl, struct pp_bdf bdf, struct pp_device *dev,
		  struct pp_error *err);
int pp_get_devices(struct pp_nl *nl, struct pp_device_list *list, struct pp_error *err);
int pp_get_pairs(struct pp_nl *nl, struct pp_pair_list *list, struct pp_error *err);
int pp_get_windows(struct pp_nl *nl, struct pp_window_list *list, struct pp_error *err);
int pp_set_mode(struct pp_nl *nl, struct pp_bdf bdf, const struct pp_set_request *request,
		struct pp_set_reply *reply, struct pp_error *err);
int pp_sync(struct pp_nl *nl, uint32_t timeout_ms, struct pp_sync *sync, struct pp_error *err);

void pp_info_free(struct pp_info *info);

#endif /* PEERPASS_MODEL_H */
