/* SPDX-License-Identifier: Apache-2.0 */
/* assemble: see assemble.h. */
#include "spv-emu/cases/assemble.h"

#include <spvreconv/spvreconv.h>
#include <stdlib.h>
#include <string.h>

/* Copies the words to the place of the text. */
static bool take_words(ToolInput *in, const spvreconv_result *result) {
  size_t count;
  const uint32_t *words = spvreconv_result_words(result, &count);
  char *copy = malloc(count * sizeof *words + 1);
  if (!copy)
    return false;
  memcpy(copy, words, count * sizeof *words);
  free(in->bytes);
  *in = (ToolInput){copy, count * sizeof *words, true};
  return true;
}

bool emu_assemble(ToolInput *in, char **message) {
  spvreconv_options none;
  spvreconv_result *result = NULL;
  *message = NULL;
  if (in->binary)
    return true;
  spvreconv_options_init(&none, sizeof none);
  none.transform = "none";
  none.validate = SPVRECONV_VALIDATE_NONE;
  bool good = spvreconv_run_text(&none, in->bytes, in->count, &result) == SPVRECONV_OK;
  if (!good && result)
    *message = strdup(spvreconv_result_message(result));
  good = good && take_words(in, result);
  spvreconv_result_destroy(result);
  return good;
}
