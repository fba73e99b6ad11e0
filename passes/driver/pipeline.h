/* SPDX-License-Identifier: Apache-2.0 */
/* pipeline: runs the requested passes over a module, function by function, and checks the
 * properties that each pass makes before another pass relies on them, and at the end. The passes
 * themselves neither verify nor dump. */
#ifndef SR_PIPELINE_H
#define SR_PIPELINE_H

#include "passes/driver/pass.h"
#include "passes/measure/measure.h"

typedef enum SrVerdict {
  SR_CHOSEN,
  SR_LOST,    /* to the chosen list */
  SR_SAME,    /* its result is that of an earlier list */
  SR_REFUSED, /* it cannot be chosen */
} SrVerdict;

/* A list of passes that was tried on a function, and the verdict. */
typedef struct SrTried {
  const char *transforms, *order;
  SrVerdict verdict;
  const char *why; /* one line; NULL: it was chosen */
  bool measured;   /* `cost` is known */
  SrCost cost;
} SrTried;

/* The list of passes that was chosen for a function. */
typedef struct SrChoice {
  const char *transforms, *order; /* as in SrTried; `transforms` NULL: there was nothing to
                                     choose */
  SrCost input, first, chosen;    /* what the function cost, and costs after the first list and
                                   * after the chosen one */
  const SrTried *tried;           /* the lists, in the order in which they were tried */
  uint32_t tried_count;
} SrChoice;

typedef struct SrPipeline {
  SrModule *m;
  SrArena *scratch;
  const SrStep *steps;
  uint32_t step_count;
  SrPassOptions options;
  unsigned *known;           /* by function: properties known to hold */
  bool *changed;             /* by function */
  bool *touched;             /* by function: a pass has changed it */
  bool *unconfirmed;         /* by function: changed since `known` was confirmed */
  SrTransformCounts *counts; /* by function */
  const char **best_order;   /* by function: what --order=best chose, or NULL */
  SrChoice *choice;          /* by function */
  const bool *only;          /* by function: does the list run on it? NULL: on all */
  const char **lost; /* by function: why a pass failed on it (then no further pass runs on it), or
                        NULL. If `lost` is NULL, a failure ends the run */
  /* Runs a pass that chooses among lists (SR_PASS_CHOICE); NULL: the pass's `run`, which is the
   * first list's, is used. */
  SrStatus (*choose)(struct SrPipeline *p, const SrStep *step);
  /* Called, if it is not NULL, before function `i` may change for the first time, and perhaps again
   * later. */
  void (*before)(struct SrPipeline *p, uint32_t i);
  uint32_t *violations; /* by function, for `before`; or NULL */
  /* Called after each pass with its name, and after each check between passes with "check", for
   * timing; or NULL. */
  void (*lap)(void *user, const char *name);
  void *user;
} SrPipeline;

/* A pipeline with its tables in `arena`; the caller fills the other fields. */
SrPipeline sr_pipeline_new(SrArena *arena, SrModule *m);
SR_MUST_USE SrStatus sr_pipeline_run(SrPipeline *p);
/* Runs a list as a part of the pipeline's, on the functions `only`. */
SR_MUST_USE SrStatus sr_pipeline_run_part(SrPipeline *p, const SrStep *steps, uint32_t count,
                                          const bool *only);
/* Did a pass change anything? */
bool sr_pipeline_changed(const SrPipeline *p);

#endif
