/* SPDX-License-Identifier: Apache-2.0 */
/* structure_check: what the parts of the verifier of structured control flow share (structure.h).
 *
 *   structure.c            the steps in order, the joins of MaximallyReconvergesKHR
 *   structure_rule.c       the rules' names, the record of a violation
 *   structure_declare.c    steps 1 and 2: declarations, back edges
 *   structure_construct.c  step 3: which construct is each block in
 *   structure_edge.c       step 4: edges and cases
 *   structure_cause.c      for messages: the edge at fault, the entries of a cycle
 *   structure_portable.c   the rules of portable structure, which structured languages have */
#ifndef SR_STRUCTURE_CHECK_H
#define SR_STRUCTURE_CHECK_H

#include "passes/analysis/graph/cycle.h"
#include "passes/analysis/structure/structure.h"
#include "passes/base/compiler.h"

typedef enum SrConstructKind {
  SR_CONSTRUCT_BODY,
  SR_CONSTRUCT_SELECTION,
  SR_CONSTRUCT_SWITCH,
  SR_CONSTRUCT_LOOP,
  SR_CONSTRUCT_CONTINUE
} SrConstructKind;

typedef struct SrConstruct {
  SrConstructKind kind;
  uint32_t header, merge;
  uint32_t target, latch; /* of a loop: continue target, back-edge block */
  /* Construct indices: the innermost construct of each kind that holds this one or is this one;
   * SR_NONE: there is none. */
  uint32_t loop;      /* loop or continue construct */
  uint32_t switch_;   /* switch with no loop between */
  uint32_t continue_; /* continue construct */
} SrConstruct;

/* Facts about a block. Fields are block indices, except `outer` and `inner` (construct indices) and
 * the opcodes. */
typedef struct SrStructureNode {
  uint32_t merge, target; /* what it declares as a header */
  uint32_t merge_of;      /* the header whose merge block it is */
  uint32_t target_of;     /* the loop header, other than itself, whose continue target it is */
  uint32_t case_of;       /* the switch header that branches to it as a case */
  uint32_t latch;         /* of a loop header: the source of its back edge */
  uint32_t arm; /* the innermost switch header's child in the dominator tree that dominates it */
  uint32_t falls_to, falls_from; /* of a case: its neighbours by fall-through */
  uint32_t outer, inner;         /* innermost construct, without and with those that it heads */
  uint16_t merge_op;             /* SpvOpLoopMerge, SpvOpSelectionMerge, or SpvOpNop */
  uint16_t end_op;               /* of its terminator */
} SrStructureNode;

typedef struct SrStructureCheck {
  const SrModule *m;
  const SrFunction *f;
  SrArena *arena; /* of the result */
  SrArena scratch;
  SrGraph *cfg, *structural;
  SrDom *dom;         /* structural */
  SrBits *live;       /* blocks that the entry reaches by branches, without merge declarations */
  SrNest *nest;       /* NULL: not needed yet */
  SrBits *dead_cases; /* blocks that cases reach by branches, but the entry does not */
  SrStructureNode *node;
  SR_VEC(SrConstruct) constructs; /* 0 is the function's body */
  SrViolations *out;
  uint32_t limit;
  uint32_t validator; /* the version of SPIRV-Tools whose reading of the rules is followed */
  bool counts;        /* violations are counted, but not recorded: out->at stays empty */
  bool kernel;        /* only the rules that hold in kernels */
} SrStructureCheck;

typedef struct SrStructureEdge {
  uint32_t from, to;
} SrStructureEdge;

static inline uint32_t sr_structure_id(const SrStructureCheck *c, uint32_t block) {
  return c->f->blocks[block].id;
}

static inline bool sr_structure_reached(const SrStructureCheck *c, uint32_t b) {
  return c->dom->enter[b] != SR_NONE;
}

static inline bool sr_structure_is_loop(const SrStructureCheck *c, uint32_t b) {
  return c->node[b].merge_op == SpvOpLoopMerge;
}

static inline bool sr_structure_is_switch(const SrStructureCheck *c, uint32_t b) {
  return c->node[b].merge_op == SpvOpSelectionMerge && c->node[b].end_op == SpvOpSwitch;
}

static inline const SrConstruct *sr_construct_of(const SrStructureCheck *c, uint32_t b) {
  return &c->constructs.at[c->node[b].inner];
}

/* Records a violation: the text, and the section of the specification. With `counts` only counts
 * it. */
SR_PRINTF(6, 7)
void sr_structure_add(SrStructureCheck *c, SrRule rule, uint32_t header, uint32_t from, uint32_t to,
                      const char *format, ...);

/* ---- the steps ---- */

void sr_structure_check_misplaced(SrStructureCheck *c);
void sr_structure_check_declarations(SrStructureCheck *c);
void sr_structure_check_back_edges(SrStructureCheck *c);
/* Requires that the earlier steps found nothing. */
void sr_structure_build_constructs(SrStructureCheck *c);
/* Is block b in the construct? */
bool sr_construct_has(const SrStructureCheck *c, const SrConstruct *k, uint32_t b);
void sr_structure_check_edges(SrStructureCheck *c);
/* Requires that all earlier steps found nothing. */
void sr_structure_check_portable(SrStructureCheck *c);

/* ---- causes ---- */

enum { SR_STRUCTURE_MOST_NAMED = 6 };

/* These searches take time linear in the size of the function, so they run only to explain a
 * function, and only for its first violations. */
bool sr_structure_explains(const SrStructureCheck *c);
/* For a header h that does not dominate block t, which it declares: the branch by which a path
 * around h enters the blocks between h and t, or t itself. SR_NONE: there is none. */
SrStructureEdge sr_structure_edge_around(SrStructureCheck *c, uint32_t h, uint32_t t);
/* The entries of the innermost cycle that holds both blocks, if it has several. */
void sr_structure_find_entries(SrStructureCheck *c, uint32_t u, uint32_t v, SrViolation *violation);
/* "%12, %13 and 3 more": names at most SR_STRUCTURE_MOST_NAMED. */
void sr_structure_list_blocks(const SrStructureCheck *c, const uint32_t *blocks, uint32_t count,
                              char *text, size_t size);

#endif
