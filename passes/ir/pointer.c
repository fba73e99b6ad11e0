/* SPDX-License-Identifier: Apache-2.0 */
/* pointer: see pointer.h. */
#include "passes/ir/pointer.h"
#include "passes/ir/newer.h"

/* The opcode, or OpNop if the grammar does not know it, because such an instruction may have too
 * few words. */
static uint16_t known_op(const SrModule *m, SrRef r) {
  return r == SR_NONE || sr_inst(m, r)->unknown ? SpvOpNop : sr_inst(m, r)->op;
}

uint32_t sr_pointer_type_class(const SrModule *m, uint32_t type) {
  SrRef def = sr_def(m, type);
  uint16_t op = known_op(m, def);
  bool pointer = op == SpvOpTypePointer || op == SR_OP_TYPE_UNTYPED_POINTER;
  return pointer ? sr_words(m, def)[2] : SR_NONE;
}

uint32_t sr_pointer_class(const SrModule *m, uint32_t id) {
  SrRef def = sr_def(m, id);
  return def == SR_NONE ? SR_NONE : sr_pointer_type_class(m, sr_inst(m, def)->type);
}

bool sr_is_shared_class(uint32_t storage_class) {
  switch (storage_class) {
  case SpvStorageClassFunction:
  case SpvStorageClassPrivate:
  case SpvStorageClassInput:
  case SpvStorageClassOutput:
  case SpvStorageClassPushConstant:
  case SpvStorageClassUniformConstant:
    return false;
  default:
    return true;
  }
}

bool sr_may_be_pointer(const SrModule *m, uint32_t id) {
  SrRef def = sr_def(m, id);
  if (def == SR_NONE)
    return true;
  SrRef type = sr_def(m, sr_inst(m, def)->type);
  if (known_op(m, type) == SpvOpTypeVector)
    type = sr_def(m, sr_words(m, type)[2]);
  if (type == SR_NONE || sr_inst(m, type)->unknown) /* a definition that is not a value, such as a
                                                       type, has no type */
    return sr_inst(m, def)->type || sr_inst(m, def)->unknown;
  return sr_pointer_type_class(m, sr_inst(m, type)->result) != SR_NONE;
}

bool sr_is_variable(uint16_t op) {
  return op == SpvOpVariable || op == SR_OP_UNTYPED_VARIABLE;
}

uint32_t sr_variable_type(const SrModule *m, SrRef variable) {
  if (known_op(m, variable) == SR_OP_UNTYPED_VARIABLE)
    return sr_word_count(m, variable) > 4 ? sr_words(m, variable)[4] : 0;
  SrRef pointer = sr_def(m, sr_inst(m, variable)->type);
  return known_op(m, pointer) == SpvOpTypePointer ? sr_words(m, pointer)[3] : 0;
}

uint32_t sr_variable_initializer(const SrModule *m, SrRef variable) {
  uint32_t word = sr_inst(m, variable)->op == SpvOpVariable ? 4 : 5;
  return word < sr_word_count(m, variable) ? sr_words(m, variable)[word] : 0;
}

uint32_t sr_chain_base(const SrModule *m, SrRef r) {
  switch (known_op(m, r)) {
  case SpvOpAccessChain:
  case SpvOpInBoundsAccessChain:
  case SpvOpPtrAccessChain:
  case SpvOpInBoundsPtrAccessChain:
  case SR_OP_RAW_ACCESS_CHAIN:
    return sr_words(m, r)[3];
  case SR_OP_UNTYPED_ACCESS_CHAIN: /* word 3 is the type that the base is taken to point to */
  case SR_OP_UNTYPED_IN_BOUNDS_ACCESS_CHAIN:
  case SR_OP_UNTYPED_PTR_ACCESS_CHAIN:
  case SR_OP_UNTYPED_IN_BOUNDS_PTR_ACCESS_CHAIN:
    return sr_words(m, r)[4];
  default:
    return 0;
  }
}
