/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef PEERPASS_QUIRKS_H
#define PEERPASS_QUIRKS_H

const char *pp_quirk_firmware(unsigned short vendor, unsigned short device);

#endif /* PEERPASS_QUIRKS_H */
