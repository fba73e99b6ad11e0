/* SPDX-License-Identifier: Apache-2.0 */
/* byte_order: see byte_order.h. */
#include "passes/ir/byte_order.h"

#include <spirv/unified1/spirv.h>

bool sr_is_swapped(const uint32_t *words, size_t count) {
  return count > 0 && words[0] == __builtin_bswap32(SpvMagicNumber);
}

void sr_swap(uint32_t *out, const uint32_t *words, size_t count) {
  for (size_t i = 0; i < count; i++)
    out[i] = __builtin_bswap32(words[i]);
}
