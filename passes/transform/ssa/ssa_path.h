/* SPDX-License-Identifier: Apache-2.0 */
/* ssa_path: where a lane on its path through the added blocks may need a new name for a value.
 *
 * A lane that leaves a user block (a block of the input) passes added blocks on its path to the
 * next user block. A *name* is the SSA id that holds a value there. It is valid in the blocks
 * that the block of its definition dominates. The first block on the path outside of these is a
 * join, which needs a phi if lanes with other names, or without the value, reach it too. The
 * path may be long, but in structured control flow few edges leave the region that a block
 * dominates: to the merge of the selection around it, to the next arm of its switch, to its
 * loop's merge, continue target or header. So the next join is found by the lane's target in the
 * block's dominance frontier (Cytron et al. 1991), which has at most a handful of blocks. Only
 * lanes that leave or repeat a loop, or that reach the join by one of several edges, are
 * followed step by step, which takes few steps. Where control flow is not structured
 * (reconverge), the caller knows the paths. */
#ifndef SR_SSA_PATH_H
#define SR_SSA_PATH_H

#include "passes/analysis/graph/cycle.h"
#include "passes/analysis/graph/dom.h"

/* Blocks of the new graph that make up the loop of a cycle; SR_NONE: the loop has no such block. */
typedef struct SrLoopBlocks {
  uint32_t header, cont, merge;
  uint32_t end; /* passed by lanes that leave or repeat the loop without a jump */
} SrLoopBlocks;

/* An edge that leaves the region that a block dominates. In a frontier, `from` is SR_NONE if
 * several edges lead from the region to the join. */
typedef struct SrExit {
  uint32_t from, join;
} SrExit;

typedef struct SrSsaPaths {
  /* set by the caller */
  const SrGraph *graph;      /* the new graph */
  const SrDom *dom;          /* its dominators */
  const SrNest *nest;        /* of the old graph */
  const uint32_t *new_of;    /* by old block: new block, SR_NONE if dropped */
  const uint32_t *old_of;    /* by new block: old block, SR_NONE: added */
  const uint32_t *loop;      /* by new block: cycle in whose loop it lies, SR_NONE: in none */
  const SrLoopBlocks *loops; /* by cycle */
  bool ends;                 /* some loop has an end */
  /* NULL where control flow is structured. Else `next` and `comes_round` serve for sr_ssa_path_next
   * and sr_ssa_path_comes_round; `nest`, `loop`, `loops` and sr_ssa_paths_init are not needed. From
   * an added block where paths meet (`is_flow`), lanes follow one chain of such blocks; the target
   * decides where they leave it. `up`: the first block of the chain that `block` does not dominate,
   * so that a name defined in `block` is not valid there; SR_NONE: none. `depth`: the length of the
   * chain of `up` from `block`. `last`: the last block of that chain that a lane headed for old
   * block `target` reaches. */
  SrExit (*next)(const void *user, uint32_t name, uint32_t at, uint32_t target);
  bool (*comes_round)(const void *user, uint32_t name, uint32_t at, uint32_t target);
  bool (*is_flow)(const void *user, uint32_t block);
  uint32_t (*up)(const void *user, uint32_t block);
  uint32_t (*depth)(const void *user, uint32_t block);
  uint32_t (*last)(const void *user, uint32_t block, uint32_t target);
  /* The block to which a lane headed for old block `target` goes from the added block `at`. */
  uint32_t (*step)(const void *user, uint32_t at, uint32_t target);
  const void *user;
  /* Built by sr_ssa_paths_init. By block: its dominance frontier, reduced to blocks that edges from
   * added blocks lead to, and without merge blocks and continue targets of loops, which only breaks
   * and continues reach. */
  uint32_t *frontier_at;
  SrExit *frontier;
} SrSsaPaths;

/* Builds the frontiers, in `arena`. Cost: their size. */
void sr_ssa_paths_init(SrSsaPaths *r, SrArena *arena);
/* The edge to the next join: follows the path of a lane from the added block `at` to old block
 * `target`, up to the first block that `name` does not dominate. `name` must dominate `at` and must
 * not dominate `target`. In the result, `from` is SR_NONE if the join is known, but finding the
 * edge by which lanes reach it would take long. */
SrExit sr_ssa_path_next(const SrSsaPaths *r, uint32_t name, uint32_t at, uint32_t target);
/* Does a lane in block `at`, headed for old block `target`, pass block `name` again, perhaps as its
 * target?
 *
 * In structured control flow the answer is always no: a lane passes a block again only in a loop,
 * and a value that is carried around the loop was defined before the loop. (If a value is live in a
 * block of a cycle and is not defined in the cycle, its definition dominates that block and so the
 * whole cycle: the value is live in all of it, and all lanes that enter the loop have it.) A join
 * in the cycle joins names of one value, and its phi is its own operand for the back edge
 * (ssa_carry.c: set_edge). Of the values that share phis at most one is live in a cycle. The value
 * of a phi of the input reaches the phi's block without passing any user block. */
static inline bool sr_ssa_path_comes_round(const SrSsaPaths *r, uint32_t name, uint32_t at,
                                           uint32_t target) {
  return r->comes_round && (r->new_of[target] == name || r->comes_round(r->user, name, at, target));
}

#endif
