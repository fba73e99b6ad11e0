/* SPDX-License-Identifier: Apache-2.0 */
/* image_world: see image_world.h. */
#include "tests/emu/memory/image_world.h"

#include <stdlib.h>

void image_world_make(ImageWorld *w, uint32_t lanes, EmuImages images) {
  world_make(&w->w, lanes);
  w->images = images;
  w->w.lanes.images = &w->images;
  w->next = 0;
}

EmuArgument image_argument(ImageWorld *w, EmuKind kind, uint32_t count) {
  EmuArgument argument = {w->next, (uint8_t)count, (uint8_t)kind};
  for (uint32_t n = 0; n < count; n++) {
    assert_true(w->next < WORLD_REGISTERS);
    SR_PUSH(&w->w.arena, &w->w.program.rows, world_register(&w->w, w->next++));
  }
  return argument;
}

EmuImageOp image_op(ImageWorld *w, SpvOp op, SpvDim dim, EmuKind kind, uint32_t components) {
  EmuImageOp made = {
      .op = op, .dim = dim, .kind = (uint8_t)kind, .components = (uint8_t)components};
  EmuArgument none = {.at = EMU_NO_ROW};
  made.image = made.sampler = made.coordinate = made.dref = made.texel = made.component = none;
  made.bias = made.lod = made.grad_x = made.grad_y = made.offset = made.offsets = none;
  made.sample = made.min_lod = none;
  w->next = 0;
  w->w.program.rows.count = 0;
  image_argument(w, kind, components);
  made.image = image_argument(w, EMU_U32, 1);
  return made;
}

EmuIns image_ins(ImageWorld *w, EmuImageOp op) {
  w->w.program.image_ops.count = 0;
  SR_PUSH(&w->w.arena, &w->w.program.image_ops, op);
  return (EmuIns){.d = EMU_NO_ROW, .a = EMU_NO_ROW, .b = EMU_NO_ROW, .c = EMU_NO_ROW};
}

static uint8_t *place_of(const ImageWorld *w, uint32_t at, EmuKind kind, uint32_t lane) {
  return w->w.lanes.file + w->w.program.rows.at[at] + (size_t)lane * emu_kind_bytes(kind);
}

void image_set_bits(ImageWorld *w, EmuArgument argument, uint32_t n, uint32_t lane, uint64_t bits) {
  memcpy(place_of(w, argument.at + n, argument.kind, lane), &bits, emu_kind_bytes(argument.kind));
}

void image_set(ImageWorld *w, EmuArgument argument, uint32_t n, uint32_t lane, double value) {
  float single = (float)value;
  uint64_t bits = 0;
  if (argument.kind == EMU_F32)
    memcpy(&bits, &single, sizeof single);
  else
    bits = (uint64_t)(int64_t)value;
  image_set_bits(w, argument, n, lane, bits);
}

uint64_t image_got_bits(const ImageWorld *w, const EmuImageOp *op, uint32_t n, uint32_t lane) {
  uint64_t bits = 0;
  memcpy(&bits, place_of(w, n, op->kind, lane), emu_kind_bytes(op->kind));
  return bits;
}

double image_got(const ImageWorld *w, const EmuImageOp *op, uint32_t n, uint32_t lane) {
  uint32_t bits = (uint32_t)image_got_bits(w, op, n, lane);
  float single;
  memcpy(&single, &bits, sizeof single);
  return (double)single;
}

EmuImage image_random(const char *format, ImageSize size, uint64_t *seed) {
  EmuImage image = {.format = emu_format_find(format),
                    .width = size.width,
                    .height = size.height,
                    .depth = size.depth,
                    .layers = size.layers,
                    .levels = size.levels,
                    .samples = size.samples};
  assert_non_null(image.format);
  for (uint32_t l = 0; l < size.levels; l++)
    image.size += (uint64_t)emu_level_size(size.width, l) * emu_level_size(size.height, l) *
                  emu_level_size(size.depth, l) * size.layers * size.samples * image.format->bytes;
  image.bytes = calloc(image.size + 8, 1);
  for (uint64_t at = 0; at < image.size; at += image.format->bytes)
    for (uint32_t n = 0; n < image.format->field_count; n++) {
      const EmuField *field = &image.format->fields[n];
      EmuNumber value = {.u = (uint64_t)unit_below(seed, UINT32_MAX) << 32 |
                              unit_below(seed, UINT32_MAX)};
      if (field->kind == EMU_FORMAT_FLOAT)
        value.d = unit_below(seed, 1000) / 64.0 - (field->bits < 16 ? 0 : 7);
      emu_field_set(field, value, image.bytes + at);
    }
  return image;
}
