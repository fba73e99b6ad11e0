/* SPDX-License-Identifier: Apache-2.0 */
/* merge_lines: source lines of merged blocks. The lanes of all copies run the block that represents
 * them, so a line (OpLine, DebugLine) or a scope (DebugScope) stays only where all copies have the
 * same one for all instructions that it applies to. Elsewhere the instructions have none. */
#ifndef SR_MERGE_LINES_H
#define SR_MERGE_LINES_H

#include "passes/transform/merge/merge_graph.h"

/* Marks the lines and scopes of y that differ from those of x. Both have the same code, and y will
 * represent x. Linear in the two blocks. */
void sr_merge_lines_compare(SrMergeGraph *g, uint32_t x, uint32_t y);
/* Does this line or scope fail to hold for all copies? */
bool sr_merge_line_lost(const SrMergeGraph *g, SrRef r);
/* A lost line or scope also ended the previous one. So an instruction that ends it (OpNoLine and
 * similar ones) is inserted before each lost one in the list. The caller removes the lost ones. */
void sr_merge_lines_end(SrMergeGraph *g, SrList *list);

#endif
