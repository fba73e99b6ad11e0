/* SPDX-License-Identifier: Apache-2.0 */
/* open_tree_dot: draws reconverge's open tree after each step, in Graphviz' language, in the style
 * of figure 4.7 of Wahlster 2018: visited blocks in black frames, armed ones red, unvisited blocks
 * grey; the tree in solid lines, open edges going out dotted, coming in dashed. */
#ifndef SR_OPEN_TREE_DOT_H
#define SR_OPEN_TREE_DOT_H

#include "passes/transform/reconverge/open_tree.h"

typedef struct SrOpenDrawing {
  const SrModule *m;
  const SrFunction *f;
  SrArena *scratch;
  void (*drawing)(void *user, const char *name, const char *dot);
  void *user;
  uint32_t step; /* number of trees drawn so far */
} SrOpenDrawing;

/* Draws the tree. This function is an SrOpenStep; `drawing` is an SrOpenDrawing. O(E log V). */
void sr_open_tree_draw(void *drawing, SrOpenTree *t, uint32_t node);

#endif
