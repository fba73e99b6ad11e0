/* SPDX-License-Identifier: Apache-2.0 */
/* walk_draw: the numbers that uninterpreted instructions produce. A number depends only on the
 * walk's seed and on its *term*, the hash that is the instruction's result, so both sides draw the
 * same number. The search may fix the numbers of some terms before a walk, or change a number
 * during the walk while it has had no effect yet. */
#ifndef SR_WALK_DRAW_H
#define SR_WALK_DRAW_H

#include "passes/walk/walk_module.h"

/* The field `visit` of a number that is drawn before the first block is entered. */
#define SR_WALK_AT_THE_START UINT32_MAX

/* A term's number on this walk. */
typedef struct SrWalkDrawn {
  uint64_t term, number;
  uint32_t epoch; /* the walk; an entry of an earlier walk is empty */
  uint32_t visit; /* of the block in which it was first drawn, or SR_WALK_AT_THE_START; 0: fixed
                     before the walk */
} SrWalkDrawn;

typedef struct SrWalkDraw {
  SrArena *arena;
  SR_VEC(uint64_t) pool; /* the module's literals and constants */
  uint64_t seed;         /* of the walk */
  bool spread; /* this walk computes no comparisons, so it draws few numbers from the pool: equal
                  numbers would give equal results of all comparisons */
  uint32_t epoch;
  SrWalkDrawn *slot; /* open addressing; entries of this epoch fill at most half of the slots */
  uint32_t room, used;
} SrWalkDraw;

/* Collects the pool from the input. */
void sr_walk_draw_init(SrArena *arena, const SrModule *m, SrWalkDraw *d);
/* Begins a walk: no term has a number. */
void sr_walk_draw_begin(SrWalkDraw *d, uint64_t seed);
/* The term's entry, or NULL. Valid until the next entry is added. */
SrWalkDrawn *sr_walk_drawn(const SrWalkDraw *d, uint64_t term);
/* The term's number; records `visit` with it. */
uint64_t sr_walk_draw(SrWalkDraw *d, uint64_t term, unsigned width, uint32_t visit);
/* The same without recording anything: for the output. */
uint64_t sr_walk_draw_again(const SrWalkDraw *d, uint64_t term, unsigned width);
/* Sets a term's number: before the walk (`visit` 0), or during the walk, if the number was drawn in
 * that visit. */
void sr_walk_draw_fix(SrWalkDraw *d, uint64_t term, uint64_t number, uint32_t visit);

#endif
