// SPDX-License-Identifier: GPL-2.0-only
/* "Does P2P work now?" from what is known about a host. */
#include <stdlib.h>

#include "cure.h"
#include "summary.h"
#include "test.h"
#include "uapi/linux/peerpass.h"

static struct pp_inventory inv;
static struct pp_device devices[4];
static struct pp_pair pairs[4];
static struct pp_summary sum;

/* Two NVIDIA GPUs behind AMD-Vi, switched to identity, no faults. */
static void two_gpus(void)
{
	memset(&inv, 0, sizeof(inv));
	memset(pairs, 0, sizeof(pairs));
	inv.module = true;
	inv.info.state = PEERPASS_RUN_STATE_ACTIVE;
	inv.info.source = PEERPASS_FAULT_SOURCE_AMD_EVENT_LOG;
	inv.devices.v = devices;
	inv.devices.n = 2;
	inv.pairs.v = pairs;
	for (size_t i = 0; i < 4; i++) {
		struct pp_device *dev = &devices[i];

		pp_device_init(dev);
		dev->bdf.rid = (uint16_t)((i + 1) << 8);
		dev->present = true;
		dev->has_id = true;
		dev->vendor = 0x10de;
		dev->class = 0x030200;
		dev->group = (uint32_t)i;
		dev->selected = true;
		dev->wanted = PEERPASS_MODE_IDENTITY;
		dev->actual = PEERPASS_DOMAIN_TYPE_IDENTITY;
		dev->reason = PEERPASS_REASON_NONE;
		dev->gpu = (int)i;
	}
}

static void translated(struct pp_device *dev)
{
	dev->selected = false;
	dev->wanted = PEERPASS_MODE_OBSERVE;
	dev->actual = PEERPASS_DOMAIN_TYPE_DMA_FQ;
}

static void fault(size_t i, size_t from, size_t to, uint64_t n)
{
	pairs[i].initiator = devices[from].bdf;
	pairs[i].class = PEERPASS_TARGET_CLASS_BAR;
	pairs[i].target = devices[to].bdf;
	pairs[i].bar = 1;
	pairs[i].write = n;
	devices[from].total += n;
	devices[from].counts[0] = (struct pp_count){ PEERPASS_FAULT_KIND_WRITE, n };
	devices[from].count_len = 1;
	inv.pairs.n = i + 1;
}

static void expect(enum pp_works works, const char *why, const char *next)
{
	pp_summarize(&inv, &sum);
	CHECK_STR(pp_works_name(sum.works), pp_works_name(works), "answer");
	CHECK(strstr(sum.why, why), "why is \"%s\", expected \"%s\"", sum.why, why);
	CHECK(strstr(sum.next, next), "next is \"%s\", expected \"%s\"", sum.next, next);
}

static void summary_no_module(void)
{
	two_gpus();
	inv.module = false;
	expect(PP_WORKS_NOT_PROVED, "not loaded", "modprobe peerpass");
}

static void summary_module_does_nothing(void)
{
	two_gpus();
	inv.info.state = PEERPASS_RUN_STATE_OFF;
	expect(PP_WORKS_NOT_PROVED, "does nothing (off)", "modprobe -r peerpass");
	inv.info.state = PEERPASS_RUN_STATE_KDUMP;
	expect(PP_WORKS_NOT_PROVED, "does nothing (kdump)", "after the next boot");
}

static void summary_too_few_devices(void)
{
	two_gpus();
	inv.devices.n = 1;
	expect(PP_WORKS_NOT_PROVED, "there is 1 here", "status --all");
	inv.devices.n = 0;
	expect(PP_WORKS_NOT_PROVED, "there are 0 here", "status --all");
	inv.devices.n = 2;
	devices[1].present = false;
	expect(PP_WORKS_NOT_PROVED, "there is 1 here", "status --all");
	devices[1].present = true;
	devices[1].wanted = PEERPASS_MODE_OFF;
	expect(PP_WORKS_NOT_PROVED, "there is 1 here", "status --all");
}

static void summary_identity_is_not_proof(void)
{
	two_gpus();
	expect(PP_WORKS_NOT_PROVED, "2 of 2 devices are identity, no faults; data not checked",
	       "peerpass validate");
}

static void summary_translated(void)
{
	two_gpus();
	translated(&devices[0]);
	translated(&devices[1]);
	expect(PP_WORKS_NOT_PROVED, "2 of 2 devices are translated", "peerpass validate");
	/* Only one of two that rules select: translation is per initiator. */
	two_gpus();
	devices[1].actual = PEERPASS_DOMAIN_TYPE_DMA;
	expect(PP_WORKS_NOT_PROVED, "1 of 2 devices are translated", "peerpass validate");
}

static void summary_windows(void)
{
	two_gpus();
	for (int i = 0; i < 2; i++) {
		devices[i].actual = PEERPASS_DOMAIN_TYPE_DMA;
		devices[i].wanted = PEERPASS_MODE_AUTO;
		devices[i].mode = PEERPASS_MODE_PEER;
	}
	expect(PP_WORKS_NOT_PROVED, "2 of 2 devices reach their peers through windows",
	       "peerpass validate");
	devices[1].mode = PEERPASS_MODE_OBSERVE;
	expect(PP_WORKS_NOT_PROVED, "2 of 2 devices are translated", "peerpass validate");
}

static void summary_no_iommu(void)
{
	two_gpus();
	for (int i = 0; i < 2; i++) {
		translated(&devices[i]);
		devices[i].actual = PEERPASS_DOMAIN_TYPE_NONE;
	}
	expect(PP_WORKS_NOT_PROVED, "no IOMMU translates these 2 devices", "peerpass validate");
}

static void summary_faults_between_peers(void)
{
	two_gpus();
	translated(&devices[0]);
	translated(&devices[1]);
	fault(0, 0, 1, 1022);
	expect(PP_WORKS_NO, "1022 faults of peers on each other's BARs, gpu0 to gpu1 BAR1",
	       "modprobe peerpass policy='10de:*=identity'");
	fault(1, 1, 0, 3);
	expect(PP_WORKS_NO,
	       "1025 faults of peers on each other's BARs, gpu0 to gpu1 BAR1 and others",
	       "policy=");
	/* Already identity, still faults: there is no policy to advise. */
	two_gpus();
	fault(0, 0, 1, 2);
	expect(PP_WORKS_NO, "2 faults", "peerpass faults --matrix");
	/* Wanted but refused: advise what the refusal asks for. */
	devices[0].actual = PEERPASS_DOMAIN_TYPE_DMA;
	devices[0].reason = PEERPASS_REASON_DRIVER_BOUND;
	snprintf(devices[0].detail, sizeof(devices[0].detail), "nvidia");
	expect(PP_WORKS_NO, "2 faults", "load peerpass before driver nvidia");
}

static void summary_other_faults(void)
{
	two_gpus();
	fault(0, 0, 1, 5);
	pairs[0].class = PEERPASS_TARGET_CLASS_HOST_RAM;
	expect(PP_WORKS_NOT_PROVED, "gpu0 caused 5 faults, on no known BAR of a peer",
	       "peerpass validate");
	/* On a BAR, but of a device that is no peer. */
	two_gpus();
	inv.devices.n = 3;
	devices[2].class = 0x010802;
	devices[2].selected = false;
	devices[2].gpu = -1;
	fault(0, 0, 2, 5);
	expect(PP_WORKS_NOT_PROVED, "on no known BAR of a peer", "peerpass validate");
	/* By a device that is no peer. */
	two_gpus();
	inv.devices.n = 3;
	devices[2].class = 0x010802;
	devices[2].selected = false;
	devices[2].gpu = -1;
	fault(0, 2, 0, 5);
	expect(PP_WORKS_NOT_PROVED, "2 of 2 devices are identity", "peerpass validate");
}

static void summary_broken_device(void)
{
	two_gpus();
	devices[1].reason = PEERPASS_REASON_ILLEGAL_DTE;
	expect(PP_WORKS_NO, "rejects the device table entry of gpu1", "unload peerpass");
	two_gpus();
	devices[1].total = 28;
	devices[1].counts[0] =
		(struct pp_count){ PEERPASS_FAULT_KIND_ILLEGAL_DEV_TABLE_ENTRY, 28 };
	devices[1].count_len = 1;
	expect(PP_WORKS_NO, "(28 ILLEGAL_DEV_TABLE_ENTRY)", "unload peerpass");
}

static void summary_not_as_wanted(void)
{
	two_gpus();
	devices[1].reason = PEERPASS_REASON_DRIVER_BOUND;
	devices[1].actual = PEERPASS_DOMAIN_TYPE_DMA;
	snprintf(devices[1].detail, sizeof(devices[1].detail), "nvidia");
	expect(PP_WORKS_NOT_PROVED, "1 of 2 devices not as wanted, gpu1: driver_bound",
	       "load peerpass before driver nvidia");
	two_gpus();
	devices[0].actual = PEERPASS_DOMAIN_TYPE_UNMANAGED;
	snprintf(devices[0].driver, sizeof(devices[0].driver), "vfio-pci");
	expect(PP_WORKS_NOT_PROVED, "gpu0 is not the host's (unmanaged, driver vfio-pci)",
	       "give the device back");
	devices[0].actual = PEERPASS_DOMAIN_TYPE_BLOCKED;
	expect(PP_WORKS_NOT_PROVED, "(blocked, driver vfio-pci)", "give the device back");
}

/* With rules the question is about what they select, not about the BMC's VGA. */
static void summary_selected_devices_only(void)
{
	two_gpus();
	inv.devices.n = 3;
	translated(&devices[2]);
	devices[2].vendor = 0x1a03;
	expect(PP_WORKS_NOT_PROVED, "2 of 2 devices are identity", "peerpass validate");
	/* Without rules about every display controller. */
	for (int i = 0; i < 3; i++)
		translated(&devices[i]);
	expect(PP_WORKS_NOT_PROVED, "3 of 3 devices are translated", "peerpass validate");
}

static void summary_never_says_yes(void)
{
	two_gpus();
	for (uint32_t a = 0; a <= PEERPASS_DOMAIN_TYPE_MAX; a++) {
		for (uint32_t r = 0; r <= PEERPASS_REASON_MAX; r++) {
			devices[0].actual = a;
			devices[1].reason = r;
			pp_summarize(&inv, &sum);
			CHECK(sum.works != PP_WORKS_YES, "yes for type %u, reason %u", a, r);
			CHECK(sum.why[0] && sum.next[0], "no why or next for type %u, reason %u",
			      a, r);
		}
	}
}

static void cure_rules(void)
{
	const struct pp_bdf both[] = { { 0, 0x0100 }, { 0, 0x0200 } };
	char buf[512];

	two_gpus();
	pp_cure(&inv, NULL, 0, buf, sizeof(buf));
	CHECK_STR(buf, "", "nothing to cure");
	translated(&devices[0]);
	translated(&devices[1]);
	devices[1].class = 0x00ff00;
	devices[1].selected = true;
	pp_cure(&inv, both, 2, buf, sizeof(buf));
	CHECK_STR(buf, "modprobe -r peerpass && modprobe peerpass "
		  "policy='10de:*=identity,0000:02:00.0=identity+class'", "an odd class");
	snprintf(inv.info.policy, sizeof(inv.info.policy), "8086:*=observe");
	snprintf(devices[0].driver, sizeof(devices[0].driver), "nvidia");
	devices[1].class = 0x030000;
	pp_cure(&inv, both, 2, buf, sizeof(buf));
	CHECK_STR(buf, "modprobe -r peerpass && modprobe peerpass "
		  "policy='10de:*=identity,8086:*=observe' (while driver nvidia is unbound)",
		  "before the policy in force");
	memset(inv.info.policy, 'x', 4000);
	pp_cure(&inv, both, 2, buf, sizeof(buf));
	CHECK(!strncmp(buf, "put 10de:*=identity first in policy=", 36), "long policy: %s", buf);
}

int main(void)
{
	RUN(summary_no_module);
	RUN(summary_module_does_nothing);
	RUN(summary_too_few_devices);
	RUN(summary_identity_is_not_proof);
	RUN(summary_translated);
	RUN(summary_windows);
	RUN(summary_no_iommu);
	RUN(summary_faults_between_peers);
	RUN(summary_other_faults);
	RUN(summary_broken_device);
	RUN(summary_not_as_wanted);
	RUN(summary_selected_devices_only);
	RUN(summary_never_says_yes);
	RUN(cure_rules);
	return test_failures != 0;
}
