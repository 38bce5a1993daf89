/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What a write to a driver's "bind" or "unbind" does in the made-up /sys: the
 * device's link "driver" comes or goes. FAKE_UNBIND and FAKE_BIND say how, each a
 * list of ADDRESS=HOW separated by blanks:
 *
 *	errno-N		refused
 *	hang		never returns (gives up after 30 s, so that nothing is left)
 *	slow-MS		takes that long
 *	once-N		refused with errno-N the first time
 */
#ifndef PEERPASS_TEST_FAKENL_BIND_H
#define PEERPASS_TEST_FAKENL_BIND_H

#include <stddef.h>

void fake_bind_opened(int fd, const char *path);
int fake_bind_written(int fd, const char *data, size_t len);

#endif /* PEERPASS_TEST_FAKENL_BIND_H */
