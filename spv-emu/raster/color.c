/* SPDX-License-Identifier: Apache-2.0 */
/* color: see color.h. Formats of four 8-bit UNORM components have a fast path; its results are
 * those of emu_pixel_pack. Reference: Vulkan, "The Framebuffer". */
#include "spv-emu/raster/color.h"

#include "spv-emu/raster/blend.h"

#include <stdio.h>
#include <string.h>

/* ---- formats --------------------------------------------------------------------------------- */

static bool is_integer(const EmuFormat *format) {
  return format->fields[0].kind == EMU_FORMAT_UINT || format->fields[0].kind == EMU_FORMAT_SINT;
}

static bool is_bytes(const EmuFormat *format) {
  bool bytes = format->field_count == 4 && format->bytes == 4;
  for (uint32_t i = 0; bytes && i < 4; i++)
    bytes = format->fields[i].kind == EMU_FORMAT_UNORM && format->fields[i].bits == 8;
  return bytes;
}

static uint8_t component_of(const EmuField *field) {
  return field->channel == 'G' ? 1 : field->channel == 'B' ? 2 : field->channel == 'A' ? 3 : 0;
}

/* ---- what a write needs ---------------------------------------------------------------------- */

typedef struct Writer {
  const EmuColorTarget *target;
  const EmuFormat *format;
  const EmuColors *colors;
  bool integer, bytes, blends, logic;
  uint8_t component[4]; /* component of each field */
  bool limits;          /* the format's numbers range from `low` to 1 */
  double low;
} Writer;

static Writer writer_of(const EmuColorTarget *target, const EmuColors *colors) {
  const EmuFormat *format = target->attachment.format;
  uint8_t kind = format->fields[0].kind;
  Writer w = {.target = target, .format = format, .colors = colors};
  w.integer = is_integer(format);
  w.bytes = is_bytes(format);
  w.logic = target->logic_op_enabled && kind != EMU_FORMAT_FLOAT && kind != EMU_FORMAT_SRGB;
  w.blends = target->blend.enabled && !target->logic_op_enabled && !w.integer;
  for (uint32_t i = 0; i < format->field_count; i++)
    w.component[i] = component_of(&format->fields[i]);
  w.limits = kind == EMU_FORMAT_UNORM || kind == EMU_FORMAT_SNORM || kind == EMU_FORMAT_SRGB;
  w.low = kind == EMU_FORMAT_SNORM ? -1 : 0;
  return w;
}

static uint32_t bits_of(const uint32_t *const rows[4], uint32_t c, uint32_t lane) {
  return rows[c] ? rows[c][lane] : 0;
}

/* NaN becomes the lower limit. */
static double limited(double value, double low, double high) {
  return value > low ? value < high ? value : high : low;
}

/* ---- texels ---------------------------------------------------------------------------------- */

/* Integers keep their bits, limited to the range of the format. */
static void pack_integers(const Writer *w, uint32_t lane, uint8_t *texel) {
  memset(texel, 0, w->format->bytes);
  for (uint32_t i = 0; i < w->format->field_count; i++) {
    const EmuField *field = &w->format->fields[i];
    uint32_t bits = bits_of(w->colors->rows, w->component[i], lane);
    EmuNumber value = {.u = bits};
    if (field->kind == EMU_FORMAT_SINT) {
      int64_t most = ((int64_t)1 << (field->bits - 1)) - 1, own = (int32_t)bits;
      value.i = own > most ? most : own < -most - 1 ? -most - 1 : own;
    } else if (field->bits < 32 && bits >> field->bits) {
      value.u = (1u << field->bits) - 1;
    }
    emu_field_set(field, value, texel);
  }
}

/* The only tie is at 1/2, which rounds up to the even 128. */
static uint8_t to_byte(double value) {
  return (uint8_t)(limited(value, 0, 1) * 255 + 0.5);
}

static void unpack(const Writer *w, const uint8_t *texel, double rgba[4]) {
  if (!w->bytes) {
    emu_pixel_unpack(w->format, texel, rgba);
    return;
  }
  for (uint32_t i = 0; i < 4; i++)
    rgba[w->component[i]] = texel[i] / 255.0;
}

/* Logic operations combine the new bits with the old ones. Components that are not written keep the
 * old bits. */
static void merge(const Writer *w, const uint8_t *place, uint8_t *texel) {
  for (uint32_t i = 0; i < w->format->field_count; i++) {
    EmuField field = w->format->fields[i];
    field.kind = EMU_FORMAT_UINT; /* bits */
    uint64_t old = emu_field_get(&field, place).u, own = emu_field_get(&field, texel).u;
    if (w->logic)
      own = emu_logic_op(w->target->logic_op, own, old);
    if (!(w->target->write_mask >> w->component[i] & 1))
      own = old;
    emu_field_set(&field, (EmuNumber){.u = own}, texel);
  }
}

/* ---- samples --------------------------------------------------------------------------------- */

enum { WORST_TEXEL = 32 };
_Static_assert(EMU_BLEND_ROOM >= 4 * EMU_MAX_SAMPLES, "a quad has room");

/* Samples that are written together, no two of them at the same place. */
typedef struct Batch {
  uint32_t count;
  uint64_t quads; /* a bit for each quad, by the last bits of its coordinates */
  uint32_t lane[EMU_BLEND_ROOM];
  uint8_t *place[EMU_BLEND_ROOM];
} Batch;

static void read_row(const Writer *w, const Batch *batch, const uint32_t *row, double *to) {
  static const uint32_t none[EMU_BLEND_ROOM];
  bool limits = w->blends && w->limits;
  for (uint32_t i = 0; i < batch->count; i++) {
    float real;
    memcpy(&real, row ? &row[batch->lane[i]] : &none[i], sizeof real);
    to[i] = limits ? limited((double)real, w->low, 1) : (double)real;
  }
}

static void read_targets(const Writer *w, const Batch *batch, EmuRgbaRows *to) {
  for (uint32_t i = 0; i < batch->count; i++) {
    double rgba[4] = {0};
    unpack(w, batch->place[i], rgba);
    for (uint32_t c = 0; c < 4; c++)
      to->c[c][i] = rgba[c];
  }
}

static void blend(const Writer *w, const Batch *batch, EmuRgbaRows *rgba) {
  EmuRgbaRows second, target;
  for (uint32_t c = 0; c < 4; c++)
    read_row(w, batch, w->colors->second[c], second.c[c]);
  read_targets(w, batch, &target);
  emu_blend(&w->target->blend, w->target->constants, batch->count, rgba, &second, &target);
}

static void pack_bytes(const Writer *w, uint32_t count, const EmuRgbaRows *rgba,
                       uint8_t texels[][WORST_TEXEL]) {
  for (uint32_t k = 0; k < 4; k++) {
    const double *row = rgba->c[w->component[k]];
    for (uint32_t i = 0; i < count; i++)
      texels[i][k] = to_byte(row[i]);
  }
}

static void pack_reals(const Writer *w, const Batch *batch, uint8_t texels[][WORST_TEXEL]) {
  EmuRgbaRows rgba;
  for (uint32_t c = 0; c < 4; c++)
    read_row(w, batch, w->colors->rows[c], rgba.c[c]);
  if (w->blends)
    blend(w, batch, &rgba);
  if (w->bytes) {
    pack_bytes(w, batch->count, &rgba, texels);
    return;
  }
  for (uint32_t i = 0; i < batch->count; i++) {
    const double one[4] = {rgba.c[0][i], rgba.c[1][i], rgba.c[2][i], rgba.c[3][i]};
    emu_pixel_pack(w->format, one, texels[i]);
  }
}

static bool all_written(const Writer *w) {
  return (w->target->write_mask & 15) == 15 && !w->logic;
}

static void write_batch(const Writer *w, Batch *batch) {
  uint8_t texels[EMU_BLEND_ROOM][WORST_TEXEL];
  if (!w->integer)
    pack_reals(w, batch, texels);
  for (uint32_t i = 0; i < batch->count; i++) {
    if (w->integer)
      pack_integers(w, batch->lane[i], texels[i]);
    if (!all_written(w))
      merge(w, batch->place[i], texels[i]);
    if (w->format->bytes == 4)
      memcpy(batch->place[i], texels[i], 4);
    else
      memcpy(batch->place[i], texels[i], w->format->bytes);
  }
  batch->count = 0;
  batch->quads = 0;
}

static void add_quad(const Writer *w, Batch *batch, const EmuQuad *quad, const uint16_t masks[4],
                     uint32_t first) {
  uint64_t bit = (uint64_t)1 << ((quad->x >> 1 & 7) | (quad->y >> 1 & 7) << 3);
  if (batch->quads & bit || batch->count > EMU_BLEND_ROOM - 4 * w->target->attachment.samples)
    write_batch(w, batch);
  batch->quads |= bit;
  for (uint32_t lane = 0; lane < 4; lane++)
    for (uint32_t left = masks[lane]; left; left &= left - 1) {
      batch->lane[batch->count] = first + lane;
      batch->place[batch->count++] =
          emu_attachment_at(&w->target->attachment, quad->x + (lane & 1), quad->y + (lane >> 1),
                            (uint32_t)__builtin_ctz(left));
    }
}

void emu_color_write(const EmuColorTarget *target, const EmuQuad *quads, const uint16_t (*masks)[4],
                     uint32_t count, const EmuColors *colors) {
  Writer w = writer_of(target, colors);
  Batch batch;
  batch.count = 0;
  batch.quads = 0;
  for (uint32_t i = 0; i < count; i++)
    add_quad(&w, &batch, &quads[i], masks[i], 4 * i);
  write_batch(&w, &batch);
}

bool emu_color_check(const EmuColorTarget *target, char *text, size_t text_size) {
  const EmuBlendState *blend = &target->blend;
  const EmuFormat *format = target->attachment.format;
  if (format->fields[0].bits == 64 || emu_format_has(format, 'D') || emu_format_has(format, 'S'))
    snprintf(text, text_size, "a colour attachment of format %s is not modelled", format->name);
  else if (blend->enabled &&
           (emu_blend_is_advanced(blend->color_op) || emu_blend_is_advanced(blend->alpha_op)))
    snprintf(text, text_size,
             "blend operations of VK_EXT_blend_operation_advanced are not modelled");
  else
    return true;
  return false;
}
