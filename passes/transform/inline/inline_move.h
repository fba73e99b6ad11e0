/* SPDX-License-Identifier: Apache-2.0 */
/* inline_move: moves the blocks of a function to its only call.
 *
 *   before                                  after
 *
 *     B: a            E: p = parameter        B: a
 *        r = f(x)        c                       branch E
 *        b               return y             E: c, with x for p
 *                                                branch T
 *                                             T: r = phi(y from E)
 *                                                b
 *
 * Nothing is copied, and no id is new: everything that moves keeps its ids, the second part T of
 * the divided block gets the function's id, and the result of the call becomes a phi. So data that
 * names places of the input, such as a profile, still finds them. */
#ifndef SR_INLINE_MOVE_H
#define SR_INLINE_MOVE_H

#include "passes/transform/counts.h"
#include "passes/transform/inline/inline_choice.h"

/* Moves all functions of the choice that f calls, directly or through one of them, into f. They
 * lose their blocks (SrFunction.moved); their merge instructions and those of f are dropped. Adds
 * to `counts`. Linear. */
void sr_inline_move(SrArena *arena, SrModule *m, SrFunction *f, const SrInlineChoice *choice,
                    SrTransformCounts *counts);

#endif
