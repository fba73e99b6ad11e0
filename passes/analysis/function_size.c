/* SPDX-License-Identifier: Apache-2.0 */
/* function_size: see function_size.h. A function is added to its callers once all of its callees
 * have been added to it; recursive functions, which SPIR-V forbids, are never added. */
#include "passes/analysis/function_size.h"

#include "passes/analysis/graph/arm.h"

/* Sizes stop here, so that sums of many calls fit. */
static const uint32_t most_size = 1u << 30;

typedef struct Call {
  uint32_t caller; /* id */
  uint32_t weight; /* how often its size counts */
  uint32_t next;   /* the next call of the same callee, or SR_NONE */
} Call;

typedef struct Sizes {
  uint32_t *size;    /* by id of OpFunction */
  uint32_t *pending; /* by id: its calls whose callees have not been added yet */
  uint32_t *calls;   /* by id: the first call of it, or SR_NONE */
  SR_VEC(Call) call;
  SR_VEC(uint32_t) work;
} Sizes;

static void add(uint32_t *size, uint32_t more, uint64_t times) {
  uint64_t sum = times < most_size ? *size + more * times : most_size;
  *size = sum < most_size ? (uint32_t)sum : most_size;
}

static void look_at(Sizes *k, SrArena *scratch, const SrModule *m, uint32_t caller,
                    const SrBlock *b, uint64_t weight) {
  add(&k->size[caller], sr_count_instructions(m, b), weight);
  for (SR_EACH(m, r, b->list)) {
    if (sr_inst(m, r)->op != SpvOpFunctionCall)
      continue;
    uint32_t callee = sr_words(m, r)[3];
    SR_PUSH(scratch, &k->call,
            (Call){caller, weight < most_size ? (uint32_t)weight : most_size, k->calls[callee]});
    k->calls[callee] = k->call.count - 1;
    k->pending[caller]++;
  }
}

static void add_to_callers(Sizes *k, SrArena *scratch) {
  while (k->work.count) {
    uint32_t callee = SR_POP(&k->work);
    for (uint32_t i = k->calls[callee]; i != SR_NONE; i = k->call.at[i].next) {
      uint32_t caller = k->call.at[i].caller;
      add(&k->size[caller], k->size[callee], k->call.at[i].weight);
      if (--k->pending[caller] == 0)
        SR_PUSH(scratch, &k->work, caller);
    }
  }
}

/* Adds a function's own instructions, and records its calls; `weighted`: each counts as often as it
 * is assumed to run. */
static void look_at_function(Sizes *k, SrArena *scratch, const SrModule *m, const SrFunction *f,
                             bool weighted) {
  SrArena graph = sr_arena_new(scratch->heap);
  const SrNest *nest =
      weighted && f->block_count > 1 ? sr_nest_build(&graph, sr_cfg_build(&graph, m, f)) : NULL;
  for (uint32_t b = 0; b < f->block_count; b++)
    look_at(k, scratch, m, f->id, &f->blocks[b], nest ? sr_arm_weight(nest, b) : 1);
  sr_arena_free(&graph);
}

static const uint32_t *function_sizes(SrArena *arena, const SrModule *m, bool weighted) {
  SrArena scratch = sr_arena_new(arena->heap);
  Sizes k = {.size = SR_NEW(arena, uint32_t, sr_bound(m)),
             .pending = SR_NEW(&scratch, uint32_t, sr_bound(m)),
             .calls = sr_new_none(&scratch, sr_bound(m))};
  for (uint32_t f = 0; f < m->function_count; f++)
    look_at_function(&k, &scratch, m, &m->functions[f], weighted);
  for (uint32_t f = 0; f < m->function_count; f++)
    if (!k.pending[m->functions[f].id])
      SR_PUSH(&scratch, &k.work, m->functions[f].id);
  add_to_callers(&k, &scratch);
  sr_arena_free(&scratch);
  return k.size;
}

const uint32_t *sr_function_sizes(SrArena *arena, const SrModule *m) {
  return function_sizes(arena, m, false);
}

const uint32_t *sr_function_costs(SrArena *arena, const SrModule *m) {
  return function_sizes(arena, m, true);
}

uint32_t sr_function_block_size(const SrModule *m, const SrBlock *b,
                                const uint32_t *function_size) {
  uint32_t size = sr_count_instructions(m, b);
  for (SR_EACH(m, r, b->list))
    if (sr_inst(m, r)->op == SpvOpFunctionCall && size < most_size)
      size += function_size[sr_words(m, r)[3]];
  return size;
}
