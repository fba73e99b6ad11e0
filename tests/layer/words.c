/* SPDX-License-Identifier: Apache-2.0 */
/* words: see words.h. */
#include "tests/layer/words.h"

#include "harness/shader/case_file.h"
#include "passes/tool/compile/compile_file.h"
#include "tests/unit/unit.h"

#include <stdlib.h>
#include <string.h>

#include <spvreconv/spvreconv.h>

static Words run_text(const char *text, size_t size, const char *name, const char *transform) {
  size_t count;
  spvreconv_options options;
  spvreconv_options_init(&options, sizeof options);
  options.transform = transform;
  options.validate = SPVRECONV_VALIDATE_NONE;
  spvreconv_result *result;
  if (spvreconv_run_text(&options, text, size, &result) != SPVRECONV_OK)
    fail_msg("%s: %s", name, spvreconv_result_message(result));
  const uint32_t *words = spvreconv_result_words(result, &count);
  Words out = {malloc(count * sizeof *words), count * sizeof *words};
  assert_non_null(out.at);
  memcpy(out.at, words, out.bytes);
  spvreconv_result_destroy(result);
  return out;
}

static Words run(const char *path, const char *transform) {
  uint8_t *text;
  size_t size;
  if (!compile_file_read(path, HN_FILE_MOST, &text, &size))
    fail_msg("cannot read %s", path);
  Words out = run_text((const char *)text, size, path, transform);
  free(text);
  return out;
}

Words words_of_text(const char *text) {
  return run_text(text, strlen(text), "text", "none");
}

Words words_of(const char *path) {
  return run(path, "none");
}

Words words_structurized(const char *path) {
  return run(path, "structurize");
}
