/* SPDX-License-Identifier: Apache-2.0 */
/* block_table: see block_table.h. */
#include "spv-emu/policy/block_table.h"

#include "passes/analysis/graph/expansion.h"
#include "passes/ir/effects.h"

typedef SR_VEC(SrEdge) Edges;

enum {
  MAX_EDGES = 1 << 26
}; /* limit on edges, because each return of a function leads to each of
                                 its calls */

/* ---- graphs ---------------------------------------------------------------------------------- */

static void add_branches(SrArena *arena, const EmuProgram *p, uint32_t b, uint32_t base,
                         Edges *edges) {
  const EmuBlock *block = &p->blocks.at[b];
  for (uint32_t i = block->edge; i < block->edge + block->edges; i++)
    if (p->edges.at[i].to != SR_NONE)
      SR_PUSH(arena, edges, (SrEdge){b - base, p->edges.at[i].to - base});
}

static const SrGraph *function_graph(SrArena *arena, const EmuProgram *p, const EmuFunction *f) {
  Edges edges = {0};
  for (uint32_t b = f->first; b < f->first + f->count; b++)
    if (p->blocks.at[b].end == EMU_END_CALL)
      SR_PUSH(arena, &edges, (SrEdge){b - f->first, p->blocks.at[b].next - f->first});
    else
      add_branches(arena, p, b, f->first, &edges);
  return sr_graph_new(arena, f->count, edges.at, edges.count);
}

/* Adds edges from each function's returns to the blocks after its calls. */
static void add_returns(SrArena *arena, const EmuProgram *p, Edges *edges) {
  uint32_t *first = sr_new_none(arena, p->functions.count);
  uint32_t *other = sr_new_none(arena, p->blocks.count);
  for (uint32_t b = p->blocks.count; b-- > 0;)
    if (p->blocks.at[b].end == EMU_END_CALL) {
      uint32_t callee = p->blocks.at[p->edges.at[p->blocks.at[b].edge].to].function;
      other[b] = first[callee];
      first[callee] = b;
    }
  for (uint32_t b = 0; b < p->blocks.count && edges->count < MAX_EDGES; b++)
    if (p->blocks.at[b].end == EMU_END_RETURN)
      for (uint32_t c = first[p->blocks.at[b].function]; c != SR_NONE; c = other[c])
        SR_PUSH(arena, edges, (SrEdge){b, p->blocks.at[c].next});
}

static const SrGraph *whole_graph(SrArena *arena, const EmuProgram *p) {
  Edges edges = {0};
  for (uint32_t b = 0; b < p->blocks.count; b++)
    add_branches(arena, p, b, 0, &edges);
  add_returns(arena, p, &edges);
  return edges.count < MAX_EDGES ? sr_graph_new(arena, p->blocks.count, edges.at, edges.count)
                                 : NULL;
}

/* ---- blocks in which lanes communicate ------------------------------------------------------- */

static bool has_any(const EmuProgram *p, const EmuBlock *block,
                    bool (*is)(const SrModule *m, SrRef r)) {
  for (SrRef r = block->first; r != SR_NONE; r = sr_inst(p->module, r)->next) {
    if (is(p->module, r))
      return true;
    if (r == block->last)
      break;
  }
  return false;
}

/* ---- the table ------------------------------------------------------------------------------- */

SrStatus emu_block_table_build(SrArena *arena, SrDiag *diag, const EmuProgram *p,
                               EmuBlockTable *table) {
  uint32_t count = p->blocks.count;
  uint32_t *columns = sr_new_none(arena, (size_t)7 * count);
  uint32_t *function = columns, *id = function + count, *merge = id + count, *cont = merge + count,
           *callee = cont + count, *next = callee + count, *issues = next + count;
  for (uint32_t b = 0; b < count; b++) {
    const EmuBlock *block = &p->blocks.at[b];
    function[b] = block->function;
    id[b] = block->id;
    merge[b] = block->merge;
    cont[b] = block->cont;
    next[b] = block->next;
    issues[b] = block->issues;
    if (block->end == EMU_END_CALL)
      callee[b] = p->blocks.at[p->edges.at[block->edge].to].function;
  }
  bool *uniform = SR_NEW(arena, bool, count), *stops = SR_NEW(arena, bool, count);
  bool *polling = SR_NEW(arena, bool, count), *crosses = SR_NEW(arena, bool, count);
  bool *unreachable = SR_NEW(arena, bool, count);
  for (uint32_t b = 0; b < count; b++) {
    uniform[b] = p->blocks.at[b].uniform;
    stops[b] = p->blocks.at[b].stops > 0;
    polling[b] = has_any(p, &p->blocks.at[b], sr_is_polling);
    crosses[b] = has_any(p, &p->blocks.at[b], sr_is_cross_lane);
    unreachable[b] = p->blocks.at[b].end == EMU_END_UNREACHABLE;
  }
  EmuFunctionBlocks *functions = SR_NEW(arena, EmuFunctionBlocks, p->functions.count);
  for (uint32_t f = 0; f < p->functions.count; f++) {
    const EmuFunction *from = &p->functions.at[f];
    functions[f] = (EmuFunctionBlocks){.id = from->id,
                                       .name = from->name,
                                       .first = from->first,
                                       .count = from->count,
                                       .structured = from->structured};
    functions[f].graph = function_graph(arena, p, from);
  }
  *table = (EmuBlockTable){.count = count,
                           .functions = functions,
                           .function_count = p->functions.count,
                           .entry_function = p->entry,
                           .function = function,
                           .id = id,
                           .merge = merge,
                           .cont = cont,
                           .callee = callee,
                           .next = next,
                           .issues = issues,
                           .uniform = uniform,
                           .stops = stops,
                           .polls = polling,
                           .crosses = crosses,
                           .unreachable = unreachable,
                           .graph = whole_graph(arena, p)};
  if (!table->graph)
    return sr_fail(diag, SR_BAD_INPUT, SR_NOWHERE, "calls and returns make more than %u edges",
                   (unsigned)MAX_EDGES);
  return SR_OK;
}

/* The blocks from which every path ends in OpUnreachable. (A call may end the invocation, so a block
 * that ends in one is none of them.) */
static SrBits *find_dead(SrArena *arena, const EmuBlockTable *table, const EmuFunctionBlocks *fn) {
  const SrGraph *g = fn->graph;
  SrBits *dead = sr_bits_new(arena, fn->count);
  uint32_t *left = SR_NEW_RAW(arena, uint32_t, fn->count); /* edges to other blocks than these */
  uint32_t *work = SR_NEW_RAW(arena, uint32_t, fn->count), count = 0;
  for (uint32_t b = 0; b < fn->count; b++) {
    left[b] = sr_succ_count(g, b);
    if (table->unreachable[fn->first + b])
      work[count++] = b;
  }
  while (count) {
    uint32_t b = work[--count];
    sr_bit_set(dead, b);
    for (SR_PREDS(from, g, b))
      if (--left[*from] == 0 && table->callee[fn->first + *from] == SR_NONE)
        work[count++] = *from;
  }
  return dead;
}

const SrGraph *emu_block_table_backwards(SrArena *arena, const EmuBlockTable *table,
                                         const EmuFunctionBlocks *fn) {
  SrArena scratch = sr_arena_new(arena->heap);
  const SrGraph *g = fn->graph;
  Edges edges = {0};
  const SrBits *dead = table->unreachable ? find_dead(&scratch, table, fn) : NULL;
  for (uint32_t b = 0; dead && b < fn->count; b++)
    for (SR_SUCCS(t, g, b))
      if (!sr_bit(dead, *t) || sr_bit(dead, b))
        SR_PUSH(&scratch, &edges, (SrEdge){b, *t});
  if (edges.count && edges.count < g->succ_at[g->count])
    g = sr_graph_new(&scratch, fn->count, edges.at, edges.count);
  const SrGraph *backwards = sr_graph_reverse_with_exit(arena, g);
  sr_arena_free(&scratch);
  return backwards;
}

SrBits *emu_block_table_reaches_barrier(SrArena *arena, const EmuBlockTable *table) {
  SrBits *reaches = sr_bits_new(arena, table->count);
  uint32_t *work = SR_NEW_RAW(arena, uint32_t, table->count), count = 0;
  for (uint32_t b = 0; b < table->count; b++)
    if (table->stops[b]) {
      sr_bit_set(reaches, b);
      work[count++] = b;
    }
  while (count) {
    uint32_t b = work[--count];
    for (SR_PREDS(from, table->graph, b))
      if (!sr_bit(reaches, *from)) {
        sr_bit_set(reaches, *from);
        work[count++] = *from;
      }
  }
  return reaches;
}

SrBits *emu_block_table_expansion_area(SrArena *arena, const EmuBlockTable *table) {
  SrBits *area = sr_bits_new(arena, table->count);
  for (uint32_t f = 0; f < table->function_count; f++) {
    const EmuFunctionBlocks *function = &table->functions[f];
    SrArena scratch = sr_arena_new(arena->heap);
    const SrNest *nest = sr_nest_build(&scratch, function->graph);
    const SrBits *own = sr_expansion_area(&scratch, function->graph, nest);
    for (uint32_t b = 0; b < function->count; b++)
      if (sr_bit(own, b))
        sr_bit_set(area, function->first + b);
    sr_arena_free(&scratch);
  }
  return area;
}

/* ---- queries of the table -------------------------------------------------------------------- */

void emu_function_name(const EmuFunctionBlocks *function, SrText *text) {
  if (function->name)
    sr_text_add(text, "function %s", function->name);
  else
    sr_text_add(text, "function %%%u", function->id);
}

uint32_t emu_block_part(const EmuBlockTable *table, uint32_t block) {
  uint32_t part = 0;
  while (block > part && table->id[block - part - 1] == table->id[block])
    part++;
  return part;
}

void emu_block_name(const EmuBlockTable *table, uint32_t block, SrText *text) {
  uint32_t part = emu_block_part(table, block);
  sr_text_add(text, "%%%u", table->id[block]);
  if (part)
    sr_text_add(text, "+%u", part);
}
