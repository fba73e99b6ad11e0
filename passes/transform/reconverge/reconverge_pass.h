/* SPDX-License-Identifier: Apache-2.0 */
/* reconverge_pass: reconverge over a module, in rounds.
 *
 * After a round, lanes may run a block together with other lanes than before, so that a branch is
 * no longer uniform. Another round then treats that branch as divergent. The last round treats all
 * branches as divergent, which limits the number of rounds. */
#ifndef SR_RECONVERGE_PASS_H
#define SR_RECONVERGE_PASS_H

#include "passes/transform/pass_run.h"

SR_MUST_USE SrStatus sr_reconverge_pass(SrPassRun *r, SrFunction *f, bool *changed);

#endif
