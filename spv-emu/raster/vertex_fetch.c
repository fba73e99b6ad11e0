/* SPDX-License-Identifier: Apache-2.0 */
/* vertex_fetch: see vertex_fetch.h. Texels are converted like those of images, by
 * spv-emu/format. */
#include "spv-emu/raster/vertex_fetch.h"

#include <string.h>

uint32_t emu_vertex_words(const EmuFormat *format) {
  return format->fields[0].bits == 64 ? 2 : 1;
}

static bool is_integer(const EmuFormat *format) {
  return format->fields[0].kind == EMU_FORMAT_UINT || format->fields[0].kind == EMU_FORMAT_SINT;
}

static uint32_t float_bits(double value) {
  float single = (float)value;
  uint32_t bits;
  memcpy(&bits, &single, sizeof bits);
  return bits;
}

/* Sets the components to 0, 0, 0, 1. */
static void put_defaults(const EmuFormat *format, uint32_t words[8]) {
  static const double one = 1;
  memset(words, 0, 8 * sizeof *words);
  if (is_integer(format))
    words[3 * (size_t)emu_vertex_words(format)] = 1;
  else if (emu_vertex_words(format) == 2)
    memcpy(&words[6], &one, sizeof one);
  else
    words[3] = float_bits(1);
}

static uint32_t component_of(uint8_t channel) {
  return channel == 'G' ? 1 : channel == 'B' ? 2 : channel == 'A' ? 3 : 0;
}

/* Do numbers keep their bits? */
static bool keeps_bits(const EmuFormat *format) {
  return is_integer(format) || format->fields[0].bits >= 32;
}

static void put_bits(const EmuFormat *format, const uint8_t *place, uint32_t words[8]) {
  size_t each = emu_vertex_words(format);
  for (uint32_t i = 0; i < format->field_count; i++) {
    EmuField field = format->fields[i];
    if (field.kind == EMU_FORMAT_FLOAT)
      field.kind = EMU_FORMAT_UINT;
    uint64_t bits = emu_field_get(&field, place).u;
    memcpy(&words[component_of(field.channel) * each], &bits, each * sizeof *words);
  }
}

bool emu_vertex_fetch(const EmuVertexInput *input, uint64_t index, uint32_t words[8]) {
  const EmuFormat *format = input->format;
  put_defaults(format, words);
  uint64_t room = input->size < format->bytes ? 0 : input->size - format->bytes + 1;
  if (room == 0 || (input->stride && index > (room - 1) / input->stride))
    return false;
  const uint8_t *place = input->bytes + index * input->stride;
  if (keeps_bits(format)) {
    put_bits(format, place, words);
    return true;
  }
  double rgba[4];
  emu_pixel_unpack(format, place, rgba);
  for (uint32_t c = 0; c < 4; c++)
    words[c] = float_bits(rgba[c]);
  return true;
}
