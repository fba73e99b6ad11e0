/* SPDX-License-Identifier: Apache-2.0 */
/* call_reach: see call_reach.h. */
#include "spv-emu/order/call_reach.h"

typedef struct Reach {
  const EmuBlockTable *table;
  SrBits *met;
  uint32_t *work, left; /* blocks found but not visited yet */
  bool *returns;        /* by function */
  uint32_t *calls;      /* by function that is not known to return yet: list of the calls found */
  uint32_t *other;      /* by block: the next call in the list */
} Reach;

bool emu_block_returns(const EmuBlockTable *table, uint32_t block) {
  const EmuFunctionBlocks *function = &table->functions[table->function[block]];
  return table->callee[block] == SR_NONE && sr_succ_count(table->graph, block) &&
         !sr_succ_count(function->graph, block - function->first);
}

static void meet(Reach *r, uint32_t block) {
  if (sr_bit(r->met, block))
    return;
  sr_bit_set(r->met, block);
  r->work[r->left++] = block;
}

static void call(Reach *r, uint32_t block) {
  uint32_t callee = r->table->callee[block];
  meet(r, r->table->functions[callee].first);
  if (r->returns[callee]) {
    meet(r, r->table->next[block]);
    return;
  }
  r->other[block] = r->calls[callee];
  r->calls[callee] = block;
}

static void leave(Reach *r, uint32_t function) {
  if (r->returns[function])
    return;
  r->returns[function] = true;
  for (uint32_t c = r->calls[function]; c != SR_NONE; c = r->other[c])
    meet(r, r->table->next[c]);
}

static void look_at(Reach *r, uint32_t block) {
  const EmuBlockTable *table = r->table;
  if (table->callee[block] != SR_NONE)
    call(r, block);
  else if (emu_block_returns(table, block))
    leave(r, table->function[block]);
  else
    for (SR_SUCCS(t, table->graph, block))
      meet(r, *t);
}

SrBits *emu_call_reach(SrArena *arena, const EmuBlockTable *table) {
  Reach r = {.table = table,
             .met = sr_bits_new(arena, table->count),
             .work = SR_NEW_RAW(arena, uint32_t, table->count),
             .returns = SR_NEW(arena, bool, table->function_count),
             .calls = sr_new_none(arena, table->function_count),
             .other = SR_NEW_RAW(arena, uint32_t, table->count)};
  meet(&r, table->functions[table->entry_function].first);
  while (r.left)
    look_at(&r, r.work[--r.left]);
  return r.met;
}
