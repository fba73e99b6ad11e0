/* SPDX-License-Identifier: Apache-2.0 */
/* cl_loader: the functions of OpenCL, from the installed loader (libOpenCL.so.1); the build needs
 * only its headers. */
#ifndef HN_CL_LOADER_H
#define HN_CL_LOADER_H

#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>
#include <stdbool.h>

#define CL_FUNCTIONS(X)                                                                            \
  X(GetPlatformIDs)                                                                                \
  X(GetPlatformInfo)                                                                               \
  X(GetDeviceIDs)                                                                                  \
  X(GetDeviceInfo)                                                                                 \
  X(CreateContext)                                                                                 \
  X(ReleaseContext)                                                                                \
  X(CreateCommandQueue)                                                                            \
  X(ReleaseCommandQueue)                                                                           \
  X(CreateProgramWithSource)                                                                       \
  X(BuildProgram)                                                                                  \
  X(GetProgramBuildInfo)                                                                           \
  X(ReleaseProgram)                                                                                \
  X(CreateKernel)                                                                                  \
  X(ReleaseKernel)                                                                                 \
  X(SetKernelArg)                                                                                  \
  X(CreateBuffer)                                                                                  \
  X(CreateSubBuffer)                                                                               \
  X(CreateImage)                                                                                   \
  X(ReleaseMemObject)                                                                              \
  X(CreateSampler)                                                                                 \
  X(ReleaseSampler)                                                                                \
  X(EnqueueNDRangeKernel)                                                                          \
  X(EnqueueReadBuffer)                                                                             \
  X(EnqueueReadImage)                                                                              \
  X(Finish)

typedef struct ClFuncs {
#define X(name) __typeof__(cl##name) *name;
  CL_FUNCTIONS(X)
#undef X
} ClFuncs;

/* Loads OpenCL's functions. False: *message is one line, which the caller frees. */
bool cl_loader_open(ClFuncs *cl, void **library, char **message);
void cl_loader_close(void *library);

#endif
