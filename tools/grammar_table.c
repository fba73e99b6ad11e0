/* SPDX-License-Identifier: Apache-2.0 */
/* grammar_table: writes SPIRV-Headers' machine-readable grammar as the tables of
 * passes/ir/grammar.c.
 *
 *   grammar_table OUT CORE [SET=FILE...]
 *
 * CORE is spirv.core.grammar.json. SET is the name that OpExtInstImport gives an extended
 * instruction set, FILE its extinst.*.grammar.json. The build runs this program;
 * cmake/grammar.cmake finds the files. */
#include <jansson.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "passes/ir/grammar_kind.h"

enum { MAX_KINDS = 256, MAX_LISTS = 1 << 15, MAX_FILES = 32 };

/* The kinds that need code of their own, in the order of SrOperandKind. */
static const char *const plain_kinds[] = {
#define KIND(name) #name,
#include "passes/ir/grammar_kind.def"
#undef KIND
};

typedef struct Kind {
  const char *name;
  const json_t *enumerants; /* NULL: none are listed */
  bool mask;
} Kind;

static Kind kinds[MAX_KINDS];
static unsigned kind_count = SR_KIND_COUNT;
static uint16_t lists[MAX_LISTS];
static unsigned list_end = 1; /* the list at 0 is the empty one */
static FILE *out;

static void fail(const char *format, ...) {
  va_list args;
  va_start(args, format);
  fputs("grammar_table: ", stderr);
  vfprintf(stderr, format, args);
  fputc('\n', stderr);
  va_end(args);
  exit(1);
}

/* Kept to the end: kinds and rows refer to what was read. */
static json_t *loaded[MAX_FILES];
static unsigned loaded_count;

static json_t *load(const char *path) {
  json_error_t error;
  json_t *root = json_load_file(path, 0, &error);
  if (!root)
    fail("%s:%d: %s", path, error.line, error.text);
  if (loaded_count == MAX_FILES)
    fail("more than %d files", MAX_FILES);
  return loaded[loaded_count++] = root;
}

static const char *text_of(const json_t *object, const char *key) {
  const char *text = json_string_value(json_object_get(object, key));
  if (!text)
    fail("an object lacks %s", key);
  return text;
}

/* The value of an enumerant, which is a number, or a mask written "0x0001". */
static uint32_t value_of(const json_t *enumerant) {
  const json_t *value = json_object_get(enumerant, "value");
  return json_is_string(value) ? (uint32_t)strtoul(json_string_value(value), NULL, 0)
                               : (uint32_t)json_integer_value(value);
}

/* ---- kinds ---- */

static unsigned kind_of(const char *name) {
  for (unsigned k = 0; k < SR_KIND_COUNT; k++)
    if (strcmp(plain_kinds[k], name) == 0)
      return k;
  for (unsigned k = SR_KIND_COUNT; k < kind_count; k++)
    if (strcmp(kinds[k].name, name) == 0)
      return k;
  if (kind_count == MAX_KINDS)
    fail("more than %d kinds of operands", MAX_KINDS);
  kinds[kind_count].name = name;
  return kind_count++;
}

/* Literals that are one word whatever they mean, and enumerations. */
static void add_kinds(const json_t *root) {
  size_t i;
  const json_t *kind;
  json_array_foreach(json_object_get(root, "operand_kinds"), i, kind) {
    const char *category = text_of(kind, "category");
    bool mask = strcmp(category, "BitEnum") == 0;
    unsigned k = kind_of(text_of(kind, "kind"));
    if (k < SR_KIND_COUNT)
      continue;
    if (!mask && strcmp(category, "ValueEnum") != 0)
      fail("operand kind %s of category %s is new", kinds[k].name, category);
    kinds[k].mask = mask;
    kinds[k].enumerants = json_object_get(kind, "enumerants");
  }
}

/* ---- lists of operands ---- */

/* Where the operands begin in `lists`; the list ends with a 0. */
static unsigned add_list(const json_t *operands) {
  if (json_array_size(operands) == 0)
    return 0;
  unsigned start = list_end;
  size_t i;
  const json_t *operand;
  json_array_foreach(operands, i, operand) {
    const char *quantifier = json_string_value(json_object_get(operand, "quantifier"));
    unsigned code = kind_of(text_of(operand, "kind")) + 1;
    if (quantifier)
      code |= *quantifier == '*' ? SR_OPERAND_MANY : SR_OPERAND_OPTIONAL;
    if (list_end + 1 >= MAX_LISTS)
      fail("too many operands");
    lists[list_end++] = (uint16_t)code;
  }
  lists[list_end++] = 0;
  return start;
}

typedef struct Row {
  uint32_t value;
  unsigned list;
  const char *name;
} Row;

static int by_value(const void *a, const void *b) {
  const Row *x = a, *y = b;
  return x->value < y->value ? -1 : x->value > y->value;
}

/* Makes rows in ascending order, one per number: aliases have the same operands. */
static size_t make_rows(const json_t *array, const char *name, const char *number,
                        const char *operands, Row **rows) {
  size_t i, n = 0, count = 0;
  const json_t *entry;
  Row *row = *rows = calloc(json_array_size(array) + 1, sizeof *row);
  if (!row)
    fail("out of memory");
  json_array_foreach(array, i, entry) {
    row[n].name = text_of(entry, name);
    row[n].value = strcmp(number, "value") == 0
                       ? value_of(entry)
                       : (uint32_t)json_integer_value(json_object_get(entry, number));
    row[n++].list = add_list(json_object_get(entry, operands));
  }
  qsort(row, n, sizeof *row, by_value);
  for (i = 0; i < n; i++)
    if (count == 0 || row[count - 1].value != row[i].value)
      row[count++] = row[i];
  return count;
}

/* ---- output ---- */

static void write_instructions(const char *array, const json_t *root) {
  Row *row;
  size_t n = make_rows(json_object_get(root, "instructions"), "opname", "opcode", "operands", &row);
  fprintf(out, "static const SrInstructionRow %s[] = {\n", array);
  for (size_t i = 0; i < n; i++)
    fprintf(out, "  {%u, %u, \"%s\"},\n", row[i].value, row[i].list,
            row[i].name + (strncmp(row[i].name, "Op", 2) == 0 ? 2 : 0));
  fputs("};\n", out);
  free(row);
}

static void write_kinds(void) {
  unsigned first = 0;
  Row *rows[MAX_KINDS] = {NULL};
  size_t counts[MAX_KINDS] = {0};
  fputs("static const SrEnumerantRow enumerants[] = {\n", out);
  for (unsigned k = SR_KIND_COUNT; k < kind_count; k++) {
    counts[k] = make_rows(kinds[k].enumerants, "enumerant", "value", "parameters", &rows[k]);
    for (size_t i = 0; i < counts[k]; i++)
      fprintf(out, "  {%#x, %u}, /* %s %s */\n", rows[k][i].value, rows[k][i].list, kinds[k].name,
              rows[k][i].name);
    free(rows[k]);
  }
  fputs("};\nstatic const SrKindRow kinds[] = {\n", out);
  for (unsigned k = SR_KIND_COUNT; k < kind_count; k++) {
    fprintf(out, "  {%u, %zu, %d}, /* %s */\n", first, counts[k], kinds[k].mask, kinds[k].name);
    first += (unsigned)counts[k];
  }
  fputs("};\n", out);
}

static void write_lists(void) {
  fputs("static const uint16_t lists[] = {", out);
  for (unsigned i = 0; i < list_end; i++)
    fprintf(out, "%s%u,", i % 16 ? " " : "\n  ", lists[i]);
  fputs("\n};\n", out);
}

int main(int argc, char **argv) {
  if (argc < 3)
    fail("usage: grammar_table OUT CORE [SET=FILE...]");
  out = fopen(argv[1], "w");
  if (!out)
    fail("%s: cannot be written", argv[1]);
  json_t *core = load(argv[2]);
  fprintf(out, "/* Made by tools/grammar_table.c from version %lld.%lld, revision %lld. */\n",
          (long long)json_integer_value(json_object_get(core, "major_version")),
          (long long)json_integer_value(json_object_get(core, "minor_version")),
          (long long)json_integer_value(json_object_get(core, "revision")));
  add_kinds(core);
  write_instructions("core", core);
  for (int i = 3; i < argc; i++) {
    char *file = strchr(argv[i], '='), array[32];
    if (!file)
      fail("%s: expects SET=FILE", argv[i]);
    const json_t *set = load(file + 1);
    add_kinds(set);
    snprintf(array, sizeof array, "set_%d", i - 3);
    write_instructions(array, set);
  }
  fputs("static const SrSetRow sets[] = {\n", out);
  for (int i = 3; i < argc; i++)
    fprintf(out, "  {\"%.*s\", set_%d, sizeof set_%d / sizeof *set_%d},\n",
            (int)(strchr(argv[i], '=') - argv[i]), argv[i], i - 3, i - 3, i - 3);
  fputs("};\n", out);
  write_kinds();
  write_lists();
  if (fclose(out) != 0)
    fail("%s: cannot be written", argv[1]);
  while (loaded_count)
    json_decref(loaded[--loaded_count]);
  return 0;
}
