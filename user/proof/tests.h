/* SPDX-License-Identifier: GPL-2.0-only */
/* The tests of a session, one function for each kind. */
#ifndef PEERPASS_PROOF_TESTS_H
#define PEERPASS_PROOF_TESTS_H

#include "gpu.h"

enum pp_outcome pp_test_control(struct pp_session *s, const struct pp_test *t);
enum pp_outcome pp_test_copy(struct pp_session *s, const struct pp_test *t);
enum pp_outcome pp_test_order(struct pp_session *s, const struct pp_test *t);
enum pp_outcome pp_test_collective(struct pp_session *s, const struct pp_test *t);
enum pp_outcome pp_test_speed(struct pp_session *s, const struct pp_test *t);
enum pp_outcome pp_test_latency(struct pp_session *s, const struct pp_test *t);

#endif /* PEERPASS_PROOF_TESTS_H */
