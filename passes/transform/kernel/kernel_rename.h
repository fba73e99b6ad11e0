/* SPDX-License-Identifier: Apache-2.0 */
/* kernel_rename: operands of the current kernel get the ids that have their values. */
#ifndef SR_KERNEL_RENAME_H
#define SR_KERNEL_RENAME_H

#include "passes/transform/kernel/kernel_state.h"

/* Replaces each operand by the id that has its value (sr_kernel_same). */
void sr_kernel_rename(SrKernels *k);
/* Removes an instruction, whose result, if it has one, loses its definition. */
void sr_kernel_rename_remove(SrKernels *k, SrList *list, SrRef r);
/* Forgets the instructions in k->replaced, which are in no list any more: their ids lose their
 * definitions. */
void sr_kernel_rename_forget(SrKernels *k);

#endif
