/* SPDX-License-Identifier: Apache-2.0 */
/* call_argument: see call_argument.h. A first walk finds which parameter a variable is passed to,
 * and whether its uses come in order. A second walk finds whether uses of other variables lie
 * between them. */
#include "passes/transform/share/call_argument.h"

#include "passes/ir/constants.h"
#include "passes/ir/decorations.h"
#include "passes/ir/edit.h"

/* What a parameter variable was used for last. */
enum { NOT_USED, STORED, PASSED, MISUSED };

typedef struct Walk {
  SrArena *arena;
  const SrModule *m;
  const SrFunction *f;
  const SrNest *nest;
  const uint32_t *parameters;
  SrPassedVariables *out;
  SR_VEC(uint32_t) uses; /* by parameter: uses of its variables */
} Walk;

typedef void Visit(Walk *k, SrPassed *v, SrRef r, uint32_t word, uint32_t block);

static void note_variables(Walk *k) {
  const SrModule *m = k->m;
  for (SR_EACH(m, r, k->f->blocks[0].list)) {
    const SrInst *in = sr_inst(m, r);
    if (in->op != SpvOpVariable || sr_word_count(m, r) > 4)
      continue;
    sr_map_set(&k->out->variable, in->result, k->out->at.count);
    SR_PUSH(k->arena, &k->out->at,
            (SrPassed){.id = in->result, .parameter = SR_NONE, .fits = true});
  }
}

static void for_uses(Walk *k, Visit *visit) {
  const SrModule *m = k->m;
  for (uint32_t b = 0; b < k->f->block_count; b++)
    for (SR_EACH(m, r, k->f->blocks[b].list))
      for (uint32_t i = sr_inst(m, r)->first; i < sr_word_count(m, r); i++) {
        uint32_t at = sr_word_is_id(m, r, i) ? sr_map_get(&k->out->variable, sr_words(m, r)[i])
                                             : (uint32_t)SR_NONE;
        if (at != SR_NONE)
          visit(k, &k->out->at.at[at], r, i, b);
      }
}

/* The parameter that word `word` of a call is passed to, in SrPassedVariables.shared. */
static uint32_t parameter_of(Walk *k, SrRef call, uint32_t word) {
  SrPassedVariables *o = k->out;
  uint32_t callee = sr_words(k->m, call)[3], first = sr_map_get(&o->parameter, callee);
  if (first == SR_NONE) {
    first = o->shared.count;
    sr_map_set(&o->parameter, callee, first);
    for (uint32_t i = SR_CALL_ARGUMENTS; i < sr_word_count(k->m, call); i++) {
      SR_PUSH(k->arena, &o->shared, (SrSharedVariable){0});
      SR_PUSH(k->arena, &k->uses, 0);
    }
  }
  return first + word - SR_CALL_ARGUMENTS;
}

static bool is_passed(const Walk *k, SrRef r, uint32_t word) {
  return word >= SR_CALL_ARGUMENTS && sr_is_candidate_call(k->m, r, k->parameters);
}

static uint8_t stage_after(const Walk *k, const SrPassed *v, SrRef r, uint32_t word) {
  uint32_t count = sr_word_count(k->m, r);
  switch (sr_inst(k->m, r)->op) {
  case SpvOpStore:
    return word == 1 && count == 3 && v->stage < PASSED ? STORED : MISUSED;
  case SpvOpLoad:
    return count == 4 && v->stage == PASSED ? PASSED : MISUSED;
  case SpvOpFunctionCall:
    return is_passed(k, r, word) && (v->stage == STORED || (v->stage == NOT_USED && k->nest &&
                                                            k->nest->inner[v->block] == SR_NONE))
               ? PASSED
               : MISUSED;
  default:
    return MISUSED;
  }
}

static void order_use(Walk *k, SrPassed *v, SrRef r, uint32_t word, uint32_t block) {
  if (v->stage == NOT_USED)
    v->block = block;
  if (is_passed(k, r, word))
    v->parameter = parameter_of(k, r, word);
  v->stage = v->block == block ? stage_after(k, v, r, word) : MISUSED;
  v->fits &= v->stage != MISUSED;
}

static void number_use(Walk *k, SrPassed *v, SrRef r, uint32_t word, uint32_t block) {
  (void)r, (void)word, (void)block;
  if (v->parameter == SR_NONE)
    return;
  v->last = k->uses.at[v->parameter]++;
  if (v->count++ == 0)
    v->first = v->last;
}

/* Closes the parameters for which an earlier run has made a variable. */
static void close_parameters(const Walk *k) {
  for (uint32_t i = 0; i < k->out->at.count; i++) {
    const SrPassed *v = &k->out->at.at[i];
    if (v->id >= k->m->input_bound && v->parameter != SR_NONE)
      k->out->shared.at[v->parameter].closed = true;
  }
}

SrPassedVariables sr_passed_variables(SrArena *arena, const SrModule *m, const SrFunction *f,
                                      const SrNest *nest, const uint32_t *parameters) {
  SrPassedVariables out = {.variable.arena = arena, .parameter.arena = arena};
  Walk k = {.arena = arena, .m = m, .f = f, .nest = nest, .parameters = parameters, .out = &out};
  note_variables(&k);
  for_uses(&k, order_use);
  for_uses(&k, number_use);
  close_parameters(&k);
  for (uint32_t i = 0; i < out.at.count; i++) {
    SrPassed *v = &out.at.at[i];
    v->fits &= v->parameter != SR_NONE && v->last - v->first + 1 == v->count &&
               !out.shared.at[v->parameter].closed;
  }
  return out;
}

static uint32_t argument_of(const SrModule *m, const SrCallSite *s, uint32_t index) {
  return sr_words(m, s->call)[SR_CALL_ARGUMENTS + index];
}

/* The parameter variable that a call passes, or NULL. */
static const SrPassed *variable_of(const SrModule *m, const SrPassedVariables *v,
                                   const SrCallSite *s, uint32_t index) {
  uint32_t at = sr_map_get(&v->variable, argument_of(m, s, index));
  return at != SR_NONE && v->at.at[at].fits ? &v->at.at[at] : NULL;
}

SrArgument sr_call_argument(SrModule *m, const SrPassedVariables *v, const SrCallSite *sites,
                            uint32_t count, uint32_t index) {
  uint32_t id = argument_of(m, sites, index);
  const SrPassed *first = variable_of(m, v, sites, index);
  bool same = true, variables = first != NULL;
  for (uint32_t i = 1; i < count; i++) {
    uint32_t other = argument_of(m, &sites[i], index);
    same &= other == id;
    variables &= variable_of(m, v, &sites[i], index) && sr_same_decorations(m, id, other);
  }
  if (same)
    return SR_ARGUMENT_SAME;
  if (sr_type_can_phi(m, sr_inst(m, sr_def(m, id))->type))
    return SR_ARGUMENT_PHI;
  uint32_t like = variables ? v->shared.at[first->parameter].like : 0;
  return variables && (!like || sr_same_decorations(m, id, like)) ? SR_ARGUMENT_VARIABLE
                                                                  : SR_ARGUMENT_NONE;
}

void sr_choose_variable(const SrModule *m, SrPassedVariables *v, const SrCallSite *first,
                        uint32_t index) {
  const SrPassed *variable = variable_of(m, v, first, index);
  uint32_t *like = &v->shared.at[variable->parameter].like;
  if (!*like)
    *like = variable->id;
}

uint32_t sr_shared_variable(SrModule *m, const SrFunction *f, SrPassedVariables *v,
                            const SrCallSite *first, uint32_t index) {
  SrSharedVariable *shared = &v->shared.at[variable_of(m, v, first, index)->parameter];
  if (shared->id)
    return shared->id;
  SrRef like = sr_def(m, shared->like);
  SrRef r = sr_clone(m, like);
  shared->id = sr_inst(m, r)->result;
  sr_insert_before(m, &f->blocks[0].list, like, r);
  sr_copy_decorations(m, shared->like, shared->id);
  sr_copy_name(m, shared->like, shared->id);
  return shared->id;
}
