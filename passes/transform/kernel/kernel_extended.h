/* SPDX-License-Identifier: Apache-2.0 */
/* kernel_extended: the functions of OpenCL.std (kernel_extended.def). Those that shaders lack are
 * written out, by identities that hold for all arguments for which the function is defined.
 * docs/opencl-math.md says how precise they are. */
#ifndef SR_KERNEL_EXTENDED_H
#define SR_KERNEL_EXTENDED_H

#include "passes/transform/kernel/kernel_emit.h"

/* Replaces an OpExtInst of OpenCL.std other than vloadn and vstoren. */
SR_MUST_USE SrStatus sr_kernel_extended_write(SrEmit *e, SrRef r);

#endif
