/* SPDX-License-Identifier: Apache-2.0 */
/* cross_lane: see cross_lane.h. The property propagates to callers, through lists of each
 * function's callers. */
#include "passes/analysis/uniform/cross_lane.h"

#include "passes/analysis/graph/cycle.h"
#include "passes/analysis/graph/dom.h"
#include "passes/analysis/graph/left_loop.h"
#include "passes/ir/effects.h"
#include "passes/ir/integer.h"

typedef struct Call {
  uint32_t caller, next; /* the next call of the same callee */
} Call;

typedef bool Has(const SrModule *m, SrRef r);

typedef struct Walk {
  const SrModule *m;
  SrArena scratch;
  SrBits *found;      /* by id */
  uint32_t *calls_of; /* by id */
  SR_VEC(Call) calls;
  SR_VEC(uint32_t) work; /* functions found whose callers are still to be visited */
} Walk;

static void look_at(Walk *w, const SrFunction *f, SrRef r) {
  if (sr_inst(w->m, r)->op != SpvOpFunctionCall)
    return;
  uint32_t *list = &w->calls_of[sr_words(w->m, r)[3]];
  SR_PUSH(&w->scratch, &w->calls, (Call){f->id, *list});
  *list = w->calls.count - 1;
}

static void mark(Walk *w, uint32_t function) {
  if (sr_bit(w->found, function))
    return;
  sr_bit_set(w->found, function);
  SR_PUSH(&w->scratch, &w->work, function);
}

void sr_add_callers(SrArena *arena, const SrModule *m, SrBits *functions) {
  Walk w = {.m = m, .found = functions, .scratch = sr_arena_new(arena->heap)};
  w.calls_of = sr_new_none(&w.scratch, sr_bound(m));
  for (uint32_t f = 0; f < m->function_count; f++) {
    if (sr_bit(functions, m->functions[f].id))
      SR_PUSH(&w.scratch, &w.work, m->functions[f].id);
    for (uint32_t b = 0; b < m->functions[f].block_count; b++)
      for (SR_EACH(m, r, m->functions[f].blocks[b].list))
        look_at(&w, &m->functions[f], r);
  }
  while (w.work.count)
    for (uint32_t i = w.calls_of[SR_POP(&w.work)]; i != SR_NONE; i = w.calls.at[i].next)
      mark(&w, w.calls.at[i].caller);
  sr_arena_free(&w.scratch);
}

static SrBits *functions_that(SrArena *arena, const SrModule *m, Has *has) {
  SrBits *found = sr_bits_new(arena, sr_bound(m));
  bool any = false;
  for (uint32_t f = 0; f < m->function_count; f++)
    for (uint32_t b = 0; b < m->functions[f].block_count; b++)
      for (SR_EACH(m, r, m->functions[f].blocks[b].list))
        if (has(m, r)) {
          sr_bit_set(found, m->functions[f].id);
          any = true;
        }
  if (any)
    sr_add_callers(arena, m, found);
  return found;
}

SrBits *sr_cross_lane_functions(SrArena *arena, const SrModule *m) {
  return functions_that(arena, m, sr_is_cross_lane);
}

static bool ends_lanes(const SrModule *m, SrRef r) {
  uint16_t op = sr_inst(m, r)->op;
  return sr_is_leaf(op) && op != SpvOpReturn && op != SpvOpReturnValue;
}

SrBits *sr_ending_functions(SrArena *arena, const SrModule *m) {
  return functions_that(arena, m, ends_lanes);
}

static bool has(const SrModule *m, const SrBits *functions, const SrBlock *b, Has *is) {
  for (SR_EACH(m, r, b->list))
    if (is(m, r) ||
        (sr_inst(m, r)->op == SpvOpFunctionCall && sr_bit(functions, sr_words(m, r)[3])))
      return true;
  return false;
}

bool sr_has_cross_lane(const SrModule *m, const SrBits *functions, const SrBlock *b) {
  return has(m, functions, b, sr_is_cross_lane);
}

SrBits *sr_cross_lane_blocks(SrArena *arena, const SrModule *m, const SrFunction *f,
                             const SrBits *functions) {
  SrBits *set = sr_bits_new(arena, f->block_count);
  if (sr_bit(functions, f->id))
    for (uint32_t b = 0; b < f->block_count; b++)
      if (sr_has_cross_lane(m, functions, &f->blocks[b]))
        sr_bit_set(set, b);
  return set;
}

uint32_t sr_cross_lane_apart(SrArena *arena, const SrModule *m, const SrFunction *f,
                             const SrBits *functions) {
  const SrNest *nest = NULL;
  const SrDom *pdom = NULL;
  const SrBits *left = NULL;
  for (uint32_t b = 1; b < f->block_count; b++) {
    if (!sr_has_cross_lane(m, functions, &f->blocks[b]))
      continue;
    if (!nest) {
      const SrGraph *g = sr_cfg_build(arena, m, f);
      nest = sr_nest_build(arena, g);
      pdom = sr_dom_build(arena, sr_graph_reverse_with_exit(arena, g), g->count);
      left = sr_left_loop_blocks(arena, m, f, nest);
    }
    if (nest->rank[b] != SR_NONE &&
        (nest->inner[b] != SR_NONE || !sr_dominates(pdom, b, 0) || sr_bit(left, b)))
      return b;
  }
  return SR_NONE;
}

bool sr_cross_lane_forbids(SrArena *scratch, const SrModule *m, const SrFunction *f,
                           const SrBits *functions, const char *pass) {
  uint32_t block = sr_cross_lane_apart(scratch, m, f, functions);
  if (block == SR_NONE)
    return false;
  SrWhere where = {
      .function = sr_function_name(m, scratch, f), .block = f->blocks[block].id, .word = SR_NONE};
  sr_notice(m->diag, where,
            "%s leaves the function alone: lanes communicate here, and not all of them run this "
            "block together, exactly once",
            pass);
  return true;
}

/* Does the instruction wait for lanes of other subgroups? A scope that is not a plain constant may
 * be wider than a subgroup, so it counts. OpEmitMeshTasksEXT waits for its workgroup. */
static bool is_barrier(const SrModule *m, SrRef r) {
  if (sr_inst(m, r)->op != SpvOpControlBarrier)
    return sr_inst(m, r)->op == SpvOpEmitMeshTasksEXT;
  SrInteger scope;
  return !sr_integer_constant(m, sr_words(m, r)[1], &scope) ||
         (scope.bits != SpvScopeSubgroup && scope.bits != SpvScopeInvocation);
}

SrBits *sr_barrier_functions(SrArena *arena, const SrModule *m) {
  return functions_that(arena, m, is_barrier);
}

bool sr_has_barrier(const SrModule *m, const SrBits *functions, const SrBlock *b) {
  return has(m, functions, b, is_barrier);
}

SrBits *sr_quad_functions(SrArena *arena, const SrModule *m) {
  return functions_that(arena, m, sr_is_quad_operation);
}

bool sr_has_quad_operation(const SrModule *m, const SrBits *functions, const SrBlock *b) {
  return has(m, functions, b, sr_is_quad_operation);
}

static bool talks(const SrModule *m, SrRef r) {
  return sr_is_cross_lane(m, r) || sr_is_polling(m, r);
}

SrBits *sr_talking_functions(SrArena *arena, const SrModule *m) {
  return functions_that(arena, m, talks);
}

bool sr_talks(const SrModule *m, const SrBits *functions, const SrBlock *b) {
  return has(m, functions, b, talks);
}
