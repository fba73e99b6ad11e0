/* SPDX-License-Identifier: Apache-2.0 */
/* amber_choice: the words of fixed states, for both front ends: AmberScript writes "src_alpha",
 * VkScript "VK_BLEND_FACTOR_SRC_ALPHA". */
#ifndef AMBER_CHOICE_H
#define AMBER_CHOICE_H

#include "spv-emu/script/amber_word.h"

typedef struct AmberChoices {
  const AmberChoice *items; /* words in lower case */
  size_t count;
  const char *what;
} AmberChoices;

extern const AmberChoices amber_compare_ops, amber_stencil_ops, amber_blend_factors,
    amber_blend_ops, amber_polygon_modes, amber_topologies;

/* Takes a word of AmberScript; *number: its meaning. */
bool amber_choice(AmberParser *parser, const AmberChoices *choices, uint32_t *number);
/* The same for a Vulkan name: `prefix`, the word, perhaps "_EXT". */
bool amber_choice_vk(AmberParser *parser, const AmberChoices *choices, const char *prefix,
                     uint32_t *number);

#endif
