/* SPDX-License-Identifier: Apache-2.0 */
/* loop_pair: see loop_pair.h. */
#include "passes/transform/iterations/loop_pair.h"

#include "passes/analysis/function_size.h"
#include "passes/transform/iterations/trip_count.h"
#include "passes/transform/ssa/ssa_stuck.h"

/* WORTH: the inner loop must be this many times as large as the code around it. ADDED: instructions
 * that every iteration of the merged loop has besides those of the two: the branches that leave it
 * and that begin it, and the jump to its header. MOST_EDGES: the largest number of edges that may
 * lead to that header, because every value that it carries has an operand for each edge.
 * FEW_ITERATIONS: with so few iterations of the inner loop, no lane waits for long. */
enum { WORTH = 2, ADDED = 3, MOST_EDGES = 64, FEW_ITERATIONS = 8 };

typedef struct Find {
  SrModule *m;
  const SrFunction *f;
  const SrLoopChoice *choice;
  SrArena *arena;
  SrLoopPairs *out;
  uint32_t *children;  /* by cycle: number of cycles directly in it */
  bool any;            /* pairs are merged whatever their sizes and exits are */
  uint32_t *size;      /* by block: instructions */
  uint32_t *sum;       /* by rank: instructions of all blocks of lower ranks */
  const SrBits *stuck; /* by block: see ssa_stuck.h */
  SrTripCounts trips;
  SrBits *said; /* by cycle: the notice that it has several loops was given */
} Find;

/* ---- loops ---- */

static bool has_stuck(const Find *k, const SrCycle *c) {
  for (uint32_t i = c->first; i <= c->last; i++)
    if (sr_bit(k->stuck, k->out->nest->order[i]))
      return true;
  return false;
}

static void count(Find *k) {
  const SrNest *nest = k->out->nest;
  k->children = SR_NEW(k->arena, uint32_t, nest->cycle_count);
  for (uint32_t c = 0; c < nest->cycle_count; c++)
    if (nest->cycles[c].parent != SR_NONE)
      k->children[nest->cycles[c].parent]++;
  k->size = SR_NEW(k->arena, uint32_t, k->f->block_count);
  k->sum = SR_NEW(k->arena, uint32_t, nest->count + 1);
  for (uint32_t i = 0; i < nest->count; i++) {
    uint32_t b = nest->order[i];
    k->size[b] = sr_function_block_size(k->m, &k->f->blocks[b], k->choice->function_size);
    k->sum[i + 1] = k->sum[i] + k->size[b];
  }
}

static uint32_t size_of(const Find *k, const SrCycle *c) {
  return k->sum[c->last + 1] - k->sum[c->first];
}

/* Do lanes leave the cycle in different iterations? */
static bool exits_diverge(const Find *k, uint32_t cycle) {
  const SrLoopPairs *o = k->out;
  const SrCycle *c = &o->nest->cycles[cycle];
  for (uint32_t i = c->first; i <= c->last; i++) {
    uint32_t b = o->nest->order[i];
    for (SR_SUCCS(t, o->graph, b))
      if (!sr_cycle_has(o->nest, cycle, *t) &&
          !sr_uniform_branch(k->choice->uniform, k->m, k->f, b))
        return true;
  }
  return false;
}

/* The number of edges that leave the cycle. */
static uint32_t exits_of(const Find *k, uint32_t cycle) {
  const SrLoopPairs *o = k->out;
  const SrCycle *c = &o->nest->cycles[cycle];
  uint32_t exits = 0;
  for (uint32_t i = c->first; i <= c->last; i++)
    for (SR_SUCCS(t, o->graph, o->nest->order[i]))
      exits += !sr_cycle_has(o->nest, cycle, *t);
  return exits;
}

static uint32_t preds_of_header(const Find *k, const SrCycle *c) {
  return sr_pred_count(k->out->graph, c->header);
}

static void say(const Find *k, const SrCycle *outer, const char *reason) {
  SrWhere where = {.function = sr_function_name(k->m, k->arena, k->f),
                   .block = k->f->blocks[outer->header].id,
                   .word = SR_NONE};
  sr_notice(k->m->diag, where, "merge-iterations leaves the loop alone: %s", reason);
}

static void take(Find *k, uint32_t outer, uint32_t inner) {
  SrLoopPairs *o = k->out;
  const SrCycle *c = &o->nest->cycles[outer];
  for (uint32_t i = c->first; i <= c->last; i++)
    o->pair_of[o->nest->order[i]] = o->pair.count;
  SR_PUSH(k->arena, &o->pair, (SrLoopPair){outer, inner});
}

/* Looks at a loop without loops in it, and the one around it. */
static void look_at(Find *k, uint32_t outer, uint32_t inner) {
  const SrCycle *o = &k->out->nest->cycles[outer], *i = &k->out->nest->cycles[inner];
  if (k->children[outer] > 1) {
    if (!sr_bit(k->said, outer))
      say(k, o, "it has several inner loops");
    sr_bit_set(k->said, outer);
    return;
  }
  uint32_t exits = exits_of(k, outer);
  if (o->entries > 1 || i->entries > 1) {
    say(k, o, "it has several entries, or its inner loop has");
  } else if (!exits) {
    say(k, o, "no lane leaves it");
  } else if (!k->any && !exits_diverge(k, inner)) {
    say(k, o, "all lanes leave its inner loop in the same iteration");
  } else if (!k->any && size_of(k, i) < WORTH * (size_of(k, o) - size_of(k, i) + ADDED)) {
    say(k, o, "its inner loop is not twice as large as the code around it");
  } else if (!k->any && sr_trip_count(&k->trips, inner) <= FEW_ITERATIONS) {
    say(k, o, "a counter says that its inner loop has only a few iterations");
  } else if (exits + preds_of_header(k, o) + preds_of_header(k, i) > MOST_EDGES) {
    say(k, o, "too many edges would lead to one header");
  } else if (has_stuck(k, o)) {
    say(k, o, "no phi may hold a value in it that several blocks use");
  } else {
    take(k, outer, inner);
  }
}

/* ---- recorded paths ---- */

static SrLoopIssues *gains_of(const Find *k) {
  const SrLoopPairs *o = k->out;
  const SrNest *nest = o->nest;
  SrLoopHeaders *headers = SR_NEW(k->arena, SrLoopHeaders, o->pair.count);
  SrBits *is_inner = sr_bits_new(k->arena, k->f->block_count);
  SrBits *passes_by = sr_bits_new(k->arena, k->f->block_count);
  for (uint32_t i = 0; i < o->pair.count; i++) {
    const SrCycle *inner = &nest->cycles[o->pair.at[i].inner];
    headers[i] = (SrLoopHeaders){nest->cycles[o->pair.at[i].outer].header, inner->header};
    for (uint32_t r = inner->first; r <= inner->last; r++)
      sr_bit_set(is_inner, nest->order[r]);
  }
  for (uint32_t b = 0; b < k->f->block_count; b++)
    if (o->pair_of[b] != SR_NONE && sr_loop_passes_by(o, b))
      sr_bit_set(passes_by, b);
  const SrLoopShape shape = {.pair = headers,
                             .count = o->pair.count,
                             .block_count = k->f->block_count,
                             .pair_of = o->pair_of,
                             .is_inner = is_inner,
                             .passes_by = passes_by,
                             .size = k->size,
                             .added = ADDED};
  return sr_loop_gain(k->arena, &shape, k->choice->paths);
}

/* Drops the pairs for which merging would not save issues. */
static void keep_gaining(Find *k) {
  SrLoopPairs *o = k->out;
  const SrLoopIssues *issues = gains_of(k);
  SR_VEC(SrLoopPair) found = {0};
  for (uint32_t i = 0; i < o->pair.count; i++)
    SR_PUSH(k->arena, &found, o->pair.at[i]);
  o->pair.count = 0;
  for (uint32_t b = 0; b < k->f->block_count; b++)
    o->pair_of[b] = SR_NONE;
  for (uint32_t i = 0; i < found.count; i++)
    if (issues[i].after < issues[i].before)
      take(k, found.at[i].outer, found.at[i].inner);
    else
      say(k, &o->nest->cycles[found.at[i].outer], sr_loop_no_gain(k->arena, &issues[i]));
}

bool sr_loop_passes_by(const SrLoopPairs *pairs, uint32_t block) {
  const SrLoopPair *pair = &pairs->pair.at[pairs->pair_of[block]];
  uint32_t inner = pairs->nest->cycles[pair->inner].header;
  return !sr_dominates(pairs->dom, inner, block);
}

SrLoopPairs sr_loop_pairs(SrArena *arena, SrModule *m, const SrFunction *f,
                          const SrLoopChoice *choice) {
  SrLoopPairs out = {.graph = sr_cfg_build(arena, m, f)};
  out.nest = sr_nest_build(arena, out.graph);
  out.pair_of = sr_new_none(arena, f->block_count);
  Find k = {.m = m, .f = f, .choice = choice, .arena = arena, .out = &out};
  k.any = choice->all || choice->paths;
  k.stuck = sr_ssa_stuck_blocks(arena, m, f, out.nest);
  k.said = sr_bits_new(arena, out.nest->cycle_count);
  k.trips = sr_trip_count_begin(arena, m, f, out.graph, out.nest);
  count(&k);
  for (uint32_t c = 0; c < out.nest->cycle_count; c++)
    if (!k.children[c] && out.nest->cycles[c].parent != SR_NONE)
      look_at(&k, out.nest->cycles[c].parent, c);
  sr_trip_count_end(&k.trips);
  if (out.pair.count)
    out.dom = sr_dom_build(arena, out.graph, 0);
  if (out.pair.count && choice->paths)
    keep_gaining(&k);
  return out;
}
