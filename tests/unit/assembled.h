/* SPDX-License-Identifier: Apache-2.0 */
/* assembled: modules from assembly text, for tests of the library's internals. Numeric ids are
 * kept, so that a test can refer to them. */
#ifndef ASSEMBLED_H
#define ASSEMBLED_H

#include "passes/ir/module.h"

#include <spirv-tools/libspirv.h>

/* The words, to be destroyed; fails the test if the text is not valid. */
spv_binary assembled_words(spv_target_env env, const char *text);

/* Fails the test if the text or the module is not valid. */
SrModule *assembled(SrArena *arena, const char *text);

#endif
