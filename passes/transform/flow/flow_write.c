/* SPDX-License-Identifier: Apache-2.0 */
/* flow_write: see flow_write.h. */
#include "passes/transform/flow/flow_write.h"

#include "passes/analysis/loop_hint.h"
#include "passes/base/sort.h"
#include "passes/ir/constants.h"
#include "passes/ir/edit.h"
#include "passes/transform/flow/flow_choice.h"
#include "passes/transform/flow/flow_names.h"
#include "passes/transform/ssa/ssa_repair.h"
#include "passes/transform/ssa/ssa_test.h"

#include <assert.h>

typedef struct Writer {
  SrModule *m;
  SrFunction *f;
  SrArena arena;
  SrTransformCounts *counts;
  const SrGraph *old;
  const SrNest *nest; /* NULL: reconverge's program */
  const uint32_t *rank;
  const SrFlowGraph *flow;
  SrFlowNames names;           /* of reconverge's flow blocks */
  SrFlowChoices tests;         /* the conditions of these flow blocks */
  SrGraph *graph;              /* of the new blocks, in their final order */
  uint32_t *place;             /* by flow block: its place in that order */
  uint32_t *new_of;            /* by old block */
  uint32_t *old_of;            /* by new block */
  const SrLoopHint *loop_hint; /* by cycle; NULL: no controls of loops are kept */
  const SrNest *old_nest;      /* set if there are controls and `nest` is NULL */
  uint32_t *slot_of;           /* by new block: slot of the current user branch that led to it */
  SrSsa ssa;
  SrSsaPaths paths;
  uint32_t *edge_of;  /* by flow slot: its edge, as index in graph->pred */
  uint32_t *test;     /* by new block: the boolean of its test, if a phi holds it, or 0 */
  SrBits *inverted;   /* by new block: that boolean is the opposite of the test */
  uint32_t *select;   /* by new block: id of the OpSelect that sets sel on both edges, or 0 */
  uint32_t *negation; /* by new block: id of the negation of its condition, or 0 */
  uint32_t first_select, *selects, select_count; /* ids of these follow each other; their blocks */
} Writer;

static SrFlowBlock *flow_at(const Writer *w, uint32_t b) {
  return &w->flow->block.at[w->flow->order[b]];
}

static SrSlot *slot_at(const Writer *w, uint32_t b, uint32_t slot) {
  return &w->flow->slot.at[flow_at(w, b)->slot + slot];
}

static uint32_t target_id(const Writer *w, uint32_t flow_block) {
  return w->f->blocks[w->place[flow_block]].id;
}

/* ---- blocks ---- */

static void take_out_merges(Writer *w) {
  for (uint32_t b = 0; b < w->f->block_count; b++)
    sr_hint_take(w->m, &w->f->blocks[b]);
  if (!w->nest && sr_hint_any(w->m, SpvOpLoopMerge))
    w->old_nest = sr_nest_build(&w->arena, w->old);
  const SrNest *nest = w->nest ? w->nest : w->old_nest;
  w->loop_hint = nest ? sr_loop_hints(&w->arena, w->m, w->f, w->old, nest) : NULL;
}

/* Builds the new block array, in order, and updates m->home. */
static void lay_out(Writer *w) {
  uint32_t count = w->flow->block.count, old_count = w->f->block_count;
  SrBlock *blocks = SR_NEW_RAW(w->m->arena, SrBlock, count);
  w->place = SR_NEW_RAW(&w->arena, uint32_t, count);
  w->new_of = sr_new_none(&w->arena, old_count);
  w->old_of = SR_NEW_RAW(&w->arena, uint32_t, count);
  for (uint32_t b = 0; b < count; b++) {
    uint32_t user = flow_at(w, b)->user;
    w->place[w->flow->order[b]] = b;
    w->old_of[b] = user;
    if (user != SR_NONE)
      w->new_of[user] = b;
    blocks[b] = user != SR_NONE ? w->f->blocks[user] : sr_new_block(w->m);
  }
  for (uint32_t b = 0; b < old_count; b++)
    if (w->new_of[b] == SR_NONE)
      sr_undefine_block(w->m, &w->f->blocks[b]);
  w->f->blocks = blocks;
  w->f->block_count = count;
  sr_set_homes(w->m, w->f);
}

static void make_graph(Writer *w) {
  uint32_t slots = w->flow->slot.count, n = 0;
  SrEdge *edges = SR_NEW_RAW(&w->arena, SrEdge, slots);
  for (uint32_t b = 0; b < w->f->block_count; b++)
    for (uint32_t i = 0; i < flow_at(w, b)->slot_count; i++)
      edges[n++] = (SrEdge){b, w->place[slot_at(w, b, i)->to]};
  w->graph = sr_graph_new(&w->arena, w->f->block_count, edges, n);
}

/* Finds the edge of each slot. Slots of one block that lead to the same block share it. */
static void name_edges(Writer *w) {
  const SrGraph *g = w->graph;
  const uint32_t *pred_slot = sr_graph_pred_slots(&w->arena, g);
  uint32_t *edge = SR_NEW_RAW(&w->arena, uint32_t, g->succ_at[g->count]); /* by index in succ */
  for (uint32_t e = 0; e < g->pred_at[g->count]; e++)
    edge[g->succ_at[g->pred[e]] + pred_slot[e]] = e;
  w->edge_of = SR_NEW_RAW(&w->arena, uint32_t, w->flow->slot.count);
  uint32_t *last = SR_NEW_RAW(&w->arena, uint32_t, g->count); /* by block: the edge to it from b */
  for (uint32_t b = 0; b < g->count; b++) {
    for (uint32_t i = g->succ_at[b]; i < g->succ_at[b + 1]; i++)
      last[g->succ[i]] = edge[i];
    for (uint32_t i = 0; i < flow_at(w, b)->slot_count; i++)
      w->edge_of[flow_at(w, b)->slot + i] = last[w->place[slot_at(w, b, i)->to]];
  }
}

/* reconverge writes no merge instructions, but may put a flow block before a loop's header: passes
 * the header's controls on to it. */
static void pass_hints_on(Writer *w) {
  const SrNest *new = sr_nest_build(&w->arena, w->graph);
  for (uint32_t c = 0; c < w->old_nest->cycle_count; c++) {
    const SrLoopHint *hint = &w->loop_hint[c];
    uint32_t now = new->inner[w->new_of[w->old_nest->cycles[c].header]];
    if (hint->merge == SR_NONE || now == SR_NONE)
      continue;
    uint32_t label = w->f->blocks[new->cycles[now].header].id;
    sr_hint_keep(w->m, label, hint->merge);
    if (!hint->promises || new->cycles[now].entries > 1)
      sr_hint_loosen(w->m, label);
  }
}

/* ---- paths ---- */

static uint32_t leave(const void *user, uint32_t b, uint32_t k, uint32_t *edge) {
  const Writer *w = user;
  uint32_t slot = flow_at(w, w->new_of[b])->slot + k;
  *edge = w->edge_of[slot];
  return w->place[w->flow->slot.at[slot].to];
}

static uint32_t step(const void *user, uint32_t at, uint32_t target) {
  const Writer *w = user;
  uint32_t slot = sr_flow_step(flow_at(w, at), w->rank[target]);
  return w->place[w->flow->slot.at[slot].to];
}

static uint32_t place_of(const Writer *w, uint32_t flow_block) {
  return flow_block == SR_NONE ? SR_NONE : w->place[flow_block];
}

/* Collects the loops that the lanes' paths depend on. */
static void make_structured_paths(Writer *w) {
  uint32_t *loop = SR_NEW_RAW(&w->arena, uint32_t, w->f->block_count);
  SrLoopBlocks *loops = SR_NEW_RAW(&w->arena, SrLoopBlocks, w->nest->cycle_count);
  bool ends = false;
  for (uint32_t b = 0; b < w->f->block_count; b++) {
    const SrFlowBlock *f = flow_at(w, b);
    loop[b] = f->loop;
    if (f->cycle == SR_NONE)
      continue;
    loops[f->cycle] =
        (SrLoopBlocks){b, place_of(w, f->cont), place_of(w, f->merge), place_of(w, f->end)};
    ends |= f->end != SR_NONE;
  }
  w->paths = (SrSsaPaths){.graph = w->graph,
                          .dom = w->ssa.dom,
                          .nest = w->nest,
                          .new_of = w->new_of,
                          .old_of = w->old_of,
                          .loop = loop,
                          .loops = loops,
                          .ends = ends,
                          .step = step,
                          .user = w};
  sr_ssa_paths_init(&w->paths, &w->arena);
}

static void make_paths(Writer *w) {
  if (w->nest) {
    make_structured_paths(w);
    return;
  }
  w->names = (SrFlowNames){.flow = w->flow,
                           .graph = w->graph,
                           .dom = w->ssa.dom,
                           .place = w->place,
                           .new_of = w->new_of,
                           .rank = w->rank};
  sr_flow_names_init(&w->names, &w->arena);
  w->paths = sr_flow_names_paths(&w->names);
  w->tests = sr_flow_choice_build(&w->arena, &w->names.paths);
}

/* ---- the selector ---- */

static bool both_to_one(const Writer *w, uint32_t b) {
  return flow_at(w, b)->slot_count == 2 && slot_at(w, b, 0)->to == slot_at(w, b, 1)->to;
}

/* Is the selector read after this slot? */
static bool needs_sel(const Writer *w, const SrSlot *slot) {
  return w->nest || sr_flow_choice_needs_sel(&w->tests, slot);
}

static bool selects(const Writer *w, uint32_t b) {
  return w->old_of[b] != SR_NONE && both_to_one(w, b) && needs_sel(w, slot_at(w, b, 0)) &&
         slot_at(w, b, 0)->set != SR_NONE && slot_at(w, b, 1)->set != SR_NONE;
}

/* Gives each branch whose edges both lead to one block, for different targets, an OpSelect of
 * sel. */
static void name_selects(Writer *w) {
  w->select = SR_NEW(&w->arena, uint32_t, w->f->block_count);
  w->selects = SR_NEW_RAW(&w->arena, uint32_t, w->f->block_count);
  w->first_select = w->m->header[3];
  for (uint32_t b = 0; b < w->f->block_count; b++) {
    if (!selects(w, b))
      continue;
    w->select[b] = sr_fresh_id(w->m);
    w->m->home[w->select[b]] = b;
    assert(w->select[b] == w->first_select + w->select_count);
    w->selects[w->select_count++] = b;
  }
}

/* Makes those of these instructions that the blocks in `tests`, which compare the selector,
 * need. */
static void make_selects(Writer *w, const uint32_t *tests, uint32_t count) {
  SrModule *m = w->m;
  SrBits *used = sr_bits_new(&w->arena, w->select_count);
  sr_ssa_find_used(&w->ssa, tests, count, (SrIdRange){w->first_select, w->select_count}, used);
  for (uint32_t i = 0; i < w->select_count; i++) {
    if (!sr_bit(used, i))
      continue;
    uint32_t b = w->selects[i], holds = slot_at(w, b, 0)->set, fails = slot_at(w, b, 1)->set;
    SrRef end = sr_terminator(&w->f->blocks[b]);
    uint32_t type = sr_type_u32(m), yes = sr_const_u32(m, holds), no = sr_const_u32(m, fails);
    uint32_t condition = sr_words(m, end)[1];
    sr_begin(m, SpvOpSelect, type, w->select[b]);
    sr_put_id(m, condition);
    sr_put_id(m, yes);
    sr_put_id(m, no);
    sr_insert_before(m, &w->f->blocks[b].list, end, sr_end(m));
    w->counts->added_instructions++;
  }
}

/* Sets the selector, as a variable, on all edges; where an edge does not set it, added blocks pass
 * it on, and user blocks leave it undefined. */
static void set_selector(Writer *w) {
  sr_ssa_begin(&w->ssa);
  for (uint32_t b = 0; b < w->f->block_count; b++) {
    const SrFlowBlock *f = flow_at(w, b);
    for (uint32_t i = 0; i < f->slot_count; i++) {
      uint32_t edge = w->edge_of[f->slot + i], rank = slot_at(w, b, i)->set;
      if (!needs_sel(w, slot_at(w, b, i)))
        continue;
      if (w->select[b])
        sr_ssa_set(&w->ssa, edge, w->select[b]);
      else if (rank != SR_NONE)
        sr_ssa_set(&w->ssa, edge, sr_const_u32(w->m, rank));
      else if (f->role != SR_ROLE_USER)
        sr_ssa_set(&w->ssa, edge, SR_VALUE_AT(b));
    }
  }
}

/* ---- tests that need no selector ---- */

static bool is_known(const Writer *w, uint32_t b) {
  return !w->nest && sr_bit(w->tests.known, w->flow->order[b]);
}

static bool is_inverted(const Writer *w, uint32_t b) {
  return is_known(w, b) ? sr_bit(w->tests.inverted, w->flow->order[b]) : sr_bit(w->inverted, b);
}

static uint32_t add_not(Writer *w, uint32_t b, uint32_t condition) {
  SrModule *m = w->m;
  SrList *list = &w->f->blocks[b].list;
  uint32_t type = sr_type_bool(m), id = sr_fresh_id(m);
  sr_begin(m, SpvOpLogicalNot, type, id);
  sr_put_id(m, condition);
  sr_insert_before(m, list, list->last, sr_end(m));
  m->home[id] = b;
  w->counts->added_instructions++;
  return id;
}

/* The condition of block b for lanes that come from block `from`. */
static uint32_t known_on_edge(Writer *w, uint32_t from, uint32_t b) {
  SrFlowMatch match = sr_flow_choice_match(&w->tests, w->flow->order[from], w->flow->order[b]);
  if (match == SR_MATCH_NO || match == SR_MATCH_YES)
    return sr_const_bool(w->m, (match == SR_MATCH_YES) != is_inverted(w, b));
  uint32_t condition = sr_words(w->m, sr_terminator(&w->f->blocks[from]))[1];
  return (match == SR_MATCH_IF) != is_inverted(w, b) ? condition : add_not(w, from, condition);
}

static uint32_t make_known(Writer *w, uint32_t b) {
  SrModule *m = w->m;
  SrMark mark = sr_arena_mark(&w->arena);
  uint32_t n = sr_pred_count(w->graph, b), type = sr_type_bool(m), id = sr_fresh_id(m);
  uint32_t *value = SR_NEW_RAW(&w->arena, uint32_t, n), k = 0;
  for (SR_PREDS(from, w->graph, b))
    value[k++] = known_on_edge(w, *from, b);
  sr_begin(m, SpvOpPhi, type, id);
  k = 0;
  for (SR_PREDS(from, w->graph, b)) {
    sr_put_id(m, value[k++]);
    sr_put_id(m, w->f->blocks[*from].id);
  }
  SrList *list = &w->f->blocks[b].list;
  sr_insert_before(m, list, sr_inst(m, w->f->blocks[b].label)->next, sr_end(m));
  m->home[id] = b;
  w->ssa.added_phis++;
  sr_arena_reset(&w->arena, mark);
  return id;
}

/* ---- tests, branches, merges ---- */

static uint32_t add_binary(Writer *w, uint32_t b, SpvOp op, uint32_t type, uint32_t x, uint32_t y) {
  SrModule *m = w->m;
  uint32_t id = sr_fresh_id(m);
  sr_begin(m, op, type, id);
  sr_put_id(m, x);
  sr_put_id(m, y);
  sr_append(m, &w->f->blocks[b].list, sr_end(m));
  m->home[id] = b;
  w->counts->added_instructions++;
  return id;
}

/* The boolean of an added block's test. */
static uint32_t add_test(Writer *w, uint32_t b) {
  SrModule *m = w->m;
  const SrFlowBlock *f = flow_at(w, b);
  if (w->test[b])
    return w->test[b];
  uint32_t u32 = sr_type_u32(m), boolean = sr_type_bool(m), low = sr_const_u32(m, f->low);
  uint32_t sel = sr_ssa_id(&w->ssa, b, u32);
  switch (f->test) {
  case SR_TEST_LE:
    return add_binary(w, b, SpvOpULessThanEqual, boolean, sel, low);
  case SR_TEST_GE:
    return add_binary(w, b, SpvOpUGreaterThanEqual, boolean, sel, low);
  case SR_TEST_EQ:
    return add_binary(w, b, SpvOpIEqual, boolean, sel, low);
  default: { /* outside: a value below `low` wraps around to a large number */
    uint32_t width = sr_const_u32(m, f->high - f->low);
    uint32_t distance = add_binary(w, b, SpvOpISub, u32, sel, low);
    return add_binary(w, b, SpvOpUGreaterThan, boolean, distance, width);
  }
  }
}

static SrRef make_merge(Writer *w, uint32_t b) {
  SrModule *m = w->m;
  const SrFlowBlock *f = flow_at(w, b);
  bool loop = f->merge_kind == SR_MERGE_LOOP;
  SrLoopHint hint = {SR_NONE, true};
  if (loop && w->loop_hint)
    hint = w->loop_hint[f->cycle];
  else if (!loop && f->user != SR_NONE)
    hint.merge = sr_hint_of(m, w->f->blocks[b].id, SpvOpSelectionMerge);
  sr_begin(m, loop ? SpvOpLoopMerge : SpvOpSelectionMerge, 0, 0);
  sr_put_id(m, target_id(w, f->merge));
  if (loop)
    sr_put_id(m, target_id(w, f->cont));
  sr_hint_put(m, hint.merge, hint.promises);
  return sr_end(m);
}

static SrRef make_branch(Writer *w, uint32_t target) {
  sr_begin(w->m, SpvOpBranch, 0, 0);
  sr_put_id(w->m, target_id(w, target));
  return sr_end(w->m);
}

/* An OpSwitch of two arms: one literal leads to slot `other`, any other number to the other slot.
 */
static SrRef make_two_way_switch(Writer *w, uint32_t b, uint32_t number, uint32_t literal,
                                 uint32_t other) {
  sr_begin(w->m, SpvOpSwitch, 0, 0);
  sr_put_id(w->m, number);
  sr_put_id(w->m, target_id(w, slot_at(w, b, 1 - other)->to));
  sr_put_literal(w->m, literal);
  sr_put_id(w->m, target_id(w, slot_at(w, b, other)->to));
  return sr_end(w->m);
}

/* An OpSwitch that all lanes leave by default. */
static SrRef make_one_arm_switch(Writer *w, uint32_t b) {
  uint32_t zero = sr_const_u32(w->m, 0);
  sr_begin(w->m, SpvOpSwitch, 0, 0);
  sr_put_id(w->m, zero);
  sr_put_id(w->m, target_id(w, slot_at(w, b, 0)->to));
  return sr_end(w->m);
}

static SrRef make_added_end(Writer *w, uint32_t b, uint32_t test) {
  SrModule *m = w->m;
  const SrFlowBlock *f = flow_at(w, b);
  if (f->slot_count == 0) {
    sr_begin(m, SpvOpUnreachable, 0, 0);
    return sr_end(m);
  }
  if (!test)
    return make_branch(w, slot_at(w, b, 0)->to);
  sr_begin(m, SpvOpBranchConditional, 0, 0);
  bool inverted = is_inverted(w, b);
  sr_put_id(m, test);
  sr_put_id(m, target_id(w, slot_at(w, b, inverted)->to));
  sr_put_id(m, target_id(w, slot_at(w, b, !inverted)->to));
  return sr_end(m);
}

static void end_added(Writer *w, uint32_t b) {
  SrModule *m = w->m;
  SrList *list = &w->f->blocks[b].list;
  const SrFlowBlock *f = flow_at(w, b);
  bool tests = f->test != SR_TEST_NONE && !both_to_one(w, b) && !f->small_switch;
  uint32_t test = tests ? add_test(w, b) : 0;
  if (f->merge_kind != SR_MERGE_NONE)
    sr_append(m, list, make_merge(w, b));
  if (f->small_switch && f->slot_count == 1)
    sr_append(m, list, make_one_arm_switch(w, b));
  else if (f->small_switch)
    sr_append(m, list,
              make_two_way_switch(w, b, sr_ssa_id(&w->ssa, b, sr_type_u32(m)), f->literal,
                                  f->literal_slot));
  else
    sr_append(m, list, make_added_end(w, b, test));
  w->counts->added_instructions++;
  w->counts->added_blocks++;
  w->counts->dispatch_blocks += f->role == SR_ROLE_HEADER && w->nest->cycles[f->cycle].entries > 1;
  w->counts->flow_blocks += f->role == SR_ROLE_GUARD || f->role == SR_ROLE_MERGE;
}

/* ---- user blocks' terminators ---- */

/* One case of an OpSwitch: its literal's words and its slot. */
typedef struct Case {
  uint32_t literal[2], slot, arm, place;
} Case;

static int by_arm(const void *a, const void *b) {
  const Case *x = a, *y = b;
  if (x->arm != y->arm)
    return x->arm < y->arm ? -1 : 1;
  return (x->place > y->place) - (x->place < y->place);
}

/* Gives an OpSwitch its new targets, cases in the order of their arms: SPIR-V requires an arm that
 * falls through to another to come directly before it. */
static void retarget_switch(Writer *w, uint32_t b, SrRef end) {
  SrModule *m = w->m;
  uint32_t *words = sr_words(m, end), count = words[0] >> 16, n = 0;
  SrMark mark = sr_arena_mark(&w->arena);
  Case *cases = SR_NEW(&w->arena, Case, count);
  uint32_t first = sr_next_target(m, end, 0), before = first;
  for (uint32_t i = first; (i = sr_next_target(m, end, i)); before = i) {
    Case *c = &cases[n];
    for (uint32_t k = before + 1; k < i; k++)
      c->literal[k - before - 1] = words[k];
    c->slot = w->slot_of[sr_block_of(m, words[i])];
    c->arm = slot_at(w, b, c->slot)->arm;
    c->place = n++;
  }
  sr_sort(&w->arena, cases, n, sizeof *cases, by_arm);
  n = 0;
  before = first;
  for (uint32_t i = first; (i = sr_next_target(m, end, i)); before = i, n++) {
    for (uint32_t k = before + 1; k < i; k++)
      words[k] = cases[n].literal[k - before - 1];
    words[i] = target_id(w, slot_at(w, b, cases[n].slot)->to);
  }
  words[first] = target_id(w, slot_at(w, b, w->slot_of[sr_block_of(m, words[first])])->to);
  sr_arena_reset(&w->arena, mark);
}

/* The slot by which user block b goes to the block with that label in the input. */
static uint32_t slot_of_target(const Writer *w, uint32_t b, uint32_t label) {
  uint32_t old = w->old_of[b], slot = 0;
  while (w->new_of[w->old->succ[w->old->succ_at[old] + slot]] != sr_block_of(w->m, label))
    slot++;
  return slot;
}

static void retarget(Writer *w, uint32_t b, SrRef end) {
  SrModule *m = w->m;
  uint32_t old = w->old_of[b];
  for (uint32_t i = 0; i < sr_succ_count(w->old, old); i++)
    w->slot_of[w->new_of[w->old->succ[w->old->succ_at[old] + i]]] = i;
  if (sr_inst(m, end)->op == SpvOpSwitch) {
    retarget_switch(w, b, end);
    return;
  }
  for (uint32_t i = 0; (i = sr_next_target(m, end, i));) {
    uint32_t slot = w->slot_of[sr_block_of(m, sr_words(m, end)[i])];
    sr_words(m, end)[i] = target_id(w, slot_at(w, b, slot)->to);
  }
}

/* Replaces the user's conditional branch. An edge to the merge is default's (see
 * split_edges_to_cases in sweep_select.c). */
static SrRef end_with_switch(Writer *w, uint32_t b, SrRef end) {
  SrModule *m = w->m;
  SrList *list = &w->f->blocks[b].list;
  uint32_t condition = sr_words(m, end)[1], type = sr_type_u32(m), number = sr_fresh_id(m);
  uint32_t one = sr_const_u32(m, 1), zero = sr_const_u32(m, 0);
  uint32_t holds = slot_of_target(w, b, sr_words(m, end)[2]);
  bool literal = slot_at(w, b, holds)->to != flow_at(w, b)->merge;
  sr_remove(m, list, end);
  sr_begin(m, SpvOpSelect, type, number);
  sr_put_id(m, condition);
  sr_put_id(m, one);
  sr_put_id(m, zero);
  sr_append(m, list, sr_end(m));
  m->home[number] = b;
  w->counts->added_instructions++;
  SrRef made = make_two_way_switch(w, b, number, literal, literal ? holds : 1 - holds);
  sr_append(m, list, made);
  return made;
}

static void end_user(Writer *w, uint32_t b) {
  SrModule *m = w->m;
  const SrFlowBlock *f = flow_at(w, b);
  SrList *list = &w->f->blocks[b].list;
  SrRef end = list->last;
  if (f->slot_count == 0)
    return;
  if (sr_inst(m, end)->op != SpvOpBranch && (f->slot_count == 1 || both_to_one(w, b))) {
    sr_remove(m, list, end);
    end = make_branch(w, slot_at(w, b, 0)->to);
    sr_append(m, list, end);
  } else if (f->small_switch) {
    end = end_with_switch(w, b, end);
  } else {
    retarget(w, b, end);
  }
  if (f->merge_kind != SR_MERGE_NONE)
    sr_insert_before(m, list, end, make_merge(w, b));
}

static void end_blocks(Writer *w) {
  w->slot_of = SR_NEW_RAW(&w->arena, uint32_t, w->f->block_count);
  for (uint32_t b = 0; b < w->f->block_count; b++)
    if (w->old_of[b] == SR_NONE)
      end_added(w, b);
    else
      end_user(w, b);
}

/* ---- all of it ---- */

/* The test of an added block, for lanes whose selector is a constant or an OpSelect of two
 * constants. */
typedef struct Outcomes {
  Writer *w;
  uint32_t b;       /* the block */
  uint32_t like[2]; /* OpSelects whose condition is the opposite of the test, or is the test */
} Outcomes;

static bool holds_for(const Outcomes *o, uint32_t rank) {
  const SrFlowBlock *f = flow_at(o->w, o->b);
  return sr_flow_step(f, rank) == f->slot;
}

/* The block whose OpSelect has this id, or SR_NONE. */
static uint32_t selecting(const Writer *w, uint32_t id) {
  return id >= w->first_select && id - w->first_select < w->select_count
             ? w->selects[id - w->first_select]
             : SR_NONE;
}

static bool is_outcome_known(void *user, uint32_t id) {
  Outcomes *o = user;
  uint32_t b = selecting(o->w, id);
  if (b == SR_NONE)
    return sr_def_op(o->w->m, id) == SpvOpConstant;
  bool holds = holds_for(o, slot_at(o->w, b, 0)->set);
  if (holds != holds_for(o, slot_at(o->w, b, 1)->set))
    o->like[holds]++;
  return true;
}

static uint32_t outcome(void *user, uint32_t id) {
  Outcomes *o = user;
  Writer *w = o->w;
  uint32_t b = selecting(w, id);
  bool inverted = o->like[0] > o->like[1];
  if (b == SR_NONE)
    return sr_const_bool(w->m, holds_for(o, sr_words(w->m, sr_def(w->m, id))[3]) != inverted);
  bool holds = holds_for(o, slot_at(w, b, 0)->set) != inverted;
  if (holds == (holds_for(o, slot_at(w, b, 1)->set) != inverted))
    return sr_const_bool(w->m, holds);
  if (holds)
    return sr_words(w->m, sr_terminator(&w->f->blocks[b]))[1];
  if (!w->negation[b])
    w->negation[b] = add_not(w, b, sr_words(w->m, sr_terminator(&w->f->blocks[b]))[1]);
  return w->negation[b];
}

/* Replaces comparisons by phis of booleans. Moves the tests that remain to the front, and returns
 * their number. */
static uint32_t make_tests(Writer *w, uint32_t *tests, uint32_t count) {
  uint32_t rest = 0;
  sr_ssa_note_users(&w->ssa, tests, count);
  for (uint32_t i = 0; i < count; i++) {
    uint32_t b = tests[i];
    Outcomes o = {.w = w, .b = b};
    SrSsaTest test = {is_outcome_known, outcome, &o};
    if (!flow_at(w, b)->small_switch)
      w->test[b] = sr_ssa_make_test(&w->ssa, b, &test);
    if (!w->test[b])
      tests[rest++] = b;
    else if (o.like[0] > o.like[1])
      sr_bit_set(w->inverted, b);
  }
  return rest;
}

static void solve_selector(Writer *w) {
  SR_VEC(uint32_t) tests = {0};
  w->test = SR_NEW(&w->arena, uint32_t, w->f->block_count);
  w->negation = SR_NEW(&w->arena, uint32_t, w->f->block_count);
  w->inverted = sr_bits_new(&w->arena, w->f->block_count);
  for (uint32_t b = 0; b < w->f->block_count; b++)
    if (is_known(w, b))
      w->test[b] = make_known(w, b);
    else if (flow_at(w, b)->test != SR_TEST_NONE)
      SR_PUSH(&w->arena, &tests, b);
  if (!tests.count)
    return;
  name_selects(w);
  set_selector(w);
  sr_ssa_solve(&w->ssa, tests.at, tests.count);
  tests.count = make_tests(w, tests.at, tests.count);
  sr_ssa_want(&w->ssa, tests.at, tests.count);
  make_selects(w, tests.at, tests.count);
  sr_ssa_make_phis(&w->ssa, sr_type_u32(w->m), (SrKept){0});
  w->counts->selectors++;
}

static SrStatus rewrite(Writer *w) {
  take_out_merges(w);
  lay_out(w);
  make_graph(w);
  name_edges(w);
  if (w->old_nest)
    pass_hints_on(w);
  w->ssa = (SrSsa){.m = w->m,
                   .f = w->f,
                   .graph = w->graph,
                   .dom = sr_dom_build(&w->arena, w->graph, 0),
                   .arena = &w->arena};
  sr_ssa_init(&w->ssa);
  make_paths(w);
  SrSsaRepair repair = {.ssa = &w->ssa,
                        .old = w->old,
                        .new_of = w->new_of,
                        .old_of = w->old_of,
                        .paths = &w->paths,
                        .leave = leave,
                        .user = w};
  SR_CHECK(sr_ssa_repair(&repair));
  solve_selector(w);
  end_blocks(w);
  w->counts->added_instructions += repair.rematerialized;
  w->counts->added_phis += w->ssa.added_phis;
  return SR_OK;
}

SrBits *sr_flow_switches(SrArena *arena, const SrModule *m, const SrFunction *f, const SrGraph *g) {
  SrBits *set = sr_bits_new(arena, f->block_count);
  for (uint32_t b = 0; b < f->block_count; b++)
    if (sr_inst(m, sr_terminator(&f->blocks[b]))->op == SpvOpSwitch && sr_succ_count(g, b) > 1)
      sr_bit_set(set, b);
  return set;
}

SrStatus sr_flow_write(SrModule *m, SrFunction *f, const SrFlowProgram *p,
                       SrTransformCounts *counts) {
  Writer w = {.m = m,
              .f = f,
              .arena = sr_arena_new(m->arena->heap),
              .counts = counts,
              .old = p->old,
              .nest = p->nest,
              .rank = p->rank,
              .flow = p->flow};
  SrStatus status = rewrite(&w);
  sr_arena_free(&w.arena);
  return status;
}
