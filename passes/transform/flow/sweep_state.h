/* SPDX-License-Identifier: Apache-2.0 */
/* sweep_state: the state of a sweep over the blocks in their order, as structurize, guard and
 * linearize do it.
 *
 * A block is *due* when it is the next to be placed. A *point* is a place where a block is still to
 * be put. It has in-edges and the set of target ranks of the lanes there, and it is the merge of at
 * most one frame. `cur` is the point reached so far. The stack holds *frames*:
 *
 *   selection   rest: lanes not placed yet      done: arms that have ended
 *   switch      the same, rest spread over the arms not begun yet
 *   loop        breaks: edges that leave it         conts: edges that start its next iteration
 *
 * Invariants of structurize's sweep:
 *   - a frame closes exactly when a block that it holds is due, so that every lane headed for the
 *     next block is at cur or passes the guard made for it
 *   - a rank is in the set of each frame (or cur) that holds lanes headed for it; pend[rank] lists
 *     the sets it was put into, and the union-find maps these to the frames that hold them now
 *   - a point that is the merge of a frame becomes a block before another frame closes on it */
#ifndef SR_SWEEP_STATE_H
#define SR_SWEEP_STATE_H

#include "passes/base/rank_set.h"
#include "passes/transform/flow/flow.h"
#include "passes/transform/goal.h"

#include <assert.h>

/* An in-edge of a point: a slot of a block, or both slots (BOTH) of a two-way user block whose
 * branch leads nowhere yet. Lists are linked, so that points join in O(1). */
typedef struct InEdge {
  uint32_t block, slot, rank, next; /* rank: of its target; SR_NONE: sel holds it */
} InEdge;

#define BOTH UINT32_MAX

typedef struct Point {
  uint32_t first, last; /* in-edges; first SR_NONE: no such point */
  uint32_t set;         /* ranks of its lanes' targets, or SR_NONE where they no longer matter */
  uint32_t merge_of;    /* index of the closed frame in `closed`, or SR_NONE */
} Point;

typedef enum FrameKind { SELECTION, SWITCH, LOOP } FrameKind;

#define SEVERAL_ARMS (SR_NONE - 1)

/* An arm of a switch that is not begun yet. */
typedef struct Arm {
  uint32_t rank, slot;
} Arm;

typedef struct Frame {
  FrameKind kind;
  uint32_t header;       /* flow block; of a loop SR_NONE until its header block is made */
  Point rest, done;      /* selection and switch */
  uint32_t arm, arm_end; /* switch: arms not begun, by rank, in `arms` */
  uint32_t begun;        /* switch: arms begun */
  uint32_t arm_slot;     /* the header's slot to the arm that cur is in, or SR_NONE */
  uint32_t arm_done;     /* done.last when that arm began; edges that no lane takes do not count */
  uint32_t only_arm; /* the slot of the one arm whose lanes are in `done`; SR_NONE: there is none;
                      * SEVERAL_ARMS: they come from several, or from the header itself */
  uint32_t left_for; /* the lowest frame to the end of which lanes inside this one have jumped, or
                      SR_NONE */
  uint32_t cycle;    /* loop, as all fields below: its cycle */
  bool dispatch;     /* the cycle has several entries, which sel distinguishes */
  uint32_t natural, cont; /* the cycle's natural continue target (block of the input); the loop's
                           * continue target (flow block) */
  uint32_t latch;         /* with a natural continue target: the source of the back edge */
  Point breaks, conts;
  uint32_t above, below; /* sets of the breaks' targets: those above the cycle's ranks; those below,
                          * each as ~rank */
  bool cases_break;      /* a switch inside the loop has breaks */
} Frame;

/* A closed frame. Its merge is the block that was made from the point with its index in
 * `merge_of`. */
typedef struct Closed {
  SrMergeKind kind;
  uint32_t header, cont;
  bool cases_break;
  bool is_switch; /* a selection that is an OpSwitch */
  bool to_switch; /* a branch with an edge that leaves the innermost switch */
} Closed;

/* An entry of pend: one set that the rank was put into. */
typedef struct Pending {
  uint32_t set, next;
} Pending;

typedef struct Sweep {
  SrArena *arena, scratch;
  const SrGraph *g;
  const SrNest *nest;
  const SrBits *is_switch;
  uint32_t depth_limit;
  SrGoal goal;
  bool portable;        /* see sweep.h */
  const SrBits *hinted; /* see sweep.h */
  SrFlowGraph *flow;
  SrRankSets ranks;
  SR_VEC(InEdge) edge;
  SR_VEC(Frame) stack;
  SR_VEC(Arm) arms;
  SR_VEC(Pending) pending;
  SR_VEC(uint32_t) loops; /* stack indices of open loops */
  SR_VEC(Closed) closed;
  SR_VEC(uint32_t) switches; /* stack indices of switches */
  uint32_t *pend;            /* by rank: first Pending, or SR_NONE */
  Point cur;
  uint32_t next_cycle; /* the next to open: cycles open in the order of nest->cycles */
} Sweep;

/* In portable structure, a loop is not left from inside a switch. Lanes that will leave the loop
 * wait for the merge of the switch, as if it were a block after all others. In sets of targets they
 * have one of these two ranks: the first if their target has a rank above those of the loop, the
 * second if below. The selector holds their true targets. */
static inline uint32_t out_above(const Sweep *s) {
  return s->nest->count;
}
static inline uint32_t out_below(const Sweep *s) {
  return s->nest->count + 1;
}

#define NOWHERE ((Point){SR_NONE, SR_NONE, SR_NONE, SR_NONE})

static inline bool exists(const Point *p) {
  return p->first != SR_NONE;
}

static inline uint32_t rank_of(const Sweep *s, uint32_t user, uint32_t slot) {
  return s->nest->rank[s->g->succ[s->g->succ_at[user] + slot]];
}

static inline SrFlowBlock *block_at(const Sweep *s, uint32_t b) {
  return &s->flow->block.at[b];
}

static inline SrSlot *slot_at(const Sweep *s, uint32_t b, uint32_t slot) {
  return &s->flow->slot.at[block_at(s, b)->slot + slot];
}

static inline bool is_switch_block(const Sweep *s, uint32_t b) {
  uint32_t user = block_at(s, b)->user;
  return user != SR_NONE && sr_bit(s->is_switch, user);
}

/* Is a switch open inside the innermost open loop, or in none if there is none? */
static inline bool in_switch(const Sweep *s) {
  return s->switches.count && (!s->loops.count || SR_LAST(&s->switches) > SR_LAST(&s->loops));
}

static inline Frame *innermost_loop(const Sweep *s) {
  return s->loops.count ? &s->stack.at[SR_LAST(&s->loops)] : NULL;
}

/* Is the innermost open construct a loop? */
static inline bool directly_in_loop(const Sweep *s) {
  return s->loops.count && SR_LAST(&s->loops) == s->stack.count - 1;
}

/* ---- blocks and points ---- */

uint32_t sr_sweep_new_block(Sweep *s, SrRole role, uint32_t user, uint32_t slots);
/* An added block on an edge of a switch; it is written directly after the switch. */
uint32_t sr_sweep_new_case_block(Sweep *s, uint32_t header);
Point sr_sweep_point_of(Sweep *s, uint32_t block, uint32_t slot, uint32_t rank, uint32_t set);
void sr_sweep_add_in_edges(Sweep *s, Point *to, const Point *from);
/* Lets all in-edges of p lead to `target`; with need_sel each sets sel to its target. */
void sr_sweep_patch(Sweep *s, const Point *p, uint32_t target, bool need_sel);
/* Makes `target` the merge of the frame that p is the merge of, if any. */
void sr_sweep_set_merge(Sweep *s, const Point *p, uint32_t target);
/* Makes an added block from a point; `sel_known`: sel holds each lane's target there. */
uint32_t sr_sweep_place(Sweep *s, const Point *p, uint32_t slots, SrRole role, bool sel_known);
/* Returns p, unless p is the merge of a frame: then makes that merge block, and returns the point
 * after it. */
Point sr_sweep_solid(Sweep *s, Point p);
/* Makes an added block from a point with a set, and returns the point after it. */
Point sr_sweep_pass_block(Sweep *s, Point p);
bool sr_sweep_several_targets(const Sweep *s, uint32_t set);
/* Notes that the frame (index in the stack; SR_NONE: cur) holds the set. */
void sr_sweep_hold(Sweep *s, uint32_t set, uint32_t frame);
void sr_sweep_add_target(Sweep *s, uint32_t set, uint32_t rank);
/* Notes that a frame was closed; returns its index in `closed`. */
uint32_t sr_sweep_note_closed(Sweep *s, const Frame *f);
/* The same for a selection at block `header` that was not a frame: one of its edges jumps;
 * `to_switch`: it leaves the innermost switch. */
uint32_t sr_sweep_note_selection(Sweep *s, uint32_t header, bool to_switch);
/* The only rank of a set, or SR_NONE: sel holds it. */
uint32_t sr_sweep_only_rank(const Sweep *s, uint32_t set);

#endif
