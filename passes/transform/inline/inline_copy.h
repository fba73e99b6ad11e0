/* SPDX-License-Identifier: Apache-2.0 */
/* inline_copy: gives each call a function of its own, so that inline_move can move it to the call.
 *
 *   before                          after
 *
 *   main: f(); g();                 main: f1(); g1();
 *   g: f();                         g1: f2();       f, g: as they were
 *
 * A function that is called once, and used by nothing else, is not copied. Decorations of
 * parameters that an argument may lose are not copied either, nor is linkage. */
#ifndef SR_INLINE_COPY_H
#define SR_INLINE_COPY_H

#include "passes/transform/inline/inline_choice.h"

typedef struct SrInlineCopies {
  SrFunction *own; /* the module's functions before */
  uint32_t own_count;
  SR_VEC(uint32_t) origin; /* by copy: the index of the function copied */
} SrInlineCopies;

/* Copies all functions that the *roots* call, directly or not. Roots are functions that nothing
 * calls, or that something other than a call uses; with `entries`, only the entry points. The
 * copies are added to m->functions until sr_inline_copies_end. Fails if functions call each other
 * in a cycle, or if the copies take more than `max_growth` percent of the words of all functions;
 * with `entries`, so much for each entry point. */
SR_MUST_USE SrStatus sr_inline_copies_begin(SrArena *arena, SrModule *m, uint32_t max_growth,
                                            bool entries, SrInlineCopies *copies);
/* Drops the copies that `choice` has not moved, whose calls get their origin again; restores
 * m->functions, and drops functions that nothing uses any more. `changed`, by index, is set for
 * functions that were dropped. */
void sr_inline_copies_end(SrArena *arena, SrModule *m, const SrInlineCopies *copies, bool *changed);

#endif
