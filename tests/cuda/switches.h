/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the environment asks for.
 *
 * PP_TEST_CUDA_DEVICES=ADDRESS[,ADDRESS...]
 *	GPUs of memory only, with these PCI addresses, up to 64; faults go to the file
 *	that FAKE_FAULTS names (tests/cli/fakenl_faults.h). Without it the GPUs are
 *	QEMU's devices.
 * PP_TEST_CUDA_MEMORY=N[K|M|G]
 *	bytes of such a GPU's memory, up to 64G; default 64M
 * PP_TEST_CUDA_STATE=FILE
 *	where lost devices are remembered
 * PP_TEST_CUDA_CHUNK=N
 *	bytes of one DMA transfer, 1 to 4096; default 2040. Kernels transfer whole words
 * PP_TEST_CUDA_DELAY=MS
 *	how long work waits in a stream that nobody waits for; default 20
 * PP_TEST_CUDA=WORD[=VALUE][,WORD[=VALUE]...]
 *	failures on demand:
 *
 * What crosses between devices, a P2P transfer: a whole copy by the copy engine, or
 * what a kernel's consecutive stores or loads were combined to. Copies that the driver
 * stages through the host (no peer access) are none.
 *	only=I:J	only what device I does to or from the memory of device J
 *	engine=ce|sm	only what the copy engine, or kernels, do
 *	hang		never finishes
 *	crash		ends the process by SIGABRT
 *	copyerror	fails with CUDA_ERROR_LAUNCH_FAILED; a copy in the call itself
 *	drop		does nothing and succeeds. What a kernel loads is all ones then,
 *			the destination of a copy keeps what it had
 *	dropwrite	the same for writes only
 *	dropread	the same for reads only
 *	zeros		arrives as zeros
 *	ones		arrives as ones
 *	half		all but the last 8 bytes arrive
 *	shift		arrives 8 bytes further on, the last 8 bytes not at all; what is
 *			not longer than that arrives as it should
 *	flip		the 8-byte word in the middle is wrong
 *	flip=N:OFFSET	the same for transfer N only, counted from 0 in each process, and
 *			for the word at OFFSET, modulo its length
 *	stale		the first of each initiator and target does nothing
 *	mirror		what is written is seen only by the same initiator's later reads
 *	late=MS		arrives only MS milliseconds after success was reported; what a
 *			kernel loads is not affected
 *	flagfirst	of what a kernel writes a flag (pp_poke32) arrives at once, what
 *			it stored before 100 ms later; the kernel ends when all has
 *	collective	in each run of an all-reduce kernel the first word that it stores
 *			or loads across is wrong
 *	lost=N		after N of them the initiator is lost: that one, and every call on
 *			a context of the device, fails with CUDA_ERROR_UNKNOWN for good
 *	fault[=N]	each one that any of these spoils causes N IOMMU faults, default
 *			16, as the following two memory only
 *	faults[=N]	each one causes N IOMMU faults
 *	unknown-faults[=N]	the same, without an address
 *
 * The devices:
 *	noaccess	peer access is not supported, as cuDeviceCanAccessPeer() says
 *			(only= applies)
 *	noenable	the same, but only cuCtxEnablePeerAccess() says so
 *	nodev		cuInit() finds no device
 *	initfail[=N]	cuInit() fails with CUDA error N, default 802
 *	inithang	cuInit() never returns
 *	endhang		cuDevicePrimaryCtxRelease() never returns
 *	badhost		a copy through the host gets one 8-byte word wrong
 *	badmemory	a device loses the second half of what its own host writes
 *	renumber	processes that do not ask how many there are count from the end:
 *			a device went, and another one came, after others had asked
 *	noptx[=N]	cuModuleLoadData() fails with CUDA error N, default 218
 *	print		cuInit() prints to standard output
 */
#ifndef TEST_CUDA_SWITCHES_H
#define TEST_CUDA_SWITCHES_H

#include <stdbool.h>
#include <stdint.h>

struct switches {
	/* P2P transfers */
	bool hang, crash, copyerror;
	bool drop, dropwrite, dropread, zeros, ones, half, shift, flip, stale, mirror;
	bool late, flagfirst, collective, lost, fault, faults, unknown_faults;
	/* Only these two devices; -1: all. */
	int initiator, target;
	/* Not by the copy engine, not by kernels. */
	bool not_ce, not_sm;
	/* -1: each one, in its middle. */
	int64_t flip_number;
	uint64_t flip_offset;
	uint64_t lost_after, late_ms, fault_count;
	/* The devices */
	bool noaccess, noenable, nodev, initfail, inithang, endhang, badhost, badmemory, noptx;
	bool renumber;
	bool print;
	uint64_t initfail_error, noptx_error;

	uint32_t chunk;
	uint64_t delay_ms, memory;
};

extern struct switches switches;

/* Reads the environment; false, with a line on stderr, where it makes no sense. */
bool switches_read(void);

#endif /* TEST_CUDA_SWITCHES_H */
