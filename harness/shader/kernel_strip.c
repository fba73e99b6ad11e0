/* SPDX-License-Identifier: Apache-2.0 */
/* kernel_strip: see kernel_strip.h. SPIRV-Tools' parser says which ids an instruction defines; a
 * worklist finds the functions to keep; names and decorations of removed ids are removed, too. */
#include "harness/shader/kernel_strip.h"

#include <spirv-tools/libspirv.h>
#include <spirv/unified1/spirv.h>
#include <stdlib.h>
#include <string.h>

enum { HEADER = 5, MOST_IDS = 1 << 22 };

typedef struct Function {
  size_t first, end; /* words */
  bool kept;
} Function;

typedef struct Strip {
  const AmberScript *script;
  uint32_t shader;
  HnModule in;
  size_t at;          /* while parsing: words so far */
  uint32_t *function; /* by id: number + 1 of the function whose id it is, or that defines it */
  uint32_t bound;
  Function *functions;
  uint32_t count;
  bool inside; /* while parsing: in a function */
} Strip;

static uint32_t op_at(const Strip *s, size_t at) {
  return s->in.words[at] & 0xffff;
}

static size_t length_at(const Strip *s, size_t at) {
  return s->in.words[at] >> 16;
}

/* ---- parsing --------------------------------------------------------------------------------- */

static spv_result_t read_header(void *user, spv_endianness_t order, uint32_t magic,
                                uint32_t version, uint32_t generator, uint32_t bound,
                                uint32_t schema) {
  Strip *s = user;
  (void)order, (void)magic, (void)version, (void)generator, (void)schema;
  s->at = HEADER;
  s->bound = bound;
  if (bound > MOST_IDS)
    return SPV_ERROR_INVALID_BINARY;
  s->function = calloc((size_t)bound + 1, sizeof *s->function);
  return s->function ? SPV_SUCCESS : SPV_ERROR_OUT_OF_MEMORY;
}

static bool begin_function(Strip *s) {
  if ((s->count & (s->count - 1)) == 0) {
    Function *more = realloc(s->functions, (s->count ? 2 * s->count : 1) * sizeof *more);
    if (!more)
      return false;
    s->functions = more;
  }
  s->functions[s->count++] = (Function){.first = s->at};
  s->inside = true;
  return true;
}

static spv_result_t read_instruction(void *user, const spv_parsed_instruction_t *i) {
  Strip *s = user;
  if (i->opcode == SpvOpFunction && !begin_function(s))
    return SPV_ERROR_OUT_OF_MEMORY;
  if (s->inside && i->result_id && i->result_id < s->bound)
    s->function[i->result_id] = s->count;
  s->at += i->num_words;
  if (i->opcode == SpvOpFunctionEnd) {
    s->functions[s->count - 1].end = s->at;
    s->inside = false;
  }
  return SPV_SUCCESS;
}

/* ---- what is kept ---------------------------------------------------------------------------- */

static Function *function_of(const Strip *s, uint32_t id) {
  uint32_t number = id < s->bound ? s->function[id] : 0;
  return number ? &s->functions[number - 1] : NULL;
}

static bool is_attached(const Strip *s, const char *name) {
  for (uint32_t p = 0; p < s->script->pipeline_count; p++)
    for (uint32_t i = 0; i < s->script->pipelines[p].shader_count; i++) {
      const AmberAttachedShader *shader = &s->script->pipelines[p].shaders[i];
      if (shader->shader == s->shader && strcmp(shader->entry_point, name) == 0)
        return true;
    }
  return false;
}

static bool is_kept_entry(const Strip *s, size_t at) {
  return is_attached(s, (const char *)&s->in.words[at + 3]);
}

static void keep(const Strip *s, uint32_t id, uint32_t *todo, uint32_t *count) {
  Function *f = function_of(s, id);
  if (!f || f->kept)
    return;
  f->kept = true;
  todo[(*count)++] = (uint32_t)(f - s->functions);
}

static bool mark(const Strip *s) {
  uint32_t *todo = malloc((s->count + 1u) * sizeof *todo), count = 0;
  if (!todo)
    return false;
  for (size_t at = HEADER; at < s->in.count; at += length_at(s, at))
    if (op_at(s, at) == SpvOpEntryPoint && is_kept_entry(s, at))
      keep(s, s->in.words[at + 2], todo, &count);
  while (count) {
    const Function *f = &s->functions[todo[--count]];
    for (size_t at = f->first; at < f->end; at += length_at(s, at))
      if (op_at(s, at) == SpvOpFunctionCall)
        keep(s, s->in.words[at + 3], todo, &count);
  }
  free(todo);
  return true;
}

/* Does an instruction before the functions stay? */
static bool stays(const Strip *s, size_t at) {
  const uint32_t *w = &s->in.words[at];
  switch (op_at(s, at)) {
  case SpvOpEntryPoint:
    return is_kept_entry(s, at);
  case SpvOpExecutionMode:
  case SpvOpExecutionModeId:
  case SpvOpName:
  case SpvOpDecorate:
  case SpvOpDecorateId:
  case SpvOpDecorateString:
    return !function_of(s, w[1]) || function_of(s, w[1])->kept;
  default:
    return true;
  }
}

static HnModule copy(const Strip *s) {
  uint32_t *out = malloc(s->in.count * sizeof *out);
  size_t count = HEADER, at = HEADER, globals = s->count ? s->functions[0].first : s->in.count;
  if (!out)
    return (HnModule){0};
  memcpy(out, s->in.words, HEADER * sizeof *out);
  for (; at < globals; at += length_at(s, at))
    if (stays(s, at)) {
      memcpy(out + count, s->in.words + at, length_at(s, at) * sizeof *out);
      count += length_at(s, at);
    }
  for (uint32_t f = 0; f < s->count; f++) {
    size_t words = s->functions[f].end - s->functions[f].first;
    if (!s->functions[f].kept)
      continue;
    memcpy(out + count, s->in.words + s->functions[f].first, words * sizeof *out);
    count += words;
  }
  return (HnModule){out, count};
}

bool hn_kernel_strip_applies(HnModule module) {
  bool kernel = false, shader = false;
  for (size_t at = HEADER; at + 1 < module.count && module.words[at] == (2 << 16 | SpvOpCapability);
       at += 2) {
    kernel |= module.words[at + 1] == SpvCapabilityKernel;
    shader |= module.words[at + 1] == SpvCapabilityShader;
  }
  return kernel && !shader;
}

HnModule hn_kernel_strip(const AmberScript *script, uint32_t shader, HnModule module,
                         const char **why) {
  Strip s = {.script = script, .shader = shader, .in = module};
  HnModule out = {0};
  spv_context context = spvContextCreate(SPV_ENV_UNIVERSAL_1_6);
  spv_result_t parsed =
      spvBinaryParse(context, &s, module.words, module.count, read_header, read_instruction, NULL);
  if (parsed == SPV_SUCCESS && mark(&s))
    out = copy(&s);
  *why = parsed == SPV_SUCCESS || parsed == SPV_ERROR_OUT_OF_MEMORY
             ? "out of memory"
             : "the installed SPIRV-Tools cannot read the kernels' module";
  spvContextDestroy(context);
  free(s.function);
  free(s.functions);
  return out;
}
