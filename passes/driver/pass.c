/* SPDX-License-Identifier: Apache-2.0 */
/* pass: see pass.h. The functions here only adapt the transforms to the table. */
#include "passes/driver/pass.h"

#include "passes/analysis/structure/structure.h"
#include "passes/analysis/uniform/reconverging.h"
#include "passes/analysis/verify_ssa.h"
#include "passes/driver/recorded_paths.h"
#include "passes/ir/unknown.h"
#include "passes/transform/block_order.h"
#include "passes/transform/bound/bound_loops.h"
#include "passes/transform/copy/struct_copy.h"
#include "passes/transform/copy/tail_copy.h"
#include "passes/transform/inline/inline.h"
#include "passes/transform/iterations/merge_iterations.h"
#include "passes/transform/kernel/kernel_to_shader.h"
#include "passes/transform/linear/guard.h"
#include "passes/transform/linear/linearize.h"
#include "passes/transform/meld/meld.h"
#include "passes/transform/merge/merge_copies.h"
#include "passes/transform/phi_variables.h"
#include "passes/transform/reconverge/reconverge_pass.h"
#include "passes/transform/share/share_calls.h"
#include "passes/transform/speculative/speculative.h"
#include "passes/transform/strip_merges.h"
#include "passes/transform/structurize/structurize.h"
#include "passes/transform/undispatch/undispatch.h"
#include "passes/transform/unstructure/unstructure.h"

#include <stdlib.h>

/* ---- does a pass apply? ---- */

static bool never(const SrPassRun *r, const SrFunction *f) {
  (void)r, (void)f;
  return false;
}

static bool is_portable(const SrPassRun *r, const SrFunction *f) {
  SrMark mark = sr_arena_mark(r->scratch);
  SrViolations found = {0};
  bool portable = sr_structure_check_portably(r->scratch, r->m, f, 1, &found) == 0;
  sr_arena_reset(r->scratch, mark);
  return portable;
}

/* The options of structurize, with the argument of the entry in the list. */
static SrTailOptions tail_options(const SrPassRun *r) {
  SrTailOptions tails = {r->options.tail_copy, r->options.goal, r->options.max_growth,
                         r->options.structure};
  if (r->argument)
    (void)sr_tail_options_read(r->argument, &tails); /* it fits (argument.h) */
  return tails;
}

static SrStructCopy copy_options(const SrPassRun *r) {
  SrStructCopy copies = {.max_growth = r->options.max_growth, .structure = r->options.structure};
  if (r->argument)
    (void)sr_struct_copy_read(r->argument, &copies); /* it fits (argument.h) */
  return copies;
}

/* A structured function stays as it came, but a function that an earlier pass has changed gets
 * portable structure. */
static bool lacks_form(const SrPassRun *r, const SrFunction *f, SrStructureForm form) {
  return !sr_is_laid_out(r->m, r->scratch, f) ||
         (r->touched && form == SR_STRUCTURE_PORTABLE && !is_portable(r, f));
}

static bool is_unstructured(const SrPassRun *r, const SrFunction *f) {
  return lacks_form(r, f, tail_options(r).structure);
}

static bool may_need_copies(const SrPassRun *r, const SrFunction *f) {
  return lacks_form(r, f, copy_options(r).structure);
}

/* Kernels need no structure, but the structure that they declare must be right. */
static bool must_be_structured(const SrPassRun *r, const SrFunction *f) {
  return r->m->shader ? is_unstructured(r, f) : sr_structure_count(r->scratch, r->m, f) != 0;
}

static bool always(const SrPassRun *r, const SrFunction *f) {
  (void)r, (void)f;
  return true;
}

static bool has_merges(const SrPassRun *r, const SrFunction *f) {
  for (uint32_t b = 0; b < f->block_count; b++)
    if (sr_merge_inst(r->m, &f->blocks[b]) != SR_NONE)
      return true;
  return false;
}

static bool has_phis(const SrPassRun *r, const SrFunction *f) {
  for (uint32_t b = 0; b < f->block_count; b++)
    if (sr_has_phis(r->m, &f->blocks[b]))
      return true;
  return false;
}

static bool has_kernels(const SrPassRun *r, const SrFunction *f) {
  (void)f;
  return r->kept || sr_kernel_to_shader_applies(r->m);
}

static bool branches(const SrPassRun *r, const SrFunction *f) {
  (void)r;
  return f->block_count > 1;
}

/* ---- transforms of one function ---- */

/* After a pass that writes portable structure: replaces the phis that a driver miscompiles by
 * variables. It is a bug if the structure is not portable. */
static SrStatus finish_portable(SrPassRun *r, SrFunction *f, SrStructureForm structure) {
  SrViolations found = {0};
  if (structure != SR_STRUCTURE_PORTABLE)
    return SR_OK;
  if (r->m->shader)
    SR_CHECK(sr_phi_variables_flags(r->m, r->scratch, f, r->counts));
  if (sr_structure_check_portably(r->scratch, r->m, f, 1, &found) == 0)
    return SR_OK;
  SrWhere where = {.function = sr_function_name(r->m, r->scratch, f), .word = SR_NONE};
  return sr_fail(r->m->diag, SR_BUG, where, "not portable: %s", found.at[0].text);
}

/* Could different merge instructions change which lanes communicate in a structured function? If
 * so, reports that the function is left alone. */
static bool keeps_merges(SrPassRun *r, const SrFunction *f) {
  return sr_keeps_merges(r->m, r->scratch, f, sr_pass_cross_lane(r),
                         "structure that is not portable stays");
}

/* The same for any function, but only if an earlier pass has left it structured. */
static bool stays_as_left(SrPassRun *r, const SrFunction *f) {
  return r->touched && sr_is_laid_out(r->m, r->scratch, f) && keeps_merges(r, f);
}

/* A function that a pass has left structured, but not portable, is structurized. */
static SrStatus make_portable(SrPassRun *r, SrFunction *f) {
  const SrStructurize options = {.communicates = sr_bit(sr_pass_cross_lane(r), f->id)};
  if (r->options.structure != SR_STRUCTURE_PORTABLE)
    return SR_OK;
  if (!is_portable(r, f)) {
    if (keeps_merges(r, f))
      return SR_OK;
    SR_CHECK(sr_structurize(r->m, f, &options, r->counts));
  }
  return finish_portable(r, f, r->options.structure);
}

/* It is not known which words of an unknown instruction are ids, so every definition must still
 * dominate the instructions that it dominated before. */
static bool is_kept(const SrPassRun *r, const SrFunction *f, const SrStructurize *options) {
  if (f->unknown == SR_NONE || sr_structurize_keeps_places(r->m, f, options))
    return false;
  sr_say_unknown(r->m, f, f->unknown);
  return true;
}

static SrStatus structurize(SrPassRun *r, SrFunction *f, bool *changed) {
  const SrStructurize options = {.communicates = sr_bit(sr_pass_cross_lane(r), f->id),
                                 .structure = r->options.structure};
  if (is_kept(r, f, &options))
    return SR_OK;
  *changed = true;
  SR_CHECK(sr_structurize(r->m, f, &options, r->counts));
  return finish_portable(r, f, options.structure);
}

/* If a function has an unknown instruction, none of its blocks are copied. */
static SrStatus structurize_as_asked(SrPassRun *r, SrFunction *f, bool *changed) {
  const SrTailOptions tails = tail_options(r);
  const SrStructurize options = {tails.goal, sr_bit(sr_pass_cross_lane(r), f->id), tails.structure};
  if (is_kept(r, f, &options) || stays_as_left(r, f))
    return SR_OK;
  *changed = true;
  if (tails.most && f->unknown == SR_NONE)
    SR_CHECK(sr_copy_tails(r->m, f, sr_pass_cross_lane(r), &tails, r->counts));
  SR_CHECK(sr_structurize(r->m, f, &options, r->counts));
  return finish_portable(r, f, options.structure);
}

static SrStatus struct_copy(SrPassRun *r, SrFunction *f, bool *changed) {
  const SrStructCopy options = copy_options(r);
  if (stays_as_left(r, f))
    return SR_OK;
  *changed = true;
  SR_CHECK(sr_struct_copy(r->m, f, sr_pass_cross_lane(r), &options, r->counts));
  return finish_portable(r, f, options.structure);
}

static SrStatus merge_copies(SrPassRun *r, SrFunction *f, bool *changed) {
  return sr_merge_copies(r->m, f, sr_pass_cross_lane(r), r->counts, changed);
}

/* What passes that can follow recorded paths keep between functions. */
typedef struct Profiled {
  SrMergeIterations *merge;
  SrSpeculative *speculative;
  const SrRecorded *recorded; /* by function; NULL: there is no profile */
} Profiled;

static SrStatus begin_profiled(SrPassRun *r, Profiled **out) {
  Profiled *k = *out = SR_NEW(r->arena, Profiled, 1);
  if (sr_profile_argument(r->argument))
    SR_CHECK(sr_recorded_find(r->arena, r->m, r->options.profiles, r->options.profile_count,
                              &k->recorded));
  r->kept = k;
  return SR_OK;
}

/* The paths through f, in *room; NULL: there is no profile. */
static const SrLoopPaths *paths_of(const SrPassRun *r, const Profiled *k, const SrFunction *f,
                                   SrLoopPaths *room) {
  if (!k->recorded)
    return NULL;
  const SrRecorded *recorded = &k->recorded[f - r->m->functions];
  *room = (SrLoopPaths){recorded->subgroups, recorded->subgroup_count};
  return room;
}

static SrStatus merge_iterations(SrPassRun *r, SrFunction *f, bool *changed) {
  Profiled *k = r->kept;
  SrLoopPaths paths;
  if (!k) {
    SR_CHECK(begin_profiled(r, &k));
    k->merge = sr_merge_iterations_begin(r);
  }
  return sr_merge_iterations(r, k->merge, f, paths_of(r, k, f, &paths), changed);
}

static SrStatus speculative(SrPassRun *r, SrFunction *f, bool *changed) {
  Profiled *k = r->kept;
  SrLoopPaths paths;
  if (!k) {
    SR_CHECK(begin_profiled(r, &k));
    k->speculative = sr_speculative_begin(r);
  }
  return sr_speculative(r, k->speculative, f, paths_of(r, k, f, &paths), changed);
}

static SrStatus share_calls(SrPassRun *r, SrFunction *f, bool *changed) {
  if (!r->kept)
    r->kept = sr_share_calls_begin(r);
  return sr_share_calls(r, r->kept, f, changed);
}

static SrStatus inline_calls(SrPassRun *r, SrFunction *f, bool *changed) {
  if (r->argument)
    return sr_inline_all(r, f, changed);
  sr_inline(r, f, changed);
  return SR_OK;
}

static SrStatus kernel_to_shader(SrPassRun *r, SrFunction *f, bool *changed) {
  return sr_kernel_to_shader(r, f, changed);
}

static SrStatus bound_loops(SrPassRun *r, SrFunction *f, bool *changed) {
  unsigned long long most = r->argument ? strtoull(r->argument, NULL, 10) : SR_BOUND_LOOPS_MOST;
  SR_CHECK(sr_bound_loops(r, f, (uint32_t)most, changed));
  return *changed && sr_is_structured(r->scratch, r->m, f) ? make_portable(r, f) : SR_OK;
}

static SrStatus undispatch(SrPassRun *r, SrFunction *f, bool *changed) {
  return sr_undispatch(r->m, f, sr_pass_cross_lane(r), r->options.max_growth, r->counts, changed);
}

/* A function that cannot be linearized is structurized instead. */
static SrStatus structurize_instead(SrPassRun *r, SrFunction *f, bool *changed) {
  return sr_is_laid_out(r->m, r->scratch, f) ? SR_OK : structurize(r, f, changed);
}

static SrStatus linearize(SrPassRun *r, SrFunction *f, bool *changed) {
  bool admitted;
  SR_CHECK(sr_linearize_pass(r, f, changed, &admitted));
  return admitted ? make_portable(r, f) : structurize_instead(r, f, changed);
}

static SrStatus guard(SrPassRun *r, SrFunction *f, bool *changed) {
  bool admitted;
  SR_CHECK(sr_guard_pass(r, f, changed, &admitted));
  return admitted ? finish_portable(r, f, r->options.structure)
                  : structurize_instead(r, f, changed);
}

/* If a function has no structure, meld does not require any. */
static SrStatus meld(SrPassRun *r, SrFunction *f, bool *changed) {
  SR_CHECK(sr_meld(r, f, changed));
  return *changed && sr_is_structured(r->scratch, r->m, f) ? make_portable(r, f) : SR_OK;
}

static SrStatus strip_merges(SrPassRun *r, SrFunction *f, bool *changed) {
  return sr_strip_merges(r->m, r->scratch, f, sr_pass_cross_lane(r), changed);
}

/* Each function gets its own seed, so that equal functions are mangled differently. */
static SrStatus unstructure(SrPassRun *r, SrFunction *f, bool *changed) {
  uint64_t seed = strtoull(r->argument, NULL, 10);
  seed = (seed << 32) + (uint64_t)(f - r->m->functions);
  return sr_unstructure(r->m, r->scratch, f, sr_pass_cross_lane(r), seed, r->counts, changed);
}

/* ---- the table ---- */

enum {
  SSA = SR_SSA,
  STRUCTURED = SR_STRUCTURED,
  LOOSE = SR_LOOSE,
  FOLDS = SR_FOLDS,
  PLACES = SR_PLACES,
  BARE = SR_BARE,
  ENDS = SR_ENDS,
  REWRITES = SR_REWRITES
};

static const SrPass passes[] = {
#define SR_PASS(name, argument, tests, modules, compare, purpose, applies, run, kind, needs,       \
                makes, keeps)                                                                      \
  {name,  argument, purpose, SR_COMPARE_##compare, SR_PASS_##kind, applies, run,                   \
   needs, makes,    keeps},
#include "passes/driver/pass.def"
#undef SR_PASS
};

const SrPass *sr_pass_at(size_t index) {
  return index < sizeof passes / sizeof *passes ? &passes[index] : NULL;
}

const SrPass *sr_pass_find(const char *name, size_t length) {
  for (size_t i = 0; i < sizeof passes / sizeof *passes; i++)
    if (strlen(passes[i].name) == length && memcmp(passes[i].name, name, length) == 0)
      return &passes[i];
  return NULL;
}

/* inline:all gives code new ids in every copy. */
bool sr_step_rewrites(const SrStep *step) {
  return step->pass->makes & SR_REWRITES || (step->pass->run == inline_calls && step->argument);
}

bool sr_pass_any(const SrStep *steps, uint32_t count) {
  bool any = false;
  for (uint32_t k = 0; k < count; k++)
    any = any || steps[k].pass->run;
  return any;
}

const SrPass *sr_pass_deciding(const SrStep *steps, uint32_t count) {
  while (count > 1 && steps[count - 1].pass->keeps & SR_LOOSE)
    count--;
  return steps[count - 1].pass;
}

bool sr_profile_argument(const char *argument) {
  static const char prefix[] = "profile:";
  return argument && strncmp(argument, prefix, strlen(prefix)) == 0;
}

/* ---- properties ---- */

static SrStatus confirm_structure(const SrModule *m, SrArena *scratch, const SrFunction *f) {
  SrViolations found = {0};
  if (sr_structure_check(scratch, m, f, 1, &found) == 0)
    return SR_OK;
  SrWhere where = {.function = sr_function_name(m, scratch, f), .word = SR_NONE};
  return sr_fail(m->diag, SR_BAD_INPUT, where, "not structured: %s", found.at[0].text);
}

SrStatus sr_confirm(const SrModule *m, SrArena *scratch, const SrFunction *f, unsigned properties,
                    bool ours) {
  SrMark mark = sr_arena_mark(scratch);
  SrStatus status = SR_OK;
  if (properties & SR_SSA)
    status = sr_verify_ssa(m, scratch, f);
  if (status == SR_OK && properties & SR_STRUCTURED)
    status = confirm_structure(m, scratch, f);
  sr_arena_reset(scratch, mark);
  if (status == SR_BAD_INPUT && ours)
    status = m->diag->status = SR_BUG;
  return status;
}
