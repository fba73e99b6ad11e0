/* SPDX-License-Identifier: Apache-2.0 */
/* iterations: see iterations.h. */
#include "spv-emu/exec/iterations.h"

#include "passes/analysis/graph/cycle.h"

#include <string.h>

/* ---- loops ----------------------------------------------------------------------------------- */

typedef struct Building {
  SR_VEC(EmuLoopPlace) loops;
  uint32_t *inner, *rank, *back;
} Building;

/* The innermost loop to whose header the block leads from inside. */
static uint32_t back_of(const SrNest *nest, const SrGraph *g, uint32_t block) {
  for (uint32_t c = nest->inner[block]; c != SR_NONE; c = nest->cycles[c].parent)
    for (SR_SUCCS(to, g, block))
      if (*to == nest->cycles[c].header)
        return c;
  return SR_NONE;
}

static void add_function(SrArena *arena, const EmuBlockTable *table, uint32_t function,
                         Building *b) {
  const EmuFunctionBlocks *f = &table->functions[function];
  const SrNest *nest = sr_nest_build(arena, f->graph);
  uint32_t base = b->loops.count;
  for (uint32_t i = 0; i < nest->cycle_count; i++) {
    const SrCycle *c = &nest->cycles[i];
    SR_PUSH(arena, &b->loops,
            (EmuLoopPlace){.parent = c->parent == SR_NONE ? SR_NONE : base + c->parent,
                           .function = function,
                           .header = f->first + c->header,
                           .first = c->first,
                           .last = c->last});
  }
  for (uint32_t i = 0; i < f->count; i++) {
    uint32_t back = nest->rank[i] == SR_NONE ? SR_NONE : back_of(nest, f->graph, i);
    b->rank[f->first + i] = nest->rank[i];
    if (nest->rank[i] != SR_NONE && nest->inner[i] != SR_NONE)
      b->inner[f->first + i] = base + nest->inner[i];
    if (back != SR_NONE)
      b->back[f->first + i] = base + back;
  }
}

const EmuLoops *emu_loops_build(SrArena *arena, const EmuBlockTable *table) {
  EmuLoops *l = SR_NEW(arena, EmuLoops, 1);
  Building b = {.inner = sr_new_none(arena, table->count),
                .rank = sr_new_none(arena, table->count),
                .back = sr_new_none(arena, table->count)};
  for (uint32_t f = 0; f < table->function_count; f++)
    add_function(arena, table, f, &b);
  *l = (EmuLoops){b.loops.at, b.loops.count, b.inner, b.rank, b.back};
  return l;
}

/* ---- a subgroup ------------------------------------------------------------------------------ */

void emu_iterations_init(EmuIterations *t, SrArena *arena, const EmuLoops *loops,
                         const EmuBlockTable *table, uint32_t size, EmuLoopCount *counts,
                         uint64_t *needed) {
  *t = (EmuIterations){.loops = loops,
                       .table = table,
                       .arena = arena,
                       .size = size,
                       .words = (size + 63) / 64,
                       .counts = counts,
                       .needed = needed,
                       .iterations = SR_NEW(arena, uint32_t *, loops->count),
                       .runs = SR_NEW(arena, uint32_t *, table->count),
                       .ran = SR_NEW(arena, bool, table->count)};
}

void emu_iterations_start(EmuIterations *t) {
  for (uint32_t i = 0; i < t->blocks.count; i++) {
    uint32_t b = t->blocks.at[i];
    t->ran[b] = false;
    memset(t->runs[b], 0, t->size * sizeof *t->runs[b]);
  }
  t->blocks.count = t->open.count = 0;
}

static void count_runs(EmuIterations *t, uint32_t block, const EmuMask *on) {
  if (!t->runs[block])
    t->runs[block] = SR_NEW(t->arena, uint32_t, t->size);
  if (!t->ran[block])
    SR_PUSH(t->arena, &t->blocks, block);
  t->ran[block] = true;
  for (EMU_EACH_LANE(lane, on, t->words))
    t->runs[block][lane]++;
}

void emu_iterations_end(EmuIterations *t) {
  for (uint32_t i = 0; i < t->blocks.count; i++) {
    const uint32_t *runs = t->runs[t->blocks.at[i]];
    uint32_t most = 0;
    for (uint32_t lane = 0; lane < t->size; lane++)
      most = runs[lane] > most ? runs[lane] : most;
    t->needed[t->blocks.at[i]] += most;
  }
}

/* ---- in and out of loops --------------------------------------------------------------------- */

/* Notes whether the lanes, which are in the loop, may return to its header next. */
static void note_back(const EmuIterations *t, EmuOpenLoop *o, uint32_t block,
                      const EmuMask *lanes) {
  if (t->loops->back[block] == o->loop)
    emu_mask_add(&o->returning, lanes, t->words);
  else
    emu_mask_drop(&o->returning, lanes, t->words);
}

static void stay(const EmuIterations *t, EmuOpenLoop *o, uint32_t block, const EmuMask *lanes) {
  if (block == t->loops->at[o->loop].header)
    for (EMU_EACH_LANE(lane, lanes, t->words))
      t->iterations[o->loop][lane]++;
  note_back(t, o, block, lanes);
}

static void leave(const EmuIterations *t, EmuOpenLoop *o, const EmuMask *lanes) {
  EmuLoopCount *c = &t->counts[o->loop];
  for (EMU_EACH_LANE(lane, lanes, t->words)) {
    uint32_t iterations = t->iterations[o->loop][lane] + emu_mask_has(&o->returning, lane);
    c->least = !c->lanes || iterations < c->least ? iterations : c->least;
    c->most = iterations > c->most ? iterations : c->most;
    c->iterations += iterations;
    c->lanes++;
  }
  emu_mask_drop(&o->lanes, lanes, t->words);
}

/* Lanes that were in loops of the block's function have made a step. */
static void step(EmuIterations *t, uint32_t block, const EmuMask *on) {
  for (uint32_t i = 0; i < t->open.count;) {
    EmuOpenLoop *o = &t->open.at[i];
    EmuMask lanes;
    emu_mask_copy(&lanes, on, t->words);
    emu_mask_keep(&lanes, &o->lanes, t->words);
    bool here = t->loops->at[o->loop].function == t->table->function[block];
    if (here && emu_mask_any(&lanes, t->words)) {
      if (emu_loop_has(t->loops, o->loop, block))
        stay(t, o, block, &lanes);
      else
        leave(t, o, &lanes);
    }
    if (emu_mask_any(&o->lanes, t->words))
      i++;
    else
      *o = SR_POP(&t->open);
  }
}

static EmuOpenLoop *open_loop(EmuIterations *t, uint32_t loop) {
  for (uint32_t i = 0; i < t->open.count; i++)
    if (t->open.at[i].loop == loop)
      return &t->open.at[i];
  if (!t->iterations[loop])
    t->iterations[loop] = SR_NEW(t->arena, uint32_t, t->size);
  SR_PUSH(t->arena, &t->open, (EmuOpenLoop){.loop = loop});
  return &SR_LAST(&t->open);
}

/* Notes, for each loop around the block, the lanes that have entered the loop since its last
 * block. */
static void enter(EmuIterations *t, uint32_t block, const EmuMask *on) {
  for (uint32_t l = t->loops->inner[block]; l != SR_NONE; l = t->loops->at[l].parent) {
    EmuOpenLoop *o = open_loop(t, l);
    EmuMask lanes;
    emu_mask_copy(&lanes, on, t->words);
    emu_mask_drop(&lanes, &o->lanes, t->words);
    if (!emu_mask_any(&lanes, t->words))
      continue;
    for (EMU_EACH_LANE(lane, &lanes, t->words))
      t->iterations[l][lane] = 0;
    t->counts[l].entries++;
    t->counts[l].entered += emu_mask_count(&lanes, t->words);
    emu_mask_add(&o->lanes, &lanes, t->words);
    note_back(t, o, block, &lanes);
  }
}

void emu_iterations_block(EmuIterations *t, uint32_t block, const EmuMask *on) {
  if (!emu_mask_any(on, t->words))
    return;
  count_runs(t, block, on);
  step(t, block, on);
  enter(t, block, on);
}
