// SPDX-License-Identifier: GPL-2.0-only
/* The policy that would let devices reach each other. */
#include <stdio.h>
#include <string.h>

#include "cure.h"
#include "pci.h"
#include "summary.h"
#include "uapi/linux/peerpass.h"

/** pp_device_translates - is its DMA translated by its default domain? */
bool pp_device_translates(const struct pp_device *dev)
{
	return dev->actual == PEERPASS_DOMAIN_TYPE_DMA ||
	       dev->actual == PEERPASS_DOMAIN_TYPE_DMA_FQ;
}

/* The rule that would switch a device, unless @rules has it already. */
static void add_rule(const struct pp_device *dev, char *rules, size_t size)
{
	char rule[64], bdf[PP_BDF_LEN];
	size_t len = strlen(rules);

	if (pp_pci_is_accelerator(dev))
		snprintf(rule, sizeof(rule), "%04x:*=identity", dev->vendor);
	else
		snprintf(rule, sizeof(rule), "%s=identity+class", pp_bdf_text(dev->bdf, bdf));
	if (!strstr(rules, rule) && len < size)
		snprintf(rules + len, size - len, "%s%s", len ? "," : "", rule);
}

static bool concerned(const struct pp_inventory *inv, const struct pp_device *dev,
		      const struct pp_bdf *only, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		if (pp_bdf_equal(only[i], dev->bdf))
			return true;
	}
	return !only && pp_summary_is_peer(inv, dev);
}

/**
 * pp_cure - what would let devices reach each other
 * @only: the devices, @count of them; NULL for the peers
 *
 * Rules for every such device that translates and that no rule wants to be
 * identity. They go before the policy in force, since the first match decides.
 * Empty when there is no such device.
 */
void pp_cure(const struct pp_inventory *inv, const struct pp_bdf *only, size_t count,
		     char *buf, size_t size)
{
	const char *policy = inv->info.policy, *driver = NULL;
	char rules[192] = "";

	buf[0] = '\0';
	for (size_t i = 0; i < inv->devices.n; i++) {
		const struct pp_device *dev = &inv->devices.v[i];

		if (!concerned(inv, dev, only, count) || !pp_device_translates(dev) ||
		    !dev->has_id || dev->wanted == PEERPASS_MODE_IDENTITY)
			continue;
		add_rule(dev, rules, sizeof(rules));
		if (dev->driver[0] && !driver)
			driver = dev->driver;
	}
	if (!rules[0])
		return;
	if (strlen(policy) > 128)
		snprintf(buf, size, "put %s first in policy= and load peerpass again", rules);
	else
		snprintf(buf, size, "modprobe -r peerpass && modprobe peerpass policy='%s%s%s'",
			 rules, policy[0] ? "," : "", policy);
	if (driver && strlen(buf) + strlen(driver) + 40 < size) {
		snprintf(buf + strlen(buf), size - strlen(buf), " (while driver %s is unbound)",
			 driver);
	}
}
