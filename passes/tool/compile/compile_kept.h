/* SPDX-License-Identifier: Apache-2.0 */
/* compile_kept: keeps the modules that compilers made of OpenCL C, in the folder that the environment
 * variable SPV_HARNESS_KERNELS names. A source that is compiled again, for another device or by
 * another program, is then only read. Without the variable nothing is kept.
 *
 * A file's name is the hash of all that its module depends on. What a source includes may change,
 * and what it knows of its name: such sources are not kept. */
#ifndef COMPILE_KEPT_H
#define COMPILE_KEPT_H

#include "passes/tool/compile/compile.h"

#include <limits.h>

typedef struct CompileKept {
  char path[PATH_MAX]; /* empty: the module is not kept */
} CompileKept;

/* Finds the module that the compiler `program` made of the source; false: it has to be compiled. */
bool compile_kept_find(CompileKept *kept, const CompileSource *source, const char *program,
                       CompileResult *result);
/* Keeps the module of the source that compile_kept_find did not find. */
void compile_kept_put(const CompileKept *kept, const CompileResult *result);

#endif
