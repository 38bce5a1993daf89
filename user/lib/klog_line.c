// SPDX-License-Identifier: GPL-2.0-only
/*
 * A line of the kernel log that tells of a GPU's, a link's or the IOMMU's trouble.
 *
 * Lines are rate-limited and their wording changes: they are shown beside a
 * result and never counted as faults.
 */
#include <stdlib.h>
#include <string.h>

#include "klog_line.h"

/** pp_klog_kind_name - as JSON has it */
const char *pp_klog_kind_name(enum pp_klog_kind kind)
{
	static const char * const names[] = {
		[PP_KLOG_NONE] = "none",
		[PP_KLOG_XID] = "xid",
		[PP_KLOG_AER] = "aer",
		[PP_KLOG_IOMMU] = "iommu",
	};

	return names[kind];
}

static bool word_character(char ch)
{
	return (ch >= '0' && ch <= '9') || (ch >= 'a' && ch <= 'f') || (ch >= 'A' && ch <= 'F') ||
	       ch == ':' || ch == '.' || ch == 'x';
}

/*
 * The address at @text: "0000:01:00.0", "01:00.0", VT-d's "0x01:0x00.0" of old
 * kernels, and, with @slot, "0000:01:00", which an Xid has.
 */
static bool address_at(const char *text, bool slot, struct pp_bdf *bdf)
{
	char word[24];
	size_t n = 0;

	for (; word_character(*text) && n < sizeof(word) - 3; text++) {
		if (text[0] == '0' && text[1] == 'x') {
			text++;
			continue;
		}
		word[n++] = *text;
	}
	/* "0000:01:00.0:" at the head of a message. */
	while (n && word[n - 1] == ':')
		n--;
	word[n] = '\0';
	if (slot && !strchr(word, '.'))
		memcpy(word + n, ".0", 3);
	return pp_bdf_parse(word, bdf);
}

/* The address after @mark, if @mark is in @text. */
static bool address_after(const char *text, const char *mark, struct pp_bdf *bdf)
{
	const char *found = strstr(text, mark);

	return found && address_at(found + strlen(mark), false, bdf);
}

/* What the kernel's dev_printk() puts first: "driver 0000:01:00.0: ". */
static bool address_of_prefix(const char *text, struct pp_bdf *bdf)
{
	const char *blank = strchr(text, ' ');

	return blank && address_at(blank + 1, false, bdf);
}

static bool begins(const char *text, const char *with)
{
	return !strncmp(text, with, strlen(with));
}

/* "NVRM: Xid (PCI:0000:07:00): 31, pid=..."; old drivers leave "PCI:" out. */
static bool is_xid(struct pp_klog_line *line)
{
	static const char head[] = "NVRM: Xid (";
	const char *p = line->text, *close;

	if (!begins(p, head))
		return false;
	p += sizeof(head) - 1;
	if (begins(p, "PCI:"))
		p += 4;
	close = strstr(p, "): ");
	if (!close || close[3] < '0' || close[3] > '9')
		return false;
	line->has_bdf = address_at(p, true, &line->bdf);
	line->xid = (uint32_t)strtoul(close + 3, NULL, 10);
	return true;
}

/* "pcieport 0000:00:01.0: AER: ... received: 0000:01:00.0", "... PCIe Bus Error: ..." */
static bool is_aer(struct pp_klog_line *line)
{
	if (!strstr(line->text, " AER: ") && !strstr(line->text, " PCIe Bus Error: "))
		return false;
	line->has_bdf = address_after(line->text, "received: ", &line->bdf) ||
			address_after(line->text, "received from ", &line->bdf) ||
			address_of_prefix(line->text, &line->bdf);
	return true;
}

/* AMD-Vi, VT-d, SMMUv3, in this order; what each says when it drops lines, too. */
static bool is_iommu(struct pp_klog_line *line)
{
	static const char * const marks[] = {
		"AMD-Vi: Event logged",
		"Event log overflow",
		"event log overflow",
		"IOMMU Event log restarting",
		"amd_iommu_report_page_fault: ",
		"DMAR: DRHD: handling fault status",
		"DMAR: [",
		"dmar_fault: ",
		"EVTQ overflow detected",
	};
	bool found = begins(line->text, "arm-smmu-v3 ") && (strstr(line->text, ": event 0x") ||
							    strstr(line->text, ": event: "));

	for (size_t i = 0; !found && i < sizeof(marks) / sizeof(marks[0]); i++)
		found = strstr(line->text, marks[i]);
	if (!found)
		return false;
	line->has_bdf = address_after(line->text, "device=", &line->bdf) ||
			address_after(line->text, "Request device [", &line->bdf) ||
			address_after(line->text, "client: ", &line->bdf);
	/* AMD-Vi's prefix is the initiator's driver and address. */
	if (!line->has_bdf && strstr(line->text, ": AMD-Vi: "))
		line->has_bdf = address_of_prefix(line->text, &line->bdf);
	return true;
}

/**
 * pp_klog_message - what a message of the kernel is about
 * @message: @len bytes of any kind, without a NUL at the end
 * @line: @sequence and @time_us are left alone
 */
void pp_klog_message(const char *message, size_t len, struct pp_klog_line *line)
{
	size_t n = 0;

	for (; n < len && n < sizeof(line->text) - 1 && message[n] && message[n] != '\n'; n++)
		line->text[n] = message[n] >= ' ' && message[n] < 0x7f ? message[n] : '?';
	line->text[n] = '\0';
	line->has_bdf = false;
	line->bdf = (struct pp_bdf){ 0 };
	line->xid = 0;
	line->kind = is_xid(line)   ? PP_KLOG_XID :
		     is_aer(line)   ? PP_KLOG_AER :
		     is_iommu(line) ? PP_KLOG_IOMMU : PP_KLOG_NONE;
}

/* Digits up to @end, which is taken too. */
static bool take_number(const char **p, const char *end_of_text, char end, uint64_t *value)
{
	const char *start = *p;

	for (*value = 0; *p < end_of_text && **p >= '0' && **p <= '9'; (*p)++)
		*value = *value * 10 + (uint64_t)(**p - '0');
	if (*p == start || *p == end_of_text || **p != end)
		return false;
	(*p)++;
	return true;
}

/**
 * pp_klog_record - take apart a record of /dev/kmsg
 * @record: "PRIORITY,SEQUENCE,MICROSECONDS,FLAGS[,...];MESSAGE\n", then lines that
 *	begin with a blank (Documentation/ABI/testing/dev-kmsg); @len bytes
 *
 * Return: false when it is no such record, or was written by a process: the
 * kernel's own facility is 0, which no process can write.
 */
bool pp_klog_record(const char *record, size_t len, struct pp_klog_line *line)
{
	const char *p = record, *end = record + len, *message;
	uint64_t priority;

	memset(line, 0, sizeof(*line));
	if (!take_number(&p, end, ',', &priority) || !take_number(&p, end, ',', &line->sequence) ||
	    !take_number(&p, end, ',', &line->time_us) || priority >> 3)
		return false;
	message = memchr(p, ';', (size_t)(end - p));
	if (!message)
		return false;
	message++;
	pp_klog_message(message, (size_t)(end - message), line);
	return true;
}
