/* SPDX-License-Identifier: Apache-2.0 */
/* share-calls: the lanes of several arms that call the same function run it together. See
 * docs/share-calls.md. */
#ifndef SR_SHARE_CALLS_H
#define SR_SHARE_CALLS_H

#include "passes/transform/pass_run.h"
#include "passes/transform/share/call_choice.h"

/* What the pass keeps from function to function. */
typedef struct SrShareCalls {
  SrCallChoice choice;
} SrShareCalls;

/* Begins a run; the argument `all` of the pass takes all groups of calls. */
SrShareCalls *sr_share_calls_begin(SrPassRun *r);
/* Joins the calls of a function where that pays (call_choice.h); *changed is set if there are any.
 * A changed function loses its merge instructions. Needs and keeps SSA. Where lanes communicate in
 * blocks that not all of them reach exactly once, the function is left alone, with a notice. */
SR_MUST_USE SrStatus sr_share_calls(SrPassRun *r, SrShareCalls *k, SrFunction *f, bool *changed);

#endif
