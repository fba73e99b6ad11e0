/* SPDX-License-Identifier: Apache-2.0 */
/* meld: control-flow melding. See docs/meld.md. */
#ifndef SR_MELD_H
#define SR_MELD_H

#include "passes/transform/pass_run.h"

/* Melds the two sides of branches that may diverge where that saves at least as much of their cost
 * as the pass's argument says, in percent (NULL: SR_MELD_THRESHOLD); *changed is set if the
 * function was changed. Branches whose sides let lanes communicate are left alone, with a notice.
 * Asks for another round, in which branches around melded ones are tried. Sets r->kept at its first
 * call. Fails if the argument is not a percentage. Needs and keeps SSA; a structured function stays
 * structured. Near-linear. */
SR_MUST_USE SrStatus sr_meld(SrPassRun *r, SrFunction *f, bool *changed);

enum { SR_MELD_THRESHOLD = 20 };

#endif
