/* SPDX-License-Identifier: Apache-2.0 */
/* points: the places of a shader at which its tangles are observed.
 *
 * A point is at the start of each block, after each call, and after each instruction whose result
 * depends on the tangle; between two of them no rule changes a tangle. One more point, without a
 * tangle, is before each OpSwitch: it records the selector. Blocks are numbered across all
 * functions, so a list of points is the path of an invocation. */
#ifndef OB_POINTS_H
#define OB_POINTS_H

#include "passes/ir/module.h"

typedef enum ObKind {
  OB_BLOCK,
  OB_RETURN,   /* after a call */
  OB_AFTER,    /* after an instruction whose result depends on the tangle */
  OB_SELECTOR, /* the selector of the block's OpSwitch, not a tangle */
} ObKind;

/* How a block ends. */
typedef enum ObEnd { OB_ENDS, OB_BRANCHES, OB_SPLITS, OB_SWITCHES } ObEnd;

/* Points are identified by their indices; SR_NONE: none. */
typedef struct ObPoint {
  ObKind kind;
  uint32_t block;         /* id of its OpLabel */
  uint32_t next;          /* the next point in the block */
  uint32_t callee;        /* the function called before `next`, as its first point */
  ObEnd end;              /* of the block */
  uint32_t merge, target; /* OB_BLOCK: the merge block and the continue target that it declares */
  uint32_t first_successor, successor_count; /* of the block, in ObPoints.successors, ascending */
  bool has_atomic; /* there is an atomic operation that returns a value before `next` */
  bool has_group;  /* there is an instruction whose result depends on the tangle before `next` */
  uint32_t line;   /* of the source; 0: not known */
  char *text;      /* "function main, block %17, after OpGroupNonUniformIAdd, blur.comp:12" */
} ObPoint;

typedef struct ObPoints {
  ObPoint *at;
  uint32_t count;
  uint32_t *successors;
  uint32_t entry; /* the first point of the entry point */
} ObPoints;

/* Where a point's code goes. */
typedef struct ObSite {
  SrList *list;
  SrRef before;
  uint32_t selector; /* of OB_SELECTOR: an id */
} ObSite;

/* Sets the points, which ob_points_free frees even after a failure, and *sites, by point, in
 * `arena`. `entry`: the id of the entry point's function. Fails if the module has too many points,
 * or a function whose body is missing or newer than the grammar. Linear in the module, except for
 * sorting successors. */
SR_MUST_USE SrStatus ob_points_find(SrModule *m, SrArena *arena, uint32_t entry, ObPoints *points,
                                    ObSite **sites);
void ob_points_free(ObPoints *points);

#endif
