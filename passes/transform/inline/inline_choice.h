/* SPDX-License-Identifier: Apache-2.0 */
/* inline_choice: the functions that `inline` moves into their callers.
 *
 * A function is moved if exactly one instruction uses it, an OpFunctionCall. (Names, and a
 * DebugFunctionDefinition in its own body, do not count.) It stays, with a notice, if it or its
 * caller
 *
 *   - has an instruction that the grammar does not know
 *   - has a cross-lane operation in a block that not all lanes run together, exactly once: the
 *     result has no merge instructions until it is structurized. (A kernel has none that matter.)
 *
 * or if
 *
 *   - it is marked DontInline or OptNone, unless `marked`
 *   - it has no return, or returns a value that no phi may hold
 *   - it has a parameter with a decoration that its argument would need but may lack
 *     (sr_argument_may_lose, ir/decorations.h)
 *   - an OpSampledImage precedes the call in its block, and a use follows: such a block may not be
 *     divided
 *   - nonsemantic instructions come before the function: the reader takes them for a part of it
 *
 * Functions that call each other in a cycle, which SPIR-V forbids, stay too. */
#ifndef SR_INLINE_CHOICE_H
#define SR_INLINE_CHOICE_H

#include "passes/ir/module.h"

typedef struct SrInlineChoice {
  uint32_t *function; /* by id of an OpFunction: its index if it is moved, else SR_NONE */
} SrInlineChoice;

/* Chooses the functions; `marked`: DontInline and OptNone keep none, because the caller needs all
 * calls inlined. One walk over the module, and a near-linear one over each function that
 * may be moved, and over each that calls one. */
SrInlineChoice sr_inline_choice(SrArena *arena, SrModule *m, bool marked);

#endif
