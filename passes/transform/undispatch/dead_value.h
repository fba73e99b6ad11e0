/* SPDX-License-Identifier: Apache-2.0 */
/* dead_value: removes phis and arithmetic on selectors that are no longer used. */
#ifndef SR_DEAD_VALUE_H
#define SR_DEAD_VALUE_H

#include "passes/ir/module.h"

/* Removes only phis and instructions that sr_selector_is_computed accepts. Linear. */
void sr_dead_values(SrModule *m, SrFunction *f);

#endif
