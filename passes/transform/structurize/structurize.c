/* SPDX-License-Identifier: Apache-2.0 */
/* structurize: makes the structured program of a function (sweep.h) and writes it into the module
 * (flow_write.h). Blocks that the entry does not reach are dropped.
 *
 * Needs: SSA. Establishes: structured control flow, SSA. Cost: sweep.h's, plus flow_write.h's. */
#include "transform/structurize/structurize.h"
#include "transform/flow/flow_write.h"
#include "transform/structurize/sweep.h"

SrStatus sr_structurize_in(SrModule *m, SrFunction *f, const SrNest *nest,
                           SrTransformCounts *counts) {
  SrArena arena = sr_arena_new(m->arena->heap);
  const SrGraph *g = sr_cfg_build(&arena, m, f);
  if (!nest)
    nest = sr_nest_build(&arena, g);
  SrFlowProgram p = {.old = g, .nest = nest, .rank = nest->rank};
  p.flow = sr_sweep_build(&arena, g, nest, sr_flow_switches(&arena, m, f, g), SR_NESTING_LIMIT);
  SrStatus status = sr_flow_write(m, f, &p, counts);
  sr_arena_free(&arena);
  return status;
}

SrStatus sr_structurize(SrModule *m, SrFunction *f, SrTransformCounts *counts) {
  return sr_structurize_in(m, f, NULL, counts);
}
