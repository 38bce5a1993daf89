// SPDX-License-Identifier: GPL-2.0-only
/* Reading and writing the address of a PCI function. */
#include <stdio.h>

#include "bdf.h"

static int hex_digit(char ch)
{
	if (ch >= '0' && ch <= '9')
		return ch - '0';
	ch |= 0x20;
	return ch >= 'a' && ch <= 'f' ? ch - 'a' + 10 : -1;
}

/* 1 to @max digits up to the character @end, which is taken too. */
static bool take_hex(const char **p, unsigned int max, char end, uint32_t *value)
{
	unsigned int n = 0;

	for (*value = 0; hex_digit(**p) >= 0; (*p)++) {
		if (++n > max)
			return false;
		*value = *value << 4 | (uint32_t)hex_digit(**p);
	}
	if (!n || **p != end)
		return false;
	if (end)
		(*p)++;
	return true;
}

/**
 * pp_bdf_parse - read "DDDD:BB:DD.F", or "BB:DD.F" in domain 0
 *
 * Hexadecimal in either case, as lspci, sysfs and CUDA write it.
 *
 * Return: false when @text is no address.
 */
bool pp_bdf_parse(const char *text, struct pp_bdf *bdf)
{
	uint32_t domain = 0, bus, slot, func;
	unsigned int colons = 0;
	const char *p;

	for (p = text; *p; p++)
		colons += *p == ':';
	p = text;
	if (colons == 2 && !take_hex(&p, 8, ':', &domain))
		return false;
	if (!take_hex(&p, 2, ':', &bus) || !take_hex(&p, 2, '.', &slot) ||
	    !take_hex(&p, 1, '\0', &func) || slot > 0x1f || func > 7)
		return false;
	bdf->domain = domain;
	bdf->rid = (uint16_t)(bus << 8 | slot << 3 | func);
	return true;
}

/** pp_bdf_text - write @bdf as sysfs does; returns @buf */
const char *pp_bdf_text(struct pp_bdf bdf, char buf[PP_BDF_LEN])
{
	snprintf(buf, PP_BDF_LEN, "%04x:%02x:%02x.%x", bdf.domain, bdf.rid >> 8,
		 bdf.rid >> 3 & 0x1f, bdf.rid & 7);
	return buf;
}

/** pp_bdf_compare - order by domain, then rid; as for qsort() */
int pp_bdf_compare(struct pp_bdf a, struct pp_bdf b)
{
	if (a.domain != b.domain)
		return a.domain < b.domain ? -1 : 1;
	return a.rid < b.rid ? -1 : a.rid > b.rid;
}
