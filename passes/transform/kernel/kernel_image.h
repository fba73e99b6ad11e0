/* SPDX-License-Identifier: Apache-2.0 */
/* kernel_image: images and samplers.
 *
 * The type of a kernel's image does not name a texel type, so the uses of the image decide it. An
 * image that is written becomes a storage image without a format; the others are sampled. Samplers
 * that the program defines become descriptors of set 1, with one binding for each distinct sampler.
 * Integer coordinates become floats. Vulkan has no unnormalized coordinates for images of three
 * dimensions and arrays: these are divided by the image's size. */
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
