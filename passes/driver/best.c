/* SPDX-License-Identifier: Apache-2.0 */
/* best: see best.h. */
#include "driver/best.h"

#include "driver/best_inline.h"
#include "driver/options.h"
#include "driver/recorded.h"
#include "ir/finish.h"
#include "ir/reader.h"
#include "ir/writer.h"

enum {
  MOST_GROWTH = 100,   /* percent, of lists that copy code, and of the first list's code */
  SUPPOSED_MARGIN = 3, /* percent: a smaller gain says nothing if the paths are supposed ones, or
                        * only some of those recorded */
  FRONTIER_WEIGHT = 2, /* of the issues of thread frontiers in the measure; those of the stack: 1 */
  STACK_MARGIN = 10,   /* percent that a stack may issue more, if the paths are recorded ones */
};

typedef enum Paths { ANY, SUPPOSED, RECORDED } Paths;

typedef struct Candidate {
  const char *transforms, *after_inline, *order;
  Paths paths;
} Candidate;

static const Candidate candidates[] = {
#define SR_CANDIDATE(transforms, order, paths) {transforms, "inline," transforms, order, paths},
#include "driver/best.def"
#undef SR_CANDIDATE
};

enum { CANDIDATES = sizeof candidates / sizeof *candidates };

/* What is known of a function after the lists that were tried. */
typedef struct Found {
  bool open;       /* can anything but the first list be chosen? */
  uint32_t chosen; /* index of the list */
  SrCost first, best;
  uint64_t hash[CANDIDATES]; /* of its words after each list; 0: the list was no use */
} Found;

typedef struct Best {
  SrPipeline *p;
  SrOptions list[CANDIDATES]; /* only the steps */
  SrArena arena;              /* for the whole choice */
  bool profiled;              /* the profile's paths are measured */
  const uint32_t *words;      /* of the module before */
  size_t count;
  SrMeasure *measure;
  uint32_t functions; /* of the module before */
  Found *found;       /* by function of the module before */
  uint32_t *at;       /* by the same: its index in the pipeline's module, which may also have
                       * functions of which nothing is left */
  bool *took;         /* by index in the pipeline's module: others have moved into it */
} Best;

static SrPassOptions options_for(const SrPipeline *p, uint32_t list) {
  SrPassOptions options = p->options;
  if (candidates[list].order)
    options.order = candidates[list].order;
  if (!options.max_growth || options.max_growth > MOST_GROWTH)
    options.max_growth = MOST_GROWTH;
  return options;
}

/* ---- measures -------------------------------------------------------------------------------- */

/* The result is not 0. Functions with the same words cost the same. */
static uint64_t hash_function(const SrModule *m, const SrFunction *f) {
  uint64_t h = 1;
  for (uint32_t b = 0; b < f->block_count; b++)
    for (SR_EACH(m, r, f->blocks[b].list)) {
      const uint32_t *w = sr_words(m, r);
      for (uint32_t i = 0; i < w[0] >> 16; i++)
        h = (h ^ w[i]) * 0x100000001b3u; /* FNV-1a, by words */
    }
  return h ? h : 1;
}

static uint64_t measure_of(const SrCost *cost) {
  return FRONTIER_WEIGHT * cost->frontier + cost->stack;
}

/* Is the first cost less than the second, which is another list's? */
static bool is_better(const SrCost *a, const SrCost *b) {
  uint64_t x = measure_of(a), y = measure_of(b), less = 100;
  if (!a->recorded || a->sampled)
    less -= SUPPOSED_MARGIN;
  if (x == y)
    return (uint64_t)a->instructions * 100 < b->instructions * less;
  return x * 100 < y * less;
}

/* May a list with this cost be chosen? */
static bool is_admitted(const SrCost *cost, const SrCost *first) {
  uint32_t margin = cost->recorded ? STACK_MARGIN : 0;
  return cost->frontier <= first->frontier && cost->stack * 100 <= first->stack * (100 + margin) &&
         cost->instructions <= (uint64_t)first->instructions * (100 + MOST_GROWTH) / 100;
}

static bool is_known(const Found *f, uint32_t list) {
  for (uint32_t k = 0; k < list; k++)
    if (f->hash[k] == f->hash[list])
      return true;
  return false;
}

/* Looks at function i after a list. */
static void weigh(const Best *b, uint32_t list, const SrModule *m, uint32_t i) {
  Found *f = &b->found[i];
  SrCost cost;
  f->hash[list] = hash_function(m, &m->functions[i]);
  if (is_known(f, list))
    return;
  bool known = sr_measure_function(b->measure, i, &cost);
  if (list == 0) {
    f->open = known;
    f->first = f->best = cost;
  } else if (known && is_admitted(&cost, &f->first) && is_better(&cost, &f->best)) {
    f->best = cost;
    f->chosen = list;
  }
}

static void weigh_all(const Best *b, uint32_t list, const SrModule *m, const bool *lost,
                      SrArena *arena) {
  sr_measure_module(b->measure, arena, m);
  for (uint32_t i = 0; i < m->function_count; i++) {
    if (!b->found[i].open)
      continue;
    if (!lost[i])
      weigh(b, list, m, i);
    else if (list == 0)
      b->found[i].open = false; /* the final run says what is wrong */
  }
}

/* ---- one list -------------------------------------------------------------------------------- */

static SrStatus run_copy(const Best *b, uint32_t list, SrModule *m, SrArena *arena, bool *lost) {
  SrArena scratch = sr_arena_new(arena->heap);
  SrPipeline p = sr_pipeline_new(arena, m);
  p.scratch = &scratch;
  p.steps = b->list[list].steps;
  p.step_count = b->list[list].step_count;
  p.options = options_for(b->p, list);
  p.options.drawing = NULL;
  p.lost = lost;
  SrStatus status = sr_pipeline_run(&p);
  sr_arena_free(&scratch);
  return status;
}

/* Tries a list on a copy of the module. A list that the whole module refuses is no use; nor is one
 * whose result one of our checks rejects, which is said. If it is the first list, the final run
 * says what is wrong. */
static void try_list(const Best *b, uint32_t list) {
  if (candidates[list].paths == (b->profiled ? SUPPOSED : RECORDED))
    return;
  SrArena arena = sr_arena_new(b->arena.heap);
  SrDiag diag = {0};
  SrModule *m;
  SrStatus status = sr_read(&arena, &diag, b->words, b->count, &m);
  if (status == SR_OK) {
    bool *lost = SR_NEW(&arena, bool, m->function_count);
    status = run_copy(b, list, m, &arena, lost);
    if (status == SR_OK)
      weigh_all(b, list, m, lost, &arena);
  }
  if (status == SR_BUG && list)
    sr_notice(b->p->m->diag, SR_NOWHERE, "transform best leaves out %s, which has a bug: %s",
              candidates[list].transforms, diag.text);
  sr_arena_free(&arena);
}

/* ---- the choice ------------------------------------------------------------------------------ */

/* Finds the paths of the profile in the copy; a failure is one of the run. */
static SrStatus find_recorded(Best *b, const SrModule *before, const SrRecorded **recorded) {
  const SrPassOptions *o = &b->p->options;
  SrStatus status = sr_recorded_find(&b->arena, before, o->profiles, o->profile_count, recorded);
  return status == SR_OK ? status
                         : sr_fail(b->p->m->diag, status, SR_NOWHERE, "%s", before->diag->text);
}

/* Prepares the measure, and marks the functions for which there is a choice. */
static SrStatus open_functions(Best *b, bool *any) {
  SrPipeline *p = b->p;
  SrDiag *diag = SR_NEW(&b->arena, SrDiag, 1);
  SrModule *before;
  SR_CHECK(sr_finish(p->m));
  b->words = sr_write(p->m, &b->arena, &b->count);
  SrStatus status = sr_read(&b->arena, diag, b->words, b->count, &before);
  if (status != SR_OK)
    return sr_fail(p->m->diag, status, SR_NOWHERE, "%s", diag->text);
  const SrRecorded *recorded = NULL;
  if (b->profiled)
    SR_CHECK(find_recorded(b, before, &recorded));
  b->measure = sr_measure_new(
      &b->arena, before,
      sr_uniform_build(&b->arena, before, p->options.uniformity, p->options.scope), recorded);
  sr_measure_module(b->measure, &b->arena, before);
  for (uint32_t i = 0; i < p->m->function_count; i++)
    if (!p->m->functions[i].moved)
      b->at[b->functions++] = i;
  for (uint32_t i = 0; i < b->functions; i++) {
    const SrFunction *f = &before->functions[i];
    b->found[i].open = f->block_count > 1 && f->unknown == SR_NONE && !f->unread &&
                       sr_measure_function(b->measure, i, &p->choice[b->at[i]].input);
    *any = *any || b->found[i].open;
  }
  return SR_OK;
}

static SrStatus run_chosen(const Best *b) {
  SrPipeline *p = b->p;
  SrPassOptions options = p->options;
  bool *only = SR_NEW(p->scratch, bool, p->m->function_count);
  SrStatus status = SR_OK;
  for (uint32_t k = 0; status == SR_OK && k < CANDIDATES; k++) {
    bool any = false;
    for (uint32_t i = 0; i < b->functions; i++)
      any |= only[b->at[i]] = b->found[i].chosen == k;
    if (!any)
      continue;
    p->options = options_for(p, k);
    status = sr_pipeline_run_part(p, b->list[k].steps, b->list[k].step_count, only);
    p->options = options;
  }
  return status;
}

static void note_choices(const Best *b) {
  for (uint32_t i = 0; i < b->functions; i++) {
    const Found *f = &b->found[i];
    SrChoice *c = &b->p->choice[b->at[i]];
    if (!f->open)
      continue;
    c->transforms =
        b->took[b->at[i]] ? candidates[f->chosen].after_inline : candidates[f->chosen].transforms;
    c->order = candidates[f->chosen].order;
    c->first = f->first;
    c->chosen = f->best;
  }
}

static SrStatus choose(Best *b) {
  bool any = false;
  for (uint32_t k = 0; k < CANDIDATES; k++)
    SR_CHECK(sr_options_read_transforms(b->p->m->diag, &b->arena, candidates[k].transforms,
                                        &b->list[k]));
  SR_CHECK(sr_best_inline(b->p, &b->arena, b->took));
  SR_CHECK(open_functions(b, &any));
  for (uint32_t k = 0; any && k < CANDIDATES; k++)
    try_list(b, k);
  note_choices(b);
  return run_chosen(b);
}

SrStatus sr_best(SrPipeline *p, const SrStep *step) {
  Best b = {.p = p, .profiled = step->argument, .arena = sr_arena_new(p->scratch->heap)};
  SrMark mark = sr_arena_mark(p->scratch);
  b.found = SR_NEW(&b.arena, Found, p->m->function_count);
  b.at = SR_NEW(&b.arena, uint32_t, p->m->function_count);
  b.took = SR_NEW(&b.arena, bool, p->m->function_count);
  SrStatus status = choose(&b);
  sr_arena_reset(p->scratch, mark);
  sr_arena_free(&b.arena);
  return status;
}
