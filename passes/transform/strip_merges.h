/* SPDX-License-Identifier: Apache-2.0 */
/* strip-merges: drops merge instructions, so that structurize has something to do on structured
 * shaders. */
#ifndef SR_STRIP_MERGES_H
#define SR_STRIP_MERGES_H

#include "passes/ir/module.h"

/* A block with a cross-lane operation that is in a loop construct but not in its cycle: without
 * merge instructions its tangles would change. SR_NONE: there is none. `cross_lane`: see
 * sr_cross_lane_functions. */
uint32_t sr_needs_merges(const SrModule *m, SrArena *scratch, const SrFunction *f,
                         const SrBits *cross_lane);
/* Does f have such a block? If so, a notice names it; `what` begins the notice and says what is
 * done instead. */
bool sr_keeps_merges(const SrModule *m, SrArena *scratch, const SrFunction *f,
                     const SrBits *cross_lane, const char *what);

/* Removes the merge instructions of f; *changed is set if there were any. Leaves f alone, with a
 * notice, if it needs them. */
SR_MUST_USE SrStatus sr_strip_merges(SrModule *m, SrArena *scratch, SrFunction *f,
                                     const SrBits *cross_lane, bool *changed);

#endif
