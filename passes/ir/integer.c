/* SPDX-License-Identifier: Apache-2.0 */
/* integer: see integer.h. */
#include "passes/ir/integer.h"

uint32_t sr_integer_width(const SrModule *m, uint32_t type) {
  if (sr_def_op(m, type) != SpvOpTypeInt)
    return 0;
  uint32_t width = sr_words(m, sr_def(m, type))[2];
  return width <= 64 ? width : 0;
}

uint64_t sr_integer_cut(uint64_t bits, uint32_t width) {
  return bits & UINT64_MAX >> (64 - width);
}

bool sr_integer_read(const SrModule *m, uint32_t type, const uint32_t *words, SrInteger *out) {
  uint32_t width = sr_integer_width(m, type);
  if (width == 0)
    return false;
  uint64_t bits = words[0] | (width > 32 ? (uint64_t)words[1] << 32 : 0);
  *out = (SrInteger){sr_integer_cut(bits, width), width, sr_words(m, sr_def(m, type))[3] != 0};
  return true;
}

bool sr_integer_constant(const SrModule *m, uint32_t id, SrInteger *out) {
  SrRef r = sr_def(m, id);
  return r != SR_NONE && sr_inst(m, r)->op == SpvOpConstant &&
         sr_word_count(m, r) >= (sr_integer_width(m, sr_inst(m, r)->type) > 32 ? 5 : 4) &&
         sr_integer_read(m, sr_inst(m, r)->type, sr_words(m, r) + 3, out);
}

int64_t sr_integer_signed(SrInteger i) {
  uint32_t above = 64 - i.width;
  return (int64_t)(i.bits << above) >> above;
}
