/* SPDX-License-Identifier: Apache-2.0 */
/* check_steer: walks that together take every edge of a function. This is done for the input. Then
 * a scout does it for the output, which takes the place of the input on the scout's walks.
 *
 * An edge, or a pair of an edge into a block and an edge out of it, is *open* until a walk has
 * taken it. At each branch the lane is steered along the edge that leads to the nearest open one.
 * If the drawn numbers choose another edge, the search looks for a drawn number that would choose
 * the wanted one: it goes back from the condition through comparisons, sums and logic
 * (walk_solve.h) to a term (the hash from which a number is drawn), and fixes that term's number.
 * If the term's number was drawn in the current block, it has had no effect yet, and the block's
 * instructions run again; if it is older, the walk is repeated (as in directed testing: Godefroid,
 * Klarlund, Sen, DART, PLDI 2005). Nested loops may all test one number, so with the new number the
 * lane may leave the path before it reaches the edge. Then the walk is repeated without the fixed
 * number, and ignores the edge. An edge that fails a few times is given up, and stays uncovered.
 *
 * Bounds: an edge is given up after a constant number of failures; a walk ends some blocks after
 * its last progress; all walks of a function share a budget of blocks, linear in its size. If walks
 * that aim at open edges cover nothing new, walks without an aim may do so: where a switch tests a
 * number that a loop carries, perhaps only one of its cases leads further. In an output the path to
 * an edge is often decided long before, by the constants that a transform carries in phis: random
 * edges get there. */
#ifndef SR_CHECK_STEER_H
#define SR_CHECK_STEER_H

#include "passes/check/check_laps.h"
#include "passes/check/check_live.h"
#include "passes/walk/walk.h"

/* What happened to an edge on the current walk. */
typedef struct SrCheckTried {
  uint32_t epoch; /* epoch of the walk; if it is that of another walk, the entry is empty */
  uint32_t times; /* how often it was taken */
  bool in_vain;   /* it was a target, but could not be taken */
} SrCheckTried;

/* Where a walk goes. */
typedef enum SrCheckAim {
  SR_CHECK_NEAREST, /* to the nearest open edge */
  SR_CHECK_DRIFT,   /* first where the drawn numbers lead it */
  SR_CHECK_WANDER,  /* by random edges, unless an open one begins here */
  SR_CHECK_LAPS,    /* around a cycle by the plan of `laps`, then to the nearest edge that is not
                       covered, even if it was given up */
  SR_CHECK_PATH     /* along a given path, as far as numbers allow it */
} SrCheckAim;

typedef struct SrCheckSteer {
  SrArena *arena;
  const SrWalkCode *code; /* the code before */
  SrWalk *walk;
  SrCheckLaps laps;
  SrCheckLive live;     /* edges that are not live are neither counted nor aimed at */
  uint8_t *covered;     /* by edge */
  uint8_t *failures;    /* by edge: how often it could not be taken as a target */
  SrCheckTried *tried;  /* by edge */
  uint8_t *pair;        /* by pair: covered */
  uint32_t *pair_walk;  /* by pair: the walk (its epoch) that took it last */
  uint32_t *pair_at;    /* by block: its first pair, or SR_NONE: it has too many */
  uint32_t *pairs_open; /* by edge: number of open pairs that begin with it */
  uint32_t *place;      /* by edge: its number among the edges into its target */
  uint32_t *in_at, *in; /* edges into each block */
  uint32_t *distance;   /* by block: number of edges to the nearest open one; SR_NONE: none is
                         * reachable */
  uint32_t *to_end;     /* by block: number of edges to the nearest end */
  uint32_t *queue;
  uint32_t *next_edge; /* by block: where among its edges the search for an open one continues */
  uint32_t edges, pairs, edges_covered, pairs_covered; /* live ones */
  uint32_t open;     /* open edges, and edges with open pairs; 0: done */
  uint32_t closed;   /* how many open edges were taken since `distance` was last computed */
  uint32_t sparse;   /* this walk aims at every n-th open edge only; the seed decides at which */
  SrCheckAim aim_by; /* set by the caller */
  SR_VEC(uint32_t) given;      /* edges of the given path */
  SR_VEC(SrWalkDrawn) fixed;   /* numbers that the search fixed for this walk */
  SR_VEC(SrWalkDrawn) changed; /* numbers that it changed during the walk */
  uint32_t aim;                /* the edge for which the last of `fixed` were added, or SR_NONE */
  uint32_t fixed_before;       /* how many `fixed` held before these */
  uint32_t aim_fails;          /* the edge that fails if the aim is not reached */
  SR_VEC(uint32_t) missed;     /* aims that repeated walks did not reach */
  uint64_t size; /* of the function, in blocks; large blocks and large switches count for several */
  uint64_t budget; /* the number of blocks that may still be entered */
} SrCheckSteer;

/* Prepares the search for the walks of one function. `folds_from`, `fact`: see sr_check_live. */
void sr_check_steer_init(SrArena *arena, SrWalk *w, uint32_t folds_from, uint32_t *fact,
                         SrCheckSteer *s);
/* Makes one walk through the input, from the start to its end; the trace is in the walk. `sparse`,
 * a power of two: it aims at about one open edge in this many, because the nearest open edges can
 * keep it from others. */
void sr_check_steer(SrCheckSteer *s, uint64_t seed, uint32_t sparse);
/* Repeats, through the input, the walk that `scout` has just made through the output: the lane gets
 * the numbers that led the scout. */
void sr_check_steer_repeat(SrCheckSteer *s, const SrCheckSteer *scout);
/* Counts what the walk took on `side` as covered, up to the last block with an effect that was the
 * same in both modules; `blocks`: the number of blocks entered by then. */
void sr_check_steer_cover(SrCheckSteer *s, const SrWalkSide *side, uint32_t blocks);
/* To be called after sr_check_steer_cover: an edge that the walk took but could not cover is tried
 * only a few more times. */
void sr_check_steer_fail(SrCheckSteer *s);

#endif
