/* SPDX-License-Identifier: Apache-2.0 */
/* if_convert: see if_convert.h. One walk over the blocks dissolves selections, so that their blocks
 * follow one another, and splits these blocks; then the function is put together again. A value
 * that is defined in a small selection gets a phi after it, or is rematerialized if no phi may hold
 * it (ssa_rematerialize.h).
 *
 * analysis/uniform/speculate.h says what all lanes may run. The instructions of a block from the
 * first to the last that not all lanes may run form one selection. OpSelect replaces phis of
 * scalars and pointers, of vectors (before SPIR-V 1.4 with a vector of booleans) and, from 1.4 on,
 * of other composites; phis of other types stay, after an empty selection. */
#include "passes/transform/linear/if_convert.h"
#include "passes/analysis/graph/dom.h"
#include "passes/analysis/uniform/speculate.h"
#include "passes/base/map.h"
#include "passes/ir/constants.h"
#include "passes/ir/decorations.h"
#include "passes/ir/edit.h"
#include "passes/ir/id_table.h"
#include "passes/source/source_walk.h"
#include "passes/transform/ssa/ssa_part.h"
#include "passes/transform/ssa/ssa_select.h"

/* Where a dissolved selection ended: the condition by which its phis choose. */
typedef struct Join {
  uint32_t condition; /* 0: no selection ended here */
  uint32_t holds;     /* the predecessor, as id, on the side where the condition holds */
} Join;

typedef struct Convert {
  SrModule *m;
  SrFunction *f;
  SrArena arena;
  const SrFlowGraph *flow;
  SrTransformCounts *counts;
  uint32_t *condition; /* by block: that of the dissolved selection around it; or 0 */
  SrBits *negative;    /* by block: in the arm where the condition does not hold */
  Join *join;          /* by block */
  SR_VEC(SrBlock) out;
  SrMap role;        /* by id of an added block: its SrRole */
  SrMap block_end;   /* by id of a block that was split, or appended to another: the block that has
                      * its end now, as id */
  SrMap replacement; /* by id of a dropped phi: its value */
  SR_VEC(uint32_t)
  dropped;       /* phis; they keep their definitions until their uses are replaced, so
                  * that their types are known */
  SrMap tail_of; /* by id of a small selection's block: the block after it, as id */
} Convert;

static uint32_t block_of(const Convert *k, uint32_t id) {
  return sr_block_of(k->m, id);
}

static const SrFlowBlock *flow_at(const Convert *k, uint32_t b) {
  return &k->flow->block.at[k->flow->order[b]];
}

/* ---- selections that can be dissolved ---- */

/* If b is a straight-line block, the block to which it leads, as id; else 0. */
static uint32_t straight_next(const Convert *k, uint32_t b) {
  SrRef end = sr_terminator(&k->f->blocks[b]);
  bool merges = sr_merge_inst(k->m, &k->f->blocks[b]) != SR_NONE;
  return sr_inst(k->m, end)->op == SpvOpBranch && !merges ? sr_words(k->m, end)[1] : 0;
}

/* The last block of the straight-line code from `first` to `merge` (ids), as block index; SR_NONE
 * if it is not straight-line code. */
static uint32_t last_of_side(const Convert *k, uint32_t first, uint32_t merge) {
  for (uint32_t id = first;;) {
    uint32_t next = straight_next(k, block_of(k, id));
    if (next == merge || !next)
      return next ? block_of(k, id) : SR_NONE;
    id = next;
  }
}

static void mark_side(Convert *k, uint32_t first, uint32_t merge, uint32_t condition, bool holds) {
  for (uint32_t id = first; id != merge; id = straight_next(k, block_of(k, id))) {
    k->condition[block_of(k, id)] = condition;
    if (!holds)
      sr_bit_set(k->negative, block_of(k, id));
  }
}

static void branch_to(Convert *k, SrBlock *b, uint32_t target) {
  SrModule *m = k->m;
  SrRef end = sr_terminator(b);
  if (sr_inst(m, end)->op == SpvOpBranch) {
    sr_words(m, end)[1] = target;
    return;
  }
  sr_remove(m, &b->list, end);
  sr_begin(m, SpvOpBranch, 0, 0);
  sr_put_id(m, target);
  sr_append(m, &b->list, sr_end(m));
}

/* Dissolves the selection that block b heads: afterwards b, one arm, the other arm and the merge
 * block follow one another. */
static void dissolve_selection(Convert *k, uint32_t b) {
  SrModule *m = k->m;
  SrBlock *header = &k->f->blocks[b];
  SrRef merge = sr_merge_inst(m, header);
  const uint32_t *w = sr_words(m, sr_terminator(header));
  uint32_t condition = w[1], to[2] = {w[2], w[3]}, end = sr_words(m, merge)[1], last[2] = {b, b};
  for (int i = 0; i < 2; i++)
    if (to[i] != end && (last[i] = last_of_side(k, to[i], end)) == SR_NONE)
      return;
  for (int i = 0; i < 2; i++)
    mark_side(k, to[i], end, condition, i == 0);
  uint32_t at = block_of(k, end);
  k->join[at] = (Join){.condition = condition, .holds = k->f->blocks[last[0]].id};
  sr_remove(m, &header->list, merge);
  int first = to[0] == end || (to[1] != end && block_of(k, to[1]) < block_of(k, to[0]));
  branch_to(k, header, to[first]);
  if (to[!first] != end)
    branch_to(k, &k->f->blocks[last[first]], to[!first]);
}

static bool may_dissolve(const Convert *k, uint32_t b) {
  const SrFlowBlock *f = flow_at(k, b);
  return f->divergent && f->merge_kind == SR_MERGE_SELECTION &&
         sr_inst(k->m, sr_terminator(&k->f->blocks[b]))->op == SpvOpBranchConditional;
}

/* ---- small selections ---- */

/* Finds the instructions of block b that not all lanes may run: from *first to *last. */
static bool find_effects(Convert *k, const SrBlock *b, SrRef *first, SrRef *last) {
  *first = SR_NONE;
  SrRef end = sr_terminator(b);
  for (SrRef r = sr_first_ordinary(k->m, b); r != end; r = sr_inst(k->m, r)->next)
    if (!sr_may_speculate(k->m, r)) {
      *first = *first == SR_NONE ? r : *first;
      *last = r;
    }
  return *first != SR_NONE;
}

/* Moves the instructions from `first` to the one before `stop` to the end of list `to`. */
static void move_instructions(Convert *k, SrList *from, SrRef first, SrRef stop, SrList *to) {
  for (SR_EACH_SAFE_FROM(k->m, r, first, stop)) {
    sr_remove(k->m, from, r);
    sr_append(k->m, to, r);
  }
}

/* Repeats the debug line and scope that apply at instruction `at` in a new block. */
static void keep_line(Convert *k, SrRef at, SrBlock *to) {
  SrRef line, scope;
  sr_source_applied(k->m, at, &line, &scope);
  if (scope != SR_NONE)
    sr_append(k->m, &to->list, sr_clone(k->m, scope));
  if (line != SR_NONE)
    sr_append(k->m, &to->list, sr_clone(k->m, line));
}

static SrRef make_branch(Convert *k, uint32_t target) {
  sr_begin(k->m, SpvOpBranch, 0, 0);
  sr_put_id(k->m, target);
  return sr_end(k->m);
}

/* Appends a selection by `condition`: to `then` where it holds, else to `merge`; if `negative`, the
 * reverse. */
static void append_selection(Convert *k, SrList *list, uint32_t condition, bool negative,
                             uint32_t then, uint32_t merge) {
  SrModule *m = k->m;
  sr_begin(m, SpvOpSelectionMerge, 0, 0);
  sr_put_id(m, merge);
  sr_put_literal(m, 0);
  sr_append(m, list, sr_end(m));
  sr_begin(m, SpvOpBranchConditional, 0, 0);
  sr_put_id(m, condition);
  sr_put_id(m, negative ? merge : then);
  sr_put_id(m, negative ? then : merge);
  sr_append(m, list, sr_end(m));
}

/* All lanes now run the block: puts its effects into selections of its condition. */
static void split_block(Convert *k, SrBlock b, uint32_t condition, bool negative) {
  SrModule *m = k->m;
  SrRef first, last;
  if (!find_effects(k, &b, &first, &last)) {
    SR_PUSH(&k->arena, &k->out, b);
    return;
  }
  SrBlock part = sr_new_block(k->m), tail = sr_new_block(k->m);
  part.added = tail.added = false;
  part.part = tail.part = !b.added;
  SrRef after = sr_inst(m, last)->next;
  keep_line(k, first, &part);
  keep_line(k, after, &tail);
  move_instructions(k, &b.list, after, SR_NONE, &tail.list);
  move_instructions(k, &b.list, first, SR_NONE, &part.list);
  sr_append(m, &part.list, make_branch(k, tail.id));
  append_selection(k, &b.list, condition, negative, part.id, tail.id);
  sr_map_set(&k->block_end, b.id, tail.id);
  sr_map_set(&k->tail_of, part.id, tail.id);
  SR_PUSH(&k->arena, &k->out, b);
  SR_PUSH(&k->arena, &k->out, part);
  SR_PUSH(&k->arena, &k->out, tail);
}

/* ---- phis become selects ---- */

/* Finds the phi's values where the join's condition holds, and where it does not. */
static void values_of(const Convert *k, const Join *j, SrRef phi, uint32_t value[2]) {
  const uint32_t *w = sr_words(k->m, phi);
  for (uint32_t i = 3; i < w[0] >> 16; i += 2)
    value[w[i + 1] != j->holds] = w[i];
}

static bool is_undef(const Convert *k, uint32_t id) {
  return sr_def_op(k->m, id) == SpvOpUndef;
}

/* Drops a phi that is always `value`. If its uses would lose NonUniform, makes the phi's id a copy
 * of the value and returns the copy; otherwise returns SR_NONE. */
static SrRef drop_phi(Convert *k, SrBlock *b, SrRef phi, uint32_t value) {
  SrModule *m = k->m;
  const SrInst in = *sr_inst(m, phi);
  sr_remove(m, &b->list, phi);
  if (sr_keeps_in_place(m, in.result, value)) {
    sr_map_set(&k->replacement, in.result, value);
    SR_PUSH(&k->arena, &k->dropped, in.result);
    return SR_NONE;
  }
  sr_begin(m, SpvOpCopyObject, in.type, in.result);
  sr_put_id(m, value);
  SrRef copy = sr_end(m);
  sr_inst(m, copy)->added = in.added;
  return copy;
}

/* Forgets dropped phis, which have no uses any more. */
static void forget_dropped(Convert *k) {
  SrModule *m = k->m;
  for (uint32_t i = 0; i < k->dropped.count; i++)
    m->def[k->dropped.at[i]] = m->home[k->dropped.at[i]] = SR_NONE;
  m->ids_gone |= k->dropped.count > 0;
}

/* Replaces a phi unless there is no OpSelect of its type; returns whether it did. */
static bool replace_phi(Convert *k, SrBlock *b, const Join *j, SrRef phi, SrRef before) {
  SrModule *m = k->m;
  const SrInst in = *sr_inst(m, phi);
  uint32_t value[2] = {0, 0};
  values_of(k, j, phi, value);
  if (value[0] == value[1] || is_undef(k, value[0]) || is_undef(k, value[1])) {
    SrRef copy = drop_phi(k, b, phi, value[is_undef(k, value[0])]);
    if (copy != SR_NONE)
      sr_insert_before(m, &b->list, before, copy);
    return true;
  }
  uint32_t width = sr_select_width(m, in.type), condition = j->condition;
  if (width == 0)
    return false;
  if (width > 1)
    condition = sr_select_condition(m, &b->list, before, condition, width);
  sr_remove(m, &b->list, phi);
  sr_begin(m, SpvOpSelect, in.type, in.result);
  sr_put_id(m, condition);
  sr_put_id(m, value[0]);
  sr_put_id(m, value[1]);
  SrRef select = sr_end(m);
  sr_inst(m, select)->added = in.added;
  sr_insert_before(m, &b->list, before, select);
  return true;
}

/* Gives the phis that stay two predecessors to distinguish: an empty block where the condition
 * holds, and the block before. */
static void keep_phis(Convert *k, const SrBlock *b, const Join *j) {
  SrModule *m = k->m;
  SrBlock empty = sr_new_block(m);
  SrBlock *before = &SR_LAST(&k->out);
  sr_append(m, &empty.list, make_branch(k, b->id));
  sr_remove(m, &before->list, sr_terminator(before));
  append_selection(k, &before->list, j->condition, false, empty.id, b->id);
  uint32_t from = before->id;
  SR_PUSH(&k->arena, &k->out, empty);
  for (SR_EACH(m, r, b->list)) {
    if (sr_inst(m, r)->op != SpvOpPhi)
      continue;
    uint32_t value[2] = {0, 0}, *w = sr_words(m, r);
    values_of(k, j, r, value);
    w[3] = value[0];
    w[4] = empty.id;
    w[5] = value[1];
    w[6] = from;
  }
}

/* Replaces the phis of the block where a dissolved selection ended. */
static void convert_join(Convert *k, SrBlock *b, const Join *j) {
  SrModule *m = k->m;
  SrRef before = sr_first_ordinary(m, b);
  bool stays = false;
  for (SR_EACH_SAFE_FROM(m, r, b->list.first, before)) {
    if (sr_inst(m, r)->op == SpvOpPhi && sr_word_count(m, r) == 7)
      stays |= !replace_phi(k, b, j, r, before);
  }
  if (stays)
    keep_phis(k, b, j);
}

static void walk_blocks(Convert *k) {
  for (uint32_t b = 0; b < k->f->block_count; b++) {
    SrBlock at = k->f->blocks[b];
    if (k->join[b].condition)
      convert_join(k, &at, &k->join[b]);
    k->f->blocks[b] = at;
    if (may_dissolve(k, b))
      dissolve_selection(k, b);
    at = k->f->blocks[b];
    if (k->condition[b])
      split_block(k, at, k->condition[b], sr_bit(k->negative, b));
    else
      SR_PUSH(&k->arena, &k->out, at);
  }
}

/* ---- putting the function together ---- */

static uint32_t resolve(const SrMap *map, uint32_t id) {
  for (uint32_t next; (next = sr_map_get(map, id)) != SR_NONE;)
    id = next;
  return id;
}

static void count_preds(const Convert *k, uint32_t *preds, SrBits *named) {
  const SrModule *m = k->m;
  for (uint32_t b = 0; b < k->out.count; b++) {
    SrRef end = sr_terminator(&k->out.at[b]), merge = sr_merge_inst(m, &k->out.at[b]);
    for (uint32_t i = 0; (i = sr_next_target(m, end, i));)
      preds[block_of(k, sr_words(m, end)[i])]++;
    if (merge == SR_NONE)
      continue;
    sr_bit_set(named, block_of(k, sr_words(m, merge)[1]));
    if (sr_inst(m, merge)->op == SpvOpLoopMerge)
      sr_bit_set(named, block_of(k, sr_words(m, merge)[2]));
  }
}

/* Does the block end by branching to block `id` and nothing else? */
static bool leads_to(const Convert *k, const SrBlock *b, uint32_t id) {
  SrRef end = sr_terminator(b);
  return sr_merge_inst(k->m, b) == SR_NONE && sr_inst(k->m, end)->op == SpvOpBranch &&
         sr_words(k->m, end)[1] == id;
}

/* Appends block b to its only predecessor. */
static void append_block(Convert *k, SrBlock *to, SrBlock b) {
  SrModule *m = k->m;
  uint32_t role = sr_map_get(&k->role, b.id);
  k->counts->flow_blocks -= role == SR_ROLE_GUARD || role == SR_ROLE_MERGE;
  sr_remove(m, &to->list, sr_terminator(to));
  for (SR_EACH_SAFE(m, r, b.list)) {
    if (sr_inst(m, r)->op == SpvOpPhi) {
      SrRef copy = drop_phi(k, &b, r, sr_words(m, r)[3]);
      if (copy != SR_NONE)
        sr_append(m, &to->list, copy);
      continue;
    }
    sr_remove(m, &b.list, r);
    if (r != b.label)
      sr_append(m, &to->list, r);
  }
  sr_map_set(&k->block_end, b.id, to->id);
  m->def[b.id] = m->home[b.id] = SR_NONE;
  m->ids_gone = true;
}

/* Appends blocks that were added for selections to their only predecessor. */
static void fuse(Convert *k) {
  SrModule *m = k->m;
  uint32_t *preds = SR_NEW(&k->arena, uint32_t, k->out.count), count = 1;
  SrBits *named = sr_bits_new(&k->arena, k->out.count);
  for (uint32_t b = 0; b < k->out.count; b++)
    m->home[k->out.at[b].id] = b;
  count_preds(k, preds, named);
  for (uint32_t b = 1; b < k->out.count; b++) {
    SrBlock *last = &k->out.at[count - 1], at = k->out.at[b];
    if (at.added && preds[b] == 1 && !sr_bit(named, b) && leads_to(k, last, at.id))
      append_block(k, last, at);
    else
      k->out.at[count++] = at;
  }
  k->out.count = count;
}

/* Sets the function's blocks, and renames what refers to dropped blocks and phis. */
static void install_blocks(Convert *k) {
  SrModule *m = k->m;
  SrBlock *blocks = SR_NEW_RAW(m->arena, SrBlock, k->out.count);
  memcpy(blocks, k->out.at, k->out.count * sizeof *blocks);
  k->f->blocks = blocks;
  k->f->block_count = k->out.count;
  for (uint32_t b = 0; b < k->out.count; b++)
    for (SR_EACH(m, r, blocks[b].list)) {
      const SrInst *in = sr_inst(m, r);
      uint32_t *w = sr_words(m, r);
      if (in->result)
        m->home[in->result] = b;
      for (uint32_t i = in->first; i < w[0] >> 16; i++) {
        if (!sr_word_is_id(m, r, i))
          continue;
        bool parent = in->op == SpvOpPhi && i % 2 == 0;
        w[i] = resolve(parent ? &k->block_end : &k->replacement, w[i]);
      }
    }
  forget_dropped(k);
}

/* Corrects the phis of blocks with one predecessor, which may have changed. */
static void name_parents(const Convert *k, const SrGraph *g) {
  for (uint32_t b = 0; b < g->count; b++)
    if (sr_pred_count(g, b) == 1)
      for (SR_EACH(k->m, r, k->f->blocks[b].list))
        if (sr_inst(k->m, r)->op == SpvOpPhi)
          sr_words(k->m, r)[4] = k->f->blocks[g->pred[g->pred_at[b]]].id;
}

/* ---- values of small selections ---- */

static SrStatus repair_values(Convert *k) {
  const SrGraph *g = sr_cfg_build(&k->arena, k->m, k->f);
  name_parents(k, g);
  uint32_t *part = sr_new_none(&k->arena, g->count), *tail = sr_new_none(&k->arena, g->count);
  for (uint32_t b = 0; b < g->count; b++) {
    uint32_t id = sr_map_get(&k->tail_of, k->f->blocks[b].id);
    if (id == SR_NONE)
      continue;
    tail[b] = block_of(k, id);
    part[b] = b;
  }
  SrSsa ssa = {
      .m = k->m, .f = k->f, .graph = g, .dom = sr_dom_build(&k->arena, g, 0), .arena = &k->arena};
  return sr_ssa_leave_parts(&ssa, part, tail);
}

/* ---- what is not used any more ---- */

static bool may_die(const SrInst *in) {
  return in->added && (in->op == SpvOpPhi || in->op == SpvOpSelect || in->op == SpvOpIEqual ||
                       in->op == SpvOpLogicalNot);
}

static uint32_t uses_of(const SrIdTable *uses, uint32_t id) {
  uint32_t count = sr_ids_get(uses, id);
  return count == SR_NONE ? 0 : count;
}

static void count_uses(const Convert *k, SrRef r, SrIdTable *uses, int by) {
  const SrModule *m = k->m;
  for (uint32_t i = sr_inst(m, r)->first; i < sr_word_count(m, r); i++)
    if (sr_word_is_id(m, r, i))
      sr_ids_set(uses, sr_words(m, r)[i], uses_of(uses, sr_words(m, r)[i]) + (uint32_t)by);
}

static void drop_unused(Convert *k) {
  SrModule *m = k->m;
  SrIdTable *uses = sr_ids_take(m);
  SR_VEC(SrRef) work = {0};
  for (uint32_t b = 0; b < k->f->block_count; b++)
    for (SR_EACH(m, r, k->f->blocks[b].list))
      count_uses(k, r, uses, 1);
  for (uint32_t b = 0; b < k->f->block_count; b++)
    for (SR_EACH(m, r, k->f->blocks[b].list))
      if (may_die(sr_inst(m, r)) && uses_of(uses, sr_inst(m, r)->result) == 0)
        SR_PUSH(&k->arena, &work, r);
  while (work.count) {
    SrRef r = SR_POP(&work);
    uint32_t id = sr_inst(m, r)->result;
    if (m->home[id] == SR_NONE) /* already gone: two operands of one instruction listed it */
      continue;
    count_uses(k, r, uses, -1);
    for (uint32_t i = sr_inst(m, r)->first; i < sr_word_count(m, r); i++) {
      SrRef def = sr_word_is_id(m, r, i) ? sr_def(m, sr_words(m, r)[i]) : SR_NONE;
      if (def != SR_NONE && m->home[sr_words(m, r)[i]] != SR_NONE && def != r &&
          may_die(sr_inst(m, def)) && uses_of(uses, sr_words(m, r)[i]) == 0)
        SR_PUSH(&k->arena, &work, def);
    }
    sr_remove(m, &k->f->blocks[m->home[id]].list, r);
    m->def[id] = m->home[id] = SR_NONE;
    m->ids_gone = true;
  }
  sr_ids_give(m, uses);
}

/* ---- all of it ---- */

/* Counts what transforms have added to the function; `sign`: adds it to *c, or subtracts it. */
static void tally(const SrModule *m, const SrFunction *f, SrTransformCounts *c, uint32_t sign) {
  for (uint32_t b = 0; b < f->block_count; b++) {
    const SrBlock *at = &f->blocks[b];
    bool added = at->added || at->part;
    c->added_blocks += added ? sign : 0;
    for (SR_EACH(m, r, at->list)) {
      const SrInst *in = sr_inst(m, r);
      if (!in->added || (r == sr_terminator(at) && !added))
        continue;
      c->added_instructions += sr_counts(in) ? sign : 0;
      c->added_phis += in->op == SpvOpPhi ? sign : 0;
    }
  }
}

SrStatus sr_if_convert(SrModule *m, SrFunction *f, const SrFlowGraph *flow,
                       SrTransformCounts *counts) {
  Convert k = {
      .m = m, .f = f, .arena = sr_arena_new(m->arena->heap), .flow = flow, .counts = counts};
  k.role.arena = k.block_end.arena = k.replacement.arena = k.tail_of.arena = &k.arena;
  k.condition = SR_NEW(&k.arena, uint32_t, f->block_count);
  k.negative = sr_bits_new(&k.arena, f->block_count);
  k.join = SR_NEW(&k.arena, Join, f->block_count);
  for (uint32_t b = 0; b < f->block_count; b++)
    if (f->blocks[b].added)
      sr_map_set(&k.role, f->blocks[b].id, (uint32_t)flow_at(&k, b)->role);
  tally(m, f, counts, UINT32_MAX);
  walk_blocks(&k);
  fuse(&k);
  install_blocks(&k);
  SrStatus status = repair_values(&k);
  drop_unused(&k);
  tally(m, f, counts, 1);
  sr_arena_free(&k.arena);
  return status;
}
