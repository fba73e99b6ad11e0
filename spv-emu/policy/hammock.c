/* SPDX-License-Identifier: Apache-2.0 */
/* hammock: see hammock.h. */
#include "spv-emu/policy/hammock.h"

typedef struct Finder {
  const EmuBlockTable *table;
  const uint32_t *place;
  const SrBits *special;
  EmuHammock h;
} Finder;

/* Adds the block to the arms, by place. False: it cannot be an arm, or there are too many. */
static bool add_arm(Finder *f, uint32_t block) {
  EmuHammock *h = &f->h;
  if (block == h->join || emu_hammock_index(h, block) < h->count)
    return true;
  const EmuBlockTable *table = f->table;
  if (h->count == EMU_HAMMOCK_ARMS || f->place[block] == SR_NONE || sr_bit(f->special, block) ||
      table->callee[block] != SR_NONE || (table->stops && table->stops[block]) ||
      sr_succ_count(table->graph, block) != 1)
    return false;
  uint32_t at = h->count++;
  for (; at > 0 && f->place[h->arm[at - 1]] > f->place[block]; at--)
    h->arm[at] = h->arm[at - 1];
  h->arm[at] = block;
  h->issues += table->issues[block];
  return true;
}

static uint32_t only_succ(const Finder *f, uint32_t arm) {
  const SrGraph *g = f->table->graph;
  return g->succ[g->succ_at[arm]];
}

/* Blocks that arms lead to are arms, too. (The loop misses a block whose place is before that of
 * the arm that leads to it; link_arms refuses such a block.) */
static bool close_arms(Finder *f) {
  for (uint32_t i = 0; i < f->h.count; i++)
    if (!add_arm(f, only_succ(f, f->h.arm[i])))
      return false;
  return true;
}

/* Links the arms. False: an arm leads back. */
static bool link_arms(Finder *f) {
  EmuHammock *h = &f->h;
  for (uint32_t i = 0; i < h->count; i++) {
    uint32_t to = only_succ(f, h->arm[i]);
    h->to[i] = to == h->join ? h->count : emu_hammock_index(h, to);
    if (h->to[i] <= i)
      return false;
  }
  return true;
}

const EmuHammock *emu_hammock_find(SrArena *arena, const EmuBlockTable *table,
                                   const uint32_t *place, const SrBits *special, uint32_t header) {
  Finder f = {.table = table, .place = place, .special = special};
  f.h.join = table->merge[header];
  for (SR_SUCCS(to, table->graph, header))
    if (!add_arm(&f, *to))
      return NULL;
  if (!f.h.count || !close_arms(&f) || !link_arms(&f))
    return NULL;
  EmuHammock *h = SR_NEW_RAW(arena, EmuHammock, 1);
  *h = f.h;
  return h;
}
