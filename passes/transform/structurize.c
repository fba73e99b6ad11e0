/* structurize: makes the structured program that flow.h describes (flow.c) and writes it into the
 * module (flow_write.h). Blocks that the entry does not reach are dropped.
 * Needs: SSA. Establishes: structured control flow, SSA. Cost: flow.h's, plus flow_write.h's. */
#include "transform/structurize.h"
#include "transform/flow_write.h"

/* spirv-val allows 1023; what is deeper is closed early, which is always right and costs a guard.
 */
enum { NESTING_LIMIT = 900 };

static SrBits *find_switches(SrArena *arena, const SrModule *m, const SrFunction *f,
                             const SrGraph *g) {
  SrBits *set = sr_bits_new(arena, f->block_count);
  for (uint32_t b = 0; b < f->block_count; b++)
    if (sr_inst(m, sr_terminator(&f->blocks[b]))->op == SpvOpSwitch && sr_succ_count(g, b) > 1)
      sr_bit_set(set, b);
  return set;
}

SrStatus sr_structurize(SrModule *m, SrFunction *f, SrTransformCounts *counts) {
  SrArena arena = sr_arena_new(m->arena->heap);
  const SrGraph *g = sr_cfg_build(&arena, m, f);
  const SrNest *nest = sr_nest_build(&arena, g);
  SrFlowProgram p = {.old = g, .nest = nest, .rank = nest->rank};
  p.flow = sr_flow_build(&arena, g, nest, find_switches(&arena, m, f, g), NESTING_LIMIT);
  SrStatus status = sr_flow_write(m, f, &p, counts);
  sr_arena_free(&arena);
  return status;
}
