/* SPDX-License-Identifier: Apache-2.0 */
/* applied_line: the source line and the scope that apply to an instruction, for transforms that
 * move or merge instructions. See source_walk.h for what they are. */
#ifndef SR_APPLIED_LINE_H
#define SR_APPLIED_LINE_H

#include "passes/ir/module.h"

enum { SR_APPLIED_LINE, SR_APPLIED_SCOPE, SR_APPLIED_TRACKS };

/* The instructions that give the next instruction of a block its line and its scope; SR_NONE:
 * none. */
typedef struct SrApplied {
  SrRef at[SR_APPLIED_TRACKS];
} SrApplied;

#define SR_NOT_APPLIED ((SrApplied){{SR_NONE, SR_NONE}})

/* Updates *a as instruction r is passed. */
void sr_applied_step(const SrModule *m, SrRef r, SrApplied *a);
/* Are the two lines or scopes the same, result ids aside? */
bool sr_applied_same(const SrModule *m, SrRef a, SrRef b);
/* A new instruction, in no list, that ends a line or scope of the kind of r. */
SrRef sr_applied_ending(SrModule *m, SrRef r);
/* A line or scope that holds for both: only what is the same in both stays. */
SrApplied sr_applied_common(const SrModule *m, SrApplied a, SrApplied b);
/* Appends to `list` the instructions that make `to` apply instead of *now, and sets *now to
 * `to`. */
void sr_applied_switch(SrModule *m, SrList *list, SrApplied *now, SrApplied to);

#endif
