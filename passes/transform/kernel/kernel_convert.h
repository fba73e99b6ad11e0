/* SPDX-License-Identifier: Apache-2.0 */
/* kernel_convert: conversions with a rounding mode, and those that saturate: a number that does not
 * fit the result's type becomes the nearest one that does, and NaN becomes 0. */
#ifndef SR_KERNEL_CONVERT_H
#define SR_KERNEL_CONVERT_H

#include "passes/transform/kernel/kernel_emit.h"

/* Writes the instruction if it is such a conversion; *done says whether it is. */
SR_MUST_USE SrStatus sr_kernel_convert(SrEmit *e, SrRef r, bool *done);

#endif
