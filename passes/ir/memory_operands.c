/* SPDX-License-Identifier: Apache-2.0 */
/* memory_operands: see memory_operands.h. */
#include "passes/ir/memory_operands.h"

uint32_t sr_memory_operands(const SrModule *m, SrRef r) {
  uint32_t count = sr_word_count(m, r);
  uint32_t at = sr_inst(m, r)->op == SpvOpLoad ? 4 : sr_inst(m, r)->op == SpvOpStore ? 3 : count;
  return at < count ? at : count;
}

bool sr_memory_has(const SrModule *m, SrRef r, uint32_t bit) {
  uint32_t at = sr_memory_operands(m, r);
  return at < sr_word_count(m, r) && sr_words(m, r)[at] & bit;
}
