/* SPDX-License-Identifier: Apache-2.0 */
/* carve_spirv: finds the SPIR-V modules inside a file of any kind, such as a driver or a program
 * that keeps its shaders as arrays of words.
 *
 *   carve_spirv FILE FOLDER     writes modules to FOLDER/OFFSET.spv (hexadecimal), prints how many
 *
 * A module starts at an offset that is a multiple of 4, with SPIR-V's magic number, a version from
 * 1.0 to 1.6, a generator word, an id bound, and the schema 0. Its length is stored nowhere: after
 * OpFunctionEnd only another function (or a debug line) may follow, so anything else ends the
 * module. Words without a memory model or without a function are not a module. Words are in this
 * machine's byte order. */
#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
  MAGIC = 0x07230203,
  FIRST_VERSION = 0x10000,
  LAST_VERSION = 0x10600,
  MOST_BOUND = 1 << 22, /* the limit of SPIR-V, 2.17 */
  HEADER = 5,
  OP_LINE = 8,
  OP_MEMORY_MODEL = 14,
  OP_FUNCTION = 54,
  OP_FUNCTION_END = 56,
  OP_NO_LINE = 317,
};

static bool is_header(const uint32_t *words, size_t count) {
  return count > HEADER && words[0] == MAGIC && words[1] >= FIRST_VERSION &&
         words[1] <= LAST_VERSION && !(words[1] & 0xff0000ffu) && words[3] &&
         words[3] <= MOST_BOUND && !words[4];
}

/* The length, in words, of the module at the start of `words`; 0: there is none. */
static size_t module_length(const uint32_t *words, size_t count) {
  if (!is_header(words, count))
    return 0;
  bool has_model = false;
  size_t end = 0; /* after the last function so far */
  for (size_t at = HEADER; at < count;) {
    uint32_t opcode = words[at] & 0xffff, length = words[at] >> 16;
    if (!length || length > count - at ||
        (end && opcode != OP_FUNCTION && opcode != OP_LINE && opcode != OP_NO_LINE && at == end))
      break;
    has_model |= opcode == OP_MEMORY_MODEL;
    at += length;
    if (opcode == OP_FUNCTION_END)
      end = at;
  }
  return has_model ? end : 0;
}

static bool write_module(const char *folder, size_t offset, const uint32_t *words, size_t count) {
  char path[4096];
  if (snprintf(path, sizeof path, "%s/%zx.spv", folder, offset) >= (int)sizeof path)
    return false;
  FILE *out = fopen(path, "wb");
  if (!out)
    return false;
  bool written = fwrite(words, sizeof *words, count, out) == count;
  return fclose(out) == 0 && written;
}

/* The file's words, to be freed; a remainder of less than a word is left out. */
static uint32_t *read_words(const char *path, size_t *count) {
  FILE *in = fopen(path, "rb");
  long size = -1;
  if (in && fseek(in, 0, SEEK_END) == 0)
    size = ftell(in);
  uint32_t *words = size < 0 ? NULL : malloc((size_t)size + 1);
  if (words) {
    rewind(in);
    *count = fread(words, sizeof *words, (size_t)size / sizeof *words, in);
    if (ferror(in)) {
      free(words);
      words = NULL;
    }
  }
  if (in)
    fclose(in);
  return words;
}

int main(int argc, char **argv) {
  if (argc != 3) {
    fprintf(stderr, "usage: carve_spirv FILE FOLDER\n");
    return 2;
  }
  size_t count = 0, found = 0;
  uint32_t *words = read_words(argv[1], &count);
  if (!words) {
    fprintf(stderr, "carve_spirv: %s: %s\n", argv[1], strerror(errno));
    return 1;
  }
  for (size_t at = 0; at < count; at++) {
    size_t length = words[at] == MAGIC ? module_length(words + at, count - at) : 0;
    if (!length)
      continue;
    if (!write_module(argv[2], at * sizeof *words, words + at, length)) {
      fprintf(stderr, "carve_spirv: %s: %s\n", argv[2], strerror(errno));
      free(words);
      return 1;
    }
    found++;
    at += length - 1;
  }
  printf("%zu\n", found);
  free(words);
  return 0;
}
