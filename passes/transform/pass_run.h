/* SPDX-License-Identifier: Apache-2.0 */
/* pass_run: what a pass receives with each function of a module, and what it returns. */
#ifndef SR_PASS_RUN_H
#define SR_PASS_RUN_H

#include "passes/analysis/uniform/cross_lane.h"
#include "passes/analysis/uniform/uniform.h"
#include "passes/ir/module.h"
#include "passes/transform/counts.h"
#include "passes/transform/goal.h"

struct spvreconv_bounded;

/* The caller's options for passes. All zero: the defaults. */
typedef struct SrPassOptions {
  const char *order; /* as --order; NULL: the pass's own */
  SrUniformMode uniformity;
  SrScope scope;
  uint32_t max_growth;    /* percent; for passes that copy code */
  uint32_t needed_growth; /* the same for kernel-to-shader */
  uint32_t tail_copy;     /* structurize: the most instructions of a tail that is copied; 0: no tail
                          is */
  SrGoal goal;
  bool keeps_tangles; /* cross-lane operations keep their tangles even if no entry point promises
                         where lanes meet */
  SrStructureForm structure;
  /* Called with a picture, in Graphviz' language, of each step of an algorithm that draws them, and
   * a name for it; or NULL. */
  void (*drawing)(void *user, const char *name, const char *dot);
  void *drawing_user;
  /* Paths that were recorded (docs/profile.md). */
  const struct spvreconv_profile *const *profiles;
  uint32_t profile_count;
  /* For bound-loops; or NULL. */
  uint64_t (*bounded)(void *user, const struct spvreconv_bounded *loop);
  void *bounded_user;
} SrPassOptions;

/* One run of a pass over a module. */
typedef struct SrPassRun {
  SrModule *m;
  SrArena *arena;       /* lives as long as the run */
  SrArena *scratch;     /* lives as long as work on one function */
  const char *argument; /* the text after "NAME:" in the list of transforms, or NULL */
  SrPassOptions options;
  uint32_t round;            /* how often the pass has already run over the module */
  bool again;                /* set by the pass: run it once more over all functions */
  SrTransformCounts *counts; /* of the current function */
  const char **best_order;   /* of the current function: the order chosen by --order=best */
  bool touched;              /* a pass of the list has changed the current function */
  void *kept;                /* data that the pass keeps from function to function; NULL at first */
  const SrBits *cross_lane;  /* see sr_pass_cross_lane; NULL at first */
} SrPassRun;

/* The functions that let lanes communicate (sr_cross_lane_functions), as of the first call in this
 * run. */
static inline const SrBits *sr_pass_cross_lane(SrPassRun *r) {
  if (!r->cross_lane)
    r->cross_lane = sr_cross_lane_functions(r->arena, r->m);
  return r->cross_lane;
}

#endif
