/* SPDX-License-Identifier: Apache-2.0 */
/* argument: checks what follows a transform's name and a colon. The grammar is in the transform's
 * row of pass.def.
 *
 *   grammar      alternatives, "|" between them; in brackets if the argument may be left out; "" if
 *                there is none
 *   alternative  words, which stand for themselves; then the kind of a value, in capitals
 *                (argument.c), or nothing; or "+NAME": the transform NAME runs before this one
 *
 * So "[all|profile:FILE]" allows no argument, all, and profile:FILE for any name of a file. */
#ifndef SR_ARGUMENT_H
#define SR_ARGUMENT_H

#include "passes/base/arena.h"
#include "passes/base/diag.h"

/* Fails with BAD_OPTION unless the grammar of the transform `name` allows the argument; NULL: it is
 * left out. */
SR_MUST_USE SrStatus sr_argument_check(SrDiag *diag, SrArena *arena, const char *name,
                                       const char *grammar, const char *argument);
/* Is the argument, which the grammar allows, a transform to run first? */
bool sr_argument_is_pass(const char *grammar, const char *argument);
/* Do all capitals of the grammar name kinds of values, and are its brackets closed? */
bool sr_argument_is_grammar(const char *grammar);

#endif
