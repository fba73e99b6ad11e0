/* SPDX-License-Identifier: Apache-2.0 */
/* pass: the table of transforms (pass.def), and the checks of what they need and make. */
#ifndef SR_PASS_H
#define SR_PASS_H

#include "passes/transform/pass_run.h"

/* Properties of a function; a set of bits. */
typedef enum SrProperty {
  SR_SSA = 1,        /* each use is dominated by its definition, phis match predecessors */
  SR_STRUCTURED = 2, /* the rules of structured control flow */
  SR_LOOSE = 4,      /* made: structure, though required, may be missing until a later pass */
  SR_FOLDS = 8,      /* made: comparisons of constants may have been folded */
  SR_PLACES = 16,    /* kept: a block that dominates another still does, or nothing is changed */
  SR_BARE = 32,      /* made: the pass exists to drop merge instructions */
  SR_ENDS = 64,      /* made: loops end after as many iterations as the argument says */
  SR_REWRITES = 128, /* made: --check cannot compare the result with the input */
} SrProperty;

/* How often a pass appears in --compare. */
typedef enum SrCompare { SR_COMPARE_NO, SR_COMPARE_ONCE, SR_COMPARE_ORDERS } SrCompare;

/* CHOICE: runs the best of several lists of passes; `run` is the first of them. */
typedef enum SrPassKind { SR_PASS_PLAIN, SR_PASS_CHOICE } SrPassKind;

typedef struct SrPass {
  const char *name;
  const char *argument; /* its grammar (argument.h) */
  const char *purpose;
  SrCompare compare;
  SrPassKind kind;
  bool (*applies)(const SrPassRun *r, const SrFunction *f);
  SrStatus (*run)(SrPassRun *r, SrFunction *f, bool *changed);
  unsigned needs, makes, keeps; /* properties */
} SrPass;

/* One entry of a list of transforms. */
typedef struct SrStep {
  const SrPass *pass;
  const char *argument;
} SrStep;

/* The pass at `index` of the table, NULL after the last. */
const SrPass *sr_pass_at(size_t index);
/* The pass of that name (not terminated), or NULL. */
const SrPass *sr_pass_find(const char *name, size_t length);

/* Does the entry make SR_REWRITES, by its pass or its argument? */
bool sr_step_rewrites(const SrStep *step);
/* Is there a transform in the list, other than `none`? */
bool sr_pass_any(const SrStep *steps, uint32_t count);
/* The pass that decides how much structure the list leaves: the last one that does not keep
 * LOOSE. */
const SrPass *sr_pass_deciding(const SrStep *steps, uint32_t count);

/* Does a transform's argument name a profile: profile:FILE? */
bool sr_profile_argument(const char *argument);

/* Fails with the first violation of `properties` that is found: as BUG if `ours` (a transform made
 * the function), else as BAD_INPUT. */
SR_MUST_USE SrStatus sr_confirm(const SrModule *m, SrArena *scratch, const SrFunction *f,
                                unsigned properties, bool ours);

#endif
