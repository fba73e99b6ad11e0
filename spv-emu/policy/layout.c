/* SPDX-License-Identifier: Apache-2.0 */
/* layout: see layout.h. */
#include "spv-emu/policy/layout.h"

#include "passes/analysis/graph/cycle.h"
#include "passes/base/sort.h"

/* By rank in the nest: the block's position among the blocks that the entry reaches. */
static uint32_t *places_among(SrArena *arena, const EmuFunctionBlocks *fn, const SrNest *nest,
                              const uint32_t *place) {
  uint32_t *among = SR_NEW_RAW(arena, uint32_t, nest->count + 1);
  uint64_t *sorted = SR_NEW_RAW(arena, uint64_t, nest->count + 1);
  for (uint32_t rank = 0; rank < nest->count; rank++) {
    uint32_t b = nest->order[rank];
    sorted[rank] = (uint64_t)(place ? place[fn->first + b] : b) << 32 | rank;
  }
  sr_sort(arena, sorted, nest->count, sizeof *sorted, sr_by_number);
  for (uint32_t i = 0; i < nest->count; i++)
    among[(uint32_t)sorted[i]] = i;
  return among;
}

static bool is_back_edge(const SrNest *nest, uint32_t from, uint32_t to) {
  uint32_t c = nest->inner[to];
  return c != SR_NONE && nest->cycles[c].header == to && sr_cycle_has(nest, c, from);
}

static bool edges_fit(const EmuFunctionBlocks *fn, const SrNest *nest, const uint32_t *among) {
  for (uint32_t rank = 0; rank < nest->count; rank++)
    for (SR_SUCCS(t, fn->graph, nest->order[rank]))
      if (among[nest->rank[*t]] <= among[rank] && !is_back_edge(nest, nest->order[rank], *t))
        return false;
  return true;
}

/* Is each cycle contiguous: are there as many places from its first to its last as it has
 * blocks? */
static bool cycles_fit(SrArena *arena, const SrNest *nest, const uint32_t *among) {
  uint32_t *first = sr_new_none(arena, nest->cycle_count);
  uint32_t *last = SR_NEW(arena, uint32_t, nest->cycle_count);
  for (uint32_t rank = 0; rank < nest->count; rank++) {
    uint32_t c = nest->inner[nest->order[rank]];
    if (c == SR_NONE)
      continue;
    first[c] = among[rank] < first[c] ? among[rank] : first[c];
    last[c] = among[rank] > last[c] ? among[rank] : last[c];
  }
  for (uint32_t c = nest->cycle_count; c-- > 0;) {
    const SrCycle *cycle = &nest->cycles[c];
    if (last[c] - first[c] != cycle->last - cycle->first)
      return false;
    uint32_t parent = cycle->parent;
    if (parent == SR_NONE)
      continue;
    first[parent] = first[c] < first[parent] ? first[c] : first[parent];
    last[parent] = last[c] > last[parent] ? last[c] : last[parent];
  }
  return true;
}

bool emu_layout_fits(SrArena *arena, const EmuFunctionBlocks *fn, const uint32_t *place) {
  SrArena scratch = sr_arena_new(arena->heap);
  const SrNest *nest = sr_nest_build(&scratch, fn->graph);
  const uint32_t *among = places_among(&scratch, fn, nest, place);
  bool fits = edges_fit(fn, nest, among) && cycles_fit(&scratch, nest, among);
  sr_arena_free(&scratch);
  return fits;
}

bool emu_layout_mixes(SrArena *arena, const EmuBlockTable *table) {
  for (uint32_t f = 0; f < table->function_count; f++)
    if (!emu_layout_fits(arena, &table->functions[f], NULL))
      return true;
  return false;
}

bool emu_layout_mixes_calls(SrArena *arena, const EmuBlockTable *table) {
  return table->function_count > 1 || emu_layout_mixes(arena, table);
}

bool emu_priority_mixes(SrArena *arena, const EmuBlockTable *table) {
  return table->chosen_order &&
         (table->function_count > 1 ||
          !emu_layout_fits(arena, &table->functions[table->entry_function], table->priority));
}
