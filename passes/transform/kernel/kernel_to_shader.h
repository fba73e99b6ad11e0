/* SPDX-License-Identifier: Apache-2.0 */
/* kernel_to_shader: the kernels of an OpenCL module become entry points of a Vulkan module. See
 * docs/kernel-to-shader.md.
 *
 * Purpose: OpenCL kernels run on Vulkan drivers. Needs SSA form. The control flow of the resulting
 * shaders is that of the kernels, with all calls inlined, so structurize has to follow. Changes
 * storage classes, pointers, types and entry points. Cost: near-linear in the code after inlining.
 * Source: the mapping of arguments is that of clspv (OpenCL C on Vulkan, 2023). */
#ifndef SR_KERNEL_TO_SHADER_H
#define SR_KERNEL_TO_SHADER_H

#include "passes/transform/pass_run.h"

/* Does the module have kernels? */
bool sr_kernel_to_shader_applies(const SrModule *m);
/* Converts the whole module at its first function; *changed is set for every function. */
SR_MUST_USE SrStatus sr_kernel_to_shader(SrPassRun *r, SrFunction *f, bool *changed);

#endif
