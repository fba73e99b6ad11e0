/* SPDX-License-Identifier: Apache-2.0 */
/* ssa_select: see ssa_select.h. */
#include "passes/transform/ssa/ssa_select.h"
#include "passes/ir/constants.h"
#include "passes/ir/edit.h"
#include "passes/ir/newer.h"

enum { VERSION_1_4 = 0x00010400 };

uint32_t sr_select_width(const SrModule *m, uint32_t type) {
  SrRef r = sr_def(m, type);
  switch (sr_inst(m, r)->op) {
  case SpvOpTypeBool:
  case SpvOpTypeInt:
  case SpvOpTypeFloat:
  case SpvOpTypePointer:
  case SR_OP_TYPE_UNTYPED_POINTER:
    return 1;
  case SpvOpTypeVector:
    return m->header[1] >= VERSION_1_4 ? 1 : sr_words(m, r)[3];
  case SpvOpTypeMatrix:
  case SpvOpTypeArray:
  case SpvOpTypeStruct:
    return m->header[1] >= VERSION_1_4;
  default:
    return 0;
  }
}

uint32_t sr_select_condition(SrModule *m, SrList *list, SrRef before, uint32_t condition,
                             uint32_t width) {
  uint32_t type = sr_type_bools(m, width), id = sr_fresh_id(m);
  sr_begin(m, SpvOpCompositeConstruct, type, id);
  for (uint32_t i = 0; i < width; i++)
    sr_put_id(m, condition);
  SrRef r = sr_end(m);
  if (before == SR_NONE)
    sr_append(m, list, r);
  else
    sr_insert_before(m, list, before, r);
  return id;
}
