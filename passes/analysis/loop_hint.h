/* SPDX-License-Identifier: Apache-2.0 */
/* loop_hint: which of the controls that a module keeps (ir/hint.h) are those of which cycle.
 *
 * A cycle has the controls that are kept for its header; an irreducible one without such those of
 * the first of its other entries that has some, since transforms may have given the loop a second
 * entry. Then what they promise about its iterations may be false. */
#ifndef SR_LOOP_HINT_H
#define SR_LOOP_HINT_H

#include "passes/analysis/graph/cycle.h"
#include "passes/ir/hint.h"

typedef struct SrLoopHint {
  SrRef merge;   /* a merge instruction with the controls; SR_NONE: there are none */
  bool promises; /* do those hold that are promises? */
} SrLoopHint;

/* By cycle; NULL if no controls of loops are kept. Linear. */
const SrLoopHint *sr_loop_hints(SrArena *arena, const SrModule *m, const SrFunction *f,
                                const SrGraph *g, const SrNest *nest);

#endif
