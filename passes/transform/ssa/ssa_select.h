/* SPDX-License-Identifier: Apache-2.0 */
/* ssa_select: what OpSelect needs to choose between two values of a type. */
#ifndef SR_SSA_SELECT_H
#define SR_SSA_SELECT_H

#include "passes/ir/module.h"

/* Components of the vector of booleans that OpSelect needs for this type; 1: one boolean is enough;
 * 0: there is no OpSelect of the type (composites before SPIR-V 1.4, images, …). */
uint32_t sr_select_width(const SrModule *m, uint32_t type);
/* Inserts a vector of `width` booleans, each equal to the condition, before `before` (SR_NONE: at
 * the end of the list); returns its id. */
uint32_t sr_select_condition(SrModule *m, SrList *list, SrRef before, uint32_t condition,
                             uint32_t width);

#endif
