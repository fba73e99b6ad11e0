/* SPDX-License-Identifier: Apache-2.0 */
/* constants: types, constants and undefs of the module, interned: equal requests give one id. New
 * ones are appended to the module's globals. */
#ifndef SR_CONSTANTS_H
#define SR_CONSTANTS_H

#include "passes/ir/module.h"

uint32_t sr_type_bool(SrModule *m);
/* A vector of booleans. */
uint32_t sr_type_bools(SrModule *m, uint32_t components);
uint32_t sr_type_u32(SrModule *m);
/* A vector of unsigned integers of 32 bits. */
uint32_t sr_type_u32s(SrModule *m, uint32_t components);
/* A vector of floating-point numbers of 32 bits. */
uint32_t sr_type_f32s(SrModule *m, uint32_t components);
/* A pointer to Function storage. */
uint32_t sr_type_function_pointer(SrModule *m, uint32_t type);
uint32_t sr_const_u32(SrModule *m, uint32_t value);
uint32_t sr_const_bool(SrModule *m, bool value);
/* The OpConstantNull of a type of numbers, booleans, or vectors or matrices of these. */
uint32_t sr_const_null(SrModule *m, uint32_t type);
/* One OpUndef of the type, at module scope. */
uint32_t sr_undef(SrModule *m, uint32_t type);

bool sr_has_capability(const SrModule *m, SpvCapability capability);
/* May a value of this type be an operand of OpPhi and OpSelect under the module's capabilities?
 * (Logical pointers, images and samplers may not; nor may 8- and 16-bit numbers in a shader that
 * may only load, store and convert them, or types that contain any of these.) */
bool sr_type_can_phi(SrModule *m, uint32_t type);
/* For an integer or float type of less than 32 bits, or a vector of such a type: the type of the
 * same shape in 32 bits, unsigned or float. 0 for other types. */
uint32_t sr_type_wide(SrModule *m, uint32_t type);

#endif
