/* SPDX-License-Identifier: Apache-2.0 */
/* cl_program: the OpenCL C of a script's shaders, built by the driver. */
#ifndef HN_CL_PROGRAM_H
#define HN_CL_PROGRAM_H

#include "harness/opencl/cl_device.h"

/* Builds the program of a shader. NULL: the device has a message. */
cl_program cl_program_build(ClDevice *device, const AmberShader *shader);

#endif
