/* SPDX-License-Identifier: Apache-2.0 */
/* kernel_emit: writes instructions at a place in a block. */
#ifndef SR_KERNEL_EMIT_H
#define SR_KERNEL_EMIT_H

#include "passes/transform/kernel/kernel_intern.h"

typedef struct SrEmit {
  SrKernels *k;
  SrList *list;
  SrRef before; /* the instruction before which new ones go; SR_NONE: at the end */
  uint32_t home;
  uint32_t result; /* the id that the last value of a sequence gets; 0: a fresh one */
} SrEmit;

/* Writes an instruction whose operands are ids, and returns its result. */
uint32_t sr_emit(SrEmit *e, SpvOp op, uint32_t type, const uint32_t *ids, uint32_t count);
/* The same with the result e->result, for the last instruction of a sequence. */
uint32_t sr_emit_last(SrEmit *e, SpvOp op, uint32_t type, const uint32_t *ids, uint32_t count);
/* A copy of instruction r with that type and result. Where operand[i] is not 0, it replaces word
 * i. */
void sr_emit_again(SrEmit *e, SrRef r, uint32_t type, uint32_t result, const uint32_t *operand);
/* An instruction without result. */
void sr_emit_void(SrEmit *e, SpvOp op, const uint32_t *ids, uint32_t count);
uint32_t sr_emit_extract(SrEmit *e, uint32_t type, uint32_t composite, uint32_t index);
/* The part of a composite at the end of `count` indices. */
uint32_t sr_emit_extract_at(SrEmit *e, uint32_t type, uint32_t composite, const uint32_t *index,
                            uint32_t count);
/* Components of a vector, beginning with `first`, as a vector of that type. */
uint32_t sr_emit_components(SrEmit *e, uint32_t type, uint32_t vector, uint32_t first);
/* An instruction of GLSL.std.450. */
uint32_t sr_emit_glsl(SrEmit *e, uint32_t number, uint32_t type, const uint32_t *ids,
                      uint32_t count);
/* A pointer to element `index` of the array that a pointer points into. */
uint32_t sr_emit_element(SrEmit *e, uint32_t pointer, uint32_t index);
/* An integer without sign as one of another type; `id` itself if it has this width. */
uint32_t sr_emit_resized(SrEmit *e, uint32_t type, uint32_t id);
uint32_t sr_emit_load(SrEmit *e, uint32_t type, uint32_t pointer, bool is_volatile);
void sr_emit_store(SrEmit *e, uint32_t pointer, uint32_t value, bool is_volatile);
/* The same with an alignment in bytes. */
uint32_t sr_emit_load_aligned(SrEmit *e, uint32_t type, uint32_t pointer, bool is_volatile,
                              uint32_t align);
void sr_emit_store_aligned(SrEmit *e, uint32_t pointer, uint32_t value, bool is_volatile,
                           uint32_t align);
/* Gives e->result, if there is one, the value of `id`; returns the value's id. */
uint32_t sr_emit_is(SrEmit *e, uint32_t id);
/* The bits of `id` as a value of `type`, which has the same size. If `id` has that type, it is `id`
 * itself. */
uint32_t sr_emit_bitcast(SrEmit *e, uint32_t type, uint32_t id);

#define SR_IDS(...) ((const uint32_t[]){__VA_ARGS__}), sizeof((uint32_t[]){__VA_ARGS__}) / 4

#endif
