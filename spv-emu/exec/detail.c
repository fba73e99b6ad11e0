/* SPDX-License-Identifier: Apache-2.0 */
/* detail: see detail.h. */
#include "spv-emu/exec/detail.h"

#include "passes/analysis/graph/dom.h"

/* In the tree of dominators a block either does not post-dominate its parent, whose branch then
 * decides whether lanes get here, or the same branch decides for both. (A block of an endless loop
 * may post-dominate none.) */
static void find_decisions(SrArena *arena, const EmuBlockTable *table, const EmuFunctionBlocks *f,
                           uint32_t *decides) {
  const SrGraph *g = f->graph;
  const SrDom *dom = sr_dom_build(arena, g, 0);
  const SrDom *post = sr_dom_build(arena, emu_block_table_backwards(arena, table, f), g->count);
  for (uint32_t i = 1; i < dom->reached; i++) {
    uint32_t block = dom->preorder[i], over = dom->idom[block];
    decides[f->first + block] = sr_succ_count(g, over) < 2 || sr_dominates(post, block, over)
                                    ? decides[f->first + over]
                                    : f->first + over;
  }
}

const EmuDetail *emu_detail_build(SrArena *arena, const EmuProgram *program,
                                  const EmuBlockTable *table, bool causes) {
  EmuDetail *detail = SR_NEW(arena, EmuDetail, 1);
  *detail = (EmuDetail){.program = program, .table = table};
  if (!causes)
    return detail;
  uint32_t *decides = sr_new_none(arena, table->count);
  for (uint32_t f = 0; f < table->function_count; f++)
    find_decisions(arena, table, &table->functions[f], decides);
  detail->loops = emu_loops_build(arena, table);
  detail->decides = decides;
  return detail;
}

EmuDetailCounts *emu_detail_counts(SrArena *arena, const EmuDetail *detail) {
  if (!detail)
    return NULL;
  EmuDetailCounts *counts = SR_NEW(arena, EmuDetailCounts, 1);
  counts->calls = SR_NEW(arena, EmuCallCount, detail->program->blocks.count);
  counts->functions = SR_NEW(arena, EmuCallCount, detail->program->functions.count);
  if (detail->loops) {
    counts->loops = SR_NEW(arena, EmuLoopCount, detail->loops->count);
    counts->needed = SR_NEW(arena, uint64_t, detail->program->blocks.count);
  }
  return counts;
}

static void add_calls(EmuCallCount *to, const EmuCallCount *from, uint32_t count) {
  for (uint32_t i = 0; i < count; i++) {
    to[i].issues += from[i].issues;
    to[i].lanes += from[i].lanes;
  }
}

static void add_loop(EmuLoopCount *to, const EmuLoopCount *from) {
  to->entries += from->entries;
  to->entered += from->entered;
  if (!from->lanes)
    return;
  to->least = !to->lanes || from->least < to->least ? from->least : to->least;
  to->most = from->most > to->most ? from->most : to->most;
  to->lanes += from->lanes;
  to->iterations += from->iterations;
}

void emu_detail_add(EmuDetailCounts *to, const EmuDetailCounts *from, const EmuDetail *detail) {
  uint32_t blocks = detail->program->blocks.count;
  add_calls(to->calls, from->calls, blocks);
  add_calls(to->functions, from->functions, detail->program->functions.count);
  for (uint32_t i = 0; detail->loops && i < detail->loops->count; i++)
    add_loop(&to->loops[i], &from->loops[i]);
  for (uint32_t b = 0; detail->loops && b < blocks; b++)
    to->needed[b] += from->needed[b];
}

EmuDetailed *emu_detail_new(SrArena *arena, const EmuDetail *detail, uint32_t size,
                            EmuDetailCounts *counts) {
  EmuDetailed *d = SR_NEW(arena, EmuDetailed, 1);
  emu_call_costs_init(&d->calls, arena, detail->program, (size + 63) / 64, counts->calls,
                      counts->functions);
  d->counts_iterations = detail->loops;
  if (d->counts_iterations)
    emu_iterations_init(&d->iterations, arena, detail->loops, detail->table, size, counts->loops,
                        counts->needed);
  return d;
}

void emu_detail_start(EmuDetailed *d) {
  emu_call_costs_start(&d->calls);
  if (d->counts_iterations)
    emu_iterations_start(&d->iterations);
}

void emu_detail_block(EmuDetailed *d, uint32_t block, const EmuMask *on) {
  emu_call_costs_block(&d->calls, block, on);
  if (d->counts_iterations)
    emu_iterations_block(&d->iterations, block, on);
}

void emu_detail_end(EmuDetailed *d) {
  if (d->counts_iterations)
    emu_iterations_end(&d->iterations);
}
