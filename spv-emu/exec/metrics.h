/* metrics: from what running a dispatch counted to the figures of its result.
 *
 * The executor counts by block how often it was issued, how many of these times without any lane,
 * as no-ops, or while some of the living lanes were elsewhere, and its lanes in all. All else about
 * instructions follows from what a block holds (EmuBlock.issues, overhead, phis). With E
 * executions, N of them no-ops, A with lanes elsewhere (no-ops among them), and L lanes:
 *
 *   issued             sum of E * issues; an issue is one instruction for a subgroup
 *   noop_issues        sum of N * issues
 *   lane_instructions  sum of L * issues
 *   activity_factor    lane_instructions / (issued * lanes of a subgroup)
 *   overhead           sum of E * overhead: instructions that a transform added
 *   phi                sum of (E - N) * phis: no-ops evaluate none
 *   expansion_area     sum of (A - N) * issues over the blocks of expansion.h
 *   memory_efficiency  memory issues / transactions
 *   issue_cycles       sum of E * what the cost model wants for the block's instructions, each 1
 *                      where there is none
 *   cycles             issue_cycles, and what pushes and pops cost; with the latency model, of
 *                      which both are a part, how long the issue port was at it
 *   utilisation        issue_cycles / cycles
 *
 * `exec` has besides, with S scalar instructions in a block, M mask instructions and A of these and
 * the branches that are no block's own terminator:
 *
 *   issued, overhead   A more
 *   noop_issues        sum of N * (issues - S)
 *   scalar_issues      sum of E * S, and M
 *   branch_issues      terminators of blocks, and the branches among A
 *
 * A quotient of nothing is 0. `opt` runs no schedule of its own: its issues are the optimum, its
 * lane instructions those of any policy, its blocks' rows those of the run that recorded the lanes'
 * paths; figures that only a schedule has (overhead, phis, expansion area, divergence, stack,
 * memory) are 0. */
#ifndef EMU_METRICS_H
#define EMU_METRICS_H

#include "exec/workgroup.h"

#include <spv-emu/spv_emu.h>

/* Fills in all of the result but its policy's name. `totals` NULL: nothing ran, and outcome and
 * message, which are the caller's then, stay. The rows of blocks, one for each SPIR-V block in the
 * program's order, and the priority order are allocated with malloc, as spv_emu_result_free wants
 * them; names are the program's. False: out of memory; what is allocated by then is in the result.
 */
SR_MUST_USE bool emu_metrics_fill(spv_emu_result *result, const EmuProgram *p,
                                  const EmuBlockTable *table, const EmuDispatch *dispatch,
                                  const EmuTotals *totals);

#endif
