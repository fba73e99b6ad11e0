/* SPDX-License-Identifier: Apache-2.0 */
/* debug_name: see debug_name.h. */
#include "spv-emu/debug/debug_name.h"

#include "passes/base/compiler.h"
#include "passes/base/sort.h"
#include "passes/source/source_names.h"
#include "spv-emu/debug/debug_lanes.h"

#include <ctype.h>
#include <inttypes.h>
#include <spirv/unified1/NonSemanticShaderDebugInfo100.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

/* ---- what the module says -------------------------------------------------------------------- */

/* The variable of the source in that function, added if needed. */
static uint32_t source_variable(EmuDebugger *d, const char *name, uint32_t function) {
  for (uint32_t i = 0; i < d->variables.count; i++)
    if (d->variables.at[i].function == function && strcmp(d->variables.at[i].name, name) == 0)
      return i;
  SR_PUSH(d->arena, &d->variables, (EmuSourceVariable){name, function});
  return d->variables.count - 1;
}

enum { VALUE_OPERANDS = 3 }; /* of a DebugValue: variable, value, expression */

/* Notes a DebugValue of a whole value: one whose expression has no operations.
 * */
static void note_assignment(EmuDebugger *d, SrRef r, uint32_t function, uint32_t step) {
  const SrModule *m = d->p->module;
  bool shader;
  uint32_t first = sr_inst(m, r)->first + 2; /* after the set and the opcode */
  if (sr_source_opcode(m, r, &shader) != NonSemanticShaderDebugInfo100DebugValue ||
      sr_word_count(m, r) != first + VALUE_OPERANDS)
    return;
  const uint32_t *w = &sr_words(m, r)[first];
  SrRef local = sr_def(m, w[0]), expression = sr_def(m, w[2]);
  if (local == SR_NONE || expression == SR_NONE || sr_word_count(m, local) <= first ||
      sr_source_opcode(m, local, &shader) != NonSemanticShaderDebugInfo100DebugLocalVariable ||
      sr_word_count(m, expression) != first)
    return;
  SrRef name = sr_def(m, sr_words(m, local)[first]);
  if (name == SR_NONE || sr_inst(m, name)->op != SpvOpString || w[1] >= d->p->debug->bound)
    return;
  uint32_t variable = source_variable(d, (const char *)&sr_words(m, name)[2], function);
  SR_PUSH(d->arena, &d->assigned, (EmuAssigned){step, variable, w[1], d->assigned.count});
}

/* Where the block's values are computed, and what it assigns. */
static void walk_block(EmuDebugger *d, uint32_t block) {
  const EmuStepRange *of = &d->p->steps_of[block];
  const EmuBlock *b = &d->p->blocks.at[block];
  const SrModule *m = d->p->module;
  uint32_t begun = 0;
  if (b->first == SR_NONE)
    return;
  for (SrRef r = b->first;; r = sr_inst(m, r)->next) {
    const SrInst *in = sr_inst(m, r);
    begun += sr_counts(in);
    if (in->result && in->result < d->p->debug->bound)
      ((EmuDefined *)d->defined)[in->result] = (EmuDefined){block, begun};
    if (in->nonsemantic && begun < of->count)
      note_assignment(d, r, b->function, of->first + begun);
    if (r == b->last)
      return;
  }
}

/* Parameters are there when the function begins. */
static void define_parameters(EmuDebugger *d, const EmuFunction *f) {
  const SrModule *m = d->p->module;
  uint32_t i = 0;
  while (i < m->function_count && m->functions[i].id != f->id)
    i++;
  for (SR_EACH(m, r, m->functions[i].head))
    if (sr_inst(m, r)->op == SpvOpFunctionParameter)
      ((EmuDefined *)d->defined)[sr_inst(m, r)->result] = (EmuDefined){f->first, 0};
}

/* The result of a call is there once its lanes run the block after it. */
static void define_call(EmuDebugger *d, uint32_t block) {
  const EmuBlock *b = &d->p->blocks.at[block];
  uint32_t id = b->end == EMU_END_CALL ? sr_inst(d->p->module, b->last)->result : 0;
  if (id)
    ((EmuDefined *)d->defined)[id] = (EmuDefined){b->next, 0};
}

static int by_step(const void *a, const void *b) {
  const EmuAssigned *x = a, *y = b;
  if (x->step != y->step)
    return x->step < y->step ? -1 : 1;
  return (x->order > y->order) - (x->order < y->order);
}

void emu_debug_names(EmuDebugger *d) {
  uint32_t bound = d->p->debug->bound;
  EmuDefined *defined = SR_NEW_RAW(d->arena, EmuDefined, bound);
  for (uint32_t id = 0; id < bound; id++)
    defined[id] = (EmuDefined){SR_NONE, 0};
  d->defined = defined;
  d->names = sr_source_names(d->arena, d->p->module);
  emu_debug_name_members(d);
  for (uint32_t b = 0; b < d->p->blocks.count; b++)
    walk_block(d, b);
  for (uint32_t b = 0; b < d->p->blocks.count; b++)
    define_call(d, b);
  for (uint32_t f = 0; f < d->p->functions.count; f++)
    define_parameters(d, &d->p->functions.at[f]);
  sr_sort(d->arena, d->assigned.at, d->assigned.count, sizeof *d->assigned.at, by_step);
}

void emu_debug_assign(EmuDebugger *d) {
  uint32_t step = emu_debug_step(d), low = 0, high = d->assigned.count;
  while (low < high) {
    uint32_t middle = (low + high) / 2;
    if (d->assigned.at[middle].step < step)
      low = middle + 1;
    else
      high = middle;
  }
  for (; low < d->assigned.count && d->assigned.at[low].step == step; low++) {
    const EmuAssigned *a = &d->assigned.at[low];
    for (EMU_EACH_LANE(lane, &d->e->lanes.on, d->e->lanes.words))
      d->sub->value[a->name * d->e->lanes.size + lane] = a->id;
  }
}

/* ---- names ----------------------------------------------------------------------------------- */

typedef struct Name {
  const char *text;
  size_t length;
} Name;

static bool is_name(Name n, const char *name) {
  return name && strlen(name) == n.length && memcmp(name, n.text, n.length) == 0;
}

bool emu_debug_is_of(const EmuDebugger *d, uint32_t id, uint32_t function) {
  uint32_t block = d->defined[id].block;
  return function == (block == SR_NONE ? SR_NONE : d->p->blocks.at[block].function);
}

uint32_t emu_debug_function_of(const EmuDebugger *d, const EmuView *v) {
  if (v->source)
    return d->variables.at[v->source - 1].function;
  uint32_t block = d->defined[v->id].block;
  return block == SR_NONE ? SR_NONE : d->p->blocks.at[block].function;
}

EmuView emu_debug_whole(const EmuDebugger *d, const EmuDebugVariable *v) {
  (void)d;
  return (EmuView){.variable = v, .id = v->id, .type = v->type};
}

static void add_value(EmuDebugger *d, uint32_t id, EmuViews *views) {
  const SrModule *m = d->p->module;
  EmuView v = {.id = id, .type = sr_inst(m, sr_def(m, id))->type};
  SR_PUSH(&d->scratch, views, v);
}

static const EmuDebugVariable *variable_of(const EmuDebugger *d, uint32_t id) {
  const EmuDebugInfo *info = d->p->debug;
  for (uint32_t i = 0; i < info->variables.count; i++)
    if (info->variables.at[i].id == id)
      return &info->variables.at[i];
  return NULL;
}

static bool is_value(const EmuDebugger *d, uint32_t id) {
  const EmuDebugInfo *info = d->p->debug;
  SrRef r = sr_def(d->p->module, id);
  return r != SR_NONE && id < info->bound && sr_inst(d->p->module, r)->type &&
         info->values[id].count > 0;
}

static void find_id(EmuDebugger *d, Name n, EmuViews *views) {
  char *end;
  unsigned long number = strtoul(n.text + 1, &end, 10);
  uint32_t id = end == n.text + n.length && number <= UINT32_MAX ? (uint32_t)number : 0;
  const EmuDebugVariable *v = variable_of(d, id);
  if (v)
    SR_PUSH(&d->scratch, views, emu_debug_whole(d, v));
  else if (id && id < d->p->debug->bound && is_value(d, id))
    add_value(d, id, views);
}

static void find_variables(EmuDebugger *d, Name n, uint32_t function, EmuViews *views) {
  const EmuDebugInfo *info = d->p->debug;
  for (uint32_t i = 0; i < info->variables.count; i++) {
    const EmuDebugVariable *v = &info->variables.at[i];
    if (is_name(n, d->names[v->id]) && emu_debug_is_of(d, v->id, function))
      SR_PUSH(&d->scratch, views, emu_debug_whole(d, v));
  }
}

/* The value's type is that of any value of the variable. */
static void find_source(EmuDebugger *d, Name n, uint32_t function, EmuViews *views) {
  const SrModule *m = d->p->module;
  for (uint32_t i = 0; i < d->assigned.count; i++) {
    const EmuSourceVariable *v = &d->variables.at[d->assigned.at[i].name];
    uint32_t id = d->assigned.at[i].id;
    if (v->function != function || !is_name(n, v->name) || sr_def(m, id) == SR_NONE)
      continue;
    EmuView view = {
        .source = d->assigned.at[i].name + 1, .id = id, .type = sr_inst(m, sr_def(m, id))->type};
    SR_PUSH(&d->scratch, views, view);
    return;
  }
}

static void find_values(EmuDebugger *d, Name n, uint32_t function, EmuViews *views) {
  for (uint32_t id = 1; id < d->p->debug->bound; id++)
    if (is_name(n, d->names[id]) && is_value(d, id) && !variable_of(d, id) &&
        emu_debug_is_of(d, id, function))
      add_value(d, id, views);
}

/* A view of the member of a struct that has that name. False: none has. */
static bool enter_member(const EmuDebugger *d, EmuView *v, Name n) {
  const SrModule *m = d->p->module;
  uint64_t first = v->first;
  for (uint32_t i = 0; i < emu_debug_type(d, v->type)->count; i++) {
    uint32_t type = sr_words(m, sr_def(m, v->type))[2 + i];
    if (is_name(n, emu_debug_member(d, v->type, i))) {
      v->type = type;
      v->first = first;
      return true;
    }
    first += emu_debug_type(d, type)->components;
  }
  return false;
}

static void find_members(EmuDebugger *d, Name n, EmuViews *views) {
  const EmuDebugInfo *info = d->p->debug;
  for (uint32_t i = 0; i < info->variables.count; i++) {
    EmuView v = emu_debug_whole(d, &info->variables.at[i]);
    if (emu_debug_type(d, v.type)->op == SpvOpTypeStruct && !v.variable->descriptors &&
        enter_member(d, &v, n))
      SR_PUSH(&d->scratch, views, v);
  }
}

static void find_name(EmuDebugger *d, Name n, EmuViews *views) {
  uint32_t function = emu_debug_frame_function(d);
  if (*n.text == '%')
    find_id(d, n, views);
  if (!views->count)
    find_variables(d, n, function, views);
  if (!views->count)
    find_source(d, n, function, views);
  if (!views->count)
    find_values(d, n, function, views);
  if (!views->count)
    find_variables(d, n, SR_NONE, views);
  if (!views->count)
    find_members(d, n, views);
}

/* ---- paths ----------------------------------------------------------------------------------- */

static const char *say(EmuDebugger *d, const char *format, ...) SR_PRINTF(2, 3);

static const char *say(EmuDebugger *d, const char *format, ...) {
  char text[256];
  va_list list;
  va_start(list, format);
  vsnprintf(text, sizeof text, format, list);
  va_end(list);
  return sr_text_copy(&d->scratch, text);
}

/* ".NAME", or ".x" of a vector. */
static const char *apply_member(EmuDebugger *d, EmuView *v, const char **at) {
  static const char *const components[] = {"xyzw", "rgba"};
  Name n = {*at + 1, strcspn(*at + 1, ".[")};
  const EmuDebugType *t = emu_debug_type(d, v->type);
  *at = n.text + n.length;
  if (t->op == SpvOpTypeStruct && enter_member(d, v, n))
    return NULL;
  for (uint32_t i = 0; i < 2 && t->op == SpvOpTypeVector && n.length == 1; i++) {
    const char *c = strchr(components[i], *n.text);
    if (c && (uint32_t)(c - components[i]) < t->count) {
      v->first += (uint64_t)(c - components[i]);
      v->type = t->element;
      return NULL;
    }
  }
  return say(d, "there is no member '%.*s'", n.length < 60 ? (int)n.length : 60, n.text);
}

static bool is_indexed(const EmuDebugType *t) {
  return t->op == SpvOpTypeVector || t->op == SpvOpTypeMatrix || t->op == SpvOpTypeArray ||
         t->op == SpvOpTypeRuntimeArray;
}

/* "[N]" or "[N..M]". */
static const char *apply_index(EmuDebugger *d, EmuView *v, const char **at) {
  const EmuDebugType *t = emu_debug_type(d, v->type);
  bool descriptor = v->variable && v->variable->descriptors && v->type == v->variable->type;
  uint64_t count = descriptor ? v->variable->descriptors : emu_view_elements(d, v);
  char *end;
  if (!descriptor && !is_indexed(t))
    return say(d, "it has no elements, so [ is not allowed");
  uint64_t from = strtoull(*at + 1, &end, 10), to = from;
  bool digits = isdigit((unsigned char)(*at)[1]), range = strncmp(end, "..", 2) == 0;
  if (range) {
    digits = digits && isdigit((unsigned char)end[2]);
    to = strtoull(end + 2, &end, 10);
  }
  if (!digits || *end != ']')
    return say(d, "an index is a number, or a range as in [0..7]");
  if (to >= count || to < from)
    return say(d, "index %" PRIu64 ": there are %" PRIu64 " elements", to, count);
  *at = end + 1;
  if (descriptor) {
    v->descriptor = (uint32_t)from;
    return range ? say(d, "one descriptor at a time") : NULL;
  }
  v->type = t->element;
  v->first += from * emu_debug_type(d, v->type)->components;
  v->range = range;
  v->from = from;
  v->to = to;
  return range && **at ? say(d, "a range must be the end of a name") : NULL;
}

static const char *apply_path(EmuDebugger *d, EmuView *v, const char *at) {
  const char *why = NULL;
  while (*at && !why)
    why = *at == '.' ? apply_member(d, v, &at) : apply_index(d, v, &at);
  return why;
}

const char *emu_debug_find(EmuDebugger *d, const char *text, EmuViews *views) {
  Name n = {text, strcspn(text, ".[")};
  const char *why = NULL;
  uint32_t kept = 0;
  views->count = 0;
  find_name(d, n, views);
  if (!views->count)
    return say(d, "there is no '%.60s' here; 'info locals' and 'info globals' list names", text);
  for (uint32_t i = 0; i < views->count; i++) {
    EmuView v = views->at[i];
    const char *wrong = apply_path(d, &v, text + n.length);
    if (wrong)
      why = say(d, "%.60s: %s", text, wrong);
    else
      views->at[kept++] = v;
  }
  views->count = kept;
  return kept ? NULL : why;
}
