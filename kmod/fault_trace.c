// SPDX-License-Identifier: GPL-2.0-only
/*
 * The tracepoint iommu:io_page_fault, for machines whose fault records cannot be
 * read. A lower bound: AMD-Vi fires it for memory transactions of known devices
 * only, VT-d and virtio-iommu never.
 */
#include <linux/iommu.h>
#include <linux/pci.h>
#include <linux/tracepoint.h>
#include <trace/events/iommu.h>

#include "fault_table.h"
#include "fault_trace.h"

static atomic64_t total;

/* Context: any; preemption is off. */
static void on_fault(void *data, struct device *dev, unsigned long iova,
		     int flags)
{
	struct pp_fault fault = {
		.addr = iova,
		.kind = flags & IOMMU_FAULT_WRITE ? PEERPASS_FAULT_KIND_WRITE :
						    PEERPASS_FAULT_KIND_READ,
	};
	struct pci_dev *pdev;

	if (!dev || !dev_is_pci(dev))
		return;
	pdev = to_pci_dev(dev);
	fault.key = pp_key(pci_domain_nr(pdev->bus), pci_dev_id(pdev));
	pp_fault_record(&fault);
	atomic64_inc(&total);
}

int pp_fault_trace_start(void)
{
	atomic64_set(&total, 0);
	return register_trace_io_page_fault(on_fault, NULL);
}

/* pp_fault_trace_stop - no handler runs any more on return */
void pp_fault_trace_stop(void)
{
	unregister_trace_io_page_fault(on_fault, NULL);
	tracepoint_synchronize_unregister();
}

u64 pp_fault_trace_total(void)
{
	return atomic64_read(&total);
}
