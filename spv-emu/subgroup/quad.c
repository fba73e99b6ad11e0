/* SPDX-License-Identifier: Apache-2.0 */
/* quad: see quad.h. */
#include "spv-emu/subgroup/quad.h"

#include "spv-emu/engine/quads.h"

#include <math.h>

/* ---- derivatives ----------------------------------------------------------------------------- */

void emu_quad_check(EmuLanes *s) {
  for (EMU_WORDS(i, s->words)) {
    uint64_t on = s->on.w[i], touched = emu_quads_any(on & ~s->helper.w[i]);
    s->counts.quad_breaks += emu_count_bits(emu_quads_any(emu_quads_whole(touched) & ~on));
  }
}

static float dx_fine(const float *quad, uint32_t lane) {
  return quad[lane | 1] - quad[lane & 2];
}
static float dy_fine(const float *quad, uint32_t lane) {
  return quad[lane | 2] - quad[lane & 1];
}
static float dx_coarse(const float *quad, uint32_t lane) {
  (void)lane;
  return quad[1] - quad[0];
}
static float dy_coarse(const float *quad, uint32_t lane) {
  (void)lane;
  return quad[2] - quad[0];
}
static float width_fine(const float *quad, uint32_t lane) {
  return fabsf(dx_fine(quad, lane)) + fabsf(dy_fine(quad, lane));
}
static float width_coarse(const float *quad, uint32_t lane) {
  return fabsf(dx_coarse(quad, lane)) + fabsf(dy_coarse(quad, lane));
}

/* The operand's quad is read before the result is written: both may be the same row. */
#define DERIVATIVE(name)                                                                           \
  static void run_##name(EmuLanes *s, const EmuIns *i) {                                           \
    const float *a = EMU_ROW(s, float, i->a);                                                      \
    float *d = EMU_ROW(s, float, i->d);                                                            \
    if (i->x)                                                                                      \
      emu_quad_check(s);                                                                           \
    for (uint32_t first = 0; first < s->width; first += EMU_QUAD) {                                \
      const float quad[EMU_QUAD] = {a[first], a[first + 1], a[first + 2], a[first + 3]};           \
      for (uint32_t lane = 0; lane < EMU_QUAD; lane++)                                             \
        d[first + lane] = name(quad, lane);                                                        \
    }                                                                                              \
  }

DERIVATIVE(dx_fine)
DERIVATIVE(dy_fine)
DERIVATIVE(dx_coarse)
DERIVATIVE(dy_coarse)
DERIVATIVE(width_fine)
DERIVATIVE(width_coarse)

EmuHandler *emu_quad_find(SpvOp op) {
  switch (op) {
  case SpvOpDPdxFine:
    return run_dx_fine;
  case SpvOpDPdyFine:
    return run_dy_fine;
  case SpvOpFwidthFine:
    return run_width_fine;
  case SpvOpDPdx:
  case SpvOpDPdxCoarse:
    return run_dx_coarse;
  case SpvOpDPdy:
  case SpvOpDPdyCoarse:
    return run_dy_coarse;
  case SpvOpFwidth:
  case SpvOpFwidthCoarse:
    return run_width_coarse;
  default:
    return NULL;
  }
}

/* ---- helper lanes ---------------------------------------------------------------------------- */

void emu_quad_demote(EmuLanes *s, const EmuIns *i) {
  (void)i;
  emu_mask_add(&s->helper, &s->on, s->words);
}

void emu_quad_is_helper(EmuLanes *s, const EmuIns *i) {
  uint32_t *d = EMU_ROW(s, uint32_t, i->d);
  for (EMU_EACH_LANE(lane, &s->on, s->words))
    d[lane] = emu_mask_has(&s->helper, lane) ? UINT32_MAX : 0;
}

void emu_quad_blank(EmuLanes *s, const EmuIns *i) {
  EmuMask blank;
  emu_mask_copy(&blank, &s->on, s->words);
  emu_mask_keep(&blank, &s->helper, s->words);
  for (EMU_EACH_LANE(lane, &blank, s->words))
    memset(s->file + i->d + (size_t)lane * i->x, 0, i->x);
}

void emu_quad_hide(EmuLanes *s, const EmuIns *i) {
  (void)i;
  emu_mask_copy(&s->shown, &s->on, s->words);
  emu_mask_drop(&s->on, &s->helper, s->words);
}

void emu_quad_show(EmuLanes *s, const EmuIns *i) {
  (void)i;
  emu_mask_copy(&s->on, &s->shown, s->words);
}

bool emu_quad_over(const EmuLanes *s, const EmuMask *live, const EmuMask *lanes, EmuMask *over) {
  for (EMU_WORDS(i, s->words)) {
    uint64_t useful = emu_quads_any(live->w[i] & ~s->helper.w[i]);
    over->w[i] = lanes->w[i] & ~emu_quads_whole(useful);
  }
  return emu_mask_any(over, s->words);
}
