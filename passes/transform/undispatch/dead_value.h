/* SPDX-License-Identifier: Apache-2.0 */
/* dead_value: removes the phis and the arithmetic on selectors that nothing uses any more. */
#ifndef SR_DEAD_VALUE_H
#define SR_DEAD_VALUE_H

#include "passes/ir/module.h"

/* Only phis and what sr_selector_is_computed names is removed. Linear. */
void sr_dead_values(SrModule *m, SrFunction *f);

#endif
