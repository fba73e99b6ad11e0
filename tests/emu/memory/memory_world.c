/* SPDX-License-Identifier: Apache-2.0 */
/* memory_world: see memory_world.h. */
#include "tests/emu/memory/memory_world.h"
#include "spv-emu/cost/transactions.h"

#include <stdlib.h>

void world_make(World *w, uint32_t lanes) {
  memset(w, 0, sizeof *w);
  sr_heap_init(&w->heap);
  w->arena = sr_arena_new(&w->heap);
  uint32_t width = (lanes + EMU_CHUNK - 1) / EMU_CHUNK * EMU_CHUNK, row = 8 * width;
  uint32_t lane_at = WORLD_SCALARS * row;
  w->registers = lane_at + WORLD_LANE_BYTES * width;
  uint32_t file = w->registers + WORLD_REGISTERS * row;
  /* Such that the next buffer is not at a multiple of 16. */
  uint32_t buffer = (WORLD_BUFFER_BYTES + 15) / 8 * 8;
  w->size = file + WORLD_SHARED_BYTES + 4 * (size_t)buffer;
  w->bytes = aligned_alloc(64, (w->size + 63) / 64 * 64);
  memset(w->bytes, 0, w->size);
  uint8_t *outside = w->bytes + file + WORLD_SHARED_BYTES;

  EmuSegment *s = w->segments;
  s[WORLD_BUFFER] = (EmuSegment){.space = EMU_SPACE_BUFFER,
                                 .writable = true,
                                 .counted = true,
                                 .size = WORLD_BUFFER_BYTES,
                                 .bytes = outside,
                                 .id = 101};
  s[WORLD_READ_ONLY] = (EmuSegment){.space = EMU_SPACE_BUFFER,
                                    .counted = true,
                                    .size = WORLD_BUFFER_BYTES,
                                    .bytes = outside + (size_t)buffer,
                                    .id = 102};
  s[WORLD_SHARED] = (EmuSegment){.space = EMU_SPACE_WORKGROUP,
                                 .writable = true,
                                 .at = 8,
                                 .size = WORLD_SHARED_BYTES - 16,
                                 .id = 103};
  s[WORLD_LANE] = (EmuSegment){.space = EMU_SPACE_LANE,
                               .writable = true,
                               .at = lane_at,
                               .size = WORLD_LANE_BYTES,
                               .id = 104};
  s[WORLD_ROWS] = (EmuSegment){
      .space = EMU_SPACE_ROWS, .writable = true, .size = (uint64_t)WORLD_SCALARS * row, .id = 105};
  s[WORLD_UNBOUND] =
      (EmuSegment){.space = EMU_SPACE_BUFFER, .writable = true, .counted = true, .id = 106};
  s[WORLD_QUIET] = (EmuSegment){.space = EMU_SPACE_BUFFER,
                                .writable = true,
                                .size = WORLD_BUFFER_BYTES,
                                .bytes = outside + 2 * (size_t)buffer,
                                .id = 107,
                                .name = "quiet"};
  for (uint32_t i = 0; i < WORLD_SEGMENTS; i++)
    SR_PUSH(&w->arena, &w->program.segments, s[i]);
  w->program.arena = &w->arena;
  w->program.width = width;

  EmuLanes *l = &w->lanes;
  l->file = w->bytes;
  l->width = width;
  l->size = lanes;
  l->words = (lanes + 63) / 64;
  emu_mask_first(&l->exist, lanes, EMU_MASK_WORDS);
  l->on = l->exist;
  l->program = &w->program;
  l->segments = w->segments;
  l->shared = w->bytes + file;
  l->segment_shift = 7;
  l->seen = SR_NEW(&w->arena, EmuSeen, 1);
}

void world_free(World *w) {
  emu_seen_free(w->lanes.seen);
  free(w->bytes);
  sr_heap_free_all(&w->heap);
}

uint32_t world_register(const World *w, uint32_t n) {
  return w->registers + n * 8 * w->lanes.width;
}

void world_fill(World *w, uint64_t *seed) {
  for (size_t i = 0; i < w->size; i++)
    w->bytes[i] = (uint8_t)unit_below(seed, 256);
}
