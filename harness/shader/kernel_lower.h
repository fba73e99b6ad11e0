/* SPDX-License-Identifier: Apache-2.0 */
/* kernel_lower: the script of a kernel as a script of the shader that kernel-to-shader makes of it.
 *
 * The shader's module says how it takes the kernel's arguments (NonSemantic.ClspvReflection):
 * bindings become those of its descriptors, values are put into a buffer of push constants or a
 * uniform buffer, the size of memory of the workgroup becomes a specialization, and samplers that
 * the program defines are added. The device must have the features of the module's capabilities.
 * Commands, and the numbers of the script's buffers, stay. */
#ifndef HN_KERNEL_LOWER_H
#define HN_KERNEL_LOWER_H

#include "harness/shader/shader.h"

/* Transforms of a shader's script: the list that a Vulkan device needs before `transforms`. The
 * caller frees the text; NULL: out of memory. */
char *hn_kernel_lower_list(const char *transforms);

/* The script for the modules of a variant, where `modules` are the script's own; both by index in
 * script->shaders. It shares what it does not change with `script`. NULL: *message is one line,
 * which the caller frees, or NULL if memory ran out. */
AmberScript *hn_kernel_lower(const AmberScript *script, const HnModule *modules,
                             const HnModule *shaders, char **message);
void hn_kernel_lower_free(AmberScript *lowered);

/* Does the module say how it takes the arguments of kernels? */
bool hn_kernel_lower_is(HnModule module);

#endif
