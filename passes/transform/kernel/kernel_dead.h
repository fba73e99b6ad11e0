/* SPDX-License-Identifier: Apache-2.0 */
/* kernel_dead: drops what nothing uses any more: values of functions, then types, constants and
 * variables of the module. */
#ifndef SR_KERNEL_DEAD_H
#define SR_KERNEL_DEAD_H

#include "passes/transform/kernel/kernel_state.h"

/* Drops values of the current kernel that only values that are dropped use. Linear. */
void sr_kernel_dead_values(SrKernels *k);
/* Drops types, constants, variables and imports that nothing uses. Names and decorations do not
 * count as uses. Linear. */
void sr_kernel_dead_globals(SrKernels *k);

#endif
