/* SPDX-License-Identifier: Apache-2.0 */
/* depth_stencil: see depth_stencil.h. Depths are compared in units of the format: integers of
 * UNORM, as they are stored, or real numbers. Reference: Vulkan, "Fragment Operations". */
#include "spv-emu/raster/depth_stencil.h"

#include "spv-emu/raster/interpolate.h"

#include <math.h>

/* ---- the attachment's fields ----------------------------------------------------------------- */

/* The depth or stencil field of an attachment; NULL: it has no such aspect. */
static const EmuField *field_of(const EmuAttachment *attachment, char channel) {
  return attachment->format ? emu_format_field(attachment->format, channel) : NULL;
}

static double depth_get(const EmuField *field, const uint8_t *place) {
  EmuNumber value = emu_field_get(field, place);
  return field->kind == EMU_FORMAT_FLOAT ? value.d : (double)value.u;
}

static void depth_set(const EmuField *field, double depth, uint8_t *place) {
  EmuNumber value = {.d = depth};
  if (field->kind != EMU_FORMAT_FLOAT)
    value.u = (uint64_t)depth;
  emu_field_set(field, value, place);
}

/* NaN becomes the least depth. */
static double clamped(double depth, EmuDepthRange range) {
  double raised = depth > (double)range.least ? depth : (double)range.least;
  return raised < (double)range.most ? raised : (double)range.most;
}

/* A depth in units of the format. For UNORM, the range is 0 to 1. */
static double in_units(const EmuField *field, double depth) {
  if (field->kind == EMU_FORMAT_FLOAT)
    return depth;
  return nearbyint(fmin(fmax(depth, 0), 1) * (ldexp(1, field->bits) - 1));
}

/* ---- tests ----------------------------------------------------------------------------------- */

enum { NEVER, LESS, EQUAL, LESS_OR_EQUAL, GREATER, NOT_EQUAL, GREATER_OR_EQUAL };

/* VkCompareOp */
static bool compare(uint32_t op, double a, double b) {
  switch (op) {
  case NEVER:
    return false;
  case LESS:
    return a < b;
  case EQUAL:
    return a == b;
  case LESS_OR_EQUAL:
    return a <= b;
  case GREATER:
    return a > b;
  case NOT_EQUAL:
    return a != b;
  case GREATER_OR_EQUAL:
    return a >= b;
  default:
    return true;
  }
}

enum {
  KEEP,
  ZERO,
  REPLACE,
  INCREMENT_CLAMP,
  DECREMENT_CLAMP,
  INVERT,
  INCREMENT_WRAP,
  DECREMENT_WRAP
};

/* VkStencilOp on 8 bits. */
static uint32_t stencil_result(uint32_t op, uint32_t value, uint32_t reference) {
  switch (op) {
  case ZERO:
    return 0;
  case REPLACE:
    return reference;
  case INCREMENT_CLAMP:
    return value < 255 ? value + 1 : 255;
  case DECREMENT_CLAMP:
    return value ? value - 1 : 0;
  case INVERT:
    return ~value & 255;
  case INCREMENT_WRAP:
    return (value + 1) & 255;
  case DECREMENT_WRAP:
    return (value - 1) & 255;
  default:
    return value;
  }
}

/* What the tests of all samples of a quad have in common. */
typedef struct Tests {
  const EmuDepthStencil *state;
  const EmuField *depth, *stencil; /* NULL: there is nothing to test or write */
  const EmuStencilFace *face;
  uint32_t reference;
} Tests;

static void stencil_set(const Tests *t, uint32_t op, uint32_t old, uint8_t *place) {
  uint32_t result = stencil_result(op, old, t->reference), mask = t->face->write_mask & 255;
  if (op != KEEP && mask)
    emu_field_set(t->stencil, (EmuNumber){.u = (old & ~mask) | (result & mask)}, place);
}

static bool in_bounds(const Tests *t, const uint8_t *place) {
  const EmuDepthState *depth = &t->state->depth;
  const EmuField *field = t->depth;
  if (!field || !depth->bounds_test)
    return true;
  double stored = depth_get(field, place);
  double unit = field->kind == EMU_FORMAT_FLOAT ? 1 : ldexp(1, field->bits) - 1;
  return stored >= (double)depth->min_bounds * unit && stored <= (double)depth->max_bounds * unit;
}

static bool depth_passes(const Tests *t, double z, uint8_t *place, bool written) {
  const EmuDepthState *depth = &t->state->depth;
  if (!t->depth || !depth->test)
    return true;
  double own = in_units(t->depth, clamped(z, t->state->range));
  if (!compare(depth->compare_op, own, depth_get(t->depth, place)))
    return false;
  if (depth->write && written)
    depth_set(t->depth, own, place);
  return true;
}

static bool sample_passes(const Tests *t, double z, uint8_t *place) {
  if (!in_bounds(t, place))
    return false;
  if (!t->stencil)
    return depth_passes(t, z, place, true);
  const EmuStencilFace *face = t->face;
  uint32_t old = (uint32_t)emu_field_get(t->stencil, place).u, mask = face->compare_mask & 255;
  bool passes = compare(face->compare_op, t->reference & mask, old & mask);
  bool depth = depth_passes(t, z, place, passes);
  stencil_set(t, !passes ? face->fail_op : depth ? face->pass_op : face->depth_fail_op, old, place);
  return passes && depth;
}

bool emu_depth_stencil_needed(const EmuDepthStencil *state) {
  const EmuAttachment *a = &state->attachment;
  return (field_of(a, 'D') && (state->depth.test || state->depth.bounds_test)) ||
         (field_of(a, 'S') && state->stencil_test);
}

void emu_depth_stencil_test(const EmuDepthStencil *state, const EmuQuad *quad, bool front,
                            const float *z, const uint32_t *references, uint16_t mask[4]) {
  const EmuAttachment *a = &state->attachment;
  Tests tests = {.state = state,
                 .depth = field_of(a, 'D'),
                 .stencil = state->stencil_test ? field_of(a, 'S') : NULL,
                 .face = front ? &state->front : &state->back};
  if (!emu_depth_stencil_needed(state))
    return;
  for (uint32_t lane = 0; lane < 4; lane++) {
    tests.reference = (references ? references[lane] : tests.face->reference) & 255;
    for (uint32_t left = mask[lane]; left; left &= left - 1) {
      uint32_t s = (uint32_t)__builtin_ctz(left);
      uint8_t *place = emu_attachment_at(a, quad->x + (lane & 1), quad->y + (lane >> 1), s);
      if (!sample_passes(&tests, (double)z[lane * a->samples + s], place))
        mask[lane] &= (uint16_t)(~(1u << s));
    }
  }
}

void emu_sample_depths(const EmuPrimitive *primitive, const EmuQuad *quad, uint32_t samples,
                       float *z) {
  float x[4], y[4], depths[4];
  for (uint32_t s = 0; s < samples; s++) {
    emu_quad_points(quad, 1, EMU_AT_SAMPLE, samples, s, x, y);
    emu_depth_at(primitive, 4, x, y, depths);
    for (uint32_t lane = 0; lane < 4; lane++)
      z[lane * samples + s] = depths[lane];
  }
}
