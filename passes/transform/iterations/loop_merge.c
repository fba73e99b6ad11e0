/* SPDX-License-Identifier: Apache-2.0 */
/* loop_merge: see loop_merge.h. Blocks keep their indices until all pairs are merged; added
 * blocks are identified by their labels, and listed with the block that they come before or
 * after. An exit of one pair may be the entry of another, so each step is done for all pairs
 * before the next step. */
#include "passes/transform/iterations/loop_merge.h"

#include "passes/ir/constants.h"
#include "passes/ir/decorations.h"
#include "passes/ir/edit.h"
#include "passes/ir/hint.h"

typedef struct Added {
  SrBlock block;
  uint32_t next; /* the next one at the same place, or SR_NONE */
} Added;

/* Blocks that each pair gets, by their place after Merge.first. */
enum { HEADER, TEST, EXIT };

typedef struct Merge {
  SrArena *arena;
  SrModule *m;
  SrFunction *f;
  const SrLoopPairs *pairs;
  SrTransformCounts *counts;
  SrMergedLoop *loops; /* by pair */
  uint32_t *first;     /* by pair: index of its first added block */
  SR_VEC(Added) added;
  uint32_t *before, *after; /* by block: the first added block to be put there, or SR_NONE */
  uint32_t *exit_number,
      *exit_stamp; /* by block: its place in `exits` of the pair with that stamp */
  SR_VEC(uint32_t)
  operand; /* operands of the phi that is being made in the header, by edge; 0:
                               undefined */
} Merge;

static const SrCycle *outer_of(const Merge *k, uint32_t pair) {
  return &k->pairs->nest->cycles[k->pairs->pair.at[pair].outer];
}

static const SrCycle *inner_of(const Merge *k, uint32_t pair) {
  return &k->pairs->nest->cycles[k->pairs->pair.at[pair].inner];
}

static bool is_inside(const Merge *k, uint32_t pair, uint32_t block) {
  return k->pairs->pair_of[block] == pair;
}

static uint32_t label_of(const Merge *k, uint32_t block) {
  return k->f->blocks[block].id;
}

/* ---- blocks ---- */

/* Makes a block to be put at the end of the list `at`; returns its index in `added`. */
static uint32_t new_block(Merge *k, uint32_t *at) {
  while (*at != SR_NONE)
    at = &k->added.at[*at].next;
  *at = k->added.count;
  SR_PUSH(k->arena, &k->added, (Added){sr_new_block(k->m), SR_NONE});
  k->counts->added_blocks++;
  return k->added.count - 1;
}

static void end_added(Merge *k, uint32_t i, SrRef r) {
  sr_append(k->m, &k->added.at[i].block.list, r);
  k->counts->added_instructions++;
}

static void jump(Merge *k, uint32_t i, uint32_t target) {
  sr_begin(k->m, SpvOpBranch, 0, 0);
  sr_put_id(k->m, target);
  end_added(k, i, sr_end(k->m));
}

static void branch(Merge *k, uint32_t i, uint32_t condition, uint32_t yes, uint32_t no) {
  sr_begin(k->m, SpvOpBranchConditional, 0, 0);
  sr_put_id(k->m, condition);
  sr_put_id(k->m, yes);
  sr_put_id(k->m, no);
  end_added(k, i, sr_end(k->m));
}

static void make_blocks(Merge *k, uint32_t pair) {
  SrMergedLoop *l = &k->loops[pair];
  uint32_t outer = outer_of(k, pair)->header;
  k->first[pair] = k->added.count;
  for (int i = HEADER; i <= EXIT; i++)
    new_block(k, &k->before[outer]);
  const Added *a = &k->added.at[k->first[pair]];
  *l = (SrMergedLoop){.header = a[HEADER].block.id,
                      .test = a[TEST].block.id,
                      .exit = a[EXIT].block.id,
                      .outer = label_of(k, outer),
                      .inner = label_of(k, inner_of(k, pair)->header)};
}

/* ---- edges ---- */

/* Redirects all branches of a block from one target to another. */
static void retarget(const Merge *k, SrRef end, uint32_t target, uint32_t to) {
  uint32_t *w = sr_words(k->m, end);
  for (uint32_t i = 0; (i = sr_next_target(k->m, end, i));)
    if (w[i] == target)
      w[i] = to;
}

static bool is_redirected(const Merge *k, uint32_t pair, uint32_t from, uint32_t to) {
  bool leaves_outer = is_inside(k, pair, from) && !is_inside(k, pair, to);
  bool begins_outer = to == outer_of(k, pair)->header &&
                      (!is_inside(k, pair, from) || sr_loop_passes_by(k->pairs, from));
  return to == inner_of(k, pair)->header || begins_outer || leaves_outer;
}

/* Redirects an edge. If other edges of the same source lead to the header, the edge gets a block of
 * its own that separates it; edges to the inner header need none. */
static void redirect(Merge *k, uint32_t pair, SrMergedEdge e) {
  SrMergedLoop *l = &k->loops[pair];
  uint32_t edges = 0, to = l->header;
  for (SR_SUCCS(t, k->pairs->graph, e.source))
    edges += is_redirected(k, pair, e.source, *t);
  e.from = e.known = label_of(k, e.source);
  if (edges > 1 && e.kind != SR_MERGED_BACK) {
    uint32_t i = new_block(k, &k->after[e.source]);
    jump(k, i, l->header);
    to = e.from = k->added.at[i].block.id;
  }
  retarget(k, sr_terminator(&k->f->blocks[e.source]), label_of(k, e.target), to);
  SR_PUSH(k->arena, &l->edge, e);
}

static uint32_t number_of_exit(Merge *k, uint32_t pair, uint32_t target) {
  SrMergedLoop *l = &k->loops[pair];
  if (k->exit_stamp[target] != pair) {
    k->exit_stamp[target] = pair;
    k->exit_number[target] = l->exits.count;
    SR_PUSH(k->arena, &l->exits, target);
  }
  return k->exit_number[target];
}

static void redirect_exits(Merge *k, uint32_t pair) {
  const SrCycle *c = outer_of(k, pair);
  for (uint32_t i = c->first; i <= c->last; i++) {
    uint32_t b = k->pairs->nest->order[i];
    for (SR_SUCCS(t, k->pairs->graph, b))
      if (!is_inside(k, pair, *t))
        redirect(k, pair,
                 (SrMergedEdge){.kind = SR_MERGED_EXIT,
                                .source = b,
                                .target = *t,
                                .exit = number_of_exit(k, pair, *t)});
  }
}

static void redirect_back_edges(Merge *k, uint32_t pair) {
  uint32_t inner = inner_of(k, pair)->header;
  for (SR_PREDS(p, k->pairs->graph, inner))
    redirect(k, pair, (SrMergedEdge){.kind = SR_MERGED_BACK, .source = *p, .target = inner});
}

/* Ends block X: each lane leaves to the target of the edge by which it came. */
static void end_exit(Merge *k, uint32_t pair) {
  SrModule *m = k->m;
  SrMergedLoop *l = &k->loops[pair];
  uint32_t x = k->first[pair] + EXIT;
  if (l->exits.count == 1) {
    jump(k, x, label_of(k, l->exits.at[0]));
    return;
  }
  l->choice = sr_fresh_id(m);
  sr_begin(m, SpvOpSwitch, 0, 0);
  sr_put_id(m, l->choice);
  sr_put_id(m, label_of(k, l->exits.at[0]));
  for (uint32_t i = 1; i < l->exits.count; i++) {
    sr_put_literal(m, i);
    sr_put_id(m, label_of(k, l->exits.at[i]));
  }
  end_added(k, x, sr_end(m));
}

static bool has_edge_from(const SrMergedLoop *l, uint32_t label) {
  for (uint32_t i = 0; i < l->edge.count; i++)
    if (l->edge.at[i].from == label)
      return true;
  return false;
}

/* An edge from another pair's loop now comes from that pair's block X. */
static void redirect_other(Merge *k, uint32_t pair, uint32_t other, uint32_t source) {
  SrMergedLoop *l = &k->loops[pair];
  const SrBlock *x = &k->added.at[k->first[other] + EXIT].block;
  if (has_edge_from(l, x->id))
    return;
  retarget(k, sr_terminator(x), l->outer, l->header);
  SrMergedEdge e = {.kind = SR_MERGED_ENTRY,
                    .from = x->id,
                    .known = x->id,
                    .source = source,
                    .target = outer_of(k, pair)->header};
  SR_PUSH(k->arena, &l->edge, e);
}

static void redirect_entries(Merge *k, uint32_t pair) {
  uint32_t outer = outer_of(k, pair)->header;
  for (SR_PREDS(p, k->pairs->graph, outer)) {
    uint32_t other = k->pairs->pair_of[*p];
    if (other != SR_NONE && other != pair)
      redirect_other(k, pair, other, *p);
    else if (other == SR_NONE || is_redirected(k, pair, *p, outer))
      redirect(k, pair, (SrMergedEdge){.kind = SR_MERGED_ENTRY, .source = *p, .target = outer});
  }
}

/* ---- phis ---- */

static void set_operands(Merge *k, uint32_t pair, uint32_t value) {
  k->operand.count = 0;
  for (uint32_t i = 0; i < k->loops[pair].edge.count; i++)
    SR_PUSH(k->arena, &k->operand, value);
}

/* Makes a phi of k->operand in block H. */
static SrRef header_phi(Merge *k, uint32_t pair, uint32_t type, uint32_t id) {
  SrModule *m = k->m;
  const SrMergedLoop *l = &k->loops[pair];
  SrBlock *header = &k->added.at[k->first[pair] + HEADER].block;
  uint32_t undef = 0;
  for (uint32_t i = 0; i < l->edge.count && !undef; i++)
    undef = k->operand.at[i] ? 0 : sr_undef(m, type); /* before sr_begin: see edit.h */
  sr_begin(m, SpvOpPhi, type, id);
  for (uint32_t i = 0; i < l->edge.count; i++) {
    sr_put_id(m, k->operand.at[i] ? k->operand.at[i] : undef);
    sr_put_id(m, l->edge.at[i].from);
  }
  SrRef r = sr_end(m);
  sr_insert_before(m, &header->list, sr_inst(m, header->label)->next, r);
  return r;
}

/* A phi that is true on the edges of one kind. */
static uint32_t test_phi(Merge *k, uint32_t pair, SrMergedKind kind) {
  const SrMergedLoop *l = &k->loops[pair];
  uint32_t yes = sr_const_bool(k->m, true), type = sr_type_bool(k->m), id = sr_fresh_id(k->m);
  set_operands(k, pair, sr_const_bool(k->m, false));
  for (uint32_t i = 0; i < l->edge.count; i++)
    if (l->edge.at[i].kind == kind)
      k->operand.at[i] = yes;
  header_phi(k, pair, type, id);
  k->counts->added_phis++;
  return id;
}

static void choice_phi(Merge *k, uint32_t pair) {
  const SrMergedLoop *l = &k->loops[pair];
  if (!l->choice)
    return;
  set_operands(k, pair, sr_const_u32(k->m, 0));
  for (uint32_t i = 0; i < l->edge.count; i++)
    k->operand.at[i] = sr_const_u32(k->m, l->edge.at[i].exit);
  header_phi(k, pair, sr_type_u32(k->m), l->choice);
  k->counts->added_phis++;
  k->counts->selectors++;
}

/* The value that a phi has for a predecessor, or 0. */
static uint32_t incoming(const SrModule *m, SrRef phi, uint32_t label) {
  const uint32_t *w = sr_words(m, phi);
  for (uint32_t i = 3; i + 1 < w[0] >> 16; i += 2)
    if (w[i + 1] == label)
      return w[i];
  return 0;
}

static bool came_from(const Merge *k, uint32_t pair, uint32_t target, uint32_t label) {
  const SrMergedLoop *l = &k->loops[pair];
  for (uint32_t i = 0; i < l->edge.count; i++)
    if (l->edge.at[i].target == target && l->edge.at[i].known == label)
      return true;
  return false;
}

/* Replaces a phi's operands for the edges that now lead to H by one value, for block `from`. */
static void narrow_phi(Merge *k, uint32_t pair, uint32_t target, SrRef phi, uint32_t value,
                       uint32_t from) {
  SrModule *m = k->m;
  const SrInst old = *sr_inst(m, phi);
  sr_begin(m, SpvOpPhi, old.type, old.result);
  for (uint32_t i = 3; i + 1 < sr_word_count(m, phi); i += 2) {
    if (came_from(k, pair, target, sr_words(m, phi)[i + 1]))
      continue;
    sr_put_id(m, sr_words(m, phi)[i]);
    sr_put_id(m, sr_words(m, phi)[i + 1]);
  }
  sr_put_id(m, value);
  sr_put_id(m, from);
  SrRef r = sr_end(m);
  sr_inst(m, r)->added = old.added;
  sr_insert_before(m, &k->f->blocks[target].list, phi, r);
  sr_remove(m, &k->f->blocks[target].list, phi);
}

/* Moves the operands of a phi of `target` to a phi in H. Returns the value if there is only one,
 * which needs no phi; else 0. */
static uint32_t take_operands(Merge *k, uint32_t pair, uint32_t target, SrRef phi) {
  const SrMergedLoop *l = &k->loops[pair];
  uint32_t value = 0;
  bool several = false, entry = false;
  set_operands(k, pair, 0);
  for (uint32_t i = 0; i < l->edge.count; i++) {
    const SrMergedEdge *e = &l->edge.at[i];
    if (e->target != target || e->kind == SR_MERGED_BACK)
      continue;
    uint32_t id = k->operand.at[i] = incoming(k->m, phi, e->known);
    several |= value && id != value;
    entry |= e->kind == SR_MERGED_ENTRY;
    value = id;
  }
  return !several && (entry || k->m->home[value] == SR_NONE) ? value : 0;
}

/* Adjusts the phis of a block that was the target of edges and now gets their lanes from block
 * `from`. */
static void pass_on(Merge *k, uint32_t pair, uint32_t target, uint32_t from) {
  SrModule *m = k->m;
  for (SR_EACH_PHI(m, r, k->f->blocks[target].list)) {
    const SrInst phi = *sr_inst(m, r);
    uint32_t value = take_operands(k, pair, target, r);
    if (!value) {
      value = sr_fresh_id(m);
      header_phi(k, pair, phi.type, value);
      sr_keep(m, value, sr_kept(m, phi.result));
      k->counts->added_phis++;
    }
    narrow_phi(k, pair, target, r, value, from);
  }
}

/* The inner header's phis move to H, and keep their values at the exit. */
static void move_phis(Merge *k, uint32_t pair) {
  SrModule *m = k->m;
  const SrMergedLoop *l = &k->loops[pair];
  SrList *list = &k->f->blocks[inner_of(k, pair)->header].list;
  for (SR_EACH_PHI(m, r, *list)) {
    const SrInst phi = *sr_inst(m, r);
    set_operands(k, pair, 0);
    for (uint32_t i = 0; i < l->edge.count; i++) {
      const SrMergedEdge *e = &l->edge.at[i];
      if (e->kind != SR_MERGED_ENTRY)
        k->operand.at[i] = e->kind == SR_MERGED_EXIT ? phi.result : incoming(m, r, e->known);
    }
    sr_remove(m, list, r);
    SrRef moved = header_phi(k, pair, phi.type, phi.result);
    sr_inst(m, moved)->added = phi.added;
  }
}

static void exit_phis(Merge *k, uint32_t pair) {
  const SrMergedLoop *l = &k->loops[pair];
  for (uint32_t i = 0; i < l->exits.count; i++)
    pass_on(k, pair, l->exits.at[i], l->exit);
  choice_phi(k, pair);
}

static void entry_phis(Merge *k, uint32_t pair) {
  const SrMergedLoop *l = &k->loops[pair];
  pass_on(k, pair, outer_of(k, pair)->header, l->test);
  move_phis(k, pair);
  branch(k, k->first[pair] + HEADER, test_phi(k, pair, SR_MERGED_EXIT), l->exit, l->test);
  branch(k, k->first[pair] + TEST, test_phi(k, pair, SR_MERGED_ENTRY), l->outer, l->inner);
}

/* ---- all of it ---- */

static void for_all(Merge *k, void (*step)(Merge *k, uint32_t pair)) {
  for (uint32_t pair = 0; pair < k->pairs->pair.count; pair++)
    step(k, pair);
}

/* Drops the controls of the two loops of a pair, which would be wrong for the loop that they
 * become. */
static void take_merges(Merge *k) {
  for (uint32_t b = 0; b < k->f->block_count; b++)
    sr_hint_take(k->m, &k->f->blocks[b]);
  for (uint32_t pair = 0; pair < k->pairs->pair.count; pair++) {
    sr_hint_forget_loop(k->m, label_of(k, outer_of(k, pair)->header));
    sr_hint_forget_loop(k->m, label_of(k, inner_of(k, pair)->header));
  }
}

/* Puts the blocks into their order, and gives labels and values their new homes. Returns the old
 * block, by new block. */
static uint32_t *place_blocks(Merge *k) {
  SrModule *m = k->m;
  SrFunction *f = k->f;
  uint32_t count = 0, *old_of = sr_new_none(k->arena, f->block_count + k->added.count);
  SrBlock *blocks = SR_NEW_RAW(m->arena, SrBlock, f->block_count + k->added.count);
  for (uint32_t b = 0; b < f->block_count; b++) {
    for (uint32_t i = k->before[b]; i != SR_NONE; i = k->added.at[i].next)
      blocks[count++] = k->added.at[i].block;
    old_of[count] = b;
    blocks[count++] = f->blocks[b];
    for (uint32_t i = k->after[b]; i != SR_NONE; i = k->added.at[i].next)
      blocks[count++] = k->added.at[i].block;
  }
  f->blocks = blocks;
  f->block_count = count;
  sr_set_homes(m, f);
  return old_of;
}

SrMergedLoops sr_loop_merge(SrArena *arena, SrModule *m, SrFunction *f, const SrLoopPairs *pairs,
                            SrTransformCounts *counts) {
  Merge k = {.arena = arena, .m = m, .f = f, .pairs = pairs, .counts = counts};
  k.loops = SR_NEW(arena, SrMergedLoop, pairs->pair.count);
  k.first = SR_NEW(arena, uint32_t, pairs->pair.count);
  k.before = sr_new_none(arena, f->block_count);
  k.after = sr_new_none(arena, f->block_count);
  k.exit_number = SR_NEW(arena, uint32_t, f->block_count);
  k.exit_stamp = sr_new_none(arena, f->block_count);
  take_merges(&k);
  for_all(&k, make_blocks);
  for_all(&k, redirect_back_edges);
  for_all(&k, redirect_exits);
  for_all(&k, end_exit);
  for_all(&k, redirect_entries);
  for_all(&k, exit_phis);
  for_all(&k, entry_phis);
  return (SrMergedLoops){k.loops, place_blocks(&k)};
}
