/* SPDX-License-Identifier: Apache-2.0 */
/* blend: see blend.h. Reference: Vulkan, "Blending", "Logical Operations". */
#include "stages/blend.h"

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
  EmuRgba source, second, target, constants;
} Inputs;

/* Component c of a factor. */
static double factor(uint32_t number, const Inputs *in, uint32_t c) {
  switch (number) {
  case ZERO:
    return 0;
  case SRC_COLOR:
    return in->source.c[c];
  case ONE_MINUS_SRC_COLOR:
    return 1 - in->source.c[c];
  case DST_COLOR:
    return in->target.c[c];
  case ONE_MINUS_DST_COLOR:
    return 1 - in->target.c[c];
  case SRC_ALPHA:
    return in->source.c[ALPHA];
  case ONE_MINUS_SRC_ALPHA:
    return 1 - in->source.c[ALPHA];
  case DST_ALPHA:
    return in->target.c[ALPHA];
  case ONE_MINUS_DST_ALPHA:
    return 1 - in->target.c[ALPHA];
  case CONSTANT_COLOR:
    return in->constants.c[c];
  case ONE_MINUS_CONSTANT_COLOR:
    return 1 - in->constants.c[c];
  case CONSTANT_ALPHA:
    return in->constants.c[ALPHA];
  case ONE_MINUS_CONSTANT_ALPHA:
    return 1 - in->constants.c[ALPHA];
  case SRC_ALPHA_SATURATE:
    return c == ALPHA ? 1 : least(in->source.c[ALPHA], 1 - in->target.c[ALPHA]);
  case SRC1_COLOR:
    return in->second.c[c];
  case ONE_MINUS_SRC1_COLOR:
    return 1 - in->second.c[c];
  case SRC1_ALPHA:
    return in->second.c[ALPHA];
  case ONE_MINUS_SRC1_ALPHA:
    return 1 - in->second.c[ALPHA];
  default:
    return 1;
  }
}

enum { ADD, SUBTRACT, REVERSE_SUBTRACT, MIN, MAX };

static double equation(uint32_t op, double source, double by, double target, double target_by) {
  switch (op) {
  case SUBTRACT:
    return source * by - target * target_by;
  case REVERSE_SUBTRACT:
    return target * target_by - source * by;
  case MIN:
    return least(source, target);
  case MAX:
    return most(source, target);
  default:
    return source * by + target * target_by;
  }
}

bool emu_blend_is_advanced(uint32_t op) {
  return op >= ADVANCED;
}

EmuRgba emu_blend(const AmberBlendState *blend, const float constants[4], EmuRgba source,
                  EmuRgba second, EmuRgba target) {
  Inputs in = {.source = source, .second = second, .target = target};
  EmuRgba result;
  for (uint32_t c = 0; c < 4; c++)
    in.constants.c[c] = (double)constants[c];
  for (uint32_t c = 0; c < 4; c++) {
    bool alpha = c == ALPHA;
    double by = factor(alpha ? blend->src_alpha_factor : blend->src_color_factor, &in, c);
    double target_by = factor(alpha ? blend->dst_alpha_factor : blend->dst_color_factor, &in, c);
    result.c[c] = equation(alpha ? blend->alpha_op : blend->color_op, source.c[c], by, target.c[c],
                           target_by);
  }
  return result;
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
