/* pass_run: what a pass is given with each function of a module, and what it hands back. */
#ifndef SR_PASS_RUN_H
#define SR_PASS_RUN_H

#include "analysis/uniform.h"
#include "ir/module.h"
#include "transform/counts.h"

/* What the caller asks of passes that look at it. All zero: the defaults. */
typedef struct SrPassOptions {
  const char *order; /* as --order; NULL: the pass's own */
  SrUniformMode uniformity;
  SrScope scope;
  uint32_t max_growth; /* percent, of passes that copy code */
  /* Called with a picture in Graphviz' language of each step of an algorithm that draws them, and a
   * name for it; or NULL. */
  void (*drawing)(void *user, const char *name, const char *dot);
  void *drawing_user;
} SrPassOptions;

/* One pass on its way over a module. */
typedef struct SrPassRun {
  SrModule *m;
  SrArena *arena;       /* what lives for the pass */
  SrArena *scratch;     /* what lives for one function */
  const char *argument; /* what stands behind "NAME:" in the list of transforms, or NULL */
  SrPassOptions options;
  uint32_t round;            /* from 0; how often the pass has been over the module */
  bool again;                /* set by the pass: it wants to be run once more over all functions */
  SrTransformCounts *counts; /* of the function at hand */
  const char **best_order;   /* of the function at hand: the order chosen by --order=best */
  void *kept;                /* the pass's own, from function to function; NULL at first */
} SrPassRun;

#endif
