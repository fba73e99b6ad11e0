/* SPDX-License-Identifier: Apache-2.0 */
/* assembled: see assembled.h. */
#include "tests/unit/assembled.h"

#include "passes/ir/reader.h"
#include "tests/unit/unit.h"

#include <string.h>

spv_binary assembled_words(spv_target_env env, const char *text) {
  spv_context context = spvContextCreate(env);
  spv_binary binary = NULL;
  spv_diagnostic why = NULL;
  spv_text_to_binary_options_t keep = SPV_TEXT_TO_BINARY_OPTION_PRESERVE_NUMERIC_IDS;
  if (spvTextToBinaryWithOptions(context, text, strlen(text), keep, &binary, &why) != SPV_SUCCESS)
    fail_msg("line %zu: %s\n%s", why->position.line + 1, why->error, text);
  spvDiagnosticDestroy(why);
  spvContextDestroy(context);
  return binary;
}

SrModule *assembled(SrArena *arena, const char *text) {
  spv_binary binary = assembled_words(SPV_ENV_UNIVERSAL_1_5, text);
  SrModule *m = NULL;
  SrDiag *diag = SR_NEW(arena, SrDiag, 1);
  if (sr_read(arena, diag, binary->code, binary->wordCount, &m) != SR_OK)
    fail_msg("%s\n%s", diag->text, text);
  spvBinaryDestroy(binary);
  return m;
}
