/* SPDX-License-Identifier: Apache-2.0 */
/* version_choice: see version_choice.h. */
#include "passes/api/version_choice.h"

#include "passes/assembly/assembly.h"
#include "passes/driver/result.h"

static void note(void *user, const char *line) {
  (void)line;
  *(bool *)user = true;
}

/* Is a module valid, once it is structured? An SrFitFn. */
static SrFit fit(void *user, const uint32_t *words, size_t count) {
  const SrVersionChoice *choice = user;
  bool noted = false;
  spvreconv_options options = sr_inner_run_options(choice->given, "structurize");
  options.message = note;
  options.message_user = &noted;
  spvreconv_result *result;
  spvreconv_status status = choice->run(&options, words, count, &result);
  bool large = result && result->too_large;
  spvreconv_result_destroy(result);
  if (status == SPVRECONV_OK)
    return large ? SR_FIT_TOO_LARGE : noted ? SR_FIT_NOTICE : SR_FIT_GOOD;
  return status == SPVRECONV_OUT_OF_MEMORY ? SR_FIT_NO_MEMORY : SR_FIT_WRONG;
}

bool sr_version_choice(const SrVersionChoice *choice, const char *text, size_t length,
                       spv_target_env *env) {
  uint32_t minor;
  if (sr_assembly_version(text, length, &minor))
    *env = sr_assembly_env(minor);
  else if (choice->options->env_given)
    *env = choice->options->env;
  else
    return sr_assembly_lowest(text, length, fit, (void *)choice, env);
  return true;
}
