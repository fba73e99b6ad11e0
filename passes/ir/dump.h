/* SPDX-License-Identifier: Apache-2.0 */
/* dump: a module as assembly text, plain or with a remark after each instruction. */
#ifndef SR_DUMP_H
#define SR_DUMP_H

#include "passes/ir/module.h"

#include <spirv-tools/libspirv.h>

/* The text of the words as `spirv-dis --raw-id` prints it or, if SPIRV-Tools is older than the
 * module, as print.h does. The text is in `arena`, or in *owner, which is to be freed with
 * spvTextDestroy. NULL: the words cannot be parsed. */
const char *sr_dump_text(SrArena *arena, const uint32_t *words, size_t count, spv_text *owner);

/* Receives the text line by line, line ends included: lines of instruction r, or, if r is SR_NONE,
 * comments before the next instruction. If the text does not end in a line end, the last line has
 * none. */
typedef void SrDumpLine(void *user, SrRef r, const char *line, size_t length);

/* Walks the module's instructions and their lines of text together. `plain` is sr_dump_text's
 * output for the words that the writer produces. */
void sr_dump_walk(const SrModule *m, const char *plain, SrDumpLine *line, void *user);

/* The remark on instruction r, or NULL. */
typedef const char *SrRemark(void *user, SrRef r);

/* The module's text with `; remark` after the instructions that have one; `plain` as above. */
char *sr_dump_annotated(const SrModule *m, SrArena *arena, const char *plain, SrRemark *remark,
                        void *user);

#endif
