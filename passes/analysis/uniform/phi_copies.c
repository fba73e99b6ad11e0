/* SPDX-License-Identifier: Apache-2.0 */
/* phi_copies: see phi_copies.h. */
#include "passes/analysis/uniform/phi_copies.h"

enum { MOST_ROUNDS = 64 };

/* The value that the phi's operands have in common; 0: none is known yet; the phi itself: they
 * differ. */
static uint32_t meet(const SrModule *m, const uint32_t *value, SrRef phi) {
  const uint32_t *w = sr_words(m, phi);
  uint32_t id = sr_inst(m, phi)->result, common = 0;
  for (uint32_t i = 3; i < w[0] >> 16; i += 2) {
    uint32_t v = value[w[i]];
    if (v == 0 || v == id || v == common)
      continue;
    if (common)
      return id;
    common = v;
  }
  return common;
}

static bool one_round(const SrModule *m, const SrRef *phis, uint32_t count, uint32_t *value) {
  bool changed = false;
  for (uint32_t i = 0; i < count; i++) {
    uint32_t id = sr_inst(m, phis[i])->result;
    uint32_t now = value[id] == id ? id : meet(m, value, phis[i]);
    changed |= now != value[id];
    value[id] = now;
  }
  return changed;
}

const uint32_t *sr_phi_copies(SrArena *arena, const SrModule *m) {
  uint32_t *value = SR_NEW_RAW(arena, uint32_t, sr_bound(m)), rounds = 0;
  SR_VEC(SrRef) phis = {0};
  for (uint32_t id = 0; id < sr_bound(m); id++)
    value[id] = id;
  for (uint32_t f = 0; f < m->function_count; f++)
    for (uint32_t b = 0; b < m->functions[f].block_count; b++)
      for (SR_EACH(m, r, m->functions[f].blocks[b].list))
        if (sr_inst(m, r)->op == SpvOpPhi) {
          SR_PUSH(arena, &phis, r);
          value[sr_inst(m, r)->result] = 0;
        }
  bool changed = true;
  while (changed && rounds++ < MOST_ROUNDS)
    changed = one_round(m, phis.at, phis.count, value);
  for (uint32_t i = 0; i < phis.count; i++) {
    uint32_t id = sr_inst(m, phis.at[i])->result;
    if (changed || !value[id])
      value[id] = id;
  }
  return value;
}
