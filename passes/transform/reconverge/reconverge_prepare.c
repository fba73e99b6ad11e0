/* SPDX-License-Identifier: Apache-2.0 */
/* reconverge_prepare: see reconverge_prepare.h. */
#include "passes/transform/reconverge/reconverge_prepare.h"

#include "passes/base/sort.h"
#include "passes/ir/constants.h"
#include "passes/ir/decorations.h"
#include "passes/ir/edit.h"
#include "passes/transform/reconverge/switch_case.h"
#include "passes/transform/reconverge/switch_row.h"

#include <assert.h>
#include <stdlib.h>

/* The edge from one block to another now starts in a new block, `now`, which phis must name. */
typedef struct Moved {
  uint32_t from, to, now; /* ids of the blocks */
} Moved;

/* An end of the function that now leads to the sink. */
typedef struct Leaf {
  uint32_t block;
  SrRef end; /* its terminator, removed; SR_NONE: an exit from an endless region */
  uint32_t kind;
} Leaf;

typedef struct Prepare {
  SrModule *m;
  SrFunction *f;
  SrArena *arena;
  SrTransformCounts *counts;
  SR_VEC(SrBlock) block; /* f->blocks, growing */
  SR_VEC(bool) divergent;
  SR_VEC(Moved) moved;
  SR_VEC(Leaf) leaf;
  SR_VEC(SrRef) kind; /* one terminator for each kind of leaf */
} Prepare;

/* ---- blocks and instructions ---- */

static uint32_t new_block(Prepare *p, bool divergent) {
  SR_PUSH(p->m->arena, &p->block, sr_new_block(p->m));
  SR_PUSH(p->arena, &p->divergent, divergent);
  p->f->blocks = p->block.at;
  p->f->block_count = p->block.count;
  p->m->home[SR_LAST(&p->block).id] = p->block.count - 1;
  p->counts->added_blocks++;
  return p->block.count - 1;
}

static void put(Prepare *p, uint32_t b, SrRef r) {
  sr_append(p->m, &p->block.at[b].list, r);
  if (sr_inst(p->m, r)->result)
    p->m->home[sr_inst(p->m, r)->result] = b;
}

static void put_branch(Prepare *p, uint32_t b, uint32_t target) {
  sr_begin(p->m, SpvOpBranch, 0, 0);
  sr_put_id(p->m, target);
  put(p, b, sr_end(p->m));
}

static SrRef take_end(Prepare *p, uint32_t b) {
  SrRef end = sr_terminator(&p->block.at[b]);
  sr_remove(p->m, &p->block.at[b].list, end);
  return end;
}

static void note_moved(Prepare *p, uint32_t from, uint32_t to, uint32_t now) {
  const SrBlock *b = p->block.at;
  SR_PUSH(p->arena, &p->moved, (Moved){b[from].id, to, b[now].id});
}

/* ---- divergent switches ---- */

static void split_switch(Prepare *p, uint32_t b, const uint32_t *place_of) {
  SrRef end = take_end(p, b);
  uint32_t other = sr_words(p->m, end)[sr_next_target(p->m, end, 0)];
  SrSwitchCase *cases = SR_NEW_RAW(p->arena, SrSwitchCase, sr_word_count(p->m, end));
  uint32_t n = sr_switch_cases(p->arena, p->m, end, place_of, cases), at = b;
  for (uint32_t i = 0, j; i < n; i = j) {
    for (j = i + 1; j < n && cases[j].target == cases[i].target; j++)
      ;
    if (at != b)
      note_moved(p, b, cases[i].target, at);
    uint32_t next = j < n ? new_block(p, true) : SR_NONE;
    uint32_t rest = next == SR_NONE ? other : p->block.at[next].id;
    put(p, at, sr_switch_make(p->m, end, &cases[i], j - i, 0, rest));
    p->counts->added_instructions += at != b;
    if (next == SR_NONE && at != b)
      note_moved(p, b, other, at);
    at = next;
  }
}

static void split_switches(Prepare *p) {
  const SrGraph *g = sr_cfg_build(p->arena, p->m, p->f);
  uint32_t *place_of = SR_NEW_RAW(p->arena, uint32_t, g->count);
  for (uint32_t b = 0; b < g->count; b++) {
    if (!p->divergent.at[b] || sr_succ_count(g, b) < 3)
      continue;
    for (uint32_t i = 0; i < sr_succ_count(g, b); i++)
      place_of[g->succ[g->succ_at[b] + i]] = i;
    split_switch(p, b, place_of);
  }
}

/* ---- endless regions ---- */

static void put_edge_to_sink(Prepare *p, uint32_t b, uint32_t target, uint32_t sink) {
  uint32_t condition = sr_const_bool(p->m, true);
  sr_begin(p->m, SpvOpBranchConditional, 0, 0);
  sr_put_id(p->m, condition);
  sr_put_id(p->m, target);
  sr_put_id(p->m, p->block.at[sink].id);
  put(p, b, sr_end(p->m));
}

/* Gives the block, which is in a region that lanes never leave, an edge to the sink that no lane
 * takes. */
static uint32_t make_edge_to_sink(Prepare *p, uint32_t b, uint32_t sink) {
  SrModule *m = p->m;
  SrRef end = sr_terminator(&p->block.at[b]);
  uint32_t target = sr_words(m, end)[sr_next_target(m, end, 0)], at = b;
  if (sr_inst(m, end)->op == SpvOpBranch) {
    take_end(p, b);
  } else {
    at = new_block(p, false);
    p->counts->added_instructions++;
    for (uint32_t i = 0; (i = sr_next_target(m, end, i));)
      if (sr_words(m, end)[i] == target)
        sr_words(m, end)[i] = p->block.at[at].id;
    note_moved(p, b, target, at);
  }
  put_edge_to_sink(p, at, target, sink);
  return at;
}

/* ---- phis of targets ---- */

static int by_edge(const void *a, const void *b) {
  const Moved *x = a, *y = b;
  if (x->from != y->from)
    return x->from < y->from ? -1 : 1;
  return (x->to > y->to) - (x->to < y->to);
}

/* The block that leads to `to` in place of `from`. An edge may have moved twice: when the last test
 * of a switch becomes the exit of an endless region. `now` is newer than `from`, so this ends. */
static uint32_t follow_moved(const Prepare *p, uint32_t from, uint32_t to) {
  for (;;) {
    Moved key = {from, to, 0};
    const Moved *found = bsearch(&key, p->moved.at, p->moved.count, sizeof key, by_edge);
    if (!found)
      return from;
    from = found->now;
  }
}

static void repair_phi(Prepare *p, SrRef phi, uint32_t block) {
  uint32_t *w = sr_words(p->m, phi);
  for (uint32_t i = 4; i < w[0] >> 16; i += 2)
    w[i] = follow_moved(p, w[i], block);
}

static void repair_phis(Prepare *p) {
  if (!p->moved.count)
    return;
  sr_sort(p->arena, p->moved.at, p->moved.count, sizeof *p->moved.at, by_edge);
  for (uint32_t b = 0; b < p->block.count; b++) {
    SrRef end = sr_first_ordinary(p->m, &p->block.at[b]);
    for (SrRef r = p->block.at[b].list.first; r != end; r = sr_inst(p->m, r)->next)
      if (sr_inst(p->m, r)->op == SpvOpPhi)
        repair_phi(p, r, p->block.at[b].id);
  }
}

/* ---- the sink ---- */

static SpvOp end_op(const Prepare *p, SrRef end) {
  return end == SR_NONE ? SpvOpUnreachable : (SpvOp)sr_inst(p->m, end)->op;
}

static bool returns(const Prepare *p, SrRef end) {
  return end_op(p, end) == SpvOpReturn || end_op(p, end) == SpvOpReturnValue;
}

/* Finds the kinds that return, or those that do not, in the order of their first leaves.
 * OpUnreachable is not one of them. */
static void collect_kinds(Prepare *p, bool that_return) {
  for (uint32_t i = 0; i < p->leaf.count; i++) {
    Leaf *l = &p->leaf.at[i];
    if (end_op(p, l->end) == SpvOpUnreachable || returns(p, l->end) != that_return)
      continue;
    l->kind = 0;
    while (l->kind < p->kind.count && end_op(p, p->kind.at[l->kind]) != end_op(p, l->end))
      l->kind++;
    if (l->kind == p->kind.count)
      SR_PUSH(p->arena, &p->kind, l->end);
  }
}

static void sort_kinds(Prepare *p) {
  collect_kinds(p, false);
  collect_kinds(p, true);
}

static bool is_of_kind(const Prepare *p, const Leaf *l, uint32_t kind) {
  return l->kind == kind && end_op(p, l->end) != SpvOpUnreachable;
}

static SrStatus no_phi(const Prepare *p) {
  SrWhere where = {.function = sr_function_name(p->m, p->arena, p->f), .word = SR_NONE};
  return sr_fail(
      p->m->diag, SR_BAD_INPUT, where,
      "reconverge needs one exit, and no phi can hold the value that the function returns "
      "in several places: return it in one");
}

/* Word `word` of the kind's terminator at the sink: the operand that all leaves of the kind share,
 * or a phi. */
static SrStatus join_operand(Prepare *p, uint32_t sink, uint32_t kind, uint32_t word,
                             uint32_t *out) {
  SrModule *m = p->m;
  uint32_t value = sr_words(m, p->kind.at[kind])[word];
  bool same = m->home[value] == SR_NONE;
  for (uint32_t i = 0; i < p->leaf.count; i++)
    if (is_of_kind(p, &p->leaf.at[i], kind))
      same = same && sr_words(m, p->leaf.at[i].end)[word] == value;
  *out = value;
  if (same)
    return SR_OK;
  uint32_t type = sr_inst(m, sr_def(m, value))->type;
  if (!sr_type_can_phi(m, type))
    return no_phi(p);
  uint32_t undef = sr_undef(m, type);
  SrKept kept = SR_KEPT_OF_NONE;
  *out = sr_fresh_id(m);
  sr_begin(m, SpvOpPhi, type, *out);
  for (uint32_t i = 0; i < p->leaf.count; i++) {
    const Leaf *l = &p->leaf.at[i];
    value = is_of_kind(p, l, kind) ? sr_words(m, l->end)[word] : undef;
    kept = sr_kept_joined(kept, sr_kept(m, value));
    sr_put_id(m, value);
    sr_put_id(m, p->block.at[l->block].id);
  }
  put(p, sink, sr_end(m));
  sr_keep(m, *out, kept);
  p->counts->added_phis++;
  return SR_OK;
}

/* Puts a terminator of that kind into block b, with the operands that reach the sink. */
static SrStatus put_end(Prepare *p, uint32_t b, uint32_t sink, uint32_t kind) {
  SrModule *m = p->m;
  SrRef end = p->kind.at[kind];
  uint32_t count = sr_word_count(m, end), *operand = SR_NEW_RAW(p->arena, uint32_t, count);
  for (uint32_t i = 1; i < count; i++)
    SR_CHECK(join_operand(p, sink, kind, i, &operand[i]));
  sr_begin(m, (SpvOp)sr_inst(m, end)->op, 0, 0);
  for (uint32_t i = 1; i < count; i++)
    sr_put_id(m, operand[i]);
  put(p, b, sr_end(m));
  p->counts->added_instructions++;
  return SR_OK;
}

/* Makes a phi at the sink that says whether the lane should end with a terminator of this kind. */
static uint32_t put_kind_phi(Prepare *p, uint32_t sink, uint32_t kind) {
  SrModule *m = p->m;
  uint32_t yes = sr_const_bool(m, true), no = sr_const_bool(m, false);
  uint32_t type = sr_type_bool(m), id = sr_fresh_id(m);
  sr_begin(m, SpvOpPhi, type, id);
  for (uint32_t i = 0; i < p->leaf.count; i++) {
    sr_put_id(m, p->leaf.at[i].kind == kind ? yes : no);
    sr_put_id(m, p->block.at[p->leaf.at[i].block].id);
  }
  put(p, sink, sr_end(m));
  p->counts->added_phis++;
  return id;
}

/* Makes the end of the function: a block for each kind, and a chain of branches to them. */
static SrStatus put_dispatch(Prepare *p, uint32_t sink) {
  SrModule *m = p->m;
  uint32_t kinds = p->kind.count, first = p->block.count, at = sink;
  uint32_t *which = SR_NEW_RAW(p->arena, uint32_t, kinds);
  for (uint32_t k = 0; k < kinds; k++)
    SR_CHECK(put_end(p, new_block(p, false), sink, k));
  for (uint32_t k = 0; k + 1 < kinds; k++)
    which[k] = put_kind_phi(p, sink, k);
  for (uint32_t k = 0; k + 1 < kinds; k++) {
    uint32_t next = k + 2 < kinds ? new_block(p, false) : first + kinds - 1;
    sr_begin(m, SpvOpBranchConditional, 0, 0);
    sr_put_id(m, which[k]);
    sr_put_id(m, p->block.at[first + k].id);
    sr_put_id(m, p->block.at[next].id);
    put(p, at, sr_end(m));
    p->counts->added_instructions++;
    at = next;
  }
  return SR_OK;
}

static SrStatus fill_sink(Prepare *p, uint32_t sink) {
  sort_kinds(p);
  if (p->kind.count == 1)
    return put_end(p, sink, sink, 0);
  if (p->kind.count)
    return put_dispatch(p, sink);
  sr_begin(p->m, SpvOpUnreachable, 0, 0);
  put(p, sink, sr_end(p->m));
  p->counts->added_instructions++;
  return SR_OK;
}

static void lead_to_sink(Prepare *p, uint32_t b, bool endless, uint32_t sink) {
  Leaf l = {.block = b, .end = SR_NONE};
  if (endless) {
    l.block = make_edge_to_sink(p, b, sink);
  } else {
    l.end = take_end(p, b);
    put_branch(p, b, p->block.at[sink].id);
  }
  SR_PUSH(p->arena, &p->leaf, l);
}

/* Makes the single exit; returns its block. */
static SrStatus make_exit(Prepare *p, uint32_t *exit) {
  const SrGraph *g = sr_cfg_build(p->arena, p->m, p->f);
  const SrGraph *r = sr_graph_reverse_with_exit(p->arena, g);
  const SrBits *reached = sr_graph_reachable(p->arena, g, 0);
  SR_VEC(uint32_t) ends = {0};
  bool endless = false;
  for (SR_SUCCS(b, r, g->count))
    if (sr_bit(reached, *b)) {
      SR_PUSH(p->arena, &ends, *b);
      endless = endless || sr_succ_count(g, *b) > 0;
    }
  assert(ends.count > 0); /* an endless region now has an end */
  *exit = ends.at[0];
  if (ends.count == 1 && !endless)
    return SR_OK;
  *exit = new_block(p, false);
  for (uint32_t i = 0; i < ends.count; i++)
    lead_to_sink(p, ends.at[i], sr_succ_count(g, ends.at[i]) > 0, *exit);
  return fill_sink(p, *exit);
}

SrStatus sr_reconverge_prepare(SrArena *arena, SrModule *m, SrFunction *f, const SrBits *divergent,
                               SrTransformCounts *counts, SrPrepared *out) {
  Prepare p = {.m = m, .f = f, .arena = arena, .counts = counts};
  uint32_t before = f->block_count;
  SR_CHECK(sr_switch_rows(arena, m, f, divergent, counts));
  uint32_t count = f->block_count;
  assert(count > 0);
  SR_RESERVE(m->arena, &p.block, count);
  memcpy(p.block.at, f->blocks, count * sizeof *f->blocks);
  p.block.count = count;
  for (uint32_t b = 0; b < count; b++)
    SR_PUSH(arena, &p.divergent, b >= before || sr_bit(divergent, b));
  split_switches(&p);
  SR_CHECK(make_exit(&p, &out->exit));
  repair_phis(&p);
  out->changed = p.block.count > before;
  out->divergent = sr_bits_new(arena, p.block.count);
  for (uint32_t b = 0; b < p.block.count; b++)
    if (p.divergent.at[b])
      sr_bit_set(out->divergent, b);
  return SR_OK;
}
