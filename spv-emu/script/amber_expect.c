/* SPDX-License-Identifier: Apache-2.0 */
/* amber_expect: does a buffer meet an EXPECT?
 *
 * Comparisons as in google/amber's verifier.cc and buffer.cc: EQ of floats allows an error of 1e-6
 * percent of the expected value, which is less than the precision of a float, so only doubles may
 * differ. EQ_RGB(A) compares what a shader would read with the expected number divided by 255, with
 * a tolerance of 0.002: normalised channels are from 0 to 1, sRGB is linearised, integers and
 * floats are unchanged; channels that the format lacks are ignored. RMSE is over all stored numbers
 * of the buffers. The distance of histograms is the earth mover's distance: for each channel the
 * sum of the absolute differences of the two cumulative histograms of 256 bins, divided by the
 * number of bins; the channel with the largest distance counts.
 *
 * Differences from google/amber: NaN equals only NaN (there it equals everything), and if there are
 * several tolerances, each applies to its component (there the first one applies to all unless
 * there are four). */
#include "spv-emu/format/format_number.h"
#include "spv-emu/script/script.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double float_slack = 1e-8; /* of the expected value */
static const double color_slack = 0.002;

enum { BINS = 256 };

typedef struct Check {
  const AmberScript *script;
  const AmberExpect *expect;
  const AmberContents *contents;
  uint32_t line;
  char *text; /* receives a message about the first difference */
  size_t text_size;
  uint8_t *expected; /* if not NULL: contents that are corrected wherever they differ, instead of a
                        message */
} Check;

static const char *const comparator_names[] = {
    "EQ",     "NE",      "LT",        "LE",          "GT",        "GE",
    "EQ_RGB", "EQ_RGBA", "EQ_BUFFER", "RMSE_BUFFER", "histogram",
};

static const AmberBuffer *buffer_of(const Check *check, uint32_t index) {
  return &check->script->buffers[index];
}

/* The type of the values that are compared one by one. */
static const EmuElementLayout *layout_of(const Check *check) {
  const AmberExpect *expect = check->expect;
  return expect->layout ? expect->layout : &buffer_of(check, expect->buffer)->layout;
}

static const uint8_t *element_of(const Check *check, uint32_t buffer, uint64_t element) {
  const uint8_t *bytes = check->contents[buffer].bytes;
  return bytes + element * buffer_of(check, buffer)->layout.stride;
}

/* Are there contents, of the size that the script declares? */
static bool readable(const Check *check, uint32_t index) {
  const AmberBuffer *buffer = buffer_of(check, index);
  if (check->contents[index].bytes && check->contents[index].size == buffer->size)
    return true;
  snprintf(check->text, check->text_size, "line %u: there are no contents of %s to compare",
           check->line, buffer->name);
  return false;
}

/* ---- values ---------------------------------------------------------------------------------- */

double emu_number_real(const EmuField *field, EmuNumber value) {
  switch ((EmuFormatKind)field->kind) {
  case EMU_FORMAT_FLOAT:
    return value.d;
  case EMU_FORMAT_SINT:
  case EMU_FORMAT_SNORM:
  case EMU_FORMAT_SSCALED:
    return (double)value.i;
  default:
    return (double)value.u;
  }
}

/* Returns -1, 0 or 1; 2: the numbers are not comparable (NaN). */
static int order(const EmuField *field, EmuNumber a, EmuNumber b) {
  switch ((EmuFormatKind)field->kind) {
  case EMU_FORMAT_FLOAT:
    return isnan(a.d) || isnan(b.d) ? 2 : (a.d > b.d) - (a.d < b.d);
  case EMU_FORMAT_SINT:
  case EMU_FORMAT_SNORM:
  case EMU_FORMAT_SSCALED:
    return (a.i > b.i) - (a.i < b.i);
  default:
    return (a.u > b.u) - (a.u < b.u);
  }
}

/* A single tolerance applies to all values. If there are several, each applies to its component of
 * four, and the other components have none. */
static const AmberTolerance *tolerance_of(const AmberExpect *expect, uint32_t index) {
  uint32_t place = expect->tolerance_count == 1 ? 0 : index % expect->rows;
  return place < expect->tolerance_count ? &expect->tolerances[place] : NULL;
}

static double slack(const AmberTolerance *tolerance, double expected, double fallback) {
  if (!tolerance)
    return fallback;
  return tolerance->percent ? fabs(expected) * tolerance->value / 100 : tolerance->value;
}

/* Compares as integers, because doubles would round large ones. */
static bool integers_equal(const EmuField *field, const AmberTolerance *tolerance, EmuNumber actual,
                           EmuNumber expected) {
  int sign = order(field, actual, expected);
  uint64_t distance = sign < 0 ? expected.u - actual.u : actual.u - expected.u;
  double room = slack(tolerance, emu_number_real(field, expected), 0);
  return room >= 0x1p64 || distance <= (uint64_t)room;
}

static bool floats_equal(const AmberTolerance *tolerance, double actual, double expected) {
  if (isnan(actual) || isnan(expected))
    return isnan(actual) && isnan(expected);
  double room = slack(tolerance, expected, float_slack * fabs(expected));
  return actual == expected ||
         (isfinite(actual) && isfinite(expected) && fabs(actual - expected) <= room);
}

static bool equal(const Check *check, const EmuField *field, uint32_t index, EmuNumber actual,
                  EmuNumber expected) {
  const AmberTolerance *tolerance = tolerance_of(check->expect, index);
  return field->kind == EMU_FORMAT_FLOAT ? floats_equal(tolerance, actual.d, expected.d)
                                         : integers_equal(field, tolerance, actual, expected);
}

static bool holds(const Check *check, const EmuField *field, uint32_t index, EmuNumber actual,
                  EmuNumber expected) {
  int sign = order(field, actual, expected);
  switch (check->expect->comparator) {
  case AMBER_EQ:
    return equal(check, field, index, actual, expected);
  case AMBER_NE:
    return !equal(check, field, index, actual, expected);
  case AMBER_LT:
    return sign == -1;
  case AMBER_LE:
    return sign == -1 || sign == 0;
  case AMBER_GT:
    return sign == 1;
  default:
    return sign == 1 || sign == 0;
  }
}

static void say_value(const Check *check, uint64_t element, uint32_t number, const EmuField *field,
                      EmuNumber actual, EmuNumber expected, const char *relation) {
  const AmberBuffer *buffer = buffer_of(check, check->expect->buffer);
  const uint64_t byte = check->expect->offset + element * layout_of(check)->stride + field->offset;
  char is[48], wanted[48];
  emu_number_print(field, actual, is, sizeof is);
  emu_number_print(field, expected, wanted, sizeof wanted);
  snprintf(check->text, check->text_size,
           "line %u: %s at byte %llu (element %llu, value %u) is %s, expected %s %s", check->line,
           buffer->name, (unsigned long long)byte, (unsigned long long)element, number, is,
           relation, wanted);
}

static bool check_values(const Check *check) {
  const AmberExpect *expect = check->expect;
  const EmuElementLayout *layout = layout_of(check);
  const uint8_t *bytes = check->contents[expect->buffer].bytes;
  for (uint32_t i = 0; i < expect->value_count; i++) {
    uint64_t at = (uint64_t)expect->first + i, element = at / layout->field_count;
    uint32_t number = (uint32_t)(at % layout->field_count);
    const EmuField *field = &layout->fields[number];
    EmuNumber actual = emu_field_get(field, bytes + expect->offset + element * layout->stride);
    if (holds(check, field, i, actual, expect->values[i]))
      continue;
    if (check->expected) {
      emu_field_set(field, expect->values[i],
                    check->expected + expect->offset + element * layout->stride);
    } else {
      say_value(check, element, number, field, actual, expect->values[i],
                comparator_names[expect->comparator]);
      return false;
    }
  }
  return true;
}

/* ---- pixels ---------------------------------------------------------------------------------- */

static const char channels[] = "RGBA";

static bool pixel_holds(const Check *check, const EmuFormat *format, const double actual[4]) {
  const AmberExpect *expect = check->expect;
  uint32_t count = expect->comparator == AMBER_EQ_RGBA ? 4 : 3;
  for (uint32_t i = 0; i < count; i++) {
    double wanted = expect->rgba[i] / expect->full;
    double room = slack(tolerance_of(expect, i), wanted, color_slack);
    if (emu_format_has(format, channels[i]) && !(fabs(actual[i] - wanted) <= room + 1e-9))
      return false;
  }
  return true;
}

/* Normalised channels in the unit of the script; others unchanged. */
static void print_pixel(const Check *check, const EmuFormat *format, uint32_t x, uint32_t y,
                        const double is[4]) {
  const AmberExpect *expect = check->expect;
  uint32_t kind = format->fields[0].kind, count = expect->comparator == AMBER_EQ_RGBA ? 4 : 3;
  bool normalised = kind == EMU_FORMAT_UNORM || kind == EMU_FORMAT_SNORM || kind == EMU_FORMAT_SRGB;
  double scale = normalised ? expect->full : 1;
  char actual[100] = "", wanted[100] = "";
  for (uint32_t i = 0; i < count; i++)
    if (emu_format_has(format, channels[i])) {
      size_t end = strlen(actual), wanted_end = strlen(wanted);
      snprintf(actual + end, sizeof actual - end, " %.5g", is[i] * scale);
      snprintf(wanted + wanted_end, sizeof wanted - wanted_end, " %.5g",
               expect->rgba[i] / expect->full * scale);
    }
  snprintf(check->text, check->text_size, "line %u: %s at pixel %u, %u is%s, expected %s%s",
           check->line, buffer_of(check, expect->buffer)->name, x, y, actual,
           comparator_names[expect->comparator], wanted);
}

/* Channels that are not compared keep their value. */
static void correct_pixel(const Check *check, const EmuFormat *format, uint64_t texel,
                          const double is[4]) {
  const AmberExpect *expect = check->expect;
  double wanted[4];
  for (uint32_t i = 0; i < 4; i++)
    wanted[i] =
        i < 3 || expect->comparator == AMBER_EQ_RGBA ? expect->rgba[i] / expect->full : is[i];
  emu_pixel_pack(format, wanted,
                 check->expected + texel * buffer_of(check, expect->buffer)->layout.stride);
}

static bool check_pixels(const Check *check) {
  const AmberExpect *expect = check->expect;
  const AmberBuffer *buffer = buffer_of(check, expect->buffer);
  for (uint32_t y = expect->y; y < expect->y + expect->height; y++)
    for (uint32_t x = expect->x; x < expect->x + expect->width; x++) {
      double rgba[4];
      uint64_t texel = (uint64_t)y * buffer->width + x;
      emu_pixel_unpack(buffer->format, element_of(check, expect->buffer, texel), rgba);
      if (pixel_holds(check, buffer->format, rgba))
        continue;
      if (check->expected) {
        correct_pixel(check, buffer->format, texel, rgba);
      } else {
        print_pixel(check, buffer->format, x, y, rgba);
        return false;
      }
    }
  return true;
}

/* ---- whole buffers --------------------------------------------------------------------------- */

/* The largest value of a stored normalised number, which is 1; 0: the numbers are not normalised. */
static double full_of(const EmuField *field) {
  if (field->kind == EMU_FORMAT_UNORM || field->kind == EMU_FORMAT_SRGB)
    return (double)((UINT64_C(1) << field->bits) - 1);
  return field->kind == EMU_FORMAT_SNORM ? (double)((UINT64_C(1) << (field->bits - 1)) - 1) : 0;
}

/* EQ_BUFFER: the same bits; with a TOLERANCE, floats and normalised numbers may differ by it. */
static bool same_number(const Check *check, const EmuField *field, EmuNumber a, EmuNumber b) {
  const AmberTolerance *tolerance = tolerance_of(check->expect, 0);
  double full = full_of(field);
  if (a.u == b.u || !tolerance)
    return a.u == b.u;
  if (field->kind == EMU_FORMAT_FLOAT)
    return floats_equal(tolerance, a.d, b.d);
  double x = emu_number_real(field, a), y = emu_number_real(field, b);
  return full > 0 && fabs(x - y) <= tolerance->value * full;
}

/* The numbers of an element; of a packed format its channels. */
static EmuElementLayout channels_of(const AmberBuffer *buffer) {
  EmuElementLayout layout = buffer->layout;
  if (buffer->format && buffer->format->bytes == layout.stride) {
    layout.fields = buffer->format->fields;
    layout.field_count = buffer->format->field_count;
  }
  return layout;
}

/* The first number that differs; padding does not count. */
static bool check_equal_buffers(const Check *check) {
  const AmberExpect *expect = check->expect;
  const AmberBuffer *buffer = buffer_of(check, expect->buffer);
  const EmuElementLayout layout = channels_of(buffer);
  if (memcmp(check->contents[expect->buffer].bytes, check->contents[expect->other].bytes,
             buffer->size) == 0)
    return true;
  for (uint64_t e = 0; e < buffer->element_count; e++)
    for (uint32_t i = 0; i < layout.field_count; i++) {
      const EmuField *field = &layout.fields[i];
      EmuNumber a = emu_field_get(field, element_of(check, expect->buffer, e));
      EmuNumber b = emu_field_get(field, element_of(check, expect->other, e));
      char relation[128];
      if (same_number(check, field, a, b))
        continue;
      snprintf(relation, sizeof relation, "as in %.100s:", buffer_of(check, expect->other)->name);
      say_value(check, e, i, field, a, b, relation);
      return false;
    }
  return true;
}

static bool within(const Check *check, const char *what, double distance) {
  const AmberExpect *expect = check->expect;
  double room = expect->tolerances->value;
  if (distance <= room)
    return true;
  snprintf(check->text, check->text_size,
           "line %u: the %s of %s and %s is %.9g, expected at most %.9g", check->line, what,
           buffer_of(check, expect->buffer)->name, buffer_of(check, expect->other)->name, distance,
           room);
  return false;
}

static bool check_rmse(const Check *check) {
  const AmberExpect *expect = check->expect;
  const AmberBuffer *buffer = buffer_of(check, expect->buffer);
  const EmuElementLayout *a = &buffer->layout, *b = &buffer_of(check, expect->other)->layout;
  double sum = 0;
  for (uint64_t e = 0; e < buffer->element_count; e++)
    for (uint32_t i = 0; i < a->field_count; i++) {
      const uint8_t *left = element_of(check, expect->buffer, e);
      const uint8_t *right = element_of(check, expect->other, e);
      double difference = emu_number_real(&a->fields[i], emu_field_get(&a->fields[i], left)) -
                          emu_number_real(&b->fields[i], emu_field_get(&b->fields[i], right));
      sum += difference * difference;
    }
  return within(check, "RMSE", sqrt(sum / ((double)buffer->element_count * a->field_count)));
}

typedef struct Histograms { /* of unsigned channels of 8 bits, as amber_check has checked */
  double counts[4][BINS];
} Histograms;

static void gather(const Check *check, uint32_t index, Histograms *histograms) {
  const AmberBuffer *buffer = buffer_of(check, index);
  const EmuFormat *format = buffer->format;
  memset(histograms, 0, sizeof *histograms);
  for (uint64_t e = 0; e < buffer->element_count; e++)
    for (uint32_t i = 0; i < format->field_count; i++) {
      uint64_t bin = emu_field_get(&format->fields[i], element_of(check, index, e)).u;
      histograms->counts[i][bin] += 1.0 / buffer->element_count;
    }
}

static bool check_histograms(const Check *check) {
  Histograms *both = malloc(2 * sizeof *both);
  double largest = 0;
  if (!both) {
    snprintf(check->text, check->text_size, "line %u: out of memory", check->line);
    return false;
  }
  gather(check, check->expect->buffer, &both[0]);
  gather(check, check->expect->other, &both[1]);
  for (int c = 0; c < 4; c++) {
    double moved = 0, sum = 0;
    for (int i = 0; i < BINS; i++) {
      moved += both[0].counts[c][i] - both[1].counts[c][i];
      sum += fabs(moved);
    }
    largest = fmax(largest, sum / BINS);
  }
  free(both);
  return within(check, "distance of the histograms", largest);
}

static bool all_readable(Check *check) {
  uint32_t other = check->expect->other;
  return readable(check, check->expect->buffer) && (other == AMBER_NONE || readable(check, other));
}

static bool met(Check *check) {
  switch (check->expect->comparator) {
  case AMBER_EQ_RGB:
  case AMBER_EQ_RGBA:
    return check_pixels(check);
  case AMBER_EQ_BUFFER:
    return check_equal_buffers(check);
  case AMBER_RMSE_BUFFER:
    return check_rmse(check);
  case AMBER_EQ_HISTOGRAM_EMD_BUFFER:
    return check_histograms(check);
  default:
    return check_values(check);
  }
}

/* Does no command before this one change a buffer or an image? */
static bool nothing_ran(const AmberScript *script, const AmberCommand *before) {
  const AmberCommand *command = script->commands;
  while (command < before && (command->kind == AMBER_EXPECT || command->kind == AMBER_REPEAT))
    command++;
  return command == before;
}

bool amber_expect_check(const AmberScript *script, const AmberCommand *command,
                        const AmberContents *contents, char *text, size_t text_size) {
  Check check = {script, &command->expect, contents, command->line, text, text_size, NULL};
  if (!all_readable(&check))
    return false;
  if (met(&check))
    return true;
  size_t length = strnlen(text, text_size);
  if (nothing_ran(script, command))
    snprintf(text + length, text_size - length, "; nothing ran before it: a RUN is missing");
  return false;
}

void amber_expect_correct(const AmberScript *script, const AmberCommand *command,
                          const AmberContents *contents, uint8_t *expected) {
  const AmberExpect *expect = &command->expect;
  char text[256];
  Check check = {script, expect, contents, command->line, text, sizeof text, expected};
  if (!all_readable(&check))
    return;
  if (expect->comparator == AMBER_EQ_RGB || expect->comparator == AMBER_EQ_RGBA)
    check_pixels(&check);
  else if (expect->other != AMBER_NONE)
    memcpy(expected, contents[expect->other].bytes, buffer_of(&check, expect->buffer)->size);
  else
    check_values(&check);
}
