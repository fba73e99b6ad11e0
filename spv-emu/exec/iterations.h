/* SPDX-License-Identifier: Apache-2.0 */
/* iterations: why lanes are lost: how many iterations they make in each loop, and how often a block must be
 * issued at the least.
 *
 * A lane is in a loop (cycle.h) from the first block of the loop that it runs to the next block of
 * the same function that is not in the loop (calls aside). It ends an *iteration* whenever it
 * returns to the header. If it leaves from a block that leads back to the header, as in a loop that
 * tests its condition at the end, that counts as one more. So lanes that leave a `for` loop by its
 * condition have made as many iterations as the body ran.
 *
 * No schedule of a subgroup issues a block less often than the lane that runs it most often. That
 * number, summed over subgroups, is the block's `needed`. The issues beyond it are the most that a
 * policy can save in that block. The sum over blocks is the estimate of path_index.h. */
#ifndef EMU_ITERATIONS_H
#define EMU_ITERATIONS_H

#include "passes/base/vec.h"
#include "spv-emu/policy/block_table.h"

typedef struct EmuLoopPlace {
  uint32_t parent; /* the loop around it in the same function; SR_NONE: none */
  uint32_t function;
  uint32_t header;      /* block */
  uint32_t first, last; /* ranks of its blocks */
} EmuLoopPlace;

/* The loops of a program. */
typedef struct EmuLoops {
  const EmuLoopPlace *at; /* a loop comes after the one around it */
  uint32_t count;
  const uint32_t *inner; /* by block: the innermost loop; SR_NONE: none */
  const uint32_t *rank;  /* by block, in its function; SR_NONE: not reached */
  const uint32_t *back;  /* by block: the innermost loop to whose header it leads from inside the
                            loop; SR_NONE: none */
} EmuLoops;

typedef struct EmuLoopCount {
  uint64_t entries;     /* how often lanes entered together */
  uint64_t entered;     /* these lanes */
  uint64_t lanes;       /* that have left */
  uint64_t iterations;  /* of these lanes */
  uint32_t least, most; /* iterations of one of them */
} EmuLoopCount;

typedef struct EmuOpenLoop {
  uint32_t loop;
  EmuMask lanes;
  EmuMask returning; /* those whose last block leads back */
} EmuOpenLoop;

/* The iterations of one subgroup. The next one may use the record after emu_iterations_start. */
typedef struct EmuIterations {
  const EmuLoops *loops;
  const EmuBlockTable *table;
  SrArena *arena;
  uint32_t size, words;    /* lanes */
  EmuLoopCount *counts;    /* by loop */
  uint64_t *needed;        /* by block */
  uint32_t **iterations;   /* by loop, of each lane; NULL: the loop has not been entered */
  uint32_t **runs;         /* by block: how often each lane ran it; NULL: the block has not run */
  bool *ran;               /* by block: it is in `blocks` */
  SR_VEC(uint32_t) blocks; /* that this subgroup has run */
  SR_VEC(EmuOpenLoop) open;
} EmuIterations;

const EmuLoops *emu_loops_build(SrArena *arena, const EmuBlockTable *table);
static inline bool emu_loop_has(const EmuLoops *l, uint32_t loop, uint32_t block) {
  uint32_t rank = l->rank[block];
  return rank != SR_NONE && l->at[loop].first <= rank && rank <= l->at[loop].last;
}
/* The caller owns both arrays of counts, which subgroups add to. */
void emu_iterations_init(EmuIterations *t, SrArena *arena, const EmuLoops *loops,
                         const EmuBlockTable *table, uint32_t size, EmuLoopCount *counts,
                         uint64_t *needed);
void emu_iterations_start(EmuIterations *t);
/* The subgroup issues the block for these lanes. */
void emu_iterations_block(EmuIterations *t, uint32_t block, const EmuMask *on);
/* The subgroup has ended. */
void emu_iterations_end(EmuIterations *t);

#endif
