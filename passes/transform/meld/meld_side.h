/* SPDX-License-Identifier: Apache-2.0 */
/* meld_side: one side of a branch, as a sequence of instructions and regions.
 *
 *   entry: a; b; if (d) …; e; while (f) …; g      items: a b [if] e [while] g
 *
 * A side is what lies between one target of the branch and the join, the branch's immediate
 * post-dominator. Its *chain* consists of the blocks that all its lanes pass, from the entry along
 * immediate post-dominators. Between two of these lies nothing, or a *region* with one entry and
 * one exit:
 *
 *   selection   begins with the branch at the end of a chain block; `pre` is that block
 *   loop        begins with a chain block that heads a cycle; `pre` is the block before
 *
 * and ends at `stop`, the next chain block. The phis of `stop` belong to the region. */
#ifndef SR_MELD_SIDE_H
#define SR_MELD_SIDE_H

#include "passes/analysis/graph/cycle.h"
#include "passes/analysis/graph/dom.h"
#include "passes/ir/id_table.h"
#include "passes/transform/applied_line.h"
#include "passes/transform/counts.h"

enum { SR_MELD_OPCODES = 0x2000 };

/* What meld knows of a function during one round. */
typedef struct SrMeld {
  SrModule *m;
  SrFunction *f;
  SrArena *arena, *scratch; /* for one round; for one step of a round */
  const SrGraph *graph;
  const SrDom *dom, *pdom; /* pdom: node graph->count is the virtual exit */
  const SrNest *nest;
  const SrBits *cross_lane; /* see sr_cross_lane_functions */
  SrTransformCounts *counts;
  uint32_t threshold;  /* percentage of the sides' cost that melding must save */
  bool structured;     /* merge instructions are needed */
  uint64_t work;       /* number of steps that are left */
  uint32_t stamp;      /* of the latest side */
  uint32_t *mark;      /* by block: the latest side that holds it */
  uint32_t *number;    /* by block of a region: its place in it */
  SrBits *touched;     /* by block: melded in this round, or gone */
  SrApplied *end_line; /* by block of a side: the line and scope of its terminator */
  uint32_t *tally;     /* by opcode, SR_MELD_OPCODES entries: scratch, all 0 */
  uint32_t apart; /* id of a block where lanes communicate, which kept a branch from being melded */
} SrMeld;

typedef struct SrMeldItem {
  SrRef inst;      /* SR_NONE: the item is a region */
  uint32_t region; /* index in the side's regions */
  uint32_t block;  /* of an instruction */
  uint32_t cost;
  bool guarded; /* it must not run for lanes of the other side */
  SrApplied applied;
} SrMeldItem;

typedef SR_VEC(SrMeldItem) SrMeldItems;

typedef struct SrMeldPart {
  uint32_t block;
  uint32_t first, count; /* its instructions, in the side's `inner` */
} SrMeldPart;

typedef struct SrMeldRegion {
  bool loop;
  uint32_t pre, stop;   /* blocks */
  uint32_t part, parts; /* its blocks, in the side's `part`; in a loop the header is the first */
  uint32_t sign, signs; /* its shape, in the side's `sign`: equal words, equal shape */
  uint32_t cost;
} SrMeldRegion;

typedef struct SrMeldSide {
  uint32_t stamp;
  uint32_t last;     /* the chain block that leads to the join */
  SrMeldItems top;   /* the sequence */
  SrMeldItems inner; /* the instructions of regions */
  SR_VEC(SrMeldPart) part;
  SR_VEC(SrMeldRegion) region;
  SR_VEC(uint32_t) sign;
  SR_VEC(uint32_t) block; /* all its blocks */
  uint32_t cost;
} SrMeldSide;

/* Reads the side of the branch at the end of block `branch` that begins at `entry`. False if it
 * cannot be melded. Linear in the side; takes its size from k->work. */
bool sr_meld_side(SrMeld *k, uint32_t branch, uint32_t entry, uint32_t join, SrMeldSide *s);
/* Is the value defined in this side, which is the latest or the one before? */
bool sr_meld_in_side(const SrMeld *k, const SrMeldSide *s, uint32_t id);

#endif
