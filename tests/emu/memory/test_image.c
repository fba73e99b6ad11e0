/* SPDX-License-Identifier: Apache-2.0 */
/* Single texels of images: reads, writes, atomics and queries, compared with plain index
 * arithmetic, on formats of every class. */
#include "spv-emu/memory/atomics.h"
#include "tests/emu/memory/image_world.h"

#include <stdlib.h>

static uint64_t seed;

static uint32_t below(uint32_t n) {
  return unit_below(&seed, n);
}

/* The byte of a texel, counted one level after the other. */
static uint64_t byte_of(const EmuImage *image, uint32_t level, uint32_t layer, uint32_t z,
                        uint32_t y, uint32_t x, uint32_t sample) {
  uint64_t texel = 0;
  uint32_t w = image->width, h = image->height, d = image->depth;
  for (; level > 0; level--) {
    texel += (uint64_t)w * h * d * image->layers * image->samples;
    w = w > 1 ? w / 2 : 1, h = h > 1 ? h / 2 : 1, d = d > 1 ? d / 2 : 1;
  }
  texel += sample + (uint64_t)image->samples * (x + w * (y + h * (z + (uint64_t)d * layer)));
  return texel * image->format->bytes;
}

static const struct {
  SpvDim dim;
  bool arrayed;
  uint32_t width, height, depth, layers, levels, samples;
} shapes[] = {
    {SpvDim1D, false, 13, 1, 1, 1, 3, 1},  {SpvDim1D, true, 6, 1, 1, 4, 2, 1},
    {SpvDim2D, false, 9, 7, 1, 1, 4, 1},   {SpvDim2D, true, 5, 4, 1, 3, 3, 1},
    {SpvDim2D, false, 4, 3, 1, 1, 1, 4},   {SpvDim2D, true, 3, 3, 1, 2, 1, 2},
    {SpvDim3D, false, 5, 6, 4, 1, 3, 1},   {SpvDimCube, false, 4, 4, 1, 6, 3, 1},
    {SpvDimCube, true, 3, 3, 1, 12, 2, 1}, {SpvDimBuffer, false, 40, 1, 1, 1, 1, 1},
};
enum { SHAPES = sizeof shapes / sizeof *shapes };

static EmuImage shaped(uint32_t n, const char *format) {
  return image_random(format,
                      (ImageSize){shapes[n].width, shapes[n].height, shapes[n].depth,
                                  shapes[n].layers, shapes[n].levels, shapes[n].samples},
                      &seed);
}

/* Coordinates of a lane, sometimes one step outside; false: outside. */
static bool random_place(ImageWorld *w, const EmuImageOp *op, const EmuImage *image, uint32_t lane,
                         uint64_t *byte) {
  uint32_t level = op->lod.at == EMU_NO_ROW ? 0 : below(image->levels + (below(9) == 0));
  uint32_t size[3] = {emu_level_size(image->width, level), emu_level_size(image->height, level),
                      emu_level_size(image->depth, level)};
  uint32_t axes = op->dim == SpvDim3D ? 3 : op->dim == SpvDim2D || op->dim == SpvDimCube ? 2 : 1;
  uint32_t at[3] = {0}, layer = 0, sample = 0;
  bool inside = level < image->levels;
  for (uint32_t n = 0; n < axes; n++) {
    int64_t v = below(12) ? below(size[n]) : (int64_t)below(3) * size[n] - below(2);
    if (!below(100))
      v = (int32_t)(below(UINT32_MAX) << 1);
    inside = inside && v >= 0 && v < size[n];
    at[n] = (uint32_t)v;
    int64_t offset = op->offset.at == EMU_NO_ROW ? 0 : (int64_t)below(16) - 8;
    if (op->offset.at != EMU_NO_ROW)
      image_set(w, op->offset, n, lane, (double)offset);
    image_set_bits(w, op->coordinate, n, lane, (uint64_t)(v - offset));
  }
  if (op->arrayed || op->dim == SpvDimCube) {
    layer = below(image->layers + (below(9) == 0));
    inside = inside && layer < image->layers;
    image_set_bits(w, op->coordinate, axes, lane, layer);
  }
  if (op->lod.at != EMU_NO_ROW)
    image_set_bits(w, op->lod, 0, lane, level);
  if (op->sample.at != EMU_NO_ROW) {
    sample = below(image->samples + (below(9) == 0));
    inside = inside && sample < image->samples;
    image_set_bits(w, op->sample, 0, lane, sample);
  }
  *byte = inside ? byte_of(image, level, layer, at[2], at[1], at[0], sample) : 0;
  return inside;
}

static EmuImageOp texel_op(ImageWorld *w, uint32_t shape, SpvOp op, EmuKind kind,
                           uint32_t components) {
  EmuImageOp made = image_op(w, op, shapes[shape].dim, kind, components);
  made.arrayed = shapes[shape].arrayed;
  made.coordinate = image_argument(w, below(4) ? EMU_U32 : EMU_U64, 4);
  if (shapes[shape].levels > 1)
    made.lod = image_argument(w, EMU_U32, 1);
  if (shapes[shape].samples > 1)
    made.sample = image_argument(w, EMU_U32, 1);
  if (op == SpvOpImageFetch && below(2))
    made.offset = image_argument(w, EMU_U32, 3);
  return made;
}

static void reads(void **unused) {
  (void)unused;
  static const char *const formats[] = {"R8_UNORM",
                                        "R8G8B8A8_SRGB",
                                        "R32G32B32A32_SFLOAT",
                                        "B10G11R11_UFLOAT_PACK32",
                                        "R5G6B5_UNORM_PACK16",
                                        "R16G16_SNORM",
                                        "B8G8R8A8_UNORM",
                                        "D24_UNORM_S8_UINT"};
  for (uint32_t trial = 0; trial < 400; trial++) {
    uint32_t shape = trial % SHAPES;
    EmuImage images[3] = {shaped(shape, formats[below(8)]), {0}, shaped(shape, "R16_SFLOAT")};
    ImageWorld w;
    image_world_make(&w, 1 + below(40), (EmuImages){images, 3, NULL, 0});
    world_fill(&w.w, &seed);
    EmuImageOp op =
        texel_op(&w, shape, below(2) ? SpvOpImageFetch : SpvOpImageRead, EMU_F32, 1 + below(4));
    EmuIns ins = image_ins(&w, op);
    EmuLanes *l = &w.w.lanes;
    float expected[64][4];
    uint64_t dropped = 0;
    for (uint32_t lane = 0; lane < l->size; lane++) {
      uint32_t index = below(12) ? 2 * below(2) : below(2) ? 1 : 3 + below(1000);
      uint64_t byte = 0;
      const EmuImage *image = &images[index < 3 ? index : 1];
      double rgba[4] = {0};
      image_set_bits(&w, op.image, 0, lane, index);
      bool inside = random_place(&w, &op, image->format ? image : &images[0], lane, &byte);
      if (inside && image->format)
        emu_pixel_unpack(image->format, image->bytes + byte, rgba);
      else if (image->format)
        rgba[3] = !emu_format_has(image->format, 'A');
      if (image->format && emu_format_has(image->format, 'S'))
        rgba[1] = 0;
      bool on = below(5) != 0;
      if (!on) {
        l->on.w[lane / 64] &= ~((uint64_t)1 << lane % 64);
        for (uint32_t n = 0; n < op.components; n++)
          image_set(&w, (EmuArgument){0, 4, EMU_F32}, n, lane, n + 0.5);
      } else if (!inside || !image->format) {
        dropped++;
      }
      for (uint32_t n = 0; n < 4; n++)
        expected[lane][n] = on ? (float)rgba[n] : (float)n + 0.5f;
    }
    emu_image_read(l, &ins);
    for (uint32_t lane = 0; lane < l->size; lane++)
      for (uint32_t n = 0; n < op.components; n++)
        if ((float)image_got(&w, &op, n, lane) != expected[lane][n])
          fail_msg("shape %u, lane %u, component %u: %g, not %g", shape, lane, n,
                   image_got(&w, &op, n, lane), (double)expected[lane][n]);
    assert_int_equal(l->counts.out_of_bounds, dropped);
    assert_int_equal(l->counts.memory_issues, 0);
    world_free(&w.w);
    free(images[0].bytes);
    free(images[2].bytes);
  }
}

/* Reading and writing back changes nothing, for all values that fit the rows' kind; the rest of the
 * image does not change. */
static void round_trips(void **unused) {
  (void)unused;
  static const struct {
    const char *format;
    EmuKind kind;
  } classes[] = {
      {"R4G4_UNORM_PACK8", EMU_F32},
      {"B4G4R4A4_UNORM_PACK16", EMU_F32},
      {"R5G6B5_UNORM_PACK16", EMU_F32},
      {"A1R5G5B5_UNORM_PACK16", EMU_F32},
      {"R8_UNORM", EMU_F32},
      {"R8G8B8_UNORM", EMU_F32},
      {"B8G8R8A8_UNORM", EMU_F32},
      {"R8G8B8A8_SRGB", EMU_F32},
      {"A8B8G8R8_UNORM_PACK32", EMU_F32},
      {"A2B10G10R10_UNORM_PACK32", EMU_F32},
      {"R16G16B16A16_UNORM", EMU_F32},
      {"R8G8_USCALED", EMU_F32},
      {"R8G8_SSCALED", EMU_F32},
      {"R16_SFLOAT", EMU_F32},
      {"R16G16B16A16_SFLOAT", EMU_F16},
      {"R32G32_SFLOAT", EMU_F32},
      {"R64G64_SFLOAT", EMU_F64},
      {"B10G11R11_UFLOAT_PACK32", EMU_F32},
      {"D16_UNORM", EMU_F32},
      {"D32_SFLOAT", EMU_F32},
      {"R8_UINT", EMU_U32},
      {"R8G8B8A8_SINT", EMU_U32},
      {"R16G16_SINT", EMU_U32},
      {"A2R10G10B10_UINT_PACK32", EMU_U32},
      {"R32G32B32A32_UINT", EMU_U32},
      {"R32_SINT", EMU_U32},
      {"R64_UINT", EMU_U64},
      {"R64G64_SINT", EMU_U64},
      {"R32_SINT", EMU_U64},
      {"S8_UINT", EMU_U32},
      {"R8_UINT", EMU_U8},
      {"R16G16_SINT", EMU_U16},
  };
  for (uint32_t n = 0; n < sizeof classes / sizeof *classes; n++) {
    EmuImage images[2] = {image_random(classes[n].format, (ImageSize){40, 1, 1, 1, 1, 1}, &seed),
                          image_random(classes[n].format, (ImageSize){40, 1, 1, 1, 1, 1}, &seed)};
    ImageWorld w;
    image_world_make(&w, 33, (EmuImages){images, 2, NULL, 0});
    EmuImageOp op = image_op(&w, SpvOpImageRead, SpvDimBuffer, classes[n].kind, 4);
    op.coordinate = image_argument(&w, EMU_U32, 1);
    EmuIns ins = image_ins(&w, op);
    for (uint32_t lane = 0; lane < 33; lane++) {
      image_set_bits(&w, op.image, 0, lane, 0);
      image_set_bits(&w, op.coordinate, 0, lane, lane);
    }
    emu_image_read(&w.w.lanes, &ins);
    EmuImageOp write = op;
    write.op = SpvOpImageWrite;
    write.components = 0;
    write.texel = (EmuArgument){0, 4, (uint8_t)classes[n].kind};
    ins = image_ins(&w, write);
    for (uint32_t lane = 0; lane < 33; lane++)
      image_set_bits(&w, write.image, 0, lane, 1);
    size_t texel = images[0].format->bytes;
    uint8_t rest[7 * 32];
    memcpy(rest, images[1].bytes + 33 * texel, 7 * texel);
    emu_image_write(&w.w.lanes, &ins);
    if (memcmp(images[0].bytes, images[1].bytes, 33 * texel) != 0)
      fail_msg("%s is not what was read", classes[n].format);
    assert_memory_equal(rest, images[1].bytes + 33 * texel, 7 * texel);
    world_free(&w.w);
    free(images[0].bytes);
    free(images[1].bytes);
  }
}

static uint64_t read_one(const char *format, uint64_t bits, EmuKind kind, EmuExtend extend,
                         uint32_t component) {
  uint8_t bytes[16] = {0};
  memcpy(bytes, &bits, sizeof bits);
  EmuImage image = {emu_format_find(format), bytes, sizeof bytes, 1, 1, 1, 1, 1, 1, {0}};
  ImageWorld w;
  image_world_make(&w, 1, (EmuImages){&image, 1, NULL, 0});
  EmuImageOp op = image_op(&w, SpvOpImageRead, SpvDim2D, kind, 4);
  op.coordinate = image_argument(&w, EMU_U32, 2);
  op.extend = (uint8_t)extend;
  EmuIns ins = image_ins(&w, op);
  emu_image_read(&w.w.lanes, &ins);
  uint64_t got = image_got_bits(&w, &op, component, 0);
  world_free(&w.w);
  return got;
}

static void integers(void **unused) {
  (void)unused;
  const uint64_t odd = 0x8123456789abcdef;
  assert_int_equal(read_one("R64_UINT", odd, EMU_U64, EMU_EXTEND_AS_FORMAT, 0), odd);
  assert_int_equal(read_one("R64_SINT", odd, EMU_U64, EMU_EXTEND_AS_FORMAT, 0), odd);
  assert_int_equal(read_one("R32_UINT", odd, EMU_U32, EMU_EXTEND_AS_FORMAT, 0), 0x89abcdef);
  assert_int_equal(read_one("R8_UINT", 0x80, EMU_U32, EMU_EXTEND_AS_FORMAT, 0), 0x80);
  assert_int_equal(read_one("R8_SINT", 0x80, EMU_U32, EMU_EXTEND_AS_FORMAT, 0), 0xffffff80);
  assert_int_equal(read_one("R8_UINT", 0x80, EMU_U32, EMU_EXTEND_SIGN, 0), 0xffffff80);
  assert_int_equal(read_one("R8_SINT", 0x80, EMU_U32, EMU_EXTEND_ZERO, 0), 0x80);
  assert_int_equal(read_one("R8_UINT", 0x80, EMU_U32, EMU_EXTEND_AS_FORMAT, 2), 0);
  assert_int_equal(read_one("R8_UINT", 0x80, EMU_U32, EMU_EXTEND_AS_FORMAT, 3), 1);
}

static void atomics(void **unused) {
  (void)unused;
  EmuImage images[2] = {image_random("R32_UINT", (ImageSize){3, 3, 1, 2, 1, 1}, &seed),
                        image_random("R32G32_UINT", (ImageSize){3, 3, 1, 2, 1, 1}, &seed)};
  memset(images[0].bytes, 0, images[0].size);
  ImageWorld w;
  image_world_make(&w, 100, (EmuImages){images, 2, NULL, 0});
  EmuImageOp op = image_op(&w, SpvOpAtomicIAdd, SpvDim2D, EMU_U32, 0);
  op.arrayed = true;
  op.coordinate = image_argument(&w, EMU_U32, 3);
  op.sample = image_argument(&w, EMU_U32, 1);
  EmuIns ins = image_ins(&w, op);
  ins.b = world_register(&w.w, 20);
  ins.d = world_register(&w.w, 21);
  uint32_t texels[18] = {0}, before[100], dropped = 0;
  for (uint32_t lane = 0; lane < 100; lane++) {
    uint32_t x = below(4), y = below(3), layer = below(2), index = lane % 10 == 9;
    image_set_bits(&w, op.image, 0, lane, index);
    image_set_bits(&w, op.coordinate, 0, lane, x);
    image_set_bits(&w, op.coordinate, 1, lane, y);
    image_set_bits(&w, op.coordinate, 2, lane, layer);
    EMU_ROW(&w.w.lanes, uint32_t, ins.b)[lane] = lane + 1;
    before[lane] = 0;
    if (x == 3 || index) {
      dropped++;
      continue;
    }
    before[lane] = texels[9 * layer + 3 * y + x];
    texels[9 * layer + 3 * y + x] += lane + 1;
  }
  emu_atomic_find_texel(SpvOpAtomicIAdd, EMU_U32)(&w.w.lanes, &ins);
  assert_memory_equal(images[0].bytes, texels, sizeof texels);
  assert_memory_equal(w.w.lanes.file + ins.d, before, sizeof before);
  assert_int_equal(w.w.lanes.counts.out_of_bounds, dropped);
  assert_null(emu_atomic_find_texel(SpvOpAtomicIAdd, EMU_F32));
  world_free(&w.w);
  free(images[0].bytes);
  free(images[1].bytes);
}

static void strict_is_a_fault(void **unused) {
  (void)unused;
  EmuImage image = image_random("R8_UNORM", (ImageSize){2, 2, 1, 1, 1, 1}, &seed);
  ImageWorld w;
  image_world_make(&w, 4, (EmuImages){&image, 1, NULL, 0});
  EmuImageOp op = image_op(&w, SpvOpImageRead, SpvDim2D, EMU_F32, 1);
  op.coordinate = image_argument(&w, EMU_U32, 2);
  EmuIns ins = image_ins(&w, op);
  image_set_bits(&w, op.coordinate, 1, 2, 2);
  w.w.lanes.strict = true;
  emu_image_read(&w.w.lanes, &ins);
  assert_true(w.w.lanes.fault.stop);
  assert_int_equal(w.w.lanes.fault.lane, 2);
  assert_string_equal(
      w.w.lanes.fault.text,
      "image read at (0, 2, 0), layer 0, level 0, sample 0 is outside of the image");
  world_free(&w.w);
  free(image.bytes);
}

static void queries(void **unused) {
  (void)unused;
  static const struct {
    SpvOp op;
    SpvDim dim;
    bool arrayed;
    uint32_t lod, answer[3];
  } cases[] = {
      {SpvOpImageQuerySizeLod, SpvDim1D, false, 1, {6, 0, 0}},
      {SpvOpImageQuerySizeLod, SpvDim1D, true, 0, {13, 12, 0}},
      {SpvOpImageQuerySizeLod, SpvDim2D, false, 2, {3, 1, 0}},
      {SpvOpImageQuerySizeLod, SpvDim2D, true, 3, {1, 1, 12}},
      {SpvOpImageQuerySizeLod, SpvDim2D, true, 4, {0, 0, 0}},
      {SpvOpImageQuerySize, SpvDim3D, false, SR_NONE, {13, 7, 5}},
      {SpvOpImageQuerySize, SpvDimCube, false, SR_NONE, {13, 7, 0}},
      {SpvOpImageQuerySize, SpvDimCube, true, SR_NONE, {13, 7, 2}},
      {SpvOpImageQuerySize, SpvDimBuffer, false, SR_NONE, {13, 0, 0}},
      {SpvOpImageQueryLevels, SpvDim2D, false, SR_NONE, {4, 0, 0}},
      {SpvOpImageQuerySamples, SpvDim2D, false, SR_NONE, {1, 0, 0}},
  };
  EmuImage image = image_random("R8_UNORM", (ImageSize){13, 7, 5, 12, 4, 1}, &seed);
  for (uint32_t n = 0; n < sizeof cases / sizeof *cases; n++) {
    ImageWorld w;
    image_world_make(&w, 1, (EmuImages){&image, 1, NULL, 0});
    EmuImageOp op = image_op(&w, cases[n].op, cases[n].dim, EMU_U32, 3);
    op.arrayed = cases[n].arrayed;
    if (cases[n].lod != SR_NONE) {
      op.lod = image_argument(&w, EMU_U32, 1);
      image_set_bits(&w, op.lod, 0, 0, cases[n].lod);
    }
    EmuIns ins = image_ins(&w, op);
    emu_image_query(&w.w.lanes, &ins);
    for (uint32_t k = 0; k < 3; k++)
      assert_int_equal(image_got_bits(&w, &op, k, 0), cases[n].answer[k]);
    world_free(&w.w);
  }
  free(image.bytes);
}

static void formats_of_kernels(void **unused) {
  (void)unused;
  static const struct {
    const char *format;
    SpvImageChannelOrder order;
    SpvImageChannelDataType type;
  } cases[] = {
      {"R8G8B8A8_UNORM", SpvImageChannelOrderRGBA, SpvImageChannelDataTypeUnormInt8},
      {"B8G8R8A8_UNORM", SpvImageChannelOrderBGRA, SpvImageChannelDataTypeUnormInt8},
      {"R8G8B8A8_SRGB", SpvImageChannelOrdersRGBA, SpvImageChannelDataTypeUnormInt8},
      {"R16_SNORM", SpvImageChannelOrderR, SpvImageChannelDataTypeSnormInt16},
      {"R32G32_UINT", SpvImageChannelOrderRG, SpvImageChannelDataTypeUnsignedInt32},
      {"R16G16B16_SINT", SpvImageChannelOrderRGB, SpvImageChannelDataTypeSignedInt16},
      {"R16G16B16A16_SFLOAT", SpvImageChannelOrderRGBA, SpvImageChannelDataTypeHalfFloat},
      {"R32_SFLOAT", SpvImageChannelOrderR, SpvImageChannelDataTypeFloat},
      {"R5G6B5_UNORM_PACK16", SpvImageChannelOrderRGB, SpvImageChannelDataTypeUnormShort565},
      {"D32_SFLOAT", SpvImageChannelOrderDepth, SpvImageChannelDataTypeFloat},
  };
  for (uint32_t n = 0; n < sizeof cases / sizeof *cases; n++)
    for (int type = 0; type < 2; type++) {
      EmuImage image = image_random(cases[n].format, (ImageSize){1, 1, 1, 1, 1, 1}, &seed);
      ImageWorld w;
      image_world_make(&w, 1, (EmuImages){&image, 1, NULL, 0});
      EmuImageOp op =
          image_op(&w, type ? SpvOpImageQueryFormat : SpvOpImageQueryOrder, SpvDim2D, EMU_U32, 1);
      EmuIns ins = image_ins(&w, op);
      emu_image_query(&w.w.lanes, &ins);
      assert_int_equal(image_got_bits(&w, &op, 0, 0),
                       type ? (int)cases[n].type : (int)cases[n].order);
      world_free(&w.w);
      free(image.bytes);
    }
}

int main(void) {
  seed = unit_seed();
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(reads),
      cmocka_unit_test(round_trips),
      cmocka_unit_test(integers),
      cmocka_unit_test(atomics),
      cmocka_unit_test(queries),
      cmocka_unit_test(strict_is_a_fault),
      cmocka_unit_test(formats_of_kernels),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
