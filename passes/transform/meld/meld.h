/* SPDX-License-Identifier: Apache-2.0 */
/* meld: control-flow melding. See docs/meld.md. */
#ifndef SR_MELD_H
#define SR_MELD_H

#include "passes/transform/pass_run.h"

/* Melds the two sides of a divergent branch if that saves at least a percentage of their cost,
 * which is the pass's argument (NULL: SR_MELD_THRESHOLD); *changed is set if the function was
 * changed. Branches whose sides let lanes communicate are left alone, with a notice. Requests
 * another round, which tries the branches around melded ones. Sets r->kept at its first call. Fails
 * if the argument is not a percentage. Needs and keeps SSA; a structured function stays structured.
 * Near-linear. */
SR_MUST_USE SrStatus sr_meld(SrPassRun *r, SrFunction *f, bool *changed);

enum { SR_MELD_THRESHOLD = 20 };

#endif
