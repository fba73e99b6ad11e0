/* SPDX-License-Identifier: Apache-2.0 */
/* call_costs: see call_costs.h. */
#include "spv-emu/exec/call_costs.h"

void emu_call_costs_init(EmuCallCosts *c, SrArena *arena, const EmuProgram *program, uint32_t words,
                         EmuCallCount *calls, EmuCallCount *functions) {
  *c = (EmuCallCosts){.program = program,
                      .arena = arena,
                      .words = words,
                      .calls = calls,
                      .functions = functions,
                      .counted = SR_NEW(arena, uint64_t, program->functions.count)};
}

/* Counts the block for the open calls of which it has lanes, and for the functions that called the
 * one that it is in. */
static void count(EmuCallCosts *c, const EmuBlock *b, const EmuMask *on) {
  c->now++;
  for (uint32_t i = 0; i < c->open.count; i++) {
    const EmuOpenCall *o = &c->open.at[i];
    EmuMask here;
    emu_mask_copy(&here, on, c->words);
    emu_mask_keep(&here, &o->lanes, c->words);
    uint64_t lanes = emu_mask_count(&here, c->words) * (uint64_t)b->issues;
    if (!lanes)
      continue;
    c->calls[o->block].issues += b->issues;
    c->calls[o->block].lanes += lanes;
    if (o->callee == b->function)
      continue;
    c->functions[o->callee].issues += c->counted[o->callee] == c->now ? 0 : b->issues;
    c->functions[o->callee].lanes += lanes;
    c->counted[o->callee] = c->now;
  }
}

static void enter(EmuCallCosts *c, uint32_t block, const EmuMask *on) {
  const EmuProgram *p = c->program;
  uint32_t i = 0;
  while (i < c->open.count && c->open.at[i].block != block)
    i++;
  if (i == c->open.count) {
    uint32_t entry = p->edges.at[p->blocks.at[block].edge].to;
    SR_PUSH(c->arena, &c->open, (EmuOpenCall){block, p->blocks.at[entry].function, {{0}}});
  }
  emu_mask_add(&c->open.at[i].lanes, on, c->words);
}

static void leave(EmuCallCosts *c, uint32_t function, const EmuMask *on) {
  for (uint32_t i = 0; i < c->open.count;) {
    EmuOpenCall *o = &c->open.at[i];
    if (o->callee == function)
      emu_mask_drop(&o->lanes, on, c->words);
    if (emu_mask_any(&o->lanes, c->words))
      i++;
    else
      *o = SR_POP(&c->open);
  }
}

void emu_call_costs_block(EmuCallCosts *c, uint32_t block, const EmuMask *on) {
  const EmuBlock *b = &c->program->blocks.at[block];
  if (!emu_mask_any(on, c->words))
    return;
  count(c, b, on);
  if (b->end == EMU_END_CALL)
    enter(c, block, on);
  else if (b->end == EMU_END_RETURN)
    leave(c, b->function, on);
}
