/* SPDX-License-Identifier: Apache-2.0 */
/* source_message: the source lines in messages. */
#ifndef SR_SOURCE_MESSAGE_H
#define SR_SOURCE_MESSAGE_H

#include "source/source_map.h"

/* From now on messages of the module's diag end with the source line that they are about, if the
 * module has it, as "main.comp:11": that of the word; or, if only the block is known, the last line
 * in it, which is its branch's. `source` NULL: is made for the first message. Until
 * sr_source_explain_not. */
void sr_source_explain(SrModule *m, SrSource *source);
void sr_source_explain_not(SrDiag *diag);

/* Writes "main.comp:11", or "line 11" if the file has no name; empty: the line is not known. */
void sr_source_print(const SrSource *s, SrSourcePlace place, char *text, size_t room);

#endif
