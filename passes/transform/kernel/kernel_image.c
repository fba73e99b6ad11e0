/* SPDX-License-Identifier: Apache-2.0 */
/* kernel_image: see kernel_image.h. */
#include "passes/transform/kernel/kernel_image.h"

#include "passes/ir/decorations.h"
#include "passes/ir/edit.h"
#include "passes/transform/kernel/kernel_narrow.h"
#include "passes/transform/kernel/kernel_variable.h"

enum { SAMPLER_SET = 1, NORMALIZED = 1, NEAREST = 0x10, LINEAR = 0x20 };

/* ---- uses ---- */

/* The image that an instruction uses: the operand, or that of the sampled image. */
static uint32_t image_of(const SrModule *m, SrRef r) {
  uint32_t id = sr_words(m, r)[sr_inst(m, r)->first];
  SrRef def = sr_def(m, id);
  if (def != SR_NONE && sr_inst(m, def)->op == SpvOpSampledImage)
    id = sr_words(m, def)[3];
  return id;
}

static SrKernelArgument *argument_of(const SrKernel *kernel, uint32_t id) {
  for (uint32_t i = 0; i < kernel->argument.count; i++)
    if (kernel->argument.at[i].id == id)
      return &kernel->argument.at[i];
  return NULL;
}

static void note_texel(const SrModule *m, SrKernelArgument *a, uint32_t type) {
  uint32_t scalar = sr_kernel_scalar_of(m, type);
  a->texel = a->texel && a->texel != scalar ? (uint32_t)SR_NONE : scalar;
}

static void note_use(const SrModule *m, const SrKernel *kernel, SrRef r) {
  uint16_t op = sr_inst(m, r)->op;
  if (op != SpvOpImageSampleExplicitLod && op != SpvOpImageRead && op != SpvOpImageWrite)
    return;
  SrKernelArgument *a = argument_of(kernel, image_of(m, r));
  if (!a)
    return;
  bool writes = op == SpvOpImageWrite;
  note_texel(m, a, writes ? sr_kernel_type_of(m, sr_words(m, r)[3]) : sr_inst(m, r)->type);
  if (writes)
    a->pass = SR_PASS_STORAGE_IMAGE;
}

void sr_kernel_image_read(SrKernels *k, SrKernel *kernel) {
  SrModule *m = k->m;
  for (uint32_t i = 0; i < kernel->argument.count; i++) {
    SrKernelArgument *a = &kernel->argument.at[i];
    SrRef type = sr_def(m, a->type);
    if (sr_inst(m, type)->op == SpvOpTypeImage && sr_word_count(m, type) > 9 &&
        sr_words(m, type)[9] != SpvAccessQualifierReadOnly)
      a->pass = SR_PASS_STORAGE_IMAGE;
  }
  for (uint32_t b = 0; b < k->f->block_count; b++)
    for (SR_EACH(m, r, k->f->blocks[b].list))
      note_use(m, kernel, r);
}

/* ---- declarations ---- */

/* The shader's image type for the kernel's. */
static uint32_t image_type(SrKernels *k, const SrKernelArgument *a) {
  uint32_t w[10];
  memcpy(w, sr_words(k->m, sr_def(k->m, a->type)), sizeof w);
  uint32_t texel = a->texel ? a->texel : sr_kernel_float(k, 32);
  uint32_t sampled = a->pass == SR_PASS_STORAGE_IMAGE ? 2 : 1;
  return sr_kernel_type(k, SpvOpTypeImage,
                        (uint32_t[]){texel, w[3], 0, w[5], 0, sampled, SpvImageFormatUnknown}, 7);
}

SrStatus sr_kernel_image_declare(SrEmit *e, SrKernelArgument *a) {
  SrKernels *k = e->k;
  SrModule *m = k->m;
  SrRef of = sr_def(m, a->id);
  if (a->texel == SR_NONE)
    return sr_kernel_refuse(k, of, "the image is read or written as floats and as integers");
  uint32_t type =
      a->pass == SR_PASS_SAMPLER ? sr_kernel_type(k, SpvOpTypeSampler, NULL, 0) : image_type(k, a);
  uint32_t variable = sr_kernel_variable_new(k, SpvStorageClassUniformConstant, type, 0);
  sr_kernel_variable_bind(k, variable, a->set, a->binding);
  sr_copy_name(m, a->id, variable);
  e->result = a->id;
  sr_emit_load(e, type, variable, false);
  return SR_OK;
}

/* The variable of a sampler that the program defines. */
static uint32_t literal_sampler(SrKernels *k, uint32_t mask) {
  for (uint32_t i = 0; i < k->sampler.count; i++)
    if (k->sampler.at[i].mask == mask)
      return k->sampler.at[i].variable;
  uint32_t type = sr_kernel_type(k, SpvOpTypeSampler, NULL, 0);
  uint32_t id = sr_kernel_variable_new(k, SpvStorageClassUniformConstant, type, 0);
  uint32_t binding = k->sampler.count;
  sr_kernel_variable_bind(k, id, SAMPLER_SET, binding);
  SR_PUSH(k->arena, &k->sampler, (SrKernelSampler){mask, id, binding});
  return id;
}

/* ---- sampling ---- */

/* Does Vulkan have no unnormalized coordinates for it? */
static bool needs_normal(const SrModule *m, uint32_t image_type) {
  const uint32_t *w = sr_words(m, sr_def(m, image_type));
  return w[3] == SpvDim3D || w[5];
}

/* The sampler's value; *mask: of one that the program defines, 0: another. */
static uint32_t load_sampler(SrEmit *e, uint32_t id, bool normal, uint32_t *mask) {
  SrKernels *k = e->k;
  const uint32_t *w = sr_words(k->m, sr_def(k->m, id));
  *mask = 0;
  if (sr_def_op(k->m, id) != SpvOpConstantSampler)
    return id;
  *mask = (w[4] ? NORMALIZED : 0) | w[3] << 1 | (w[5] ? LINEAR : NEAREST);
  uint32_t variable = literal_sampler(k, *mask | (normal ? NORMALIZED : 0));
  return sr_emit_load(e, sr_kernel_type(k, SpvOpTypeSampler, NULL, 0), variable, false);
}

static uint32_t constant_f32(SrKernels *k, float value) {
  uint32_t bits;
  memcpy(&bits, &value, sizeof bits);
  return sr_kernel_constant(k, sr_kernel_float(k, 32), bits);
}

/* The image's size as floats; 1 for the layers of an array. */
static uint32_t float_size(SrEmit *e, uint32_t image, uint32_t type, uint32_t count) {
  SrKernels *k = e->k;
  uint32_t sizes = sr_kernel_vector(k, sr_kernel_int(k, 32), count);
  uint32_t floats = sr_kernel_vector(k, sr_kernel_float(k, 32), count);
  uint32_t size = sr_emit(e, SpvOpImageQuerySizeLod, sizes, SR_IDS(image, sr_kernel_u32(k, 0)));
  size = sr_emit(e, SpvOpConvertUToF, floats, &size, 1);
  if (!sr_words(k->m, sr_def(k->m, type))[5])
    return size;
  uint32_t part[4];
  for (uint32_t i = 0; i < count; i++)
    part[i] =
        i + 1 < count ? sr_emit_extract(e, sr_kernel_float(k, 32), size, i) : constant_f32(k, 1);
  return sr_emit(e, SpvOpCompositeConstruct, floats, part, count);
}

/* The components of the coordinates that the image has: OpenCL's have four for three dimensions. */
static uint32_t trim(SrEmit *e, uint32_t id, uint32_t image_type) {
  static const uint8_t dimensions[] = {1, 2, 3};
  SrKernels *k = e->k;
  const uint32_t *w = sr_words(k->m, sr_def(k->m, image_type));
  uint32_t wanted = (w[3] <= SpvDim3D ? dimensions[w[3]] : 1u) + w[5], part[4];
  uint32_t type = sr_kernel_type_of(k->m, id), scalar = sr_kernel_scalar_of(k->m, type);
  if (sr_kernel_components(k->m, type) <= wanted)
    return id;
  for (uint32_t i = 0; i < wanted; i++)
    part[i] = sr_emit_extract(e, scalar, id, i);
  return wanted == 1 ? part[0]
                     : sr_emit(e, SpvOpCompositeConstruct, sr_kernel_vector(k, scalar, wanted),
                               part, wanted);
}

/* Coordinates as floats; `divide`: normalized by the size of the image. An integer is the number of
 * a texel, whose centre is at one half. */
static uint32_t float_coordinates(SrEmit *e, uint32_t id, uint32_t image, uint32_t type,
                                  bool divide) {
  SrKernels *k = e->k;
  id = trim(e, id, type);
  uint32_t own = sr_kernel_type_of(k->m, id);
  uint32_t count = sr_kernel_components(k->m, own);
  uint32_t floats = sr_kernel_vector(k, sr_kernel_float(k, 32), count);
  bool whole = !sr_kernel_is_float(k->m, own);
  if (whole)
    id = sr_emit(e, SpvOpConvertSToF, floats, &id, 1);
  if (!divide)
    return id;
  if (whole) {
    bool arrayed = sr_words(k->m, sr_def(k->m, type))[5];
    uint32_t part[4], half[4];
    for (uint32_t i = 0; i < count; i++)
      half[i] = constant_f32(k, arrayed && i + 1 == count ? 0 : 0.5f);
    part[0] = count == 1 ? half[0] : sr_kernel_composite(k, floats, half, count);
    id = sr_emit(e, SpvOpFAdd, floats, SR_IDS(id, part[0]));
  }
  return sr_emit(e, SpvOpFDiv, floats, SR_IDS(id, float_size(e, image, type, count)));
}

static SrStatus sample(SrEmit *e, SrRef r) {
  SrKernels *k = e->k;
  SrModule *m = k->m;
  const SrInst in = *sr_inst(m, r);
  SrRef pair = sr_def(m, sr_words(m, r)[3]);
  const SrKernelArgument *a = argument_of(k->current, image_of(m, r));
  if (!a || sr_inst(m, pair)->op != SpvOpSampledImage)
    return sr_kernel_refuse(k, r, "the image is not an argument of the kernel");
  if (a->pass == SR_PASS_STORAGE_IMAGE)
    return sr_kernel_refuse(k, r, "the image is sampled and written");
  uint32_t image = sr_words(m, pair)[3], mask, type = a->type;
  bool literal = sr_def_op(m, sr_words(m, pair)[4]) == SpvOpConstantSampler;
  bool divide =
      literal && needs_normal(m, type) && !sr_words(m, sr_def(m, sr_words(m, pair)[4]))[4];
  uint32_t sampler = load_sampler(e, sr_words(m, pair)[4], divide, &mask);
  uint32_t both = sr_kernel_type(k, SpvOpTypeSampledImage, SR_IDS(image_type(k, a)));
  uint32_t coordinates = float_coordinates(e, sr_words(m, r)[4], image, type, divide);
  uint32_t pair_id = sr_emit(e, SpvOpSampledImage, both, SR_IDS(image, sampler));
  uint32_t count = sr_word_count(m, r);
  sr_begin(m, SpvOpImageSampleExplicitLod, in.type, in.result);
  sr_put_id(m, pair_id);
  sr_put_id(m, coordinates);
  sr_put_literal(m, m->pool.at[in.at + 5] & (SpvImageOperandsLodMask | SpvImageOperandsGradMask));
  for (uint32_t i = 6; i < count; i++)
    sr_put_id(m, m->pool.at[in.at + i]);
  sr_insert_before(m, e->list, e->before, sr_end(m));
  m->home[in.result] = e->home;
  return SR_OK;
}

/* ---- the other instructions ---- */

/* An image of a buffer has no levels. */
static bool has_levels(const SrModule *m, uint32_t image_type) {
  return sr_words(m, sr_def(m, image_type))[3] != SpvDimBuffer;
}

static SrStatus read(SrEmit *e, SrRef r) {
  SrKernels *k = e->k;
  SrModule *m = k->m;
  const SrInst in = *sr_inst(m, r);
  const SrKernelArgument *a = argument_of(k->current, sr_words(m, r)[3]);
  if (!a)
    return sr_kernel_refuse(k, r, "the image is not an argument of the kernel");
  uint32_t image = sr_words(m, r)[3], at = trim(e, sr_words(m, r)[4], a->type);
  bool fetch = a->pass == SR_PASS_SAMPLED_IMAGE, levels = fetch && has_levels(m, a->type);
  uint32_t zero = sr_kernel_u32(k, 0);
  sr_begin(m, fetch ? SpvOpImageFetch : SpvOpImageRead, in.type, in.result);
  sr_put_id(m, image);
  sr_put_id(m, at);
  if (levels) {
    sr_put_literal(m, SpvImageOperandsLodMask);
    sr_put_id(m, zero);
  }
  sr_insert_before(m, e->list, e->before, sr_end(m));
  m->home[in.result] = e->home;
  return SR_OK;
}

static SrStatus write(SrEmit *e, SrRef r) {
  SrKernels *k = e->k;
  const uint32_t image = sr_words(k->m, r)[1], at = sr_words(k->m, r)[2],
                 texel = sr_words(k->m, r)[3];
  const SrKernelArgument *a = argument_of(k->current, image);
  if (!a)
    return sr_kernel_refuse(k, r, "the image is not an argument of the kernel");
  uint32_t where = trim(e, at, a->type);
  sr_emit_void(e, SpvOpImageWrite, SR_IDS(image, where, texel));
  return SR_OK;
}

/* OpenCL may ask for sizes of 64 bits. */
static SrStatus query_size(SrEmit *e, SrRef r) {
  SrKernels *k = e->k;
  SrModule *m = k->m;
  const SrInst in = *sr_inst(m, r);
  uint32_t image = sr_words(m, r)[3];
  const SrKernelArgument *a = argument_of(k->current, image);
  if (!a)
    return sr_kernel_refuse(k, r, "the image is not an argument of the kernel");
  uint32_t type = sr_kernel_vector(k, sr_kernel_int(k, 32), sr_kernel_components(m, in.type));
  bool wide = type != in.type;
  e->result = wide ? 0 : in.result;
  uint32_t size =
      a->pass == SR_PASS_STORAGE_IMAGE || !has_levels(m, a->type)
          ? sr_emit_last(e, SpvOpImageQuerySize, type, &image, 1)
          : sr_emit_last(e, SpvOpImageQuerySizeLod, type, SR_IDS(image, sr_kernel_u32(k, 0)));
  if (wide) {
    e->result = in.result;
    sr_kernel_low_is(k, in.result, size);
    (void)sr_emit_last(e, SpvOpUConvert, in.type, &size, 1);
  }
  return SR_OK;
}

SrStatus sr_kernel_image_write(SrEmit *e, SrRef r, bool *done) {
  *done = true;
  uint32_t result = e->result;
  e->result = 0;
  switch (sr_inst(e->k->m, r)->op) {
  case SpvOpSampledImage: /* written again where it is used */
    return SR_OK;
  case SpvOpImageSampleExplicitLod:
    return sample(e, r);
  case SpvOpImageRead:
    return read(e, r);
  case SpvOpImageWrite:
    return write(e, r);
  case SpvOpImageQuerySize:
  case SpvOpImageQuerySizeLod:
    return query_size(e, r);
  default:
    *done = false;
    e->result = result;
    return SR_OK;
  }
}
