/* SPDX-License-Identifier: Apache-2.0 */
/* memory_world: a hand-made subgroup with one segment of every space, for tests of memory, atomics
 * and images. All memory is in one block of bytes, so that two worlds can be compared as a
 * whole. */
#ifndef MEMORY_WORLD_H
#define MEMORY_WORLD_H

#include "spv-emu/memory/memory.h"
#include "tests/unit/unit.h"

enum {
  WORLD_BUFFER = 1, /* segments */
  WORLD_READ_ONLY,
  WORLD_SHARED,
  WORLD_LANE,
  WORLD_ROWS,
  WORLD_UNBOUND,
  WORLD_QUIET, /* a buffer whose accesses do not count */
  WORLD_SEGMENTS,

  WORLD_BUFFER_BYTES = 4096 + 20,
  WORLD_SHARED_BYTES = 1000,
  WORLD_LANE_BYTES = 104,
  WORLD_SCALARS = 16, /* rows of 8 bytes for each lane in WORLD_ROWS */
  WORLD_REGISTERS = 24,
};

typedef struct World {
  SrHeap heap;
  SrArena arena;
  EmuProgram program;
  EmuLanes lanes;
  EmuSegment segments[WORLD_SEGMENTS];
  uint8_t *bytes; /* the register file, then the workgroup's memory, then the buffers */
  size_t size;
  uint32_t registers; /* byte offset of register 0; each has 8 bytes for each lane */
} World;

/* `lanes` lanes, all active; memory is zeros. To be freed with world_free. */
void world_make(World *w, uint32_t lanes);
void world_free(World *w);
uint32_t world_register(const World *w, uint32_t n);
/* Random bytes everywhere. */
void world_fill(World *w, uint64_t *seed);

#endif
