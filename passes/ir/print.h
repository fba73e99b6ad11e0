/* SPDX-License-Identifier: Apache-2.0 */
/* print: a module as assembly text that any version of SPIRV-Tools assembles back to the same
 * words.
 *
 *      %5 = OpConstant %3 !7         a word that is neither an id nor in a string: `!` and a number
 *      !200003 !5 !7                 an instruction that SPIRV-Tools does not know
 *      !266307 %12 %13 %4 ; OpTypeX  the same, if the headers of the build know it */
#ifndef SR_PRINT_H
#define SR_PRINT_H

#include "passes/base/arena.h"

#include <stddef.h>
#include <stdint.h>

/* One line for each instruction, ids as numbers. `words` is a module in host byte order. NULL:
 * sr_parse refuses it. */
char *sr_print_words(SrArena *arena, const uint32_t *words, size_t count);

#endif
