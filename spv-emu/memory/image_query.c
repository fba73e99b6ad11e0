/* SPDX-License-Identifier: Apache-2.0 */
/* image_query: image queries: sizes, levels, samples, and in kernels formats, as numbers of
 * SPIR-V's enumerations Image Channel Order and Image Channel Data Type. */
#include "spv-emu/memory/image.h"

#include <string.h>

/* Width, height, depth and layers, as far as the image has them. Cubes have layers / 6. */
static void size_of(const EmuImageOp *op, const EmuImage *image, int64_t level, int64_t size[4]) {
  if (level < 0 || level >= image->levels)
    return;
  uint32_t axes = op->dim == SpvDimCube ? 2 : emu_dim_axes(op->dim);
  const uint32_t whole[3] = {image->width, image->height, image->depth};
  for (uint32_t n = 0; n < axes; n++)
    size[n] = emu_level_size(whole[n], (uint32_t)level);
  if (op->arrayed)
    size[axes] = op->dim == SpvDimCube ? image->layers / 6 : image->layers;
}

static SpvImageChannelOrder order_of(const EmuFormat *format) {
  char channels[5] = {0};
  for (uint32_t n = 0; n < format->field_count; n++)
    channels[n] = (char)format->fields[n].channel;
  bool srgb = format->fields[0].kind == EMU_FORMAT_SRGB;
  static const struct {
    const char *channels;
    SpvImageChannelOrder order, srgb;
  } orders[] = {
      {"R", SpvImageChannelOrderR, SpvImageChannelOrderR},
      {"RG", SpvImageChannelOrderRG, SpvImageChannelOrderRG},
      {"RGB", SpvImageChannelOrderRGB, SpvImageChannelOrdersRGB},
      {"RGBA", SpvImageChannelOrderRGBA, SpvImageChannelOrdersRGBA},
      {"BGRA", SpvImageChannelOrderBGRA, SpvImageChannelOrdersBGRA},
      {"ARGB", SpvImageChannelOrderARGB, SpvImageChannelOrderARGB},
      {"ABGR", SpvImageChannelOrderABGR, SpvImageChannelOrderABGR},
      {"D", SpvImageChannelOrderDepth, SpvImageChannelOrderDepth},
      {"DS", SpvImageChannelOrderDepthStencil, SpvImageChannelOrderDepthStencil},
  };
  for (size_t n = 0; n < sizeof orders / sizeof *orders; n++)
    if (strcmp(channels, orders[n].channels) == 0)
      return srgb ? orders[n].srgb : orders[n].order;
  return format->field_count == 3 ? SpvImageChannelOrderRGB : SpvImageChannelOrderRGBA;
}

static SpvImageChannelDataType data_type_of(const EmuFormat *format) {
  const EmuField *field = &format->fields[0];
  static const SpvImageChannelDataType unsigned_types[] = {SpvImageChannelDataTypeUnsignedInt8,
                                                           SpvImageChannelDataTypeUnsignedInt16,
                                                           SpvImageChannelDataTypeUnsignedInt32};
  static const SpvImageChannelDataType signed_types[] = {SpvImageChannelDataTypeSignedInt8,
                                                         SpvImageChannelDataTypeSignedInt16,
                                                         SpvImageChannelDataTypeSignedInt32};
  uint32_t wide = field->bits <= 8 ? 0 : field->bits <= 16 ? 1 : 2;
  switch ((EmuFormatKind)field->kind) {
  case EMU_FORMAT_UINT:
  case EMU_FORMAT_USCALED:
    return unsigned_types[wide];
  case EMU_FORMAT_SINT:
  case EMU_FORMAT_SSCALED:
    return signed_types[wide];
  case EMU_FORMAT_FLOAT:
    return field->bits <= 16 ? SpvImageChannelDataTypeHalfFloat : SpvImageChannelDataTypeFloat;
  case EMU_FORMAT_SNORM:
    return wide ? SpvImageChannelDataTypeSnormInt16 : SpvImageChannelDataTypeSnormInt8;
  case EMU_FORMAT_UNORM:
  case EMU_FORMAT_SRGB:
    break;
  }
  switch (field->bits) {
  case 5:
    return format->field_count == 3 ? SpvImageChannelDataTypeUnormShort565
                                    : SpvImageChannelDataTypeUnormShort555;
  case 10:
    return SpvImageChannelDataTypeUnormInt101010_2;
  case 16:
    return SpvImageChannelDataTypeUnormInt16;
  case 24:
    return SpvImageChannelDataTypeUnormInt24;
  default:
    return SpvImageChannelDataTypeUnormInt8;
  }
}

void emu_image_query(EmuLanes *s, const EmuIns *i) {
  const EmuImageOp *op = &s->program->image_ops.at[i->x];
  for (EMU_EACH_LANE(lane, &s->on, s->words)) {
    const EmuImage *image = emu_image_of(s, i, lane);
    int64_t answer[4] = {0};
    if (image && op->op == SpvOpImageQueryLevels)
      answer[0] = image->levels;
    else if (image && op->op == SpvOpImageQuerySamples)
      answer[0] = image->samples;
    else if (image && op->op == SpvOpImageQueryOrder)
      answer[0] = order_of(image->format);
    else if (image && op->op == SpvOpImageQueryFormat)
      answer[0] = data_type_of(image->format);
    else if (image)
      size_of(op, image, op->lod.at == EMU_NO_ROW ? 0 : emu_argument(s, i, op->lod, 0, lane).i,
              answer);
    for (uint32_t n = 0; n < op->components; n++)
      emu_image_result(s, i, n, lane, (EmuNumber){.i = answer[n]});
  }
}
