/* SPDX-License-Identifier: Apache-2.0 */
/* graph_text: graphs in a tiny language, together with the expected results of analyses.
 *
 *   # a comment
 *   A: B C          a block and its successors, in operand order; the first block is the entry
 *   B: D A (u)      a uniform branch
 *   D:
 *   order rpo = A C B D         an expectation: key, subject (optional), and value
 */
#ifndef GRAPH_TEXT_H
#define GRAPH_TEXT_H

#include "passes/analysis/graph/cfg.h"
#include "passes/base/bitset.h"

typedef struct GraphFact {
  const char *key, *subject, *value; /* "order", "rpo", "A C B D"; no subject: "" */
} GraphFact;

typedef struct GraphText {
  SrGraph *graph;
  const char **names; /* by node */
  SrBits *divergent;  /* by node: has several successors and is not marked (u) */
  GraphFact *facts;
  uint32_t fact_count;
} GraphText;

/* Fails the test with a message if the text is wrong. */
GraphText *graph_text_parse(SrArena *arena, const char *text);
/* The node of that name, SR_NONE if there is none. */
uint32_t graph_text_node(const GraphText *t, const char *name);
/* "A B C". */
char *graph_text_names(SrArena *arena, const GraphText *t, const uint32_t *nodes, uint32_t count);

/* Calls `check` for every fact of that key in all files of tests/cfg; returns how many. */
typedef void GraphCheck(SrArena *arena, const GraphText *t, const GraphFact *fact,
                        const char *file);
uint32_t graph_text_each(const char *key, GraphCheck *check);

#endif
