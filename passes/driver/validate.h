/* validate: SPIRV-Tools' validator over the words that are about to be handed out. */
#ifndef SR_VALIDATE_H
#define SR_VALIDATE_H

#include "driver/options.h"

/* The environment to validate in: the one given, else the lowest Vulkan that admits the module's
 * version, or for a module without Shader the universal environment of that version. */
spv_target_env sr_validate_env(const SrOptions *options, const SrModule *m);

/* Fails as BAD_INPUT with SPIRV-Tools' message, made one line and pointed at function, block and
 * word. `input` is what `words` came from, or NULL if they are the input's own: if the validator
 * says the same of it, the message says that the input is at fault. `nesting`: how deep constructs
 * may stand in one another; 0: SPIRV-Tools' default, 1023. A module with instructions or enumerants
 * that SPIRV-Tools does not know passes, with a notice. */
SR_MUST_USE SrStatus sr_validate(const SrModule *m, spv_target_env env, uint32_t nesting,
                                 const uint32_t *words, size_t count, const uint32_t *input,
                                 size_t input_count);

#endif
