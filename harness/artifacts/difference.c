/* SPDX-License-Identifier: Apache-2.0 */
/* difference: see difference.h. */
#include "harness/artifacts/difference.h"
#include "spv-emu/format/format_number.h"

#include <inttypes.h>
#include <math.h>

/* One number, at the same place in both contents. */
typedef struct Pair {
  const EmuField *field;
  const void *actual, *expected; /* the two elements */
  uint64_t element, byte;
  uint32_t number;
} Pair;

static bool differs(const Pair *p) {
  return emu_field_get(p->field, p->actual).u != emu_field_get(p->field, p->expected).u;
}

static double error_of(const Pair *p) {
  double distance = fabs(emu_number_real(p->field, emu_field_get(p->field, p->actual)) -
                         emu_number_real(p->field, emu_field_get(p->field, p->expected)));
  return isnan(distance) ? (double)INFINITY : distance;
}

/* Calls `visit` for each number that differs, until it returns false. */
static void walk(const AmberBuffer *buffer, const void *actual, const void *expected, size_t size,
                 bool (*visit)(void *user, const Pair *pair), void *user) {
  const EmuElementLayout *layout = &buffer->layout;
  Pair p = {.actual = actual, .expected = expected};
  for (uint64_t at = 0; layout->stride && at + layout->size <= size; at += layout->stride) {
    p.actual = (const char *)actual + at;
    p.expected = (const char *)expected + at;
    p.element = at / layout->stride;
    for (p.number = 0; p.number < layout->field_count; p.number++) {
      p.field = &layout->fields[p.number];
      p.byte = at + p.field->offset;
      if (differs(&p) && !visit(user, &p))
        return;
    }
  }
}

/* ---- figures --------------------------------------------------------------------------------- */

typedef struct Sum {
  HnDifference d;
  uint64_t last; /* the last element that differs */
} Sum;

static bool add(void *user, const Pair *p) {
  Sum *sum = user;
  HnDifference *d = &sum->d;
  double error = error_of(p);
  d->differing += !d->numbers || sum->last != p->element;
  if (!d->numbers || error > d->largest) {
    d->largest = error;
    d->element = p->element;
    d->number = p->number;
    d->byte = p->byte;
  }
  sum->last = p->element;
  d->numbers++;
  return true;
}

HnDifference hn_difference_of(const AmberBuffer *buffer, const void *actual, const void *expected,
                              size_t size) {
  Sum sum = {0};
  walk(buffer, actual, expected, size, add, &sum);
  sum.d.elements = buffer->layout.stride ? size / buffer->layout.stride : 0;
  return sum.d;
}

/* ---- the table ------------------------------------------------------------------------------- */

typedef struct Table {
  FILE *out;
  uint64_t left;
} Table;

static bool print(void *user, const Pair *p) {
  Table *table = user;
  char actual[64], expected[64];
  if (!table->left--)
    return false;
  emu_number_print(p->field, emu_field_get(p->field, p->actual), actual, sizeof actual);
  emu_number_print(p->field, emu_field_get(p->field, p->expected), expected, sizeof expected);
  fprintf(table->out, "%" PRIu64 ",%u,%" PRIu64 ",%s,%s,%.9g\n", p->element, p->number, p->byte,
          actual, expected, error_of(p));
  return true;
}

void hn_difference_list(const AmberBuffer *buffer, const void *actual, const void *expected,
                        size_t size, uint64_t most, FILE *out) {
  Table table = {out, most};
  fputs("element,number,byte,actual,expected,error\n", out);
  walk(buffer, actual, expected, size, print, &table);
}
