/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What user space asks of pp_test_edu, the test-only driver for QEMU's "edu"
 * device. Shared with the programs under tests/; no ABI.
 *
 * Each device is /dev/pp_edu-<BDF>, for example /dev/pp_edu-0000:00:04.0. Its
 * buffer, PP_TEST_EDU_BUF_LEN bytes, is mapped with mmap() at offset 0 and is
 * reached by the device through the DMA API. The other end of a transfer is a
 * bus address that the caller chooses: that is what a test of peer-to-peer DMA
 * needs, and why this driver must never be loaded on a machine that matters.
 */
#ifndef PP_TEST_EDU_H
#define PP_TEST_EDU_H

#include <linux/ioctl.h>
#include <linux/types.h>

#define PP_TEST_EDU_BUF_LEN	4096

enum pp_test_edu_dir {
	PP_TEST_EDU_WRITE,	/* buffer -> device -> bus_addr */
	PP_TEST_EDU_READ,	/* bus_addr -> device -> buffer */
};

struct pp_test_edu_xfer {
	__u64 bus_addr;
	__u32 len;		/* 1..PP_TEST_EDU_BUF_LEN bytes */
	__u32 dir;		/* enum pp_test_edu_dir */
};

/*
 * A transfer is two legs, one between the buffer and the device and one
 * between the device and bus_addr (the peer leg, the only one that can fault).
 *
 * TRANSFER returns when both are done. Success says nothing about the data:
 * like a GPU, the device does not notice that the IOMMU dropped its accesses.
 *
 * START returns as soon as the peer leg has been started; for a write the
 * buffer may be used again from then on. The device waits 100 ms before it
 * moves the data, so a test has that long to pull the mapping away. WAIT
 * returns when the started transfer is done, and must be called on the file
 * that started it.
 *
 * Errors: EINVAL (length, direction), EBUSY (a started transfer was not waited
 * for), ENOENT (WAIT without START), ENODEV (the device is gone), ETIMEDOUT
 * (the device did not finish within 2 s).
 */
#define PP_TEST_EDU_TRANSFER	_IOW('E', 0xe0, struct pp_test_edu_xfer)
#define PP_TEST_EDU_START	_IOW('E', 0xe1, struct pp_test_edu_xfer)
#define PP_TEST_EDU_WAIT	_IO('E', 0xe2)

#endif /* PP_TEST_EDU_H */
