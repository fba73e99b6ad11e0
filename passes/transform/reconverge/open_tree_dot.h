/* open_tree_dot: reconverge's open tree after each step, as a picture in Graphviz' language, drawn
 * as figure 4.7 of Wahlster 2018: visited blocks in black frames, armed ones red, blocks to come
 * grey; the tree in solid lines, open edges going out dotted, coming in dashed. */
#ifndef SR_OPEN_TREE_DOT_H
#define SR_OPEN_TREE_DOT_H

#include "transform/reconverge/open_tree.h"

typedef struct SrOpenDrawing {
  const SrModule *m;
  const SrFunction *f;
  SrArena *scratch;
  void (*drawing)(void *user, const char *name, const char *dot);
  void *user;
  uint32_t step; /* drawn so far */
} SrOpenDrawing;

/* An SrOpenStep; `drawing` is an SrOpenDrawing. O(E log V). */
void sr_open_tree_draw(void *drawing, SrOpenTree *t, uint32_t node);

#endif
