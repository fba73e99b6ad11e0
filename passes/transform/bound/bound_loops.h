/* SPDX-License-Identifier: Apache-2.0 */
/* bound-loops: every loop ends. See docs/bound-loops.md. */
#ifndef SR_BOUND_LOOPS_H
#define SR_BOUND_LOOPS_H

#include "passes/transform/pass_run.h"

enum { SR_BOUND_LOOPS_MOST = 1000000 }; /* iterations, if the pass has no argument */

/* Lets each lane take the back edges of each loop at most `most` times from one entry of the loop to
 * the next; then it leaves the loop. *changed is set if there is a loop. Needs and keeps SSA; keeps
 * structure. A structured loop whose last block ends in a switch is left alone, with a notice. */
SR_MUST_USE SrStatus sr_bound_loops(SrPassRun *r, SrFunction *f, uint32_t most, bool *changed);

#endif
