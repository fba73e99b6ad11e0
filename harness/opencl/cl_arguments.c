/* SPDX-License-Identifier: Apache-2.0 */
/* cl_arguments: see cl_arguments.h. Each dispatch gets memory objects of its own, because a
 * script's buffer may be a buffer for one kernel and an image for the next. */
#include "harness/opencl/cl_arguments.h"

#include <stdlib.h>

/* ---- formats --------------------------------------------------------------------------------- */

static cl_channel_order order_of(const EmuFormat *format) {
  switch (format->field_count) {
  case 1:
    return CL_R;
  case 2:
    return CL_RG;
  case 4:
    return format->fields[0].channel == 'B' ? CL_BGRA : CL_RGBA;
  }
  return 0;
}

static cl_channel_type type_of(const EmuFormat *format) {
  const EmuField *field = &format->fields[0];
  uint32_t wide = field->bits == 8 ? 0 : field->bits == 16 ? 1 : 2;
  static const cl_channel_type u[] = {CL_UNSIGNED_INT8, CL_UNSIGNED_INT16, CL_UNSIGNED_INT32};
  static const cl_channel_type s[] = {CL_SIGNED_INT8, CL_SIGNED_INT16, CL_SIGNED_INT32};
  switch ((EmuFormatKind)field->kind) {
  case EMU_FORMAT_UINT:
    return u[wide];
  case EMU_FORMAT_SINT:
    return s[wide];
  case EMU_FORMAT_FLOAT:
    return wide == 1 ? CL_HALF_FLOAT : field->bits == 32 ? CL_FLOAT : 0;
  case EMU_FORMAT_UNORM:
    return wide == 0 ? CL_UNORM_INT8 : wide == 1 ? CL_UNORM_INT16 : 0;
  case EMU_FORMAT_SNORM:
    return wide == 0 ? CL_SNORM_INT8 : wide == 1 ? CL_SNORM_INT16 : 0;
  default:
    return 0;
  }
}

/* Sets OpenCL's format. False: there is none, for instance for channels that are packed in a
 * word. */
static bool format_of(const EmuFormat *format, cl_image_format *out) {
  bool plain = true;
  for (uint32_t i = 0; i < format->field_count; i++)
    plain = plain && format->fields[i].bits == 8 * format->fields[i].unit &&
            format->fields[i].bits == format->fields[0].bits;
  *out = (cl_image_format){order_of(format), type_of(format)};
  return plain && out->image_channel_order && out->image_channel_data_type;
}

/* ---- memory objects -------------------------------------------------------------------------- */

static bool make_image(ClDevice *device, const AmberBuffer *declared, uint8_t *bytes, uint32_t line,
                       ClMemory *memory) {
  cl_image_format format;
  cl_int status;
  if (!amber_buffer_is_texels(declared) || declared->mip_levels > 1 || declared->samples > 1)
    return cl_fail(device, HN_SKIP, "line %u: %s is not an image that OpenCL has", line,
                   declared->name);
  if (!format_of(declared->format, &format))
    return cl_fail(device, HN_SKIP, "line %u: OpenCL has no image format %s", line,
                   declared->format->name);
  const cl_image_desc description = {
      .image_type = memory->dimensions == 1   ? CL_MEM_OBJECT_IMAGE1D
                    : memory->dimensions == 2 ? CL_MEM_OBJECT_IMAGE2D
                                              : CL_MEM_OBJECT_IMAGE3D,
      .image_width = declared->width,
      .image_height = declared->height,
      .image_depth = declared->depth,
  };
  memory->whole = device->cl.CreateImage(device->context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR,
                                         &format, &description, bytes, &status);
  return cl_good(device, status, "clCreateImage");
}

static bool make_buffer(ClDevice *device, const AmberBuffer *declared, uint8_t *bytes,
                        ClMemory *memory) {
  cl_int status;
  memory->whole = device->cl.CreateBuffer(device->context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR,
                                          declared->size, bytes, &status);
  return cl_good(device, status, "clCreateBuffer");
}

static ClMemory *find_memory(const ClArguments *arguments, uint32_t buffer) {
  for (uint32_t i = 0; i < arguments->memory_count; i++)
    if (arguments->memory[i].buffer == buffer)
      return &arguments->memory[i];
  return NULL;
}

/* The memory object of the argument's buffer, made by the first argument that is bound to it. NULL:
 * the device has a message. */
static ClMemory *memory_of(ClDevice *device, const AmberScript *script, uint8_t *const *buffers,
                           const ClArgument *a, ClArguments *arguments) {
  uint32_t index = a->binding->descriptors[0].buffer, line = a->binding->line;
  const AmberBuffer *declared = &script->buffers[index];
  uint32_t dimensions = a->argument->kind == HN_ARGUMENT_IMAGE ? a->argument->dimensions : 0;
  ClMemory *memory = find_memory(arguments, index);
  if (!memory) {
    memory = &arguments->memory[arguments->memory_count++];
    *memory = (ClMemory){.buffer = index, .dimensions = dimensions};
    if (!(dimensions ? make_image(device, declared, buffers[index], line, memory)
                     : make_buffer(device, declared, buffers[index], memory)))
      return NULL;
  }
  memory->written = memory->written || !dimensions || a->argument->access != HN_READ_ONLY;
  if (memory->dimensions == dimensions)
    return memory;
  cl_fail(device, HN_SKIP, "line %u: OpenCL has no %s that is two kinds of argument", line,
          declared->name);
  return NULL;
}

/* ---- one argument ---------------------------------------------------------------------------- */

/* A property of the sampler that OpenCL's samplers lack; NULL: there is none. `axes`: the number of
 * dimensions of the kernel's images. */
static const char *excess(const EmuSamplerState *as, uint32_t axes) {
  enum { MIRRORED_REPEAT = 1, CLAMP_TO_BORDER = 3, MIRRORED_CLAMP = 4, LAST_TRANSPARENT = 1 };
  uint32_t mode = as->address_mode_u;
  if ((axes > 1 && as->address_mode_v != mode) || (axes > 2 && as->address_mode_w != mode))
    return "several address modes";
  if (mode == MIRRORED_CLAMP)
    return "mirrored_clamp_to_edge";
  if (as->unnormalized && mode <= MIRRORED_REPEAT)
    return "repeats of coordinates that are not normalized";
  if (mode == CLAMP_TO_BORDER && as->border_color > LAST_TRANSPARENT)
    return "a border that is not transparent";
  if (as->mag_filter != as->min_filter)
    return "two filters";
  return as->compare ? "a comparison" : NULL;
}

static bool make_sampler(ClDevice *device, const EmuSamplerState *as, const HnKernel *kernel,
                         ClArgument *a) {
  static const cl_addressing_mode modes[] = {CL_ADDRESS_REPEAT, CL_ADDRESS_MIRRORED_REPEAT,
                                             CL_ADDRESS_CLAMP_TO_EDGE, CL_ADDRESS_CLAMP};
  uint32_t axes = 0;
  cl_int status;
  for (uint32_t i = 0; i < kernel->argument_count; i++)
    if (kernel->arguments[i].dimensions > axes)
      axes = kernel->arguments[i].dimensions;
  const char *what = excess(as, axes);
  if (what)
    return cl_fail(device, HN_SKIP, "line %u: OpenCL has no sampler with %s", as->line, what);
  a->sampler =
      device->cl.CreateSampler(device->context, !as->unnormalized, modes[as->address_mode_u],
                               as->mag_filter ? CL_FILTER_LINEAR : CL_FILTER_NEAREST, &status);
  return cl_good(device, status, "clCreateSampler");
}

static bool set(ClDevice *device, cl_kernel kernel, const ClArgument *a, size_t size,
                const void *value) {
  return cl_good(device, device->cl.SetKernelArg(kernel, a->number, size, value), "clSetKernelArg");
}

/* Makes a sub-buffer of the bytes that DESCRIPTOR_OFFSET and DESCRIPTOR_RANGE name. */
static bool make_part(ClDevice *device, const AmberBuffer *declared, const ClMemory *memory,
                      ClArgument *a) {
  const AmberDescriptor *d = &a->binding->descriptors[0];
  const cl_buffer_region region = {amber_descriptor_start(d), amber_descriptor_size(declared, d)};
  cl_int status;
  if (region.origin == 0 && region.size == declared->size)
    return true;
  a->part = device->cl.CreateSubBuffer(memory->whole, CL_MEM_READ_WRITE,
                                       CL_BUFFER_CREATE_TYPE_REGION, &region, &status);
  if (status == CL_MISALIGNED_SUB_BUFFER_OFFSET)
    return cl_fail(device, HN_SKIP, "line %u: the device has no part of a buffer at byte %zu",
                   a->binding->line, region.origin);
  return cl_good(device, status, "clCreateSubBuffer");
}

static bool make_memory(ClDevice *device, const AmberScript *script, uint8_t *const *buffers,
                        cl_kernel kernel, ClArgument *a, ClArguments *arguments) {
  const ClMemory *memory = memory_of(device, script, buffers, a, arguments);
  if (!memory)
    return false;
  if (!memory->dimensions && !make_part(device, &script->buffers[memory->buffer], memory, a))
    return false;
  return set(device, kernel, a, sizeof(cl_mem), a->part ? &a->part : &memory->whole);
}

static bool make_argument(ClDevice *device, const AmberScript *script, uint8_t *const *buffers,
                          const HnKernel *reflected, cl_kernel kernel, ClArgument *a,
                          ClArguments *arguments) {
  const AmberDescriptor *d = &a->binding->descriptors[0];
  switch (a->argument->kind) {
  case HN_ARGUMENT_SAMPLER:
    return make_sampler(device, &script->samplers[d->sampler], reflected, a) &&
           set(device, kernel, a, sizeof a->sampler, &a->sampler);
  case HN_ARGUMENT_IMAGE:
  case HN_ARGUMENT_BUFFER:
    return make_memory(device, script, buffers, kernel, a, arguments);
  case HN_ARGUMENT_LOCAL:
    return set(device, kernel, a, script->buffers[d->buffer].size, NULL);
  case HN_ARGUMENT_VALUE:
    return set(device, kernel, a, script->buffers[d->buffer].size, buffers[d->buffer]);
  default:
    return cl_fail(device, HN_SKIP, "line %u: the argument %s is of a kind that no host can set",
                   a->binding->line, a->argument->name);
  }
}

/* The border of a format without alpha is (0, 0, 0, 1) in OpenCL, (0, 0, 0, 0) in PoCL 3.1. */
static bool check_border(ClDevice *device, const AmberScript *script, const HnKernel *reflected,
                         const ClArguments *arguments) {
  enum { CLAMP_TO_BORDER = 3 };
  bool border = reflected->border;
  for (uint32_t i = 0; i < arguments->count; i++) {
    const ClArgument *a = &arguments->at[i];
    border = border ||
             (a->sampler && script->samplers[a->binding->descriptors[0].sampler].address_mode_u ==
                                CLAMP_TO_BORDER);
  }
  for (uint32_t i = 0; border && i < arguments->memory_count; i++) {
    const AmberBuffer *image = &script->buffers[arguments->memory[i].buffer];
    if (arguments->memory[i].dimensions && !emu_format_has(image->format, 'A'))
      return cl_fail(device, HN_SKIP,
                     "line %u: %s has no alpha: the border of PoCL is not the opaque one of OpenCL",
                     image->line, image->name);
  }
  return true;
}

/* ---- all arguments of a kernel --------------------------------------------------------------- */

bool cl_arguments_set(ClDevice *device, const AmberScript *script, const AmberPipeline *pipeline,
                      const HnKernel *reflected, uint8_t *const *buffers, cl_kernel kernel,
                      ClArguments *arguments) {
  char *message = NULL;
  HnBound *bound = hn_kernel_bind(pipeline, reflected, &message);
  *arguments = (ClArguments){.at = calloc(pipeline->binding_count + 1u, sizeof(ClArgument)),
                             .memory = calloc(pipeline->binding_count + 1u, sizeof(ClMemory))};
  bool good = bound && arguments->at && arguments->memory;
  if (!good)
    cl_fail(device, HN_FAIL, "%s", message ? message : "out of memory");
  for (uint32_t i = 0; good && i < pipeline->binding_count; i++) {
    ClArgument *a = &arguments->at[arguments->count++];
    *a = (ClArgument){.binding = &pipeline->bindings[i],
                      .argument = &reflected->arguments[bound[i].number],
                      .number = bound[i].number};
    good = make_argument(device, script, buffers, reflected, kernel, a, arguments);
  }
  good = good && check_border(device, script, reflected, arguments);
  free(bound);
  free(message);
  return good;
}

static bool read_one(ClDevice *device, const AmberBuffer *declared, const ClMemory *memory,
                     uint8_t *bytes) {
  if (!memory->dimensions)
    return cl_good(device,
                   device->cl.EnqueueReadBuffer(device->queue, memory->whole, CL_TRUE, 0,
                                                declared->size, bytes, 0, NULL, NULL),
                   "clEnqueueReadBuffer");
  const size_t origin[3] = {0};
  const size_t region[3] = {declared->width, declared->height, declared->depth};
  return cl_good(device,
                 device->cl.EnqueueReadImage(device->queue, memory->whole, CL_TRUE, origin, region,
                                             0, 0, bytes, 0, NULL, NULL),
                 "clEnqueueReadImage");
}

bool cl_arguments_read(ClDevice *device, const AmberScript *script, const ClArguments *arguments,
                       uint8_t *const *buffers) {
  for (uint32_t i = 0; i < arguments->memory_count; i++) {
    const ClMemory *memory = &arguments->memory[i];
    if (memory->written &&
        !read_one(device, &script->buffers[memory->buffer], memory, buffers[memory->buffer]))
      return false;
  }
  return true;
}

void cl_arguments_free(ClDevice *device, ClArguments *arguments) {
  for (uint32_t i = 0; arguments->at && i < arguments->count; i++) {
    if (arguments->at[i].part)
      device->cl.ReleaseMemObject(arguments->at[i].part);
    if (arguments->at[i].sampler)
      device->cl.ReleaseSampler(arguments->at[i].sampler);
  }
  for (uint32_t i = 0; i < arguments->memory_count; i++)
    if (arguments->memory[i].whole)
      device->cl.ReleaseMemObject(arguments->memory[i].whole);
  free(arguments->at);
  free(arguments->memory);
  *arguments = (ClArguments){0};
}
