/* SPDX-License-Identifier: Apache-2.0 */
/* loop_hint: assigns the controls that a module keeps (ir/hint.h) to cycles.
 *
 * A cycle has the controls kept for its header. An irreducible cycle whose header has none takes
 * those of the first other entry that has some, since transforms may have given the loop a second
 * entry. In that case, what the controls promise about its iterations may be false. */
#ifndef SR_LOOP_HINT_H
#define SR_LOOP_HINT_H

#include "passes/analysis/graph/cycle.h"
#include "passes/ir/hint.h"

typedef struct SrLoopHint {
  SrRef merge;   /* a merge instruction with the controls; SR_NONE: there are none */
  bool promises; /* do the promises among the controls hold? */
} SrLoopHint;

/* By cycle; NULL if no controls of loops are kept. Linear. */
const SrLoopHint *sr_loop_hints(SrArena *arena, const SrModule *m, const SrFunction *f,
                                const SrGraph *g, const SrNest *nest);

#endif
