/* SPDX-License-Identifier: Apache-2.0 */
/* metrics: from the counts of a dispatch to the figures of its result.
 *
 * The executor counts for each block how often it was issued, how often of these without any lane
 * (as no-ops) and with some of the living lanes elsewhere, and the sum of its lanes. The other
 * figures follow from the block's numbers (EmuBlock.issues, overhead, phis). With E executions, N
 * of them no-ops, A with lanes elsewhere (including no-ops), and L lanes:
 *
 *   issued             sum of E * issues; an issue is one instruction for a subgroup
 *   noop_issues        sum of N * issues
 *   lane_instructions  sum of L * issues
 *   activity_factor    lane_instructions / (issued * lanes of a subgroup)
 *   overhead           sum of E * overhead: instructions that a transform added
 *   phi                sum of (E - N) * phis: no-ops evaluate none
 *   expansion_area     sum of (A - N) * issues over the blocks of expansion.h
 *   memory_efficiency  memory issues / transactions
 *   issue_cycles       sum of E * the cost of the block's instructions in the cost model, each 1
 *                      without a model
 *   cycles             issue_cycles, and the cost of pushes and pops; with the latency model, of
 *                      which both are a part, the total time of the issue port
 *   utilisation        issue_cycles / cycles
 *
 * `exec` has further figures, with S scalar instructions in a block, M mask instructions, and A of
 * these and of the branches that are not a block's own terminator:
 *
 *   issued, overhead   plus A
 *   noop_issues        sum of N * (issues - S)
 *   scalar_issues      sum of E * S, plus M
 *   branch_issues      terminators of blocks, plus the branches among A
 *
 * A quotient with divisor 0 is 0. `opt` has no schedule: its issues are the optimum, its lane
 * instructions are those of any policy, its blocks' rows are those of the run that recorded the
 * lanes' paths, and figures of a schedule (overhead, phis, expansion area, divergence, stack,
 * memory) are 0. */
#ifndef EMU_METRICS_H
#define EMU_METRICS_H

#include "exec/workgroup.h"

#include <spv-emu/spv_emu.h>

/* Fills in all of the result except the policy's name. `totals` NULL: nothing ran, and the caller
 * sets outcome and message. The rows of blocks, one for each SPIR-V block in the program's order,
 * and the priority order are allocated with malloc, for spv_emu_result_free; names are the
 * program's. False: out of memory; what has been allocated is in the result. */
SR_MUST_USE bool emu_metrics_fill(spv_emu_result *result, const EmuProgram *p,
                                  const EmuBlockTable *table, const EmuDispatch *dispatch,
                                  const EmuTotals *totals);

#endif
