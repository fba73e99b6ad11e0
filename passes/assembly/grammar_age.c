/* SPDX-License-Identifier: Apache-2.0 */
/* grammar_age: see grammar_age.h. */
#include "passes/assembly/grammar_age.h"

bool sr_grammar_age_is_newer(spv_target_env env, const uint32_t *words, size_t count) {
  spv_context context = spvContextCreate(env);
  spv_result_t code = SPV_SUCCESS;
  if (context)
    code = spvBinaryParse(context, NULL, words, count, NULL, NULL, NULL);
  spvContextDestroy(context);
  return code == SPV_ERROR_INVALID_BINARY || code == SPV_ERROR_WRONG_VERSION;
}
