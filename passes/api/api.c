/* SPDX-License-Identifier: Apache-2.0 */
/* api: the public functions of spvreconv.h. One run reads, transforms, checks, writes and reports,
 * in two heaps: one for the work, which is freed in any case at the end, and one that the result
 * owns. If memory runs out, either heap jumps back to run_guarded. */
#include <spvreconv/spvreconv.h>

#include "passes/analysis/graph/order.h"
#include "passes/analysis/uniform/reconverging.h"
#include "passes/api/assemble_text.h"
#include "passes/api/inner_run.h"
#include "passes/api/version_choice.h"
#include "passes/base/clock.h"
#include "passes/base/text.h"
#include "passes/best/best.h"
#include "passes/check/check.h"
#include "passes/driver/dot.h"
#include "passes/driver/kernel_list.h"
#include "passes/driver/pipeline.h"
#include "passes/driver/repaired.h"
#include "passes/driver/result.h"
#include "passes/driver/run_costs.h"
#include "passes/driver/run_figures.h"
#include "passes/driver/validate.h"
#include "passes/ir/byte_order.h"
#include "passes/ir/copy_module.h"
#include "passes/ir/dump.h"
#include "passes/ir/promise.h"
#include "passes/ir/reader.h"
#include "passes/ir/writer.h"
#include "passes/source/source_message.h"
#include "passes/source/source_names.h"
#include "passes/source/source_text.h"
#include "passes/transform/reconverge/reconverge.h"
#include "passes/transform/strip_debug.h"
#include "passes/transform/wave/exec_mask.h"
#include "passes/transform/wave/wave_print.h"

#include <stdio.h>
#include <stdlib.h>

typedef struct Run {
  spvreconv_options given;
  const char *wrong;     /* the first error in `given`, or NULL */
  const uint32_t *words; /* the input's */
  const uint32_t *read;  /* the same words in the host's byte order */
  const char *text;      /* the input, if it is text; then `count` is its length in bytes */
  SrSourceText source;   /* of an input that is text, once it is assembled */
  size_t count;
  bool compares; /* this run only compares the input with `other` */
  const uint32_t *other;
  size_t other_count;
  spvreconv_result *result;
  SrHeap heap;
  SrArena arena, scratch;
  SrOptions options;
  SrModule *m;
  spv_binary assembled; /* of `text`; SPIRV-Tools' memory */
  spv_text printed;     /* SPIRV-Tools' memory, too */
  double lap;           /* when the last pass ended, in milliseconds */
} Run;

/* ---- timing ---- */

static double now(void) {
  return 1e3 * sr_now();
}

static void lap(void *user, const char *name) {
  Run *r = user;
  double t = now();
  SR_PUSH(&r->result->arena, &r->result->passes, (spvreconv_pass){name, t - r->lap});
  r->lap = now();
}

/* ---- the steps of a run ---- */

/* Replaces text as input by the words that it is assembled to. */
static SrStatus assemble(Run *r) {
  const SrVersionChoice choice = {&r->given, &r->options, spvreconv_run};
  spv_target_env env;
  if (!sr_version_choice(&choice, r->text, r->count, &env))
    longjmp(r->heap.out_of_memory, 1);
  SR_CHECK(sr_assemble_text(&r->result->diag, env, r->text, r->count, &r->assembled));
  const spv_binary made = r->assembled;
  r->source = (SrSourceText){r->text, r->count, made->code, made->wordCount};
  r->words = made->code;
  r->count = made->wordCount;
  return SR_OK;
}

/* The words in the host's byte order. */
static const uint32_t *ours(Run *r, const uint32_t *words, size_t count) {
  if (!sr_is_swapped(words, count))
    return words;
  uint32_t *swapped = SR_NEW_RAW(&r->arena, uint32_t, count);
  sr_swap(swapped, words, count);
  return swapped;
}

static SrStatus read_input(Run *r) {
  SrDiag *diag = &r->result->diag;
  if (r->text)
    SR_CHECK(assemble(r));
  r->result->input_count = r->count;
  r->read = ours(r, r->words, r->count);
  SR_CHECK(sr_limits_check_ids(&r->options.limits, diag, r->read, r->count));
  SR_CHECK(sr_read(&r->arena, diag, r->read, r->count, &r->m));
  sr_source_name_functions(r->m);
  sr_source_explain(r->m, NULL);
  lap(r, "read");
  return sr_limits_check_blocks(&r->options.limits, &r->scratch, r->m);
}

static SrStatus transform(Run *r, SrPipeline *p) {
  *p = sr_pipeline_new(&r->arena, r->m);
  p->scratch = &r->scratch;
  p->steps = r->options.steps;
  p->step_count = r->options.step_count;
  p->options = (SrPassOptions){.order = r->options.order,
                               .uniformity = r->options.uniformity,
                               .scope = r->options.scope,
                               .max_growth = r->options.max_growth,
                               .needed_growth = r->options.needed_growth,
                               .tail_copy = r->options.tail_copy,
                               .goal = r->options.goal,
                               .structure = r->options.structure,
                               .drawing = r->options.drawing,
                               .drawing_user = r->options.drawing_user,
                               .bounded = r->options.bounded,
                               .bounded_user = r->options.bounded_user};
  p->choose = sr_best;
  p->options.profiles = r->options.profiles;
  p->options.profile_count = r->options.profile_count;
  p->lap = lap;
  p->user = r;
  if (sr_pass_any(p->steps, p->step_count))
    sr_repaired_watch(&r->arena, p);
  SR_CHECK(sr_pipeline_run(p));
  r->result->changed = sr_pipeline_changed(p);
  if (r->options.strip_debug && sr_strip_debug(r->m, &r->scratch))
    r->result->changed = true;
  return SR_OK;
}

static void write_output(Run *r) {
  spvreconv_result *out = r->result;
  if (out->changed) {
    out->words = sr_write(r->m, &out->arena, &out->count);
  } else {
    out->count = r->count;
    out->words = SR_NEW_RAW(&out->arena, uint32_t, r->count);
    memcpy(out->words, r->words, r->count * sizeof *out->words);
  }
  lap(r, "write");
}

/* Does the output have to be validated? By default a run that only reads (its list of transforms is
 * only "none") accepts an invalid module. */
static bool wants_validation(const Run *r) {
  if (r->options.validate != SPVRECONV_VALIDATE_AUTO)
    return r->options.validate == SPVRECONV_VALIDATE_FULL;
  return r->options.strip_debug || sr_pass_any(r->options.steps, r->options.step_count);
}

static bool too_large(Run *r, const SrModule *m) {
  r->result->too_large = r->options.validate == SPVRECONV_VALIDATE_AUTO &&
                         sr_limits_is_large(&r->options.limits, &r->scratch, m);
  return r->result->too_large;
}

/* Does the list end with a transform that may leave a module unstructured on purpose? */
static bool ends_loose(const Run *r) {
  return sr_pass_deciding(r->options.steps, r->options.step_count)->makes & SR_LOOSE;
}

/* Does the output lack structure that it must have? Functions that the pipeline has confirmed are
 * not checked again. */
static bool lacks_structure(Run *r, const SrPipeline *p) {
  bool lacks = false;
  if (!r->m->shader || !(r->result->changed || ends_loose(r)))
    return false;
  for (uint32_t i = 0; i < r->m->function_count && !lacks; i++)
    lacks = r->m->functions[i].block_count > 0 && r->m->functions[i].unknown == SR_NONE &&
            !(p->known[i] & SR_STRUCTURED) &&
            !sr_is_structured(&r->scratch, r->m, &r->m->functions[i]);
  return lacks;
}

/* Says which promises of entry points are void in the output: only merge instructions determine
 * where lanes reconverge. */
static void say_void_promises(Run *r) {
  for (uint32_t i = 0; i < r->m->function_count; i++) {
    const SrFunction *f = &r->m->functions[i];
    if (!f->promises || !f->block_count || sr_is_structured(&r->scratch, r->m, f))
      continue;
    SrWhere where = {.function = sr_function_name(r->m, &r->arena, f), .word = SR_NONE};
    sr_notice(&r->result->diag, where,
              "the entry point promises %s, which means nothing before the function is structured",
              sr_promise_name(f->promises));
  }
}

/* Makes a structurized copy of the output, so that SPIRV-Tools can validate it. */
static SrStatus structurized_copy(Run *r, SrModule **copy, const uint32_t **words, size_t *count) {
  spvreconv_result *out = r->result;
  SR_CHECK(sr_read(&r->arena, &out->diag, out->words, out->count, copy));
  SrModule *m = *copy;
  SrStep step = {.pass = sr_pass_find("structurize", strlen("structurize"))};
  SrPipeline p = sr_pipeline_new(&r->arena, m);
  p.scratch = &r->scratch;
  p.steps = &step;
  p.step_count = 1;
  SR_CHECK(sr_pipeline_run(&p));
  *words = sr_write(m, &r->arena, count);
  return SR_OK;
}

/* Do the transforms make the input valid? `broken`: does the input itself break rules of
 * structure? */
static bool repairs(const Run *r, const char *transform, bool broken) {
  spvreconv_options options = sr_inner_run_options(&r->given, transform);
  options.target_env = r->given.target_env;
  spvreconv_result *result;
  bool valid = spvreconv_run(&options, r->read, r->count, &result) == SPVRECONV_OK &&
               (!broken || spvreconv_result_repair(result, 0));
  spvreconv_result_destroy(result);
  return valid;
}

static bool structures(const Run *r) {
  bool any = false;
  for (uint32_t i = 0; i < r->options.step_count; i++)
    any = any || r->options.steps[i].pass->makes & SR_STRUCTURED;
  return any;
}

static bool drops_merges(const Run *r) {
  bool any = false;
  for (uint32_t i = 0; i < r->options.step_count; i++)
    any = any || r->options.steps[i].pass->makes & SR_BARE;
  return any;
}

/* The advice that the message about an invalid input adds if transforms repair it. If a function
 * obeys the rules but a faulty validator refuses its control flow, it gets another structure. The
 * recursion of runs ends, because the inner runs have lists that structurize and drop merge
 * instructions. */
static const char *advice(void *user, bool control_flow) {
  const Run *r = user;
  if (!structures(r) && repairs(r, "auto", true))
    return "; --transform=auto repairs it";
  if (control_flow && !drops_merges(r) && repairs(r, "strip-merges,structurize", false))
    return "; --transform=strip-merges,structurize repairs it";
  return "";
}

static SrStatus validate(Run *r, const SrPipeline *done) {
  spvreconv_result *out = r->result;
  out->needs_structure = lacks_structure(r, done);
  if (out->needs_structure && r->options.validate == SPVRECONV_VALIDATE_NONE)
    say_void_promises(r);
  if (!wants_validation(r) || too_large(r, r->m))
    return SR_OK;
  SrValidation v = {.nesting = r->options.limits.nesting,
                    .strict = r->options.validate == SPVRECONV_VALIDATE_FULL,
                    .words = out->words,
                    .count = out->count,
                    .input = r->read,
                    .input_count = r->count,
                    .advice = advice,
                    .user = r};
  sr_validate_env(&v, &r->options, r->m);
  if (out->needs_structure && ends_loose(r)) {
    SrModule *copy;
    SR_CHECK(structurized_copy(r, &copy, &v.words, &v.count));
    if (too_large(r, copy))
      return SR_OK;
  } else if (!out->changed) {
    v.words = r->read;
    v.count = r->count;
  }
  SR_CHECK(sr_validate(r->m, &v));
  lap(r, "validate");
  return SR_OK;
}

/* Is the input valid apart from the violations of structure? */
static SrStatus validate_input(Run *r, bool structured) {
  if (r->options.validate == SPVRECONV_VALIDATE_NONE || too_large(r, r->m))
    return SR_OK;
  SrValidation v = {.nesting = r->options.limits.nesting,
                    .strict = r->options.validate == SPVRECONV_VALIDATE_FULL,
                    .words = r->read,
                    .count = r->count,
                    .input = r->read,
                    .input_count = r->count};
  sr_validate_env(&v, &r->options, r->m);
  return structured ? sr_validate(r->m, &v) : sr_validate_rest(r->m, &v);
}

static bool folds(const Run *r) {
  bool any = false;
  for (uint32_t i = 0; i < r->options.step_count; i++)
    any = any || r->options.steps[i].pass->makes & SR_FOLDS;
  return any;
}

enum { LEAST_CHECKED = 100000 }; /* a walk of the checker makes fewer iterations */

/* A walk with more iterations than the output's loops may have would report a difference. */
static bool ends_walks(const Run *r) {
  for (uint32_t i = 0; i < r->options.step_count; i++) {
    const SrStep *s = &r->options.steps[i];
    if (s->pass->makes & SR_ENDS && s->argument &&
        strtoull(s->argument, NULL, 10) < LEAST_CHECKED) {
      sr_notice(&r->result->diag, SR_NOWHERE,
                "not checked: %s:%.20s lets loops end before the walks of --check do; with %d "
                "iterations or more the output can be checked",
                s->pass->name, s->argument, LEAST_CHECKED);
      return true;
    }
  }
  return false;
}

/* A list that makes what no walk can follow: its result can only be run. */
static bool rewrites(const Run *r) {
  for (uint32_t i = 0; i < r->options.step_count; i++) {
    const SrStep *s = &r->options.steps[i];
    if (!sr_step_rewrites(s))
      continue;
    sr_notice(&r->result->diag, SR_NOWHERE,
              "not checked: %s%s%.20s rewrites what the walks of --check compare; run both modules "
              "to compare them",
              s->pass->name, s->argument ? ":" : "", s->argument ? s->argument : "");
    return true;
  }
  return false;
}

/* Compares the input with the output, or with a module that the caller gave. */
static SrStatus check(Run *r, const uint32_t *after, size_t count) {
  if (ends_walks(r) || rewrites(r))
    return SR_OK;
  spvreconv_result *out = r->result;
  SrCheckOptions options = {.walks = r->options.check_walks, .folds = folds(r)};
  SrCheckReport found;
  SrCheckInput in = {r->read, after, r->count, count};
  SR_CHECK(sr_check(&out->arena, &out->diag, &in, &options, &found));
  out->checked = true;
  out->check = (spvreconv_check){.functions = found.functions,
                                 .walks = found.walks,
                                 .edges = found.input.edges,
                                 .edges_covered = found.input.edges_covered,
                                 .pairs = found.input.pairs,
                                 .pairs_covered = found.input.pairs_covered,
                                 .differences = found.differences,
                                 .unchanged = found.unchanged,
                                 .output_edges = found.output.edges,
                                 .output_edges_covered = found.output.edges_covered,
                                 .output_pairs = found.output.pairs,
                                 .output_pairs_covered = found.output.pairs_covered};
  out->differences = found.text;
  lap(r, "compare");
  return found.differences ? sr_fail(&out->diag, SR_BUG, SR_NOWHERE, "%s", found.first) : SR_OK;
}

/* ---- reports ---- */

static SrUniform *uniform(Run *r) {
  return sr_uniform_build(&r->arena, r->m, r->options.uniformity, r->options.scope);
}

static SrStatus list_frontiers(Run *r) {
  if (!(r->options.want & SPVRECONV_WANT_FRONTIER))
    return SR_OK;
  return sr_frontiers_list(&r->result->arena, &r->scratch, r->m, r->options.order,
                           &r->result->frontiers);
}

static void draw(Run *r) {
  spvreconv_result *out = r->result;
  if (!(r->options.want & (SPVRECONV_WANT_CFG_DOT | SPVRECONV_WANT_UNIFORMITY)))
    return;
  const SrUniform *u = uniform(r);
  if (r->options.want & SPVRECONV_WANT_CFG_DOT)
    out->dot = sr_dot_module(&out->arena, r->m, u, &out->frontiers);
  if (r->options.want & SPVRECONV_WANT_UNIFORMITY) {
    size_t count;
    const uint32_t *words = sr_write(r->m, &r->arena, &count);
    const char *text = sr_dump_text(&r->arena, words, count, &r->printed);
    if (text)
      out->uniformity = sr_report_uniformity(&out->arena, r->m, u, text);
    spvTextDestroy(r->printed);
    r->printed = NULL;
  }
  lap(r, "draw");
}

static void print(Run *r) {
  spvreconv_result *out = r->result;
  if (!(r->options.want & SPVRECONV_WANT_ASSEMBLY))
    return;
  const char *text =
      sr_dump_text(&r->arena, out->changed ? out->words : r->read, out->count, &r->printed);
  if (text)
    out->assembly = sr_strndup(&out->arena, text, strlen(text));
  lap(r, "print");
}

/* Lowers all functions that have a body. */
static SrStatus lower(Run *r) {
  if (!(r->options.want & SPVRECONV_WANT_WAVE))
    return SR_OK;
  uint32_t *functions = SR_NEW(&r->arena, uint32_t, r->m->function_count), count = 0;
  for (uint32_t i = 0; i < r->m->function_count; i++)
    if (r->m->functions[i].block_count)
      functions[count++] = i;
  const SrUniform *u = uniform(r);
  SrWave *wave;
  SR_CHECK(sr_exec_mask_lower(&r->arena, r->m, u, functions, count, &r->options.lowering, &wave));
  r->result->wave = sr_wave_print(&r->result->arena, r->m, u, wave);
  lap(r, "lower");
  return SR_OK;
}

/* The order to report; with `best`, each function has its own, which reconverge chose. */
static const char *order_used(const Run *r) {
  const char *order = "lrpo";
  for (uint32_t i = 0; i < r->options.step_count; i++)
    if (r->options.steps[i].pass->compare == SR_COMPARE_ORDERS)
      order = SR_RECONVERGE_ORDER;
  return r->options.order ? r->options.order : order;
}

static SrStatus run_compare(Run *r) {
  if (!r->words || !r->other)
    return sr_fail(&r->result->diag, SR_BAD_INPUT, SR_NOWHERE,
                   "two modules are compared: one is NULL");
  const uint32_t *other = ours(r, r->other, r->other_count);
  r->read = ours(r, r->words, r->count);
  SR_CHECK(sr_limits_check_ids(&r->options.limits, &r->result->diag, r->read, r->count));
  SR_CHECK(sr_limits_check_ids(&r->options.limits, &r->result->diag, other, r->other_count));
  return check(r, other, r->other_count);
}

static SrStatus run(Run *r) {
  spvreconv_result *out = r->result;
  if (r->wrong)
    return sr_fail(&out->diag, SR_BAD_OPTION, SR_NOWHERE, "%s", r->wrong);
  SR_CHECK(sr_options_read(&r->given, &r->arena, &out->diag, &r->options));
  if (r->compares)
    return run_compare(r);
  SR_CHECK(read_input(r));
  if (r->options.want & SPVRECONV_WANT_EXPLAIN) {
    bool portable = r->options.want & ~SPVRECONV_WANT_EXPLAIN & SPVRECONV_WANT_EXPLAIN_PORTABLE;
    sr_explain(&out->arena, &r->scratch, r->m, &r->source, portable, &out->explanation);
    return validate_input(r, out->explanation.violations.count == 0);
  }
  if (r->options.want & SPVRECONV_WANT_LINT) {
    sr_lint(&out->arena, &r->scratch, r->m, &out->lint);
    lap(r, "lint");
    return r->options.validate == SPVRECONV_VALIDATE_FULL ? validate_input(r, true) : SR_OK;
  }
  SrReport report = {.out = &out->arena, .kept = &r->arena, .scratch = &r->scratch, .m = r->m};
  bool stats = r->options.want & SPVRECONV_WANT_STATS;
  if (stats)
    SR_CHECK(sr_report_before(&report, uniform(r), order_used(r), r->options.order));
  SrPipeline pipeline;
  SrModule *before = NULL;
  if (stats && r->options.want & SPVRECONV_WANT_COST)
    SR_CHECK(sr_copy_module(&r->arena, r->m, &before));
  SR_CHECK(transform(r, &pipeline));
  sr_kernel_list(out, r->m);
  write_output(r);
  if (r->options.want & SPVRECONV_WANT_CHECK)
    SR_CHECK(out->changed ? check(r, out->words, out->count) : check(r, r->read, r->count));
  SR_CHECK(validate(r, &pipeline));
  if (out->changed && pipeline.before)
    sr_repaired_list(out, &pipeline);
  if (stats) {
    SR_CHECK(sr_report_after(&report, out->changed ? uniform(r) : NULL, &pipeline));
    sr_report_repairs(&report, out);
    if (before)
      sr_run_costs(&report, before,
                   sr_uniform_build(&r->arena, before, r->options.uniformity, r->options.scope),
                   out->changed);
    out->functions = report.functions;
    out->function_count = report.count;
  }
  SR_CHECK(list_frontiers(r));
  draw(r);
  print(r);
  return lower(r);
}

/* ---- memory ---- */

/* False: memory ran out. *r survives the jump, because it is in memory and not in registers. */
static bool run_guarded(Run *r) {
  if (setjmp(r->heap.out_of_memory))
    return false;
  if (setjmp(r->result->heap.out_of_memory))
    return false;
  SrDiag *diag = &r->result->diag;
  SrStatus status = run(r);
  if (status != SR_OK && diag->status == SR_OK)
    diag->status = status;
  return true;
}

/* The caller's function of messages, with lines of the text. */
static void pass_on(void *user, const char *line) {
  const Run *r = user;
  char text[sizeof r->result->diag.text];
  snprintf(text, sizeof text, "%s", line);
  if (r->source.text)
    sr_source_text_place(&r->source, text, sizeof text);
  r->given.message(r->given.message_user, text);
}

static spvreconv_status start(Run *r, const spvreconv_options *given, spvreconv_result **result) {
  r->wrong = sr_options_take(given, &r->given);
  r->heap = (SrHeap){.resize = r->given.resize, .user = r->given.resize_user};
  *result = r->result = sr_result_new(&r->heap);
  if (!r->result)
    return SPVRECONV_OUT_OF_MEMORY;
  sr_heap_init(&r->heap);
  r->arena = sr_arena_new(&r->heap);
  r->scratch = sr_arena_new(&r->heap);
  r->result->diag = (SrDiag){.notice = r->given.message ? pass_on : NULL, .user = r};
  r->lap = now();
  bool done = run_guarded(r);
  sr_source_explain_not(&r->result->diag); /* it reads the module, which is freed next */
  if (r->source.text)
    sr_source_text_place(&r->source, r->result->diag.text, sizeof r->result->diag.text);
  spvTextDestroy(r->printed);
  spvBinaryDestroy(r->assembled);
  sr_heap_free_all(&r->heap);
  if (done)
    return spvreconv_result_status(r->result);
  spvreconv_result_destroy(r->result);
  *result = NULL;
  return SPVRECONV_OUT_OF_MEMORY;
}

/* ---- public ---- */

uint32_t spvreconv_version(void) {
  return SPVRECONV_VERSION_NUMBER;
}

const char *spvreconv_version_string(void) {
  return SPVRECONV_VERSION;
}

spvreconv_status spvreconv_run(const spvreconv_options *options, const uint32_t *words,
                               size_t count, spvreconv_result **result) {
  Run r = {.words = words, .count = count};
  return start(&r, options, result);
}

spvreconv_status spvreconv_run_text(const spvreconv_options *options, const char *text,
                                    size_t length, spvreconv_result **result) {
  Run r = {.text = text, .count = length};
  return start(&r, options, result);
}

spvreconv_status spvreconv_compare(const spvreconv_options *options, const uint32_t *before,
                                   size_t before_count, const uint32_t *after, size_t after_count,
                                   spvreconv_result **result) {
  Run r = {.words = before,
           .count = before_count,
           .compares = true,
           .other = after,
           .other_count = after_count};
  return start(&r, options, result);
}

bool spvreconv_compare_info(size_t index, const char **transform, const char **order) {
  *transform = *order = NULL;
  for (size_t i = 0; sr_pass_at(i); i++) {
    const SrPass *pass = sr_pass_at(i);
    *transform = pass->name;
    if (pass->compare == SR_COMPARE_ONCE && index-- == 0)
      return true;
    for (size_t k = 0; pass->compare == SR_COMPARE_ORDERS && (*order = sr_order_name(k)); k++)
      if (index-- == 0)
        return true;
  }
  *transform = NULL;
  return false;
}

bool spvreconv_transform_info(size_t index, const char **name, const char **purpose) {
  const SrPass *pass = sr_pass_at(index);
  *name = pass ? pass->name : NULL;
  *purpose = pass ? pass->purpose : NULL;
  return pass;
}
