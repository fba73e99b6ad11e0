/* SPDX-License-Identifier: Apache-2.0 */
/* meld: see meld.h.
 *
 * Control-flow melding: C. Saumya, K. Sundararajah and M. Kulkarni, DARM: Control-Flow Melding for
 * SIMT Thread Divergence Reduction, CGO 2022. At a branch that may diverge, both sides run one
 * after the other; instructions that they have in common run once if the sides become one.
 *
 *   1. every divergent branch, inner ones first, whose sides meet again (meld_side.h)
 *   2. an alignment of both sides, instruction by instruction and region by region (meld_plan.h)
 *   3. if it saves enough, the sides are written as one (meld_write.h)
 *   4. values of guarded code that are used later get phis (ssa_part.h)
 *
 * Where we differ from DARM: it melds pairs of regions and then runs LLVM's clean-up; here one
 * alignment covers both sides, with the guards in its costs, so that nothing is undone. Its third
 * case, a block with a region, is left out: the region stays under a guard. Cheap instructions that
 * may run for all lanes need no guard. A branch around a melded one waits for the next round.
 *
 * Needs: SSA. Keeps: SSA, structured control flow. Cost: near-linear: a round takes a number of
 * steps that is linear in the function's size, and there are at most LAST_ROUND + 1. */
#include "passes/transform/meld/meld.h"

#include "passes/analysis/uniform/cross_lane.h"
#include "passes/analysis/uniform/reconverging.h"
#include "passes/ir/decorations.h"
#include "passes/ir/edit.h"
#include "passes/transform/meld/meld_write.h"
#include "passes/transform/ssa/ssa_part.h"

#include <stdlib.h>

enum { LAST_ROUND = 5, WORK = 64 };

/* What the pass keeps between functions. */
typedef struct Kept {
  const SrUniform *uniform;
  uint32_t threshold;
} Kept;

/* ---- one branch ---- */

/* Is `join` the block where, according to its merge instruction, the block's branch joins? */
static bool joins_at(const SrMeld *k, uint32_t b, uint32_t join) {
  SrRef merge = sr_merge_inst(k->m, &k->f->blocks[b]);
  if (merge == SR_NONE)
    return !k->structured;
  return sr_inst(k->m, merge)->op == SpvOpSelectionMerge &&
         sr_block_of(k->m, sr_words(k->m, merge)[1]) == join;
}

/* Does the branch at the end of the block have two sides that meet again? Sets its targets and the
 * join. */
static bool has_sides(const SrMeld *k, uint32_t b, uint32_t target[2], uint32_t *join) {
  SrRef end = sr_terminator(&k->f->blocks[b]);
  *join = k->pdom->idom[b];
  if (sr_inst(k->m, end)->op != SpvOpBranchConditional || *join == SR_NONE ||
      *join == k->graph->count || sr_bit(k->touched, b) || !joins_at(k, b, *join))
    return false;
  for (int s = 0; s < 2; s++)
    target[s] = sr_block_of(k->m, sr_words(k->m, end)[2 + s]);
  return target[0] != target[1] && target[0] != *join && target[1] != *join;
}

static SrStatus meld_branch(SrMeld *k, uint32_t b, SrMeldOutput *out, bool *changed) {
  uint32_t target[2], join;
  if (!has_sides(k, b, target, &join))
    return SR_OK;
  SrMark mark = sr_arena_mark(k->arena);
  SrMeldSide side[2];
  for (int s = 0; s < 2; s++)
    if (!sr_meld_side(k, b, target[s], join, &side[s])) {
      sr_arena_reset(k->arena, mark);
      return SR_OK;
    }
  SrMeldPlan plan = {.branch = b,
                     .join = join,
                     .pair = {.k = k,
                              .side = {&side[0], &side[1]},
                              .partner = sr_ids_take(k->m),
                              .condition = sr_words(k->m, sr_terminator(&k->f->blocks[b]))[1]}};
  SrIdTable *first = sr_ids_take(k->m);
  SrStatus status = SR_OK;
  if (sr_meld_plan(&plan, first) && sr_meld_pays(&plan)) {
    *changed = true;
    status = sr_meld_write(&plan, out);
  } else {
    sr_arena_reset(k->arena, mark);
  }
  sr_ids_give(k->m, first);
  sr_ids_give(k->m, plan.pair.partner);
  return status;
}

/* ---- one function ---- */

/* Puts the blocks in place. */
static void install(SrMeld *k, const SrMeldOutput *out) {
  SrModule *m = k->m;
  SrFunction *f = k->f;
  SR_VEC(SrBlock) all = {0};
  for (uint32_t b = 0; b < f->block_count; b++) {
    if (!sr_bit(out->gone, b))
      SR_PUSH(k->arena, &all, f->blocks[b]);
    for (uint32_t i = 0; i < out->count[b]; i++)
      SR_PUSH(k->arena, &all, out->block.at[out->first[b] + i]);
  }
  f->blocks = SR_NEW_RAW(m->arena, SrBlock, all.count);
  memcpy(f->blocks, all.at, all.count * sizeof *all.at);
  f->block_count = all.count;
  sr_set_homes(m, f);
}

/* Removes phis that have one operand left; `value`: what replaces them. */
static void drop_single(SrMeld *k, const SrMeldOutput *out, SrMap *value) {
  SrModule *m = k->m;
  for (uint32_t i = 0; i < out->single.count; i++) {
    SrRef r = out->single.at[i];
    uint32_t id = sr_inst(m, r)->result, operand = sr_words(m, r)[3];
    if (sr_word_count(m, r) != 5 || operand == id || !sr_keeps_in_place(m, id, operand))
      continue;
    sr_map_set(value, id, operand);
    sr_remove(m, &k->f->blocks[m->home[id]].list, r);
    m->def[id] = m->home[id] = SR_NONE;
    m->ids_gone = true;
  }
}

static void replace(SrMeld *k, const SrMap *value) {
  SrModule *m = k->m;
  for (uint32_t b = 0; b < k->f->block_count; b++)
    for (SR_EACH(m, r, k->f->blocks[b].list))
      for (uint32_t i = sr_inst(m, r)->first; i < sr_word_count(m, r); i++)
        for (uint32_t to;
             sr_word_is_id(m, r, i) && (to = sr_map_get(value, sr_words(m, r)[i])) != SR_NONE;)
          sr_words(m, r)[i] = to;
}

/* Values of guarded code that are used outside of it. */
static SrStatus leave_guards(SrMeld *k, const SrMeldOutput *out) {
  const SrGraph *g = sr_cfg_build(k->arena, k->m, k->f);
  uint32_t *part = sr_new_none(k->arena, g->count), *tail = sr_new_none(k->arena, g->count);
  for (uint32_t b = 0; b < g->count; b++) {
    uint32_t id = sr_map_get(&out->part_of, k->f->blocks[b].id);
    if (id == SR_NONE)
      continue;
    part[b] = sr_block_of(k->m, id);
    tail[b] = sr_block_of(k->m, sr_map_get(&out->tail_of, k->f->blocks[b].id));
  }
  SrSsa ssa = {
      .m = k->m, .f = k->f, .graph = g, .dom = sr_dom_build(k->arena, g, 0), .arena = k->arena};
  return sr_ssa_leave_parts(&ssa, part, tail);
}

static SrStatus meld_all(SrMeld *k, const SrUniform *u, bool *changed) {
  SrMeldOutput out = {.gone = sr_bits_new(k->arena, k->graph->count),
                      .first = SR_NEW(k->arena, uint32_t, k->graph->count),
                      .count = SR_NEW(k->arena, uint32_t, k->graph->count)};
  out.part_of.arena = out.tail_of.arena = k->arena;
  for (uint32_t i = k->dom->reached; i-- > 0;) /* children first */
    if (!sr_uniform_branch(u, k->m, k->f, k->dom->preorder[i]))
      SR_CHECK(meld_branch(k, k->dom->preorder[i], &out, changed));
  if (!*changed)
    return SR_OK;
  SrMap value = {.arena = k->arena};
  install(k, &out);
  drop_single(k, &out, &value);
  replace(k, &value);
  return leave_guards(k, &out);
}

static bool has_merges(const SrModule *m, const SrFunction *f) {
  for (uint32_t b = 0; b < f->block_count; b++)
    if (sr_merge_inst(m, &f->blocks[b]) != SR_NONE)
      return true;
  return false;
}

/* Must the merge instructions stay valid? In a kernel only if all of them are valid now. */
static bool keeps_merges(SrArena *scratch, const SrModule *m, const SrFunction *f) {
  return has_merges(m, f) && (m->shader || sr_is_structured(scratch, m, f));
}

static uint32_t count_work(const SrModule *m, const SrFunction *f) {
  uint32_t count = f->block_count;
  for (uint32_t b = 0; b < f->block_count; b++)
    for (SR_EACH(m, r, f->blocks[b].list))
      count++;
  return count;
}

static SrStatus meld_function(SrPassRun *run, SrFunction *f, SrArena *arena, SrArena *scratch,
                              bool *changed, uint32_t *apart) {
  const Kept *kept = run->kept;
  SrModule *m = run->m;
  SrMeld k = {.m = m,
              .f = f,
              .arena = arena,
              .scratch = scratch,
              .graph = sr_cfg_build(arena, m, f),
              .cross_lane = sr_pass_cross_lane(run),
              .counts = run->counts,
              .threshold = kept->threshold,
              .structured = keeps_merges(scratch, m, f),
              .work = (uint64_t)WORK * count_work(m, f),
              .apart = SR_NONE};
  uint32_t n = k.graph->count;
  k.dom = sr_dom_build(arena, k.graph, 0);
  k.pdom = sr_dom_build(arena, sr_graph_reverse_with_exit(arena, k.graph), n);
  k.nest = sr_nest_build(arena, k.graph);
  k.mark = SR_NEW(arena, uint32_t, n);
  k.number = sr_new_none(arena, n);
  k.touched = sr_bits_new(arena, n);
  k.end_line = SR_NEW(arena, SrApplied, n);
  k.tally = SR_NEW(arena, uint32_t, SR_MELD_OPCODES);
  SrStatus status = meld_all(&k, kept->uniform, changed);
  *apart = k.apart;
  return status;
}

/* ---- the pass ---- */

static void begin_meld(SrPassRun *r) {
  Kept *k = r->kept = SR_NEW(r->arena, Kept, 1);
  k->uniform = sr_uniform_build(r->arena, r->m, r->options.uniformity, r->options.scope);
  k->threshold = r->argument ? (uint32_t)strtoull(r->argument, NULL, 10) : SR_MELD_THRESHOLD;
}

static void say_apart(const SrPassRun *r, const SrFunction *f, uint32_t block) {
  SrWhere where = {
      .function = sr_function_name(r->m, r->scratch, f), .block = block, .word = SR_NONE};
  sr_notice(r->m->diag, where,
            "meld leaves the branch around this block alone: lanes communicate here");
}

SrStatus sr_meld(SrPassRun *r, SrFunction *f, bool *changed) {
  if (!r->kept)
    begin_meld(r);
  if (f->block_count < 2)
    return SR_OK;
  SrArena arena = sr_arena_new(r->m->arena->heap), scratch = sr_arena_new(r->m->arena->heap);
  uint32_t apart;
  SrStatus status = meld_function(r, f, &arena, &scratch, changed, &apart);
  sr_arena_free(&scratch);
  sr_arena_free(&arena);
  if (status == SR_OK && apart != SR_NONE && r->round == 0)
    say_apart(r, f, apart);
  r->again = r->again || (*changed && r->round < LAST_ROUND);
  return status;
}
