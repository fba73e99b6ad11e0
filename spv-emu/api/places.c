/* SPDX-License-Identifier: Apache-2.0 */
/* places: spv_emu_places, which lists a program's blocks for callers that choose priorities. */
#include "spv-emu/engine/program.h"
#include "spv-emu/order/program_priority.h"

#include <stdlib.h>

typedef struct Places {
  SrHeap heap;
  spv_emu_place *at;
  uint32_t count;
} Places;

static bool list(Places *places, const EmuProgram *p) {
  SrArena arena = sr_arena_new(&places->heap);
  SrDiag diag = {0};
  EmuBlockTable table;
  if (emu_block_table_build(&arena, &diag, p, &table) != SR_OK ||
      emu_priority_set(&arena, &diag, p, &(EmuPriority){0}, &table) != SR_OK)
    return false;
  const SrBits *reaches_barrier = emu_block_table_reaches_barrier(&arena, &table);
  places->count = table.reached;
  places->at = calloc(places->count + 1u, sizeof *places->at);
  for (uint32_t i = 0; places->at && i < places->count; i++) {
    const EmuBlock *b = &p->blocks.at[table.order[i]];
    places->at[i] = (spv_emu_place){.function = p->functions.at[b->function].id,
                                    .block = b->id,
                                    .part = b->part,
                                    .index = table.order[i],
                                    .issues = b->issues,
                                    .reaches_barrier = sr_bit(reaches_barrier, table.order[i])};
  }
  return places->at != NULL;
}

static bool list_guarded(Places *places, const EmuProgram *p) {
  return !setjmp(places->heap.out_of_memory) && list(places, p);
}

spv_emu_place *spv_emu_places(const spv_emu_program *program, uint32_t *count) {
  Places places = {0};
  sr_heap_init(&places.heap);
  bool good = list_guarded(&places, program->p);
  sr_heap_free_all(&places.heap);
  *count = good ? places.count : 0;
  return places.at;
}
