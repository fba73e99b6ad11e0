/* ssa_route: where a lane on its way through the added blocks may need a new name for a value.
 *
 * A lane that left one user block walks through added blocks to the next. A name that it carries
 * holds as long as the block that defines it dominates; the first block on the way that it does
 * not dominate is a join, in need of a phi if lanes with other names (or without the value) come
 * there too. The way itself may be long; but in structured control flow few edges leave what a
 * block dominates: to the merge of the selection in whose arm it stands, to the next arm of its
 * switch, to its loop's merge, continue target or header. So the next join is found in the block's
 * dominance frontier (Cytron et al. 1991), of at most a handful of blocks, by where the lane is
 * headed. Only lanes that leave a loop or go round it are followed step by step: they do so at
 * once. Where control flow is not structured (reconverge), the caller knows the ways. */
#ifndef SR_SSA_ROUTE_H
#define SR_SSA_ROUTE_H

#include "analysis/cycle.h"
#include "analysis/dom.h"

/* Blocks of the new graph that make up the loop of a cycle; SR_NONE where there is none. */
typedef struct SrLoopBlocks {
  uint32_t header, cont, merge;
  uint32_t end; /* where lanes pass that leave or go round and do not jump */
} SrLoopBlocks;

/* An edge out of what a block dominates. */
typedef struct SrExit {
  uint32_t from, join;
} SrExit;

typedef struct SrRoutes {
  /* set by the caller */
  const SrGraph *graph;      /* the new graph */
  const SrDom *dom;          /* of it */
  const SrNest *nest;        /* of the old graph */
  const uint32_t *new_of;    /* by old block: new block, SR_NONE if dropped */
  const uint32_t *loop;      /* by new block: cycle in whose loop it stands, SR_NONE: in none */
  const SrLoopBlocks *loops; /* by cycle */
  bool ends;                 /* some loop has an end */
  /* Where control flow is not structured, else NULL: as sr_route_next and sr_route_comes_round.
   * `nest`, `loop` and `loops` are not needed then, nor is sr_routes_init. Lanes that come to an
   * added block where ways meet (`is_flow`) pass more such, wherever they are headed, up to some;
   * `up`: the next one that a name since that block does not reach, or SR_NONE; `depth`: how many
   * there are; `last`: the last of these that a lane headed for old block `target` comes to. */
  SrExit (*next)(const void *user, uint32_t name, uint32_t at, uint32_t target);
  bool (*comes_round)(const void *user, uint32_t name, uint32_t at, uint32_t target);
  bool (*is_flow)(const void *user, uint32_t block);
  uint32_t (*up)(const void *user, uint32_t block);
  uint32_t (*depth)(const void *user, uint32_t block);
  uint32_t (*last)(const void *user, uint32_t block, uint32_t target);
  /* The block to which a lane goes from the added block `at` when headed for old block `target`. */
  uint32_t (*step)(const void *user, uint32_t at, uint32_t target);
  const void *user;
  /* made by sr_routes_init: by block, its dominance frontier, but for what only jumps lead to */
  uint32_t *frontier_at;
  SrExit *frontier;
} SrRoutes;

/* Builds the frontiers, in `arena`. Cost: their size. */
void sr_routes_init(SrRoutes *r, SrArena *arena);
/* The edge to the first block that `name` does not dominate on the way of a lane that stands at
 * `at`, an added block that `name` dominates, headed for old block `target`, which `name` does not
 * dominate. */
SrExit sr_route_next(const SrRoutes *r, uint32_t name, uint32_t at, uint32_t target);
/* Does a lane that comes to `at`, headed for old block `target`, pass the block `name` (once more),
 * perhaps as its target? In structured control flow the answer is not needed: lanes go round loops
 * only, and a value that they carry round has its name from before the loop. For if it is live in
 * one block of a cycle in which it is not defined, its definition dominates that block, so all of
 * the cycle: it is live in all of it, and all lanes that enter the loop have it. A join of it in
 * the cycle joins names of one value; edges back to such a join bring the join's own (ssa_carry.c:
 * set_edge). (Of those that share phis at most one is live in a cycle then.) What a user phi is,
 * lanes carry to its block at once. */
static inline bool sr_route_comes_round(const SrRoutes *r, uint32_t name, uint32_t at,
                                        uint32_t target) {
  return r->comes_round && (r->new_of[target] == name || r->comes_round(r->user, name, at, target));
}

#endif
