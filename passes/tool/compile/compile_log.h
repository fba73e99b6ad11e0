/* SPDX-License-Identifier: Apache-2.0 */
/* compile_log: the messages of compilers, as lines "NAME:LINE: error: TEXT". */
#ifndef COMPILE_LOG_H
#define COMPILE_LOG_H

#include "passes/tool/compile/compile.h"

/* The lines of glslang's log, which calls the file `name` string 0. To be freed; NULL: out of
 * memory. */
char *compile_log_glslang(const char *log, const char *name);
/* The lines of clang's log, with `name` for `path`, the file that was compiled. */
char *compile_log_clang(const char *log, const char *path, const char *name);
/* The extension that an #extension names and glslang does not know, to be freed; NULL: none. For
 * `#extension … : enable` this is only a warning, and the error is the shader's use of the
 * extension. */
char *compile_log_extension(const char *log);
/* Does glslang's log ask for a higher version of SPIR-V? */
bool compile_log_needs_newer(const char *log);

#endif
