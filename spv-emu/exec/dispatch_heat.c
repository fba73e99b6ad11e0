/* SPDX-License-Identifier: Apache-2.0 */
/* dispatch_heat: see dispatch_heat.h. */
#include "spv-emu/exec/dispatch_heat.h"

#include <stdlib.h>
#include <string.h>

bool emu_dispatch_heat_size(spv_emu_heat *heat, const EmuProgram *program, const uint32_t groups[3],
                            bool *enough) {
  uint64_t width = (uint64_t)program->local_size[0] * groups[0];
  uint64_t height = (uint64_t)program->local_size[1] * groups[1], pixels;
  *enough = width <= UINT32_MAX && height <= UINT32_MAX &&
            !__builtin_mul_overflow(width, height, &pixels);
  if (!*enough || heat->issues)
    return heat->width == width && heat->height == height;
  *heat = (spv_emu_heat){.width = (uint32_t)width,
                         .height = (uint32_t)height,
                         .issues = calloc(pixels + 1, sizeof *heat->issues),
                         .lost = calloc(pixels + 1, sizeof *heat->lost),
                         .subgroup = calloc(pixels + 1, sizeof *heat->subgroup)};
  *enough = heat->issues && heat->lost && heat->subgroup;
  return *enough;
}

EmuDispatchHeat *emu_dispatch_heat_new(SrArena *arena, spv_emu_heat *to, uint32_t lanes,
                                       bool packed) {
  EmuDispatchHeat *heat = SR_NEW(arena, EmuDispatchHeat, 1);
  *heat = (EmuDispatchHeat){.to = to, .packed = packed, .used = SR_NEW(arena, uint64_t, lanes)};
  return heat;
}

void emu_dispatch_heat_start(EmuDispatchHeat *heat, uint32_t lanes) {
  heat->issued = heat->unused = 0;
  memset(heat->used, 0, lanes * sizeof *heat->used);
}

void emu_dispatch_heat_add(EmuDispatchHeat *heat, uint64_t count, const EmuMask *on,
                           uint32_t words) {
  heat->issued += count;
  for (EMU_EACH_LANE(lane, on, words))
    heat->used[lane] += count;
}

static void add(uint64_t *to, uint64_t count) {
  __atomic_add_fetch(to, count, __ATOMIC_RELAXED);
}

void emu_dispatch_heat_end(const EmuDispatchHeat *heat, const EmuLanes *lanes,
                           const uint32_t groups[3], uint64_t group, uint32_t subgroup) {
  const uint32_t *size = lanes->program->local_size;
  uint64_t here = 0,
           number =
               group * ((size[0] * size[1] * size[2] + lanes->size - 1) / lanes->size) + subgroup;
  uint64_t left = group % groups[0] * size[0], top = group / groups[0] % groups[1] * size[1];
  for (EMU_EACH_LANE(lane, &lanes->exist, lanes->words)) {
    uint32_t index = subgroup * lanes->size + lane;
    uint64_t x = left + index % size[0], y = top + index / size[0] % size[1];
    uint64_t pixel = y * heat->to->width + x;
    uint64_t issues = heat->packed ? heat->used[lane] : heat->issued;
    add(&heat->to->issues[pixel], issues);
    add(&heat->to->lost[pixel], issues - heat->used[lane]);
    __atomic_store_n(&heat->to->subgroup[pixel], number < UINT32_MAX ? (uint32_t)number + 1 : 0,
                     __ATOMIC_RELAXED);
    here++;
  }
  add(&heat->to->unused, heat->packed ? heat->unused : (lanes->size - here) * heat->issued);
}
