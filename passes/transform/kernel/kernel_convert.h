/* SPDX-License-Identifier: Apache-2.0 */
/* kernel_convert: conversions with a rounding mode, and those that saturate: of a number that the
 * result's type lacks, the nearest one that it has; of NaN, 0. */
#ifndef SR_KERNEL_CONVERT_H
#define SR_KERNEL_CONVERT_H

#include "passes/transform/kernel/kernel_emit.h"

/* Writes such a conversion; *done: it is one. */
SR_MUST_USE SrStatus sr_kernel_convert(SrEmit *e, SrRef r, bool *done);

#endif
