/* SPDX-License-Identifier: Apache-2.0 */
/* source_map: see source_map.h. */
#include "passes/source/source_map.h"

#include "passes/base/text.h"

#include <spirv/unified1/NonSemanticShaderDebugInfo100.h>
#include <string.h>

enum {
  FIRST = 5, /* word of an extended instruction's first operand */
  MOST_NAME = 1024,
};

/* ---- instructions ---------------------------------------------------------------------------- */

uint32_t sr_source_opcode(const SrModule *m, SrRef r, bool *shader) {
  const SrInst *in = sr_inst(m, r);
  if (in->op != SpvOpExtInst || !in->nonsemantic || sr_word_count(m, r) < FIRST)
    return 0;
  SrRef set = sr_def(m, sr_words(m, r)[3]);
  if (set == SR_NONE || sr_inst(m, set)->op != SpvOpExtInstImport)
    return 0;
  const char *name = (const char *)&sr_words(m, set)[2];
  *shader = strcmp(name, "NonSemantic.Shader.DebugInfo.100") == 0;
  return *shader || strcmp(name, "OpenCL.DebugInfo.100") == 0 ? sr_words(m, r)[4] : 0;
}

/* Operand i, counted from 0; the result is 0 if the instruction has no such operand. */
static uint32_t operand(const SrModule *m, SrRef r, uint32_t i) {
  return FIRST + i < sr_word_count(m, r) ? sr_words(m, r)[FIRST + i] : 0;
}

/* The debug instruction that defines `id`, if it has this opcode; else SR_NONE. Sets *shader as
 * sr_source_opcode does. */
static SrRef defined(const SrModule *m, uint32_t id, uint32_t opcode, bool *shader) {
  SrRef r = sr_def(m, id);
  return r != SR_NONE && sr_source_opcode(m, r, shader) == opcode ? r : SR_NONE;
}

uint32_t sr_source_number(const SrModule *m, bool shader, uint32_t word) {
  if (!shader)
    return word;
  SrRef r = sr_def(m, word);
  return r != SR_NONE && sr_inst(m, r)->op == SpvOpConstant ? sr_words(m, r)[3] : 0;
}

/* The text of an OpString; NULL: `id` is not an OpString. */
static const char *string_of(const SrModule *m, uint32_t id) {
  SrRef r = sr_def(m, id);
  return r != SR_NONE && sr_inst(m, r)->op == SpvOpString ? (const char *)&sr_words(m, r)[2] : NULL;
}

/* ---- files ----------------------------------------------------------------------------------- */

/* "./a/./b.h" and "a/b.h" are one file. */
static char *without_dots(SrArena *arena, const char *name) {
  SrText text = {.arena = arena};
  for (const char *p = name; *p;) {
    size_t part = strcspn(p, "/") + (p[strcspn(p, "/")] == '/');
    if (strncmp(p, "./", part) != 0 || part != 2)
      sr_text_put(&text, p, part);
    p += part;
  }
  return sr_text_end(&text);
}

/* FNV-1a. */
static uint32_t hash_of(const char *name) {
  uint32_t hash = 2166136261u;
  for (; *name; name++)
    hash = (hash ^ (unsigned char)*name) * 16777619u;
  return hash;
}

static uint32_t file_named(SrSource *s, const char *given) {
  char *name = without_dots(s->arena, given);
  uint32_t hash = hash_of(name), first = sr_map_get(&s->hash, hash);
  for (uint32_t f = first; f != SR_NONE; f = s->files.at[f].next)
    if (strcmp(s->files.at[f].name, name) == 0)
      return f;
  sr_map_set(&s->hash, hash, s->files.count);
  SR_PUSH(s->arena, &s->files, (SrSourceFile){.name = name, .next = first});
  return s->files.count - 1;
}

uint32_t sr_source_file(SrSource *s, uint32_t id) {
  bool shader;
  SrRef source = defined(s->m, id, NonSemanticShaderDebugInfo100DebugSource, &shader);
  uint32_t string = source == SR_NONE ? id : operand(s->m, source, 0);
  uint32_t file = sr_map_get(&s->file_of, string);
  const char *name = file == SR_NONE ? string_of(s->m, string) : NULL;
  if (!name)
    return file;
  file = file_named(s, name);
  sr_map_set(&s->file_of, string, file);
  return file;
}

/* ---- texts ----------------------------------------------------------------------------------- */

/* Drops what glslang adds to a text: before the source, comments that end with a mark (`begin`);
 * after it, if glslang's C interface was used, the preprocessed source. */
static void drop_additions(SrSourceFile *file) {
  static const char first[] = "// OpModuleProcessed", begin[] = "#line 1\n", again[] = "\n#version";
  if (strncmp(file->text, first, strlen(first)) != 0)
    return;
  const char *found = strstr(file->text, begin);
  const char *text = found ? found + strlen(begin) : file->text, *second = strstr(text, again);
  file->size = second ? (size_t)(second - text) + 1 : strlen(text);
  file->text = text;
}

/* Keeps the first text of a file, unless it is the checksum that llvm-spirv writes instead. */
static void keep_text(SrSource *s, uint32_t file, SrText *text) {
  char *all = sr_text_end(text);
  if (file == SR_NONE || !*all || s->files.at[file].text || strncmp(all, "//__CSK_", 8) == 0)
    return;
  s->files.at[file].text = all;
  s->files.at[file].size = strlen(all);
  drop_additions(&s->files.at[file]);
}

/* The text that instruction r, an OpSource, OpSourceContinued, DebugSource or DebugSourceContinued,
 * begins or continues; NULL: r is none of these, or has no text. */
static const char *text_of(const SrModule *m, SrRef r, bool *begins) {
  const SrInst *in = sr_inst(m, r);
  bool shader = false;
  uint32_t opcode = sr_source_opcode(m, r, &shader);
  *begins = in->op == SpvOpSource || opcode == NonSemanticShaderDebugInfo100DebugSource;
  if (in->op == SpvOpSource)
    return sr_word_count(m, r) > 4 ? (const char *)&sr_words(m, r)[4] : NULL;
  if (in->op == SpvOpSourceContinued)
    return (const char *)&sr_words(m, r)[1];
  if (*begins)
    return string_of(m, operand(m, r, 1));
  if (shader && opcode == NonSemanticShaderDebugInfo100DebugSourceContinued)
    return string_of(m, operand(m, r, 0));
  return NULL;
}

static uint32_t file_of_text(SrSource *s, SrRef r) {
  if (sr_inst(s->m, r)->op == SpvOpSource)
    return sr_word_count(s->m, r) > 3 ? sr_source_file(s, sr_words(s->m, r)[3]) : SR_NONE;
  return sr_source_file(s, sr_inst(s->m, r)->result);
}

/* Reads all texts. Together they are no longer than the module, unless many instructions name one
 * string. */
static void read_texts(SrSource *s) {
  SrText text = {.arena = s->arena};
  uint32_t file = SR_NONE;
  size_t left = (size_t)s->m->pool.count * sizeof(uint32_t);
  for (SR_EACH(s->m, r, s->m->globals)) {
    bool begins;
    const char *part = text_of(s->m, r, &begins);
    if (begins) {
      keep_text(s, file, &text);
      text = (SrText){.arena = s->arena};
      file = file_of_text(s, r);
    }
    size_t length = part && file != SR_NONE ? strnlen(part, left + 1) : 0;
    if (!length || length > left)
      continue;
    sr_text_put(&text, part, length);
    left -= length;
  }
  keep_text(s, file, &text);
}

/* ---- functions and scopes -------------------------------------------------------------------- */

static uint32_t function_of(SrSource *s, SrRef r, bool shader) {
  uint32_t id = sr_inst(s->m, r)->result, known = sr_map_get(&s->function_of, id);
  if (known != SR_NONE)
    return known;
  const char *name = string_of(s->m, operand(s->m, r, 0));
  SrSourceFunction f = {.name = name ? sr_strndup(s->arena, name, strnlen(name, MOST_NAME)) : "",
                        .file = sr_source_file(s, operand(s->m, r, 2)),
                        .line = sr_source_number(s->m, shader, operand(s->m, r, 3))};
  sr_map_set(&s->function_of, id, s->functions.count);
  SR_PUSH(s->arena, &s->functions, f);
  return s->functions.count - 1;
}

/* The operand that is the scope's file, and the one that is the scope around it; `parent` 0: there
 * is none. */
typedef struct ScopeShape {
  uint8_t opcode, file, parent;
} ScopeShape;

static const ScopeShape *shape_of(uint32_t opcode) {
  static const ScopeShape shapes[] = {
      {NonSemanticShaderDebugInfo100DebugCompilationUnit, 2, 0},
      {NonSemanticShaderDebugInfo100DebugTypeComposite, 2, 5},
      {NonSemanticShaderDebugInfo100DebugFunction, 2, 0},
      {NonSemanticShaderDebugInfo100DebugLexicalBlock, 0, 3},
      {NonSemanticShaderDebugInfo100DebugLexicalBlockDiscriminator, 0, 2},
  };
  for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++)
    if (shapes[i].opcode == opcode)
      return &shapes[i];
  return NULL;
}

/* Adds a scope, whose function may not be known yet, to the map. Returns the id of the scope that
 * contains it; 0: there is none, or it does not matter. */
static uint32_t enter_scope(SrSource *s, uint32_t id) {
  bool shader = false;
  SrRef r = sr_def(s->m, id);
  uint32_t opcode = r == SR_NONE ? 0 : sr_source_opcode(s->m, r, &shader);
  const ScopeShape *shape = opcode ? shape_of(opcode) : NULL;
  SrSourceScope scope = {SR_NONE, SR_NONE};
  if (shape)
    scope.file = sr_source_file(s, operand(s->m, r, shape->file));
  if (opcode == NonSemanticShaderDebugInfo100DebugFunction)
    scope.function = function_of(s, r, shader);
  sr_map_set(&s->scope_of, id, s->scopes.count);
  SR_PUSH(s->arena, &s->scopes, scope);
  return shape && shape->parent ? operand(s->m, r, shape->parent) : 0;
}

/* Adds the scopes from `id` outwards to the map, up to one that is in it already; all scopes added
 * then get the function of the outermost one. A scope that contains itself is in the map when the
 * walk reaches it again. */
SrSourceScope sr_source_scope(SrSource *s, uint32_t id) {
  uint32_t first = s->scopes.count, at = id, known = SR_NONE;
  while (at && (known = sr_map_get(&s->scope_of, at)) == SR_NONE)
    at = enter_scope(s, at);
  uint32_t function = SR_NONE;
  if (known != SR_NONE)
    function = s->scopes.at[known].function;
  else if (s->scopes.count > first)
    function = SR_LAST(&s->scopes).function;
  for (uint32_t i = first; i < s->scopes.count; i++)
    s->scopes.at[i].function = function;
  known = sr_map_get(&s->scope_of, id);
  return known == SR_NONE ? (SrSourceScope){SR_NONE, SR_NONE} : s->scopes.at[known];
}

/* ---- inlined calls --------------------------------------------------------------------------- */

/* Adds calls from the outermost inwards, so the index `outer` is lower than the call's own, and no
 * call contains itself. */
uint32_t sr_source_call(SrSource *s, uint32_t id) {
  SR_VEC(SrRef) chain = {0};
  bool shader;
  uint32_t outer = SR_NONE;
  SrMap met = {.arena = s->arena};
  for (uint32_t at = id; at && sr_map_get(&met, at) == SR_NONE;) {
    if ((outer = sr_map_get(&s->call_of, at)) != SR_NONE)
      break;
    SrRef r = defined(s->m, at, NonSemanticShaderDebugInfo100DebugInlinedAt, &shader);
    if (r == SR_NONE)
      break;
    sr_map_set(&met, at, 0);
    SR_PUSH(s->arena, &chain, r);
    at = operand(s->m, r, 2);
  }
  while (chain.count) {
    SrRef r = SR_POP(&chain);
    sr_source_opcode(s->m, r, &shader);
    SrSourceScope scope = sr_source_scope(s, operand(s->m, r, 1));
    SrSourceCall call = {.file = scope.file,
                         .line = sr_source_number(s->m, shader, operand(s->m, r, 0)),
                         .function = scope.function,
                         .outer = outer};
    outer = s->calls.count;
    sr_map_set(&s->call_of, sr_inst(s->m, r)->result, outer);
    SR_PUSH(s->arena, &s->calls, call);
  }
  return outer;
}

/* ---- the map --------------------------------------------------------------------------------- */

SrSource *sr_source_new(SrArena *arena, const SrModule *m) {
  SrSource *s = SR_NEW(arena, SrSource, 1);
  s->arena = arena;
  s->m = m;
  s->file_of.arena = s->hash.arena = arena;
  s->scope_of.arena = s->function_of.arena = s->call_of.arena = arena;
  read_texts(s);
  return s;
}
