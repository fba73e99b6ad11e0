/* SPDX-License-Identifier: Apache-2.0 */
/* repaired: which functions broke rules of structured control flow in the input, and obey them in
 * the output. */
#ifndef SR_REPAIRED_H
#define SR_REPAIRED_H

#include "passes/driver/pipeline.h"
#include "passes/driver/result.h"

/* Lets the pipeline count how many rules a function breaks (sr_structure_count) before it changes.
 * Its tables are in `arena`. */
void sr_repaired_watch(SrArena *arena, SrPipeline *p);
/* Lists the repaired functions of the output, with the violations that were counted, in
 * result->repairs. `p` has run. */
void sr_repaired_list(spvreconv_result *result, const SrPipeline *p);

#endif
