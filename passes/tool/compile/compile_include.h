/* SPDX-License-Identifier: Apache-2.0 */
/* compile_include: replaces #include in GLSL by the files' contents, since glslang's C interface
 * can search folders only from version 13 on.
 *
 * A #line that names the file is written where an included file begins, and where the including
 * file continues, so that messages and debug lines name the right file. The preprocessor still
 * evaluates #if and include guards: an #include in a part that #if drops is expanded, too, and
 * dropped with the part. A file that cannot be found becomes an #error, which only matters if the
 * preprocessor keeps it. #pragma once becomes a guard. A file is not expanded again inside itself,
 * where its guard would drop it. */
#ifndef COMPILE_INCLUDE_H
#define COMPILE_INCLUDE_H

#include "passes/tool/compile/compile.h"

/* The text of a source after expansion, to be freed; NULL: out of memory. Without an #include it
 * is a copy. */
char *compile_include(const CompileText *text, const char *const *options, uint32_t option_count);

#endif
