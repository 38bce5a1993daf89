// SPDX-License-Identifier: GPL-2.0-only
/*
 * Test only: the part of the CUDA driver API that peerpass uses, on top of real
 * DMA by QEMU's edu devices between the BARs of its ivshmem devices, or of memory
 * only. The GPU is not real; with QEMU transfers, IOMMU faults and their consequences
 * are. Its kernels run on the CPU.
 *
 * Like the real library it reports success for a copy that the IOMMU dropped,
 * wants one primary context made current, and does not survive a fork().
 *
 * Here: the driver, its devices and their contexts.
 */
#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "device.h"
#include "lost.h"
#include "p2p.h"
#include "switches.h"

static bool valid_device(CUdevice device)
{
	return device >= 0 && device < device_count;
}

static void hang(void)
{
	for (;;)
		pause();
}

static CUresult init(void)
{
	static const char text[] = "a library that prints\n";

	if (!switches_read())
		return CUDA_ERROR_INVALID_VALUE;
	if (switches.inithang)
		hang();
	if (switches.print && write(STDOUT_FILENO, text, sizeof(text) - 1) < 0)
		return CUDA_ERROR_UNKNOWN;
	if (switches.initfail)
		return (CUresult)switches.initfail_error;
	return switches.nodev ? CUDA_ERROR_NO_DEVICE : devices_find();
}

CUresult cuInit(unsigned int flags)
{
	CUresult r;

	if (flags)
		return CUDA_ERROR_INVALID_VALUE;
	if (!enter())
		return leave(CUDA_SUCCESS);
	/* Initialised by our parent: nothing of that is of use here. */
	if (devices_initialised_by)
		return leave(CUDA_ERROR_NOT_INITIALIZED);
	r = init();
	if (!r)
		devices_initialised_by = getpid();
	return leave(r);
}

CUresult cuDriverGetVersion(int *version)
{
	if (!version)
		return CUDA_ERROR_INVALID_VALUE;
	*version = 12080;
	return CUDA_SUCCESS;
}

/* Did this process list the devices? Others may know them by other numbers. */
static bool listed;

CUresult cuDeviceGetCount(int *count)
{
	CUresult r = enter();

	listed = true;

	if (!r && !count)
		r = CUDA_ERROR_INVALID_VALUE;
	if (!r)
		*count = device_count;
	return leave(r);
}

CUresult cuDeviceGet(CUdevice *device, int ordinal)
{
	CUresult r = enter();

	if (!r && !device)
		r = CUDA_ERROR_INVALID_VALUE;
	if (!r && !valid_device(ordinal))
		r = CUDA_ERROR_INVALID_DEVICE;
	if (!r)
		*device = switches.renumber && !listed ? device_count - 1 - ordinal : ordinal;
	return leave(r);
}

CUresult cuDeviceGetName(char *name, int len, CUdevice device)
{
	CUresult r = enter();

	if (!r && (!name || len < 1))
		r = CUDA_ERROR_INVALID_VALUE;
	if (!r && !valid_device(device))
		r = CUDA_ERROR_INVALID_DEVICE;
	if (!r)
		snprintf(name, (size_t)len, "%s", devices[device].name);
	return leave(r);
}

/* Upper-case digits, as the real library prints them. */
CUresult cuDeviceGetPCIBusId(char *bus_id, int len, CUdevice device)
{
	CUresult r = enter();

	if (!r && !valid_device(device))
		r = CUDA_ERROR_INVALID_DEVICE;
	if (!r && (!bus_id || len <= (int)strlen(devices[device].address)))
		r = CUDA_ERROR_INVALID_VALUE;
	if (r)
		return leave(r);
	strcpy(bus_id, devices[device].address);
	for (char *p = bus_id; *p; p++)
		if (isxdigit((unsigned char)*p))
			*p = (char)toupper((unsigned char)*p);
	return leave(CUDA_SUCCESS);
}

CUresult cuDeviceGetAttribute(int *value, CUdevice_attribute attribute, CUdevice device)
{
	CUresult r = enter();

	if (!r && !value)
		r = CUDA_ERROR_INVALID_VALUE;
	if (!r && !valid_device(device))
		r = CUDA_ERROR_INVALID_DEVICE;
	if (r)
		return leave(r);
	switch (attribute) {
	case CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK:
		*value = 1024;
		break;
	case CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT:
		*value = 4;
		break;
	case CU_DEVICE_ATTRIBUTE_UNIFIED_ADDRESSING:
		*value = 1;
		break;
	case CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR:
		*value = 9;
		break;
	case CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR:
		*value = 0;
		break;
	default:
		r = CUDA_ERROR_INVALID_VALUE;
	}
	return leave(r);
}

CUresult cuDeviceCanAccessPeer(int *can, CUdevice device, CUdevice peer)
{
	CUresult r = enter();

	if (!r && !can)
		r = CUDA_ERROR_INVALID_VALUE;
	if (!r && (!valid_device(device) || !valid_device(peer)))
		r = CUDA_ERROR_INVALID_DEVICE;
	if (!r)
		*can = device != peer && !(switches.noaccess &&
					   p2p_concerned(&devices[device], &devices[peer]));
	return leave(r);
}

CUresult cuDevicePrimaryCtxRetain(CUcontext *context, CUdevice device)
{
	CUresult r = enter();

	if (!r && !context)
		r = CUDA_ERROR_INVALID_VALUE;
	if (!r && !valid_device(device))
		r = CUDA_ERROR_INVALID_DEVICE;
	if (!r)
		r = context_open(&devices[device].context);
	if (!r)
		*context = &devices[device].context;
	return leave(r);
}

CUresult cuDevicePrimaryCtxRelease_v2(CUdevice device)
{
	CUresult r = enter();
	CUcontext context;

	if (switches.endhang)
		hang();
	if (!r && !valid_device(device))
		r = CUDA_ERROR_INVALID_DEVICE;
	if (r)
		return leave(r);
	context = &devices[device].context;
	if (!context->references)
		return leave(CUDA_ERROR_INVALID_CONTEXT);
	context_close(context);
	return leave(lost_is(&devices[device]) ? CUDA_ERROR_UNKNOWN : CUDA_SUCCESS);
}

CUresult cuCtxSetCurrent(CUcontext context)
{
	CUresult r = enter();

	if (!r && context && !context_valid(context))
		r = CUDA_ERROR_INVALID_CONTEXT;
	if (!r && context && lost_is(context->device))
		r = CUDA_ERROR_UNKNOWN;
	if (!r)
		current = context;
	return leave(r);
}

CUresult cuCtxSynchronize(void)
{
	CUresult r = enter_context();

	return leave(r ? r : context_wait(current));
}

CUresult cuCtxEnablePeerAccess(CUcontext peer, unsigned int flags)
{
	CUresult r = enter_context();
	uint64_t bit;

	if (!r && flags)
		r = CUDA_ERROR_INVALID_VALUE;
	if (!r && !context_valid(peer))
		r = CUDA_ERROR_INVALID_CONTEXT;
	if (!r && peer == current)
		r = CUDA_ERROR_INVALID_DEVICE;
	if (!r && (switches.noaccess || switches.noenable) &&
	    p2p_concerned(current->device, peer->device))
		r = CUDA_ERROR_PEER_ACCESS_UNSUPPORTED;
	if (r)
		return leave(r);
	bit = 1ULL << device_number(peer->device);
	if (current->peers & bit)
		return leave(CUDA_ERROR_PEER_ACCESS_ALREADY_ENABLED);
	current->peers |= bit;
	return leave(CUDA_SUCCESS);
}

/* A function of the list that is missing here does not link. */
#define REFER(name, parameters) (void (*)(void))name,
__attribute__((used)) static void (*const all[])(void) = { PP_CUDA_API(REFER) };
