/* SPDX-License-Identifier: Apache-2.0 */
/* kernel_image: images and samplers.
 *
 * A kernel's image has no type of texels. It gets that of its uses; one that is written becomes a
 * storage image without format, the others are sampled. A sampler that the program defines becomes
 * a descriptor of set 1, one binding for each distinct one. Integer coordinates become floats.
 * Vulkan has no unnormalized coordinates for images of three dimensions and arrays: these are
 * divided by the image's size. */
#ifndef SR_KERNEL_IMAGE_H
#define SR_KERNEL_IMAGE_H

#include "passes/transform/kernel/kernel_emit.h"

/* Decides how the images of a kernel are passed, and what their texels are. */
void sr_kernel_image_read(SrKernels *k, SrKernel *kernel);
/* Declares an image or a sampler, and loads it as the value of the argument's id. */
SR_MUST_USE SrStatus sr_kernel_image_declare(SrEmit *e, SrKernelArgument *a);
/* Replaces an instruction on images or samplers; *done: it was one. */
SR_MUST_USE SrStatus sr_kernel_image_write(SrEmit *e, SrRef r, bool *done);

#endif
