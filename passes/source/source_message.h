/* SPDX-License-Identifier: Apache-2.0 */
/* source_message: the source lines in messages. */
#ifndef SR_SOURCE_MESSAGE_H
#define SR_SOURCE_MESSAGE_H

#include "passes/source/source_map.h"

/* Until sr_source_explain_not is called, each message of the module's diag ends with the source
 * line that it is about, as "main.comp:11", if the module's debug information has it: the line of
 * the message's word or, if only the block is known, the last line in the block, which is that of
 * its branch. `source` NULL: a map is made for the first message. */
void sr_source_explain(SrModule *m, SrSource *source);
void sr_source_explain_not(SrDiag *diag);

/* The last place with a line in the block that begins with OpLabel `label`: the place of its
 * branch, if that has a line. Linear in the block. */
SrSourcePlace sr_source_of_block(SrSource *s, SrRef label);

/* Writes "main.comp:11", or "line 11" if the file has no name; empty: the line is not known. */
void sr_source_print(const SrSource *s, SrSourcePlace place, char *text, size_t room);

#endif
