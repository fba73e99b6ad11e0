/* SPDX-License-Identifier: Apache-2.0 */
/* fuzz_main: the main program of a target without libFuzzer: runs it on each named file, or,
 * compiled by afl-clang-fast, on AFL++'s inputs, in persistent mode.
 *
 *   fuzz_NAME FILE…
 *
 * A file is the input itself, except for two formats of text. A .spvasm is assembled first, and run
 * with each generator word from 0 to 63, which covers all transforms. A .hex has bytes (two hex
 * digits) and little-endian words (eight); `;` begins a comment. */
#include "tests/equiv/gen/emit.h"
#include "tests/fuzz/fuzz.h"
#include "tests/fuzz/seeds.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { GENERATORS = 64 };

typedef struct Bytes {
  uint8_t *at;
  size_t count;
} Bytes;

static bool has_suffix(const char *path, const char *suffix) {
  size_t n = strlen(path), k = strlen(suffix);
  return n >= k && strcmp(path + n - k, suffix) == 0;
}

static Bytes read_bytes(const char *path) {
  Bytes b = {0};
  FILE *f = fopen(path, "rb");
  uint8_t part[4096];
  for (size_t n; f && (n = fread(part, 1, sizeof part, f)) > 0; b.count += n) {
    b.at = emit_resize(b.at, b.count + n + 1);
    memcpy(b.at + b.count, part, n);
    b.at[b.count + n] = 0;
  }
  if (f)
    fclose(f);
  return b;
}

/* Decodes digits in place, since there are fewer bytes than digits. */
static void from_hex(Bytes *b) {
  size_t count = 0;
  for (char *p = (char *)b->at; p && *p;) {
    char *end;
    p += strspn(p, " \t\r\n");
    if (*p == ';')
      p += strcspn(p, "\n");
    if (!isxdigit((unsigned char)*p))
      continue;
    uint32_t value = (uint32_t)strtoul(p, &end, 16);
    for (long bytes = (end - p) / 2, i = 0; i < bytes; i++)
      b->at[count++] = (uint8_t)(value >> 8 * i);
    p = end;
  }
  b->count = count;
}

static bool run_assembly(const char *path) {
  Seeds seeds = {0};
  if (!seeds_add_file(&seeds, path))
    return false;
  const EmitWords *m = &seeds.module[0];
  for (m->data[FUZZ_GENERATOR] = 0; m->data[FUZZ_GENERATOR] < GENERATORS; m->data[FUZZ_GENERATOR]++)
    LLVMFuzzerTestOneInput((const uint8_t *)m->data, m->count * sizeof *m->data);
  seeds_free(&seeds);
  return true;
}

static bool run_bytes(const char *path) {
  Bytes b = read_bytes(path);
  bool read = b.at;
  if (has_suffix(path, ".hex"))
    from_hex(&b);
  if (read)
    LLVMFuzzerTestOneInput(b.at, b.count);
  else
    fprintf(stderr, "%s: cannot be read\n", path);
  free(b.at);
  return read;
}

static bool run_file(const char *path) {
  printf("%s\n", path);
  fflush(stdout);
  return has_suffix(path, ".spvasm") ? run_assembly(path) : run_bytes(path);
}

#ifdef __AFL_COMPILER
__AFL_FUZZ_INIT();

int main(int argc, char **argv) {
  for (int i = 1; i < argc; i++)
    if (!run_file(argv[i]))
      return 1;
  if (argc > 1)
    return 0;
  __AFL_INIT();
  const uint8_t *data = __AFL_FUZZ_TESTCASE_BUF;
  while (__AFL_LOOP(10000))
    LLVMFuzzerTestOneInput(data, (size_t)__AFL_FUZZ_TESTCASE_LEN);
  return 0;
}
#else
int main(int argc, char **argv) {
  bool good = argc > 1;
  for (int i = 1; i < argc; i++)
    good = run_file(argv[i]) && good;
  return good ? 0 : 1;
}
#endif
