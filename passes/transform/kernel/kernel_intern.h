/* SPDX-License-Identifier: Apache-2.0 */
/* kernel_intern: types and constants of the module, each once. New ones are appended to the
 * module's globals. */
#ifndef SR_KERNEL_INTERN_H
#define SR_KERNEL_INTERN_H

#include "passes/transform/kernel/kernel_state.h"

/* Fills the tables from the module's globals. */
void sr_kernel_intern_begin(SrKernels *k);

uint32_t sr_kernel_void(SrKernels *k);
uint32_t sr_kernel_bool(SrKernels *k);
/* An integer type without sign. */
uint32_t sr_kernel_int(SrKernels *k, uint32_t bits);
uint32_t sr_kernel_float(SrKernels *k, uint32_t bits);
/* A vector type; the scalar type itself if `components` is 1. */
uint32_t sr_kernel_vector(SrKernels *k, uint32_t scalar, uint32_t components);
uint32_t sr_kernel_pointer(SrKernels *k, SpvStorageClass storage, uint32_t type);
/* An array; `length` is the id of a constant, 0: OpTypeRuntimeArray. `stride` is decorated unless
 * it is 0. */
uint32_t sr_kernel_array(SrKernels *k, uint32_t element, uint32_t length, uint32_t stride);
/* A struct of two members of a type. */
uint32_t sr_kernel_pair(SrKernels *k, uint32_t type);
/* A type without operands, or with these; the first operand is an id. */
uint32_t sr_kernel_type(SrKernels *k, SpvOp op, const uint32_t *operands, uint32_t count);

uint32_t sr_kernel_boolean(SrKernels *k, bool value);
uint32_t sr_kernel_u32(SrKernels *k, uint32_t value);
/* An integer constant of type `type`; of a vector type: each component. */
uint32_t sr_kernel_constant(SrKernels *k, uint32_t type, uint64_t bits);
uint32_t sr_kernel_null(SrKernels *k, uint32_t type);
uint32_t sr_kernel_composite(SrKernels *k, uint32_t type, const uint32_t *parts, uint32_t count);

/* ---- what a type is ---- */

/* The scalar type of a vector; other types are their own. */
uint32_t sr_kernel_scalar_of(const SrModule *m, uint32_t type);
/* The number of components; 1 for a type that is not a vector. */
uint32_t sr_kernel_components(const SrModule *m, uint32_t type);
/* The bits of a number, or of the components of a vector of numbers; 0: neither. */
uint32_t sr_kernel_bits(const SrModule *m, uint32_t type);
bool sr_kernel_is_float(const SrModule *m, uint32_t type);
/* The result type of an id; 0: it has none. */
static inline uint32_t sr_kernel_type_of(const SrModule *m, uint32_t id) {
  SrRef r = sr_def(m, id);
  return r == SR_NONE ? 0 : sr_inst(m, r)->type;
}

#endif
