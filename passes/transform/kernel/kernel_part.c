/* SPDX-License-Identifier: Apache-2.0 */
/* kernel_part: see kernel_part.h. */
#include "passes/transform/kernel/kernel_part.h"

#include "passes/ir/constants.h"

bool sr_kernel_part_wide(const SrModule *m, uint32_t type) {
  return type && sr_def_op(m, type) == SpvOpTypeVector &&
         sr_words(m, sr_def(m, type))[3] > SR_KERNEL_PART;
}

bool sr_kernel_part_has(const SrModule *m, uint32_t id) {
  SrRef r = sr_def(m, id);
  return r != SR_NONE && sr_kernel_part_wide(m, sr_inst(m, r)->type);
}

uint32_t sr_kernel_part_count(const SrModule *m, uint32_t type) {
  return sr_kernel_components(m, type) / SR_KERNEL_PART;
}

uint32_t sr_kernel_part_type(SrKernels *k, uint32_t type) {
  return sr_kernel_vector(k, sr_kernel_scalar_of(k->m, type), SR_KERNEL_PART);
}

uint32_t sr_kernel_part(SrParts *w, uint32_t id, uint32_t i) {
  SrKernels *k = w->k;
  SrModule *m = k->m;
  uint32_t first = sr_ids_get(w->part_of, id);
  SrRef r = sr_def(m, id);
  uint32_t type = sr_kernel_part_type(k, sr_inst(m, r)->type), part[SR_KERNEL_PART];
  if (first != SR_NONE)
    return first + i;
  switch (sr_inst(m, r)->op) {
  case SpvOpConstantComposite:
    memcpy(part, &sr_words(m, r)[3 + (size_t)SR_KERNEL_PART * i], sizeof part);
    return sr_kernel_composite(k, type, part, SR_KERNEL_PART);
  case SpvOpConstantNull:
    return sr_kernel_null(k, type);
  default:
    return sr_undef(m, type);
  }
}

bool sr_kernel_part_known(const SrParts *w, uint32_t id) {
  SpvOp op = sr_def_op(w->k->m, id);
  return sr_ids_get(w->part_of, id) != SR_NONE || op == SpvOpConstantComposite ||
         op == SpvOpConstantNull || op == SpvOpUndef;
}
