/* SPDX-License-Identifier: Apache-2.0 */
/* merge_copies: see merge_copies.h.
 *
 * First, edges on which the operand of a test is a constant are redirected to the outcome of the
 * test (thread_tests.h), which undoes Cut. Then blocks are visited in reversed LRPO, so that a
 * block's targets have been merged already. Each block is looked up, by a hash of its code and
 * targets, among those visited before it, and compared word by word; then it is merged
 * (merge_blocks.h) or becomes a candidate itself. So the largest equal part of a copied subgraph is
 * merged, from its exits upward. A cycle refers to itself, so copied cycles are compared and merged
 * as a whole when their header is visited (merge_cycles.h).
 *
 * The users of two values are merged before the values. In between, the merged user reads a
 * parameter (a future phi: merge_graph.h), which represents either value; if the two are pointers
 * or handles, which no phi may hold, the parameter has to disappear again. If it does not,
 * everything is repeated without the merges that caused it; the module is only written at the end.
 *
 * Cost: O(E log V) and the arguments of edges, for each such round. */
#include "passes/transform/merge/merge_copies.h"
#include "passes/analysis/uniform/cross_lane.h"
#include "passes/base/map.h"
#include "passes/ir/constants.h"
#include "passes/transform/merge/merge_blocks.h"
#include "passes/transform/merge/merge_cycles.h"
#include "passes/transform/merge/merge_write.h"
#include "passes/transform/merge/thread_tests.h"

/* Limits: candidates of one hash that are compared; rounds before merging is given up. */
enum { MOST_COMPARED = 8, MOST_ROUNDS = 8 };

typedef struct Job {
  SrModule *m;
  SrFunction *f;
  SrArena arena; /* lives for all rounds */
  SrBits *kept;  /* by block: not to be merged into another */
  const SrGraph *old;
  const SrNest *nest;
  bool cross_lane; /* the function has cross-lane operations */
} Job;

typedef struct Round {
  const Job *job;
  SrArena arena;
  SrMergeGraph *g;
  SrMap first;    /* by hash: the latest candidate */
  uint32_t *next; /* by block: the previous candidate of that hash */
} Round;

static uint32_t short_hash(uint64_t h) {
  return (uint32_t)(h ^ h >> 32);
}

static uint32_t find_same(Round *r, uint32_t hash, uint32_t b) {
  uint32_t n = 0;
  for (uint32_t c = sr_map_get(&r->first, hash); c != SR_NONE && n < MOST_COMPARED; n++) {
    if (sr_merge_fits(r->g, b, c))
      return c;
    c = r->next[c];
  }
  return SR_NONE;
}

static void take_block(Round *r, uint32_t b) {
  uint32_t hash = short_hash(sr_merge_hash(r->g, b));
  uint32_t same = sr_bit(r->job->kept, b) ? SR_NONE : find_same(r, hash, b);
  if (same != SR_NONE) {
    sr_merge_blocks(r->g, b, same);
    return;
  }
  r->next[b] = sr_map_get(&r->first, hash);
  sr_map_set(&r->first, hash, b);
}

static void merge_all(Round *r) {
  const SrNest *nest = r->job->nest;
  sr_merge_skip_empty(r->g);
  SrMergeCycles cycles = sr_merge_cycles_new(r->g, r->job->kept);
  for (uint32_t rank = nest->count; rank-- > 1;) { /* the entry holds the variables */
    uint32_t b = nest->order[rank], cycle = nest->inner[b];
    if (!r->g->block[b].gone)
      take_block(r, b);
    if (cycle != SR_NONE && nest->cycles[cycle].first == rank)
      sr_merge_cycle(&cycles, cycle);
  }
  sr_merge_drop_trivial(r->g);
}

/* Records the merges that led to phis that are not allowed; returns whether there are any. */
static bool find_forbidden(Job *j, const Round *r, const SrBits *live) {
  bool any = false;
  for (uint32_t i = 0; i < r->g->parameter.count; i++) {
    const SrParameter *p = &r->g->parameter.at[i];
    if (!sr_bit(live, i) || p->made_by == SR_NONE || sr_type_can_phi(j->m, p->type))
      continue;
    any = true;
    sr_bit_set(j->kept, p->made_by);
  }
  return any;
}

static bool has_cross_lane(const Job *j, const SrBits *cross_lane) {
  for (uint32_t b = 0; b < j->f->block_count; b++)
    if (sr_has_cross_lane(j->m, cross_lane, &j->f->blocks[b]))
      return true;
  return false;
}

static void deliver(Job *j, Round *r, const SrBits *live, SrTransformCounts *counts,
                    bool *changed) {
  if (r->g->merged_blocks == 0 && !*changed)
    return;
  if (j->cross_lane) {
    SrWhere where = {.function = sr_function_name(j->m, &j->arena, j->f), .word = SR_NONE};
    sr_notice(j->m->diag, where,
              "merge-copies leaves the function alone: a cross-lane operation would run with more "
              "lanes");
    return;
  }
  sr_merge_write(r->g, live, counts);
  counts->merged_blocks += r->g->merged_blocks;
  counts->merged_instructions += r->g->merged_instructions;
  *changed = true;
}

/* Runs one round; returns whether another one is needed. */
static bool merge_once(Job *j, SrTransformCounts *counts, bool *changed) {
  Round r = {.job = j, .arena = sr_arena_new(j->arena.heap)};
  r.first.arena = &r.arena;
  r.next = SR_NEW_RAW(&r.arena, uint32_t, j->f->block_count);
  r.g = sr_merge_graph_new(j->m, j->f, &r.arena, j->old, j->nest);
  merge_all(&r);
  const SrBits *live = sr_merge_live(r.g);
  bool again = find_forbidden(j, &r, live);
  if (!again)
    deliver(j, &r, live, counts, changed);
  sr_merge_graph_done(r.g);
  sr_arena_free(&r.arena);
  return again;
}

static void merge(Job *j, SrTransformCounts *counts, bool *changed) {
  j->kept = sr_bits_new(&j->arena, j->f->block_count);
  j->old = sr_cfg_build(&j->arena, j->m, j->f);
  j->nest = sr_nest_build(&j->arena, j->old);
  for (uint32_t n = 0; merge_once(j, counts, changed); n++)
    if (n == MOST_ROUNDS)
      for (uint32_t b = 0; b < j->f->block_count; b++)
        sr_bit_set(j->kept, b);
}

SrStatus sr_merge_copies(SrModule *m, SrFunction *f, const SrBits *cross_lane,
                         SrTransformCounts *counts, bool *changed) {
  Job j = {.m = m, .f = f, .arena = sr_arena_new(m->arena->heap)};
  j.cross_lane = has_cross_lane(&j, cross_lane);
  SrStatus status = SR_OK;
  if (!j.cross_lane)
    status = sr_thread_tests(m, f, &j.arena, counts, changed);
  if (status == SR_OK)
    merge(&j, counts, changed);
  sr_arena_free(&j.arena);
  return status;
}
