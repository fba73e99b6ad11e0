/* SPDX-License-Identifier: Apache-2.0 */
/* memory_world: see memory_world.h. */
#include "memory_world.h"
#include "cost/transactions.h"

#include <stdlib.h>

void world_make(World *w, uint32_t lanes) {
  memset(w, 0, sizeof *w);
  sr_heap_init(&w->heap);
  w->arena = sr_arena_new(&w->heap);
  uint32_t width = (lanes + EMU_CHUNK - 1) / EMU_CHUNK * EMU_CHUNK, row = 8 * width;
  uint32_t lane_at = WORLD_SCALARS * row;
  w->registers = lane_at + WORLD_LANE_BYTES * width;
  uint32_t file = w->registers + WORLD_REGISTERS * row;
  uint32_t buffer =
      (WORLD_BUFFER_BYTES + 15) / 8 * 8; /* so that the next is not at a multiple of 16 */
  w->size = file + WORLD_SHARED_BYTES + 4 * (size_t)buffer;
  w->bytes = aligned_alloc(64, (w->size + 63) / 64 * 64);
  memset(w->bytes, 0, w->size);
  uint8_t *outside = w->bytes + file + WORLD_SHARED_BYTES;

  EmuSegment *s = w->segments;
  s[WORLD_BUFFER] =
      (EmuSegment){EMU_SPACE_BUFFER, true, true, 0, WORLD_BUFFER_BYTES, outside, 101, NULL};
  s[WORLD_READ_ONLY] = (EmuSegment){EMU_SPACE_BUFFER,         false, true, 0, WORLD_BUFFER_BYTES,
                                    outside + (size_t)buffer, 102,   NULL};
  s[WORLD_SHARED] =
      (EmuSegment){EMU_SPACE_WORKGROUP, true, false, 8, WORLD_SHARED_BYTES - 16, NULL, 103, NULL};
  s[WORLD_LANE] =
      (EmuSegment){EMU_SPACE_LANE, true, false, lane_at, WORLD_LANE_BYTES, NULL, 104, NULL};
  s[WORLD_ROWS] =
      (EmuSegment){EMU_SPACE_ROWS, true, false, 0, (uint64_t)WORLD_SCALARS * row, NULL, 105, NULL};
  s[WORLD_UNBOUND] = (EmuSegment){EMU_SPACE_BUFFER, true, true, 0, 0, NULL, 106, NULL};
  s[WORLD_QUIET] = (EmuSegment){
      EMU_SPACE_BUFFER, true, false, 0, WORLD_BUFFER_BYTES, outside + 2 * (size_t)buffer, 107,
      "quiet"};
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
}

void world_free(World *w) {
  emu_seen_free(&w->lanes.seen);
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
