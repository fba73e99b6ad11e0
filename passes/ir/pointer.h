/* SPDX-License-Identifier: Apache-2.0 */
/* pointer: what pointers point into, and which instructions compute one from another; typed or
 * untyped (SPV_KHR_untyped_pointers). */
#ifndef SR_POINTER_H
#define SR_POINTER_H

#include "passes/ir/module.h"

/* The storage class of a pointer type, SR_NONE for any other type. */
uint32_t sr_pointer_type_class(const SrModule *m, uint32_t type);
/* The same for the type of a value. */
uint32_t sr_pointer_class(const SrModule *m, uint32_t id);
/* May other invocations write memory of the storage class? SR_NONE, unknown memory: they may. */
bool sr_is_shared_class(uint32_t storage_class);
/* May the value be a pointer, or a vector of pointers? An id without a definition, because a
 * transform dropped the value, may be one. */
bool sr_may_be_pointer(const SrModule *m, uint32_t id);
/* Is it OpVariable or OpUntypedVariableKHR? */
bool sr_is_variable(uint16_t op);
/* The type of the object in a variable; 0: it is an untyped variable that states none. */
uint32_t sr_variable_type(const SrModule *m, SrRef variable);
/* The initializer of a variable, 0: it has none. */
uint32_t sr_variable_initializer(const SrModule *m, SrRef variable);
/* The pointer that an access chain starts from, 0 for other instructions. */
uint32_t sr_chain_base(const SrModule *m, SrRef r);

#endif
