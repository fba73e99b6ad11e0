/* linearize */
#include "transform/linearize.h"
#include "transform/flow_linear.h"
#include "transform/flow_write.h"
#include "transform/if_convert.h"

static SrBits *uniform_branches(SrArena *arena, const SrModule *m, const SrFunction *f,
                                const SrUniform *u) {
  SrBits *set = sr_bits_new(arena, f->block_count);
  for (uint32_t b = 0; b < f->block_count; b++)
    if (sr_uniform_branch(u, m, f, b))
      sr_bit_set(set, b);
  return set;
}

SrStatus sr_linearize(SrModule *m, SrFunction *f, const SrUniform *uniform,
                      SrTransformCounts *counts) {
  SrArena arena = sr_arena_new(m->arena->heap);
  const SrGraph *g = sr_cfg_build(&arena, m, f);
  SrArms arms;
  const SrNest *nest = sr_linear_order(&arena, g, sr_nest_build(&arena, g),
                                       uniform_branches(&arena, m, f, uniform), &arms);
  SrFlowProgram p = {.old = g, .nest = nest, .rank = nest->rank};
  p.flow = sr_flow_linear(&arena, g, nest, sr_flow_switches(&arena, m, f, g), &arms,
                          SR_NESTING_LIMIT);
  SrStatus status = sr_flow_write(m, f, &p, counts);
  if (status == SR_OK)
    status = sr_if_convert(m, f, p.flow, counts);
  sr_arena_free(&arena);
  return status;
}
