/* SPDX-License-Identifier: Apache-2.0 */
/* graph: see graph.h. */
#include "spv-graph/graph.h"

#include <string.h>

/* Indexed by GraphTerm. A block may have from `least` to `most` successors. */
static const struct {
  const char *name;
  uint32_t least, most;
} terms[] = {
    [GRAPH_FALL] = {"fall", 1, 1},
    [GRAPH_BRANCH] = {"bra", 1, 1},
    [GRAPH_CONDITIONAL] = {"cbra", 1, 2}, /* 1: both edges lead to one block */
    [GRAPH_INDEXED] = {"brx", 1, UINT32_MAX},
    [GRAPH_EXIT] = {"exit", 0, 0},
    [GRAPH_CONDITIONAL_EXIT] = {"cexit", 1, 2}, /* 2: the exit is a block, too */
    [GRAPH_VIRTUAL_EXIT] = {"none", 0, 0},
};

const char *graph_term_name(GraphTerm term) {
  return terms[term].name;
}

bool graph_term_find(const char *name, GraphTerm *term) {
  for (size_t i = 0; i < sizeof terms / sizeof *terms; i++)
    if (strcmp(terms[i].name, name) == 0) {
      *term = (GraphTerm)i;
      return true;
    }
  return false;
}

GraphTerm graph_term_default(uint32_t succ_count) {
  return succ_count == 0   ? GRAPH_EXIT
         : succ_count == 1 ? GRAPH_BRANCH
         : succ_count == 2 ? GRAPH_CONDITIONAL
                           : GRAPH_INDEXED;
}

bool graph_term_fits(GraphTerm term, uint32_t succ_count) {
  return terms[term].least <= succ_count && succ_count <= terms[term].most;
}
