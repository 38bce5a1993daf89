// SPDX-License-Identifier: GPL-2.0-only
/*
 * Test only: binds a device's driver and unbinds it "count" times, by the same
 * calls of the driver core as sysfs, and prints how long the binding took.
 *
 * "start", "size" is a BAR that must be open to the device that is bound after each
 * binding, and closed after each unbinding. With "initiator" it must be open to that
 * device instead, for which mappings are made on every CPU meanwhile, none of which
 * may fail or lie in the BAR; its driver must be idle. The load fails when anything of
 * that was not so.
 */
#include <linux/cpumask.h>
#include <linux/dma-mapping.h>
#include <linux/iommu.h>
#include <linux/kthread.h>
#include <linux/ktime.h>
#include <linux/module.h>
#include <linux/pci.h>
#include <linux/random.h>
#include <linux/sizes.h>
#include <linux/slab.h>

static char *device;
module_param(device, charp, 0);
static char *initiator;
module_param(initiator, charp, 0);
static unsigned long long start;
module_param(start, ullong, 0);
static unsigned long long size;
module_param(size, ullong, 0);
static unsigned int count = 1;
module_param(count, uint, 0);

static struct pci_dev *mapped, *viewer;
static atomic64_t mappings, failures;

static struct pci_dev *find(const char *name)
{
	unsigned int domain, bus, slot, fn;

	if (!name || sscanf(name, "%x:%x:%x.%x", &domain, &bus, &slot, &fn) != 4)
		return NULL;
	return pci_get_domain_bus_and_slot(domain, bus, PCI_DEVFN(slot, fn));
}

static int map_and_unmap(void *unused)
{
	const phys_addr_t base = pci_resource_start(mapped, 0);

	while (!kthread_should_stop()) {
		dma_addr_t iova[16];
		size_t bytes[16];
		unsigned int i;

		for (i = 0; i < ARRAY_SIZE(iova); i++) {
			bytes[i] = PAGE_SIZE << get_random_u32() % 9;
			iova[i] = dma_map_resource(&mapped->dev, base, bytes[i],
						   DMA_BIDIRECTIONAL, 0);
			atomic64_inc(&mappings);
			if (dma_mapping_error(&mapped->dev, iova[i]) ||
			    (iova[i] < start + size && start < iova[i] + bytes[i]))
				atomic64_inc(&failures);
		}
		for (i = 0; i < ARRAY_SIZE(iova); i++)
			if (!dma_mapping_error(&mapped->dev, iova[i]))
				dma_unmap_resource(&mapped->dev, iova[i], bytes[i],
						   DMA_BIDIRECTIONAL, 0);
		cond_resched();
	}
	return 0;
}

static phys_addr_t leads_to(u64 iova)
{
	return iommu_iova_to_phys(iommu_get_domain_for_dev(&viewer->dev), iova);
}

static bool is_open(void)
{
	return !size ||
	       (leads_to(start) == start &&
		leads_to(start + size - 1) == start + size - 1);
}

static bool is_closed(void)
{
	return !size || (!leads_to(start) && !leads_to(start + size - 1));
}

/* By CPU. */
static struct task_struct **tasks;

static int start_tasks(void)
{
	unsigned int cpu;

	tasks = kcalloc(nr_cpu_ids, sizeof(*tasks), GFP_KERNEL);
	if (!tasks)
		return -ENOMEM;
	for_each_online_cpu(cpu) {
		struct task_struct *task;

		task = kthread_create(map_and_unmap, NULL, "pp_churn/%u", cpu);
		if (IS_ERR(task))
			return PTR_ERR(task);
		kthread_bind(task, cpu);
		wake_up_process(task);
		tasks[cpu] = task;
	}
	return 0;
}

static void stop_tasks(void)
{
	unsigned int cpu;

	for (cpu = 0; tasks && cpu < nr_cpu_ids; cpu++)
		if (tasks[cpu])
			kthread_stop(tasks[cpu]);
	kfree(tasks);
}

static int __init pp_churn_init(void)
{
	struct pci_dev *bound = find(device);
	unsigned int i, wrong = 0;
	u64 longest = 0, sum = 0;
	int ret = 0;

	mapped = find(initiator);
	if (!bound || (initiator && !mapped)) {
		ret = -ENODEV;
		goto out;
	}
	viewer = mapped ? mapped : bound;
	if (mapped)
		ret = start_tasks();
	for (i = 0; i < count && !ret; i++) {
		ktime_t before;
		u64 took;

		device_release_driver(&bound->dev);
		wrong += !is_closed();
		before = ktime_get();
		if (device_attach(&bound->dev) != 1)
			ret = -ENXIO;
		took = ktime_us_delta(ktime_get(), before);
		longest = max(longest, took);
		sum += took;
		wrong += !is_open();
		cond_resched();
	}
	stop_tasks();
	pci_info(bound,
		 "pp_test_churn: bound %u times, %llu us on average, %llu at most, %u windows wrong, %lld mappings, %lld failed\n",
		 i, div_u64(sum, max(i, 1U)), longest, wrong,
		 (long long)atomic64_read(&mappings),
		 (long long)atomic64_read(&failures));
	if (!ret && (wrong || atomic64_read(&failures) ||
		     (mapped && !atomic64_read(&mappings))))
		ret = -EIO;
out:
	pci_dev_put(mapped);
	pci_dev_put(bound);
	return ret;
}
module_init(pp_churn_init);

static void __exit pp_churn_exit(void)
{
}
module_exit(pp_churn_exit);

MODULE_DESCRIPTION("Test only: binds and unbinds a driver while its peer is busy");
MODULE_LICENSE("GPL");
