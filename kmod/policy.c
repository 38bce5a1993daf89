// SPDX-License-Identifier: GPL-2.0-only
/*
 * The policy in force: module parameter "policy", fixed from load to unload.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/device.h>
#include <linux/moduleparam.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "peerpass.h"
#include "policy.h"

static char *policy_text;
static struct pp_rule *policy_rules;
static unsigned int policy_nr;

static void policy_drop(void)
{
	kfree(policy_text);
	kfree(policy_rules);
	policy_text = NULL;
	policy_rules = NULL;
	policy_nr = 0;
}

/*
 * Runs while the module is being loaded. A charp would end at 1024 characters
 * and would let a broken policy load.
 */
static int policy_set(const char *val, const struct kernel_param *kp)
{
	struct pp_policy_error err = {};
	struct pp_rule *rules;
	size_t len;
	char *text;
	int nr;

	if (!val)
		return -EINVAL;
	len = strlen(val);
	/* A value that came from a file or from echo ends so. */
	if (len && val[len - 1] == '\n')
		len--;
	if (len > PP_POLICY_MAX_LEN) {
		pr_err("policy refused: %zu characters, at most %u can be taken; not loaded\n",
		       len, PP_POLICY_MAX_LEN);
		return -EINVAL;
	}
	text = kstrndup(val, len, GFP_KERNEL);
	rules = kcalloc(PP_POLICY_MAX_RULES, sizeof(*rules), GFP_KERNEL);
	if (!text || !rules) {
		nr = -ENOMEM;
		goto err_free;
	}
	nr = pp_policy_parse(text, rules, PP_POLICY_MAX_RULES, &err);
	if (nr >= 0) {
		int ret = pp_policy_check_sense(rules, nr, &err);

		if (ret)
			nr = ret;
	}
	if (nr < 0) {
		pr_err("policy refused: rule %u, character %u: %s; not loaded\n",
		       err.rule, err.pos, err.msg);
		goto err_free;
	}
	/* Given twice on one command line: the last one counts. */
	policy_drop();
	policy_text = text;
	policy_rules = rules;
	policy_nr = nr;
	return 0;

err_free:
	kfree(text);
	kfree(rules);
	return nr;
}

static int policy_get(char *buffer, const struct kernel_param *kp)
{
	return scnprintf(buffer, PAGE_SIZE, "%s\n", pp_policy_text());
}

/* Called at unload, and when a later parameter fails the load. */
static void policy_free(void *arg)
{
	policy_drop();
}

static const struct kernel_param_ops policy_ops = {
	.set = policy_set,
	.get = policy_get,
	.free = policy_free,
};
module_param_cb(policy, &policy_ops, NULL, 0444);
MODULE_PARM_DESC(policy,
		 "SELECTOR=MODE[:SET][+FLAG...],... first match wins; modes observe, identity, off, peer, auto");

/* pp_policy_text - policy as it was given, never NULL */
const char *pp_policy_text(void)
{
	return policy_text ?: "";
}

/**
 * pp_policy_rule - the rule that decides about a device
 * @pdev: the device
 * @index: number of the rule, counted from 1
 * @id_mismatch: the rule expects another device at this address
 *
 * May be called in any context in which @pdev is referenced.
 *
 * Return: the rule, or NULL when none selects the device.
 */
const struct pp_rule *pp_policy_rule(struct pci_dev *pdev, unsigned int *index,
				     bool *id_mismatch)
{
	const struct pp_device_id id = {
		.domain = pci_domain_nr(pdev->bus),
		.rid = pci_dev_id(pdev),
		.vendor = pdev->vendor,
		.device = pdev->device,
		.class_code = pdev->class >> 8,
		.node = dev_to_node(&pdev->dev),
	};
	int i = pp_policy_match(policy_rules, policy_nr, &id, id_mismatch);

	if (i < 0)
		return NULL;
	*index = i + 1;
	return &policy_rules[i];
}
