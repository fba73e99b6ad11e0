/* SPDX-License-Identifier: Apache-2.0 */
/* kept_hint: see kept_hint.h. */
#include "passes/driver/kept_hint.h"

#include "passes/analysis/loop_hint.h"
#include "passes/ir/edit.h"

typedef struct Kept {
  SrModule *m;
  SrFunction *f;
  const SrGraph *g;
  const SrNest *nest;
  SrBits *merges; /* blocks that some merge instruction declares as its merge block */
} Kept;

static SrBits *find_merges(SrArena *scratch, const SrModule *m, const SrFunction *f) {
  SrBits *merges = sr_bits_new(scratch, f->block_count);
  for (uint32_t b = 0; b < f->block_count; b++) {
    SrRef merge = sr_merge_inst(m, &f->blocks[b]);
    if (merge != SR_NONE)
      sr_bit_set(merges, sr_block_of(m, sr_words(m, merge)[1]));
  }
  return merges;
}

/* Does the block have a merge instruction of this kind with controls? */
static bool holds(const Kept *k, uint32_t b, SpvOp op) {
  SrRef merge = sr_merge_inst(k->m, &k->f->blocks[b]);
  return merge != SR_NONE && sr_inst(k->m, merge)->op == op && sr_hint_has(k->m, merge);
}

/* The only block of the cycle that branches back to its header, or SR_NONE. */
static uint32_t latch_of(const Kept *k, uint32_t c) {
  uint32_t found = SR_NONE;
  for (SR_PREDS(p, k->g, k->nest->cycles[c].header)) {
    if (!sr_cycle_has(k->nest, c, *p))
      continue;
    if (found != SR_NONE)
      return SR_NONE;
    found = *p;
  }
  return found;
}

/* The target of an exit of the cycle that is not a merge block yet. If there are several, it is the
 * merge block that the cycle had before or, failing that, the first one. SR_NONE: there is none. */
static uint32_t exit_block(const Kept *k, uint32_t c, uint32_t merge) {
  uint32_t found = SR_NONE;
  for (uint32_t i = k->nest->cycles[c].first; i <= k->nest->cycles[c].last; i++)
    for (SR_SUCCS(t, k->g, k->nest->order[i])) {
      if (sr_cycle_has(k->nest, c, *t) || sr_bit(k->merges, *t))
        continue;
      if (k->f->blocks[*t].id == merge)
        return *t;
      if (found == SR_NONE || k->nest->rank[*t] < k->nest->rank[found])
        found = *t;
    }
  return found;
}

/* Gives the header of a kernel's loop OpLoopMerge; returns whether it could. */
static bool restore(const Kept *k, uint32_t c, const SrLoopHint *hint) {
  SrModule *m = k->m;
  SrBlock *header = &k->f->blocks[k->nest->cycles[c].header];
  uint32_t latch = latch_of(k, c), out = exit_block(k, c, sr_words(m, hint->merge)[1]);
  if (k->nest->cycles[c].entries > 1 || latch == SR_NONE || out == SR_NONE ||
      sr_merge_inst(m, header) != SR_NONE || sr_inst(m, sr_terminator(header))->op == SpvOpSwitch)
    return false;
  sr_bit_set(k->merges, out);
  sr_begin(m, SpvOpLoopMerge, 0, 0);
  sr_put_id(m, k->f->blocks[out].id);
  sr_put_id(m, k->f->blocks[latch].id);
  sr_hint_put(m, hint->merge, hint->promises);
  sr_insert_before(m, &header->list, header->list.last, sr_end(m));
  return true;
}

static uint32_t lost_loops(const Kept *k, SrArena *scratch, bool restores) {
  const SrLoopHint *hints = sr_loop_hints(scratch, k->m, k->f, k->g, k->nest);
  uint32_t lost = 0;
  for (uint32_t c = 0; hints && c < k->nest->cycle_count; c++)
    if (hints[c].merge != SR_NONE && !holds(k, k->nest->cycles[c].header, SpvOpLoopMerge) &&
        !(restores && !k->m->shader && restore(k, c, &hints[c])))
      lost++;
  return lost;
}

static uint32_t lost_branches(const Kept *k) {
  uint32_t lost = 0;
  for (uint32_t b = 0; sr_hint_any(k->m, SpvOpSelectionMerge) && b < k->f->block_count; b++)
    lost += k->nest->rank[b] != SR_NONE && sr_succ_count(k->g, b) > 1 &&
            sr_hint_of(k->m, k->f->blocks[b].id, SpvOpSelectionMerge) != SR_NONE &&
            !holds(k, b, SpvOpSelectionMerge);
  return lost;
}

void sr_kept_hint(SrModule *m, SrArena *scratch, SrFunction *f, bool restores) {
  if (f->block_count < 2 ||
      (!sr_hint_any(m, SpvOpLoopMerge) && !sr_hint_any(m, SpvOpSelectionMerge)))
    return;
  Kept k = {.m = m, .f = f, .g = sr_cfg_build(scratch, m, f), .merges = find_merges(scratch, m, f)};
  k.nest = sr_nest_build(scratch, k.g);
  uint32_t loops = lost_loops(&k, scratch, restores), branches = lost_branches(&k);
  if (loops + branches == 0)
    return;
  SrWhere where = {.function = sr_function_name(m, scratch, f), .word = SR_NONE};
  sr_notice(m->diag, where,
            "controls are lost (Unroll, Flatten, ...), since %u loop%s and %u branch%s with some "
            "have no merge instruction now",
            loops, loops == 1 ? "" : "s", branches, branches == 1 ? "" : "es");
}
