/* SPDX-License-Identifier: Apache-2.0 */
/* code: see code.h.
 *
 * The random number is multiplied at each choice (a multiplicative congruential generator modulo
 * 2^32; the number is odd, and its high bits decide). So a choice costs two instructions, and a
 * lane's path depends only on its first number, which is a hash of the lane and the seed. */
#include "spv-graph/code.h"
#include "passes/analysis/graph/cycle.h"

#include <math.h>

CodeOptions code_options(void) {
  return (CodeOptions){.seed = 1,
                       .taken = 0.5,
                       .iterations = 16,
                       .budget = 4096,
                       .together = 1,
                       .live = 4,
                       .lanes = 64,
                       .groups = 1};
}

/* ---- costs ----------------------------------------------------------------------------------- */

enum {
  START_COUNT = 2, /* load the invocation's id, extract its x */
  STORE_COUNT = 2, /* OpAccessChain and OpStore of the result */
};

static uint32_t choice_count(const CodeChoice *c) {
  if (c->targets < 2)
    return 0;
  if (c->targets > 2)
    return 3;                        /* multiply, shift, modulo */
  return c->exit == SR_NONE ? 2 : 5; /* multiply, compare; subtract, compare, combine */
}

uint32_t code_lane_shift(const Code *code) {
  uint32_t shift = 0;
  while (1u << shift < code->options.together)
    shift++;
  return shift;
}

uint32_t code_fixed_count(const Code *code, const CodeBlock *b) {
  uint32_t count = 1 + choice_count(&b->choice); /* starts at 1 for the terminator */
  if (b->start)
    count += START_COUNT + (code->options.together > 1);
  if (b->choice.targets == 0)
    count += code->options.live - 1 + STORE_COUNT;
  return count + b->barrier;
}

/* ---- building -------------------------------------------------------------------------------- */

typedef struct Builder {
  SrArena *arena;
  const Graph *graph;
  Code *code;
  SrGraph *cfg;
  SrNest *nest;
  uint32_t *exits;  /* by cycle: number of its blocks that choose between leaving and staying */
  uint32_t *number; /* by block of the graph: index in code->block */
} Builder;

static SrGraph *make_cfg(SrArena *arena, const Graph *g) {
  SR_VEC(SrEdge) edges = {0};
  for (uint32_t b = 0; b < g->block.count; b++)
    for (uint32_t k = 0; k < g->block.at[b].succ_count; k++)
      SR_PUSH(arena, &edges, (SrEdge){b, g->succ.at[g->block.at[b].succ + k]});
  return sr_graph_new(arena, g->block.count, edges.at, edges.count);
}

/* The edge of a block that leaves the innermost cycle around the block, if exactly one of two edges
 * does. */
static uint32_t exit_of(const Builder *b, uint32_t block) {
  uint32_t cycle = b->nest->inner[block];
  const uint32_t *succ = &b->graph->succ.at[b->graph->block.at[block].succ];
  if (cycle == SR_NONE || b->graph->block.at[block].succ_count != 2)
    return SR_NONE;
  bool first = sr_cycle_has(b->nest, cycle, succ[0]),
       second = sr_cycle_has(b->nest, cycle, succ[1]);
  return first == second ? SR_NONE : first ? 1 : 0;
}

static void count_exits(Builder *b) {
  b->exits = SR_NEW(b->arena, uint32_t, b->nest->cycle_count);
  for (uint32_t i = 0; i < b->nest->count; i++) {
    uint32_t block = b->nest->order[i];
    if (exit_of(b, block) != SR_NONE)
      b->exits[b->nest->inner[block]]++;
  }
}

/* The share of lanes that take the first of two targets. All exits of a loop together end it after
 * `iterations` iterations on average, if each iteration passes them all. */
static double share(const Builder *b, uint32_t block, uint32_t exit) {
  const CodeOptions *o = &b->code->options;
  double taken = b->graph->block.at[block].taken;
  if (taken >= 0)
    return taken;
  if (exit == SR_NONE)
    return o->taken;
  double leave = 1 - pow(1 - 1.0 / o->iterations, 1.0 / b->exits[b->nest->inner[block]]);
  return exit == 0 ? leave : 1 - leave;
}

static CodeChoice choose(const Builder *b, uint32_t block, uint32_t targets) {
  uint32_t exit = exit_of(b, block);
  double below = share(b, block, exit) * 4294967296.0;
  return (CodeChoice){.targets = targets,
                      .below = below >= UINT32_MAX ? UINT32_MAX : (uint32_t)below,
                      .exit = targets == 2 ? exit : SR_NONE};
}

static void add_step(Builder *b, CodeOp op, uint32_t to, uint32_t from, uint32_t constant) {
  SR_PUSH(b->arena, &b->code->step, (CodeStep){op, to, from, constant});
  SR_LAST(&b->code->block).step_count++;
}

/* Turns the lane's number in the random register into its first random number, which is odd. The
 * seed and two rounds of a hash (after splitmix64, Steele, Lea and Flood 2014) separate lanes. */
static void start_lane(Builder *b) {
  uint32_t x = code_random(b->code);
  uint64_t seed = b->code->options.seed * 0x9e3779b97f4a7c15u;
  add_step(b, CODE_MULTIPLY, x, SR_NONE, 0x9e3779b1u);
  add_step(b, CODE_ADD, x, SR_NONE, (uint32_t)(seed >> 32) ^ (uint32_t)seed);
  add_step(b, CODE_XOR, 0, x, 0);
  add_step(b, CODE_SHIFT_RIGHT, 0, SR_NONE, 15);
  add_step(b, CODE_XOR, x, 0, 0);
  add_step(b, CODE_MULTIPLY, x, SR_NONE, 0x85ebca6bu);
  add_step(b, CODE_OR, x, SR_NONE, 1);
}

/* Adds the i-th of the instructions that only give a block its weight. They use all values in turn,
 * with different constants, so that no two blocks compute the same values. */
static void fill(Builder *b, uint32_t block, uint32_t i) {
  uint32_t live = b->code->options.live, to = (block + i) % live, from = (block + i + 1) % live;
  uint32_t constant = (2 * (block * 131 + i) + 1) * 2654435769u;
  if (i % 3 == 0)
    add_step(b, CODE_MULTIPLY, to, SR_NONE, constant);
  else if (i % 3 == 1)
    add_step(b, CODE_ADD, to, SR_NONE, constant);
  else
    add_step(b, CODE_XOR, to, from == to ? code_random(b->code) : from, 0);
}

/* Fills the newest block up to `weight`. */
static void fill_up(Builder *b, uint32_t block, uint32_t weight) {
  CodeBlock *at = &SR_LAST(&b->code->block);
  uint32_t fixed = code_fixed_count(b->code, at) + at->step_count;
  for (uint32_t i = 0; fixed + i < weight; i++)
    fill(b, block, i);
  b->code->heavier += fixed > weight;
  b->code->surplus += fixed > weight ? fixed - weight : 0;
}

static bool needs_leaf(const GraphBlock *from) {
  return from->term == GRAPH_CONDITIONAL_EXIT && from->succ_count == 1;
}

static void add_block(Builder *b, uint32_t block) {
  const GraphBlock *from = &b->graph->block.at[block];
  SrGraph *cfg = b->cfg;
  uint32_t targets = needs_leaf(from) ? 2 : sr_succ_count(cfg, block);
  CodeBlock new = {.block = block,
                   .step = b->code->step.count,
                   .choice = choose(b, block, targets),
                   .start = b->code->block.count == 0,
                   .barrier = from->barrier && b->code->options.barriers};
  b->number[block] = b->code->block.count;
  SR_PUSH(b->arena, &b->code->block, new);
  if (new.start)
    start_lane(b);
  fill_up(b, block, from->weight);
}

/* A block that is not in the graph; all its instructions are surplus. */
static void add_extra(Builder *b, bool start) {
  CodeBlock new = {.block = SR_NONE,
                   .step = b->code->step.count,
                   .start = start,
                   .choice = {.targets = start, .exit = SR_NONE}};
  SR_PUSH(b->arena, &b->code->block, new);
  if (start)
    start_lane(b);
  fill_up(b, 0, 0);
}

static void add_succ(Builder *b, CodeBlock *from, uint32_t to) {
  SR_PUSH(b->arena, &b->code->succ, to);
  from->succ_count++;
}

static void connect(Builder *b, uint32_t at) {
  uint32_t block = b->code->block.at[at].block, leaf = SR_NONE;
  if (block != SR_NONE && needs_leaf(&b->graph->block.at[block])) {
    leaf = b->code->block.count;
    add_extra(b, false);
  }
  CodeBlock *from = &b->code->block.at[at];
  from->succ = b->code->succ.count;
  if (leaf != SR_NONE)
    add_succ(b, from, leaf);
  if (block == SR_NONE && from->start)
    add_succ(b, from, b->number[0]);
  if (block != SR_NONE)
    for (SR_SUCCS(s, b->cfg, block))
      add_succ(b, from, b->number[*s]);
}

Code *code_new(SrArena *arena, const Graph *graph, const CodeOptions *options) {
  Builder b = {.arena = arena, .graph = graph, .code = SR_NEW(arena, Code, 1)};
  b.code->options = *options;
  b.code->graph = graph;
  b.cfg = make_cfg(arena, graph);
  b.nest = sr_nest_build(arena, b.cfg);
  b.number = sr_new_none(arena, graph->block.count);
  b.code->has_loops = b.nest->cycle_count > 0;
  b.code->dropped = graph->block.count - b.nest->count;
  count_exits(&b);
  if (sr_pred_count(b.cfg, 0))
    add_extra(&b, true);
  for (uint32_t i = 0; i < b.nest->count; i++)
    add_block(&b, b.nest->order[i]);
  uint32_t count = b.code->block.count;
  for (uint32_t i = 0; i < count; i++)
    connect(&b, i);
  return b.code;
}
