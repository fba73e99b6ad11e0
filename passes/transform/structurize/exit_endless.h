/* SPDX-License-Identifier: Apache-2.0 */
/* exit_endless: gives the loops that lanes never leave an exit that no lane takes. */
#ifndef SR_EXIT_ENDLESS_H
#define SR_EXIT_ENDLESS_H

#include "passes/ir/module.h"

/* f has portable structure, which structurize has written. A loop with an exit stays as it is.
 * O(blocks + edges). */
void sr_exit_endless(SrModule *m, SrFunction *f);

#endif
