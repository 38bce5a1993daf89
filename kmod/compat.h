/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * All that differs between the kernels this module builds on, 6.1 to 7.3. The
 * PP_HAVE_* macros come from Kbuild, which looks into the headers: stable kernels
 * take interface changes back, so that a version number tells nothing (6.12.118
 * has the syscore interface of 6.19).
 */
#ifndef PEERPASS_COMPAT_H
#define PEERPASS_COMPAT_H

#include <linux/hrtimer.h>
#include <linux/iommu.h>
#include <linux/syscore_ops.h>
#include <net/genetlink.h>

/*
 * The domain a group's member is attached to, for a caller that holds the
 * group's mutex. Kernels that have the second function assert in the first that
 * the mutex is not held.
 */
static inline struct iommu_domain *pp_domain_of_member(struct device *dev)
{
#ifdef PP_HAVE_DRIVER_GET_DOMAIN
	return iommu_driver_get_domain_for_dev(dev);
#else
	return iommu_get_domain_for_dev(dev);
#endif
}

/* Up to 6.2 there were two functions instead of an allocation context. */
static inline int pp_iommu_map(struct iommu_domain *domain, unsigned long iova,
			       phys_addr_t addr, size_t size, int prot)
{
#ifdef PP_HAVE_MAP_ATOMIC
	return iommu_map(domain, iova, addr, size, prot);
#else
	return iommu_map(domain, iova, addr, size, prot, GFP_KERNEL);
#endif
}

/*
 * Since 7.0 AMD's driver refuses identity under SEV-SNP by itself (kernel commit
 * ba17de98545d). Told by an interface that came with the same release.
 */
#ifdef PP_HAVE_DRIVER_GET_DOMAIN
#define PP_KERNEL_CHECKS_SNP	true
#else
#define PP_KERNEL_CHECKS_SNP	false
#endif

/*
 * Up to 6.3 the kernel changes the type only of a group of one device. Told by
 * the older interface of iommu_map() (up to 6.2); 6.3 refuses by itself.
 */
#ifdef PP_HAVE_MAP_ATOMIC
#define PP_SINGLE_DEVICE_GROUPS	true
#else
#define PP_SINGLE_DEVICE_GROUPS	false
#endif

/*
 * Since 6.4 a flag says whether IOVAs are first tried below 4 GiB; before, they
 * always are. For a caller that knows that nothing is being mapped for @dev.
 */
#ifdef PP_HAVE_32BIT_WORKAROUND
static inline bool pp_can_start_high(void)
{
	return true;
}

/* Return: they were tried below 4 GiB first until now. */
static inline bool pp_start_high(struct device *dev, bool high)
{
	bool before = dev->iommu->pci_32bit_workaround;

	dev->iommu->pci_32bit_workaround = !high;
	return before;
}
#else
static inline bool pp_can_start_high(void)
{
	return false;
}

static inline bool pp_start_high(struct device *dev, bool high)
{
	return true;
}
#endif

/* The attributes of a dump's request. Since 6.6 they are in a struct genl_info. */
static inline struct nlattr **pp_dump_attrs(struct netlink_callback *cb)
{
#ifdef PP_HAVE_GENL_INFO_DUMP
	return genl_info_dump(cb)->attrs;
#else
	return genl_dumpit_info(cb)->attrs;
#endif
}

#ifndef PP_HAVE_HRTIMER_SETUP
static inline void hrtimer_setup(struct hrtimer *timer,
				 enum hrtimer_restart (*fn)(struct hrtimer *),
				 clockid_t clock, enum hrtimer_mode mode)
{
	hrtimer_init(timer, clock, mode);
	timer->function = fn;
}
#endif

#ifdef PP_HAVE_SYSCORE
#define PP_SYSCORE_ARG	void *data
#else
#define PP_SYSCORE_ARG	void

struct syscore {
	struct syscore_ops *ops;
};

static inline void register_syscore(struct syscore *syscore)
{
	register_syscore_ops(syscore->ops);
}

static inline void unregister_syscore(struct syscore *syscore)
{
	unregister_syscore_ops(syscore->ops);
}
#endif

#endif /* PEERPASS_COMPAT_H */
