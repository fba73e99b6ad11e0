/* SPDX-License-Identifier: Apache-2.0 */
/* grammar: see grammar.h. */
#include "passes/ir/grammar.h"

#include <string.h>

typedef struct SrInstructionRow {
  uint32_t number;
  uint16_t list; /* where its operands begin in `lists` */
  const char *name;
} SrInstructionRow;

typedef struct SrEnumerantRow {
  uint32_t value;
  uint16_t list;
} SrEnumerantRow;

typedef struct SrKindRow {
  uint16_t first, count; /* the range of its rows in `enumerants` */
  bool mask;
} SrKindRow;

struct SrSetRow {
  const char *name;
  const SrInstructionRow *rows;
  size_t count;
};

#include "grammar_table.inc"

#define COUNT(array) (sizeof(array) / sizeof *(array))

/* The row with this number, its first field, in an array that is sorted by these numbers. */
static const void *find(const void *rows, size_t count, size_t size, uint32_t number) {
  const char *at = rows;
  while (count > 0) {
    const char *middle = at + count / 2 * size;
    uint32_t value;
    memcpy(&value, middle, sizeof value);
    if (value == number)
      return middle;
    if (value < number) {
      at = middle + size;
      count -= 1;
    }
    count /= 2;
  }
  return NULL;
}

static const SrInstructionRow *core_row(uint32_t op) {
  return find(core, COUNT(core), sizeof *core, op);
}

SrOperandList sr_grammar_instruction(uint32_t op) {
  const SrInstructionRow *row = core_row(op);
  return row ? &lists[row->list] : NULL;
}

const char *sr_grammar_name(uint32_t op) {
  const SrInstructionRow *row = core_row(op);
  return row ? row->name : "unknown";
}

const SrSetRow *sr_grammar_set(const char *name) {
  for (size_t i = 0; i < COUNT(sets); i++)
    if (strcmp(sets[i].name, name) == 0)
      return &sets[i];
  return NULL;
}

SrOperandList sr_grammar_extended(const SrSetRow *set, uint32_t number) {
  const SrInstructionRow *row = find(set->rows, set->count, sizeof *set->rows, number);
  return row ? &lists[row->list] : NULL;
}

bool sr_grammar_is_mask(unsigned kind) {
  return kinds[kind - SR_KIND_COUNT].mask;
}

SrOperandList sr_grammar_enumerant(unsigned kind, uint32_t value) {
  const SrKindRow *k = &kinds[kind - SR_KIND_COUNT];
  const SrEnumerantRow *row = find(&enumerants[k->first], k->count, sizeof *enumerants, value);
  return row ? &lists[row->list] : NULL;
}
