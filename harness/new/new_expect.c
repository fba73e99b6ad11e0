/* SPDX-License-Identifier: Apache-2.0 */
/* new_expect: the EXPECTs of a new case. */
#include "harness/new/new_text.h"

#include <math.h>
#include <string.h>

enum { ROW = 16 /* numbers in a line */ };

/* Why a number is not expected. */
typedef enum Doubt { SURE, ORDER, UNWRITTEN, NO_NUMBER, DOUBTS } Doubt;

typedef struct Expects {
  FILE *out;
  const HnNewBuffer *buffer;
  double largest;   /* of all floats */
  uint64_t next;    /* the place after the last number of the line; 0: no line is open */
  uint32_t in_line; /* numbers in the open line */
  uint8_t kind, bits;
  uint64_t counts[DOUBTS];
} Expects;

static bool run_agrees(const Expects *e, int run, const EmuField *field, uint64_t at) {
  const HnNewBuffer *b = e->buffer;
  return !b->after[run] || hn_number_agrees(field, b->after[0] + at, b->after[run] + at,
                                            hn_number_tolerance(field, e->largest));
}

static Doubt doubt_of(const Expects *e, const EmuField *field, uint64_t at) {
  if (hn_number_is_packed(field) || !run_agrees(e, 0, field, at))
    return NO_NUMBER;
  for (int run = 1; run < HN_TRIAL_RUNS; run++)
    if (!run_agrees(e, run, field, at))
      return run == HN_TRIAL_UNWRITTEN ? UNWRITTEN : ORDER;
  return SURE;
}

static void close_line(Expects *e) {
  if (e->next)
    fputc('\n', e->out);
  e->next = 0;
}

static void open_line(Expects *e, const EmuField *field, uint64_t at) {
  double tolerance = hn_number_tolerance(field, e->largest);
  close_line(e);
  fprintf(e->out, "EXPECT %s IDX %llu", e->buffer->name, (unsigned long long)at);
  if (tolerance > 0)
    fprintf(e->out, " TOLERANCE %.3g", tolerance);
  fputs(" EQ", e->out);
  e->in_line = 0;
  e->kind = field->kind;
  e->bits = field->bits;
}

static void expect_number(void *user, const EmuField *field, uint64_t at) {
  Expects *e = user;
  Doubt doubt = doubt_of(e, field, at);
  e->counts[doubt]++;
  if (doubt != SURE) {
    close_line(e);
    return;
  }
  if (!e->next || e->next != at || e->in_line == ROW || e->kind != field->kind ||
      e->bits != field->bits)
    open_line(e, field, at);
  hn_new_number(e->out, field, e->buffer->after[0] + at);
  e->in_line++;
  e->next = at + field->unit;
}

static void explain(const Expects *e) {
  static const char *const why[DOUBTS] = {
      [ORDER] = "depend on the subgroup's size or\n# the order of invocations",
      [UNWRITTEN] = "depend on variables or shared memory\n# that the shader reads and nothing "
                    "has written",
      [NO_NUMBER] = "are not finite, or are parts of a\n# packed format",
  };
  for (int i = SURE + 1; i < DOUBTS; i++)
    if (e->counts[i])
      fprintf(e->out, "# %s: %llu numbers are left out: they %s.\n", e->buffer->name,
              (unsigned long long)e->counts[i], why[i]);
}

static bool changes(const HnNewBuffer *b) {
  for (int i = 0; i < HN_TRIAL_RUNS; i++)
    if (b->after[i] && memcmp(b->after[i], b->values->bytes, b->values->size) != 0)
      return true;
  return false;
}

void hn_new_expect(FILE *out, const HnNewBuffer *b) {
  const HnNumbers numbers = hn_new_numbers(b);
  if (!changes(b)) {
    fprintf(out, "# %s stays as it is.\n", b->name);
    return;
  }
  Expects e = {.out = out, .buffer = b, .largest = hn_numbers_largest(&numbers, b->after[0])};
  hn_numbers_visit(&numbers, expect_number, &e);
  close_line(&e);
  explain(&e);
}
