/* SPDX-License-Identifier: Apache-2.0 */
/* quad_cells: see quad_cells.h. */
#include "passes/analysis/uniform/quad_cells.h"

#include "passes/ir/integer.h"

/* Does `fits` hold for the constant, or for each part of it? */
static bool constant_fits(const SrModule *m, uint32_t id, bool (*fits)(uint64_t value)) {
  SrInteger value;
  SrRef def = sr_def(m, id);
  if (sr_integer_constant(m, id, &value))
    return fits(value.bits);
  if (def == SR_NONE || sr_inst(m, def)->op != SpvOpConstantComposite)
    return false;
  for (uint32_t i = 3; i < sr_word_count(m, def); i++)
    if (!sr_integer_constant(m, sr_words(m, def)[i], &value) || !fits(value.bits))
      return false;
  return true;
}

static bool is_even(uint64_t value) {
  return value % 2 == 0;
}

static bool is_positive(uint64_t value) {
  return value > 0;
}

/* Does the instruction, because of its second operand, have the same result for all x that differ
 * only in bit 0? Coordinates are not negative. */
static bool drops_lowest_bit(const SrModule *m, SrRef r) {
  switch (sr_inst(m, r)->op) {
  case SpvOpUDiv:
  case SpvOpSDiv:
    return constant_fits(m, sr_words(m, r)[4], is_even);
  case SpvOpShiftRightLogical:
  case SpvOpShiftRightArithmetic:
    return constant_fits(m, sr_words(m, r)[4], is_positive);
  case SpvOpBitwiseAnd:
    return constant_fits(m, sr_words(m, r)[4], is_even);
  default:
    return false;
  }
}

/* The part of a vector that an instruction selects: x and y only? */
static bool selects_x_or_y(const SrModule *m, SrRef r) {
  const uint32_t *w = sr_words(m, r);
  bool shuffle = sr_inst(m, r)->op == SpvOpVectorShuffle;
  if (shuffle && w[3] != w[4])
    return false;
  for (uint32_t i = shuffle ? 5 : 4; i < w[0] >> 16; i++)
    if (w[i] > 1)
      return false;
  return true;
}

/* Does the load read x or y of FragCoord, or all of it with `selected`: later only x and y are? */
static bool loads_coordinate(const SrMemory *memory, const SrModule *m, SrRef load, bool selected) {
  SrRef pointer = sr_def(m, sr_words(m, load)[3]);
  SrInteger index;
  if (sr_memory_loaded_builtin(memory, load) != SpvBuiltInFragCoord)
    return false;
  if (sr_inst(m, pointer)->op == SpvOpVariable)
    return selected;
  return sr_inst(m, pointer)->op == SpvOpAccessChain && sr_word_count(m, pointer) == 5 &&
         sr_integer_constant(m, sr_words(m, pointer)[4], &index) && index.bits <= 1;
}

bool sr_is_quad_cell(const SrMemory *memory, const SrModule *m, SrRef r) {
  bool selected = false, converted = false;
  if (!drops_lowest_bit(m, r))
    return false;
  for (;;) {
    r = sr_def(m, sr_words(m, r)[3]);
    if (r == SR_NONE)
      return false;
    switch (sr_inst(m, r)->op) {
    case SpvOpConvertFToU:
    case SpvOpConvertFToS:
      converted = true;
      break;
    case SpvOpBitcast:
      break;
    case SpvOpCompositeExtract:
    case SpvOpVectorShuffle:
      selected = selects_x_or_y(m, r);
      break;
    case SpvOpLoad:
      return converted && loads_coordinate(memory, m, r, selected);
    default:
      return false;
    }
  }
}
