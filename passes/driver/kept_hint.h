/* SPDX-License-Identifier: Apache-2.0 */
/* kept_hint: restores or drops, after the last transform, the controls of loops and branches that
 * no merge instruction holds (ir/hint.h).
 *
 * A kernel may have merge instructions as hints, without obeying the rules of structure. So a loop
 * of a kernel gets its OpLoopMerge again if it still has exactly one block that branches back, and
 * an exit that is not the merge block of another loop. This is not done if the last transform
 * should drop merge instructions. All other controls are lost, with a notice. */
#ifndef SR_KEPT_HINT_H
#define SR_KEPT_HINT_H

#include "passes/ir/module.h"

/* Changes only merge instructions. `restores`: may it make some? Linear; a module without such
 * controls is not walked. */
void sr_kept_hint(SrModule *m, SrArena *scratch, SrFunction *f, bool restores);

#endif
