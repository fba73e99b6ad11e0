/* SPDX-License-Identifier: Apache-2.0 */
/* best: see best.h. */
#include "passes/best/best.h"

#include "passes/base/text.h"
#include "passes/best/best_choice.h"
#include "passes/best/best_inline.h"
#include "passes/driver/options.h"
#include "passes/driver/recorded_paths.h"
#include "passes/ir/copy_module.h"

typedef enum Paths { ANY, SUPPOSED, RECORDED } Paths;

typedef struct Candidate {
  const char *transforms, *after_inline, *order;
  Paths paths;
} Candidate;

static const Candidate candidates[] = {
#define SR_CANDIDATE(transforms, order, paths) {transforms, "inline," transforms, order, paths},
#include "passes/best/best.def"
#undef SR_CANDIDATE
};

enum { CANDIDATES = sizeof candidates / sizeof *candidates };

/* What is known about a function after the lists that were tried. */
typedef struct Found {
  bool open;       /* can anything but the first list be chosen? */
  uint32_t chosen; /* index of the list, among all */
  uint32_t count;
  SrTried *tried;            /* the lists tried so far; lives as long as the run */
  uint32_t list[CANDIDATES]; /* their indices */
  uint64_t hash[CANDIDATES]; /* hash of the function's words after each list; 0: there is no
                                result */
} Found;

typedef struct Best {
  SrPipeline *p;
  SrOptions list[CANDIDATES]; /* only the steps */
  SrArena arena;              /* for the whole choice */
  bool profiled;              /* the profile's paths are measured */
  SrMeasure *measure;
  uint32_t functions; /* of the module before */
  Found *found;       /* by function of the module before */
  uint32_t *at;       /* by index in the copy: its index in the pipeline's module, where functions
                         without any remaining code still have an index */
  bool *took;         /* by index in the pipeline's module: other functions have moved into it */
} Best;

static SrPassOptions options_for(const SrPipeline *p, uint32_t list) {
  SrPassOptions options = p->options;
  if (candidates[list].order)
    options.order = candidates[list].order;
  options.keeps_tangles = true;
  if (!options.max_growth || options.max_growth > SR_BEST_GROWTH)
    options.max_growth = SR_BEST_GROWTH;
  return options;
}

/* ---- notices --------------------------------------------------------------------------------- */

typedef struct Notices {
  SrArena *arena;
  SR_VEC(const char *) lines;
} Notices;

static void keep_notice(void *user, const char *line) {
  Notices *n = user;
  SR_PUSH(n->arena, &n->lines, sr_text_copy(n->arena, line));
}

/* Why a list leaves the function alone, by its notices; NULL: it does not. */
static const char *find_left_alone(const Notices *n, const SrModule *m, const SrFunction *f) {
  SrText begin = {.arena = n->arena};
  sr_text_add(&begin, "function %s", sr_function_name(m, n->arena, f));
  for (uint32_t i = 0; i < n->lines.count; i++) {
    const char *line = n->lines.at[i];
    if (strncmp(line, sr_text_end(&begin), begin.count) == 0 &&
        strcspn(line + begin.count, ":,") == 0) {
      const char *why = strstr(line, "leaves the function alone");
      if (why)
        return why;
    }
  }
  return NULL;
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

/* The list tried on the function last. */
static SrTried *add_tried(Found *f, uint32_t list) {
  SrTried *tried = &f->tried[f->count];
  *tried = (SrTried){.transforms = candidates[list].transforms, .order = candidates[list].order};
  f->list[f->count++] = list;
  return tried;
}

static void refuse(const Best *b, Found *f, uint32_t list, const char *why) {
  sr_best_refuse(add_tried(f, list), sr_text_copy(b->p->m->arena, why));
}

/* If an earlier list has the same result, copies its verdict. `left_alone`: why the list leaves the
 * function alone, or NULL. */
static bool is_known(const Best *b, Found *f, SrTried *tried, const char *left_alone) {
  uint32_t last = f->count - 1, k = 0;
  while (f->hash[k] != f->hash[last])
    k++;
  if (k == last)
    return false;
  tried->measured = f->tried[k].measured;
  tried->cost = f->tried[k].cost;
  if (left_alone || f->tried[k].verdict == SR_REFUSED) {
    sr_best_refuse(tried, left_alone ? sr_text_copy(b->p->m->arena, left_alone) : f->tried[k].why);
    return true;
  }
  SrText why = {.arena = b->p->m->arena};
  sr_text_add(&why, "its result is that of %s", f->tried[k].transforms);
  tried->verdict = SR_SAME;
  tried->why = sr_text_end(&why);
  return true;
}

/* Looks at function i after a list. */
static void weigh(const Best *b, uint32_t list, const SrModule *m, uint32_t i,
                  const char *left_alone) {
  Found *f = &b->found[i];
  SrTried *tried = add_tried(f, list);
  SrCost cost;
  f->hash[f->count - 1] = hash_function(m, &m->functions[i]);
  if (is_known(b, f, tried, left_alone))
    return;
  if (sr_measure_function(b->measure, i, &cost))
    sr_best_measured(tried, &cost, list ? &f->tried[0].cost : &cost);
  else
    sr_best_refuse(tried, "a lane cannot be followed through its result");
}

/* Evaluates all functions after a list; `why`: why the list refused the whole module, or NULL. A
 * function that cannot be measured after the first list is closed: the final run reports what is
 * wrong. */
static void weigh_all(const Best *b, uint32_t list, const SrModule *m, const char *const *lost,
                      const Notices *notices, const char *why) {
  for (uint32_t i = 0; i < b->functions; i++) {
    Found *f = &b->found[i];
    if (!f->open)
      continue;
    if (why || lost[i])
      refuse(b, f, list, why ? why : lost[i]);
    else
      weigh(b, list, m, i, find_left_alone(notices, m, &m->functions[i]));
    f->open = f->tried[0].measured;
  }
}

/* ---- one list -------------------------------------------------------------------------------- */

static SrStatus run_copy(const Best *b, uint32_t list, SrModule *m, SrArena *arena,
                         const char **lost) {
  SrArena scratch = sr_arena_new(arena->heap);
  SrPipeline p = sr_pipeline_new(arena, m);
  p.scratch = &scratch;
  p.steps = b->list[list].steps;
  p.step_count = b->list[list].step_count;
  p.options = options_for(b->p, list);
  p.options.drawing = NULL;
  p.lost = lost;
  for (uint32_t i = 0; i < b->functions; i++)
    p.touched[i] = b->p->touched[b->at[i]];
  SrStatus status = sr_pipeline_run(&p);
  sr_arena_free(&scratch);
  return status;
}

/* Tries a list on a copy of the module. If one of our checks rejects the result of a list, a
 * transform has a bug, which is reported unless it is the first list. */
static SrStatus try_copy(const Best *b, uint32_t list, SrArena *arena) {
  Notices notices = {.arena = arena};
  SrModule *m;
  SR_CHECK(sr_copy_module(arena, b->p->m, &m));
  m->diag->notice = keep_notice;
  m->diag->user = &notices;
  const char **lost = SR_NEW(arena, const char *, b->functions);
  SrStatus status = run_copy(b, list, m, arena, lost);
  if (status == SR_OK)
    sr_measure_module(b->measure, arena, m);
  weigh_all(b, list, m, lost, &notices, status == SR_OK ? NULL : m->diag->text);
  if (status == SR_BUG && list)
    sr_notice(b->p->m->diag, SR_NOWHERE, "transform best leaves out %s, which has a bug: %s",
              candidates[list].transforms, m->diag->text);
  return SR_OK;
}

static SrStatus try_list(const Best *b, uint32_t list) {
  if (candidates[list].paths == (b->profiled ? SUPPOSED : RECORDED))
    return SR_OK;
  SrArena arena = sr_arena_new(b->arena.heap);
  SrStatus status = try_copy(b, list, &arena);
  sr_arena_free(&arena);
  return status;
}

/* ---- the choice ------------------------------------------------------------------------------ */

/* Finds the paths of the profile in the copy; a failure there is a failure of the run. */
static SrStatus find_recorded(Best *b, const SrModule *before, const SrRecorded **recorded) {
  const SrPassOptions *o = &b->p->options;
  SrStatus status = sr_recorded_find(&b->arena, before, o->profiles, o->profile_count, recorded);
  return status == SR_OK ? status
                         : sr_fail(b->p->m->diag, status, SR_NOWHERE, "%s", before->diag->text);
}

/* Prepares the measure, and marks the functions for which there is a choice. */
static SrStatus open_functions(Best *b, bool *any) {
  SrPipeline *p = b->p;
  SrModule *before;
  SR_CHECK(sr_copy_module(&b->arena, p->m, &before));
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
    if (b->found[i].open)
      b->found[i].tried = SR_NEW(p->m->arena, SrTried, CANDIDATES);
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

static void choose_lists(const Best *b) {
  for (uint32_t i = 0; i < b->functions; i++) {
    Found *f = &b->found[i];
    SrChoice *c = &b->p->choice[b->at[i]];
    if (!f->open || !f->count)
      continue;
    uint32_t chosen = sr_best_choose(f->tried, f->count);
    f->chosen = f->list[chosen];
    c->transforms =
        b->took[b->at[i]] ? candidates[f->chosen].after_inline : candidates[f->chosen].transforms;
    c->order = candidates[f->chosen].order;
    c->first = f->tried[0].cost;
    c->chosen = f->tried[chosen].cost;
    c->tried = f->tried;
    c->tried_count = f->count;
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
    SR_CHECK(try_list(b, k));
  choose_lists(b);
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
