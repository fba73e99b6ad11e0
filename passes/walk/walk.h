/* SPDX-License-Identifier: Apache-2.0 */
/* walk: the walk of one lane through a function of the input (`before`) and then of the output
 * (`after`), and its observable effects. */
#ifndef SR_WALK_H
#define SR_WALK_H

#include "passes/walk/walk_code.h"
#include "passes/walk/walk_draw.h"

/* An effect in the input. */
typedef struct SrWalkEvent {
  uint64_t hash;   /* the instruction's SrWalkInst.hash */
  uint64_t memory; /* the hash of all effects up to this one */
  uint32_t operand, count;
  uint32_t inst;      /* in the code before */
  uint32_t path;      /* number of blocks entered by then */
  uint8_t nonuniform; /* as in SrWalkInst */
} SrWalkEvent;

typedef struct SrWalkTrace {
  SR_VEC(SrWalkEvent) event;
  SR_VEC(SrWalkValue) operand;
  bool whole; /* the lane left the function; otherwise the walk was cut off */
} SrWalkTrace;

/* What one of the transforms' variables held before a store. */
typedef struct SrWalkHeld {
  uint32_t own; /* its number, from 1 */
  SrWalkValue value;
} SrWalkHeld;

typedef struct SrWalkSide {
  const SrWalkCode *code;
  SrWalkValue *value; /* by id, as in SrWalkModule */
  uint64_t memory;
  SR_VEC(uint32_t) path; /* blocks entered */
  SR_VEC(uint32_t) edge; /* edges by which it entered them: one fewer */
  SR_VEC(SrWalkValue) phi;
  SR_VEC(SrWalkValue) own; /* the contents of the transforms' variables */
  SR_VEC(SrWalkHeld) held; /* what the stores of the current block have overwritten */
} SrWalkSide;

/* Which comparisons of integers are computed on a walk. The others are drawn like all uninterpreted
 * instructions, so that every path can be walked, whatever the numbers. */
typedef enum SrWalkComparisons {
  SR_WALK_COMPUTE_ALL,
  SR_WALK_COMPUTE_FIXED, /* those added by transforms, and those whose operands depend on no drawn
                          * number, which transforms may fold */
  SR_WALK_COMPUTE_OWN    /* those added by transforms */
} SrWalkComparisons;

/* What walks have shown of a comparison that the input does not have under its id. */
typedef enum SrWalkLearned {
  SR_WALK_UNKNOWN,
  SR_WALK_COPIED, /* the input has drawn its result each time: perhaps a copy */
  SR_WALK_ADDED   /* it has not: added by a transform */
} SrWalkLearned;

typedef struct SrWalk {
  SrArena *arena;
  SrWalkDraw *draw;
  SrWalkComparisons comparisons;
  bool draws_masks;  /* the input's bitwise ANDs are drawn, not computed, so that the same bits of
                      * different numbers may decide differently */
  uint32_t own_from; /* ids from here on were added by transforms */
  bool doubtful;     /* set by sr_walk_after: the result depends on whether a transform added a
                      * comparison, or copied it from the input */
  bool as_copies;    /* treats such comparisons as copies */
  bool scouts;       /* the output takes the place of the input: the walk only looks for numbers
                      * that lead a lane to its edges (sr_check_steer_repeat) */
  uint8_t *learned;  /* by instruction of the output: SrWalkLearned; NULL: not noted */
  SrWalkSide before, after;
  SrWalkTrace trace;
  SR_VEC(SrWalkNode) node;  /* of the input; the first is unused */
  SR_VEC(SrWalkValue) part; /* components of vectors; the first is unused */
  /* where the output differs from the input: */
  const char *difference; /* NULL: nowhere */
  uint32_t event;         /* the first effect that differs; trace.event.count: the output has one
                             more */
  uint32_t inst;          /* the instruction in the code after; SR_NONE: at the end of a block */
  uint32_t agreed;        /* blocks of the output entered up to the last effect that was the
                           * same */
} SrWalk;

/* Begins a walk through the input: draws parameters and specialization constants. The search fixes
 * numbers after sr_walk_draw_begin and before this call. */
void sr_walk_begin(SrWalk *w);

/* Enters a block by an edge (SR_NONE: at the start of the function), and computes its phis. */
void sr_walk_enter(SrWalk *w, SrWalkSide *s, uint32_t edge);
/* Runs the instructions of a block of the input that the lane has just entered, or runs them again
 * after the caller has restored the state that they began with. */
void sr_walk_before(SrWalk *w, uint32_t block);
/* The state of the walk through the input at the start of a block's instructions. */
typedef struct SrWalkSpot {
  uint64_t memory;
  uint32_t events, operands;
} SrWalkSpot;

/* Notes the state, to go back to it from the end of the same block. */
SrWalkSpot sr_walk_spot(const SrWalk *w);
void sr_walk_go_back(SrWalk *w, SrWalkSpot at);
/* The edge that the lane takes; SR_NONE if its choice is undefined. Not for a block that ends in
 * SR_WALK_LEAVE. */
uint32_t sr_walk_edge(const SrWalkSide *s, uint32_t block);

/* The edge that a switch takes for a number. */
uint32_t sr_walk_case(const SrWalkCode *code, const SrWalkBlock *b, uint64_t number);

/* Walks through the output from its start, through at most `limit` blocks, and compares it with the
 * trace. Sets w->difference. */
void sr_walk_after(SrWalk *w, uint64_t limit);

/* Draws a number and makes it a value. `visit`: see walk_compute.h; 0: in the output. */
void sr_walk_number(SrWalk *w, SrWalkValue *out, uint64_t term, unsigned width, uint32_t visit);
/* The value of an id on the walk; undefined if nothing has set it. */
static inline const SrWalkValue *sr_walk_value(const SrWalkSide *s, uint32_t epoch, uint32_t id) {
  static const SrWalkValue undefined = {.undefined = true};
  const SrWalkValue *v = &s->value[id];
  return v->epoch == epoch || v->epoch == SR_WALK_ALWAYS ? v : &undefined;
}

#endif
