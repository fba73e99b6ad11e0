/* strip-merges: drops merge instructions, so that structured shaders exercise structurize. */
#ifndef SR_STRIP_MERGES_H
#define SR_STRIP_MERGES_H

#include "ir/module.h"

/* Removes the merge instructions of f; *changed is set if there were any. Leaves f alone, with a
 * notice, where a block that a loop construct holds but its cycle does not has a cross-lane
 * operation: without merges the tangles there would change. `cross_lane`: as
 * sr_cross_lane_functions says. */
SR_MUST_USE SrStatus sr_strip_merges(SrModule *m, SrArena *scratch, SrFunction *f,
                                     const SrBits *cross_lane, bool *changed);

#endif
