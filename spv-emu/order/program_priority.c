/* SPDX-License-Identifier: Apache-2.0 */
/* program_priority: see program_priority.h. */
#include "spv-emu/order/program_priority.h"

#include "passes/analysis/graph/order_list.h"
#include "passes/base/map.h"
#include "spv-emu/order/call_order.h"

/* Puts one function's blocks, in the order that the user lists, into the places that the function's
 * blocks have. */
static SrStatus reorder(SrArena *arena, const EmuProgram *p, const SrOrderChoice *choice,
                        const SrFunction *f, uint32_t *order, uint32_t count) {
  const SrGraph *g = sr_cfg_build(arena, p->module, f);
  uint32_t *listed, listed_count, n = 0;
  SR_CHECK(sr_order_build(arena, p->module, f, g, choice, &listed, &listed_count));
  uint32_t *parts = SR_NEW(arena, uint32_t, p->blocks.count), part_count = 0;
  uint32_t *first_part = sr_new_none(arena, f->block_count), function = SR_NONE;
  for (uint32_t b = p->blocks.count; b-- > 0;)
    if (p->functions.at[p->blocks.at[b].function].id == f->id) {
      function = p->blocks.at[b].function;
      if (p->blocks.at[b].part == 0)
        first_part[p->module->home[p->blocks.at[b].id]] = b;
    }
  for (uint32_t i = 0; i < listed_count && function != SR_NONE; i++)
    for (uint32_t b = first_part[listed[i]];
         b < p->blocks.count && p->blocks.at[b].id == f->blocks[listed[i]].id; b++)
      parts[part_count++] = b;
  for (uint32_t i = 0; i < count; i++)
    if (p->blocks.at[order[i]].function == function && n < part_count)
      order[i] = parts[n++];
  return SR_OK;
}

/* The order that the text gives the blocks that the entry reaches. */
static SrStatus order_by_text(SrArena *arena, SrDiag *diag, const EmuProgram *p, const char *text,
                              const EmuBlockTable *table, uint32_t *order, uint32_t *count) {
  SrOrderChoice choice;
  SR_CHECK(sr_order_choose(diag, arena, p->module, text ? text : "lrpo", &choice));
  *count = choice.make == sr_order_lrpo ? emu_call_order(arena, table, order)
                                        : choice.make(arena, table->graph, order);
  for (uint32_t i = 0; i < choice.list_count; i++)
    SR_CHECK(reorder(arena, p, &choice, choice.lists[i].function, order, *count));
  return SR_OK;
}

/* The block of the program, or SR_NONE. `first`: by label, its first part. */
static uint32_t block_of_place(const EmuProgram *p, const SrMap *first,
                               const spv_emu_place *place) {
  uint32_t b = sr_map_get(first, place->block);
  if (b == SR_NONE || place->part >= p->blocks.count - b)
    return SR_NONE;
  b += place->part;
  return p->blocks.at[b].id == place->block ? b : SR_NONE;
}

/* Moves the listed blocks to the front of `order`. False: some are not of this program. */
static bool take_order(SrArena *arena, const EmuProgram *p, const SrMap *first,
                       const spv_emu_order *given, uint32_t *order, uint32_t count) {
  uint32_t *made = SR_NEW_RAW(arena, uint32_t, p->blocks.count), n = 0;
  SrBits *placed = sr_bits_new(arena, p->blocks.count);
  for (uint32_t i = 0; i < given->count; i++) {
    uint32_t b = block_of_place(p, first, &given->places[i]);
    if (b == SR_NONE || sr_bit(placed, b))
      return false;
    sr_bit_set(placed, b);
    made[n++] = b;
  }
  for (uint32_t i = 0; i < count; i++)
    if (!sr_bit(placed, order[i]))
      made[n++] = order[i];
  if (n == count) /* otherwise the list has blocks that the entry does not reach */
    memcpy(order, made, count * sizeof *order);
  return n == count;
}

static SrStatus order_by_places(SrArena *arena, SrDiag *diag, const EmuProgram *p,
                                const EmuPriority *priority, const EmuBlockTable *table,
                                uint32_t *order, uint32_t *count) {
  SrMap first = {.arena = arena};
  for (uint32_t b = p->blocks.count; b-- > 0;)
    if (p->blocks.at[b].part == 0)
      sr_map_set(&first, p->blocks.at[b].id, b);
  *count = emu_call_order(arena, table, order);
  for (uint32_t i = 0; i < priority->order_count; i++)
    if (take_order(arena, p, &first, &priority->orders[i], order, *count))
      return SR_OK;
  return sr_fail(diag, SR_BAD_INPUT, SR_NOWHERE, "the profile has no program with these blocks");
}

SrStatus emu_priority_set(SrArena *arena, SrDiag *diag, const EmuProgram *p,
                          const EmuPriority *priority, EmuBlockTable *table) {
  uint32_t *order = SR_NEW_RAW(arena, uint32_t, table->count), count;
  uint32_t *rank = sr_new_none(arena, table->count);
  if (priority->order_count)
    SR_CHECK(order_by_places(arena, diag, p, priority, table, order, &count));
  else
    SR_CHECK(order_by_text(arena, diag, p, priority->text, table, order, &count));
  for (uint32_t i = 0; i < count; i++)
    rank[order[i]] = i;
  table->reached = count;
  table->chosen_order =
      priority->order_count || (priority->text && strcmp(priority->text, "lrpo") != 0);
  for (uint32_t b = 0; b < table->count; b++) /* blocks that the entry does not reach */
    if (rank[b] == SR_NONE) {
      rank[b] = count;
      order[count++] = b;
    }
  table->order = order;
  table->priority = rank;
  return SR_OK;
}
