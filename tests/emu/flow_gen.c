/* SPDX-License-Identifier: Apache-2.0 */
/* flow_gen: see flow_gen.h. Structured programs are generated statement by statement; the recursion
 * is as deep as statements nest, bounded by MOST_DEPTH. */
#include "tests/emu/flow_gen.h"
#include "tests/unit/unit.h"

enum { MOST_DEPTH = 5, FUNCTIONS = 3 };

/* ---- any graph ------------------------------------------------------------------------------- */

static uint32_t any_target(uint64_t *rng, uint32_t from, uint32_t first, uint32_t count) {
  if (unit_below(rng, 4) == 0)
    return first + 1 + unit_below(rng, count - 1);
  uint32_t t = from + 1 + unit_below(rng, 4); /* near, mostly forward */
  if (unit_below(rng, 5) == 0 && t > first + 3)
    t -= 3;
  return t >= first + count ? first + count - 1 : t <= first ? first + 1 : t;
}

EmuBlockTable *flow_gen_any(SrArena *arena, uint64_t seed, uint32_t blocks) {
  uint64_t rng = seed * 2 + 1;
  FlowBuild b = {.arena = arena};
  uint32_t functions = 1 + unit_below(&rng, FUNCTIONS);
  for (uint32_t f = 0; f < functions; f++) {
    uint32_t count = 2 + unit_below(&rng, blocks / functions + 1), first = b.blocks.count;
    for (uint32_t i = 0; i < count; i++)
      flow_block(&b, f);
    for (uint32_t i = first; i < first + count; i++) {
      b.blocks.at[i].issues = 1 + unit_below(&rng, 5);
      if (i + 1 == first + count || unit_below(&rng, 20) == 0) {
        b.blocks.at[i].returns = true;
        continue;
      }
      uint32_t targets = 1 + unit_below(&rng, 9) / 3, at = i;
      if (f + 1 < functions && unit_below(&rng, 4) == 0) {
        at = flow_block(&b, f); /* the part after the call has no other predecessor */
        b.blocks.at[i].callee = f + 1 + unit_below(&rng, functions - f - 1);
        flow_edge(&b, i, at);
      }
      for (uint32_t k = 0; k < targets; k++)
        flow_edge(&b, at, any_target(&rng, i, first, count));
    }
  }
  return flow_finish(&b);
}

/* ---- structured ------------------------------------------------------------------------------ */

/* The targets for which lanes may leave the current statement; SR_NONE: not from here. */
typedef struct Exits {
  uint32_t merge, cont, switch_merge; /* of the innermost loop; of the innermost switch in it */
} Exits;

typedef struct Gen {
  FlowBuild b;
  uint64_t rng;
  uint32_t function, functions, left; /* blocks still to generate */
} Gen;

static uint32_t fresh(Gen *g) {
  g->left -= g->left > 0;
  uint32_t i = flow_block(&g->b, g->function);
  g->b.blocks.at[i].issues = 1 + unit_below(&g->rng, 5);
  return i;
}

static bool often(Gen *g, uint32_t percent) {
  return unit_below(&g->rng, 100) < percent;
}

/* A branch to both, in either order. */
static void branch(Gen *g, uint32_t from, uint32_t a, uint32_t b) {
  bool swap = often(g, 50);
  flow_edge(&g->b, from, swap ? b : a);
  flow_edge(&g->b, from, swap ? a : b);
}

static uint32_t statements(Gen *g, uint32_t at, Exits exits, uint32_t depth);

/* Statements from block `at` on, and then a branch to `to`, if lanes reach their end. */
static bool arm(Gen *g, uint32_t at, uint32_t to, Exits exits, uint32_t depth) {
  uint32_t end = statements(g, at, exits, depth + 1);
  if (end != SR_NONE)
    flow_edge(&g->b, end, to);
  return end != SR_NONE;
}

/* If no arm reaches a header's merge block, the merge block is unreachable. */
static uint32_t selection(Gen *g, uint32_t at, Exits exits, uint32_t depth) {
  uint32_t merge = fresh(g), then = fresh(g), other = often(g, 50) ? merge : fresh(g);
  g->b.blocks.at[at].merge = merge;
  branch(g, at, then, other);
  bool goes_on = arm(g, then, merge, exits, depth) | (other == merge);
  if (other != merge)
    goes_on |= arm(g, other, merge, exits, depth);
  return goes_on ? merge : SR_NONE;
}

static uint32_t switch_(Gen *g, uint32_t at, Exits exits, uint32_t depth) {
  uint32_t merge = fresh(g), cases[4], count = 2 + unit_below(&g->rng, 3);
  bool goes_on = often(g, 30); /* an empty case */
  g->b.blocks.at[at].merge = merge;
  exits.switch_merge = merge;
  for (uint32_t i = 0; i < count; i++)
    flow_edge(&g->b, at, cases[i] = fresh(g));
  if (goes_on)
    flow_edge(&g->b, at, merge);
  for (uint32_t i = 0; i < count; i++) {
    bool falls = i + 1 < count && often(g, 30);
    bool ends = arm(g, cases[i], falls ? cases[i + 1] : merge, exits, depth);
    goes_on |= ends && !falls;
  }
  /* Breaks out of a case reach the merge block as well. */
  for (uint32_t i = 0; i < g->b.blocks.count && !goes_on; i++)
    for (uint32_t t = 0; t < g->b.blocks.at[i].targets.count; t++)
      goes_on |= g->b.blocks.at[i].targets.at[t] == merge;
  return goes_on ? merge : SR_NONE;
}

/* The header's own branch; returns where the loop's body starts, SR_NONE: there is none. */
static uint32_t loop_header(Gen *g, uint32_t header, uint32_t merge, uint32_t cont) {
  uint32_t body = fresh(g), roll = unit_below(&g->rng, 4);
  if (roll == 0)
    flow_edge(&g->b, header, body);
  else if (roll < 3)
    branch(g, header, body, merge);
  else { /* two targets inside the loop, with no merge block of their own */
    uint32_t side = fresh(g);
    branch(g, header, body, side);
    flow_edge(&g->b, side, often(g, 50) ? cont : body);
  }
  return body;
}

static uint32_t loop(Gen *g, uint32_t at, uint32_t depth) {
  uint32_t header = fresh(g), declares = header, merge = fresh(g);
  flow_edge(&g->b, at, header);
  if (g->function + 1 < g->functions && often(g, 15)) { /* a call in the header's block */
    declares = fresh(g);
    g->b.blocks.at[header].callee = g->function + 1;
    flow_edge(&g->b, header, declares);
  }
  g->b.blocks.at[declares].merge = merge;
  if (often(g, 15)) {
    g->b.blocks.at[declares].cont = header;
    branch(g, declares, header, merge);
    return merge;
  }
  uint32_t cont = fresh(g), latch = cont;
  g->b.blocks.at[declares].cont = cont;
  Exits exits = {.merge = merge, .cont = cont, .switch_merge = SR_NONE};
  arm(g, loop_header(g, declares, merge, cont), cont, exits, depth);
  if (often(g, 30)) /* only the latch leaves the continue construct */
    latch = selection(g, cont, (Exits){SR_NONE, SR_NONE, SR_NONE}, MOST_DEPTH);
  if (often(g, 60))
    branch(g, latch, header, merge);
  else
    flow_edge(&g->b, latch, header);
  return merge;
}

/* A branch out of enclosing constructs, as one edge of two, or as the end of these statements. */
static uint32_t leave(Gen *g, uint32_t at, Exits exits) {
  uint32_t to[3], count = 0;
  if (exits.switch_merge != SR_NONE)
    to[count++] = exits.switch_merge;
  if (exits.merge != SR_NONE)
    to[count++] = exits.merge;
  if (exits.cont != SR_NONE)
    to[count++] = exits.cont;
  if (!count || often(g, 20)) {
    g->b.blocks.at[at].returns = true;
    return SR_NONE;
  }
  flow_edge(&g->b, at, to[unit_below(&g->rng, count)]);
  if (often(g, 30))
    return SR_NONE;
  uint32_t on = fresh(g);
  flow_edge(&g->b, at, on);
  if (often(g, 50)) { /* the other operand first */
    uint32_t *t = g->b.blocks.at[at].targets.at;
    on = t[1];
    t[1] = t[0];
    t[0] = on;
  }
  return on;
}

static uint32_t statement(Gen *g, uint32_t at, Exits exits, uint32_t depth) {
  uint32_t roll = unit_below(&g->rng, 100);
  if (roll < 25 && depth < MOST_DEPTH)
    return selection(g, at, exits, depth);
  if (roll < 40 && depth < MOST_DEPTH)
    return switch_(g, at, exits, depth);
  if (roll < 60 && depth < MOST_DEPTH)
    return loop(g, at, depth);
  if (roll < 75 && depth && depth < MOST_DEPTH + 1 && exits.cont != SR_NONE)
    return leave(g, at, exits);
  if (roll < 78 && depth && depth < MOST_DEPTH + 1 && exits.cont == SR_NONE)
    return leave(g, at, exits);
  uint32_t on = fresh(g);
  if (roll > 90 && g->function + 1 < g->functions)
    g->b.blocks.at[at].callee =
        g->function + 1 + unit_below(&g->rng, g->functions - g->function - 1);
  flow_edge(&g->b, at, on);
  return on;
}

static uint32_t statements(Gen *g, uint32_t at, Exits exits, uint32_t depth) {
  for (uint32_t n = unit_below(&g->rng, 4); n && at != SR_NONE && g->left; n--)
    at = statement(g, at, exits, depth);
  return at;
}

/* ---- any order of blocks --------------------------------------------------------------------- */

static void shuffle(Gen *g) {
  FlowBuild *b = &g->b;
  uint32_t *to = SR_NEW_RAW(b->arena, uint32_t, b->blocks.count);
  FlowBlock *old = SR_NEW_RAW(b->arena, FlowBlock, b->blocks.count);
  memcpy(old, b->blocks.at, b->blocks.count * sizeof *old);
  for (uint32_t i = 0; i < b->blocks.count; i++)
    to[i] = i;
  for (uint32_t i = b->blocks.count; i-- > 1;) {
    uint32_t first = b->entries.at[old[i].function] + 1;
    if (i <= first)
      continue;
    uint32_t k = first + unit_below(&g->rng, i - first + 1), t = to[i];
    to[i] = to[k];
    to[k] = t;
  }
  for (uint32_t i = 0; i < b->blocks.count; i++) {
    FlowBlock *block = &b->blocks.at[to[i]];
    *block = old[i];
    for (uint32_t t = 0; t < block->targets.count; t++)
      block->targets.at[t] = to[block->targets.at[t]];
    if (block->merge != SR_NONE)
      block->merge = to[block->merge];
    if (block->cont != SR_NONE)
      block->cont = to[block->cont];
  }
}

EmuBlockTable *flow_gen_structured(SrArena *arena, uint64_t seed, uint32_t blocks,
                                   FlowBuild *build) {
  Gen g = {.b = {.arena = arena, .structured = true}, .rng = seed * 2 + 1};
  g.functions = 1 + unit_below(&g.rng, FUNCTIONS);
  for (g.function = 0; g.function < g.functions; g.function++) {
    g.left = blocks / g.functions;
    Exits none = {SR_NONE, SR_NONE, SR_NONE};
    uint32_t at = fresh(&g);
    while (at != SR_NONE && g.left)
      at = statements(&g, at, none, 0);
    if (at != SR_NONE)
      g.b.blocks.at[at].returns = true;
  }
  for (uint32_t i = 0; i < g.b.blocks.count; i++)
    g.b.blocks.at[i].returns |= !g.b.blocks.at[i].targets.count;
  if (often(&g, 50))
    shuffle(&g);
  if (build)
    *build = g.b;
  return flow_finish(&g.b);
}

/* ---- large ones ------------------------------------------------------------------------------ */

EmuBlockTable *flow_gen_nest(SrArena *arena, uint32_t depth) {
  FlowBuild b = {.arena = arena, .structured = true};
  uint32_t *merge = SR_NEW_RAW(arena, uint32_t, depth), *cont = SR_NEW_RAW(arena, uint32_t, depth);
  uint32_t at = flow_block(&b, 0);
  for (uint32_t d = 0; d < depth; d++) {
    uint32_t header = flow_block(&b, 0), body = flow_block(&b, 0);
    merge[d] = flow_block(&b, 0);
    cont[d] = d % 2 ? SR_NONE : flow_block(&b, 0);
    flow_edge(&b, at, header);
    flow_edge(&b, header, body);
    flow_edge(&b, header, merge[d]);
    b.blocks.at[header].merge = merge[d];
    b.blocks.at[header].cont = cont[d];
    if (cont[d] != SR_NONE)
      flow_edge(&b, cont[d], header);
    at = body;
  }
  for (uint32_t d = depth; d-- > 0;) {
    flow_edge(&b, at, cont[d] == SR_NONE ? merge[d] : cont[d]);
    at = merge[d];
  }
  b.blocks.at[at].returns = true;
  return flow_finish(&b);
}

EmuBlockTable *flow_gen_chain(SrArena *arena, uint32_t blocks) {
  FlowBuild b = {.arena = arena, .structured = true};
  for (uint32_t i = 0; i < blocks; i++) {
    flow_block(&b, 0);
    if (i)
      flow_edge(&b, i - 1, i);
  }
  b.blocks.at[blocks - 1].returns = true;
  return flow_finish(&b);
}
