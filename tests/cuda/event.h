/* SPDX-License-Identifier: GPL-2.0-only */
/* Events: when a stream came to a point. All with the lock held. */
#ifndef TEST_CUDA_EVENT_H
#define TEST_CUDA_EVENT_H

#include "device.h"

CUresult event_create(CUcontext context, unsigned int flags, CUevent *event);
CUresult event_record(CUevent event, CUstream stream);
CUresult event_elapsed(CUevent start, CUevent end, float *ms);
CUresult event_destroy(CUevent event);
void events_destroy_all(CUcontext context);

#endif /* TEST_CUDA_EVENT_H */
