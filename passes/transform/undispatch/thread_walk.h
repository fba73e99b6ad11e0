/* SPDX-License-Identifier: Apache-2.0 */
/* thread_walk: finds where lanes go when they leave a block, past all empty blocks whose choice is
 * known on the path.
 *
 *      A: s = c ? 3 : 5                    A: c ?
 *      |                                    |      \
 *      D: phi s, switch     =>              |       \
 *      3|   5|                              |        |
 *       B    C                              B        C
 *
 * From each block that lanes still run, a walk follows each of its edges with the values that phis
 * get on this path. It ends at the first block that has code, or whose choice is not known. A
 * choice among constants that a select made is a *fork*: the walk continues on both sides, and the
 * edge becomes a branch on the select's condition. Blocks where no walk ends are dropped. */
#ifndef SR_THREAD_WALK_H
#define SR_THREAD_WALK_H

#include "passes/transform/undispatch/thread_graph.h"

/* An empty block on a walk, and the position of the walk's edge among the block's predecessors. */
typedef struct SrThreadStep {
  uint32_t block, pred;
} SrThreadStep;

/* A path past empty blocks. */
typedef struct SrThreadPath {
  uint32_t first, count; /* steps */
  uint32_t to, pred;     /* the block where it ends, and the position of its last edge among that
                            block's predecessors */
} SrThreadPath;

/* Where an edge leads: the index of a path, or SR_THREAD_FORK with the index of a fork. */
typedef uint32_t SrThreadOut;
#define SR_THREAD_FORK 0x80000000u

typedef struct SrThreadFork {
  uint32_t condition; /* id */
  SrThreadOut out[2]; /* if the condition is true; if it is false */
} SrThreadFork;

typedef struct SrThreadPlan {
  SR_VEC(uint32_t) block; /* the blocks that still run, the entry first */
  SrBits *kept;           /* by block: is it among these? */
  uint32_t *out_at;       /* by index in `block`, and one more: its outgoing paths, in `out` */
  SR_VEC(SrThreadOut)
  out; /* one for each successor; only one if the block's choice is known, or if it forks */
  SR_VEC(SrThreadPath) path;
  SR_VEC(SrThreadFork) fork;
  SR_VEC(SrThreadStep) step;
  uint32_t decided; /* choices that were known */
} SrThreadPlan;

/* The plan, in t's arena. Time: each step reads the block's phis and code. All walks together are
 * limited to a constant number of steps for each instruction of the function, and to the function's
 * share of a constant number for the module; edges that are left when these are used up stay as
 * they are. */
SrThreadPlan *sr_thread_walk(SrThreadGraph *t);

#endif
