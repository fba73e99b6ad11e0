/* SPDX-License-Identifier: Apache-2.0 */
/* merge_graph: a function in merge-copies' form: blocks without phis.
 *
 * A phi is a parameter of its block, and each edge has an argument for each parameter of its
 * target. The values that a block takes from other blocks, or from its own parameters, are its
 * uses. So moving edges and arguments is enough to merge blocks and to drop empty ones; the module
 * does not change until merge_write writes the result.
 *
 * Values are ids or, from m's bound on, added parameters. `same_as` records that a value has turned
 * out to be the same as another. */
#ifndef SR_MERGE_GRAPH_H
#define SR_MERGE_GRAPH_H

#include "passes/analysis/graph/cycle.h"
#include "passes/base/map.h"
#include "passes/base/vec.h"
#include "passes/ir/id_table.h"

enum { SR_VALUE_UNSET = 0 }; /* the argument of a parameter that is not read on this path */

typedef struct SrMergeEdge {
  uint32_t from, to;
  uint32_t next, before;     /* in the list of edges into `to`; SR_NONE at its ends */
  SR_VEC(uint32_t) argument; /* by parameter of `to` */
} SrMergeEdge;

/* Word `word` of instruction `inst` is `value`. */
typedef struct SrMergeUse {
  uint32_t inst, word, value;
} SrMergeUse;

typedef struct SrMergeBlock {
  uint32_t in;                   /* list of edges into it */
  uint32_t out, out_count;       /* edges, by successor */
  uint32_t use, use_count;       /* in g->use, in the order of the words */
  uint32_t target, target_count; /* in g->target: for each target that the terminator names, which
                                  * of the block's edges leads there */
  uint32_t code, code_count;  /* in g->code: the words that must be equal for blocks to be merged */
  SR_VEC(uint32_t) parameter; /* values */
  bool gone, merged;          /* merged: it represents other blocks, too */
} SrMergeBlock;

typedef struct SrParameter {
  uint32_t value, type, block, index;
  uint32_t made_by; /* the merged block for which this parameter was added, or SR_NONE */
  bool non_uniform; /* added, and replaces a NonUniform value */
} SrParameter;

/* An entry for each pair of blocks that an edge connects or has connected; blocks may have been
 * dropped since. `next`: the next entry with the same hash. */
typedef struct SrMergeLead {
  uint32_t from, to, next;
} SrMergeLead;

typedef struct SrMergeGraph {
  SrModule *m;
  SrFunction *f;
  SrArena *arena;
  const SrGraph *old;
  const SrNest *nest; /* of `old` */
  SrMergeBlock *block;
  SrMergeEdge *edge;
  SR_VEC(SrMergeUse) use;
  SR_VEC(uint32_t) target, code;
  SR_VEC(SrParameter) parameter;
  uint32_t bound, end;     /* values v with bound ≤ v < end are added parameters */
  SrIdTable *same_as;      /* by value: the value that replaces it; SR_NONE: none */
  SrIdTable *parameter_of; /* by value: its index in `parameter`, if it is one */
  SrIdTable *place;        /* by id: its index among the results of its block, without phis */
  SrMap led;               /* by hash of (from, to): the newest entry in `lead` */
  SR_VEC(SrMergeLead) lead;
  SrMap lost; /* the lines and scopes that not all copies have (merge_lines.h) */
  uint32_t merged_blocks, merged_instructions;
} SrMergeGraph;

SrMergeGraph *sr_merge_graph_new(SrModule *m, SrFunction *f, SrArena *arena, const SrGraph *old,
                                 const SrNest *nest);
/* Returns the id tables to the module; everything else is freed with the arena. */
void sr_merge_graph_done(SrMergeGraph *g);

/* The index of a value in g->parameter, or SR_NONE if it is not a parameter. */
static inline uint32_t sr_merge_parameter(const SrMergeGraph *g, uint32_t value) {
  return sr_ids_get(g->parameter_of, value);
}
/* Records that `same` replaces the value. */
static inline void sr_merge_same(SrMergeGraph *g, uint32_t value, uint32_t same) {
  if (value != same)
    sr_ids_set(g->same_as, value, same);
}

/* The value after all replacements in `same_as`. */
uint32_t sr_merge_value(SrMergeGraph *g, uint32_t value);
/* The type of a value. */
uint32_t sr_merge_type(const SrMergeGraph *g, uint32_t value);
/* Is the value computed in the block, by an instruction other than a phi? */
bool sr_merge_is_local(const SrMergeGraph *g, uint32_t value, uint32_t block);
/* The value that `value` has on edge `edge` into block `block`: the argument if it is a parameter
 * of that block, else itself; SR_VALUE_UNSET as in SrMergeEdge. */
uint32_t sr_merge_on_edge(SrMergeGraph *g, uint32_t value, uint32_t block, uint32_t edge);
/* A new parameter of the block, with arguments unset. */
uint32_t sr_merge_add_parameter(SrMergeGraph *g, uint32_t block, uint32_t type, uint32_t made_by);
/* Must a replacement of the value be NonUniform? */
bool sr_merge_non_uniform(const SrMergeGraph *g, uint32_t value);
/* Records that the parameter replaces the value. */
void sr_merge_stands_for(SrMergeGraph *g, uint32_t parameter, uint32_t value);
/* May the value be an argument of the parameter? No, if the parameter is a phi of the input, whose
 * decorations are fixed, and the value has other decorations. */
bool sr_merge_may_join(const SrMergeGraph *g, uint32_t parameter, uint32_t value);
/* Removes an edge from its target's list. */
void sr_merge_unlink_edge(SrMergeGraph *g, uint32_t edge);
/* Leads an edge to `to`; the caller puts the arguments for the parameters of `to` into
 * edge->argument. */
void sr_merge_link_edge(SrMergeGraph *g, uint32_t edge, uint32_t to);
/* Does an edge lead from `from` to `to`? False if either was dropped. */
bool sr_merge_leads(const SrMergeGraph *g, uint32_t from, uint32_t to);
/* May b dominate t, its target? No, if an edge leads to t from another block before t in LRPO. */
bool sr_merge_may_dominate(const SrMergeGraph *g, uint32_t b, uint32_t t);
/* Is the instruction part of the block's code: not a label, phi, merge, debug line or OpNop? */
bool sr_merge_is_code(const SrModule *m, SrRef r);

/* for (SR_MERGE_IN(g, e, next, b)) visits the edges into block b; the body may unlink e. */
#define SR_MERGE_IN(g, e, next_, b)                                                                \
  uint32_t e = (g)->block[b].in, next_;                                                            \
  e != SR_NONE && (next_ = (g)->edge[e].next, true);                                               \
  e = next_

/* Drops blocks without code: edges into them lead to their branch's target instead. A block stays
 * if one of its predecessors also branches to that target itself. */
void sr_merge_skip_empty(SrMergeGraph *g);
/* Replaces each parameter whose arguments are all the same value by that value. */
void sr_merge_drop_trivial(SrMergeGraph *g);

#endif
