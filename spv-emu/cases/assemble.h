/* SPDX-License-Identifier: Apache-2.0 */
/* assemble: turns a module that is text into words. */
#ifndef EMU_ASSEMBLE_H
#define EMU_ASSEMBLE_H

#include "passes/tool/tool_file.h"

/* Replaces a module that is text by its words; a binary stays as it is. False: *message is one
 * line, which the caller frees; NULL: out of memory. */
bool emu_assemble(ToolInput *in, char **message);

#endif
