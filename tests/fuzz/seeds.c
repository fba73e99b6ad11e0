/* SPDX-License-Identifier: Apache-2.0 */
/* seeds: see seeds.h. */
#include "tests/fuzz/seeds.h"

#include "tests/equiv/gen/gen.h"

#include <spirv-tools/libspirv.h>
#include <stdio.h>
#include <stdlib.h>

static void add_seed(Seeds *s, EmitWords m) {
  s->module = emit_resize(s->module, (s->count + 1) * sizeof *s->module);
  s->module[s->count++] = m;
}

void seeds_add_generated(Seeds *s, uint32_t count, bool ballots) {
  for (uint64_t k = 0; k < count; k++) {
    GenModule m;
    const GenOptions options = {.merges = -1, .ballots = ballots};
    gen_module(gen_turn(k), gen_size(k, 2, 40), k, &options, &m);
    add_seed(s, (EmitWords){m.words, m.count, m.count});
  }
}

static EmitWords read_file(const char *path) {
  EmitWords w = {0};
  FILE *f = fopen(path, "rb");
  uint32_t word;
  if (!f)
    return w;
  while (word = 0, fread(&word, 1, sizeof word, f) > 0)
    emit_word(&w, word);
  fclose(f);
  return w;
}

static size_t text_length(const EmitWords *w) {
  size_t n = w->count * sizeof *w->data;
  while (n > 0 && ((const char *)w->data)[n - 1] == 0)
    n--;
  return n;
}

static void assemble(EmitWords *w) {
  spv_context context = spvContextCreate(SPV_ENV_UNIVERSAL_1_6);
  spv_binary binary = NULL;
  spvTextToBinaryWithOptions(context, (const char *)w->data, text_length(w),
                             SPV_TEXT_TO_BINARY_OPTION_PRESERVE_NUMERIC_IDS, &binary, NULL);
  w->count = 0;
  if (binary)
    emit_append(w, binary->code, binary->wordCount);
  spvBinaryDestroy(binary);
  spvContextDestroy(context);
}

bool seeds_add_file(Seeds *s, const char *path) {
  EmitWords w = read_file(path);
  if (w.count > 0 && w.data[0] != 0x07230203)
    assemble(&w);
  if (w.count == 0) {
    fprintf(stderr, "%s: cannot be read\n", path);
    free(w.data);
    return false;
  }
  add_seed(s, w);
  return true;
}

void seeds_free(Seeds *s) {
  for (size_t k = 0; k < s->count; k++)
    free(s->module[k].data);
  free(s->module);
}
