/* SPDX-License-Identifier: Apache-2.0 */
/* byte_order: modules from a machine of the other byte order. SPIRV-Tools parses them word by word
 * but compares names of instruction sets in memory, so words are swapped first. */
#ifndef SR_BYTE_ORDER_H
#define SR_BYTE_ORDER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Does the module start with the magic number in the other byte order? */
bool sr_is_swapped(const uint32_t *words, size_t count);
void sr_swap(uint32_t *out, const uint32_t *words, size_t count);

#endif
