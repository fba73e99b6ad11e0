/* SPDX-License-Identifier: Apache-2.0 */
/* lint_reason: see lint_reason.h. Two chains are followed: of control (a partial block, the call of
 * its function, the call in which lanes end) to a divergent branch, and of values from the branch's
 * condition to its source. A step of the second chain is a note only if it is a load or phi of a
 * named variable, or on another line than the step before. */
#include "passes/lint/lint_reason.h"

#include "passes/base/text.h"
#include "passes/ir/grammar.h"
#include "passes/ir/integer.h"
#include "passes/ir/pointer.h"
#include "passes/source/source_walk.h"

/* The chains are finite; these limit what is printed of long ones. */
enum { MOST_STEPS = 64, MOST_REASONS = 10 };

/* The OpFunction that the instruction is in. */
static SrRef function_of(const SrModule *m, const SrLintCalls *calls, SrRef r) {
  SrRef start = sr_source_start(m, r);
  while (start != SR_NONE && !sr_inst(m, start)->result)
    start = sr_inst(m, start)->next;
  uint32_t f = start == SR_NONE ? SR_NONE : calls->function_at[sr_inst(m, start)->result];
  return f == SR_NONE ? r : sr_def(m, m->functions[f].id);
}

const char *sr_lint_place(SrArena *out, SrSource *source, const SrLintCalls *calls, SrRef r,
                          uint32_t *line) {
  SrSourcePlace place = sr_source_at(source, r);
  if (place.file == SR_NONE || !place.line) /* as glslang writes a switch at the start */
    place = sr_source_at(source, function_of(source->m, calls, r));
  *line = place.file == SR_NONE ? 0 : place.line;
  return *line ? sr_text_copy(out, source->files.at[place.file].name) : NULL;
}

static void add(SrLintReason *k, SrRef r, const char *text) {
  spvreconv_reason reason = {.text = text};
  if (k->reasons.count == MOST_REASONS)
    return;
  if (r != SR_NONE)
    reason.file = sr_lint_place(k->out, k->source, k->calls, r, &reason.line);
  SR_PUSH(k->out, &k->reasons, reason);
}

static uint32_t last_line(const SrLintReason *k) {
  return k->reasons.count ? SR_LAST(&k->reasons).line : 0;
}

static SrRef end_of(const SrLintReason *k, uint32_t number) {
  uint32_t f = k->calls->owner[number];
  return sr_terminator(&k->m->functions[f].blocks[number - k->calls->base[f]]);
}

/* ---- values ---- */

/* The variable or parameter from which a pointer is computed by access chains. */
static uint32_t variable_of(const SrModule *m, uint32_t pointer) {
  SrRef def = sr_def(m, pointer);
  for (uint32_t base; def != SR_NONE && (base = sr_chain_base(m, def)); def = sr_def(m, pointer))
    pointer = base;
  return pointer;
}

/* The name of the member that a load reads, of a block without a name, whose members are global in
 * GLSL; NULL: there is none. */
static const char *name_of_member(const SrModule *m, SrRef load, uint32_t variable) {
  SrRef chain = sr_def(m, sr_words(m, load)[3]), def = sr_def(m, variable);
  SrInteger index;
  if (!sr_chain_base(m, chain) || sr_word_count(m, chain) < 5 || def == SR_NONE ||
      !sr_integer_constant(m, sr_words(m, chain)[4], &index))
    return NULL;
  uint32_t type = sr_variable_type(m, def);
  for (SR_EACH(m, r, m->globals)) {
    const uint32_t *w = sr_words(m, r);
    if (sr_inst(m, r)->op == SpvOpMemberName && w[1] == type && w[2] == index.bits)
      return (const char *)&w[3];
  }
  return NULL;
}

/* The source's name for the value or, for a load, for the variable; NULL: there is none. */
static const char *name_of(const SrLintReason *k, uint32_t id) {
  const SrModule *m = k->m;
  SrRef def = sr_def(m, id);
  if (k->values[id])
    return k->values[id];
  if (def != SR_NONE && sr_inst(m, def)->op == SpvOpLoad)
    id = variable_of(m, sr_words(m, def)[3]);
  if (k->names[id] && *k->names[id])
    return k->names[id];
  return def != SR_NONE && sr_inst(m, def)->op == SpvOpLoad ? name_of_member(m, def, id) : NULL;
}

static const char *quoted(const SrLintReason *k, const char *name) {
  SrText text = {.arena = k->out};
  if (!name)
    return NULL;
  sr_text_add(&text, "'%s'", name);
  return sr_text_end(&text);
}

static const char *text_of_load(const SrLintReason *k, SrText *text, SrRef def) {
  const SrModule *m = k->m;
  uint32_t pointer = sr_words(m, def)[3], storage = sr_pointer_class(m, pointer);
  const char *name = quoted(k, name_of(k, sr_inst(m, def)->result));
  if (storage == SpvStorageClassInput)
    sr_text_add(text, "%s differs between the lanes of a %s", name ? name : "an input", k->lanes);
  else
    sr_text_add(text, "%s is memory that lanes write: what they read may differ",
                name ? name : "what is loaded here");
  return sr_text_end(text);
}

static void explain_source(SrLintReason *k, uint32_t id) {
  const SrModule *m = k->m;
  SrRef def = id < sr_bound(m) ? sr_def(m, id) : SR_NONE;
  SrText text = {.arena = k->out};
  if (def == SR_NONE) {
    add(k, SR_NONE, "a variable of a function that is called again is read before it is set");
    return;
  }
  switch (sr_inst(m, def)->op) {
  case SpvOpLoad:
    add(k, def, text_of_load(k, &text, def));
    return;
  case SpvOpFunctionParameter:
    add(k, def, "a parameter: other modules may call the function with any values");
    return;
  case SpvOpFunctionCall:
    add(k, def, "the result of a function that this module does not define");
    return;
  default:
    sr_text_add(&text, "Op%s gives lanes different results", sr_grammar_name(sr_inst(m, def)->op));
    add(k, def, sr_text_end(&text));
  }
}

/* A step in which `id` depends on another value. */
static void explain_step(SrLintReason *k, uint32_t id) {
  const SrModule *m = k->m;
  SrRef def = id < sr_bound(m) ? sr_def(m, id) : SR_NONE;
  uint32_t line;
  if (def == SR_NONE || sr_inst(m, def)->op == SpvOpFunctionParameter)
    return;
  (void)sr_lint_place(k->out, k->source, k->calls, def, &line);
  uint16_t op = sr_inst(m, def)->op;
  const char *name = op == SpvOpLoad || op == SpvOpPhi ? name_of(k, id) : NULL;
  if (!name && (line == last_line(k) || !line))
    return;
  SrText text = {.arena = k->out};
  if (name)
    sr_text_add(&text, "'%s' may differ between lanes here", name);
  else
    sr_text_add(&text, "computed here from a value that may differ");
  add(k, def, sr_text_end(&text));
}

static bool is_divergent_branch(const SrLintReason *k, uint32_t number) {
  uint32_t f = k->calls->owner[number];
  return !sr_uniform_branch(k->control->uniform, k->m, &k->m->functions[f],
                            number - k->calls->base[f]);
}

/* The condition of the branch at the end of the block. */
static uint32_t condition_of(const SrLintReason *k, uint32_t number) {
  SrRef end = end_of(k, number);
  return sr_words(k->m, end)[1];
}

static void explain_value(SrLintReason *k, uint32_t id) {
  for (uint32_t step = 0; step < MOST_STEPS; step++) {
    SrCause c = sr_uniform_cause(k->control->uniform, id);
    if (c.kind == SR_CAUSE_SOURCE) {
      explain_source(k, id);
      return;
    }
    if (c.kind == SR_CAUSE_VALUE) {
      explain_step(k, id);
      id = c.from;
      continue;
    }
    if (c.kind == SR_CAUSE_NONE || !is_divergent_branch(k, c.from))
      return;
    explain_step(k, id);
    add(k, end_of(k, c.from),
        c.kind == SR_CAUSE_PATH ? "it depends on the way that lanes take at this branch"
        : c.kind == SR_CAUSE_ITERATION
            ? "lanes may leave the loop around it in different iterations, by this "
              "branch"
            : "by this branch, only some of the lanes may compute it together");
    id = condition_of(k, c.from);
  }
}

/* ---- control ---- */

static void explain_branch(SrLintReason *k, uint32_t number) {
  SrText text = {.arena = k->out};
  sr_text_add(&text, "lanes of a %s may go different ways at this branch", k->lanes);
  add(k, end_of(k, number), sr_text_end(&text));
  explain_value(k, condition_of(k, number));
}

static const char *callee_name(const SrLintReason *k, SrRef call) {
  const SrModule *m = k->m;
  uint32_t f = k->calls->function_at[sr_words(m, call)[3]];
  return sr_function_name(m, k->out, &m->functions[f]);
}

/* The call in a block of the function that `number` is in. */
static SrRef call_of(const SrLintReason *k, uint32_t site, uint32_t number) {
  uint32_t f = k->calls->owner[number];
  for (uint32_t i = k->calls->sites.at[f]; i < k->calls->sites.at[f + 1]; i++)
    if (k->calls->site_blocks.number[i] == site)
      return k->calls->sites.number[i];
  return end_of(k, site);
}

/* Returns the number of the block in which lanes end. */
static uint32_t explain_end(SrLintReason *k, SrRef call) {
  SrText text = {.arena = k->out};
  uint32_t f = k->calls->function_at[sr_words(k->m, call)[3]], number = k->control->end[f];
  sr_text_add(&text, "only some of the lanes may return from '%s': the others end",
              callee_name(k, call));
  add(k, call, sr_text_end(&text));
  SrRef deeper = k->control->ends[number];
  if (deeper == SR_NONE)
    add(k, end_of(k, number), "they end here");
  return number;
}

void sr_lint_reason(SrLintReason *k, uint32_t number, SrRef r) {
  SrRef ended = k->control->ends[number];
  for (uint32_t step = 0; step < MOST_STEPS; step++) {
    SrPartial p = k->control->partial[number];
    if (p.kind == SR_PARTIAL_NOT && ended != SR_NONE && ended < r) {
      number = explain_end(k, ended);
      ended = k->control->ends[number];
      r = SR_NONE; /* any call in that block */
    } else if (p.kind == SR_PARTIAL_ENDED) {
      number = explain_end(k, p.call);
    } else if (p.kind == SR_PARTIAL_CALL) {
      SrText text = {.arena = k->out};
      SrRef call = call_of(k, p.block, number);
      sr_text_add(&text, "only some of the lanes may call '%s' here", callee_name(k, call));
      add(k, call, sr_text_end(&text));
      number = p.block;
    } else if (p.kind == SR_PARTIAL_BRANCH) {
      explain_branch(k, p.block);
      return;
    } else {
      return;
    }
  }
}
