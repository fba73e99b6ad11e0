/* SPDX-License-Identifier: Apache-2.0 */
/* repaired: which functions broke rules of structured control flow in the input, and obey them in
 * the output. */
#ifndef SR_REPAIRED_H
#define SR_REPAIRED_H

#include "passes/driver/pipeline.h"
#include "passes/driver/result.h"

/* By function: how many rules the input breaks (sr_structure_count). To be called before the first
 * pass. */
uint32_t *sr_repaired_count(SrArena *arena, SrArena *scratch, const SrModule *m);
/* Lists the repaired functions of the output, with the violations that sr_repaired_count found, in
 * result->repairs. `p` has run. */
void sr_repaired_list(spvreconv_result *result, const SrPipeline *p, const uint32_t *violations);

#endif
