/* SPDX-License-Identifier: Apache-2.0 */
/* color: see color.h. Formats of four 8-bit UNORM components have a short way; its results are
 * those of amber_pixel_pack. Reference: Vulkan, "The Framebuffer". */
#include "stages/color.h"

#include "stages/blend.h"

#include <stdio.h>
#include <string.h>

/* ---- formats --------------------------------------------------------------------------------- */

static bool is_integer(const AmberFormat *format) {
  return format->fields[0].kind == AMBER_UINT || format->fields[0].kind == AMBER_SINT;
}

static bool is_bytes(const AmberFormat *format) {
  bool bytes = format->field_count == 4 && format->bytes == 4;
  for (uint32_t i = 0; bytes && i < 4; i++)
    bytes = format->fields[i].kind == AMBER_UNORM && format->fields[i].bits == 8;
  return bytes;
}

static uint8_t component_of(const AmberField *field) {
  return field->channel == 'G' ? 1 : field->channel == 'B' ? 2 : field->channel == 'A' ? 3 : 0;
}

/* ---- what a write needs ---------------------------------------------------------------------- */

typedef struct Writer {
  const EmuColorTarget *target;
  const AmberFormat *format;
  const EmuColors *colors;
  bool integer, bytes, blends, logic;
  uint8_t component[4]; /* of each field */
  bool limits;          /* the format's numbers are from `low` to 1 */
  double low;
} Writer;

static Writer writer_of(const EmuColorTarget *target, const EmuColors *colors) {
  const AmberFormat *format = target->attachment.format;
  uint8_t kind = format->fields[0].kind;
  Writer w = {.target = target, .format = format, .colors = colors};
  w.integer = is_integer(format);
  w.bytes = is_bytes(format);
  w.logic = target->logic_op_enabled && kind != AMBER_FLOAT && kind != AMBER_SRGB;
  w.blends = target->blend.enabled && !target->logic_op_enabled && !w.integer;
  for (uint32_t i = 0; i < format->field_count; i++)
    w.component[i] = component_of(&format->fields[i]);
  w.limits = kind == AMBER_UNORM || kind == AMBER_SNORM || kind == AMBER_SRGB;
  w.low = kind == AMBER_SNORM ? -1 : 0;
  return w;
}

static uint32_t bits_of(const uint32_t *const rows[4], uint32_t c, uint32_t lane) {
  return rows[c] ? rows[c][lane] : 0;
}

static float real_of(const uint32_t *const rows[4], uint32_t c, uint32_t lane) {
  uint32_t bits = bits_of(rows, c, lane);
  float real;
  memcpy(&real, &bits, sizeof real);
  return real;
}

/* NaN becomes the lower limit. */
static double limited(double value, double low, double high) {
  return value > low ? value < high ? value : high : low;
}

static EmuRgba input_of(const Writer *w, const uint32_t *const rows[4], uint32_t lane) {
  EmuRgba rgba;
  for (uint32_t c = 0; c < 4; c++) {
    double value = (double)real_of(rows, c, lane);
    rgba.c[c] = w->blends && w->limits ? limited(value, w->low, 1) : value;
  }
  return rgba;
}

/* ---- texels ---------------------------------------------------------------------------------- */

/* Integers keep their bits, limited to the range of the format. */
static void pack_integers(const Writer *w, uint32_t lane, uint8_t *texel) {
  memset(texel, 0, w->format->bytes);
  for (uint32_t i = 0; i < w->format->field_count; i++) {
    const AmberField *field = &w->format->fields[i];
    uint32_t bits = bits_of(w->colors->rows, w->component[i], lane);
    AmberValue value = {.u = bits};
    if (field->kind == AMBER_SINT) {
      int64_t most = ((int64_t)1 << (field->bits - 1)) - 1, own = (int32_t)bits;
      value.i = own > most ? most : own < -most - 1 ? -most - 1 : own;
    } else if (field->bits < 32 && bits >> field->bits) {
      value.u = (1u << field->bits) - 1;
    }
    amber_field_set(field, value, texel);
  }
}

/* The only tie is at 1/2, which rounds up to the even 128. */
static uint8_t to_byte(double value) {
  return (uint8_t)(limited(value, 0, 1) * 255 + 0.5);
}

static void unpack(const Writer *w, const uint8_t *texel, double rgba[4]) {
  if (!w->bytes) {
    amber_pixel_unpack(w->format, texel, rgba);
    return;
  }
  for (uint32_t i = 0; i < 4; i++)
    rgba[w->component[i]] = texel[i] / 255.0;
}

static void pack(const Writer *w, const double rgba[4], uint8_t *texel) {
  if (!w->bytes) {
    amber_pixel_pack(w->format, rgba, texel);
    return;
  }
  for (uint32_t i = 0; i < 4; i++)
    texel[i] = to_byte(rgba[w->component[i]]);
}

static void pack_reals(const Writer *w, uint32_t lane, const uint8_t *place, uint8_t *texel) {
  EmuRgba rgba = input_of(w, w->colors->rows, lane);
  if (w->blends) {
    EmuRgba target = {{0}};
    unpack(w, place, target.c);
    rgba = emu_blend(&w->target->blend, w->target->constants, rgba,
                     input_of(w, w->colors->second, lane), target);
  }
  pack(w, rgba.c, texel);
}

/* Logic operations combine the new bits with those that are there; components that are not written
 * keep the old ones. */
static void merge(const Writer *w, const uint8_t *place, uint8_t *texel) {
  for (uint32_t i = 0; i < w->format->field_count; i++) {
    AmberField field = w->format->fields[i];
    field.kind = AMBER_UINT; /* bits */
    uint64_t old = amber_field_get(&field, place).u, own = amber_field_get(&field, texel).u;
    if (w->logic)
      own = emu_logic_op(w->target->logic_op, own, old);
    if (!(w->target->write_mask >> w->component[i] & 1))
      own = old;
    amber_field_set(&field, (AmberValue){.u = own}, texel);
  }
}

/* ---- samples --------------------------------------------------------------------------------- */

enum { WORST_TEXEL = 32 };

static bool all_written(const Writer *w) {
  return (w->target->write_mask & 15) == 15 && !w->logic;
}

static void write_sample(const Writer *w, uint32_t lane, uint8_t *place) {
  uint8_t texel[WORST_TEXEL];
  if (w->integer)
    pack_integers(w, lane, texel);
  else
    pack_reals(w, lane, place, texel);
  if (!all_written(w))
    merge(w, place, texel);
  memcpy(place, texel, w->format->bytes);
}

void emu_color_write(const EmuColorTarget *target, const EmuQuad *quads, const uint16_t (*masks)[4],
                     uint32_t count, const EmuColors *colors) {
  const EmuAttachment *a = &target->attachment;
  Writer w = writer_of(target, colors);
  for (uint32_t i = 0; i < 4 * count; i++) {
    const EmuQuad *quad = &quads[i / 4];
    uint32_t lane = i % 4;
    for (uint32_t left = masks[i / 4][lane]; left; left &= left - 1)
      write_sample(&w, i,
                   emu_attachment_at(a, quad->x + (lane & 1), quad->y + (lane >> 1),
                                     (uint32_t)__builtin_ctz(left)));
  }
}

bool emu_color_check(const EmuColorTarget *target, char *text, size_t text_size) {
  const AmberBlendState *blend = &target->blend;
  const AmberFormat *format = target->attachment.format;
  if (format->fields[0].bits == 64 || amber_format_has(format, 'D') ||
      amber_format_has(format, 'S'))
    snprintf(text, text_size, "a colour attachment of format %s is not modelled", format->name);
  else if (blend->enabled &&
           (emu_blend_is_advanced(blend->color_op) || emu_blend_is_advanced(blend->alpha_op)))
    snprintf(text, text_size,
             "blend operations of VK_EXT_blend_operation_advanced are not modelled");
  else
    return true;
  return false;
}
