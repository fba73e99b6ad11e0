/* SPDX-License-Identifier: Apache-2.0 */
/* reconverge_flow: see reconverge_flow.h. */
#include "passes/transform/reconverge/reconverge_flow.h"
#include "passes/transform/flow/flow_choice.h"

#include <assert.h>

enum { CHECK_EACH = 64 }; /* blocks: up to this size the invariant is checked after every step */

typedef struct Build {
  SrArena *arena, scratch;
  const SrReconvergeInput *in;
  SrBits *divergent;
  SrOpenTree *tree;
  SrDynamicTreeNodes critical;
  SrFlowGraph *flow;
  uint32_t *flow_of; /* by node of the tree: its flow block */
  const SrGraph *graph;
  const SrNest *nest;
  uint32_t *source; /* by flow block: the last switch found to have a slot that leads there */
} Build;

/* ---- the visits ---- */

static void stepped(Build *b, uint32_t node) {
  if (b->in->step)
    b->in->step(b->in->user, b->tree, node);
#ifndef NDEBUG
  if (b->in->count <= CHECK_EACH)
    sr_open_tree_check(b->tree);
#endif
}

static void reroute(Build *b) {
  stepped(b, sr_open_reroute(b->tree, b->critical.at, b->critical.count));
}

/* Applies condition 1 to the open edges of armed nodes to the block. */
static void reroute_incoming(Build *b, uint32_t rank) {
  SrOpenTree *t = b->tree;
  const SrDynamicTreeNodes *holders = sr_open_holders(t, rank);
  b->critical.count = 0;
  for (uint32_t i = 0; i < holders->count; i++)
    if (sr_open_is_armed(t, holders->at[i]) && sr_open_span(t, holders->at[i]).high > rank)
      SR_PUSH(&b->scratch, &b->critical, holders->at[i]);
  if (b->critical.count)
    reroute(b);
}

/* Applies condition 2 to what lanes reach by the backward edge of a divergent branch. */
static void reroute_backward(Build *b, uint32_t node) {
  SrOpenTree *t = b->tree;
  const SrOpenNode *n = sr_open_at(t, node);
  if (b->in->one_condition || !n->divergent || !sr_open_is_open(t, node))
    return;
  SrSpan span = sr_open_span(t, node);
  b->critical.count = 0;
  SR_PUSH(&b->scratch, &b->critical, node);
  for (uint32_t e = n->edge; e < n->edge + n->edges; e++) {
    uint32_t target = t->sequence[t->edge.at[e].target_rank];
    if (target == node || !sr_open_at(t, target)->visited)
      continue;
    span = sr_span_join(span, sr_open_span(t, target));
    SR_PUSH(&b->scratch, &b->critical, target);
  }
  if (b->critical.count > 1 && span.low != span.high)
    reroute(b);
}

static void visit_all(Build *b) {
  SrOpenTree *t = b->tree;
  for (uint32_t rank = 0; rank < t->ranks; rank++) {
    uint32_t node = t->sequence[rank];
    reroute_incoming(b, rank);
    sr_open_visit(t, node);
    reroute_backward(b, node);
    sr_open_close_backward(t, node);
    stepped(b, node);
  }
}

/* ---- the program ---- */

static uint32_t new_block(Build *b, SrRole role, uint32_t user, uint32_t slots) {
  return sr_flow_new_block(b->arena, b->flow, role, user, slots);
}

/* Makes a flow block for each block of the sequence and each block after the exit, in the order of
 * the graph (block 0 stays 0); then for each flow node. */
static void make_blocks(Build *b) {
  const SrGraph *g = b->in->graph;
  SrOpenTree *t = b->tree;
  const SrBits *listed = sr_graph_reachable(&b->scratch, g, 0);
  b->flow_of = sr_new_none(&b->scratch, t->node.count);
  for (uint32_t k = 0; k < g->count; k++)
    if (sr_bit(listed, k))
      b->flow_of[sr_open_node(k)] = new_block(b, SR_ROLE_USER, k, sr_succ_count(g, k));
  for (uint32_t n = 0; n < t->node.count; n++)
    if (sr_open_at(t, n)->kind == SR_OPEN_FLOW)
      b->flow_of[n] = new_block(b, SR_ROLE_GUARD, SR_NONE, sr_open_at(t, n)->closed);
  for (uint32_t n = 1; n < t->node.count; n++)
    if (b->flow_of[n] != SR_NONE)
      b->flow->block.at[b->flow_of[n]].stamp = sr_open_at(t, n)->stamp;
}

static SrSlot *slot_at(Build *b, uint32_t block, uint32_t i) {
  return &b->flow->slot.at[b->flow->block.at[block].slot + i];
}

/* If several edges of an OpSwitch lead to one flow block, all but the first set the selector in a
 * block of their own; a divergent switch with two such edges still has a successor that
 * post-dominates it. (Both edges of an OpBranchConditional become one, with an OpSelect.) */
static void split_edge(Build *b, uint32_t block, uint32_t i) {
  uint32_t added = new_block(b, SR_ROLE_CASE, SR_NONE, 1);
  b->flow->block.at[added].stamp = b->flow->block.at[block].stamp;
  *slot_at(b, added, 0) = *slot_at(b, block, i);
  *slot_at(b, block, i) = (SrSlot){added, SR_NONE, SR_NONE};
}

static void split_edges(Build *b, uint32_t block) {
  const SrFlowBlock *f = &b->flow->block.at[block];
  uint32_t count = f->slot_count;
  if (!b->in->is_switch || !sr_bit(b->in->is_switch, f->user))
    return;
  for (uint32_t i = 0; i < count; i++) {
    uint32_t to = slot_at(b, block, i)->to;
    if (b->source[to] == block)
      split_edge(b, block, i);
    else
      b->source[to] = block;
  }
}

/* Makes the edges of node n, in the order of the graph's row, the slots of block k's flow block. */
static void fill_slots(Build *b, uint32_t n, uint32_t k) {
  const SrGraph *g = b->in->graph;
  SrOpenTree *t = b->tree;
  uint32_t block = b->flow_of[sr_open_node(k)], i = 0, e = sr_open_at(t, n)->edge;
  for (SR_SUCCS(s, g, k)) {
    SrSlot *slot = slot_at(b, block, i++);
    if (sr_open_at(t, sr_open_node(*s))->rank == SR_NONE) {
      slot->to = b->flow_of[sr_open_node(*s)];
      continue;
    }
    const SrOpenEdge *edge = &t->edge.at[e++];
    slot->to = b->flow_of[edge->to];
    if (sr_open_at(t, edge->to)->kind == SR_OPEN_FLOW)
      slot->set = edge->target_rank;
  }
  split_edges(b, block);
}

static void fill_flow_node(Build *b, uint32_t n) {
  const SrOpenNode *node = sr_open_at(b->tree, n);
  SrFlowBlock *f = &b->flow->block.at[b->flow_of[n]];
  for (uint32_t i = 0; i < node->closed; i++)
    slot_at(b, b->flow_of[n], i)->to = b->flow_of[node->to[i]];
  if (node->rest != SR_NONE)
    slot_at(b, b->flow_of[n], node->closed - 1)->set = node->rest;
  if (node->closed > 1) {
    f->test = SR_TEST_EQ;
    f->low = f->high = node->low;
  }
}

static void fill_all(Build *b) {
  SrOpenTree *t = b->tree;
  b->source = sr_new_none(&b->scratch, b->flow->block.count);
  for (uint32_t rank = 0; rank < t->ranks; rank++) {
    const SrOpenNode *n = sr_open_at(t, t->sequence[rank]);
    bool has_virtual =
        n->edges == 1 && t->sequence[t->edge.at[n->edge].target_rank] != SR_NONE &&
        sr_open_at(t, t->sequence[t->edge.at[n->edge].target_rank])->kind == SR_OPEN_VIRTUAL;
    if (!has_virtual) /* otherwise the virtual node has the block's branch */
      fill_slots(b, t->sequence[rank], n->block);
  }
  for (uint32_t k = 0; k < b->in->graph->count; k++) /* after the exit */
    if (sr_open_at(t, sr_open_node(k))->rank == SR_NONE && b->flow_of[sr_open_node(k)] != SR_NONE)
      fill_slots(b, sr_open_node(k), k);
  for (uint32_t n = 0; n < t->node.count; n++)
    if (sr_open_at(t, n)->kind == SR_OPEN_FLOW)
      fill_flow_node(b, n);
}

/* Blocks are written with dominators first and cycles together. */
static void lay_out(Build *b) {
  const SrFlowGraph *f = b->flow;
  SrEdge *edges = SR_NEW_RAW(&b->scratch, SrEdge, f->slot.count);
  uint32_t n = 0;
  for (uint32_t k = 0; k < f->block.count; k++)
    for (uint32_t i = 0; i < f->block.at[k].slot_count; i++)
      edges[n++] = (SrEdge){k, f->slot.at[f->block.at[k].slot + i].to};
  b->graph = sr_graph_new(b->arena, f->block.count, edges, n);
  b->nest = sr_nest_build(b->arena, b->graph);
  assert(b->nest->count == f->block.count);
  b->flow->order = b->nest->order;
}

/* ---- cost ---- */

typedef struct Path {
  const SrFlowGraph *flow;
  uint32_t target;
} Path;

static bool is_on_path(const void *user, uint32_t x) {
  const Path *w = user;
  return sr_flow_path_passes(w->flow, x, w->target);
}

/* The number of flow blocks between a slot and the block that it used to lead to. */
static uint32_t path_length(const SrFlowPaths *r, uint32_t at, uint32_t target) {
  const SrFlowGraph *f = r->flow;
  uint32_t more = f->block.at[at].role == SR_ROLE_CASE;
  if (more)
    at = f->slot.at[f->block.at[at].slot].to;
  if (f->block.at[at].role != SR_ROLE_GUARD)
    return more;
  Path path = {f, target};
  return more + r->depth[at] - r->depth[sr_flow_path_climb(r, at, is_on_path, &path)] + 1;
}

static uint32_t longest_cycle_path(Build *b, const SrFlowPaths *paths) {
  const SrGraph *g = b->in->graph;
  const SrNest *nest = sr_nest_build(&b->scratch, g);
  uint32_t longest = 0;
  for (uint32_t k = 0; k < g->count; k++) {
    uint32_t block = b->flow_of[sr_open_node(k)], i = 0;
    for (SR_SUCCS(s, g, k)) {
      uint32_t n = i++;
      if (block == SR_NONE || nest->inner[k] == SR_NONE || nest->inner[*s] != nest->inner[k])
        continue;
      uint32_t length = path_length(paths, slot_at(b, block, n)->to, b->flow_of[sr_open_node(*s)]);
      longest = length > longest ? length : longest;
    }
  }
  return longest;
}

static SrReconvergeCost measure(Build *b) {
  SrFlowPaths paths = sr_flow_path_build(&b->scratch, b->flow);
  SrReconvergeCost c = {.flow_blocks = b->tree->flows,
                        .virtual_blocks = b->tree->virtuals,
                        .rerouted_uniform = b->tree->rerouted_uniform,
                        .instructions = sr_flow_choice_build(&b->scratch, &paths).instructions,
                        .cycle_path = longest_cycle_path(b, &paths)};
  for (uint32_t k = 0; k < b->flow->block.count; k++)
    c.instructions += b->flow->block.at[k].role != SR_ROLE_USER; /* its branch */
  return c;
}

SrReconverged sr_reconverge_build(SrArena *arena, const SrReconvergeInput *in) {
  const SrGraph *g = in->graph;
  Build b = {.arena = arena, .scratch = sr_arena_new(arena->heap), .in = in};
  b.flow = SR_NEW(arena, SrFlowGraph, 1);
  b.divergent = sr_bits_new(&b.scratch, g->count);
  for (uint32_t k = 0; k < g->count; k++)
    if (!in->divergent || sr_bit(in->divergent, k))
      sr_bit_set(b.divergent, k);
  b.tree = sr_open_tree_new(&b.scratch, g, b.divergent, in->order, in->count);
  visit_all(&b);
  make_blocks(&b);
  fill_all(&b);
  lay_out(&b);
  SrReconverged out = {.flow = b.flow,
                       .graph = b.graph,
                       .nest = b.nest,
                       .rank = sr_new_none(arena, g->count),
                       .cost = measure(&b)};
  for (uint32_t k = 0; k < g->count; k++)
    out.rank[k] = sr_open_at(b.tree, sr_open_node(k))->rank;
  sr_arena_free(&b.scratch);
  return out;
}
