/* SPDX-License-Identifier: Apache-2.0 */
/* bare: see bare.h. */
#include "harness/run/bare.h"

#include <spirv/unified1/spirv.h>
#include <spvreconv/spvreconv.h>
#include <stdlib.h>
#include <string.h>

static AmberShader shader = {.name = "module", .format = AMBER_SPIRV_BIN};
static AmberRequirement layouts[] = {
    {.name = "ScalarBlockLayoutFeatures.scalarBlockLayout"},
    {.name = "UniformBufferStandardLayoutFeatures.uniformBufferStandardLayout"},
    {.name =
         "WorkgroupMemoryExplicitLayoutFeatures.workgroupMemoryExplicitLayoutScalarBlockLayout"},
};

const AmberScript hn_bare_script = {
    .shaders = &shader,
    .shader_count = 1,
    .features = {.items = layouts, .count = sizeof layouts / sizeof *layouts}};

static bool is_binary(const uint8_t *bytes, size_t size) {
  uint32_t word;
  if (size < sizeof word)
    return false;
  memcpy(&word, bytes, sizeof word);
  return word == SpvMagicNumber || word == __builtin_bswap32(SpvMagicNumber);
}

/* Is it a module? Its text begins with a comment, a result id or the name of an instruction. */
bool hn_bare_is(const uint8_t *bytes, size_t size) {
  size_t i = 0;
  while (i < size && bytes[i] && strchr(" \t\r\n", bytes[i]))
    i++;
  bool name = i + 1 < size && bytes[i] == 'O' && bytes[i + 1] == 'p';
  return is_binary(bytes, size) || name || (i < size && (bytes[i] == ';' || bytes[i] == '%'));
}

/* Reads a module with the transform `none`: the result has the words in the host's order, or the
 * reason of a failure. */
static spvreconv_status read_module(const uint8_t *bytes, size_t size, spvreconv_result **result) {
  spvreconv_options options;
  spvreconv_options_init(&options, sizeof options);
  options.transform = "none";
  options.validate = SPVRECONV_VALIDATE_NONE;
  if (!is_binary(bytes, size))
    return spvreconv_run_text(&options, (const char *)bytes, size, result);
  uint32_t *words = malloc(size);
  if (!words) {
    *result = NULL;
    return SPVRECONV_OUT_OF_MEMORY;
  }
  memcpy(words, bytes, size);
  spvreconv_status status = spvreconv_run(&options, words, size / sizeof *words, result);
  free(words);
  return status;
}

/* `text` is copied. */
static bool refuse(char **message, const char *text) {
  *message = strdup(text);
  return false;
}

static bool copy_words(const spvreconv_result *result, HnModule **modules, char **message) {
  size_t count;
  const uint32_t *words = spvreconv_result_words(result, &count);
  uint32_t *copy = malloc(count * sizeof *copy);
  *modules = calloc(2, sizeof **modules);
  if (!copy || !*modules) {
    free(copy);
    free(*modules);
    *modules = NULL;
    return refuse(message, "out of memory");
  }
  memcpy(copy, words, count * sizeof *copy);
  (*modules)[0] = (HnModule){copy, count};
  return true;
}

bool hn_bare_make(const uint8_t *bytes, size_t size, HnModule **modules, char **message) {
  *modules = NULL;
  if (is_binary(bytes, size) && size % 4)
    return refuse(message, "truncated: not a whole number of words");
  spvreconv_result *result;
  bool good = read_module(bytes, size, &result) == SPVRECONV_OK
                  ? copy_words(result, modules, message)
                  : refuse(message, spvreconv_result_message(result));
  spvreconv_result_destroy(result);
  return good;
}
