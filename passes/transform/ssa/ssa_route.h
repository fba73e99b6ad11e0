/* SPDX-License-Identifier: Apache-2.0 */
/* ssa_route: where a lane on its route through the added blocks may need a new name for a value.
 *
 * A lane that left one user block passes added blocks on its route to the next. A name that it
 * carries holds as long as the block that defines it dominates; the first block on the route that
 * it does not dominate is a join, which needs a phi if lanes with other names (or without the
 * value) reach it too. The route itself may be long; but in structured control flow few edges leave
 * what a block dominates: to the merge of the selection around it, to the next arm of its switch,
 * to its loop's merge, continue target or header. So the next join is found in the block's
 * dominance frontier (Cytron et al. 1991), which has at most a handful of blocks, by the lane's
 * target. Only lanes that leave or repeat a loop are followed step by step, which takes few steps.
 * Where control flow is not structured (reconverge), the caller knows the routes. */
#ifndef SR_SSA_ROUTE_H
#define SR_SSA_ROUTE_H

#include "analysis/cycle.h"
#include "analysis/dom.h"

/* Blocks of the new graph that make up the loop of a cycle; SR_NONE where it lacks one. */
typedef struct SrLoopBlocks {
  uint32_t header, cont, merge;
  uint32_t end; /* passed by lanes that leave or repeat the loop without a jump */
} SrLoopBlocks;

/* An edge that leaves the region that a block dominates. */
typedef struct SrExit {
  uint32_t from, join;
} SrExit;

typedef struct SrRoutes {
  /* set by the caller */
  const SrGraph *graph;      /* the new graph */
  const SrDom *dom;          /* its dominators */
  const SrNest *nest;        /* of the old graph */
  const uint32_t *new_of;    /* by old block: new block, SR_NONE if dropped */
  const uint32_t *loop;      /* by new block: cycle in whose loop it lies, SR_NONE: in none */
  const SrLoopBlocks *loops; /* by cycle */
  bool ends;                 /* some loop has an end */
  /* NULL where control flow is structured. Else `next` and `comes_round` serve for sr_route_next
   * and sr_route_comes_round; `nest`, `loop`, `loops` and sr_routes_init are not needed. Lanes that
   * reach an added block where routes meet (`is_flow`) pass further such blocks, the same ones for
   * every target up to some point. `up`: the next of them where a name since that block does not
   * hold, or SR_NONE; `depth`: how many there are; `last`: the last of them that a lane headed for
   * old block `target` reaches. */
  SrExit (*next)(const void *user, uint32_t name, uint32_t at, uint32_t target);
  bool (*comes_round)(const void *user, uint32_t name, uint32_t at, uint32_t target);
  bool (*is_flow)(const void *user, uint32_t block);
  uint32_t (*up)(const void *user, uint32_t block);
  uint32_t (*depth)(const void *user, uint32_t block);
  uint32_t (*last)(const void *user, uint32_t block, uint32_t target);
  /* The block to which a lane headed for old block `target` goes from the added block `at`. */
  uint32_t (*step)(const void *user, uint32_t at, uint32_t target);
  const void *user;
  /* made by sr_routes_init: by block, its dominance frontier, without the blocks that only jumps
   * reach */
  uint32_t *frontier_at;
  SrExit *frontier;
} SrRoutes;

/* Builds the frontiers, in `arena`. Cost: their size. */
void sr_routes_init(SrRoutes *r, SrArena *arena);
/* The edge to the first block that `name` does not dominate on the route of a lane at `at`, an
 * added block that `name` dominates, headed for old block `target`, not dominated by `name`. */
SrExit sr_route_next(const SrRoutes *r, uint32_t name, uint32_t at, uint32_t target);
/* Does a lane at `at`, headed for old block `target`, pass the block `name` (again), perhaps as its
 * target?
 *
 * In structured control flow the answer is not needed: a lane passes a block again only in a loop,
 * and a value that it carries around the loop has its name from before it. For if the value is live
 * in one block of a cycle where it is not defined, its definition dominates that block, hence the
 * whole cycle: it is live throughout, and all lanes that enter the loop have it. A join of it in
 * the cycle joins names of one value, and a back edge brings such a join its own phi (ssa_carry.c:
 * set_edge). (Of values that share phis at most one is live in a cycle then.) The value of a user
 * phi reaches its block without passing any user block. */
static inline bool sr_route_comes_round(const SrRoutes *r, uint32_t name, uint32_t at,
                                        uint32_t target) {
  return r->comes_round && (r->new_of[target] == name || r->comes_round(r->user, name, at, target));
}

#endif
