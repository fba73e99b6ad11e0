/* SPDX-License-Identifier: Apache-2.0 */
/* new_shader: the shader of a new case, and the features that it needs. */
#include "harness/base/feature_lines.h"
#include "harness/new/new_parts.h"

#include "passes/tool/compile/compile_include.h"

#include <spirv/unified1/spirv.h>
#include <spvreconv/spvreconv.h>
#include <stdlib.h>
#include <string.h>

static bool writes_memory(const HnNew *n) {
  uint32_t count;
  const spv_emu_binding *b = spv_emu_bindings(n->program, &count);
  for (uint32_t i = 0; i < count; i++)
    if (b[i].written)
      return true;
  return false;
}

void hn_new_features(const HnNew *n, FILE *out) {
  size_t count;
  const uint32_t *words = hn_trial_words(&n->module, &count);
  hn_feature_lines(out, words, count, hn_new_stage(n));
  if (n->draws && writes_memory(n))
    fputs("DEVICE_FEATURE fragmentStoresAndAtomics\n", out);
}

/* Would a line of the text end the SHADER? */
static bool has_end(const char *text) {
  for (const char *line = text; line; line = strchr(line, '\n')) {
    line += *line == '\n';
    const char *word = line + strspn(line, " \t");
    if (strncmp(word, "END", 3) == 0 && strchr(" \t\r\n", word[3]))
      return true;
  }
  return false;
}

static void write_body(FILE *out, const char *text) {
  fputs(text, out);
  if (*text && text[strlen(text) - 1] != '\n')
    fputc('\n', out);
  fputs("END\n\n", out);
}

/* Writes GLSL as it is, with the text of each #include, and anything else as assembly. */
static bool write_glsl(HnNew *n, FILE *out, unsigned minor) {
  CompileLanguage language;
  CompileStage stage;
  compile_kind_of(n->wanted->path, &language, &stage);
  if (!n->module.source || language != COMPILE_GLSL)
    return false;
  const CompileText text = {n->wanted->path, n->module.source, strlen(n->module.source)};
  char *whole = compile_include(&text, n->wanted->source.options, n->wanted->source.option_count);
  bool usable = whole && !has_end(whole);
  if (usable) {
    fprintf(out, "SHADER %s shader GLSL TARGET_ENV spv1.%u\n", hn_new_stage(n), minor);
    write_body(out, whole);
  }
  free(whole);
  return usable;
}

static bool write_assembly(HnNew *n, FILE *out, unsigned minor) {
  spvreconv_options none;
  spvreconv_result *result = NULL;
  size_t count;
  const uint32_t *words = hn_trial_words(&n->module, &count);
  spvreconv_options_init(&none, sizeof none);
  none.transform = "none";
  none.validate = SPVRECONV_VALIDATE_NONE;
  none.want = SPVRECONV_WANT_ASSEMBLY;
  bool good = spvreconv_run(&none, words, count, &result) == SPVRECONV_OK;
  const char *text = good ? spvreconv_result_text(result, SPVRECONV_WANT_ASSEMBLY) : NULL;
  if (text) {
    fprintf(out, "SHADER %s shader SPIRV-ASM TARGET_ENV spv1.%u\n", hn_new_stage(n), minor);
    write_body(out, text);
  }
  spvreconv_result_destroy(result);
  return text || hn_new_fail(n, "SPIRV-Tools cannot print the module as text");
}

bool hn_new_shader(HnNew *n, FILE *out, bool *glsl) {
  size_t count;
  unsigned minor = hn_trial_words(&n->module, &count)[1] >> 8 & 0xff;
  *glsl = write_glsl(n, out, minor);
  return *glsl || write_assembly(n, out, minor);
}
