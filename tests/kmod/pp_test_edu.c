// SPDX-License-Identifier: GPL-2.0-only
/*
 * Test only: driver for QEMU's "edu" device, a DMA engine with a buffer of
 * 4 KiB. It stands in for a GPU's copy engine: user space names a bus address,
 * the device reads or writes there. See pp_test_edu.h.
 *
 * A bound driver also pins the device's default domain, which is what the
 * life-cycle rules of the module under test are about.
 *
 * The regions are not claimed: kernels with IO_STRICT_DEVMEM refuse mmap() of
 * a claimed BAR's sysfs file, and a scenario may drive an idle device that way.
 */
#include <linux/dma-mapping.h>
#include <linux/fs.h>
#include <linux/iopoll.h>
#include <linux/kref.h>
#include <linux/miscdevice.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/pci.h>
#include <linux/slab.h>
#include <linux/uaccess.h>

#include "pp_test_edu.h"

/* Registers and bits: QEMU, docs/specs/edu.rst. */
#define EDU_DMA_SRC		0x80
#define EDU_DMA_DST		0x88
#define EDU_DMA_LEN		0x90
#define EDU_DMA_CMD		0x98
#define EDU_DMA_RUN		BIT(0)
#define EDU_DMA_FROM_DEVICE	BIT(1)
/* Where the device's own buffer is, in its own address space. */
#define EDU_DMA_BUF		0x40000

/* The device takes 100 ms; the rest is for a slow emulator. */
#define EDU_TIMEOUT_US		(2 * USEC_PER_SEC)
#define EDU_POLL_US		2000

struct pp_edu {
	struct kref ref;
	struct pci_dev *pdev;
	void __iomem *regs;
	void *buf;
	dma_addr_t buf_dma;
	struct miscdevice misc;
	char *name;

	/* Serialises the hardware; protects all below. */
	struct mutex lock;
	/* remove() has run: only memory of our own may be touched. */
	bool gone;
	/* Whose mappings of the buffer remove() has to take away. */
	struct address_space *mapping;
	/* The file whose transfer was started and not waited for, or NULL. */
	struct file *starter;
	struct pp_test_edu_xfer started;
};

static void pp_edu_free(struct kref *ref)
{
	struct pp_edu *edu = container_of(ref, struct pp_edu, ref);

	mutex_destroy(&edu->lock);
	kfree(edu->name);
	kfree(edu);
}

static int pp_edu_idle(struct pp_edu *edu)
{
	u64 cmd;

	return readq_poll_timeout(edu->regs + EDU_DMA_CMD, cmd, !(cmd & EDU_DMA_RUN),
				  EDU_POLL_US, EDU_TIMEOUT_US);
}

/* Starts one leg. The registers ignore writes while a leg is under way. */
static void pp_edu_leg(struct pp_edu *edu, u64 bus_addr, u32 len, bool from_device)
{
	writeq(from_device ? EDU_DMA_BUF : bus_addr, edu->regs + EDU_DMA_SRC);
	writeq(from_device ? bus_addr : EDU_DMA_BUF, edu->regs + EDU_DMA_DST);
	writeq(len, edu->regs + EDU_DMA_LEN);
	writeq(EDU_DMA_RUN | (from_device ? EDU_DMA_FROM_DEVICE : 0), edu->regs + EDU_DMA_CMD);
}

static int pp_edu_start(struct pp_edu *edu, struct file *file, const struct pp_test_edu_xfer *x)
{
	int ret;

	if (edu->starter)
		return -EBUSY;
	ret = pp_edu_idle(edu);
	if (ret)
		return ret;

	if (x->dir == PP_TEST_EDU_WRITE) {
		pp_edu_leg(edu, edu->buf_dma, x->len, false);
		ret = pp_edu_idle(edu);
		if (ret)
			return ret;
	}
	pp_edu_leg(edu, x->bus_addr, x->len, x->dir == PP_TEST_EDU_WRITE);
	edu->started = *x;
	edu->starter = file;
	return 0;
}

static int pp_edu_wait(struct pp_edu *edu, struct file *file)
{
	int ret;

	if (edu->starter != file)
		return -ENOENT;
	edu->starter = NULL;
	ret = pp_edu_idle(edu);
	if (ret || edu->started.dir == PP_TEST_EDU_WRITE)
		return ret;
	pp_edu_leg(edu, edu->buf_dma, edu->started.len, true);
	return pp_edu_idle(edu);
}

static int pp_edu_open(struct inode *inode, struct file *file)
{
	/* The misc core has put the miscdevice here and excludes its removal. */
	struct pp_edu *edu = container_of(file->private_data, struct pp_edu, misc);

	kref_get(&edu->ref);
	file->private_data = edu;
	mutex_lock(&edu->lock);
	edu->mapping = file->f_mapping;
	mutex_unlock(&edu->lock);
	return 0;
}

static int pp_edu_release(struct inode *inode, struct file *file)
{
	struct pp_edu *edu = file->private_data;

	mutex_lock(&edu->lock);
	if (edu->starter == file) {
		edu->starter = NULL;
		if (!edu->gone)
			pp_edu_idle(edu);
	}
	mutex_unlock(&edu->lock);
	kref_put(&edu->ref, pp_edu_free);
	return 0;
}

static long pp_edu_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	struct pp_edu *edu = file->private_data;
	struct pp_test_edu_xfer x = {};
	int ret;

	switch (cmd) {
	case PP_TEST_EDU_TRANSFER:
	case PP_TEST_EDU_START:
		if (copy_from_user(&x, (void __user *)arg, sizeof(x)))
			return -EFAULT;
		/* The device does not check: a wrong length would corrupt the emulator. */
		if (!x.len || x.len > PP_TEST_EDU_BUF_LEN || x.dir > PP_TEST_EDU_READ)
			return -EINVAL;
		break;
	case PP_TEST_EDU_WAIT:
		break;
	default:
		return -ENOTTY;
	}

	mutex_lock(&edu->lock);
	if (edu->gone)
		ret = -ENODEV;
	else if (cmd == PP_TEST_EDU_WAIT)
		ret = pp_edu_wait(edu, file);
	else
		ret = pp_edu_start(edu, file, &x);
	if (!ret && cmd == PP_TEST_EDU_TRANSFER)
		ret = pp_edu_wait(edu, file);
	mutex_unlock(&edu->lock);
	return ret;
}

static int pp_edu_mmap(struct file *file, struct vm_area_struct *vma)
{
	struct pp_edu *edu = file->private_data;
	int ret = -ENODEV;

	mutex_lock(&edu->lock);
	if (!edu->gone)
		ret = dma_mmap_coherent(&edu->pdev->dev, vma, edu->buf, edu->buf_dma,
					PP_TEST_EDU_BUF_LEN);
	mutex_unlock(&edu->lock);
	return ret;
}

static const struct file_operations pp_edu_fops = {
	.owner = THIS_MODULE,
	.open = pp_edu_open,
	.release = pp_edu_release,
	.unlocked_ioctl = pp_edu_ioctl,
	.mmap = pp_edu_mmap,
};

static int pp_edu_probe(struct pci_dev *pdev, const struct pci_device_id *id)
{
	struct pp_edu *edu;
	int ret;

	edu = kzalloc(sizeof(*edu), GFP_KERNEL);
	if (!edu)
		return -ENOMEM;
	kref_init(&edu->ref);
	mutex_init(&edu->lock);
	edu->pdev = pdev;
	edu->name = kasprintf(GFP_KERNEL, "pp_edu-%s", pci_name(pdev));
	if (!edu->name) {
		ret = -ENOMEM;
		goto err_put;
	}

	ret = pci_enable_device(pdev);
	if (ret)
		goto err_put;
	ret = dma_set_mask_and_coherent(&pdev->dev, DMA_BIT_MASK(64));
	if (ret)
		ret = dma_set_mask_and_coherent(&pdev->dev, DMA_BIT_MASK(32));
	if (ret)
		goto err_disable;
	edu->regs = pci_iomap(pdev, 0, 0);
	if (!edu->regs) {
		ret = -ENOMEM;
		goto err_disable;
	}
	edu->buf = dma_alloc_coherent(&pdev->dev, PP_TEST_EDU_BUF_LEN, &edu->buf_dma, GFP_KERNEL);
	if (!edu->buf) {
		ret = -ENOMEM;
		goto err_unmap;
	}
	pci_set_master(pdev);
	pci_set_drvdata(pdev, edu);

	edu->misc.minor = MISC_DYNAMIC_MINOR;
	edu->misc.name = edu->name;
	edu->misc.fops = &pp_edu_fops;
	edu->misc.parent = &pdev->dev;
	edu->misc.mode = 0600;
	ret = misc_register(&edu->misc);
	if (ret)
		goto err_master;
	return 0;

err_master:
	pci_clear_master(pdev);
	dma_free_coherent(&pdev->dev, PP_TEST_EDU_BUF_LEN, edu->buf, edu->buf_dma);
err_unmap:
	pci_iounmap(pdev, edu->regs);
err_disable:
	pci_disable_device(pdev);
err_put:
	kref_put(&edu->ref, pp_edu_free);
	return ret;
}

static void pp_edu_remove(struct pci_dev *pdev)
{
	struct pp_edu *edu = pci_get_drvdata(pdev);

	misc_deregister(&edu->misc);

	mutex_lock(&edu->lock);
	if (pp_edu_idle(edu))
		pci_warn(pdev, "transfer still running\n");
	edu->gone = true;
	edu->starter = NULL;
	if (edu->mapping)
		unmap_mapping_range(edu->mapping, 0, 0, 1);
	mutex_unlock(&edu->lock);

	pci_clear_master(pdev);
	dma_free_coherent(&pdev->dev, PP_TEST_EDU_BUF_LEN, edu->buf, edu->buf_dma);
	pci_iounmap(pdev, edu->regs);
	pci_disable_device(pdev);
	kref_put(&edu->ref, pp_edu_free);
}

static const struct pci_device_id pp_edu_ids[] = {
	{ PCI_DEVICE(0x1234, 0x11e8) },
	{ }
};
MODULE_DEVICE_TABLE(pci, pp_edu_ids);

static struct pci_driver pp_edu_driver = {
	.name = KBUILD_MODNAME,
	.id_table = pp_edu_ids,
	.probe = pp_edu_probe,
	.remove = pp_edu_remove,
};
module_pci_driver(pp_edu_driver);

MODULE_DESCRIPTION("Test only: DMA to a bus address of the caller's choice with QEMU's edu device");
MODULE_LICENSE("GPL");
