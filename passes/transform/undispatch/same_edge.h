/* SPDX-License-Identifier: Apache-2.0 */
/* same_edge: removes blocks that separate two edges between the same blocks, if no phi
 * distinguishes the edges.
 *
 *     P                         P
 *     | \                       |
 *     |  B: OpBranch T    =>    |
 *     | /                       |
 *     T                         T       each phi of T has one value for both edges */
#ifndef SR_SAME_EDGE_H
#define SR_SAME_EDGE_H

#include "passes/ir/module.h"
#include "passes/transform/counts.h"

/* For functions without merge instructions. Subtracts from `counts` what was added before. Linear.
 */
void sr_same_edges(SrModule *m, SrFunction *f, SrTransformCounts *counts);

#endif
