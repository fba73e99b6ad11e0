/* SPDX-License-Identifier: Apache-2.0 */
/* decode_composite: construction, extraction, insertion and shuffles. A composite is the list of
 * its scalars, so most of these only rename registers and emit no code. SPIR-V 1.6,
 * section 3.49.12. */
#include "spv-emu/decode/decode_step.h"

/* ---- positions of parts ---------------------------------------------------------------------- */

/* Type of part i of a composite type. */
static uint32_t part_type(EmuDecode *d, uint32_t type, uint32_t i) {
  const EmuType *t = emu_type(d, type);
  SrModule *m = emu_module(d);
  return t->op == SpvOpTypeStruct ? sr_words(m, sr_def(m, type))[2 + i] : t->element;
}

/* *at: the first scalar of the part that the literals from operand `first` on select; *count: the
 * number of its scalars. The validator does not check the literals of an OpSpecConstantOp. */
static bool find_part(EmuSteps *s, uint32_t type, uint32_t first, uint32_t *at, uint32_t *count) {
  *at = 0;
  for (uint32_t i = first; i < emu_operand_count(s->d, s->r); i++) {
    uint32_t index = emu_operand(s->d, s->r, i);
    if (index >= emu_type(s->d, type)->count)
      return emu_refuse(s->d, s->r, "the composite has no part %u", index);
    if (emu_type(s->d, type)->op == SpvOpTypeStruct)
      for (uint32_t k = 0; k < index; k++)
        *at += emu_type_components(s->d, part_type(s->d, type, k));
    else
      *at += index * emu_type_components(s->d, emu_type(s->d, type)->element);
    type = part_type(s->d, type, index);
  }
  *count = emu_type_components(s->d, type);
  return true;
}

static uint32_t operand_type(EmuSteps *s, uint32_t i) {
  return emu_type_of(s->d, emu_operand(s->d, s->r, i));
}

/* ---- fixed places ---------------------------------------------------------------------------- */

static bool construct(EmuSteps *s) {
  uint32_t total = emu_type_components(s->d, sr_inst(emu_module(s->d), s->r)->type), n = 0;
  uint32_t *result = emu_new_parts(s, total);
  for (uint32_t i = 0; i < emu_operand_count(s->d, s->r); i++) {
    EmuParts part = emu_parts(s, i);
    for (uint32_t k = 0; k < part.count && n < total; k++)
      result[n++] = part.at[k];
  }
  return emu_steps_end(s, result, n);
}

static bool extract(EmuSteps *s) {
  EmuParts whole = emu_parts(s, 0);
  uint32_t at = 0, count = 0;
  if (!find_part(s, operand_type(s, 0), 1, &at, &count))
    return false;
  return emu_steps_end(s, whole.at + at, count);
}

static bool insert(EmuSteps *s) {
  EmuParts part = emu_parts(s, 0), whole = emu_parts(s, 1);
  uint32_t at = 0, count = 0, *result = emu_new_parts(s, whole.count);
  if (!find_part(s, operand_type(s, 1), 2, &at, &count))
    return false;
  memcpy(result, whole.at, whole.count * sizeof *result);
  memcpy(result + at, part.at, count * sizeof *result);
  return emu_steps_end(s, result, whole.count);
}

static bool copy(EmuSteps *s) {
  EmuParts whole = emu_parts(s, 0);
  return emu_steps_end(s, whole.at, whole.count);
}

/* Component 0xffffffff is undefined. Here it is zero. */
static bool shuffle(EmuSteps *s) {
  EmuParts a = emu_parts(s, 0), b = emu_parts(s, 1);
  uint32_t count = emu_operand_count(s->d, s->r) - 2, *result = emu_new_parts(s, count);
  for (uint32_t i = 0; i < count; i++) {
    uint32_t from = emu_operand(s->d, s->r, 2 + i);
    result[i] = from < a.count             ? a.at[from]
                : from - a.count < b.count ? b.at[from - a.count]
                                           : emu_bits(s->d, a.kind, 0);
  }
  return emu_steps_end(s, result, count);
}

static bool transpose(EmuSteps *s) {
  EmuParts matrix = emu_parts(s, 0);
  uint32_t columns = emu_type(s->d, operand_type(s, 0))->count, rows = matrix.count / columns;
  uint32_t *result = emu_new_parts(s, matrix.count);
  for (uint32_t c = 0; c < columns; c++)
    for (uint32_t r = 0; r < rows; r++)
      result[r * columns + c] = matrix.at[c * rows + r];
  return emu_steps_end(s, result, matrix.count);
}

/* ---- dynamic indices ------------------------------------------------------------------------- */

/* An index past the last component gives zero. */
static bool extract_dynamic(EmuSteps *s) {
  EmuParts vector = emu_parts(s, 0), index = emu_parts(s, 1);
  uint32_t result =
      emu_step_choose(s, vector.kind, vector.at, vector.count,
                      emu_step_index(s, index.kind, index.at[0]), emu_bits(s->d, vector.kind, 0));
  return emu_steps_end(s, &result, 1);
}

/* An index past the last component changes nothing. */
static bool insert_dynamic(EmuSteps *s) {
  EmuParts vector = emu_parts(s, 0), part = emu_parts(s, 1), index = emu_parts(s, 2);
  uint32_t at = emu_step_index(s, index.kind, index.at[0]);
  EmuHandler *take = s->d->isa->alu((SpvOp)EMU_STEP_TAKE, vector.kind);
  uint32_t *result = emu_new_parts(s, vector.count);
  for (uint32_t i = 0; i < vector.count; i++)
    result[i] = emu_step(s, take, vector.kind, part.at[0], at, vector.at[i], i);
  return emu_steps_end(s, result, vector.count);
}

/* ---- the opcodes ----------------------------------------------------------------------------- */

bool emu_decode_composite(EmuSteps *s, SpvOp op, bool *mine) {
  switch (op) {
  case SpvOpCompositeConstruct:
    return construct(s);
  case SpvOpCompositeExtract:
    return extract(s);
  case SpvOpCompositeInsert:
    return insert(s);
  case SpvOpVectorShuffle:
    return shuffle(s);
  case SpvOpVectorExtractDynamic:
    return extract_dynamic(s);
  case SpvOpVectorInsertDynamic:
    return insert_dynamic(s);
  case SpvOpCopyObject:
  case SpvOpCopyLogical:
  case SpvOpExpectKHR:
    return copy(s);
  case SpvOpTranspose:
    return transpose(s);
  default:
    *mine = false;
    return true;
  }
}
