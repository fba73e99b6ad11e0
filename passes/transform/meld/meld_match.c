/* SPDX-License-Identifier: Apache-2.0 */
/* meld_match: see meld_match.h. Two instructions match if they are equal except in operands, and
 * each operand that differs may be chosen by an OpSelect: it need not be a constant, and it is
 * neither a pointer into a variable of the function nor one to a descriptor. Operands are not
 * exchanged, even if the operation is commutative. */
#include "passes/transform/meld/meld_match.h"

#include "passes/analysis/uniform/dataflow.h"
#include "passes/ir/constants.h"
#include "passes/ir/decorations.h"
#include "passes/ir/integer.h"
#include "passes/ir/pointer.h"
#include "passes/transform/ssa/ssa_select.h"

static uint32_t type_of(const SrModule *m, uint32_t id) {
  SrRef r = sr_def(m, id);
  return r == SR_NONE ? 0 : sr_inst(m, r)->type;
}

/* ---- values ---- */

static bool may_select_pointer(uint32_t storage_class) {
  return storage_class != SpvStorageClassFunction && storage_class != SpvStorageClassPrivate &&
         storage_class != SpvStorageClassUniformConstant;
}

bool sr_meld_can_select(const SrMeldPair *p, uint32_t a, uint32_t b) {
  SrModule *m = p->k->m;
  uint32_t type = type_of(m, a);
  if (!type || type != type_of(m, b) || !sr_type_can_phi(m, type) || !sr_select_width(m, type))
    return false;
  uint32_t storage = sr_pointer_type_class(m, type);
  return (storage == SR_NONE || may_select_pointer(storage)) &&
         sr_kept_same(sr_kept(m, a), sr_kept(m, b));
}

bool sr_meld_are_partners(const SrMeldPair *p, uint32_t a, uint32_t b) {
  if (a == b || !p->partner)
    return a == b;
  return sr_ids_get(p->partner, a) == b;
}

/* Are they computed by the same operation, one in each side? */
static bool may_become_partners(const SrMeldPair *p, uint32_t a, uint32_t b) {
  const SrModule *m = p->k->m;
  if (p->partner || !sr_meld_in_side(p->k, p->side[0], a) || !sr_meld_in_side(p->k, p->side[1], b))
    return false;
  return sr_def_op(m, a) == sr_def_op(m, b) && type_of(m, a) == type_of(m, b);
}

/* ---- operands that may differ ---- */

/* The type that word `i` of an access chain indexes; 0: not known. */
static uint32_t indexed_type(const SrModule *m, SrRef chain, uint32_t i) {
  SrRef pointer = sr_def(m, type_of(m, sr_words(m, chain)[3]));
  uint32_t type = pointer == SR_NONE ? 0 : sr_words(m, pointer)[3];
  for (uint32_t w = 4; w < i && type; w++) {
    SrRef r = sr_def(m, type);
    SrInteger index;
    if (sr_inst(m, r)->op != SpvOpTypeStruct)
      type = sr_words(m, r)[2];
    else if (sr_integer_constant(m, sr_words(m, chain)[w], &index))
      type = sr_words(m, r)[2 + index.bits];
    else
      type = 0;
  }
  return type;
}

/* May the index differ between lanes? A member's number may not, nor the index of a descriptor. A
 * constant index stays constant: a variable with variable indices is kept in memory. */
static bool may_index_differ(const SrModule *m, SrRef chain, uint32_t i) {
  uint32_t type = indexed_type(m, chain, i), storage = sr_pointer_class(m, sr_words(m, chain)[3]);
  SpvOp op = type ? sr_def_op(m, type) : SpvOpNop;
  SrInteger index;
  if (op != SpvOpTypeArray && op != SpvOpTypeRuntimeArray && op != SpvOpTypeVector &&
      op != SpvOpTypeMatrix)
    return false;
  switch (storage) {
  case SpvStorageClassFunction:
  case SpvStorageClassPrivate:
    return !sr_integer_constant(m, sr_words(m, chain)[i], &index);
  case SpvStorageClassWorkgroup:
  case SpvStorageClassPhysicalStorageBuffer:
  case SpvStorageClassCrossWorkgroup:
    return true;
  case SpvStorageClassStorageBuffer:
  case SpvStorageClassUniform: {
    SrRef pointer = sr_def(m, type_of(m, sr_words(m, chain)[3]));
    return i > 4 || sr_def_op(m, sr_words(m, pointer)[3]) != SpvOpTypeArray;
  }
  default:
    return false;
  }
}

/* Is the word a value that an atomic instruction writes or compares? */
static bool is_atomic_value(uint16_t op, uint32_t i) {
  switch (op) {
  case SpvOpAtomicStore:
    return i >= 4;
  case SpvOpAtomicCompareExchange:
    return i >= 7;
  default:
    return i >= 6 &&
           ((op >= SpvOpAtomicExchange && op <= SpvOpAtomicXor) || op == SpvOpAtomicFAddEXT ||
            op == SpvOpAtomicFMinEXT || op == SpvOpAtomicFMaxEXT);
  }
}

/* May word i, an id, be the result of an OpSelect? */
static bool may_differ(const SrModule *m, SrRef r, uint32_t i) {
  const SrInst *in = sr_inst(m, r);
  switch (in->op) {
  case SpvOpLoad:
    return i == 3;
  case SpvOpStore:
    return i <= 2;
  case SpvOpFunctionCall:
    return i > 3;
  case SpvOpAccessChain:
  case SpvOpInBoundsAccessChain:
    return i > 3 && may_index_differ(m, r, i);
  case SpvOpPtrAccessChain:
  case SpvOpInBoundsPtrAccessChain:
    return i == 4;
  case SpvOpImageSampleExplicitLod:
  case SpvOpImageFetch:
  case SpvOpImageRead:
    return i == 4;
  case SpvOpImageWrite:
    return i == 2 || i == 3;
  case SpvOpExtInst:
    return i > 4 && !in->nonsemantic;
  default:
    if (is_atomic_value(in->op, i))
      return true;
    return sr_dataflow(m, r, false) == SR_DATAFLOW_PURE &&
           !(in->op >= SpvOpSampledImage && in->op <= SpvOpImageQuerySamples);
  }
}

static int32_t operand_cost(const SrMeldPair *p, SrRef r, uint32_t i, uint32_t a, uint32_t b) {
  if (sr_meld_are_partners(p, a, b) || may_become_partners(p, a, b))
    return 0;
  return may_differ(p->k->m, r, i) && sr_meld_can_select(p, a, b) ? 1 : SR_MELD_NEVER;
}

/* ---- instructions ---- */

/* Equal except in ids? */
static bool same_form(const SrModule *m, SrRef a, SrRef b) {
  const SrInst *x = sr_inst(m, a), *y = sr_inst(m, b);
  if (x->op != y->op || x->type != y->type || sr_words(m, a)[0] != sr_words(m, b)[0])
    return false;
  for (uint32_t i = x->first; i < sr_word_count(m, a); i++) {
    bool id = sr_word_is_id(m, a, i);
    if (id != sr_word_is_id(m, b, i) || (!id && sr_words(m, a)[i] != sr_words(m, b)[i]))
      return false;
  }
  return true;
}

static bool same_results(const SrMeldPair *p, SrRef a, SrRef b) {
  SrModule *m = p->k->m;
  uint32_t x = sr_inst(m, a)->result, y = sr_inst(m, b)->result;
  return !x || sr_same_decorations(m, x, y);
}

int32_t sr_meld_match(const SrMeldPair *p, SrRef a, SrRef b) {
  const SrModule *m = p->k->m;
  int32_t selects = 0;
  if (!same_form(m, a, b) || !same_results(p, a, b))
    return SR_MELD_NEVER;
  for (uint32_t i = sr_inst(m, a)->first; i < sr_word_count(m, a); i++) {
    if (!sr_word_is_id(m, a, i))
      continue;
    int32_t more = operand_cost(p, a, i, sr_words(m, a)[i], sr_words(m, b)[i]);
    if (more == SR_MELD_NEVER)
      return SR_MELD_NEVER;
    selects += more;
  }
  return selects;
}

bool sr_meld_match_phis(const SrMeldPair *p, SrRef a, SrRef b) {
  SrModule *m = p->k->m;
  uint32_t type = sr_inst(m, a)->type;
  return type == sr_inst(m, b)->type && sr_type_can_phi(m, type) && sr_select_width(m, type) &&
         same_results(p, a, b);
}

int32_t sr_meld_match_ends(const SrMeldPair *p, SrRef a, SrRef b) {
  const SrModule *m = p->k->m;
  int32_t selects = 0;
  for (uint32_t i = 1; i < sr_word_count(m, a); i++) {
    uint32_t x = sr_words(m, a)[i], y = sr_words(m, b)[i];
    if (!sr_word_is_id(m, a, i) || sr_def_op(m, x) == SpvOpLabel || sr_meld_are_partners(p, x, y) ||
        may_become_partners(p, x, y))
      continue;
    if (!sr_meld_can_select(p, x, y))
      return SR_MELD_NEVER;
    selects++;
  }
  return selects;
}
