/* SPDX-License-Identifier: Apache-2.0 */
/* barrier_place: see barrier_place.h. */
#include "spv-emu/policy/barrier/barrier_place.h"

#include "spv-emu/policy/barrier/barrier_plan.h"

#include <stdlib.h>

const char *const emu_barrier_placements[] = {"nak", "ipdom", "frontier", "speculative", NULL};

/* ---- what all placements have ---------------------------------------------------------------- */

static void add_warpsyncs(EmuBarrierPlan *p) {
  for (uint32_t b = 0; p->table->stops && p->any_divergence && b < p->table->count; b++)
    if (p->table->stops[b])
      emu_barrier_add(p, &p->entry[b], EMU_BARRIER_WARPSYNC, SR_NONE);
}

/* The innermost cycle that holds both blocks, or SR_NONE. */
static uint32_t common_cycle(const SrNest *nest, uint32_t a, uint32_t b) {
  uint32_t cycle = nest->inner[a];
  while (cycle != SR_NONE && !sr_cycle_has(nest, cycle, b))
    cycle = nest->cycles[cycle].parent;
  return cycle;
}

static void add_yields_of(EmuBarrierPlan *p, uint32_t f) {
  const EmuFunctionBlocks *fn = &p->table->functions[f];
  const SrNest *nest = p->nest[f];
  uint32_t *before = SR_NEW(p->arena, uint32_t, nest->count + 1); /* by rank: number of blocks
                                                                     before it that poll */
  for (uint32_t r = 0; r < nest->count; r++)
    before[r + 1] = before[r] + p->table->polls[fn->first + nest->order[r]];
  for (uint32_t b = 0; b < fn->count; b++)
    for (uint32_t i = 0; nest->rank[b] != SR_NONE && i < sr_succ_count(fn->graph, b); i++) {
      uint32_t to = fn->graph->succ[fn->graph->succ_at[b] + i];
      uint32_t cycle = nest->rank[to] <= nest->rank[b] ? common_cycle(nest, b, to) : SR_NONE;
      if (cycle == SR_NONE ||
          before[nest->cycles[cycle].last + 1] == before[nest->cycles[cycle].first])
        continue;
      emu_barrier_add(p, &emu_barrier_edge(p, fn->first + b, i)->ops, EMU_BARRIER_YIELD, SR_NONE);
    }
}

static void add_yields(EmuBarrierPlan *p) {
  if (p->out->scheduling != EMU_BARRIER_ROUND_ROBIN || !p->table->polls)
    return;
  for (uint32_t f = 0; f < p->table->function_count; f++)
    add_yields_of(p, f);
}

/* ---- registers ------------------------------------------------------------------------------- */

static void number_twins(EmuBarriers *out, SrArena *arena) {
  uint32_t most = 0;
  for (uint32_t i = 0; i < out->all.count; i++)
    most = most < out->all.at[i].reg ? out->all.at[i].reg : most;
  uint32_t *used = SR_NEW(arena, uint32_t, most + 1);
  for (uint32_t i = 0; i < out->all.count; i++)
    out->all.at[i].twin = used[out->all.at[i].reg]++;
}

static bool is_spilled(const EmuBarriers *out, const EmuBarrierInst *i) {
  bool uses = i->op == EMU_BARRIER_BSSY || i->op == EMU_BARRIER_BSYNC || i->op == EMU_BARRIER_BREAK;
  return uses && out->all.at[i->bar].reg >= EMU_BARRIER_REGISTERS;
}

/* A spilled barrier is kept in a general register. It is moved from there before BSYNC and BREAK,
 * and back after BSSY and BREAK. Positions in the ops do not count BMOVs; `place` maps each of them
 * to the position with BMOVs. */
static void add_moves(EmuBarrierPlan *p, EmuBarrierOps *ops, uint32_t **place) {
  EmuBarrierOps with = {0};
  bool any = false;
  for (uint32_t i = 0; i < ops->count; i++)
    any |= is_spilled(p->out, &ops->at[i]);
  *place = NULL;
  if (!any)
    return;
  *place = SR_NEW(p->arena, uint32_t, ops->count + 1);
  for (uint32_t i = 0; i < ops->count; i++) {
    const EmuBarrierInst inst = ops->at[i];
    (*place)[i] = with.count;
    if (is_spilled(p->out, &inst) && inst.op != EMU_BARRIER_BSSY)
      emu_barrier_add(p, &with, EMU_BARRIER_BMOV, inst.bar);
    SR_PUSH(p->arena, &with, inst);
    if (is_spilled(p->out, &inst) && inst.op != EMU_BARRIER_BSYNC)
      emu_barrier_add(p, &with, EMU_BARRIER_BMOV, inst.bar);
  }
  (*place)[ops->count] = with.count;
  *ops = with;
}

static void add_all_moves(EmuBarrierPlan *p, uint32_t edges, uint32_t **entry_place) {
  uint32_t *unused;
  for (uint32_t b = 0; b < p->table->count; b++) {
    add_moves(p, &p->entry[b], &entry_place[b]);
    add_moves(p, &p->end[b], &unused);
  }
  for (uint32_t e = 0; e < edges; e++)
    add_moves(p, &p->edge[e].ops, &unused);
}

/* ---- layout ---------------------------------------------------------------------------------- */

/* A place in the code that is known only when all code is laid out: position `pos` of a block's
 * entry. */
typedef struct Fix {
  enum { FIX_TO, FIX_BACK, FIX_ARM } what;
  uint32_t at; /* index of an instruction, or of an arm */
  uint32_t block, pos;
} Fix;

typedef struct Layout {
  EmuBarrierPlan *p;
  uint32_t *at;           /* by block: where its entry begins */
  uint32_t **entry_place; /* by block: see add_moves */
  SR_VEC(Fix) fixes;
} Layout;

static uint32_t emit(Layout *l, EmuBarrierInst inst) {
  SR_PUSH(l->p->keep, &l->p->out->code, inst);
  return l->p->out->code.count - 1;
}

static void fix(Layout *l, int what, uint32_t at, uint32_t block, uint32_t pos) {
  SR_PUSH(l->p->arena, &l->fixes, (Fix){what, at, block, pos});
}

static void emit_ops(Layout *l, const EmuBarrierOps *ops) {
  for (uint32_t i = 0; i < ops->count; i++) {
    uint32_t at = emit(l, ops->at[i]);
    if (ops->at[i].op == EMU_BARRIER_TEST)
      fix(l, FIX_TO, at, ops->at[i].block, ops->at[i].to);
  }
}

static int by_block(const void *a, const void *b) {
  uint32_t x = ((const EmuBarrierArm *)a)->block, y = ((const EmuBarrierArm *)b)->block;
  return (x > y) - (x < y);
}

static void emit_branch(Layout *l, uint32_t block) {
  EmuBarriers *out = l->p->out;
  const EmuFunctionBlocks *fn = &l->p->table->functions[l->p->table->function[block]];
  uint32_t first = out->arms.count, rank = 0;
  for (SR_SUCCS(t, fn->graph, block - fn->first)) {
    SR_PUSH(l->p->keep, &out->arms, (EmuBarrierArm){.block = fn->first + *t, .rank = rank});
    rank++;
  }
  qsort(out->arms.at + first, rank, sizeof *out->arms.at, by_block);
  emit(l, (EmuBarrierInst){.op = EMU_BARRIER_BRANCH, .arm = first, .arms = rank});
}

static void emit_end(Layout *l, uint32_t block) {
  const EmuBlockTable *t = l->p->table;
  const EmuFunctionBlocks *fn = &t->functions[t->function[block]];
  if (t->callee[block] != SR_NONE) {
    uint32_t entry = t->functions[t->callee[block]].first;
    uint32_t at = emit(l, (EmuBarrierInst){.op = EMU_BARRIER_CALL, .block = entry});
    fix(l, FIX_TO, at, entry, l->p->call_pos[block]);
  } else if (sr_succ_count(fn->graph, block - fn->first)) {
    emit_branch(l, block);
  } else {
    emit(l, (EmuBarrierInst){.op = EMU_BARRIER_END});
  }
}

static void emit_block(Layout *l, uint32_t block) {
  l->at[block] = l->p->out->code.count;
  emit_ops(l, &l->p->entry[block]);
  l->p->out->label[block] = emit(l, (EmuBarrierInst){.op = EMU_BARRIER_BODY, .block = block});
  emit_ops(l, &l->p->end[block]);
  emit_end(l, block);
}

/* The instruction that ends a block. */
static EmuBarrierInst *end_of(Layout *l, uint32_t block) {
  return &l->p->out->code.at[l->p->out->label[block] + l->p->end[block].count + 1];
}

/* Emits the code of an edge, if it has any, and sets where the block's end leads. */
static void emit_edge(Layout *l, uint32_t block, uint32_t i) {
  const EmuBarrierEdge *edge = emu_barrier_edge(l->p, block, i);
  const EmuBarrierInst *end = end_of(l, block);
  bool call = end->op == EMU_BARRIER_CALL;
  uint32_t at = (uint32_t)(end - l->p->out->code.at), place = l->p->out->code.count;
  uint32_t arm = end->arm;
  while (!call && l->p->out->arms.at[arm].rank != i)
    arm++;
  if (!edge->ops.count) {
    fix(l, call ? FIX_BACK : FIX_ARM, call ? at : arm, edge->via, edge->pos);
    return;
  }
  emit_ops(l, &edge->ops);
  fix(l, FIX_TO, emit(l, (EmuBarrierInst){.op = EMU_BARRIER_GO}), edge->via, edge->pos);
  if (call)
    l->p->out->code.at[at].back = place;
  else
    l->p->out->arms.at[arm].to = place;
}

static void emit_function(Layout *l, uint32_t f) {
  const EmuFunctionBlocks *fn = &l->p->table->functions[f];
  const SrNest *nest = l->p->nest[f];
  l->p->out->first[f] = l->p->out->code.count;
  for (uint32_t r = 0; r < nest->count; r++)
    emit_block(l, fn->first + nest->order[r]);
  for (uint32_t r = 0; r < nest->count; r++) {
    uint32_t b = nest->order[r];
    for (uint32_t i = 0; i < sr_succ_count(fn->graph, b); i++)
      emit_edge(l, fn->first + b, i);
  }
}

static void resolve(Layout *l) {
  EmuBarriers *out = l->p->out;
  for (uint32_t i = 0; i < l->fixes.count; i++) {
    const Fix *f = &l->fixes.at[i];
    const uint32_t *place = l->entry_place[f->block];
    uint32_t to = l->at[f->block] + (place ? place[f->pos] : f->pos);
    if (f->what == FIX_TO)
      out->code.at[f->at].to = to;
    else if (f->what == FIX_BACK)
      out->code.at[f->at].back = to;
    else
      out->arms.at[f->at].to = to;
  }
  for (uint32_t b = 0; b < l->p->table->count; b++)
    if (l->p->table->callee[b] != SR_NONE && out->label[b] != SR_NONE)
      out->comes[l->p->table->next[b]] = end_of(l, b)->back;
}

static void lay_out(EmuBarrierPlan *p, uint32_t edges) {
  Layout l = {.p = p,
              .at = sr_new_none(p->arena, p->table->count),
              .entry_place = SR_NEW(p->arena, uint32_t *, p->table->count)};
  add_all_moves(p, edges, l.entry_place);
  for (uint32_t f = 0; f < p->table->function_count; f++)
    emit_function(&l, f);
  resolve(&l);
  p->out->start = l.at[p->table->functions[p->table->entry_function].first];
}

/* ---- the program ----------------------------------------------------------------------------- */

static uint32_t start_plan(EmuBarrierPlan *p) {
  const EmuBlockTable *t = p->table;
  uint32_t edges = 0;
  p->nest = SR_NEW(p->arena, const SrNest *, t->function_count);
  p->entry = SR_NEW(p->arena, EmuBarrierOps, t->count);
  p->end = SR_NEW(p->arena, EmuBarrierOps, t->count);
  p->edge_first = SR_NEW(p->arena, uint32_t, t->function_count);
  p->call_pos = SR_NEW(p->arena, uint32_t, t->count);
  p->floor = SR_NEW(p->arena, uint32_t, t->function_count);
  for (uint32_t f = 0; f < t->function_count; f++) {
    p->nest[f] = sr_nest_build(p->arena, t->functions[f].graph);
    p->edge_first[f] = edges;
    edges += t->functions[f].graph->succ_at[t->functions[f].count];
  }
  p->edge = SR_NEW(p->arena, EmuBarrierEdge, edges);
  for (uint32_t f = 0; f < t->function_count; f++)
    for (uint32_t e = 0; e < t->functions[f].graph->succ_at[t->functions[f].count]; e++)
      p->edge[p->edge_first[f] + e].via = t->functions[f].first + t->functions[f].graph->succ[e];
  for (uint32_t b = 0; b < t->count; b++)
    p->any_divergence |= emu_barrier_may_diverge(p, b);
  p->out->label = sr_new_none(p->keep, t->count);
  p->out->first = SR_NEW(p->keep, uint32_t, t->function_count);
  p->out->comes = sr_new_none(p->keep, t->count);
  return edges;
}

static EmuBarrierPlacement chosen(const EmuBlockTable *table, EmuBarrierPlacement placement) {
  for (uint32_t f = 0; f < table->function_count && placement == EMU_BARRIER_AUTO; f++)
    if (!table->functions[f].structured)
      placement = EMU_BARRIER_IPDOM;
  return placement == EMU_BARRIER_AUTO ? EMU_BARRIER_NAK : placement;
}

EmuBarriers *emu_barriers_place(SrArena *arena, const EmuBlockTable *table,
                                EmuBarrierPlacement placement, EmuBarrierScheduling scheduling,
                                const char **why) {
  SrArena scratch = sr_arena_new(arena->heap);
  EmuBarrierPlan p = {.arena = &scratch, .keep = arena, .table = table};
  p.out = SR_NEW(arena, EmuBarriers, 1);
  p.out->scheduling = scheduling;
  uint32_t edges = start_plan(&p);
  placement = chosen(table, placement);
  if (placement == EMU_BARRIER_SPECULATIVE)
    p.out->mixes = emu_barriers_predict(&p);
  if (placement == EMU_BARRIER_NAK)
    emu_barriers_place_scopes(&p);
  else if (placement == EMU_BARRIER_FRONTIER)
    emu_barriers_place_frontier(&p);
  else
    emu_barriers_place_ipdom(&p);
  *why = p.why;
  if (!p.why) {
    add_warpsyncs(&p);
    add_yields(&p);
    number_twins(p.out, &scratch);
    lay_out(&p, edges);
  }
  sr_arena_free(&scratch);
  return p.why ? NULL : p.out;
}

uint32_t emu_barriers_block(const EmuBarriers *barriers, uint32_t at) {
  for (;;) {
    const EmuBarrierInst *i = &barriers->code.at[at];
    if (i->op == EMU_BARRIER_BODY)
      return i->block;
    at = i->op == EMU_BARRIER_GO ? i->to : at + 1;
  }
}
