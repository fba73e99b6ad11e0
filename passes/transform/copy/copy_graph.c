/* SPDX-License-Identifier: Apache-2.0 */
/* copy_graph: see copy_graph.h. */
#include "passes/transform/copy/copy_graph.h"
#include "passes/transform/flow/flow_write.h"

SrGrowth sr_growth_new(SrModule *m, const SrFunction *f, SrArena *scratch, uint32_t percent,
                       const uint32_t *size, const SrBits *fixed) {
  SrGrowth g = {.m = m,
                .f = f,
                .scratch = scratch,
                .percent = percent,
                .fixed = fixed,
                .stopped_by = SR_NONE};
  for (uint32_t b = 0; b < f->block_count; b++)
    g.before += size[b];
  g.limit = g.before * percent / 100;
  return g;
}

SrStatus sr_growth_add(SrGrowth *g, uint64_t instructions) {
  if (sr_growth_fits(g, instructions)) {
    g->copied += instructions;
    return SR_OK;
  }
  SrWhere where = {.function = sr_function_name(g->m, g->scratch, g->f), .word = SR_NONE};
  return sr_fail(g->m->diag, SR_BAD_INPUT, where,
                 "struct-copy would add more than %u %% to its %llu instructions: raise "
                 "--max-growth, or use structurize, which copies nothing",
                 g->percent, (unsigned long long)g->before);
}

SrStatus sr_growth_touch(SrGrowth *g, uint32_t b) {
  if (!sr_bit(g->fixed, b))
    return SR_OK;
  g->stopped_by = b;
  return SR_BAD_INPUT;
}

static uint32_t *measure(SrArena *arena, const SrModule *m, const SrFunction *f) {
  uint32_t *size = SR_NEW(arena, uint32_t, f->block_count);
  for (uint32_t b = 0; b < f->block_count; b++)
    for (SR_EACH(m, r, f->blocks[b].list))
      size[b] += sr_counts(sr_inst(m, r));
  return size;
}

SrCopyGraph sr_copy_graph_new(SrArena *arena, const SrModule *m, const SrFunction *f,
                              const SrGraph *old) {
  SrCopyGraph c = {.old = old, .size = measure(arena, m, f)};
  c.is_switch = sr_flow_switches(arena, m, f, old);
  SR_RESERVE(arena, &c.block, old->count);
  for (uint32_t b = 0; b < old->count; b++)
    c.block.at[c.block.count++] = b;
  c.graph = SR_NEW(arena, SrGraph, 1);
  *c.graph = *old;
  return c;
}

void sr_copy_graph_connect(SrArena *arena, SrCopyGraph *c, const SrEdge *edges, uint32_t count) {
  SrBits *set = sr_bits_new(arena, c->block.count);
  c->graph = sr_graph_new(arena, c->block.count, edges, count);
  for (uint32_t n = 0; n < c->block.count; n++)
    if (sr_bit(c->is_switch, c->block.at[n]))
      sr_bit_set(set, n);
  c->is_switch = set;
}
