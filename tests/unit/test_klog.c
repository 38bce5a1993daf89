// SPDX-License-Identifier: GPL-2.0-only
/* Lines of the kernel log: the forms that are known, and any bytes at all. */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "klog_window.h"
#include "test.h"

static const struct {
	const char *text;
	enum pp_klog_kind kind;
	const char *bdf;
	uint32_t xid;
} table[] = {
	{ "NVRM: Xid (PCI:0000:07:00): 31, pid=1234, name=python, MMU Fault", PP_KLOG_XID,
	  "0000:07:00.0", 31 },
	{ "NVRM: Xid (0000:c1:00): 79, GPU has fallen off the bus.", PP_KLOG_XID, "0000:c1:00.0",
	  79 },
	{ "NVRM: Xid (PCI:10000:01:00): 154", PP_KLOG_XID, "10000:01:00.0", 154 },
	{ "NVRM: Xid (odd): 13, x", PP_KLOG_XID, "", 13 },
	{ "NVRM: Xid (PCI:0000:07:00): many", PP_KLOG_NONE, "", 0 },
	{ "NVRM: Xid (PCI:0000:07:00)", PP_KLOG_NONE, "", 0 },
	{ "NVRM: GPU at PCI:0000:07:00: GPU-0123", PP_KLOG_NONE, "", 0 },
	{ "pcieport 0000:00:01.0: AER: Corrected error received: 0000:01:00.0", PP_KLOG_AER,
	  "0000:01:00.0", 0 },
	{ "pcieport 0000:00:01.0: AER: Correctable error message received from 0000:01:00.0",
	  PP_KLOG_AER, "0000:01:00.0", 0 },
	{ "pcieport 0000:00:01.0: AER: Multiple Uncorrected (Fatal) error received: 00:01.0",
	  PP_KLOG_AER, "0000:00:01.0", 0 },
	{ "nvidia 0000:01:00.0: PCIe Bus Error: severity=Corrected, type=Data Link Layer",
	  PP_KLOG_AER, "0000:01:00.0", 0 },
	{ "nvidia 0000:01:00.0: AER: can't recover (no error_detected callback)", PP_KLOG_AER,
	  "0000:01:00.0", 0 },
	{ "nvidia 0000:07:00.0: AMD-Vi: Event logged [IO_PAGE_FAULT domain=0x0003 "
	  "address=0x80000040 flags=0x0020]", PP_KLOG_IOMMU, "0000:07:00.0", 0 },
	{ "AMD-Vi: Event logged [IO_PAGE_FAULT device=0000:07:00.0 domain=0x0003 address=0x0 "
	  "flags=0x0000]", PP_KLOG_IOMMU, "0000:07:00.0", 0 },
	{ "AMD-Vi: Event logged [IO_PAGE_FAULT device=07:00.0 domain=0x0003 address=0x0]",
	  PP_KLOG_IOMMU, "0000:07:00.0", 0 },
	{ "AMD-Vi: Event logged [ILLEGAL_DEV_TABLE_ENTRY device=0000:07:00.0 pasid=0x00000]",
	  PP_KLOG_IOMMU, "0000:07:00.0", 0 },
	{ "amd_iommu_report_page_fault: 6 callbacks suppressed", PP_KLOG_IOMMU, "", 0 },
	{ "AMD-Vi: Event log overflow", PP_KLOG_IOMMU, "", 0 },
	{ "AMD-Vi: IOMMU Event log restarting", PP_KLOG_IOMMU, "", 0 },
	{ "AMD-Vi: Interrupt remapping enabled", PP_KLOG_NONE, "", 0 },
	{ "DMAR: DRHD: handling fault status reg 2", PP_KLOG_IOMMU, "", 0 },
	{ "DMAR: [DMA Write NO_PASID] Request device [0000:bb:1d.f] fault addr 0x1", PP_KLOG_IOMMU,
	  "", 0 },
	{ "DMAR: [DMA Write NO_PASID] Request device [0000:bb:1d.1] fault addr 0x1 [fault reason "
	  "0x05] PTE Write access is not set", PP_KLOG_IOMMU, "0000:bb:1d.1", 0 },
	{ "DMAR: [DMA Write] Request device [01:00.0] fault addr fee00000 [fault reason 05]",
	  PP_KLOG_IOMMU, "0000:01:00.0", 0 },
	{ "DMAR: [DMA Read] Request device [0x01:0x00.0] fault addr 0x0", PP_KLOG_IOMMU,
	  "0000:01:00.0", 0 },
	{ "DMAR: IOMMU enabled", PP_KLOG_NONE, "", 0 },
	{ "dmar_fault: 12 callbacks suppressed", PP_KLOG_IOMMU, "", 0 },
	{ "arm-smmu-v3 arm-smmu-v3.0.auto: event 0x10 received:", PP_KLOG_IOMMU, "", 0 },
	{ "arm-smmu-v3 arm-smmu-v3.0.auto: event: F_TRANSLATION client: 0000:01:00.0 sid: 0x100",
	  PP_KLOG_IOMMU, "0000:01:00.0", 0 },
	{ "arm-smmu-v3 arm-smmu-v3.0.auto: EVTQ overflow detected -- events lost", PP_KLOG_IOMMU,
	  "", 0 },
	{ "usb 1-1: new high-speed USB device", PP_KLOG_NONE, "", 0 },
	{ "", PP_KLOG_NONE, "", 0 },
};

static void klog_messages(void)
{
	for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
		struct pp_klog_line line;
		char bdf[PP_BDF_LEN] = "";

		pp_klog_message(table[i].text, strlen(table[i].text), &line);
		if (line.has_bdf)
			pp_bdf_text(line.bdf, bdf);
		CHECK_STR(pp_klog_kind_name(line.kind), pp_klog_kind_name(table[i].kind),
			  table[i].text);
		CHECK_STR(bdf, table[i].bdf, table[i].text);
		CHECK_NUM(line.xid, table[i].xid, table[i].text);
	}
}

static void klog_records(void)
{
	static const char good[] = "6,1234,5678901,-,caller=T1;NVRM: Xid (PCI:0000:07:00): 31, x\n"
				   " SUBSYSTEM=pci\n DEVICE=+pci:0000:07:00.0\n";
	static const char * const bad[] = {
		"", "6", "6,", "6,1,2,-", "6,1,2;", "x,1,2,-;NVRM: Xid (0000:07:00): 31",
		"14,1,2,-;NVRM: Xid (0000:07:00): 31", "6;1,2,-;NVRM: Xid (0000:07:00): 31",
	};
	struct pp_klog_line line;

	CHECK(pp_klog_record(good, sizeof(good) - 1, &line), "refused");
	CHECK(line.sequence == 1234 && line.time_us == 5678901 && line.xid == 31, "numbers");
	CHECK_STR(line.text, "NVRM: Xid (PCI:0000:07:00): 31, x", "without properties");
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		CHECK(!pp_klog_record(bad[i], strlen(bad[i]), &line) || line.kind == PP_KLOG_NONE,
		      "\"%s\" was taken", bad[i]);
	CHECK(pp_klog_record("4,1,2,c;a\x1b[31m\xff", 15, &line), "refused");
	CHECK_STR(line.text, "a?[31m?", "printable");
}

/* Every message, cut anywhere and with any byte changed, in memory of its own size. */
static void klog_any_bytes(void)
{
	unsigned int seed = 1;

	for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
		char record[512];
		int len = snprintf(record, sizeof(record), "3,%zu,7,-;%s\n", i, table[i].text);

		for (int n = 0; n <= len; n++) {
			char *exact = malloc((size_t)n + !n);
			struct pp_klog_line line;

			memcpy(exact, record, (size_t)n);
			pp_klog_record(exact, (size_t)n, &line);
			for (int k = 0; n && k < 8; k++) {
				exact[(size_t)rand_r(&seed) % (size_t)n] = (char)rand_r(&seed);
				pp_klog_record(exact, (size_t)n, &line);
				CHECK(memchr(line.text, '\0', sizeof(line.text)), "not ended");
			}
			free(exact);
		}
	}
}

static void klog_long(void)
{
	struct pp_klog_line line;
	char record[4096];

	memset(record, '9', sizeof(record));
	pp_klog_record(record, sizeof(record), &line);
	memcpy(record, "3,1,2,-;", 8);
	pp_klog_record(record, sizeof(record), &line);
	CHECK_NUM(strlen(line.text), sizeof(line.text) - 1, "cut");
	memset(record + 8, ':', sizeof(record) - 8);
	memcpy(record + 8, "NVRM: Xid (", 11);
	pp_klog_record(record, sizeof(record), &line);
	memset(record + 8, 'f', sizeof(record) - 8);
	memcpy(record + 8, "DMAR: [ Request device [", 24);
	CHECK(pp_klog_record(record, sizeof(record), &line) && !line.has_bdf, "no address");
}

/* A socket that keeps packets apart stands for /dev/kmsg. */
static void klog_window(void)
{
	static const char xid[] = "3,1,2,-;NVRM: Xid (PCI:0000:07:00): 31, pid=1";
	static const char other[] = "6,1,2,-;usb 1-1: new device";
	struct pp_klog_window window;
	json_t *json;
	int pair[2];

	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_NONBLOCK, 0, pair)) {
		CHECK(false, "no socket pair");
		return;
	}
	pp_klog_start_at(&window, pair[0]);
	pp_klog_collect(&window);
	CHECK(window.n == 0 && !window.why[0], "nothing yet");
	for (int i = 0; i < PP_KLOG_LINES + 3; i++) {
		CHECK(send(pair[1], xid, sizeof(xid) - 1, 0) > 0, "send");
		CHECK(send(pair[1], other, sizeof(other) - 1, 0) > 0, "send");
		pp_klog_collect(&window);
	}
	CHECK_NUM(window.n, PP_KLOG_LINES, "kept");
	CHECK_NUM(window.more, 3, "not kept");
	json = pp_json_klog(&window);
	CHECK_NUM(json_array_size(json_object_get(json, "lines")), PP_KLOG_LINES, "JSON");
	CHECK(json_is_true(json_object_get(json, "readable")), "readable");
	json_decref(json);
	close(pair[1]);
	pp_klog_collect(&window);
	pp_klog_end(&window);
	CHECK(window.fd == -1 && window.n == PP_KLOG_LINES, "kept after the end");
	pp_klog_collect(&window);
	/* What cannot be read at all. */
	pp_klog_start_at(&window, open("/", O_RDONLY));
	pp_klog_collect(&window);
	CHECK(strstr(window.why, "/dev/kmsg: Is a directory") && window.fd == -1, "why: %s",
	      window.why);
	json = pp_json_klog(&window);
	CHECK(json_is_false(json_object_get(json, "readable")), "not readable");
	json_decref(json);
}

/* No file has this number; reading it does what the table says, in turn. */
#define FAKE_FD 1000000

static const struct {
	const char *record;
	int error;
} log_reads[] = {
	{ "3,7,2,-;NVRM: Xid (PCI:0000:07:00): 31, x", 0 },
	{ NULL, EPIPE },
	{ NULL, EINTR },
	{ NULL, EINVAL },
	{ "3,90,2,-;NVRM: Xid (PCI:0000:07:00): 79, x", 0 },
	{ NULL, EAGAIN },
	{ NULL, EIO },
};

static size_t next_read;

ssize_t read(int fd, void *buf, size_t size)
{
	const char *record;

	if (fd != FAKE_FD)
		return syscall(SYS_read, fd, buf, size);
	record = log_reads[next_read].record;
	errno = log_reads[next_read++].error;
	if (!record)
		return -1;
	memcpy(buf, record, strlen(record));
	return (ssize_t)strlen(record);
}

static void klog_overwritten(void)
{
	struct pp_klog_window window;

	pp_klog_start_at(&window, FAKE_FD);
	pp_klog_collect(&window);
	CHECK_NUM(next_read, 6, "reads");
	CHECK(window.overwritten && window.n == 2 && !window.why[0], "%zu lines, %s", window.n,
	      window.why);
	CHECK(window.lines[0].sequence == 7 && window.lines[1].sequence == 90, "lines");
	pp_klog_collect(&window);
	CHECK(window.fd == -1 && strstr(window.why, "Input/output error"), "why: %s", window.why);
}

/* The machine's own log: readable or not, it is said. */
static void klog_real(void)
{
	struct pp_klog_window window;
	bool readable = pp_klog_start(&window);

	CHECK(readable == !window.why[0], "readable %d, but \"%s\"", readable, window.why);
	pp_klog_collect(&window);
	pp_klog_end(&window);
}

int main(void)
{
	RUN(klog_messages);
	RUN(klog_records);
	RUN(klog_any_bytes);
	RUN(klog_long);
	RUN(klog_window);
	RUN(klog_overwritten);
	RUN(klog_real);
	return test_failures != 0;
}
