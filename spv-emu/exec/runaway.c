/* SPDX-License-Identifier: Apache-2.0 */
/* runaway: see runaway.h. */
#include "spv-emu/exec/runaway.h"

#include "passes/analysis/graph/cycle.h"
#include "passes/source/source_message.h"

/* A cycle of a function's graph. */
typedef struct Loop {
  const SrNest *nest;
  uint32_t cycle, first; /* `first`: the function's first block */
} Loop;

typedef SR_VEC(Loop) Loops;

static uint32_t header_of(const Loop *l) {
  return l->first + l->nest->cycles[l->cycle].header;
}

static bool is_inside(const Loop *l, const EmuFunctionBlocks *f, uint32_t block) {
  return f->first == l->first && block >= f->first && block - f->first < f->count &&
         sr_cycle_has(l->nest, l->cycle, block - f->first);
}

/* Adds the cycles around a block of the function, innermost first. */
static void add_cycles(const EmuFunctionBlocks *f, uint32_t block, SrArena *arena, Loops *loops) {
  const SrNest *nest = sr_nest_build(arena, f->graph);
  uint32_t cycle = nest->inner[block - f->first];
  for (; cycle != SR_NONE; cycle = nest->cycles[cycle].parent)
    SR_PUSH(arena, loops, (Loop){nest, cycle, f->first});
}

/* The loops around the lane, from the innermost one of the running function to the outermost one of
 * the entry point. SPIR-V has no recursion, so the walk ends. */
static Loops loops_around(const EmuExec *e, const EmuBlockTable *table, SrArena *arena) {
  const EmuProgram *p = e->shared->program;
  uint32_t block = e->lanes.block, lane = emu_mask_next(&e->lanes.on, 0, e->lanes.words);
  Loops loops = {0};
  for (;;) {
    uint32_t f = p->blocks.at[block].function;
    add_cycles(&table->functions[f], block, arena, &loops);
    if (f == p->entry)
      return loops;
    block = EMU_ROW(&e->lanes, uint32_t, p->functions.at[f].row)[lane];
  }
}

static double iterations_per_outer(const EmuExec *e, const Loops *loops, uint32_t i) {
  const EmuProgram *p = e->shared->program;
  const EmuBlockCount *counts = e->shared->blocks;
  uint32_t outer =
      i + 1 < loops->count ? header_of(&loops->at[i + 1]) : p->functions.at[p->entry].first;
  uint64_t around = counts[outer].executions;
  return (double)counts[header_of(&loops->at[i])].executions / (double)(around ? around : 1);
}

typedef struct Inside {
  const EmuBlockTable *table;
  const Loop *loop;
  EmuMask *lanes;
  uint32_t words;
} Inside;

static void add_waiting(void *user, uint32_t block, const EmuMask *lanes) {
  const Inside *in = user;
  if (is_inside(in->loop, &in->table->functions[in->table->function[block]], block))
    emu_mask_add(in->lanes, lanes, in->words);
}

/* The first block of the loop with a line. */
static uint32_t find_place(const EmuProgram *p, const Loop *l, const EmuFunctionBlocks *f) {
  char line[EMU_MOST_PLACE];
  for (uint32_t b = header_of(l); b < f->first + f->count; b++) {
    sr_source_print(p->source, p->blocks.at[b].place, line, sizeof line);
    if (*line && is_inside(l, f, b))
      return b;
  }
  return header_of(l);
}

EmuRunaway emu_runaway_find(EmuExec *e, const EmuBlockTable *table, SrArena *scratch) {
  const EmuProgram *p = e->shared->program;
  const EmuPolicy *policy = e->shared->policy;
  EmuRunaway found = {.loop = SR_NONE};
  if (!e->stays && !policy->next(e->policy, &e->lanes.block, &e->lanes.on))
    return found;
  if (!emu_mask_any(&e->lanes.on, e->lanes.words))
    return found;
  const Loops loops = loops_around(e, table, scratch);
  if (!loops.count)
    return found;
  uint32_t worst = 0;
  for (uint32_t i = 1; i < loops.count; i++)
    if (iterations_per_outer(e, &loops, i) > iterations_per_outer(e, &loops, worst))
      worst = i;
  const Loop *l = &loops.at[worst];
  found.loop = header_of(l);
  found.place = find_place(p, l, &table->functions[table->function[found.loop]]);
  found.iterations = e->shared->blocks[found.loop].executions;
  emu_mask_copy(&found.lanes, &e->lanes.on, e->lanes.words);
  Inside in = {table, l, &found.lanes, e->lanes.words};
  policy->waiting(e->policy, add_waiting, &in);
  return found;
}
