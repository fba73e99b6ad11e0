/* SPDX-License-Identifier: Apache-2.0 */
/* ssa_test: phis of booleans that replace a comparison of a phi.
 *
 * A block compares a variable whose value there is a phi. If the outcome is known for each operand,
 * a phi of these outcomes replaces phi and comparison; operands that are phis are replaced in turn:
 *
 *     v = phi(2 from A, select(c, 3, 5) from B)      v <= 3 ?
 *     t = phi(true from A, c from B)                 t ?
 *
 * A phi that has other users stays, beside the phi of booleans; to keep additions few, one
 * comparison replaces only a few of these. Cost: linear in the phis replaced. */
#ifndef SR_SSA_TEST_H
#define SR_SSA_TEST_H

#include "passes/transform/ssa/ssa_value.h"

typedef struct SrSsaTest {
  /* Is the outcome for the value with this id known? */
  bool (*is_known)(void *user, uint32_t id);
  /* Returns the boolean that is the outcome, and may make instructions. Called after is_known has
   * been called for all ids. */
  uint32_t (*outcome)(void *user, uint32_t id);
  void *user;
} SrSsaTest;

/* The boolean that replaces the comparison in block b, or 0 if none can. To be called after
 * sr_ssa_note_users and before sr_ssa_make_phis. */
uint32_t sr_ssa_make_test(SrSsa *ssa, uint32_t b, const SrSsaTest *test);

#endif
