/* SPDX-License-Identifier: Apache-2.0 */
/* new_expect: the EXPECTs of a new case.
 *
 * A number may differ by its tolerance (trial/numbers.h). The shader also runs with the arithmetic
 * errors that Vulkan allows (HN_TRIAL_RUNS and following). If a number then changes by more than
 * its tolerance, all numbers of that kind in the buffer get a wider tolerance, a multiple of the
 * largest change. If the change is not small, as for an index or a count of iterations, no
 * tolerance describes the number, and it is left out. */
#include "harness/new/new_text.h"
#include "spv-emu/format/format_number.h"

#include <math.h>
#include <string.h>

enum { ROW = 16 /* numbers in a line */ };

/* Why a number is not expected; ROUGH: it is, with the wider tolerance. */
typedef enum Doubt { SURE, ROUGH, ORDER, UNWRITTEN, ROUNDING, NO_NUMBER, DOUBTS } Doubt;

typedef struct Expects {
  FILE *out;
  const HnNewBuffer *buffer;
  double largest;   /* of all floats */
  double change;    /* the largest by other rounding, of floats that are expected */
  double steps;     /* the same of integers */
  uint64_t next;    /* the place after the last number of the line; 0: no line is open */
  uint32_t in_line; /* numbers in the open line */
  uint8_t kind, bits;
  Doubt class; /* of its numbers: SURE or ROUGH */
  uint64_t counts[DOUBTS];
} Expects;

static bool run_agrees(const Expects *e, int run, const EmuField *field, uint64_t at) {
  const HnNewBuffer *b = e->buffer;
  return !b->after[run] || hn_number_agrees(field, b->after[0] + at, b->after[run] + at,
                                            hn_number_tolerance(field, e->largest));
}

static double real_of(const EmuField *field, const uint8_t *bytes) {
  return emu_number_real(field, emu_field_get(field, bytes));
}

/* How much different rounding changes the number; not finite if the result is then not a number. */
static double change_of(const Expects *e, const EmuField *field, uint64_t at) {
  const HnNewBuffer *b = e->buffer;
  double most = 0, value = real_of(field, b->after[0] + at);
  for (int run = HN_TRIAL_RUNS; run < HN_TRIAL_ALL; run++) {
    double change = b->after[run] ? fabs(real_of(field, b->after[run] + at) - value) : 0;
    most = change <= most ? most : change; /* also if it is not a number */
  }
  return most;
}

/* A driver's rounding is not among those that were tried. */
static double rough_tolerance(double change) {
  return 4 * change;
}

/* Is a tolerance for the change small in comparison with the number, of floats with the largest? */
static bool is_small(const Expects *e, const EmuField *field, uint64_t at, double change) {
  enum { SMALL = 16 };
  double value = fabs(real_of(field, e->buffer->after[0] + at));
  return rough_tolerance(change) <= (field->kind == EMU_FORMAT_FLOAT ? e->largest : value) / SMALL;
}

/* Is the change no more than the tolerance covers, small, or neither? An integer that does not
 * change may be as close to a step as others of the buffer that do. */
static Doubt rounding_of(const Expects *e, const EmuField *field, uint64_t at) {
  double change = change_of(e, field, at);
  if (2 * change > hn_number_tolerance(field, e->largest))
    return is_small(e, field, at, change) ? ROUGH : ROUNDING;
  const HnNewBuffer *b = e->buffer;
  bool stays = memcmp(b->values->bytes + at, b->after[0] + at, field->unit) == 0;
  if (field->kind == EMU_FORMAT_FLOAT || e->steps <= 0 || stays)
    return SURE;
  return is_small(e, field, at, e->steps) ? ROUGH : ROUNDING;
}

static Doubt doubt_of(const Expects *e, const EmuField *field, uint64_t at) {
  if (hn_number_is_packed(field) || !run_agrees(e, 0, field, at))
    return NO_NUMBER;
  for (int run = 1; run < HN_TRIAL_RUNS; run++)
    if (!run_agrees(e, run, field, at))
      return run == HN_TRIAL_UNWRITTEN ? UNWRITTEN : ORDER;
  return rounding_of(e, field, at);
}

static void find_change(void *user, const EmuField *field, uint64_t at) {
  Expects *e = user;
  double *most = field->kind == EMU_FORMAT_FLOAT ? &e->change : &e->steps;
  double change = doubt_of(e, field, at) == ROUGH ? change_of(e, field, at) : 0;
  *most = change > *most ? change : *most;
}

static double tolerance_of(const Expects *e, const EmuField *field, Doubt class) {
  bool whole = field->kind != EMU_FORMAT_FLOAT;
  double rough = whole ? ceil(rough_tolerance(e->steps)) : rough_tolerance(e->change);
  double usual = hn_number_tolerance(field, e->largest);
  return class == SURE ? usual : fmax(usual, rough);
}

static void close_line(Expects *e) {
  if (e->next)
    fputc('\n', e->out);
  e->next = 0;
}

static void open_line(Expects *e, const EmuField *field, uint64_t at, Doubt class) {
  double tolerance = tolerance_of(e, field, class);
  close_line(e);
  fprintf(e->out, "EXPECT %s IDX %llu", e->buffer->name, (unsigned long long)at);
  if (tolerance > 0)
    fprintf(e->out, field->kind == EMU_FORMAT_FLOAT ? " TOLERANCE %.3g" : " TOLERANCE %.0f",
            tolerance);
  fputs(" EQ", e->out);
  e->in_line = 0;
  e->class = class;
  e->kind = field->kind;
  e->bits = field->bits;
}

static void expect_number(void *user, const EmuField *field, uint64_t at) {
  Expects *e = user;
  Doubt doubt = doubt_of(e, field, at);
  e->counts[doubt]++;
  if (doubt != SURE && doubt != ROUGH) {
    close_line(e);
    return;
  }
  if (!e->next || e->next != at || e->in_line == ROW || e->kind != field->kind ||
      e->bits != field->bits || e->class != doubt)
    open_line(e, field, at, doubt);
  hn_new_number(e->out, field, e->buffer->after[0] + at);
  e->in_line++;
  e->next = at + field->unit;
}

static void explain(const Expects *e) {
  static const char *const why[DOUBTS] = {
      [ORDER] = "depend on the subgroup's size or\n# the order of invocations",
      [UNWRITTEN] = "depend on variables or shared memory\n# that the shader reads and nothing "
                    "has written",
      [ROUNDING] = "depend on how a device rounds, by\n# more than a tolerance describes",
      [NO_NUMBER] = "are not finite, or are parts of a\n# packed format",
  };
  for (int i = ROUGH + 1; i < DOUBTS; i++)
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
  const EmuTypedNumbers numbers = hn_new_numbers(b);
  if (!changes(b)) {
    fprintf(out, "# %s stays as it is.\n", b->name);
    return;
  }
  Expects e = {.out = out, .buffer = b, .largest = hn_numbers_largest(&numbers, b->after[0])};
  emu_typed_numbers_visit(&numbers, find_change, &e);
  emu_typed_numbers_visit(&numbers, expect_number, &e);
  close_line(&e);
  explain(&e);
}
