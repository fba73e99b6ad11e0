/* SPDX-License-Identifier: Apache-2.0 */
/* graph: random control-flow graphs without instructions, by family, and the facts about them that
 * the module generator needs. Block 0 is the entry, and has no predecessors. */
#ifndef EQUIV_GRAPH_H
#define EQUIV_GRAPH_H

#include "tests/equiv/gen/rng.h"

#include <stddef.h>

#define GRAPH_NONE UINT32_MAX

enum { GRAPH_COPIES = 3 }; /* of one region */

typedef enum GenFamily {
  GEN_STRUCTURED,  /* syntax tree of if, else, switch, single-exit loops */
  GEN_BREAKS,      /* the same with break, continue, early return */
  GEN_ACYCLIC,     /* arbitrary directed acyclic graphs */
  GEN_MULTIEXIT,   /* nested natural loops with several latches and exits */
  GEN_IRREDUCIBLE, /* edges in every direction */
  GEN_SWITCH,      /* many OpSwitch: fall-through, shared joins, cases into cycles */
  GEN_MIXED,       /* some of everything */
  /* Made of templates (shape.c). */
  GEN_JOIN_CYCLE, /* switch arms that join inside a cycle entered from the switch */
  GEN_ENTRIES,    /* switch arms that enter different blocks of one cycle */
  GEN_SHARED,     /* case targets shared with the default; arms that are the join */
  GEN_ENDLESS,    /* endless regions entered from divergent branches and switches */
  GEN_MACHINE,    /* cycles that carry their switch's selector */
  GEN_BOTH_SIDES, /* cycles entered by a switch outside and by one inside */
  GEN_LOOP_CHAIN, /* loops whose exit is another loop's header */
  GEN_TEMPLATES,  /* all of these */
  GEN_TWINS,      /* syntax tree with regions that are copies of each other, or nearly */
  GEN_FAMILIES
} GenFamily;

typedef enum GraphTerm {
  GRAPH_BRANCH,
  GRAPH_COND,
  GRAPH_SWITCH, /* successor 0 is the default */
  GRAPH_RETURN,
  GRAPH_UNREACHABLE
} GraphTerm;

typedef struct GraphBlock {
  GraphTerm term;
  uint32_t *succ;
  uint32_t count, capacity;
  uint32_t merge, cont; /* merge instruction by the syntax tree; GRAPH_NONE: none */
  uint64_t never;       /* bit i: no run takes successor slot i, one of the first 64 */
  uint32_t carry; /* a block that dominates this one and has a phi that is the selector; GRAPH_NONE:
                     the selector is any value */
  uint32_t twin;  /* block that this is a copy of, or itself; GRAPH_NONE: has no copies */
  uint32_t region; /* of a copy and its source: the first block of the source's region */
  uint32_t copy;   /* which copy of its region, from 0 */
  bool bare;       /* has only phis and its branch's condition, no user instructions */
} GraphBlock;

typedef struct Graph {
  GraphBlock *block;
  uint32_t count, capacity;
} Graph;

typedef struct GraphOptions {
  bool plain;  /* densities for which it is known how much structurize may add (../README.md) */
  bool extras; /* endless regions that no run enters, unreachable blocks, branches to one block
                   twice */
  bool same_targets; /* OpBranchConditional may name one block twice (before SPIR-V 1.6) */
  bool reverse;      /* every list of successors reversed */
  bool merges;       /* will have merge instructions, which must stay valid */
  bool exit_blocks;  /* lanes leave most loops through a block of the construct in no cycle */
} GraphOptions;

static inline bool graph_family_is_template(GenFamily family) {
  return family >= GEN_JOIN_CYCLE && family <= GEN_TEMPLATES;
}

/* Grown as a syntax tree; may have merge instructions. */
static inline bool graph_family_is_tree(GenFamily family) {
  return family == GEN_STRUCTURED || family == GEN_BREAKS || family == GEN_TWINS;
}

extern const char *const graph_family_names[GEN_FAMILIES];
/* The family of that name, or -1. */
int graph_family_find(const char *name);

/* A graph of about `blocks` blocks (exactly, except with extras and for syntax trees). */
void graph_make(Graph *g, GenFamily family, uint32_t blocks, Rng *rng, const GraphOptions *options);
void graph_free(Graph *g);
uint32_t graph_edges(const Graph *g);

uint32_t graph_add_block(Graph *g, GraphTerm term);
void graph_add_edge(Graph *g, uint32_t from, uint32_t to);
/* Has the block several edges into it? By block; to be freed. */
bool *graph_joins(const Graph *g);
/* No run leaves the block by this slot. */
static inline bool graph_never(const GraphBlock *block, uint32_t slot) {
  return slot < 64 && (block->never >> slot & 1);
}
/* The template families (shape.c). */
void graph_shape(Graph *g, GenFamily family, uint32_t blocks, bool plain, Rng *rng);
/* The syntax-tree families (tree.c). */
void graph_tree(Graph *g, uint32_t blocks, GenFamily family, const GraphOptions *options, Rng *rng);

/* Facts; arrays of g->count, allocated together, freed with graph_facts_free. */
typedef struct GraphFacts {
  uint32_t *rpo, rpo_count; /* reachable blocks, entry first */
  uint32_t *rank;           /* place in rpo; GRAPH_NONE: unreachable */
  uint32_t *idom;           /* of reachable blocks; of the entry, itself */
  /* a dominates b: dom_in[a] <= dom_in[b] && dom_out[b] <= dom_out[a] */
  uint32_t *dom_in, *dom_out;
  uint32_t *distance;  /* edges to the nearest leaf, without never-taken ones */
  uint32_t *exit_slot; /* the successor slot that begins such a path */
  uint32_t *scc;       /* number of the block's strongly connected component */
  bool *cyclic;        /* lies on a cycle */
} GraphFacts;

void graph_facts(const Graph *g, GraphFacts *facts);
void graph_facts_free(GraphFacts *facts);
bool graph_dominates(const GraphFacts *facts, uint32_t a, uint32_t b);

#endif
