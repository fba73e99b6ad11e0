/* SPDX-License-Identifier: Apache-2.0 */
/* pipeline: see pipeline.h. The properties that a pass needs are checked before it runs on a
 * function; a violation is the input's fault. The properties that must hold after a pass has
 * changed a function are checked before the next pass, or the next round of the same pass, reads
 * the module, and at the end; a violation is a bug. Each change is checked once. */
#include "passes/driver/pipeline.h"

#include "passes/analysis/verify_ssa.h"
#include "passes/base/text.h"
#include "passes/driver/kept_hint.h"
#include "passes/ir/decorations.h"
#include "passes/ir/finish.h"
#include "passes/ir/unknown.h"
#include "passes/transform/block_order.h"
#include "passes/transform/entry_interface.h"

SrPipeline sr_pipeline_new(SrArena *arena, SrModule *m) {
  return (SrPipeline){.m = m,
                      .known = SR_NEW(arena, unsigned, m->function_count),
                      .changed = SR_NEW(arena, bool, m->function_count),
                      .touched = SR_NEW(arena, bool, m->function_count),
                      .unconfirmed = SR_NEW(arena, bool, m->function_count),
                      .counts = SR_NEW(arena, SrTransformCounts, m->function_count),
                      .choice = SR_NEW(arena, SrChoice, m->function_count),
                      .best_order = SR_NEW(arena, const char *, m->function_count)};
}

static void before(SrPipeline *p, uint32_t i) {
  if (p->before)
    p->before(p, i);
}

static SrStatus run_on(SrPipeline *p, const SrPass *pass, SrPassRun *run, uint32_t i) {
  SrFunction *f = &p->m->functions[i];
  run->touched = p->touched[i];
  if (f->block_count == 0 || (p->only && !p->only[i]) || (p->lost && p->lost[i]) ||
      !pass->applies(run, f))
    return SR_OK;
  if (f->unknown != SR_NONE && !(pass->keeps & SR_PLACES)) {
    if (run->round == 0)
      sr_say_unknown(p->m, f, f->unknown);
    return SR_OK;
  }
  /* As long as nothing is known about a function, its body is still the input's. */
  SR_CHECK(sr_confirm(p->m, p->scratch, f, pass->needs & ~p->known[i], p->known[i] != 0));
  p->known[i] |= pass->needs;
  bool changed = false;
  before(p, i);
  run->counts = &p->counts[i];
  run->best_order = &p->best_order[i];
  SR_CHECK(pass->run(run, f, &changed));
  if (!changed)
    return SR_OK;
  p->changed[i] = p->touched[i] = p->unconfirmed[i] = true;
  p->known[i] = (p->known[i] & pass->keeps) | pass->makes;
  return SR_OK;
}

/* If the pipeline has a place to record it, a function that a pass refuses counts as lost. */
static SrStatus run_on_or_lose(SrPipeline *p, const SrPass *pass, SrPassRun *run, uint32_t i) {
  SrStatus status = run_on(p, pass, run, i);
  if (!p->lost || status == SR_OK || status == SR_BUG)
    return status;
  p->lost[i] = sr_text_copy(p->m->arena, p->m->diag->text);
  p->m->diag->status = SR_OK;
  return SR_OK;
}

static SrStatus confirm_changed(SrPipeline *p) {
  for (uint32_t i = 0; i < p->m->function_count; i++) {
    if (p->unconfirmed[i] && !(p->lost && p->lost[i]))
      SR_CHECK(sr_confirm(p->m, p->scratch, &p->m->functions[i], p->known[i], true));
    p->unconfirmed[i] = false;
  }
  return SR_OK;
}

static SrStatus run_round(SrPipeline *p, const SrStep *step, uint32_t round, bool *again) {
  SrArena arena = sr_arena_new(p->scratch->heap);
  SrPassRun run = {.m = p->m,
                   .arena = &arena,
                   .scratch = p->scratch,
                   .argument = step->argument,
                   .options = p->options,
                   .round = round};
  SrStatus status = SR_OK;
  for (uint32_t i = 0; status == SR_OK && i < p->m->function_count; i++) {
    SrMark mark = sr_arena_mark(p->scratch);
    status = run_on_or_lose(p, step->pass, &run, i);
    sr_arena_reset(p->scratch, mark);
  }
  sr_arena_free(&arena);
  sr_forget_decorations(p->m); /* the step may have added some */
  *again = run.again;
  return status;
}

static SrStatus run_step(SrPipeline *p, const SrStep *step) {
  bool again = true;
  if (step->pass->kind == SR_PASS_CHOICE && p->choose) {
    for (uint32_t i = 0; i < p->m->function_count; i++)
      before(p, i);
    return p->choose(p, step);
  }
  for (uint32_t round = 0; again; round++) {
    if (round)
      SR_CHECK(confirm_changed(p));
    SR_CHECK(run_round(p, step, round, &again));
  }
  return SR_OK;
}

/* ---- what compilers leave to repair ---------------------------------------------------------- */

/* llvm-spirv writes blocks before their dominators, and incomplete interfaces of entry points. Both
 * are repaired before the first pass, so that passes need not handle them, unless the list is only
 * `none`. Misplaced merge instructions, which the reader has dropped, are repaired there, too. */
static SrStatus repair_order(SrPipeline *p, uint32_t i) {
  SrFunction *f = &p->m->functions[i];
  if (f->block_count < 2 || sr_blocks_in_order(p->m, p->scratch, f))
    return SR_OK;
  SR_CHECK(sr_confirm(p->m, p->scratch, f, SR_SSA, false));
  before(p, i);
  p->known[i] |= SR_SSA;
  p->unconfirmed[i] = sr_order_blocks(p->m, p->scratch, f);
  p->changed[i] |= p->unconfirmed[i];
  return SR_OK;
}

static SrStatus repair(SrPipeline *p) {
  SrStatus status = SR_OK;
  SrMark start = sr_arena_mark(p->scratch);
  sr_complete_interfaces(p->m, p->scratch, p->changed);
  sr_arena_reset(p->scratch, start);
  for (uint32_t i = 0; status == SR_OK && i < p->m->function_count; i++) {
    SrMark mark = sr_arena_mark(p->scratch);
    if (p->m->functions[i].misplaced) {
      before(p, i);
      p->changed[i] = true;
      p->m->functions[i].misplaced = 0;
    }
    status = repair_order(p, i);
    sr_arena_reset(p->scratch, mark);
  }
  return status;
}

/* Restores or drops the controls that no merge instruction holds any more (kept_hint.h). */
static void keep_hints(SrPipeline *p) {
  bool restores = !(sr_pass_deciding(p->steps, p->step_count)->makes & SR_BARE);
  for (uint32_t i = 0; i < p->m->function_count; i++) {
    SrMark mark = sr_arena_mark(p->scratch);
    if (p->changed[i] && !(p->lost && p->lost[i]))
      sr_kept_hint(p->m, p->scratch, &p->m->functions[i], restores);
    sr_arena_reset(p->scratch, mark);
  }
}

static void lap(const SrPipeline *p, const char *name) {
  if (p->lap)
    p->lap(p->user, name);
}

SrStatus sr_pipeline_run(SrPipeline *p) {
  if (sr_pass_any(p->steps, p->step_count))
    SR_CHECK(repair(p));
  for (uint32_t k = 0; k < p->step_count; k++) {
    SR_CHECK(run_step(p, &p->steps[k]));
    lap(p, p->steps[k].pass->name);
    if (k + 1 == p->step_count) {
      keep_hints(p);
      SR_CHECK(sr_finish(p->m));
    }
    SR_CHECK(confirm_changed(p));
    lap(p, "check");
  }
  return SR_OK;
}

SrStatus sr_pipeline_run_part(SrPipeline *p, const SrStep *steps, uint32_t count,
                              const bool *only) {
  SrStatus status = SR_OK;
  p->only = only;
  for (uint32_t k = 0; status == SR_OK && k < count; k++) {
    status = run_step(p, &steps[k]);
    if (status == SR_OK)
      status = confirm_changed(p);
  }
  p->only = NULL;
  return status;
}

bool sr_pipeline_changed(const SrPipeline *p) {
  for (uint32_t i = 0; i < p->m->function_count; i++)
    if (p->changed[i])
      return true;
  return false;
}
