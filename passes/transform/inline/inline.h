/* SPDX-License-Identifier: Apache-2.0 */
/* inline: a function that is called once becomes a part of its caller. See docs/inline.md. */
#ifndef SR_INLINE_H
#define SR_INLINE_H

#include "passes/transform/pass_run.h"

/* Moves into f all functions that f calls and that are called nowhere else, and the functions that
 * these call in the same way (inline_choice.h); *changed is set if there are any. f loses its merge
 * instructions, and the moved functions lose their blocks. Needs and keeps SSA. */
void sr_inline(SrPassRun *r, SrFunction *f, bool *changed);

#endif
