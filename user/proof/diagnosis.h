/* SPDX-License-Identifier: GPL-2.0-only */
/* What is wrong with data, put together from its parts. Pure functions. */
#ifndef PEERPASS_PROOF_DIAGNOSIS_H
#define PEERPASS_PROOF_DIAGNOSIS_H

#include "ptx/kernels.h"

void pp_segment_append(struct pp_segment *all, const struct pp_segment *next);
enum pp_word_kind pp_segment_kind(const struct pp_segment *s);
const char *pp_word_kind_name(enum pp_word_kind kind);

#endif /* PEERPASS_PROOF_DIAGNOSIS_H */
