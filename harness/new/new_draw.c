/* SPDX-License-Identifier: Apache-2.0 */
/* new_draw: the case of a fragment shader: the vertex shader and the triangle that it draws
 * (cases/bare_vertex.h), the attachments (cases/bare_draw.h), and the picture as a buffer that is
 * expected.
 *
 * Drivers round differently, so a pixel at the edge of a shape may fall on its other side. Colours
 * and depth are therefore expected within a distance over the whole picture, the root of the mean
 * square of the differences; pictures of integers must be equal. If runs of the emulator differ by
 * more, or a quad computes a derivative without all its lanes, nothing is expected. */
#include "harness/new/new_parts.h"

#include "spv-emu/cases/assemble.h"
#include "spv-emu/cases/bare_vertex.h"
#include "spv-emu/format/format_number.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MESSAGE = 1024, ROW = 16 /* numbers in a line */ };

/* How far pictures may differ (RMSE): colours of 8 bits, in steps; depths. */
static const double color_distance = 4, depth_distance = 0.01;

/* ---- the vertex shader ----------------------------------------------------------------------- */

/* On drivers, an input to which the vertex shader gives nothing is undefined. */
static bool check_inputs(HnNew *n) {
  uint32_t count;
  const spv_emu_port *ports = spv_emu_inputs(n->program, &count);
  char text[MESSAGE];
  for (uint32_t i = 0; i < count; i++)
    if (ports[i].bits != 32) {
      snprintf(
          text, sizeof text,
          "the input at location %u has numbers of %u bits, for which no vertex shader is made "
          "up: write the case; docs/cases.md has one to begin with ('A graphics case')",
          ports[i].location, ports[i].bits);
      return hn_new_fail(n, text);
    }
  return true;
}

bool hn_new_vertex(HnNew *n) {
  if (!check_inputs(n))
    return false;
  n->vertex_text = emu_vertex_shader(n->program);
  char *bytes = n->vertex_text ? strdup(n->vertex_text) : NULL;
  if (!bytes)
    return hn_new_fail(n, "out of memory");
  n->vertex = (HnTrialModule){.words = {.bytes = bytes, .count = strlen(bytes)},
                              .stage = COMPILE_NO_STAGE,
                              .run = SPV_EMU_VERTEX};
  return emu_assemble(&n->vertex.words, n->message) || hn_new_fail(n, "out of memory");
}

/* ---- the text -------------------------------------------------------------------------------- */

static void write_name(const EmuDrawn *a, FILE *out, const char *prefix) {
  fprintf(out, a->depth ? "%s_depth" : "%s_%u", prefix, a->location);
}

void hn_new_draw_declare(const HnNew *n, FILE *out) {
  fputs("SHADER vertex vertex SPIRV-ASM\n", out);
  fputs(n->vertex_text, out);
  fputs("END\n\nBUFFER triangle DATA_TYPE vec2<float> DATA\n  -1 -1  3 -1  -1 3\nEND\n", out);
  for (uint32_t i = 0; i < n->trial.attachment_count; i++) {
    fputs("BUFFER ", out);
    write_name(&n->trial.attachments[i], out, "framebuffer");
    fprintf(out, " FORMAT %s\n", n->trial.attachments[i].format->name);
  }
  fputc('\n', out);
}

void hn_new_draw_bind(const HnNew *n, FILE *out) {
  fprintf(out, "  VERTEX_DATA triangle LOCATION 0\n  FRAMEBUFFER_SIZE %u %u\n", n->groups[0],
          n->groups[1]);
  for (uint32_t i = 0; i < n->trial.attachment_count; i++) {
    const EmuDrawn *a = &n->trial.attachments[i];
    fputs("  BIND BUFFER ", out);
    write_name(a, out, "framebuffer");
    if (a->depth)
      fputs(" AS depth_stencil\n  DEPTH\n    TEST on\n    WRITE on\n    COMPARE_OP less_or_equal\n"
            "  END\n",
            out);
    else
      fprintf(out, " AS color LOCATION %u\n", a->location);
  }
}

void hn_new_draw_run(FILE *out) {
  fputs("CLEAR pipeline\nRUN pipeline DRAW_ARRAY AS TRIANGLE_LIST START_IDX 0 COUNT 3\n\n", out);
}

/* ---- what is expected ------------------------------------------------------------------------ */

static double real_of(const EmuField *field, const uint8_t *bytes) {
  return emu_number_real(field, emu_field_get(field, bytes));
}

/* The RMSE of two pictures; not a number if either has something that is none. */
static double distance(const EmuDrawn *a, const uint8_t *left, const uint8_t *right) {
  const EmuFormat *f = a->format;
  uint64_t pixels = (uint64_t)a->width * a->height;
  double sum = 0;
  for (uint64_t at = 0; at < pixels * f->bytes; at += f->bytes)
    for (uint32_t i = 0; i < f->field_count; i++) {
      double d = real_of(&f->fields[i], left + at) - real_of(&f->fields[i], right + at);
      sum += d * d;
    }
  return sqrt(sum / ((double)pixels * f->field_count));
}

static bool is_integer(const EmuDrawn *a) {
  return a->format->fields[0].kind == EMU_FORMAT_UINT ||
         a->format->fields[0].kind == EMU_FORMAT_SINT;
}

static double tolerance_of(const EmuDrawn *a) {
  return is_integer(a) ? 0 : a->depth ? depth_distance : color_distance;
}

/* Why nothing is expected of the attachment; NULL: the runs agree. */
static const char *doubt_of(const HnTrial *t, uint32_t index) {
  const EmuDrawn *a = &t->attachments[index];
  for (int run = 0; run < HN_TRIAL_ALL; run++) {
    if (!t->drawn[run])
      continue;
    if (!t->drawn[run][index] || !t->drawn[0][index])
      return "memory ran out";
    /* The bound of a driver, halved: it may differ from every run. Also true of NaN. */
    if (!(distance(a, t->drawn[0][index], t->drawn[run][index]) <= tolerance_of(a) / 2))
      return run >= HN_TRIAL_RUNS        ? "it depends on how a device rounds"
             : run == HN_TRIAL_UNWRITTEN ? "it depends on variables that nothing has written"
             : run                       ? "it depends on the subgroup's size"
                                         : "it has numbers that are not finite";
  }
  return NULL;
}

static void write_picture(const EmuDrawn *a, const uint8_t *bytes, FILE *out) {
  const EmuFormat *f = a->format;
  uint64_t pixels = (uint64_t)a->width * a->height, numbers = 0;
  fputs("BUFFER ", out);
  write_name(a, out, "expected");
  fprintf(out, " DATA_TYPE %s DATA", f->name);
  for (uint64_t at = 0; at < pixels * f->bytes; at += f->bytes)
    for (uint32_t i = 0; i < f->field_count; i++) {
      if (numbers++ % ROW == 0)
        fputs("\n ", out);
      hn_new_number(out, &f->fields[i], bytes + at);
    }
  fputs("\nEND\n", out);
}

static void write_expect(const EmuDrawn *a, FILE *out) {
  fputs("EXPECT ", out);
  write_name(a, out, "framebuffer");
  fputs(is_integer(a) ? " EQ_BUFFER " : " RMSE_BUFFER ", out);
  write_name(a, out, "expected");
  if (!is_integer(a))
    fprintf(out, " TOLERANCE %g", tolerance_of(a));
  fputs("\n\n", out);
}

void hn_new_draw_expect(const HnNew *n, FILE *out) {
  const HnTrial *t = &n->trial;
  if (t->quad_breaks) {
    fprintf(
        out,
        "# Nothing is expected of the picture: %llu times a derivative, or a level of detail, is\n"
        "# computed where only some lanes of a quad are active, and SPIR-V leaves it undefined.\n",
        (unsigned long long)t->quad_breaks);
    return;
  }
  for (uint32_t i = 0; i < t->attachment_count; i++) {
    const char *why = doubt_of(t, i);
    if (why) {
      fputs("# Nothing is expected of ", out);
      write_name(&t->attachments[i], out, "framebuffer");
      fprintf(out, ": %s.\n", why);
      continue;
    }
    fputs("# As the emulator draws it.\n", out);
    write_picture(&t->attachments[i], t->drawn[0][i], out);
    write_expect(&t->attachments[i], out);
  }
}
