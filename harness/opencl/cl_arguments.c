/* SPDX-License-Identifier: Apache-2.0 */
/* cl_arguments: see cl_arguments.h. Each dispatch gets memory objects of its own: a script's buffer
 * may be a buffer for one kernel and an image for the next. */
#include "opencl/cl_arguments.h"

#include <stdlib.h>

/* ---- formats --------------------------------------------------------------------------------- */

static cl_channel_order order_of(const AmberFormat *format) {
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

static cl_channel_type type_of(const AmberFormat *format) {
  const AmberField *field = &format->fields[0];
  uint32_t wide = field->bits == 8 ? 0 : field->bits == 16 ? 1 : 2;
  static const cl_channel_type u[] = {CL_UNSIGNED_INT8, CL_UNSIGNED_INT16, CL_UNSIGNED_INT32};
  static const cl_channel_type s[] = {CL_SIGNED_INT8, CL_SIGNED_INT16, CL_SIGNED_INT32};
  switch ((AmberKind)field->kind) {
  case AMBER_UINT:
    return u[wide];
  case AMBER_SINT:
    return s[wide];
  case AMBER_FLOAT:
    return wide == 1 ? CL_HALF_FLOAT : field->bits == 32 ? CL_FLOAT : 0;
  case AMBER_UNORM:
    return wide == 0 ? CL_UNORM_INT8 : wide == 1 ? CL_UNORM_INT16 : 0;
  case AMBER_SNORM:
    return wide == 0 ? CL_SNORM_INT8 : wide == 1 ? CL_SNORM_INT16 : 0;
  default:
    return 0;
  }
}

/* Formats whose channels lie packed in a word have none here. */
static bool format_of(const AmberFormat *format, cl_image_format *out) {
  bool plain = true;
  for (uint32_t i = 0; i < format->field_count; i++)
    plain = plain && format->fields[i].bits == 8 * format->fields[i].unit &&
            format->fields[i].bits == format->fields[0].bits;
  *out = (cl_image_format){order_of(format), type_of(format)};
  return plain && out->image_channel_order && out->image_channel_data_type;
}

/* ---- one argument ---------------------------------------------------------------------------- */

static bool make_image(ClDevice *device, const AmberBuffer *declared, uint8_t *bytes,
                       ClArgument *a) {
  cl_image_format format;
  cl_int status;
  if (!amber_buffer_is_texels(declared) || declared->mip_levels > 1 || declared->samples > 1)
    return cl_fail(device, HN_SKIP, "line %u: %s is not an image that OpenCL has", a->binding->line,
                   declared->name);
  if (!format_of(declared->format, &format))
    return cl_fail(device, HN_SKIP, "line %u: OpenCL has no image format %s", a->binding->line,
                   declared->format->name);
  const cl_image_desc description = {
      .image_type = a->argument->dimensions == 1   ? CL_MEM_OBJECT_IMAGE1D
                    : a->argument->dimensions == 2 ? CL_MEM_OBJECT_IMAGE2D
                                                   : CL_MEM_OBJECT_IMAGE3D,
      .image_width = declared->width,
      .image_height = declared->height,
      .image_depth = declared->depth,
  };
  a->memory = device->cl.CreateImage(device->context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR,
                                     &format, &description, bytes, &status);
  return cl_good(device, status, "clCreateImage");
}

static bool make_buffer(ClDevice *device, const AmberBuffer *declared, uint8_t *bytes,
                        ClArgument *a) {
  const AmberDescriptor *d = &a->binding->descriptors[0];
  cl_int status;
  a->memory = device->cl.CreateBuffer(device->context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR,
                                      amber_descriptor_size(declared, d),
                                      bytes + amber_descriptor_start(d), &status);
  return cl_good(device, status, "clCreateBuffer");
}

static bool make_sampler(ClDevice *device, const AmberSampler *as, ClArgument *a) {
  static const cl_addressing_mode modes[] = {CL_ADDRESS_REPEAT, CL_ADDRESS_MIRRORED_REPEAT,
                                             CL_ADDRESS_CLAMP_TO_EDGE, CL_ADDRESS_CLAMP};
  cl_int status;
  if (as->address_mode_u >= sizeof modes / sizeof *modes ||
      as->address_mode_u != as->address_mode_v || as->mag_filter != as->min_filter || as->compare)
    return cl_fail(device, HN_SKIP, "line %u: OpenCL has no such sampler", as->line);
  a->sampler =
      device->cl.CreateSampler(device->context, !as->unnormalized, modes[as->address_mode_u],
                               as->mag_filter ? CL_FILTER_LINEAR : CL_FILTER_NEAREST, &status);
  return cl_good(device, status, "clCreateSampler");
}

static bool set(ClDevice *device, cl_kernel kernel, const ClArgument *a, size_t size,
                const void *value) {
  return cl_good(device, device->cl.SetKernelArg(kernel, a->number, size, value), "clSetKernelArg");
}

static bool make_argument(ClDevice *device, const AmberScript *script, uint8_t *const *buffers,
                          cl_kernel kernel, ClArgument *a) {
  const AmberDescriptor *d = &a->binding->descriptors[0];
  if (a->argument->kind == HN_ARGUMENT_SAMPLER)
    return make_sampler(device, &script->samplers[d->sampler], a) &&
           set(device, kernel, a, sizeof a->sampler, &a->sampler);
  const AmberBuffer *declared = &script->buffers[d->buffer];
  uint8_t *bytes = buffers[d->buffer];
  switch (a->argument->kind) {
  case HN_ARGUMENT_IMAGE:
    return make_image(device, declared, bytes, a) &&
           set(device, kernel, a, sizeof a->memory, &a->memory);
  case HN_ARGUMENT_BUFFER:
    return make_buffer(device, declared, bytes, a) &&
           set(device, kernel, a, sizeof a->memory, &a->memory);
  case HN_ARGUMENT_LOCAL:
    return set(device, kernel, a, declared->size, NULL);
  case HN_ARGUMENT_VALUE:
    return set(device, kernel, a, declared->size, bytes);
  default:
    return cl_fail(device, HN_SKIP, "line %u: the argument %s is of a kind that no host can set",
                   a->binding->line, a->argument->name);
  }
}

/* ---- all of them ----------------------------------------------------------------------------- */

bool cl_arguments_set(ClDevice *device, const AmberScript *script, const AmberPipeline *pipeline,
                      const HnKernel *reflected, uint8_t *const *buffers, cl_kernel kernel,
                      ClArguments *arguments) {
  char *message = NULL;
  uint32_t *numbers = hn_kernel_bind(pipeline, reflected, &message);
  *arguments = (ClArguments){.at = calloc(pipeline->binding_count + 1u, sizeof(ClArgument))};
  bool good = numbers && arguments->at;
  if (!good)
    cl_fail(device, HN_FAIL, "%s", message ? message : "out of memory");
  for (uint32_t i = 0; good && i < pipeline->binding_count; i++) {
    if (!pipeline->bindings[i].kernel) {
      good = cl_fail(device, HN_SKIP, "line %u: OpenCL has no descriptors, only KERNEL arguments",
                     pipeline->bindings[i].line);
      break;
    }
    ClArgument *a = &arguments->at[arguments->count++];
    *a = (ClArgument){&pipeline->bindings[i], &reflected->arguments[numbers[i]], numbers[i], NULL,
                      NULL};
    good = make_argument(device, script, buffers, kernel, a);
  }
  free(numbers);
  free(message);
  return good;
}

static bool read_one(ClDevice *device, const AmberBuffer *declared, const ClArgument *a,
                     uint8_t *bytes) {
  const AmberDescriptor *d = &a->binding->descriptors[0];
  if (a->argument->kind == HN_ARGUMENT_BUFFER)
    return cl_good(device,
                   device->cl.EnqueueReadBuffer(device->queue, a->memory, CL_TRUE, 0,
                                                amber_descriptor_size(declared, d),
                                                bytes + amber_descriptor_start(d), 0, NULL, NULL),
                   "clEnqueueReadBuffer");
  const size_t origin[3] = {0};
  const size_t region[3] = {declared->width, declared->height, declared->depth};
  return cl_good(device,
                 device->cl.EnqueueReadImage(device->queue, a->memory, CL_TRUE, origin, region, 0,
                                             0, bytes, 0, NULL, NULL),
                 "clEnqueueReadImage");
}

static bool is_written(const ClArgument *a) {
  return a->memory &&
         !(a->argument->kind == HN_ARGUMENT_IMAGE && a->argument->access == HN_READ_ONLY);
}

bool cl_arguments_read(ClDevice *device, const AmberScript *script, const ClArguments *arguments,
                       uint8_t *const *buffers) {
  for (uint32_t i = 0; i < arguments->count; i++) {
    const ClArgument *a = &arguments->at[i];
    uint32_t buffer = a->binding->descriptors[0].buffer;
    if (is_written(a) && !read_one(device, &script->buffers[buffer], a, buffers[buffer]))
      return false;
  }
  return true;
}

void cl_arguments_free(ClDevice *device, ClArguments *arguments) {
  for (uint32_t i = 0; arguments->at && i < arguments->count; i++) {
    if (arguments->at[i].memory)
      device->cl.ReleaseMemObject(arguments->at[i].memory);
    if (arguments->at[i].sampler)
      device->cl.ReleaseSampler(arguments->at[i].sampler);
  }
  free(arguments->at);
  *arguments = (ClArguments){0};
}
