/* flow: see flow.h. */
#include "order/flow.h"

#include "analysis/expansion.h"
#include "analysis/order_list.h"
#include "base/map.h"
#include "order/call_order.h"

typedef SR_VEC(SrEdge) Edges;

enum { MAX_EDGES = 1 << 26 }; /* each return of a function leads to each of its calls */

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

/* Where each function's calls come back to. */
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

/* ---- the priority order ---------------------------------------------------------------------- */

/* Puts the blocks of one function, listed by the user, in the places that they have. */
static SrStatus reorder(SrArena *arena, const EmuProgram *p, const SrOrderChoice *choice,
                        const SrFunction *f, uint32_t *order, uint32_t count) {
  const SrGraph *g = sr_cfg_build(arena, p->module, f);
  uint32_t *listed, listed_count, n = 0;
  SR_CHECK(sr_order_build(arena, p->module, f, g, choice, &listed, &listed_count));
  uint32_t *parts = SR_NEW(arena, uint32_t, p->blocks.count), part_count = 0;
  uint32_t *first_part = sr_new_none(arena, f->block_count), function = SR_NONE;
  for (uint32_t b = p->blocks.count; b-- > 0;)
    if (p->functions.at[p->blocks.at[b].function].id == f->id) {
      function = p->blocks.at[b].function;
      if (p->blocks.at[b].part == 0)
        first_part[p->module->home[p->blocks.at[b].id]] = b;
    }
  for (uint32_t i = 0; i < listed_count && function != SR_NONE; i++)
    for (uint32_t b = first_part[listed[i]];
         b < p->blocks.count && p->blocks.at[b].id == f->blocks[listed[i]].id; b++)
      parts[part_count++] = b;
  for (uint32_t i = 0; i < count; i++)
    if (p->blocks.at[order[i]].function == function && n < part_count)
      order[i] = parts[n++];
  return SR_OK;
}

/* The order by the text, of the blocks that the entry reaches. */
static SrStatus order_by_text(SrArena *arena, SrDiag *diag, const EmuProgram *p, const char *text,
                              const EmuFlow *flow, uint32_t *order, uint32_t *count) {
  SrOrderChoice choice;
  SR_CHECK(sr_order_choose(diag, arena, p->module, text ? text : "lrpo", &choice));
  *count = choice.make == sr_order_lrpo ? emu_call_order(arena, flow, order)
                                        : choice.make(arena, flow->graph, order);
  for (uint32_t i = 0; i < choice.list_count; i++)
    SR_CHECK(reorder(arena, p, &choice, choice.lists[i].function, order, *count));
  return SR_OK;
}

/* The block of the program, or SR_NONE. `first`: by label, its first part. */
static uint32_t block_of_place(const EmuProgram *p, const SrMap *first,
                               const spv_emu_place *place) {
  uint32_t b = sr_map_get(first, place->block);
  if (b == SR_NONE || place->part >= p->blocks.count - b)
    return SR_NONE;
  b += place->part;
  return p->blocks.at[b].id == place->block ? b : SR_NONE;
}

/* Moves the listed blocks to the front of `order`. False: they are not all of this program. */
static bool take_order(SrArena *arena, const EmuProgram *p, const SrMap *first,
                       const spv_emu_order *given, uint32_t *order, uint32_t count) {
  uint32_t *made = SR_NEW_RAW(arena, uint32_t, p->blocks.count), n = 0;
  SrBits *placed = sr_bits_new(arena, p->blocks.count);
  for (uint32_t i = 0; i < given->count; i++) {
    uint32_t b = block_of_place(p, first, &given->places[i]);
    if (b == SR_NONE || sr_bit(placed, b))
      return false;
    sr_bit_set(placed, b);
    made[n++] = b;
  }
  for (uint32_t i = 0; i < count; i++)
    if (!sr_bit(placed, order[i]))
      made[n++] = order[i];
  if (n == count) /* else it lists what nothing reaches */
    memcpy(order, made, count * sizeof *order);
  return n == count;
}

static SrStatus order_by_places(SrArena *arena, SrDiag *diag, const EmuProgram *p,
                                const EmuPriority *priority, const EmuFlow *flow, uint32_t *order,
                                uint32_t *count) {
  SrMap first = {.arena = arena};
  for (uint32_t b = p->blocks.count; b-- > 0;)
    if (p->blocks.at[b].part == 0)
      sr_map_set(&first, p->blocks.at[b].id, b);
  *count = emu_call_order(arena, flow, order);
  for (uint32_t i = 0; i < priority->order_count; i++)
    if (take_order(arena, p, &first, &priority->orders[i], order, *count))
      return SR_OK;
  return sr_fail(diag, SR_BAD_INPUT, SR_NOWHERE, "the profile is of no program with these blocks");
}

static SrStatus make_order(SrArena *arena, SrDiag *diag, const EmuProgram *p,
                           const EmuPriority *priority, EmuFlow *flow) {
  uint32_t *order = SR_NEW_RAW(arena, uint32_t, flow->count), count;
  uint32_t *rank = sr_new_none(arena, flow->count);
  if (priority->order_count)
    SR_CHECK(order_by_places(arena, diag, p, priority, flow, order, &count));
  else
    SR_CHECK(order_by_text(arena, diag, p, priority->text, flow, order, &count));
  for (uint32_t i = 0; i < count; i++)
    rank[order[i]] = i;
  flow->reached = count;
  for (uint32_t b = 0; b < flow->count; b++) /* nothing reaches these */
    if (rank[b] == SR_NONE) {
      rank[b] = count;
      order[count++] = b;
    }
  flow->order = order;
  flow->priority = rank;
  return SR_OK;
}

/* ---- all of it ------------------------------------------------------------------------------- */

SrStatus emu_flow_build(SrArena *arena, SrDiag *diag, const EmuProgram *p,
                        const EmuPriority *priority, EmuFlow *flow) {
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
  for (uint32_t b = 0; b < count; b++) {
    uniform[b] = p->blocks.at[b].uniform;
    stops[b] = p->blocks.at[b].stops > 0;
  }
  EmuFlowFunction *functions = SR_NEW(arena, EmuFlowFunction, p->functions.count);
  for (uint32_t f = 0; f < p->functions.count; f++) {
    const EmuFunction *from = &p->functions.at[f];
    functions[f] = (EmuFlowFunction){.id = from->id,
                                     .name = from->name,
                                     .first = from->first,
                                     .count = from->count,
                                     .structured = from->structured};
    functions[f].graph = function_graph(arena, p, from);
  }
  *flow = (EmuFlow){.count = count,
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
                    .graph = whole_graph(arena, p)};
  if (!flow->graph)
    return sr_fail(diag, SR_BAD_INPUT, SR_NOWHERE, "calls and returns make more than %u edges",
                   (unsigned)MAX_EDGES);
  return make_order(arena, diag, p, priority, flow);
}

SrBits *emu_flow_reaches_barrier(SrArena *arena, const EmuFlow *flow) {
  SrBits *reaches = sr_bits_new(arena, flow->count);
  uint32_t *work = SR_NEW_RAW(arena, uint32_t, flow->count), count = 0;
  for (uint32_t b = 0; b < flow->count; b++)
    if (flow->stops[b]) {
      sr_bit_set(reaches, b);
      work[count++] = b;
    }
  while (count) {
    uint32_t b = work[--count];
    for (SR_PREDS(from, flow->graph, b))
      if (!sr_bit(reaches, *from)) {
        sr_bit_set(reaches, *from);
        work[count++] = *from;
      }
  }
  return reaches;
}

SrBits *emu_flow_expansion_area(SrArena *arena, const EmuFlow *flow) {
  SrBits *area = sr_bits_new(arena, flow->count);
  for (uint32_t f = 0; f < flow->function_count; f++) {
    const EmuFlowFunction *function = &flow->functions[f];
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
