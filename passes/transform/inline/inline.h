/* SPDX-License-Identifier: Apache-2.0 */
/* inline: a function that is called once becomes a part of its caller. See docs/inline.md. */
#ifndef SR_INLINE_H
#define SR_INLINE_H

#include "passes/transform/pass_run.h"

/* Moves into f all functions that f calls and that are called nowhere else, and the functions that
 * these call in the same way (inline_choice.h); *changed is set if there are any. f loses its merge
 * instructions, and the moved functions lose their blocks. Needs and keeps SSA. */
void sr_inline(SrPassRun *r, SrFunction *f, bool *changed);
/* inline:all: each function that only calls use becomes a part of all its callers, by copies
 * (inline_copy.h), unless inline_choice.h keeps it. The first call does the work for all
 * functions. */
SR_MUST_USE SrStatus sr_inline_all(SrPassRun *r, SrFunction *f, bool *changed);
/* The same for a whole module, `marked`: also for functions marked DontInline or OptNone; `counts` and
 * `changed` by function. All functions must be in SSA form. */
SR_MUST_USE SrStatus sr_inline_module(SrArena *arena, SrModule *m, uint32_t max_growth, bool marked,
                                      SrTransformCounts *counts, bool *changed);

#endif
