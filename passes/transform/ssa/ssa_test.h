/* SPDX-License-Identifier: Apache-2.0 */
/* ssa_test: phis of booleans in place of a comparison of a phi.
 *
 * A block compares a variable whose value there is a phi. Where the outcome is known for each
 * operand, a phi of these outcomes replaces phi and comparison; operands that are phis are replaced
 * in turn:
 *
 *     v = phi(2 from A, select(c, 3, 5) from B)      v <= 3 ?
 *     t = phi(true from A, c from B)                 t ?
 *
 * A phi that has other users stays, beside that of booleans; so that not many are made, only a few
 * of these are replaced for one comparison. Cost: linear in the phis replaced. */
#ifndef SR_SSA_TEST_H
#define SR_SSA_TEST_H

#include "passes/transform/ssa/ssa_value.h"

typedef struct SrSsaTest {
  /* Is the outcome for the value with this id known? */
  bool (*is_known)(void *user, uint32_t id);
  /* The boolean that is the outcome; asked for after is_known has been for all. It may make
   * instructions. */
  uint32_t (*outcome)(void *user, uint32_t id);
  void *user;
} SrSsaTest;

/* The boolean that replaces the comparison in block b, or 0 if none can. After sr_ssa_note_users,
 * before sr_ssa_make_phis. */
uint32_t sr_ssa_make_test(SrSsa *ssa, uint32_t b, const SrSsaTest *test);

#endif
