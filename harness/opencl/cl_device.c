/* SPDX-License-Identifier: Apache-2.0 */
/* cl_device: see cl_device.h. */
#include "harness/opencl/cl_device.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_PLATFORMS = 32 };

bool cl_fail(ClDevice *device, HnOutcome outcome, const char *format, ...) {
  va_list arguments;
  if (device->outcome != HN_PASS)
    return false;
  device->outcome = outcome;
  va_start(arguments, format);
  if (vasprintf(&device->message, format, arguments) < 0)
    device->message = NULL;
  va_end(arguments);
  return false;
}

static const char *status_name(cl_int status) {
  switch (status) {
#define NAME(word)                                                                                 \
  case word:                                                                                       \
    return #word;
    NAME(CL_DEVICE_NOT_FOUND)
    NAME(CL_OUT_OF_RESOURCES)
    NAME(CL_OUT_OF_HOST_MEMORY)
    NAME(CL_IMAGE_FORMAT_NOT_SUPPORTED)
    NAME(CL_BUILD_PROGRAM_FAILURE)
    NAME(CL_INVALID_VALUE)
    NAME(CL_INVALID_KERNEL_NAME)
    NAME(CL_INVALID_ARG_INDEX)
    NAME(CL_INVALID_ARG_VALUE)
    NAME(CL_INVALID_ARG_SIZE)
    NAME(CL_INVALID_KERNEL_ARGS)
    NAME(CL_INVALID_WORK_GROUP_SIZE)
    NAME(CL_INVALID_IMAGE_SIZE)
    NAME(CL_INVALID_IMAGE_DESCRIPTOR)
#undef NAME
  }
  return NULL;
}

bool cl_good(ClDevice *device, cl_int status, const char *function) {
  const char *name = status_name(status);
  if (status == CL_SUCCESS)
    return true;
  return name ? cl_fail(device, HN_FAIL, "%s: %s", function, name)
              : cl_fail(device, HN_FAIL, "%s: error %d", function, (int)status);
}

/* ---- opening --------------------------------------------------------------------------------- */

static bool is_called(ClDevice *device, cl_platform_id platform, const char *name) {
  char text[256] = "";
  return device->cl.GetPlatformInfo(platform, CL_PLATFORM_NAME, sizeof text, text, NULL) ==
             CL_SUCCESS &&
         strstr(text, name);
}

static bool find_device(ClDevice *device, const char *name) {
  cl_platform_id platforms[MOST_PLATFORMS];
  cl_uint count = 0;
  if (device->cl.GetPlatformIDs(MOST_PLATFORMS, platforms, &count) != CL_SUCCESS)
    count = 0;
  for (cl_uint i = 0; i < count && i < MOST_PLATFORMS; i++)
    if (is_called(device, platforms[i], name))
      return cl_good(
          device, device->cl.GetDeviceIDs(platforms[i], CL_DEVICE_TYPE_ALL, 1, &device->id, NULL),
          "clGetDeviceIDs");
  return cl_fail(device, HN_FAIL, "no OpenCL platform '%s' is installed (Debian: pocl-opencl-icd)",
                 name);
}

bool cl_device_open(ClDevice *device, const char *platform) {
  cl_int status;
  *device = (ClDevice){.outcome = HN_PASS};
  if (!cl_loader_open(&device->cl, &device->library, &device->message)) {
    device->outcome = HN_FAIL;
    return false;
  }
  if (!find_device(device, platform))
    return false;
  device->context = device->cl.CreateContext(NULL, 1, &device->id, NULL, NULL, &status);
  if (!cl_good(device, status, "clCreateContext"))
    return false;
  device->queue = device->cl.CreateCommandQueue(device->context, device->id, 0, &status);
  return cl_good(device, status, "clCreateCommandQueue");
}

void cl_device_close(ClDevice *device) {
  if (device->queue)
    device->cl.ReleaseCommandQueue(device->queue);
  if (device->context)
    device->cl.ReleaseContext(device->context);
  cl_loader_close(device->library);
  free(device->message);
  *device = (ClDevice){0};
}

char *cl_device_text(ClDevice *device, cl_device_info what) {
  size_t size = 0;
  device->cl.GetDeviceInfo(device->id, what, 0, NULL, &size);
  char *text = calloc(size + 1, 1);
  if (text && size)
    device->cl.GetDeviceInfo(device->id, what, size, text, NULL);
  return text;
}
