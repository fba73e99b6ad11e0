/* SPDX-License-Identifier: Apache-2.0 */
/* structure_construct: step 3 of the structure check (structure.c): one walk down the tree of
 * structural dominators gives each block its innermost construct. */
#include "passes/analysis/structure/structure_check.h"

bool sr_construct_has(const SrStructureCheck *c, const SrConstruct *k, uint32_t b) {
  const SrDom *d = c->dom;
  switch (k->kind) {
  case SR_CONSTRUCT_BODY:
    return true;
  case SR_CONSTRUCT_SELECTION:
  case SR_CONSTRUCT_SWITCH:
    return sr_dominates(d, k->header, b) && !sr_dominates(d, k->merge, b);
  case SR_CONSTRUCT_LOOP:
    return sr_dominates(d, k->header, b) && !sr_dominates(d, k->merge, b) &&
           !sr_dominates(d, k->target, b);
  case SR_CONSTRUCT_CONTINUE:
    return sr_dominates(d, k->target, b) && (b == k->latch || !sr_dominates(d, k->latch, b));
  }
  return false;
}

/* Opens a construct of header h inside `outer`; returns its index. */
static uint32_t open_construct(SrStructureCheck *c, uint32_t h, SrConstructKind kind,
                               uint32_t outer) {
  const SrStructureNode *n = &c->node[h];
  SrConstruct k =
      c->constructs.at[outer]; /* inherits the loop, switch and continue construct around */
  uint32_t self = c->constructs.count;
  k.kind = kind;
  k.header = h;
  k.merge = n->merge;
  k.target = n->target;
  k.latch = n->latch;
  if (kind == SR_CONSTRUCT_SWITCH)
    k.switch_ = self;
  if (kind == SR_CONSTRUCT_LOOP || kind == SR_CONSTRUCT_CONTINUE) {
    k.loop = self;
    k.switch_ = SR_NONE;
  }
  if (kind == SR_CONSTRUCT_CONTINUE)
    k.continue_ = self;
  SR_PUSH(&c->scratch, &c->constructs, k);
  return self;
}

/* Opens the constructs that b heads. A loop's continue construct follows its loop construct. */
static void open_constructs(SrStructureCheck *c, uint32_t b) {
  SrStructureNode *n = &c->node[b];
  n->inner = n->outer;
  if (sr_structure_is_switch(c, b))
    n->inner = open_construct(c, b, SR_CONSTRUCT_SWITCH, n->outer);
  else if (n->merge_op == SpvOpSelectionMerge)
    n->inner = open_construct(c, b, SR_CONSTRUCT_SELECTION, n->outer);
  else if (sr_structure_is_loop(c, b) && n->target == b)
    n->inner = open_construct(c, b, SR_CONSTRUCT_CONTINUE, n->outer);
  else if (sr_structure_is_loop(c, b)) {
    n->inner = open_construct(c, b, SR_CONSTRUCT_LOOP, n->outer);
    open_construct(c, b, SR_CONSTRUCT_CONTINUE, n->outer);
  }
}

/* Places b below its parent p in the dominator tree. */
static void place(SrStructureCheck *c, uint32_t b, uint32_t p) {
  SrStructureNode *n = &c->node[b];
  const SrStructureNode *parent = &c->node[p];
  const SrConstruct *around = sr_construct_of(c, p);
  n->arm = parent->arm;
  if (n->merge_of == p) {
    n->outer = parent->outer;
  } else if (n->target_of == p) {
    n->outer = parent->inner + 1;
  } else if (around->kind == SR_CONSTRUCT_CONTINUE && around->latch == p) {
    n->outer = c->node[around->header].outer; /* after the loop; the edge to it is a violation */
  } else {
    n->outer = parent->inner;
    if (sr_structure_is_switch(c, p))
      n->arm = b;
  }
}

void sr_structure_build_constructs(SrStructureCheck *c) {
  SR_PUSH(&c->scratch, &c->constructs,
          (SrConstruct){.kind = SR_CONSTRUCT_BODY,
                        .header = SR_NONE,
                        .merge = SR_NONE,
                        .loop = SR_NONE,
                        .switch_ = SR_NONE,
                        .continue_ = SR_NONE});
  c->node[0].outer = 0;
  open_constructs(c, 0);
  for (uint32_t i = 1; i < c->dom->reached; i++) {
    uint32_t b = c->dom->preorder[i];
    place(c, b, c->dom->idom[b]);
    open_constructs(c, b);
  }
}
