/* SPDX-License-Identifier: Apache-2.0 */
/* compile_kept: see compile_kept.h. A file appears complete or not at all. */
#include "passes/tool/compile/compile_kept.h"

#include "passes/tool/compile/compile_file.h"
#include "passes/tool/os/os_draft.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

enum { MOST_BYTES = 1 << 28 };

static uint64_t add_text(uint64_t hash, const char *text) {
  return XXH64(text, strlen(text) + 1, hash);
}

static uint64_t hash_of(const CompileSource *source, const char *program) {
  uint64_t hash = add_text(0, program);
  hash = add_text(hash, source->target ? source->target->name : "");
  for (uint32_t i = 0; i < source->option_count; i++)
    hash = add_text(hash, source->options[i]);
  return XXH64(source->texts->text, source->texts->size, hash);
}

/* May the module be kept? */
static bool may_keep(const CompileSource *source) {
  const char *text = source->texts->text;
  return !source->debug && !strstr(text, "include") && !strstr(text, "__FILE__");
}

bool compile_kept_find(CompileKept *kept, const CompileSource *source, const char *program,
                       CompileResult *result) {
  const char *folder = getenv("SPV_HARNESS_KERNELS");
  uint8_t *bytes;
  size_t size;
  kept->path[0] = 0;
  if (!folder || !*folder || !may_keep(source))
    return false;
  int length = snprintf(kept->path, sizeof kept->path, "%s/%016llx.spv", folder,
                        (unsigned long long)hash_of(source, program));
  if (length < 0 || (size_t)length >= sizeof kept->path) {
    kept->path[0] = 0;
    return false;
  }
  if (!compile_file_read_regular(kept->path, MOST_BYTES, &bytes, &size))
    return false;
  result->words = (uint32_t *)(void *)bytes;
  result->count = size / sizeof *result->words;
  return true;
}

void compile_kept_put(const CompileKept *kept, const CompileResult *result) {
  OsDraft draft;
  const char *at = (const char *)result->words;
  size_t left = result->count * sizeof *result->words;
  if (!kept->path[0] || result->log || result->note)
    return;
  bool good = os_draft_open(&draft, kept->path);
  while (good && left) {
    ssize_t n = write(draft.fd, at, left);
    good = n > 0;
    at += good ? n : 0;
    left -= good ? (size_t)n : 0;
  }
  (void)os_draft_close(&draft, good); /* without the file the source is compiled again */
}
