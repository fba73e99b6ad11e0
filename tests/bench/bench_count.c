/* SPDX-License-Identifier: Apache-2.0 */
/* bench_count: see bench_count.h. Files are streamed: the benchmark itself stays small. */
#include "tests/bench/bench_count.h"

#include <spirv/unified1/spirv.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool is_counted(uint32_t opcode) {
  switch (opcode) {
  case SpvOpFunction:
  case SpvOpFunctionParameter:
  case SpvOpFunctionEnd:
  case SpvOpLabel:
  case SpvOpSelectionMerge:
  case SpvOpLoopMerge:
    return false;
  default:
    return true;
  }
}

static bool count_stream(FILE *in, BenchCounts *counts) {
  uint32_t word;
  bool inside = false;
  while (fread(&word, sizeof word, 1, in) == 1) {
    uint32_t opcode = word & 0xffff, length = word >> 16;
    inside = opcode == SpvOpFunction || (inside && opcode != SpvOpFunctionEnd);
    counts->words += length;
    counts->blocks += inside && opcode == SpvOpLabel;
    counts->phis += inside && opcode == SpvOpPhi;
    counts->instructions += inside && is_counted(opcode);
    for (; length > 1; length--)
      if (fread(&word, sizeof word, 1, in) != 1)
        return false;
    if (length == 0)
      return false;
  }
  return true;
}

bool bench_count_spirv(const char *path, BenchCounts *counts) {
  uint32_t header[5];
  FILE *in = fopen(path, "rb");
  *counts = (BenchCounts){.words = 5};
  bool good = in && fread(header, sizeof header, 1, in) == 1 && header[0] == SpvMagicNumber &&
              count_stream(in, counts);
  if (in)
    fclose(in);
  return good;
}

/* A function's lines: "define … {", "label: …" at the margin, instructions indented by two spaces,
 * operands of switches deeper, "}". An entry block without a name has no line. */
static void count_line(const char *line, bool *inside, bool *fresh, BenchCounts *counts) {
  if (strncmp(line, "define ", 7) == 0) {
    *inside = *fresh = true;
  } else if (line[0] == '}') {
    *inside = false;
  } else if (*inside && strncmp(line, "  ", 2) == 0 && line[2] != ' ' && line[2] != ']') {
    counts->blocks += *fresh;
    *fresh = false;
    counts->instructions++;
    counts->phis += strstr(line, " = phi ") != NULL;
  } else if (*inside && line[0] != ';' && line[0] != '\n' && line[0] != ' ') {
    counts->blocks++;
    *fresh = false;
  }
}

bool bench_count_llvm(const char *path, BenchCounts *counts) {
  FILE *in = fopen(path, "r");
  char *line = NULL;
  size_t size = 0;
  bool inside = false, fresh = false;
  *counts = (BenchCounts){0};
  while (in && getline(&line, &size, in) > 0)
    count_line(line, &inside, &fresh, counts);
  free(line);
  if (in)
    fclose(in);
  return counts->blocks > 0;
}

bool bench_sum_json(const char *path, const char *key, uint64_t *sum) {
  FILE *in = fopen(path, "r");
  char *text = NULL, quoted[64];
  size_t size = 0;
  *sum = 0;
  bool good = in && getdelim(&text, &size, '\0', in) > 0;
  snprintf(quoted, sizeof quoted, "\"%s\":", key);
  for (const char *p = good ? text : ""; (p = strstr(p, quoted)) != NULL;) {
    p += strlen(quoted);
    *sum += strtoull(p, NULL, 10);
  }
  free(text);
  if (in)
    fclose(in);
  return good;
}
