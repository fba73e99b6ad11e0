/* SPDX-License-Identifier: Apache-2.0 */
/* unstructure: see unstructure.h. The number of changes is a share of the blocks. Only copies, each
 * of which walks over the whole function, have a fixed limit, COPIES. */
#include "passes/transform/unstructure/unstructure.h"
#include "passes/analysis/graph/cycle.h"
#include "passes/ir/pointer.h"
#include "passes/transform/strip_merges.h"
#include "passes/transform/unstructure/mangle.h"

enum { COPIES = 12, SPLIT_PERCENT = 15, JOIN_PERCENT = 30, HEADER_PERCENT = 60 };

/* splitmix64 (Steele, Lea, Flood 2014). */
static uint32_t draw(uint64_t *state, uint32_t below) {
  uint64_t z = *state += 0x9e3779b97f4a7c15u;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return (uint32_t)(((z ^ (z >> 31)) >> 32) * below >> 32);
}

static bool chance(uint64_t *state, uint32_t percent) {
  return draw(state, 100) < percent;
}

/* May block b be split at instruction `at`? The result of OpSampledImage may be used in its own
 * block only (SPIR-V 1.6, 2.16.1). */
static bool may_split(const SrModule *m, const SrBlock *b, SrRef at) {
  for (SrRef r = b->list.first; r != at; r = sr_inst(m, r)->next)
    if (sr_inst(m, r)->op == SpvOpSampledImage)
      return false;
  return true;
}

static void split_blocks(SrMangle *k, uint64_t *seed) {
  const SrModule *m = k->m;
  for (uint32_t b = 0, n = k->f->block_count; b < n; b++) {
    if (!chance(seed, SPLIT_PERCENT))
      continue;
    SrRef first = sr_first_ordinary(m, &k->f->blocks[b]);
    while (sr_is_variable(sr_inst(m, first)->op))
      first = sr_inst(m, first)->next;
    for (uint32_t skip = draw(seed, 8); skip && sr_inst(m, first)->next != SR_NONE; skip--)
      first = sr_inst(m, first)->next;
    if (may_split(m, &k->f->blocks[b], first))
      sr_mangle_split(k, b, first);
  }
}

static void join_edges(SrMangle *k, uint64_t *seed) {
  const SrGraph *g = sr_cfg_build(k->arena, k->m, k->f);
  for (uint32_t x = 0; x < g->count; x++) {
    uint32_t n = sr_pred_count(g, x), count = 0;
    if (n < 2 || !chance(seed, JOIN_PERCENT))
      continue;
    uint32_t *preds = SR_NEW_RAW(k->arena, uint32_t, n), drop = draw(seed, n + 1);
    for (uint32_t i = 0; i < n; i++)
      if (n == 2 || i != drop)
        preds[count++] = g->pred[g->pred_at[x] + i];
    sr_mangle_join(k, x, preds, count);
  }
}

/* Redirects one edge to a block with several predecessors, preferably a cycle's header, to a copy
 * of the block. If the copy leads into the cycle, that makes the cycle irreducible. */
static void copy_block(SrMangle *k, uint64_t *seed) {
  const SrGraph *g = sr_cfg_build(k->arena, k->m, k->f);
  const SrNest *nest = sr_nest_build(k->arena, g);
  if (nest->count < 2)
    return;
  uint32_t x = nest->order[1 + draw(seed, nest->count - 1)];
  if (nest->cycle_count && chance(seed, HEADER_PERCENT))
    x = nest->cycles[draw(seed, nest->cycle_count)].header;
  if (sr_pred_count(g, x) < 2)
    return;
  uint32_t p = g->pred[g->pred_at[x] + draw(seed, sr_pred_count(g, x))];
  sr_mangle_copy(k, chance(seed, 50) ? sr_mangle_fork(k, p, x) : p, x);
}

SrStatus sr_unstructure(SrModule *m, SrArena *scratch, SrFunction *f, const SrBits *cross_lane,
                        uint64_t seed, SrTransformCounts *counts, bool *changed) {
  SR_CHECK(sr_strip_merges(m, scratch, f, cross_lane, changed));
  if (sr_bit(cross_lane, f->id))
    return SR_OK;
  SrMangle k = {.m = m, .f = f, .arena = scratch, .counts = counts};
  sr_mangle_begin(&k);
  split_blocks(&k, &seed);
  join_edges(&k, &seed);
  for (uint32_t i = 0; i < COPIES; i++)
    copy_block(&k, &seed);
  sr_mangle_end(&k);
  *changed = true;
  return SR_OK;
}
