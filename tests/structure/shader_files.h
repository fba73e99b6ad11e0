/* SPDX-License-Identifier: Apache-2.0 */
/* shader_files: every shader below a directory, as SPIR-V words. */
#ifndef SHADER_FILES_H
#define SHADER_FILES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* `note` is the first line of a text file, without its newline; else "". */
typedef void ShaderVisitor(void *user, const char *name, const uint32_t *words, size_t count,
                           const char *note);

/* Visits, in order of name, `path` or all files below it: .spvasm (files that do not assemble are
 * skipped with a message), .spv, and .comp, .frag, .vert for vulkan1.3. Returns false,
 * after a message, if the path cannot be read or a GLSL shader does not compile. */
bool visit_shader_files(const char *path, ShaderVisitor *visit, void *user);

#endif
