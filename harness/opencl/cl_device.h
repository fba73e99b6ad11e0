/* SPDX-License-Identifier: Apache-2.0 */
/* cl_device: a device of an OpenCL platform, with its context and queue, and calls that may
 * fail. */
#ifndef HN_CL_DEVICE_H
#define HN_CL_DEVICE_H

#include "harness/backend/backend.h"
#include "harness/opencl/cl_loader.h"

typedef struct ClDevice {
  ClFuncs cl;
  void *library;
  cl_device_id id;
  cl_context context;
  cl_command_queue queue;
  HnOutcome outcome; /* HN_PASS, or the outcome of the first function that returned false */
  char *message;     /* the reason for that outcome, one line, owned */
} ClDevice;

/* Opens the first device of the first platform whose name contains `platform`. Close it in any
 * case. */
bool cl_device_open(ClDevice *device, const char *platform);
void cl_device_close(ClDevice *device);

/* Sets the message, unless there is one; returns false. */
__attribute__((format(printf, 3, 4))) bool cl_fail(ClDevice *device, HnOutcome outcome,
                                                   const char *format, ...);
/* True for CL_SUCCESS; else the message names the function. */
bool cl_good(ClDevice *device, cl_int status, const char *function);
/* The name of a device or platform, its version, and the driver's version; the caller frees the
 * text. NULL: out of memory. */
char *cl_device_text(ClDevice *device, cl_device_info what);

#endif
