/* SPDX-License-Identifier: Apache-2.0 */
/* share-calls: several arms call the same function, and their lanes run it together. See
 * docs/share-calls.md. */
#ifndef SR_SHARE_CALLS_H
#define SR_SHARE_CALLS_H

#include "passes/transform/pass_run.h"
#include "passes/transform/share/call_choice.h"

/* What the pass keeps from function to function. */
typedef struct SrShareCalls {
  SrCallChoice choice;
} SrShareCalls;

/* Begins a run; with the pass's argument `all`, all groups of calls are joined. */
SrShareCalls *sr_share_calls_begin(SrPassRun *r);
/* Joins the calls of a function where that pays (call_choice.h); *changed is set if there are any.
 * A changed function loses its merge instructions. Needs and keeps SSA. A function where lanes
 * communicate in blocks that not all of them reach exactly once is left alone, with a notice. */
SR_MUST_USE SrStatus sr_share_calls(SrPassRun *r, SrShareCalls *k, SrFunction *f, bool *changed);

#endif
