/* SPDX-License-Identifier: Apache-2.0 */
/* kernel_shuffle: instructions that move components of vectors of more than four. */
#ifndef SR_KERNEL_SHUFFLE_H
#define SR_KERNEL_SHUFFLE_H

#include "passes/transform/kernel/kernel_emit.h"
#include "passes/transform/kernel/kernel_part.h"

/* Writes an instruction that composes, splits, shuffles or casts a vector. False: it is none of
 * these. */
bool sr_kernel_shuffle(SrParts *w, SrEmit *e, SrRef r);

#endif
