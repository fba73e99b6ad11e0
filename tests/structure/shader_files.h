/* shader_files: every shader below a directory, as SPIR-V words. */
#ifndef SHADER_FILES_H
#define SHADER_FILES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* `note` is the first line of the file where that is text, without its newline; else "". */
typedef void ShaderVisitor(void *user, const char *name, const uint32_t *words, size_t count,
                           const char *note);

/* Visits, in order of name, `path` or all files below it: .spvasm (those that do not assemble are
 * left out with a line that says so), .spv, and .comp, .frag, .vert through glslangValidator.
 * Returns false, having said why, if the path cannot be read or a GLSL shader does not compile. */
bool visit_shader_files(const char *path, ShaderVisitor *visit, void *user);

#endif
