/* SPDX-License-Identifier: Apache-2.0 */
/* reader: SPIR-V words to SrModule, and all the checks that later code relies on.
 *
 * The grammar (grammar.h) says how many words an instruction has and which of them are ids. What
 * the grammar lacks is newer than the SPIR-V headers of the build. Unknown enumerants, and unknown
 * instructions outside functions, are passed on unchanged. A function with an unknown instruction
 * is read (SrFunction.unknown), unless the instruction may end a block (SrFunction.unread, with a
 * notice). Any word of an unknown instruction may be an id. Later code assumes:
 *   - ids: bound at most 4,194,303; each defined once; every id used is defined somewhere
 *   - functions: not nested; in a function with a body, blocks start with OpLabel and end with the
 *     only terminator in them; only debug lines are between blocks
 *   - branch targets, merge blocks and continue targets are labels of the same function; no branch
 *     to the entry block
 *   - a merge instruction directly precedes the terminator (debug lines aside); one that does not
 *     is dropped, with a notice (SrFunction.misplaced)
 *   - OpPhis are at the start of a block (debug lines aside), none in the entry block; their
 *     parents are blocks of the function (analysis/verify_ssa.h checks that they are the predecessors)
 *   - a function's variables are in its entry block
 *   - a function's values are used in that function only
 *   - OpSwitch has at most 16,383 cases */
#ifndef SR_READER_H
#define SR_READER_H

#include "passes/ir/module.h"

/* Reads `count` words (in host byte order; see byte_order.h) into a new module in `arena`. On
 * failure *out is NULL and `diag` says what is wrong, and where. */
SR_MUST_USE SrStatus sr_read(SrArena *arena, SrDiag *diag, const uint32_t *words, size_t count,
                             SrModule **out);

#endif
