/* SPDX-License-Identifier: Apache-2.0 */
/* options: see options.h. */
#include "passes/driver/options.h"

#include "passes/analysis/graph/order_list.h"
#include "passes/driver/argument.h"
#include "passes/names/name_list.h"

enum {
  DEFAULT_GROWTH = 1000,
  NEEDED_GROWTH = 10000,
  KNOWN_WANTS = SPVRECONV_WANT_STATS | SPVRECONV_WANT_CFG_DOT | SPVRECONV_WANT_UNIFORMITY |
                SPVRECONV_WANT_FRONTIER | SPVRECONV_WANT_EXPLAIN | SPVRECONV_WANT_WAVE |
                SPVRECONV_WANT_ASSEMBLY | SPVRECONV_WANT_CHECK | SPVRECONV_WANT_EXPLAIN_PORTABLE |
                SPVRECONV_WANT_COST | SPVRECONV_WANT_LINT,
};

void spvreconv_options_init(spvreconv_options *options, size_t size) {
  memset(options, 0, size);
  options->size = size;
}

bool sr_options_size_is_sane(const spvreconv_options *given) {
  return given->size >= sizeof given->size && given->size <= SR_LARGEST_OPTIONS;
}

const char *sr_options_take(const spvreconv_options *given, spvreconv_options *all) {
  spvreconv_options_init(all, sizeof *all);
  if (!given)
    return NULL;
  if (!sr_options_size_is_sane(given))
    return "no version's options have this size; spvreconv_options_init sets it";
  memcpy(all, given, given->size < sizeof *all ? given->size : sizeof *all);
  const char *bytes = (const char *)given;
  for (size_t i = sizeof *all; i < given->size; i++)
    if (bytes[i])
      return "the options ask for something that version " SPVRECONV_VERSION " does not know";
  return NULL;
}

static SrStatus unknown(SrDiag *diag, const char *what, const SrNameList *list) {
  return sr_fail(diag, SR_BAD_OPTION, SR_NOWHERE, "unknown %s '%.*s'%s%s; there are: %s", what,
                 list->length < 80 ? (int)list->length : 80, list->wanted,
                 list->near ? ", nearest: " : "", list->near ? list->near : "", list->text);
}

/* Finds `text` in a list of names; NULL means the first. */
static SrStatus read_choice(SrDiag *diag, const char *what, const char *text,
                            const char *const *names, uint32_t *out) {
  *out = 0;
  if (!text)
    return SR_OK;
  for (uint32_t i = 0; names[i]; i++) {
    *out = i;
    if (strcmp(names[i], text) == 0)
      return SR_OK;
  }
  SrNameList list = {.wanted = text, .length = strlen(text)};
  for (uint32_t i = 0; names[i]; i++)
    sr_name_list_add(&list, names[i]);
  return unknown(diag, what, &list);
}

static SrStatus unknown_transform(SrDiag *diag, const char *name, size_t length) {
  SrNameList list = {.wanted = name, .length = length};
  for (size_t i = 0; sr_pass_at(i); i++)
    sr_name_list_add(&list, sr_pass_at(i)->name);
  return unknown(diag, "transform", &list);
}

/* Reads one entry of the list: NAME, or NAME:ARGUMENT. */
static SrStatus read_step(SrDiag *diag, SrArena *arena, const char *text, size_t length,
                          SrStep *step) {
  const char *colon = memchr(text, ':', length);
  size_t name = colon ? (size_t)(colon - text) : length;
  step->pass = sr_pass_find(text, name);
  if (!step->pass)
    return unknown_transform(diag, text, name);
  step->argument = colon ? sr_strndup(arena, colon + 1, length - name - 1) : NULL;
  return sr_argument_check(diag, arena, step->pass->name, step->pass->argument, step->argument);
}

SrStatus sr_options_read_transforms(SrDiag *diag, SrArena *arena, const char *list,
                                    SrOptions *out) {
  SR_VEC(SrStep) steps = {0};
  for (const char *p = list;; p++) {
    size_t length = strcspn(p, ",");
    SrStep step;
    SR_CHECK(read_step(diag, arena, p, length, &step));
    if (sr_profile_argument(step.argument))
      out->profiled = step.pass->name;
    if (sr_argument_is_pass(step.pass->argument, step.argument)) { /* it runs first */
      SR_PUSH(arena, &steps, (SrStep){.pass = sr_pass_find(step.argument, strlen(step.argument))});
      step.argument = NULL;
    }
    SR_PUSH(arena, &steps, step);
    p += length;
    if (!*p)
      break;
  }
  out->steps = steps.at;
  out->step_count = steps.count;
  return SR_OK;
}

/* Adds a transform to the end of the list. */
static void add_step(SrArena *arena, const char *name, SrOptions *out) {
  SrStep *steps = SR_NEW(arena, SrStep, out->step_count + 1);
  memcpy(steps, out->steps, out->step_count * sizeof *steps);
  steps[out->step_count++] = (SrStep){.pass = sr_pass_find(name, strlen(name))};
  out->steps = steps;
}

static SrStatus check_order(SrDiag *diag, const char *order) {
  if (!order || strcmp(order, "best") == 0 || sr_order_is_spec(order))
    return SR_OK;
  return sr_fail(diag, SR_BAD_OPTION, SR_NOWHERE,
                 "unknown order '%.80s'; there are: df, dfpd, bf, bfpd, rpo, domreg, lrpo, "
                 "ocelot, dfpd-oldest, bfpd-successor, cdep, best, [FUNCTION:]@BLOCK,BLOCK,…",
                 order);
}

static SrStatus read_env(SrDiag *diag, const char *text, SrOptions *out) {
  if (!text)
    return SR_OK;
  out->env_given = spvParseTargetEnv(text, &out->env);
  if (!out->env_given)
    return sr_fail(
        diag, SR_BAD_OPTION, SR_NOWHERE,
        "unknown target environment '%s'; those of spirv-val are known, such as vulkan1.3", text);
  return SR_OK;
}

SrStatus sr_options_read(const spvreconv_options *given, SrArena *arena, SrDiag *diag,
                         SrOptions *out) {
  static const char *const uniformities[] = {"analysis", "divergent", "uniform", NULL};
  static const SrUniformMode modes[] = {SR_UNIFORM_ANALYSIS, SR_UNIFORM_ALL_DIVERGENT,
                                        SR_UNIFORM_ALL_UNIFORM};
  static const char *const scopes[] = {"subgroup", "workgroup", NULL};
  static const char *const goals[] = {"size", "issues", NULL};
  static const char *const phis[] = {"keep", "variables", NULL};
  static const char *const structures[] = {"portable", "any", NULL};
  static const SrGoal goal_of[] = {SR_GOAL_SIZE, SR_GOAL_ISSUES};
  *out = (SrOptions){.order = given->order,
                     .drawing = given->drawing,
                     .drawing_user = given->drawing_user,
                     .validate = given->validate,
                     .max_growth = given->max_growth ? given->max_growth : DEFAULT_GROWTH,
                     .needed_growth = given->max_growth ? given->max_growth : NEEDED_GROWTH,
                     .tail_copy = given->tail_copy,
                     .limits = {given->max_blocks, given->max_ids, given->max_nesting},
                     .strip_debug = given->strip_debug,
                     .want = given->want,
                     .check_walks = given->check_walks,
                     .profiles = given->profiles,
                     .profile_count = given->profile_count,
                     .bounded = given->bounded,
                     .bounded_user = given->bounded_user};
  if (given->validate > SPVRECONV_VALIDATE_NONE)
    return sr_fail(diag, SR_BAD_OPTION, SR_NOWHERE, "unknown kind of validation %d",
                   (int)given->validate);
  if (given->want & ~KNOWN_WANTS)
    return sr_fail(diag, SR_BAD_OPTION, SR_NOWHERE, "unknown wants %#x",
                   given->want & ~KNOWN_WANTS);
  uint32_t choice;
  SR_CHECK(read_choice(diag, "uniformity", given->uniformity, uniformities, &choice));
  out->uniformity = modes[choice];
  SR_CHECK(read_choice(diag, "scope", given->scope, scopes, &choice));
  out->scope = choice ? SR_SCOPE_WORKGROUP : SR_SCOPE_SUBGROUP;
  SR_CHECK(read_choice(diag, "goal", given->goal, goals, &choice));
  out->goal = given->goal ? goal_of[choice] : SR_GOAL_NONE;
  SR_CHECK(read_choice(diag, "structure", given->structure, structures, &choice));
  out->structure = choice ? SR_STRUCTURE_ANY : SR_STRUCTURE_PORTABLE;
  SR_CHECK(check_order(diag, out->order));
  SR_CHECK(read_env(diag, given->target_env, out));
  if (!sr_wave_options_read(given->lowering, &out->lowering))
    return sr_fail(diag, SR_BAD_OPTION, SR_NOWHERE,
                   "unknown lowering '%.80s'; there are: needed-skips, flow-blocks, branch-masks",
                   given->lowering);
  SR_CHECK(
      sr_options_read_transforms(diag, arena, given->transform ? given->transform : "auto", out));
  SR_CHECK(read_choice(diag, "treatment of phis", given->phis, phis, &choice));
  if (choice)
    add_step(arena, "phi-variables", out);
  if (out->profiled && !out->profile_count)
    return sr_fail(
        diag, SR_BAD_OPTION, SR_NOWHERE,
        "transform %s: only the command spvreconv reads profiles; give it the module, or "
        "leave profile: out",
        out->profiled);
  return SR_OK;
}
