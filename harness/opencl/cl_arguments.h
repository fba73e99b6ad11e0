/* SPDX-License-Identifier: Apache-2.0 */
/* cl_arguments: the arguments of one dispatch, made from the script's buffers and read back after
 * it.
 *
 * A buffer of the script is one memory object, however many arguments it is bound to, so that one
 * argument reads what another writes. An argument that sees only a part of it gets a sub-buffer. */
#ifndef HN_CL_ARGUMENTS_H
#define HN_CL_ARGUMENTS_H

#include "harness/opencl/cl_device.h"
#include "harness/shader/kernel_parameters.h"

/* The memory object of a buffer of the script. */
typedef struct ClMemory {
  cl_mem whole;
  uint32_t buffer;     /* in the script */
  uint32_t dimensions; /* dimensions of an image; 0: a buffer */
  bool written;        /* by some argument */
} ClMemory;

typedef struct ClArgument {
  const AmberBinding *binding;
  const HnArgument *argument;
  uint32_t number;
  cl_mem part; /* a sub-buffer; else NULL */
  cl_sampler sampler;
} ClArgument;

typedef struct ClArguments {
  ClArgument *at; /* owned, as is `memory` */
  uint32_t count;
  ClMemory *memory; /* by buffer of the script that an argument sees */
  uint32_t memory_count;
} ClArguments;

/* Creates and sets all arguments of `kernel`; `buffers` by index in the script. Free the arguments
 * in any case. False: the device has a message. */
bool cl_arguments_set(ClDevice *device, const AmberScript *script, const AmberPipeline *pipeline,
                      const HnKernel *reflected, uint8_t *const *buffers, cl_kernel kernel,
                      ClArguments *arguments);
/* Copies back to the buffers what the kernel may have written. */
bool cl_arguments_read(ClDevice *device, const AmberScript *script, const ClArguments *arguments,
                       uint8_t *const *buffers);
void cl_arguments_free(ClDevice *device, ClArguments *arguments);

#endif
