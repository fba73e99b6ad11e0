/* SPDX-License-Identifier: Apache-2.0 */
/* runaway: see runaway.h. */
#include "spv-emu/exec/runaway.h"

#include "passes/source/source_message.h"

#include <string.h>

/* ---- what a subgroup has issued itself ------------------------------------------------------- */

void emu_runaway_init(EmuExec *e, SrArena *arena) {
  e->own.executions = SR_NEW(arena, uint64_t, e->shared->loops->count);
}

void emu_runaway_start(EmuExec *e) {
  e->own.issued = 0;
  memset(e->own.executions, 0, e->shared->loops->count * sizeof *e->own.executions);
}

/* While the subgroup runs, a count is what others have added to the worker's; while it waits, what
 * it has added itself. The same difference leads from each to the other. */
void emu_runaway_switch(EmuExec *e) {
  const EmuLoops *loops = e->shared->loops;
  EmuOwn *own = &e->own;
  own->issued = e->shared->issued - own->issued;
  for (uint32_t i = 0; i < loops->count; i++)
    own->executions[i] = e->shared->blocks[loops->at[i].header].executions - own->executions[i];
}

/* ---- the loop at fault ----------------------------------------------------------------------- */

typedef SR_VEC(uint32_t) Loops;

/* The loops around the lane, from the innermost one of the running function to the outermost one of
 * the entry point. SPIR-V has no recursion, so the walk ends. */
static Loops loops_around(const EmuExec *e, SrArena *arena) {
  const EmuProgram *p = e->shared->program;
  const EmuLoops *loops = e->shared->loops;
  uint32_t block = e->lanes.block, lane = emu_mask_next(&e->lanes.on, 0, e->lanes.words);
  Loops around = {0};
  for (;;) {
    uint32_t f = p->blocks.at[block].function;
    for (uint32_t l = loops->inner[block]; l != SR_NONE; l = loops->at[l].parent)
      SR_PUSH(arena, &around, l);
    if (f == p->entry)
      return around;
    block = EMU_ROW(&e->lanes, uint32_t, p->functions.at[f].row)[lane];
  }
}

/* A subgroup runs its entry point once. */
static double iterations_per_outer(const EmuExec *e, const Loops *around, uint32_t i) {
  const uint64_t *executions = e->own.executions;
  uint64_t outer = i + 1 < around->count ? executions[around->at[i + 1]] : 1;
  return (double)executions[around->at[i]] / (double)(outer ? outer : 1);
}

static bool is_inside(const EmuLoops *loops, const EmuBlockTable *table, uint32_t loop,
                      uint32_t block) {
  return table->function[block] == loops->at[loop].function && emu_loop_has(loops, loop, block);
}

typedef struct Inside {
  const EmuLoops *loops;
  const EmuBlockTable *table;
  uint32_t loop;
  EmuMask *lanes;
  uint32_t words;
} Inside;

static void add_waiting(void *user, uint32_t block, const EmuMask *lanes) {
  const Inside *in = user;
  if (is_inside(in->loops, in->table, in->loop, block))
    emu_mask_add(in->lanes, lanes, in->words);
}

/* The first block of the loop with a line. */
static uint32_t find_place(const EmuProgram *p, const Inside *in) {
  uint32_t header = in->loops->at[in->loop].header;
  char line[EMU_MOST_PLACE];
  for (uint32_t b = header; b < p->blocks.count; b++) {
    sr_source_print(p->source, p->blocks.at[b].place, line, sizeof line);
    if (*line && is_inside(in->loops, in->table, in->loop, b))
      return b;
  }
  return header;
}

EmuRunaway emu_runaway_find(EmuExec *e, const EmuBlockTable *table, SrArena *scratch) {
  const EmuLoops *loops = e->shared->loops;
  const EmuPolicy *policy = e->shared->policy;
  EmuRunaway found = {.loop = SR_NONE};
  if (!e->stays && !policy->next(e->policy, &e->lanes.block, &e->lanes.on))
    return found;
  if (!emu_mask_any(&e->lanes.on, e->lanes.words))
    return found;
  const Loops around = loops_around(e, scratch);
  if (!around.count)
    return found;
  emu_runaway_switch(e);
  uint32_t worst = 0;
  for (uint32_t i = 1; i < around.count; i++)
    if (iterations_per_outer(e, &around, i) > iterations_per_outer(e, &around, worst))
      worst = i;
  Inside in = {loops, table, around.at[worst], &found.lanes, e->lanes.words};
  found.loop = loops->at[in.loop].header;
  found.place = find_place(e->shared->program, &in);
  found.iterations = e->own.executions[in.loop];
  found.issued = e->own.issued;
  emu_mask_copy(&found.lanes, &e->lanes.on, e->lanes.words);
  policy->waiting(e->policy, add_waiting, &in);
  return found;
}
