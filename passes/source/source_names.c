/* SPDX-License-Identifier: Apache-2.0 */
/* source_names: see source_names.h. */
#include "passes/source/source_names.h"

#include "passes/ir/label.h"

#include <ctype.h>
#include <spirv/unified1/NonSemanticShaderDebugInfo100.h>

enum {
  FUNCTION = NonSemanticShaderDebugInfo100DebugFunction,
  GLOBAL = NonSemanticShaderDebugInfo100DebugGlobalVariable,
  LOCAL = NonSemanticShaderDebugInfo100DebugLocalVariable,
  /* indices of words: */
  NAME = 5,
  FUNCTION_ID = 14, /* of OpenCL's DebugFunction */
  GLOBAL_ID = 12,
  VALUE = 6, /* of DebugValue */
  EXPRESSION = 7,
};

/* The OpString that names the debug instruction `id`, which must have this opcode; SR_NONE: it has
 * another opcode, or its name is empty. */
static SrRef name_of(const SrModule *m, uint32_t id, uint32_t opcode) {
  bool shader;
  SrRef r = sr_def(m, id);
  if (r == SR_NONE || sr_source_opcode(m, r, &shader) != opcode || sr_word_count(m, r) <= NAME)
    return SR_NONE;
  SrRef name = sr_def(m, sr_words(m, r)[NAME]);
  bool good = name != SR_NONE && sr_inst(m, name)->op == SpvOpString && sr_words(m, name)[2];
  return good ? name : SR_NONE;
}

/* ---- functions ------------------------------------------------------------------------------- */

/* Names a function by its DebugFunctionDefinition, which is in the function's entry block. */
static void name_by_definition(const SrModule *m, SrFunction *f) {
  bool shader = false;
  for (SR_EACH(m, r, f->blocks[0].list))
    if (sr_source_opcode(m, r, &shader) == NonSemanticShaderDebugInfo100DebugFunctionDefinition &&
        shader && sr_word_count(m, r) > 6 && sr_words(m, r)[6] == f->id)
      f->name = name_of(m, sr_words(m, r)[5], FUNCTION);
}

void sr_source_name_functions(SrModule *m) {
  SrMap by_function = {.arena = m->arena};
  bool shader;
  for (SR_EACH(m, r, m->globals))
    if (sr_source_opcode(m, r, &shader) == FUNCTION && !shader && sr_word_count(m, r) > FUNCTION_ID)
      sr_map_set(&by_function, sr_words(m, r)[FUNCTION_ID], r);
  for (uint32_t i = 0; i < m->function_count; i++) {
    SrFunction *f = &m->functions[i];
    if (f->name != SR_NONE)
      continue;
    SrRef r = sr_map_get(&by_function, f->id);
    if (r != SR_NONE)
      f->name = name_of(m, sr_inst(m, r)->result, FUNCTION);
    else if (f->block_count)
      name_by_definition(m, f);
  }
}

/* ---- variables ------------------------------------------------------------------------------- */

static void set_name(const SrModule *m, const char **names, uint32_t id, SrRef name) {
  if (name != SR_NONE && id < sr_bound(m) && !names[id])
    names[id] = (const char *)&sr_words(m, name)[2];
}

/* Names a variable that DebugDeclare connects with a DebugLocalVariable. */
static void name_declared(const SrModule *m, const char **names, SrRef r) {
  bool shader;
  if (sr_source_opcode(m, r, &shader) == NonSemanticShaderDebugInfo100DebugDeclare &&
      sr_word_count(m, r) > NAME + 1)
    set_name(m, names, sr_words(m, r)[NAME + 1], name_of(m, sr_words(m, r)[NAME], LOCAL));
}

const char **sr_source_names(SrArena *arena, const SrModule *m) {
  const char **names = sr_label_names(arena, m);
  bool shader;
  for (SR_EACH(m, r, m->globals))
    if (sr_source_opcode(m, r, &shader) == GLOBAL && sr_word_count(m, r) > GLOBAL_ID)
      set_name(m, names, sr_words(m, r)[GLOBAL_ID], name_of(m, sr_inst(m, r)->result, GLOBAL));
  for (uint32_t i = 0; i < m->function_count; i++)
    for (uint32_t b = 0; b < m->functions[i].block_count; b++)
      for (SR_EACH(m, r, m->functions[i].blocks[b].list))
        name_declared(m, names, r);
  return names;
}

/* ---- values ---------------------------------------------------------------------------------- */

/* Is the expression without a DebugOperation? Then the DebugValue's operand is the variable's
 * value, not, say, its address. */
static bool is_plain(const SrModule *m, uint32_t expression) {
  bool shader;
  SrRef r = sr_def(m, expression);
  return r != SR_NONE &&
         sr_source_opcode(m, r, &shader) == NonSemanticShaderDebugInfo100DebugExpression &&
         sr_word_count(m, r) == NAME;
}

/* Is the id computed? A constant or undefined value may be the value of many variables, so it gets
 * no name. */
static bool is_computed(const SrModule *m, uint32_t id) {
  uint32_t op = sr_def(m, id) == SR_NONE ? SpvOpUndef : sr_def_op(m, id);
  return op != SpvOpUndef && !(op >= SpvOpConstantTrue && op <= SpvOpSpecConstantOp);
}

static bool is_word(const char *name) {
  while (isalnum((unsigned char)*name) || *name == '_')
    name++;
  return !*name;
}

static void name_value(const SrModule *m, const char **names, SrRef r) {
  bool shader;
  if (sr_source_opcode(m, r, &shader) != NonSemanticShaderDebugInfo100DebugValue ||
      sr_word_count(m, r) != EXPRESSION + 1)
    return;
  const uint32_t *words = sr_words(m, r);
  SrRef name = name_of(m, words[NAME], LOCAL);
  if (name != SR_NONE && is_word((const char *)&sr_words(m, name)[2]) &&
      is_plain(m, words[EXPRESSION]) && is_computed(m, words[VALUE]))
    set_name(m, names, words[VALUE], name);
}

const char **sr_source_value_names(SrArena *arena, const SrModule *m) {
  const char **names = SR_NEW(arena, const char *, sr_bound(m));
  for (uint32_t i = 0; i < m->function_count; i++)
    for (uint32_t b = 0; b < m->functions[i].block_count; b++)
      for (SR_EACH(m, r, m->functions[i].blocks[b].list))
        name_value(m, names, r);
  return names;
}
