// SPDX-License-Identifier: GPL-2.0-only
/* status for people: the answer, the table, then what needs an explanation. */
#include <stdio.h>
#include <string.h>

#include "lib/counting_text.h"
#include "lib/names.h"
#include "lib/output.h"
#include "lib/pci.h"
#include "lib/reasons.h"
#include "lib/rule_text.h"
#include "lib/table.h"
#include "status.h"
#include "uapi/linux/peerpass.h"

enum column {
	COL_GPU, COL_BDF, COL_MODEL, COL_NODE, COL_GROUP, COL_DRIVER, COL_WANTED, COL_ACTUAL,
	COL_FAULTS, COLUMNS,
};

static void header(struct pp_table *t)
{
	static const char * const titles[COLUMNS] = {
		"", "bdf", "model", "node", "group", "driver", "wanted", "actual", "faults",
	};

	pp_table_row(t);
	for (size_t c = 0; c < COLUMNS; c++)
		pp_table_cell(t, c, "%s", titles[c]);
}

static void device_row(struct pp_table *t, const struct pp_inventory *inv,
		       const struct pp_device *dev)
{
	char text[PP_TEXT_LEN], bdf[PP_BDF_LEN], model[PP_CELL_LEN];
	bool lower_bound = pp_device_inexact(&inv->info, dev) != 0;

	pp_table_row(t);
	if (dev->gpu >= 0)
		pp_table_cell(t, COL_GPU, "gpu%d", dev->gpu);
	else
		pp_table_cell(t, COL_GPU, "-");
	pp_table_cell(t, COL_BDF, "%s", pp_bdf_text(dev->bdf, bdf));
	pp_pci_short_name(dev, model, sizeof(model));
	pp_table_cell(t, COL_MODEL, "%s", dev->present ? model : "(gone)");
	pp_table_cell(t, COL_NODE, dev->numa_node < 0 ? "-" : "%d", dev->numa_node);
	pp_table_cell(t, COL_GROUP, dev->group == PP_UNKNOWN ? "-" : "%u", dev->group);
	pp_table_cell(t, COL_DRIVER, "%s", dev->driver[0] ? dev->driver : "-");
	pp_table_cell(t, COL_WANTED, "%s",
		      dev->wanted == PP_UNKNOWN ? "-" : pp_name_mode(dev->wanted));
	pp_table_cell(t, COL_ACTUAL, "%s%s",
		      dev->actual == PP_UNKNOWN ? "?" : pp_name_domain_type(dev->actual),
		      pp_reason_given(dev) ? "!" : "");
	pp_table_cell(t, COL_FAULTS, "%s",
		      inv->module ? pp_count_text(dev->total, lower_bound, text) : "-");
}

static void print_table(const struct status_view *view)
{
	/* Shortened in this order until a line fits. */
	static const struct pp_table_cut cuts[] = {
		{ COL_MODEL, 16 }, { COL_DRIVER, 8 }, { COL_MODEL, 8 },
	};
	struct pp_table t = { .columns = COLUMNS, .right = 1u << COL_NODE | 1u << COL_GROUP |
							   1u << COL_FAULTS };

	header(&t);
	for (size_t i = 0; i < view->inv->devices.n; i++) {
		if (view->shown[i])
			device_row(&t, view->inv, &view->inv->devices.v[i]);
	}
	if (t.row_count > 1)
		pp_table_print(&t, (size_t)pp_output_width(), cuts, sizeof(cuts) / sizeof(cuts[0]));
	else
		puts("No GPU or accelerator here, and no rule selects a device.");
	pp_table_free(&t);
}

static void print_reasons(const struct status_view *view)
{
	char name[2 * PP_BDF_LEN], text[384], advice[384], rule[128];
	bool first = true;

	for (size_t i = 0; i < view->inv->devices.n; i++) {
		const struct pp_device *dev = &view->inv->devices.v[i];

		if (!view->shown[i] || !pp_reason_given(dev))
			continue;
		if (first)
			puts("\nNot as wanted (marked with \"!\"):");
		first = false;
		pp_reason_text(dev, text, sizeof(text));
		pp_reason_advice(dev, advice, sizeof(advice));
		printf("  %s: %s: %s\n", pp_device_label(dev, name),
		       pp_name_reason(dev->reason), text);
		if (pp_rule_text(view->inv->info.policy, dev->rule, rule, sizeof(rule)))
			printf("      rule %u: %s\n", dev->rule, rule);
		if (advice[0])
			printf("      to do: %s\n", advice);
	}
}

/* A switched group can only be put back while no driver is bound. */
static void print_in_use(const struct status_view *view)
{
	char name[2 * PP_BDF_LEN];

	for (size_t i = 0; i < view->inv->devices.n; i++) {
		const struct pp_device *dev = &view->inv->devices.v[i];

		if (dev->switched && dev->driver[0])
			printf("rmmod: in use; unbind %s from %s first"
			       " (then its domain is %s again)\n", dev->driver,
			       pp_device_label(dev, name),
			       dev->original == PP_UNKNOWN ? "the old one" :
							     pp_name_domain_type(dev->original));
	}
}

/** status_print_text - print the whole status */
void status_print_text(const struct status_view *view)
{
	const struct pp_info *info = &view->inv->info;

	pp_summary_print(&view->summary);
	putchar('\n');
	print_table(view);
	if (!view->inv->module)
		return;
	print_reasons(view);
	status_print_modes(view);
	status_print_sets(view);
	status_print_windows(view->inv);
	putchar('\n');
	printf("IOMMU %s, SNP %s; peerpass %s, %s%s%s\n",
	       info->iommu_kind == PP_UNKNOWN ? "unknown" : pp_name_iommu_kind(info->iommu_kind),
	       pp_name_tristate(info->snp), info->version, pp_name_run_state(info->state),
	       info->policy[0] ? ", policy=" : ", no policy", info->policy);
	pp_counting_print(info);
	print_in_use(view);
}
