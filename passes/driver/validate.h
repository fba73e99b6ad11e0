/* SPDX-License-Identifier: Apache-2.0 */
/* validate: runs SPIRV-Tools' validator over the words that are about to be returned. */
#ifndef SR_VALIDATE_H
#define SR_VALIDATE_H

#include "driver/options.h"

/* The environment to validate in: the given one, else the lowest Vulkan version that admits the
 * module's version, or for a module without Shader the universal environment of that version. */
spv_target_env sr_validate_env(const SrOptions *options, const SrModule *m);

/* Fails as BAD_INPUT with SPIRV-Tools' message, shortened to one line and extended by function,
 * block and word. `input` is what `words` came from, or NULL if they are the input itself: if the
 * validator says the same of it, the message blames the input. `nesting`: how deep constructs may
 * nest; 0: SPIRV-Tools' default, 1023. A module with instructions or enumerants that SPIRV-Tools
 * does not know passes with a notice, but fails if `known`. */
SR_MUST_USE SrStatus sr_validate(const SrModule *m, spv_target_env env, uint32_t nesting,
                                 bool known, const uint32_t *words, size_t count,
                                 const uint32_t *input, size_t input_count);

#endif
