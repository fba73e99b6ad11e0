/* SPDX-License-Identifier: Apache-2.0 */
/* resource_index: see resource_index.h. */
#include "passes/analysis/uniform/resource_index.h"

#include "passes/analysis/uniform/cross_lane.h"
#include "passes/ir/decorations.h"
#include "passes/ir/pointer.h"

/* The type of what a pointer points to; 0: that is not known. */
static uint32_t object_type(const SrModule *m, uint32_t pointer) {
  SrRef def = sr_def(m, pointer);
  if (def == SR_NONE || sr_is_variable(sr_inst(m, def)->op))
    return def == SR_NONE ? 0 : sr_variable_type(m, def);
  SrRef type = sr_def(m, sr_inst(m, def)->type);
  return type != SR_NONE && sr_inst(m, type)->op == SpvOpTypePointer ? sr_words(m, type)[3] : 0;
}

/* The type of the elements of an array, 0 for any other type. */
static uint32_t element_of(const SrModule *m, uint32_t type) {
  SpvOp op = sr_def_op(m, type);
  return op == SpvOpTypeArray || op == SpvOpTypeRuntimeArray ? sr_words(m, sr_def(m, type))[2] : 0;
}

/* Is it an array of resources, or an array of such arrays? An array in a buffer is not. */
static bool has_resources(SrModule *m, uint32_t type, uint32_t class) {
  uint32_t element = element_of(m, type), of = element;
  for (uint32_t next; (next = element_of(m, of));)
    of = next;
  bool in_buffer = class == SpvStorageClassUniform || class == SpvStorageClassStorageBuffer;
  return element && (!in_buffer || sr_is_decorated(m, of, SpvDecorationBlock) ||
                     sr_is_decorated(m, of, SpvDecorationBufferBlock));
}

static bool is_constant(const SrModule *m, uint32_t id) {
  SpvOp op = sr_def_op(m, id);
  return op == SpvOpConstant || op == SpvOpConstantNull || op == SpvOpSpecConstant ||
         op == SpvOpSpecConstantOp;
}

uint32_t sr_resource_index(SrModule *m, SrRef r) {
  uint32_t base = sr_chain_base(m, r);
  if (!base)
    return 0;
  /* an untyped chain names the type before the base */
  uint32_t class = sr_pointer_class(m, base), at = sr_words(m, r)[3] == base ? 4 : 5;
  bool may_be = class == SpvStorageClassUniformConstant || class == SpvStorageClassUniform ||
                class == SpvStorageClassStorageBuffer || class == SR_NONE;
  if (!may_be || sr_word_count(m, r) <= at)
    return 0;
  uint32_t type = at == 4 ? object_type(m, base) : sr_words(m, r)[3], index = sr_words(m, r)[at];
  bool chooses = (!type || has_resources(m, type, class)) && !is_constant(m, index) &&
                 !sr_is_decorated(m, sr_inst(m, r)->result, SpvDecorationNonUniform) &&
                 !sr_is_decorated(m, index, SpvDecorationNonUniform);
  return chooses ? index : 0;
}

SrBits *sr_resource_index_functions(SrArena *arena, SrModule *m) {
  SrBits *found = sr_bits_new(arena, sr_bound(m));
  for (uint32_t f = 0; f < m->function_count; f++)
    for (uint32_t b = 0; b < m->functions[f].block_count; b++)
      for (SR_EACH(m, r, m->functions[f].blocks[b].list))
        if (sr_resource_index(m, r))
          sr_bit_set(found, m->functions[f].id);
  sr_add_callers(arena, m, found);
  return found;
}
