/* SPDX-License-Identifier: Apache-2.0 */
/* segment_cache: a fully associative cache of memory segments, which evicts the least recently used
 * one. It only compares segments for equality, so the host's addresses do not matter. */
#ifndef EMU_SEGMENT_CACHE_H
#define EMU_SEGMENT_CACHE_H

#include "passes/base/arena.h"

#include <stdbool.h>

typedef struct EmuSegmentLine {
  uint64_t segment;
  uint32_t older, newer; /* lines; SR_NONE: none */
  uint32_t next;         /* next line in its bucket */
} EmuSegmentLine;

typedef struct EmuSegmentCache {
  uint32_t room, count; /* number of lines, and of lines in use */
  uint32_t oldest, newest;
  uint32_t bucket_bits;
  uint32_t *buckets; /* first line, or SR_NONE */
  EmuSegmentLine *lines;
} EmuSegmentCache;

/* An empty cache of `room` segments, 1 or more. */
EmuSegmentCache emu_segment_cache_new(SrArena *arena, uint32_t room);
/* Touches a segment: adds it to the cache if it is not there. True: it was. */
bool emu_segment_cache_touch(EmuSegmentCache *cache, uint64_t segment);

#endif
