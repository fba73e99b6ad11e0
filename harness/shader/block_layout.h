/* SPDX-License-Identifier: Apache-2.0 */
/* block_layout: features that allow other layouts of blocks than Vulkan 1.1 does. */
#ifndef HN_BLOCK_LAYOUT_H
#define HN_BLOCK_LAYOUT_H

#include <spirv-tools/libspirv.h>
#include <stddef.h>
#include <stdint.h>

enum { HN_BLOCK_LAYOUTS = 3 };

typedef struct HnBlockLayout {
  const char *feature; /* its name in cases */
  void (*set)(spv_validator_options options, bool value);
} HnBlockLayout;

extern const HnBlockLayout hn_block_layouts[HN_BLOCK_LAYOUTS];

/* The first of these features without which spirv-val refuses the module, and with which it does not, for Vulkan 1.3.
 * NULL: there is none. */
const char *hn_block_layout(const uint32_t *words, size_t count);

#endif
