/* SPDX-License-Identifier: Apache-2.0 */
/* region: the regions of a control tree (control_tree.h).
 *
 * A region is a block, or a cycle, together with everything in its arms. It is entered at its top,
 * and control leaves it in one place only (its exit), or not at all: then every path ends in a
 * leaf, or in a jump to the continue target or out of the cycle around it. */
#ifndef SR_REGION_H
#define SR_REGION_H

#include "passes/analysis/graph/cycle.h"
#include "passes/transform/copy/copy_graph.h"

/* What must be copied. */
typedef enum SrCopyRule {
  SR_COPY_LEAST,         /* as little as SPIR-V's jumps and a choice by size allow */
  SR_COPY_STRICT,        /* all that keeps a region from being a hammock */
  SR_COPY_FORWARD_FIRST, /* the same, and before cycles are cut (exit_copy.h) */
} SrCopyRule;

typedef enum SrRegionKind {
  SR_REGION_BLOCK,
  SR_REGION_CYCLE,
  SR_REGION_TEST, /* after a cycle: is it this exit, or one of the next? */
} SrRegionKind;

/* Where an arm leads: its first region, or one of these values. */
enum {
  SR_ARM_THROUGH = 0x7ffffff0, /* empty arm: to the target of the region's exit */
  SR_ARM_REPEAT,               /* jump to the header of the enclosing cycle */
  SR_ARM_CONTINUE,             /* jump to that cycle's continue target */
};
/* Jump out of the enclosing cycle, by its i-th exit. */
#define SR_ARM_LEAVE(i) (0x80000000u | (i))

typedef struct SrRegion {
  SrRegionKind kind;
  bool copy;
  bool was_copied;          /* it, or the sequence that it begins, has been copied */
  bool fallen_into;         /* in an OpSwitch: the preceding arm falls into it */
  bool inside;              /* lies in its parent, which is a cycle, not in an arm after it */
  uint32_t of;              /* node of the copy graph, or cycle of the nest */
  uint32_t slot, arm_count; /* tree->arm[slot…]; for a block one arm per successor */
  uint32_t parent;          /* the region in whose arm, or in whose cycle, it lies */
  uint32_t child, sibling;  /* all regions in its arms, or in the cycle */
  uint32_t next;            /* the next region in its arm; SR_NONE: the parent's end */
  uint32_t body, latch;     /* of a cycle: regions of its header and its continue target */
  /* valid while it is in no arm: */
  uint32_t exit;        /* the region that its exit leads to; SR_NONE: none */
  uint32_t refs;        /* arms that lead to it */
  uint32_t root, depth; /* the end of the chain of exits from it; the length of the chain */
  uint64_t size;        /* instructions in it */
  uint32_t fixed;       /* a block in the region that must not be copied, or SR_NONE */
  uint64_t total;       /* its size and the sizes of the regions after it in the chain */
  uint64_t stake;       /* for a root: the sum of `total` over the arms that lead to it */
} SrRegion;

typedef struct SrControlTree {
  SrArena *arena;
  SrCopyGraph *c;
  SrGrowth *growth;
  SrCopyRule rule;
  const SrNest *nest; /* of c->graph, which is reducible */
  SR_VEC(SrRegion) region;
  SR_VEC(uint32_t) arm;
  uint32_t top;               /* the region of the entry; others follow by `next` */
  uint32_t *region_of;        /* by node: the region of the block, or of the cycle that it heads */
  struct SrCycleExits *exits; /* by cycle; cut.h */
  uint32_t forward_copies, cuts;
  uint32_t forward_copy_edges;          /* edges that lead to a forward copy */
  uint32_t out_edges;                   /* edges out of a region that do not lead to its exit */
  uint32_t epoch;                       /* of the current copy */
  SR_VEC(uint32_t) copy_of, copy_epoch; /* by region */
} SrControlTree;

/* A new region, in no arm yet, with arms that lead through. */
uint32_t sr_region_new(SrControlTree *t, SrRegionKind kind, uint32_t of, uint32_t arms);
/* Puts region r into region `parent`. */
void sr_region_adopt(SrControlTree *t, uint32_t parent, uint32_t r);

#endif
