/* SPDX-License-Identifier: Apache-2.0 */
/* bound_loops: see bound_loops.h.
 *
 * A counter of the lane's iterations is 0 where the lane enters the loop. The block at the loop's
 * end increments it. Once the counter has reached the bound N, the lane leaves there instead of
 * going back to the header H:
 *
 *   L: branch c ? H : X     =>   L: n1 = n + 1; d = n < N && c; branch d ? H : X
 *   L: branch H             =>   L: branch B
 *                                B: n1 = n + 1; d = n < N; branch d ? H : X
 *
 * The first form needs no new edge: the loop may be left there anyway. In the second, X is
 *   - the merge block, if the loop declares one. B is then the last block of the loop's continue
 *     construct, which may leave the loop, so the structure remains valid
 *   - else the target of an edge out of the loop, one that leaves the fewest loops
 *   - else, or if X only ends in OpKill or OpUnreachable, a return from the function
 * Cycles with several entries are treated in the same way: a lane that stays in a cycle takes back
 * edges of it, or of a cycle inside it, again and again (cycle.h).
 *
 * If the caller asks for it (bound_record.h), lanes that leave early record themselves in a block R
 * before the last branch, which is then in a block of its own:
 *
 *   L: n1 = n + 1; r = c && n >= N; branch r ? R : L'   R: record; branch L'   L': branch d ? H : X
 *   B: n1 = n + 1; d = n < N; branch d ? B' : R         R: record; branch B'   B': branch d ? H : X
 *
 *   1. count the back edges, inner cycles first: an edge out of an inner cycle may be a back edge of
 *      the outer one
 *   2. give the phis of H and X their new operands
 *   3. counters and lost values (bound_values.h) */
#include "passes/transform/bound/bound_loops.h"

#include "passes/base/map.h"
#include "passes/ir/constants.h"
#include "passes/ir/edit.h"
#include "passes/transform/block_order.h"
#include "passes/transform/bound/bound_record.h"
#include "passes/transform/bound/bound_values.h"

/* An edge from an added block. */
typedef struct Joined {
  uint32_t to, from, was; /* labels; `was`: the old source of the edge; 0: none */
  uint32_t next;          /* another edge to `to`, in `joined`; SR_NONE: none */
} Joined;

typedef struct Added {
  SrBlock block;
  uint32_t after; /* the old block that it follows */
  uint32_t exit;  /* its edge out of the loop, in `joined`; SR_NONE: none */
} Added;

typedef struct Bound {
  SrArena *arena;
  SrModule *m;
  SrFunction *f;
  SrTransformCounts *counts;
  const SrGraph *graph;
  const SrNest *nest;
  uint32_t most; /* id of the bound */
  SrBoundEdges edges;
  SR_VEC(Added) added;
  SR_VEC(Joined) joined;
  SrMap added_of; /* by label: index in `added` */
  SrMap
      first_to; /* by label: the last edge to it in `joined`, with which the list of these begins */
  uint32_t give_up;     /* label of the block that returns; 0: there is none yet */
  SrRecorder *recorder; /* NULL: lanes that leave early are not recorded */
  SrMap end_of;    /* by label: the label of the added block that has the old one's branch now */
  uint32_t asked;  /* the cycle of which the caller was told last */
  uint64_t record; /* the address that it returned */
} Bound;

/* The added block with this label; NULL: it is the label of an old block. */
static Added *added_block(Bound *k, uint32_t label) {
  uint32_t i = sr_map_get(&k->added_of, label);
  return i == SR_NONE ? NULL : &k->added.at[i];
}

static SrBlock *block_labelled(Bound *k, uint32_t label) {
  Added *a = added_block(k, label);
  return a ? &a->block : &k->f->blocks[sr_block_of(k->m, label)];
}

/* The old block with this label. For an added block, the old block that it follows. */
static uint32_t old_block(Bound *k, uint32_t label) {
  const Added *a = added_block(k, label);
  return a ? a->after : sr_block_of(k->m, label);
}

/* Records an edge; returns its index. */
static uint32_t join(Bound *k, uint32_t to, uint32_t from, uint32_t was) {
  SR_PUSH(k->arena, &k->joined, (Joined){to, from, was, sr_map_get(&k->first_to, to)});
  sr_map_set(&k->first_to, to, k->joined.count - 1);
  return k->joined.count - 1;
}

/* ---- the graph ---- */

typedef struct Live {
  SrBits *seen;
  SR_VEC(uint32_t)
  work, headers; /* headers: loop headers whose merge block is still to be reached */
} Live;

static void reach(Bound *k, Live *live, uint32_t block) {
  if (sr_bit(live->seen, block))
    return;
  sr_bit_set(live->seen, block);
  SR_PUSH(k->arena, &live->work, block);
}

/* The merge block that a loop header declares, or SR_NONE. */
static uint32_t loop_merge(const Bound *k, uint32_t block) {
  SrRef merge = sr_merge_inst(k->m, &k->f->blocks[block]);
  if (merge == SR_NONE || sr_inst(k->m, merge)->op != SpvOpLoopMerge)
    return SR_NONE;
  return sr_block_of(k->m, sr_words(k->m, merge)[1]);
}

static void reach_all(Bound *k, Live *live) {
  while (live->work.count) {
    uint32_t b = SR_POP(&live->work);
    if (loop_merge(k, b) != SR_NONE)
      SR_PUSH(k->arena, &live->headers, b);
    for (SR_SUCCS(t, k->graph, b))
      reach(k, live, *t);
  }
}

/* The merge block of a loop without an exit becomes reachable now, and what follows it may be in a
 * loop. Adds edges from the headers of such loops. */
static void add_merge_edges(Bound *k) {
  Live live = {.seen = sr_bits_new(k->arena, k->graph->count)};
  SR_VEC(SrEdge) edges = {0};
  for (uint32_t b = 0; b < k->graph->count; b++)
    for (SR_SUCCS(t, k->graph, b))
      SR_PUSH(k->arena, &edges, (SrEdge){b, *t});
  uint32_t before = edges.count;
  reach(k, &live, 0);
  reach_all(k, &live);
  while (live.headers.count) { /* each header once */
    uint32_t header = SR_POP(&live.headers), merge = loop_merge(k, header);
    if (sr_bit(live.seen, merge))
      continue;
    SR_PUSH(k->arena, &edges, (SrEdge){header, merge});
    reach(k, &live, merge);
    reach_all(k, &live);
  }
  if (edges.count > before)
    k->graph = sr_graph_new(k->arena, k->graph->count, edges.at, edges.count);
}

/* ---- instructions ---- */

static SrRef made(Bound *k) {
  k->counts->added_instructions++;
  return sr_end(k->m);
}

/* Makes n1 and the test of n, before `where` (SR_NONE: at the list's end); returns the test's id. */
static uint32_t count_here(Bound *k, SrList *list, SrRef where, SpvOp test, SrBoundEdge edge) {
  SrModule *m = k->m;
  uint32_t one = sr_const_u32(m, 1), zero = sr_const_u32(m, 0), type = sr_type_u32(m);
  sr_begin(m, SpvOpIAdd, type, sr_fresh_id(m));
  sr_put_id(m, zero);
  sr_put_id(m, one);
  edge.add = made(k);
  sr_insert_before(m, list, where, edge.add);
  type = sr_type_bool(m);
  sr_begin(m, test, type, sr_fresh_id(m));
  sr_put_id(m, zero);
  sr_put_id(m, k->most);
  edge.test = made(k);
  sr_insert_before(m, list, where, edge.test);
  SR_PUSH(k->arena, &k->edges, edge);
  return sr_inst(m, edge.test)->result;
}

static Added *new_block(Bound *k, uint32_t after) {
  SR_PUSH(k->arena, &k->added, (Added){sr_new_block(k->m), after, SR_NONE});
  Added *a = &k->added.at[k->added.count - 1];
  sr_map_set(&k->added_of, a->block.id, k->added.count - 1);
  k->counts->added_blocks++;
  return a;
}

/* Redirects all branches of a block from one label to another. */
static void retarget(const SrModule *m, SrRef end, uint32_t label, uint32_t to) {
  for (uint32_t i = 0; (i = sr_next_target(m, end, i));)
    if (sr_words(m, end)[i] == label)
      sr_words(m, end)[i] = to;
}

/* ---- where lanes leave ---- */

static void append_return(Bound *k, SrList *list) {
  SrModule *m = k->m;
  uint32_t type = sr_inst(m, k->f->head.first)->type;
  for (SR_EACH(m, r, k->f->head))
    if (sr_inst(m, r)->op == SpvOpFunction)
      type = sr_inst(m, r)->type;
  bool value = sr_def_op(m, type) != SpvOpTypeVoid;
  uint32_t id = value ? sr_bound_zero(m, type) : 0;
  sr_begin(m, value ? SpvOpReturnValue : SpvOpReturn, 0, 0);
  if (value)
    sr_put_id(m, id);
  sr_append(m, list, made(k));
}

static uint32_t give_up(Bound *k, uint32_t after) {
  if (!k->give_up) {
    Added *a = new_block(k, after);
    append_return(k, &a->block.list);
    k->give_up = a->block.id;
  }
  return k->give_up;
}

/* Does the block end the invocation, or may no lane reach its end? */
static bool is_dead_end(const Bound *k, uint32_t block) {
  SpvOp op = (SpvOp)sr_inst(k->m, sr_terminator(&k->f->blocks[block]))->op;
  return sr_is_leaf(op) && op != SpvOpReturn && op != SpvOpReturnValue;
}

/* The depth of the cycle in which an edge out of a cycle ends. An edge to the header of an outer
 * cycle begins its next iteration, so an edge to another block of that cycle is preferred. */
static uint32_t depth_at(const Bound *k, uint32_t block) {
  uint32_t cycle = k->nest->inner[block];
  if (cycle == SR_NONE)
    return 1;
  return 2 * k->nest->cycles[cycle].depth + (k->nest->cycles[cycle].header != block);
}

/* The target of an edge out of the cycle that leaves the fewest cycles; SR_NONE: there is none. */
static uint32_t find_exit(const Bound *k, uint32_t cycle) {
  const SrCycle *c = &k->nest->cycles[cycle];
  uint32_t best = SR_NONE;
  for (uint32_t r = c->first; r <= c->last; r++)
    for (SR_SUCCS(t, k->graph, k->nest->order[r]))
      if (!sr_cycle_has(k->nest, cycle, *t) && !is_dead_end(k, *t) &&
          (best == SR_NONE || depth_at(k, *t) > depth_at(k, best)))
        best = *t;
  return best;
}

/* The merge block that the cycle declares; SR_NONE: none, or it is in the cycle. */
static uint32_t declared_exit(const Bound *k, uint32_t cycle) {
  uint32_t block = loop_merge(k, k->nest->cycles[cycle].header);
  return block == SR_NONE || sr_cycle_has(k->nest, cycle, block) ? SR_NONE : block;
}

/* An OpUnreachable becomes a return. */
static void return_at_end(Bound *k, SrBlock *b) {
  SrRef end = sr_terminator(b);
  if (sr_inst(k->m, end)->op != SpvOpUnreachable)
    return;
  sr_remove(k->m, &b->list, end);
  append_return(k, &b->list);
}

/* The label of the block to which lanes leave the cycle; `after`: where an added block may be put. */
static uint32_t exit_of(Bound *k, uint32_t cycle, uint32_t after) {
  uint32_t exit = declared_exit(k, cycle);
  if (exit == SR_NONE)
    exit = find_exit(k, cycle);
  if (exit == SR_NONE)
    return give_up(k, after);
  return_at_end(k, &k->f->blocks[exit]);
  return k->f->blocks[exit].id;
}

/* ---- back edges ---- */

/* An edge to the label now comes from `to` instead of `from`. */
static void move_edge(Bound *k, uint32_t label, uint32_t from, uint32_t to) {
  const Added *a = added_block(k, from);
  if (a)
    k->joined.at[a->exit].from = to;
  else
    join(k, label, to, from);
}

/* If the header was its own continue target, makes block `to` the continue target. */
static void move_continue_target(Bound *k, const SrBlock *header, uint32_t to) {
  SrRef merge = sr_merge_inst(k->m, header);
  if (merge != SR_NONE && sr_inst(k->m, merge)->op == SpvOpLoopMerge &&
      sr_words(k->m, merge)[2] == header->id)
    sr_words(k->m, merge)[2] = to;
}

/* The address of the cycle's record; 0: there is none. */
static uint64_t record_of(Bound *k, uint32_t cycle) {
  const SrCycle *c = &k->nest->cycles[cycle];
  if (k->recorder && k->asked != cycle) {
    k->asked = cycle;
    k->record =
        sr_recorder_ask(k->recorder, k->f, &k->nest->order[c->first], c->last - c->first + 1);
  }
  return k->recorder ? k->record : 0;
}

/* Ends a block by a branch to a block where lanes record themselves if the condition is `recorded`;
 * both lead to a new block, whose label is returned. */
static uint32_t put_record(Bound *k, uint32_t cycle, uint32_t label, uint32_t condition,
                           bool recorded, uint32_t after) {
  SrModule *m = k->m;
  uint32_t tells = new_block(k, after)->block.id, last = new_block(k, after)->block.id;
  SrList *list = &block_labelled(k, label)->list;
  if (declared_exit(k, cycle) != SR_NONE) {
    sr_begin(m, SpvOpSelectionMerge, 0, 0);
    sr_put_id(m, last);
    sr_put_literal(m, SpvSelectionControlMaskNone);
    sr_append(m, list, made(k));
  }
  sr_begin(m, SpvOpBranchConditional, 0, 0);
  sr_put_id(m, condition);
  sr_put_id(m, recorded ? tells : last);
  sr_put_id(m, recorded ? last : tells);
  sr_append(m, list, made(k));
  list = &added_block(k, tells)->block.list;
  sr_record_lane(k->recorder, list, k->record, k->counts);
  sr_begin(m, SpvOpBranch, 0, 0);
  sr_put_id(m, last);
  sr_append(m, list, made(k));
  return last;
}

/* Puts block B on the edge from block `from` to the header. */
static void put_block(Bound *k, uint32_t cycle, uint32_t from, uint32_t after) {
  SrModule *m = k->m;
  const SrBlock *header = &k->f->blocks[k->nest->cycles[cycle].header];
  uint32_t exit = exit_of(k, cycle, after);
  Added *a = new_block(k, after);
  uint32_t first = a->block.id, label = first;
  const SrBoundEdge edge = {.cycle = cycle, .header = header->id, .counts = first};
  uint32_t more = count_here(k, &a->block.list, SR_NONE, SpvOpULessThan, edge);
  if (record_of(k, cycle))
    label = put_record(k, cycle, first, more, false, after);
  k->edges.at[k->edges.count - 1].label = label;
  sr_begin(m, SpvOpBranchConditional, 0, 0);
  sr_put_id(m, more);
  sr_put_id(m, header->id);
  sr_put_id(m, exit);
  sr_append(m, &added_block(k, label)->block.list, made(k));
  retarget(m, sr_terminator(block_labelled(k, from)), header->id, first);
  move_edge(k, header->id, from, label);
  if (exit != k->give_up)
    added_block(k, label)->exit = join(k, exit, label, 0);
  move_continue_target(k, header, first);
}

static uint32_t logical(Bound *k, SrList *list, SrRef where, SpvOp op, uint32_t a, uint32_t b) {
  SrModule *m = k->m;
  uint32_t type = sr_type_bool(m), id = sr_fresh_id(m);
  sr_begin(m, op, type, id);
  sr_put_id(m, a);
  if (b)
    sr_put_id(m, b);
  sr_insert_before(m, list, where, made(k));
  return id;
}

/* Cuts off the block's branch to `header` and `other`, before which lanes with `leaves` record
 * themselves. */
static void split_end(Bound *k, uint32_t cycle, uint32_t block, uint32_t leaves, uint32_t header,
                      uint32_t other) {
  SrBlock *b = &k->f->blocks[block];
  SrRef end = sr_terminator(b);
  sr_remove(k->m, &b->list, end);
  uint32_t last = put_record(k, cycle, b->id, leaves, true, block);
  sr_append(k->m, &added_block(k, last)->block.list, end);
  join(k, header, last, b->id);
  added_block(k, last)->exit = join(k, other, last, b->id);
  k->edges.at[k->edges.count - 1].label = last;
  sr_map_set(&k->end_of, b->id, last);
}

/* Counts in the block itself if its branch either repeats the cycle or leaves it. */
static bool count_in_block(Bound *k, uint32_t cycle, uint32_t block) {
  SrModule *m = k->m;
  SrBlock *b = &k->f->blocks[block];
  SrRef end = sr_terminator(b);
  if (sr_inst(m, end)->op != SpvOpBranchConditional)
    return false;
  uint32_t header = k->f->blocks[k->nest->cycles[cycle].header].id;
  uint32_t condition = sr_words(m, end)[1], yes = sr_words(m, end)[2], no = sr_words(m, end)[3];
  uint32_t other = yes == header ? no : yes;
  if (yes == no || sr_cycle_has(k->nest, cycle, old_block(k, other)))
    return false;
  SrRef merge = sr_merge_inst(m, b), where = merge == SR_NONE ? end : merge;
  bool repeats = yes == header, recorded = record_of(k, cycle);
  if (recorded && merge != SR_NONE)
    return false;
  const SrBoundEdge edge = {.cycle = cycle, .header = header, .label = b->id, .counts = b->id};
  uint32_t test =
      count_here(k, &b->list, where, repeats ? SpvOpULessThan : SpvOpUGreaterThanEqual, edge);
  uint32_t both =
      logical(k, &b->list, where, repeats ? SpvOpLogicalAnd : SpvOpLogicalOr, condition, test);
  sr_words(m, end)[1] = both;
  if (recorded) {
    uint32_t not = logical(k, &b->list, where, SpvOpLogicalNot, repeats ? test : condition, 0);
    uint32_t leaves =
        logical(k, &b->list, where, SpvOpLogicalAnd, repeats ? condition : test, not );
    split_end(k, cycle, block, leaves, header, other);
  }
  return true;
}

/* Is the block a switch at the end of a structured loop? It cannot be bounded: no block of the
 * continue construct may follow it, and it cannot become a conditional branch. */
static bool is_left_alone(Bound *k, uint32_t cycle, uint32_t block) {
  SrRef end = sr_terminator(&k->f->blocks[block]);
  if (declared_exit(k, cycle) == SR_NONE || sr_inst(k->m, end)->op != SpvOpSwitch)
    return false;
  uint32_t targets = sr_succ_count(k->graph, block);
  if (targets == 1)
    return false;
  const SrWhere where = {.function = sr_function_name(k->m, k->arena, k->f),
                         .block = k->f->blocks[block].id,
                         .word = SR_NONE};
  sr_notice(k->m->diag, where,
            "bound-loops leaves the loop alone: a switch repeats or leaves it; strip-merges before "
            "bound-loops lets it be bounded");
  return true;
}

static void count_edge(Bound *k, uint32_t cycle, uint32_t block) {
  if (is_left_alone(k, cycle, block))
    return;
  uint32_t label = k->f->blocks[block].id, end = sr_map_get(&k->end_of, label);
  if (end != SR_NONE)
    put_block(k, cycle, end, block);
  else if (!count_in_block(k, cycle, block))
    put_block(k, cycle, label, block);
}

/* Counts in the added blocks from which lanes that leave an inner cycle come to the header. */
static void count_added_edges(Bound *k, uint32_t cycle) {
  uint32_t header = k->f->blocks[k->nest->cycles[cycle].header].id;
  for (uint32_t i = sr_map_get(&k->first_to, header); i != SR_NONE; i = k->joined.at[i].next) {
    const Joined j = k->joined.at[i];
    const Added *a = j.was ? NULL : added_block(k, j.from);
    if (a && sr_cycle_has(k->nest, cycle, a->after))
      put_block(k, cycle, j.from, a->after);
  }
}

static void bound_cycle(Bound *k, uint32_t cycle) {
  uint32_t header = k->nest->cycles[cycle].header;
  count_added_edges(k, cycle);
  for (SR_PREDS(p, k->graph, header))
    if (sr_cycle_has(k->nest, cycle, *p))
      count_edge(k, cycle, *p);
}

/* ---- phis ---- */

/* Adds operands for the new edges. `moved`: by label of an old predecessor, the label of the block
 * that is the predecessor now. */
static void extend_phi(Bound *k, SrBlock *b, SrRef r, const SrMap *moved) {
  SrModule *m = k->m;
  const SrInst phi = *sr_inst(m, r);
  uint32_t zero = sr_bound_zero(m, phi.type);
  sr_begin(m, SpvOpPhi, phi.type, phi.result);
  for (uint32_t i = phi.first; i + 1 < sr_word_count(m, r); i += 2) {
    uint32_t label = sr_words(m, r)[i + 1], now = sr_map_get(moved, label);
    sr_put_id(m, sr_words(m, r)[i]);
    sr_put_id(m, now == SR_NONE ? label : now);
  }
  for (uint32_t i = sr_map_get(&k->first_to, b->id); i != SR_NONE; i = k->joined.at[i].next)
    if (!k->joined.at[i].was) {
      sr_put_id(m, zero);
      sr_put_id(m, k->joined.at[i].from);
    }
  SrRef extended = sr_end(m);
  sr_inst(m, extended)->added = phi.added;
  sr_insert_before(m, &b->list, r, extended);
  sr_remove(m, &b->list, r);
}

static void extend_phis_of(Bound *k, SrBlock *b) {
  SrMap moved = {.arena = k->arena};
  if (!sr_has_phis(k->m, b))
    return;
  for (uint32_t i = sr_map_get(&k->first_to, b->id); i != SR_NONE; i = k->joined.at[i].next)
    if (k->joined.at[i].was)
      sr_map_set(&moved, k->joined.at[i].was, k->joined.at[i].from);
  for (SR_EACH_PHI(k->m, r, b->list))
    extend_phi(k, b, r, &moved);
}

static void extend_phis(Bound *k) {
  SrBits *done = sr_bits_new(k->arena, k->f->block_count);
  for (uint32_t i = 0; i < k->joined.count; i++) {
    uint32_t block = sr_block_of(k->m, k->joined.at[i].to);
    if (!sr_bit(done, block))
      extend_phis_of(k, &k->f->blocks[block]);
    sr_bit_set(done, block);
  }
}

/* ---- blocks ---- */

/* By old block: the first added block that follows it; next[i]: the one after added block i. */
static uint32_t *list_added(Bound *k, uint32_t *next) {
  uint32_t *first = sr_new_none(k->arena, k->f->block_count);
  for (uint32_t i = k->added.count; i-- > 0;) {
    next[i] = first[k->added.at[i].after];
    first[k->added.at[i].after] = i;
  }
  return first;
}

/* Puts the added blocks in their places. Returns the old block, by new block. */
static const uint32_t *place_blocks(Bound *k) {
  SrFunction *f = k->f;
  uint32_t count = f->block_count + k->added.count, before = f->block_count, at = 0;
  SrBlock *blocks = SR_NEW_RAW(k->m->arena, SrBlock, count);
  uint32_t *label_of = SR_NEW_RAW(k->arena, uint32_t, before);
  uint32_t *next = SR_NEW_RAW(k->arena, uint32_t, k->added.count);
  const uint32_t *first = list_added(k, next);
  for (uint32_t b = 0; b < before; b++) {
    label_of[b] = f->blocks[b].id;
    blocks[at++] = f->blocks[b];
    for (uint32_t i = first[b]; i != SR_NONE; i = next[i])
      blocks[at++] = k->added.at[i].block;
  }
  f->blocks = blocks;
  f->block_count = count;
  sr_set_homes(k->m, f);
  sr_order_blocks(k->m, k->arena, f);
  uint32_t *old_of = SR_NEW_RAW(k->arena, uint32_t, count);
  for (uint32_t b = 0; b < before; b++)
    old_of[sr_block_of(k->m, label_of[b])] = b;
  for (uint32_t i = 0; i < k->added.count; i++)
    old_of[sr_block_of(k->m, k->added.at[i].block.id)] = k->added.at[i].after;
  return old_of;
}

SrStatus sr_bound_loops(SrPassRun *r, SrFunction *f, uint32_t most, bool *changed) {
  Bound k = {.arena = r->scratch,
             .m = r->m,
             .f = f,
             .counts = r->counts,
             .recorder = sr_recorder(r),
             .asked = SR_NONE};
  k.added_of.arena = k.first_to.arena = k.end_of.arena = k.arena;
  k.graph = sr_cfg_build(k.arena, k.m, f);
  add_merge_edges(&k);
  k.nest = sr_nest_build(k.arena, k.graph);
  if (!k.nest->cycle_count)
    return SR_OK;
  k.most = sr_const_u32(k.m, most);
  for (uint32_t cycle = k.nest->cycle_count; cycle-- > 0;)
    bound_cycle(&k, cycle);
  if (!k.edges.count)
    return SR_OK;
  *changed = true;
  extend_phis(&k);
  const SrDom *dom = sr_dom_build(k.arena, k.graph, 0);
  const SrBounded bounded = {.arena = k.arena,
                             .m = k.m,
                             .f = f,
                             .counts = k.counts,
                             .dom = dom,
                             .nest = k.nest,
                             .old_of = place_blocks(&k),
                             .edge = k.edges.at,
                             .edge_count = k.edges.count};
  return sr_bound_values(&bounded);
}
