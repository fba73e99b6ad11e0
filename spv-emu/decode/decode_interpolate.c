/* SPDX-License-Identifier: Apache-2.0 */
/* decode_interpolate: interpolateAtCentroid, interpolateAtSample and interpolateAtOffset: the value
 * of an input at another point of the fragment.
 *
 *   the point, from the pixel's centre: (x, y)
 *     centroid   a hidden builtin
 *     sample n   two hidden builtins have x and y of all samples, four bits for each
 *     offset     the operand
 *   weights of corners 1 and 2: b = (plane 1, plane 2 at the point) / (plane 3 at the point), where
 *     a plane is a hidden builtin: the value at the centre, and its increase along x and y
 *   result: f0 + b1 (f1 - f0) + b2 (f2 - f0)
 *
 * f0, f1 and f2 are three hidden variables that look like the input and have its values at the
 * corners, so that any part of it is found by the same pointer. Points and weights are computed in
 * double precision, like those of inputs (stages/interpolate.h). */
#include "passes/ir/pointer.h"
#include "spv-emu/decode/decode_extended.h"
#include "spv-emu/decode/decode_stage.h"

#include <spirv/unified1/GLSL.std.450.h>

enum { CORNERS = 3, PLANES = 3 };

/* ---- hidden builtins ------------------------------------------------------------------------- */

/* The registers of a builtin that no module can name; NULL: there is no room. */
static const uint32_t *hidden(EmuSteps *s, EmuHiddenBuiltin builtin, EmuKind kind,
                              uint32_t components) {
  EmuDecode *d = s->d;
  uint32_t **known = &d->hidden[builtin - EMU_HIDDEN_FIRST];
  uint64_t at, bytes = emu_kind_bytes(kind);
  if (*known)
    return *known;
  if (!emu_fixed_room(d, s->r, components * bytes, &at))
    return NULL;
  *known = SR_NEW(d->scratch, uint32_t, components);
  for (uint32_t i = 0; i < components; i++)
    (*known)[i] = emu_register_fixed(d, kind, at + i * bytes);
  SR_PUSH(d->arena, &d->p->builtins,
          (EmuBuiltin){.builtin = builtin,
                       .row = (uint32_t)at * d->p->width,
                       .stride = (uint32_t)bytes * d->p->width,
                       .components = components,
                       .kind = (uint8_t)kind});
  return *known;
}

/* ---- the point ------------------------------------------------------------------------------- */

static uint32_t wide(EmuSteps *s, EmuKind kind, uint32_t a) {
  return emu_step_convert(s, SpvOpFConvert, kind, EMU_F64, a);
}

static bool at_centroid(EmuSteps *s, uint32_t xy[2]) {
  const uint32_t *from = hidden(s, EMU_HIDDEN_CENTROID, EMU_F64, 2);
  for (uint32_t i = 0; from && i < 2; i++)
    xy[i] = from[i];
  return from != NULL;
}

/* (position >> 4 n & 15) / 16 - 1/2 */
static bool at_sample(EmuSteps *s, uint32_t xy[2]) {
  const uint32_t *from = hidden(s, EMU_HIDDEN_SPOTS, EMU_U64, 2);
  EmuParts n = emu_extended_parts(s, 1);
  if (!from)
    return false;
  uint32_t none = EMU_NO_ROW, index = emu_step_convert(s, SpvOpUConvert, n.kind, EMU_U64, n.at[0]);
  uint32_t four = emu_bits(s->d, EMU_U64, 4), digit = emu_bits(s->d, EMU_U64, 15);
  uint32_t shift = emu_step_alu(s, SpvOpIMul, EMU_U64, index, four, none);
  for (uint32_t i = 0; i < 2; i++) {
    uint32_t moved = emu_step_alu(s, SpvOpShiftRightLogical, EMU_U64, from[i], shift, none);
    uint32_t spot = emu_step_alu(s, SpvOpBitwiseAnd, EMU_U64, moved, digit, none);
    uint32_t real = emu_step_convert(s, SpvOpConvertUToF, EMU_U64, EMU_F64, spot);
    uint32_t part = emu_step_alu(s, SpvOpFMul, EMU_F64, real, emu_real(s, EMU_F64, 1.0 / 16), none);
    xy[i] = emu_step_alu(s, SpvOpFSub, EMU_F64, part, emu_real(s, EMU_F64, 0.5), none);
  }
  return true;
}

static bool at_offset(EmuSteps *s, uint32_t xy[2]) {
  EmuParts offset = emu_extended_parts(s, 1);
  for (uint32_t i = 0; i < 2; i++)
    xy[i] = wide(s, offset.kind, offset.at[i]);
  return true;
}

static bool point_of(EmuSteps *s, uint32_t op, uint32_t xy[2]) {
  switch (op) {
  case GLSLstd450InterpolateAtCentroid:
    return at_centroid(s, xy);
  case GLSLstd450InterpolateAtSample:
    return at_sample(s, xy);
  default:
    return at_offset(s, xy);
  }
}

/* ---- weights --------------------------------------------------------------------------------- */

static bool weights_at(EmuSteps *s, bool perspective, const uint32_t xy[2], uint32_t b[2]) {
  uint32_t at[PLANES], none = EMU_NO_ROW;
  const uint32_t *planes =
      hidden(s, perspective ? EMU_HIDDEN_PLANES : EMU_HIDDEN_LINEAR_PLANES, EMU_F64, PLANES * 3);
  if (!planes)
    return false;
  for (uint32_t i = 0; i < PLANES; i++) {
    uint32_t x = emu_step_alu(s, SpvOpFMul, EMU_F64, planes[3 * i + 1], xy[0], none);
    uint32_t y = emu_step_alu(s, SpvOpFMul, EMU_F64, planes[3 * i + 2], xy[1], none);
    uint32_t sum = emu_step_alu(s, SpvOpFAdd, EMU_F64, planes[3 * i], x, none);
    at[i] = emu_step_alu(s, SpvOpFAdd, EMU_F64, sum, y, none);
  }
  for (uint32_t i = 0; i < 2; i++)
    b[i] = emu_step_convert(s, SpvOpFConvert, EMU_F64, EMU_F32,
                            emu_step_alu(s, SpvOpFDiv, EMU_F64, at[i], at[2], none));
  return true;
}

/* ---- the corners ----------------------------------------------------------------------------- */

/* The values of the pointee at a corner. */
static const uint32_t *load_corner(EmuSteps *s, const EmuPointer *place, uint32_t corner,
                                   uint32_t *count) {
  EmuPointer there = *place;
  if (!emu_variable_corner(s->d, s->r, place->segment, corner, &there.segment))
    return NULL;
  uint32_t *registers = emu_registers_new(s->d, place->type, EMU_REGISTER_UNUSED, count);
  return emu_load_from(s->d, s->r, &there, place->type, registers, *count) ? registers : NULL;
}

static uint32_t mixed(EmuSteps *s, const uint32_t f[CORNERS], const uint32_t b[2]) {
  uint32_t sum = f[0];
  for (uint32_t i = 0; i < 2; i++) {
    uint32_t more = emu_step_alu(s, SpvOpFSub, EMU_F32, f[i + 1], f[0], EMU_NO_ROW);
    uint32_t part = emu_step_alu(s, SpvOpFMul, EMU_F32, b[i], more, EMU_NO_ROW);
    sum = emu_step_alu(s, SpvOpFAdd, EMU_F32, sum, part, EMU_NO_ROW);
  }
  return sum;
}

static bool interpolate(EmuSteps *s, const EmuPointer *place, const uint32_t b[2]) {
  EmuKind kind = emu_type_kind(s->d, place->type);
  const uint32_t *corner[CORNERS];
  uint32_t count;
  for (uint32_t i = 0; i < CORNERS; i++)
    if (!(corner[i] = load_corner(s, place, i, &count)))
      return false;
  uint32_t *result = emu_new_parts(s, count);
  for (uint32_t k = 0; k < count; k++) {
    uint32_t f[CORNERS];
    for (uint32_t i = 0; i < CORNERS; i++)
      f[i] = emu_step_convert(s, SpvOpFConvert, kind, EMU_F32, corner[i][k]);
    result[k] = emu_step_convert(s, SpvOpFConvert, EMU_F32, kind, mixed(s, f, b));
  }
  return emu_steps_end(s, result, count);
}

bool emu_extended_interpolate(EmuSteps *s, uint32_t op) {
  uint32_t pointer = emu_extended_id(s, 0), xy[2], b[2];
  if (sr_pointer_class(emu_module(s->d), pointer) != SpvStorageClassInput ||
      emu_program(s->d)->model != SpvExecutionModelFragment)
    return emu_refuse(s->d, s->r, "%s of what is no input of a fragment shader", s->name);
  EmuPointer place = emu_pointer_of(s->d, pointer);
  if (place.segment == SR_NONE)
    return emu_refuse(s->d, s->r, "%s of an input that is not known before the run", s->name);
  return point_of(s, op, xy) && weights_at(s, emu_stage_has_perspective(s->d, &place), xy, b) &&
         interpolate(s, &place, b);
}
