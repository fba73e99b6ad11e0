/* SPDX-License-Identifier: Apache-2.0 */
/* draw_heat: the cost of fragments at each pixel (spv_emu_heat). Each subgroup counts for itself,
 * since several threads run them; the counts are added to the pixels after the batch. */
#include "spv-emu/draw/draw.h"

#include <string.h>

enum { QUAD = 4 };

void emu_heat_start(EmuFragments *f) {
  EmuHeatBatch *b = &f->heat;
  uint32_t lanes = EMU_MOST_QUADS * QUAD;
  b->issues = SR_NEW_RAW(f->arena, uint64_t, f->draw->fragment.lanes == 1 ? lanes : EMU_MOST_QUADS);
  b->used = SR_NEW_RAW(f->arena, uint64_t, lanes);
}

void emu_heat_begin(EmuFragments *f) {
  f->heat.first = f->totals->dispatch_subgroups;
  memset(f->heat.issues, 0, f->pack_count * sizeof *f->heat.issues);
  memset(f->heat.used, 0, (size_t)f->count * QUAD * sizeof *f->heat.used);
}

/* The quad of a lane, and its part of it. */
static size_t place_of(const EmuPack *pack, uint32_t lanes, uint32_t lane) {
  return (size_t)pack->first * QUAD + (lanes == 1 ? pack->lane : lane);
}

void emu_heat_issued(void *user, const EmuLanes *s, uint64_t subgroup, uint32_t count,
                     const EmuMask *on) {
  const EmuFragments *f = user;
  const EmuPack *pack = &f->packs[subgroup];
  f->heat.issues[subgroup] += count;
  for (EMU_EACH_LANE(lane, on, s->words))
    if (!emu_mask_has(&s->helper, lane))
      f->heat.used[place_of(pack, s->size, lane)] += count;
}

static void add_lane(const EmuFragments *f, size_t place, uint64_t issues, uint64_t subgroup) {
  spv_emu_heat *heat = f->draw->heat;
  const EmuQuad *quad = &f->quads[place / QUAD];
  uint32_t x = quad->x + (uint32_t)(place & 1), y = quad->y + (uint32_t)(place >> 1 & 1);
  if (x >= heat->width || y >= heat->height) {
    heat->outside += issues;
    return;
  }
  size_t pixel = (size_t)y * heat->width + x;
  heat->issues[pixel] += issues;
  heat->lost[pixel] += issues - f->heat.used[place];
  heat->subgroup[pixel] = subgroup < UINT32_MAX ? (uint32_t)subgroup + 1 : 0;
}

void emu_heat_end(const EmuFragments *f) {
  uint32_t size = f->draw->fragment.lanes;
  for (uint32_t p = 0; p < f->pack_count; p++) {
    const EmuPack *pack = &f->packs[p];
    uint32_t lanes = size == 1 ? 1 : pack->count * QUAD;
    for (uint32_t lane = 0; lane < lanes; lane++)
      add_lane(f, place_of(pack, size, lane), f->heat.issues[p], f->heat.first + p);
    f->draw->heat->unused += (size - lanes) * f->heat.issues[p];
  }
}
