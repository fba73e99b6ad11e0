/* SPDX-License-Identifier: Apache-2.0 */
/* metrics: computes the figures of a result from the counts of a dispatch.
 *
 * The executor counts for each block how often it was issued (E), how many of these issues had no
 * active lane (N: no-ops), how many left out some lanes that had not ended (A, including no-ops),
 * and the sum of their active lanes (L). Most other figures follow from these and from the block's
 * numbers (EmuBlock.issues, overhead, phis):
 *
 *   issued             sum of E * issues; an issue is one instruction for a subgroup
 *   noop_issues        sum of N * issues
 *   lane_instructions  sum of L * issues
 *   lane_slots         issued * lanes of a subgroup
 *   activity_factor    lane_instructions / lane_slots
 *   overhead           sum of E * overhead: instructions that a transform added
 *   phi                sum of (E - N) * phis: no-ops evaluate none
 *   expansion_area     sum of (A - N) * issues over the blocks of expansion.h
 *   memory_efficiency  memory issues / transactions
 *   issue_cycles       sum of E * the cost of the block's instructions in the cost model; without a
 *                      model each costs 1
 *   cycles             issue_cycles and the cost of pushes and pops; under the latency model, which
 *                      includes both, the total time of the issue port
 *   utilisation        issue_cycles / cycles
 *
 * `exec` has further figures. S is the number of scalar instructions in a block, M that of mask
 * instructions issued, and X is M plus the number of branches issued that are not a block's own
 * terminator:
 *
 *   issued, overhead   as above, plus X
 *   noop_issues        sum of N * (issues - S)
 *   scalar_issues      sum of E * S, plus M
 *   branch_issues      terminators of blocks, plus the branches in X
 *
 * A quotient with divisor 0 is 0. `opt` has no schedule: its issues are the optimum, its lane
 * instructions are the same as under any policy, its rows for blocks come from the run that
 * recorded the lanes' paths, and figures that need a schedule (overhead, phis, expansion area,
 * divergence, stack, memory) are 0. */
#ifndef EMU_METRICS_H
#define EMU_METRICS_H

#include "spv-emu/exec/workgroup.h"

#include <spv-emu/spv_emu.h>

/* Fills in the whole result except the policy's name. `totals` NULL: nothing ran, and the caller
 * sets outcome and message. The rows of blocks, one for each SPIR-V block in the program's order,
 * and the priority order are allocated with malloc, for spv_emu_result_free; names point into the
 * program. False: out of memory; the result holds what has been allocated. */
SR_MUST_USE bool emu_metrics_fill(spv_emu_result *result, const EmuProgram *p,
                                  const EmuBlockTable *table, const EmuDispatch *dispatch,
                                  const EmuTotals *totals);

#endif
