/* SPDX-License-Identifier: Apache-2.0 */
/* gen_hostile: writes adversarial modules, which need much time and memory.
 *
 *   gen_hostile                          lists the shapes
 *   gen_hostile SHAPE BYTES FILE         writes one of that size, or as large as ids allow
 *
 * Each is a compute shader as far as its shape allows; the table below describes what is repeated,
 * and how the ids are used up. None has more ids than SPIR-V allows, except `bound`. */
#include "tests/equiv/gen/emit.h"
#include "tests/equiv/gen/rng.h"

#include <spirv/unified1/spirv.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_IDS = 4194303, MAX_WORDS = 65535, HEADER_WORDS = 5, MAX_CASES = 16383 };
enum { VOID = 1, PROC, BOOL, UINT, TRUE_, ONE, MAIN, POINTER, VARIABLE, FIRST_FREE };

typedef struct Out {
  EmitWords w;
  size_t words; /* to be written */
  uint32_t ids; /* the next free id */
  Rng rng;
} Out;

/* Is there room for that many words and ids? */
static bool room(const Out *o, size_t words, uint32_t ids) {
  return o->w.count + words + 64 <= o->words && o->ids + ids + 64 < MAX_IDS;
}

static void begin(Out *o) {
  const uint32_t header[HEADER_WORDS] = {SpvMagicNumber, 0x00010300, 0, 0, 0};
  o->ids = FIRST_FREE;
  emit_append(&o->w, header, HEADER_WORDS);
  EMIT(&o->w, SpvOpCapability, SpvCapabilityShader);
  EMIT(&o->w, SpvOpMemoryModel, SpvAddressingModelLogical, SpvMemoryModelGLSL450);
  EMIT(&o->w, SpvOpEntryPoint, SpvExecutionModelGLCompute, MAIN, 0x6e69616d /* "main" */, 0);
  EMIT(&o->w, SpvOpExecutionMode, MAIN, SpvExecutionModeLocalSize, 1, 1, 1);
}

static void types(Out *o) {
  EMIT(&o->w, SpvOpTypeVoid, VOID);
  EMIT(&o->w, SpvOpTypeFunction, PROC, VOID);
  EMIT(&o->w, SpvOpTypeBool, BOOL);
  EMIT(&o->w, SpvOpTypeInt, UINT, 32, 0);
  EMIT(&o->w, SpvOpConstantTrue, BOOL, TRUE_);
  EMIT(&o->w, SpvOpConstant, UINT, ONE, 1);
  EMIT(&o->w, SpvOpTypePointer, POINTER, SpvStorageClassPrivate, UINT);
  EMIT(&o->w, SpvOpVariable, POINTER, VARIABLE, SpvStorageClassPrivate);
}

static void open_function(Out *o, uint32_t id) {
  EMIT(&o->w, SpvOpFunction, VOID, id, 0, PROC);
}

static void open_main(Out *o) {
  types(o);
  open_function(o, MAIN);
  EMIT(&o->w, SpvOpLabel, o->ids++);
}

static void close_main(Out *o) {
  emit_op(&o->w, SpvOpReturn, 0, NULL);
  emit_op(&o->w, SpvOpFunctionEnd, 0, NULL);
}

static void finish_main(Out *o) { /* types are declared */
  open_function(o, MAIN);
  EMIT(&o->w, SpvOpLabel, o->ids++);
  close_main(o);
}

static void empty_main(Out *o) {
  types(o);
  finish_main(o);
}

/* ---- many instructions ----------------------------------------------------------------------- */

static void nops(Out *o) {
  open_main(o);
  while (room(o, 1, 0))
    emit_op(&o->w, SpvOpNop, 0, NULL);
  close_main(o);
}

static void adds(Out *o) {
  open_main(o);
  for (uint32_t before = ONE; room(o, 5, 1); before = o->ids++)
    EMIT(&o->w, SpvOpIAdd, UINT, o->ids, before, before);
  close_main(o);
}

static void stores(Out *o) {
  open_main(o);
  while (room(o, 7, 1)) {
    EMIT(&o->w, SpvOpLoad, UINT, o->ids, VARIABLE);
    EMIT(&o->w, SpvOpStore, VARIABLE, o->ids++);
  }
  close_main(o);
}

static void lines(Out *o) {
  uint32_t file = o->ids++;
  emit_string_op(&o->w, SpvOpString, 1, &file, "x", 0, NULL);
  open_main(o);
  for (uint32_t n = 0; room(o, 4, 0); n++)
    EMIT(&o->w, SpvOpLine, file, n, n);
  close_main(o);
}

static void branch(Out *o, uint32_t yes, uint32_t no) {
  EMIT(&o->w, SpvOpBranchConditional, TRUE_, yes, no);
}

static void functions(Out *o) {
  empty_main(o);
  while (room(o, 9, 2)) {
    open_function(o, o->ids++);
    EMIT(&o->w, SpvOpLabel, o->ids++);
    close_main(o);
  }
}

/* Functions of four blocks with a cycle of two entries, and a name for one of the blocks. */
static void tangles(Out *o) {
  enum { WORDS = 3 + 5 + 4 * 2 + 3 * 4 + 2, IDS = 5 };
  uint32_t n = (uint32_t)((o->words - o->w.count) / WORDS), most = (MAX_IDS - o->ids) / IDS - 32;
  n = n < most ? n : most;
  for (uint32_t i = 0; i < n; i++)
    EMIT(&o->w, SpvOpName, o->ids + IDS * i + 2, 'x');
  uint32_t first = o->ids;
  o->ids += IDS * n;
  empty_main(o);
  for (uint32_t i = 0; i < n; i++, first += IDS) {
    open_function(o, first);
    EMIT(&o->w, SpvOpLabel, first + 1);
    branch(o, first + 2, first + 3);
    EMIT(&o->w, SpvOpLabel, first + 2);
    branch(o, first + 3, first + 4);
    EMIT(&o->w, SpvOpLabel, first + 3);
    branch(o, first + 2, first + 4);
    EMIT(&o->w, SpvOpLabel, first + 4);
    close_main(o);
  }
}

/* Functions, each of which calls the one before it twice. */
static void calls(Out *o) {
  types(o);
  uint32_t before = 0;
  while (room(o, 17, 4)) {
    uint32_t id = o->ids++;
    open_function(o, id);
    EMIT(&o->w, SpvOpLabel, o->ids++);
    for (int twice = 0; twice < 2 && before; twice++)
      EMIT(&o->w, SpvOpFunctionCall, VOID, o->ids++, before);
    close_main(o);
    before = id;
  }
  open_function(o, MAIN);
  EMIT(&o->w, SpvOpLabel, o->ids++);
  EMIT(&o->w, SpvOpFunctionCall, VOID, o->ids++, before);
  close_main(o);
}

/* ---- many blocks ----------------------------------------------------------------------------- */

/* Begins a function; returns how many blocks of `words` words each fit. */
static uint32_t begin_blocks(Out *o, uint32_t words, uint32_t *first) {
  types(o);
  open_function(o, MAIN);
  size_t count = (o->words - o->w.count) / words;
  uint32_t most = MAX_IDS - 64 - o->ids;
  *first = o->ids;
  count = count < most ? count : most;
  o->ids += (uint32_t)count;
  return (uint32_t)count;
}

/* Every block leads to the next one and to one drawn at random. */
static void spaghetti(Out *o) {
  uint32_t first, n = begin_blocks(o, 6, &first);
  for (uint32_t i = 0; i + 1 < n; i++) {
    EMIT(&o->w, SpvOpLabel, first + i);
    branch(o, first + 1 + rng_below(&o->rng, n - 1), first + i + 1);
  }
  EMIT(&o->w, SpvOpLabel, first + n - 1);
  close_main(o);
}

/* Every block leads to the one before it and the next one: cycles nest as deep as the chain is
 * long. */
static void ladder(Out *o) {
  uint32_t first, n = begin_blocks(o, 6, &first);
  for (uint32_t i = 0; i + 1 < n; i++) {
    EMIT(&o->w, SpvOpLabel, first + i);
    branch(o, first + (i > 1 ? i - 1 : i + 1), first + i + 1);
  }
  EMIT(&o->w, SpvOpLabel, first + n - 1);
  close_main(o);
}

/* Nested loops: the first half are headers, the second half latches, inner ones first. */
static void nest(Out *o) {
  uint32_t first, n = begin_blocks(o, 6, &first) / 2 * 2;
  for (uint32_t i = 0; i + 1 < n; i++) {
    EMIT(&o->w, SpvOpLabel, first + i);
    if (i < n / 2)
      EMIT(&o->w, SpvOpBranch, first + i + 1);
    else
      branch(o, first + (i == n - 2 ? 1 : n - 1 - i), first + i + 1);
  }
  EMIT(&o->w, SpvOpLabel, first + n - 1);
  close_main(o);
}

/* Selections in selections, structured. */
static void ifs(Out *o) {
  uint32_t first, n = begin_blocks(o, 7, &first);
  n = n % 2 ? n : n - 1;
  for (uint32_t i = 0; i + 1 < n; i++) {
    EMIT(&o->w, SpvOpLabel, first + i);
    if (i < n / 2) {
      EMIT(&o->w, SpvOpSelectionMerge, first + n - 1 - i, 0);
      branch(o, first + i + 1, first + n - 1 - i);
    } else {
      EMIT(&o->w, SpvOpBranch, first + i + 1);
    }
  }
  EMIT(&o->w, SpvOpLabel, first + n - 1);
  close_main(o);
}

static void put_switch(Out *o, uint32_t next, uint32_t first, uint32_t n) {
  emit_word(&o->w, (uint32_t)(3 + 2 * MAX_CASES) << 16 | SpvOpSwitch);
  emit_word(&o->w, ONE);
  emit_word(&o->w, next);
  for (uint32_t i = 0; i < MAX_CASES; i++) {
    emit_word(&o->w, i);
    emit_word(&o->w, first + 1 + rng_below(&o->rng, n - 1));
  }
}

/* Switches with the most cases allowed, each to a random block. */
static void switches(Out *o) {
  uint32_t first, n = begin_blocks(o, 5 + 2 * MAX_CASES, &first);
  n = n > 2 ? n : 2;
  o->ids = first + n;
  for (uint32_t i = 0; i + 1 < n; i++) {
    EMIT(&o->w, SpvOpLabel, first + i);
    put_switch(o, first + i + 1, first, n);
  }
  EMIT(&o->w, SpvOpLabel, first + n - 1);
  close_main(o);
}

/* One block with as many predecessors as a phi can have, and phis in it. */
static void phis(Out *o) {
  enum { PARENTS = (MAX_WORDS - 3) / 2 };
  open_main(o);
  uint32_t entry = o->ids, join, parents = PARENTS - 1;
  if (o->words < 8 * (size_t)PARENTS)
    parents = (uint32_t)(o->words / 16);
  o->ids += 2 * parents;
  join = o->ids++;
  for (uint32_t i = 0; i < parents; i++) {
    branch(o, entry + 2 * i, entry + 2 * i + 1);
    EMIT(&o->w, SpvOpLabel, entry + 2 * i);
    EMIT(&o->w, SpvOpBranch, join);
    EMIT(&o->w, SpvOpLabel, entry + 2 * i + 1);
  }
  EMIT(&o->w, SpvOpBranch, join);
  EMIT(&o->w, SpvOpLabel, join);
  while (room(o, 5 + 2 * parents, 1)) {
    emit_word(&o->w, (3 + 2 * (parents + 1)) << 16 | SpvOpPhi);
    emit_word(&o->w, UINT);
    emit_word(&o->w, o->ids++);
    for (uint32_t i = 0; i <= parents; i++) {
      emit_word(&o->w, ONE);
      emit_word(&o->w, i < parents ? entry + 2 * i : entry + 2 * parents - 1);
    }
  }
  close_main(o);
}

/* ---- large types, constants, names ----------------------------------------------------------- */

/* Each struct contains the one before as often as an instruction has room for. */
static void wide_types(Out *o) {
  types(o);
  for (uint32_t before = UINT; room(o, MAX_WORDS, 1); before = o->ids++) {
    emit_word(&o->w, (uint32_t)MAX_WORDS << 16 | SpvOpTypeStruct);
    emit_word(&o->w, o->ids);
    for (uint32_t i = 2; i < MAX_WORDS; i++)
      emit_word(&o->w, before);
  }
  finish_main(o);
}

/* Each struct contains the one before twice; they nest as deep as there are ids. */
static void deep_types(Out *o) {
  types(o);
  for (uint32_t before = UINT; room(o, 4, 1); before = o->ids++)
    EMIT(&o->w, SpvOpTypeStruct, o->ids, before, before);
  finish_main(o);
}

static void constants(Out *o) {
  types(o);
  while (room(o, 4, 1))
    EMIT(&o->w, SpvOpConstant, UINT, o->ids++, (uint32_t)rng_next(&o->rng));
  finish_main(o);
}

static void put_string(Out *o, SpvOp op, uint32_t id) {
  emit_word(&o->w, (uint32_t)MAX_WORDS << 16 | op);
  emit_word(&o->w, id);
  for (uint32_t i = 3; i < MAX_WORDS; i++)
    emit_word(&o->w, 0x61616161);
  emit_word(&o->w, 0);
}

static void strings(Out *o) {
  while (room(o, MAX_WORDS, 1))
    put_string(o, SpvOpString, o->ids++);
  empty_main(o);
}

/* Names, all of them for one id. */
static void names(Out *o) {
  while (room(o, 4, 0))
    emit_string_op(&o->w, SpvOpName, 1, (const uint32_t[]){MAIN}, "name", 0, NULL);
  empty_main(o);
}

static void decorations(Out *o) {
  while (room(o, 3, 0))
    EMIT(&o->w, SpvOpDecorate, VARIABLE, SpvDecorationRelaxedPrecision);
  empty_main(o);
}

static void entries(Out *o) {
  while (room(o, MAX_WORDS, 0)) {
    emit_word(&o->w, (uint32_t)MAX_WORDS << 16 | SpvOpEntryPoint);
    emit_word(&o->w, SpvExecutionModelGLCompute);
    emit_word(&o->w, MAIN);
    emit_word(&o->w, (uint32_t)rng_next(&o->rng) & 0x7f7f7f);
    for (uint32_t i = 4; i < MAX_WORDS; i++)
      emit_word(&o->w, VARIABLE);
  }
  empty_main(o);
}

/* ---- no modules ------------------------------------------------------------------------------ */

static void bound(Out *o) {
  nops(o);
  o->ids = UINT32_MAX;
}

static void garbage(Out *o) {
  while (room(o, 1, 0))
    emit_word(&o->w, (uint32_t)rng_next(&o->rng));
}

static void zeros(Out *o) {
  while (room(o, 1, 0))
    emit_word(&o->w, 0);
}

/* Assembly: the same label, line by line. */
static void text(Out *o) {
  o->w.count = 0;
  while (o->w.count + 5 < o->words)
    emit_append(&o->w, (const uint32_t[]){0x6f4e704f, 0x20202070, 0x0a202020}, 3); /* OpNop */
}

typedef struct Shape {
  const char *name;
  void (*write)(Out *o);
} Shape;

#define SHAPE(name)                                                                                \
  { #name, name }
static const Shape shapes[] = {
    SHAPE(nops),      SHAPE(adds),     SHAPE(stores),    SHAPE(lines),       SHAPE(functions),
    SHAPE(tangles),   SHAPE(calls),    SHAPE(spaghetti), SHAPE(ladder),      SHAPE(nest),
    SHAPE(ifs),       SHAPE(switches), SHAPE(phis),      SHAPE(wide_types),  SHAPE(deep_types),
    SHAPE(constants), SHAPE(strings),  SHAPE(names),     SHAPE(decorations), SHAPE(entries),
    SHAPE(bound),     SHAPE(garbage),  SHAPE(zeros),     SHAPE(text),
};

static int write_shape(const Shape *shape, size_t bytes, const char *path) {
  Out o = {.words = bytes / 4, .rng = {1}};
  begin(&o);
  shape->write(&o);
  if (o.w.count > 3 && o.w.data[0] == SpvMagicNumber)
    o.w.data[3] = o.ids;
  FILE *f = fopen(path, "wb");
  bool good = f && fwrite(o.w.data, sizeof *o.w.data, o.w.count, f) == o.w.count;
  good = f && fclose(f) == 0 && good;
  free(o.w.data);
  if (!good)
    perror(path);
  return good ? 0 : 1;
}

int main(int argc, char **argv) {
  for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++)
    if (argc == 1)
      puts(shapes[i].name);
    else if (argc == 4 && strcmp(argv[1], shapes[i].name) == 0)
      return write_shape(&shapes[i], strtoull(argv[2], NULL, 10), argv[3]);
  if (argc > 1)
    fputs("usage: gen_hostile [SHAPE BYTES FILE]\n", stderr);
  return argc > 1 ? 2 : 0;
}
