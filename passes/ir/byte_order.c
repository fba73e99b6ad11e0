/* SPDX-License-Identifier: Apache-2.0 */
/* byte_order: see byte_order.h. */
#include "passes/ir/byte_order.h"

#include "passes/base/compiler.h"

#include <spirv/unified1/spirv.h>

bool sr_is_swapped(const uint32_t *words, size_t count) {
  return count > 0 && words[0] == sr_swap_bytes(SpvMagicNumber);
}

void sr_swap(uint32_t *out, const uint32_t *words, size_t count) {
  for (size_t i = 0; i < count; i++)
    out[i] = sr_swap_bytes(words[i]);
}
