/* SPDX-License-Identifier: Apache-2.0 */
/* blend: see blend.h. Reference: Vulkan, "Blending", "Logical Operations". */
#include "spv-emu/raster/blend.h"

#include <string.h>

enum { ALPHA = 3, ADVANCED = 1000148000 };

enum {
  ZERO,
  ONE,
  SRC_COLOR,
  ONE_MINUS_SRC_COLOR,
  DST_COLOR,
  ONE_MINUS_DST_COLOR,
  SRC_ALPHA,
  ONE_MINUS_SRC_ALPHA,
  DST_ALPHA,
  ONE_MINUS_DST_ALPHA,
  CONSTANT_COLOR,
  ONE_MINUS_CONSTANT_COLOR,
  CONSTANT_ALPHA,
  ONE_MINUS_CONSTANT_ALPHA,
  SRC_ALPHA_SATURATE,
  SRC1_COLOR,
  ONE_MINUS_SRC1_COLOR,
  SRC1_ALPHA,
  ONE_MINUS_SRC1_ALPHA,
};

static double least(double a, double b) {
  return a < b ? a : b;
}

static double most(double a, double b) {
  return a > b ? a : b;
}

typedef struct Inputs {
  uint32_t count;
  const EmuRgbaRows *source, *second, *target;
  const float *constants;
} Inputs;

/* ---- factors --------------------------------------------------------------------------------- */

/* The row of a factor, or of x if the factor is 1 - x; NULL: the factor is the same for all
 * samples. */
static const double *row_of(uint32_t number, const Inputs *in, uint32_t c) {
  switch (number) {
  case SRC_COLOR:
  case ONE_MINUS_SRC_COLOR:
    return in->source->c[c];
  case SRC_ALPHA:
  case ONE_MINUS_SRC_ALPHA:
    return in->source->c[ALPHA];
  case DST_COLOR:
  case ONE_MINUS_DST_COLOR:
    return in->target->c[c];
  case DST_ALPHA:
  case ONE_MINUS_DST_ALPHA:
    return in->target->c[ALPHA];
  case SRC1_COLOR:
  case ONE_MINUS_SRC1_COLOR:
    return in->second->c[c];
  case SRC1_ALPHA:
  case ONE_MINUS_SRC1_ALPHA:
    return in->second->c[ALPHA];
  default:
    return NULL;
  }
}

static double number_of(uint32_t number, const Inputs *in, uint32_t c) {
  switch (number) {
  case ZERO:
    return 0;
  case CONSTANT_COLOR:
    return (double)in->constants[c];
  case ONE_MINUS_CONSTANT_COLOR:
    return 1 - (double)in->constants[c];
  case CONSTANT_ALPHA:
    return (double)in->constants[ALPHA];
  case ONE_MINUS_CONSTANT_ALPHA:
    return 1 - (double)in->constants[ALPHA];
  default:
    return 1;
  }
}

static bool is_rest(uint32_t number) {
  return number == ONE_MINUS_SRC_COLOR || number == ONE_MINUS_SRC_ALPHA ||
         number == ONE_MINUS_DST_COLOR || number == ONE_MINUS_DST_ALPHA ||
         number == ONE_MINUS_SRC1_COLOR || number == ONE_MINUS_SRC1_ALPHA;
}

/* Component c of a factor, for all samples. */
static void factor(uint32_t number, const Inputs *in, uint32_t c, double *to) {
  const double *row = row_of(number, in, c), value = number_of(number, in, c);
  const double *source = in->source->c[ALPHA], *target = in->target->c[ALPHA];
  if (number == SRC_ALPHA_SATURATE && c != ALPHA)
    for (uint32_t i = 0; i < in->count; i++)
      to[i] = least(source[i], 1 - target[i]);
  else if (!row)
    for (uint32_t i = 0; i < in->count; i++)
      to[i] = value;
  else if (is_rest(number))
    for (uint32_t i = 0; i < in->count; i++)
      to[i] = 1 - row[i];
  else
    for (uint32_t i = 0; i < in->count; i++)
      to[i] = row[i];
}

/* ---- equations ------------------------------------------------------------------------------- */

enum { ADD, SUBTRACT, REVERSE_SUBTRACT, MIN, MAX };

/* The result replaces `by`, which holds the factor of the source. */
static void equation(uint32_t op, uint32_t count, const double *source, double *by,
                     const double *target, const double *target_by) {
  switch (op) {
  case SUBTRACT:
    for (uint32_t i = 0; i < count; i++)
      by[i] = source[i] * by[i] - target[i] * target_by[i];
    break;
  case REVERSE_SUBTRACT:
    for (uint32_t i = 0; i < count; i++)
      by[i] = target[i] * target_by[i] - source[i] * by[i];
    break;
  case MIN:
    for (uint32_t i = 0; i < count; i++)
      by[i] = least(source[i], target[i]);
    break;
  case MAX:
    for (uint32_t i = 0; i < count; i++)
      by[i] = most(source[i], target[i]);
    break;
  default:
    for (uint32_t i = 0; i < count; i++)
      by[i] = source[i] * by[i] + target[i] * target_by[i];
    break;
  }
}

bool emu_blend_is_advanced(uint32_t op) {
  return op >= ADVANCED;
}

void emu_blend(const EmuBlendState *blend, const float constants[4], uint32_t count,
               EmuRgbaRows *source, const EmuRgbaRows *second, const EmuRgbaRows *target) {
  const Inputs in = {count, source, second, target, constants};
  EmuRgbaRows result;
  double target_by[EMU_BLEND_ROOM];
  for (uint32_t c = 0; c < 4; c++) {
    bool alpha = c == ALPHA;
    factor(alpha ? blend->src_alpha_factor : blend->src_color_factor, &in, c, result.c[c]);
    factor(alpha ? blend->dst_alpha_factor : blend->dst_color_factor, &in, c, target_by);
    equation(alpha ? blend->alpha_op : blend->color_op, count, source->c[c], result.c[c],
             target->c[c], target_by);
  }
  for (uint32_t c = 0; c < 4; c++)
    memcpy(source->c[c], result.c[c], count * sizeof *result.c[c]);
}

/* The number of an operation is its truth table: bit 3 is the result for 0 and 0, bit 2 for source
 * 0 and target 1, bit 1 for 1 and 0, bit 0 for 1 and 1. */
uint64_t emu_logic_op(uint32_t op, uint64_t source, uint64_t target) {
  uint64_t result = 0;
  if (op & 1)
    result |= source & target;
  if (op & 2)
    result |= source & ~target;
  if (op & 4)
    result |= ~source & target;
  if (op & 8)
    result |= ~source & ~target;
  return result;
}
