/* SPDX-License-Identifier: Apache-2.0 */
/* validate: runs SPIRV-Tools' validator over the words that are about to be returned. */
#ifndef SR_VALIDATE_H
#define SR_VALIDATE_H

#include "passes/driver/options.h"

/* The words to be validated, how strictly, and the input that they were made from. */
typedef struct SrValidation {
  spv_target_env env;     /* the rules that must hold */
  spv_target_env at_most; /* the rules that suffice for an input that breaks those of `env` */
  uint32_t nesting;       /* how deep constructs may nest; 0: SPIRV-Tools' default, 1023 */
  bool strict;            /* make none of the exceptions that sr_validate lists */
  const uint32_t *words;
  size_t count;
  const uint32_t *input; /* what `words` were made from, perhaps the same words */
  size_t input_count;
  bool straight; /* `words` are the straight form of the input (straight.h) */
  /* Called if the input is refused, because of its control flow or not: returns what repairs it,
   * for the message, or "". May be NULL. */
  const char *(*advice)(void *user, bool control_flow);
  void *user;
} SrValidation;

/* Sets the two environments. If the options name one, both are that one. Else `env` is the lowest
 * Vulkan version that admits the module's version of SPIR-V, or for a module without Shader the
 * universal environment of that version of SPIR-V; and `at_most` is the universal environment. */
void sr_validate_env(SrValidation *v, const SrOptions *options, const SrModule *m);

/* Fails as BAD_INPUT with SPIRV-Tools' message, shortened to one line and extended by function,
 * block and word; if the input is at fault, the message says so, and whether in its control flow or
 * elsewhere. Unless `strict`, two kinds of modules pass with a notice: one with instructions or
 * enumerants that SPIRV-Tools does not know; and one that `at_most` accepts, if the input already
 * breaks a rule of `env`. */
SR_MUST_USE SrStatus sr_validate(const SrModule *m, const SrValidation *v);
/* The same for an input whose control flow is known to break rules: looks for its other faults
 * (straight.h). */
SR_MUST_USE SrStatus sr_validate_rest(const SrModule *m, const SrValidation *v);

#endif
