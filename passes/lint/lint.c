/* SPDX-License-Identifier: Apache-2.0 */
/* lint: see lint.h. lint.def lists the rules; the analysis of a scope is made when the first
 * operation that needs it is met. */
#include "passes/lint/lint.h"

#include "passes/analysis/uniform/settled_loads.h"
#include "passes/base/text.h"
#include "passes/ir/effects.h"
#include "passes/ir/grammar.h"
#include "passes/ir/integer.h"
#include "passes/ir/newer.h"
#include "passes/ir/promise.h"
#include "passes/lint/lint_reason.h"
#include "passes/source/source_names.h"

typedef enum Rule {
#define SR_LINT(name, scope, lanes, text) RULE_##name,
#include "passes/names/lint.def"
#undef SR_LINT
  NO_RULE,
} Rule;

static const struct {
  const char *name;
  SrScope scope;
  const char *lanes, *text;
} rules[] = {
#define SR_LINT(name, scope, lanes, text) {#name, SR_SCOPE_##scope, lanes, text},
#include "passes/names/lint.def"
#undef SR_LINT
};

enum { SCOPES = 3, FRAGMENT = 1u << SpvExecutionModelFragment };

typedef struct Work {
  SrArena *out, *scratch;
  const SrModule *m;
  SrLint *lint;
  SrLintCalls *calls;
  SrLintControl *control[SCOPES]; /* by scope; NULL: not needed yet */
  const SrBits *settled;
  SrSource *source;
  const char **names, **values;
} Work;

/* ---- which rule ---- */

static bool in(uint32_t op, uint32_t first, uint32_t last) {
  return first <= op && op <= last;
}

static Rule rule_of_scope(const SrModule *m, uint32_t id) {
  SrInteger scope;
  if (!sr_integer_constant(m, id, &scope) || scope.bits <= SpvScopeWorkgroup)
    return RULE_barrier;
  return scope.bits == SpvScopeSubgroup ? RULE_subgroup : NO_RULE;
}

static Rule rule_of_quad(uint32_t op, uint32_t models) {
  if (in(op, SpvOpGroupNonUniformQuadBroadcast, SpvOpGroupNonUniformQuadSwap) ||
      in(op, SR_OP_QUAD_ALL, SR_OP_QUAD_ANY))
    return RULE_quad;
  if (!(models & FRAGMENT))
    return NO_RULE;
  return in(op, SpvOpDPdx, SpvOpFwidthCoarse) ? RULE_derivative : RULE_sample;
}

static Rule rule_of(const SrModule *m, SrRef r, uint32_t models) {
  const SrInst *inst = sr_inst(m, r);
  if (inst->unknown || !sr_is_cross_lane(m, r) || sr_reads_ballot(m, r))
    return NO_RULE;
  if (sr_is_quad_operation(m, r))
    return rule_of_quad(inst->op, models);
  if (inst->op == SpvOpControlBarrier || in(inst->op, SpvOpGroupAsyncCopy, SpvOpGroupSMax) ||
      in(inst->op, SpvOpGroupIMulKHR, SpvOpGroupLogicalXorKHR))
    return rule_of_scope(m, sr_words(m, r)[inst->result ? 3 : 1]);
  if (in(inst->op, SpvOpEmitMeshTasksEXT, SpvOpSetMeshOutputsEXT))
    return RULE_barrier;
  return RULE_subgroup;
}

/* ---- findings ---- */

static const SrLintControl *control_of(Work *w, SrScope scope) {
  if (!w->settled)
    w->settled = sr_settled_loads(w->scratch, w->m);
  if (!w->control[scope])
    w->control[scope] =
        sr_lint_control(w->scratch, w->m, w->calls, scope, scope != SR_SCOPE_SUBGROUP, w->settled);
  return w->control[scope];
}

static void read_names(Work *w) {
  if (w->source)
    return;
  w->source = sr_source_new(w->scratch, w->m);
  w->names = sr_source_names(w->scratch, w->m);
  w->values = sr_source_value_names(w->scratch, w->m);
}

static void report(Work *w, uint32_t number, SrRef r, Rule rule) {
  const SrModule *m = w->m;
  uint32_t f = w->calls->owner[number];
  const SrFunction *function = &m->functions[f];
  read_names(w);
  SrLintReason reason = {.out = w->out,
                         .m = m,
                         .calls = w->calls,
                         .control = w->control[rules[rule].scope],
                         .source = w->source,
                         .names = w->names,
                         .values = w->values,
                         .lanes = rules[rule].lanes};
  sr_lint_reason(&reason, number, r);
  SrText text = {.arena = w->out};
  sr_text_add(&text, "Op%s %s", sr_grammar_name(sr_inst(m, r)->op), rules[rule].text);
  spvreconv_finding finding = {.rule = rules[rule].name,
                               .scope = rules[rule].lanes,
                               .function =
                                   sr_text_copy(w->out, sr_function_name(m, w->scratch, function)),
                               .function_id = function->id,
                               .block = function->blocks[number - w->calls->base[f]].id,
                               .text = sr_text_end(&text),
                               .reasons = reason.reasons.at,
                               .reason_count = reason.reasons.count};
  finding.file = sr_lint_place(w->out, w->source, w->calls, r, &finding.line);
  SR_PUSH(w->out, &w->lint->findings, finding);
}

static void look_at(Work *w, uint32_t number, SrRef r) {
  uint32_t f = w->calls->owner[number];
  Rule rule = rule_of(w->m, r, w->calls->models[f]);
  if (rule == NO_RULE ||
      (rule == RULE_subgroup && w->m->functions[f].promises & SR_PROMISE_MAXIMAL))
    return;
  const SrLintControl *c = control_of(w, rules[rule].scope);
  if (c->partial[number].kind != SR_PARTIAL_NOT ||
      (c->ends[number] != SR_NONE && c->ends[number] < r))
    report(w, number, r, rule);
}

void sr_lint(SrArena *out, SrArena *scratch, const SrModule *m, SrLint *lint) {
  *lint = (SrLint){0};
  Work w = {.out = out, .scratch = scratch, .m = m, .lint = lint};
  w.calls = sr_lint_calls(scratch, m);
  for (uint32_t n = 0; n < w.calls->base[m->function_count]; n++) {
    uint32_t f = w.calls->owner[n];
    if (w.calls->models[f])
      for (SR_EACH(m, r, m->functions[f].blocks[n - w.calls->base[f]].list))
        look_at(&w, n, r);
  }
}
