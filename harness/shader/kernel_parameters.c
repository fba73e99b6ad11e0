/* SPDX-License-Identifier: Apache-2.0 */
/* kernel_parameters: see kernel_parameters.h.
 *
 * One walk over the words records where each id is defined. A kernel may consist of a call of
 * another function that has the code (llvm-spirv writes such kernels), or may keep its arguments in
 * variables (without optimization). So each id records one id that it copies, and an image
 * instruction follows these records back to the argument. */
#include "harness/shader/kernel_parameters.h"

#include <spirv/unified1/spirv.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { HEADER = 5, MOST_IDS = 1 << 22, MOST_COPIES = 64 };

typedef struct Id {
  uint32_t at;       /* the word where its definition starts; 0: there is none */
  uint32_t copy_of;  /* another id; 0: none */
  const char *name;  /* OpName */
  uint32_t argument; /* number + 1 of the kernel's parameter */
} Id;

typedef struct Walk {
  HnModule module;
  Id *ids;
  uint32_t bound;
  uint32_t function; /* of the kernel */
  HnKernel *kernel;
} Walk;

/* ---- words ----------------------------------------------------------------------------------- */

static uint32_t op_at(HnModule m, size_t at) {
  return m.words[at] & 0xffff;
}

/* Word i of the instruction at `at`; 0 past its end. */
static uint32_t word(HnModule m, size_t at, uint32_t i) {
  return i < m.words[at] >> 16 ? m.words[at + i] : 0;
}

/* The text that starts at word i; "" if it does not end inside the instruction. */
static const char *text_at(HnModule m, size_t at, uint32_t i) {
  uint32_t words = m.words[at] >> 16;
  const char *text = (const char *)&m.words[at + i];
  return i < words && memchr(text, 0, (words - i) * sizeof *m.words) ? text : "";
}

static bool is_module(HnModule m) {
  if (m.count < HEADER || m.words[0] != SpvMagicNumber || m.words[3] > MOST_IDS)
    return false;
  size_t at = HEADER;
  while (at < m.count && m.words[at] >> 16)
    at += m.words[at] >> 16;
  return at == m.count;
}

#define EACH(m, at)                                                                                \
  size_t at = HEADER;                                                                              \
  at < (m).count;                                                                                  \
  at += (m).words[at] >> 16

static Id *id_of(const Walk *w, uint32_t id) {
  return &w->ids[id < w->bound ? id : 0];
}

static uint32_t op_of(const Walk *w, uint32_t id) {
  return id_of(w, id)->at ? op_at(w->module, id_of(w, id)->at) : SpvOpNop;
}

/* Word i of the definition of an id. */
static uint32_t part(const Walk *w, uint32_t id, uint32_t i) {
  return id_of(w, id)->at ? word(w->module, id_of(w, id)->at, i) : 0;
}

/* ---- types ----------------------------------------------------------------------------------- */

static void read_scalars(const Walk *w, uint32_t type, HnArgument *argument) {
  argument->components = 1;
  if (op_of(w, type) == SpvOpTypeVector) {
    argument->components = (uint8_t)part(w, type, 3);
    type = part(w, type, 2);
  }
  argument->is_float = op_of(w, type) == SpvOpTypeFloat;
  argument->bits = (uint8_t)part(w, type, 2);
  if (!argument->is_float && op_of(w, type) != SpvOpTypeInt)
    argument->components = 0;
}

static void read_image(const Walk *w, uint32_t type, HnArgument *argument) {
  uint32_t dim = part(w, type, 3);
  bool plain = dim <= SpvDim3D && !part(w, type, 5) && !part(w, type, 6);
  argument->kind = HN_ARGUMENT_IMAGE;
  argument->dimensions = plain ? (uint8_t)(dim + 1) : 0;
  argument->access = (HnAccess)(part(w, type, 9) <= HN_READ_WRITE ? part(w, type, 9) : 0);
}

static void read_pointer(const Walk *w, uint32_t type, HnArgument *argument) {
  uint32_t class = part(w, type, 2);
  argument->kind =
      class == SpvStorageClassWorkgroup ? HN_ARGUMENT_LOCAL
      : class == SpvStorageClassCrossWorkgroup || class == SpvStorageClassUniformConstant
          ? HN_ARGUMENT_BUFFER
          : HN_ARGUMENT_OTHER;
  read_scalars(w, part(w, type, 3), argument);
}

static HnArgument argument_of(const Walk *w, uint32_t id, uint32_t type) {
  HnArgument argument = {.name = id_of(w, id)->name ? id_of(w, id)->name : ""};
  switch (op_of(w, type)) {
  case SpvOpTypePointer:
    read_pointer(w, type, &argument);
    break;
  case SpvOpTypeImage:
    read_image(w, type, &argument);
    break;
  case SpvOpTypeSampler:
    argument.kind = HN_ARGUMENT_SAMPLER;
    break;
  case SpvOpTypeInt:
  case SpvOpTypeFloat:
  case SpvOpTypeVector:
  case SpvOpTypeStruct:
    read_scalars(w, type, &argument);
    break;
  default:
    argument.kind = HN_ARGUMENT_OTHER;
  }
  return argument;
}

/* ---- definitions ----------------------------------------------------------------------------- */

static void define(const Walk *w, uint32_t id, size_t at) {
  id_of(w, id)->at = (uint32_t)at;
}

/* Notes an instruction, but only what is looked up later. */
static void note(const Walk *w, size_t at) {
  const HnModule m = w->module;
  uint32_t op = op_at(m, at);
  if (op == SpvOpName)
    id_of(w, word(m, at, 1))->name = text_at(m, at, 2);
  else if (op >= SpvOpTypeVoid && op <= SpvOpTypeFunction)
    define(w, word(m, at, 1), at);
  else if (op == SpvOpFunction || op == SpvOpFunctionParameter)
    define(w, word(m, at, 2), at);
  else if (op == SpvOpLoad || op == SpvOpSampledImage || op == SpvOpImage || op == SpvOpCopyObject)
    id_of(w, word(m, at, 2))->copy_of = word(m, at, 3);
  else if (op == SpvOpStore)
    id_of(w, word(m, at, 1))->copy_of = word(m, at, 2);
}

/* The parameters of a called function are copies of the call's operands. */
static void note_call(const Walk *w, size_t at) {
  const HnModule m = w->module;
  uint32_t operand = 4;
  size_t p = id_of(w, word(m, at, 3))->at;
  if (!p)
    return;
  for (p += m.words[p] >> 16; p < m.count && op_at(m, p) != SpvOpLabel; p += m.words[p] >> 16)
    if (op_at(m, p) == SpvOpFunctionParameter)
      id_of(w, word(m, p, 2))->copy_of = word(m, at, operand++);
}

/* ---- what the kernel does with its images ---------------------------------------------------- */

static HnArgument *image_behind(const Walk *w, uint32_t id) {
  for (int i = 0; i < MOST_COPIES && !id_of(w, id)->argument && id_of(w, id)->copy_of; i++)
    id = id_of(w, id)->copy_of;
  uint32_t number = id_of(w, id)->argument;
  return number ? &w->kernel->arguments[number - 1] : NULL;
}

static bool is_whole(const Walk *w, uint32_t type) {
  if (op_of(w, type) == SpvOpTypeVector)
    type = part(w, type, 2);
  return op_of(w, type) == SpvOpTypeInt;
}

/* The type of the texel that a write stores is the type of its third operand, which any instruction
 * with a result may define. So the result types of values in functions are noted first. */
static void read_texels(const Walk *w, const uint32_t *type_of) {
  const HnModule m = w->module;
  for (EACH(m, at)) {
    uint32_t op = op_at(m, at), image = 0, type = 0;
    if (op == SpvOpImageSampleExplicitLod || op == SpvOpImageRead || op == SpvOpImageFetch) {
      image = word(m, at, 3);
      type = word(m, at, 1);
    } else if (op == SpvOpImageWrite && word(m, at, 3) < w->bound) {
      image = word(m, at, 1);
      type = type_of[word(m, at, 3)];
    }
    HnArgument *argument = image ? image_behind(w, image) : NULL;
    if (argument)
      argument->whole = is_whole(w, type);
  }
}

/* Does an instruction begin with its result's type and id? Only types that a texel can have
 * count. */
static bool has_type(const Walk *w, size_t at) {
  uint32_t type = word(w->module, at, 1), op = op_of(w, type);
  return (op == SpvOpTypeVector || op == SpvOpTypeInt || op == SpvOpTypeFloat) &&
         word(w->module, at, 2) && word(w->module, at, 2) < w->bound;
}

static bool read_image_uses(const Walk *w) {
  uint32_t *type_of = calloc(w->bound + 1u, sizeof *type_of);
  for (EACH(w->module, at)) {
    if (!type_of)
      return false;
    if (has_type(w, at))
      type_of[word(w->module, at, 2)] = word(w->module, at, 1);
  }
  read_texels(w, type_of);
  free(type_of);
  return true;
}

/* ---- the kernel ------------------------------------------------------------------------------ */

static bool is_kernel(HnModule m, size_t at) {
  return op_at(m, at) == SpvOpEntryPoint && word(m, at, 1) == SpvExecutionModelKernel;
}

static const char *name_at(HnModule m, size_t at) {
  return text_at(m, at, 3);
}

static void find(Walk *w, const char *name) {
  const HnModule m = w->module;
  for (EACH(m, at))
    if (is_kernel(m, at) && strcmp(name_at(m, at), name) == 0)
      w->function = word(m, at, 2);
    else if (op_at(m, at) == SpvOpExecutionMode && word(m, at, 1) == w->function &&
             word(m, at, 2) == SpvExecutionModeLocalSize)
      for (uint32_t i = 0; i < 3; i++)
        w->kernel->size[i] = word(m, at, 3 + i);
  w->kernel->found = w->function != 0;
  w->kernel->needs_size = !w->kernel->size[0];
}

static bool read_parameters(const Walk *w) {
  const HnModule m = w->module;
  HnKernel *kernel = w->kernel;
  size_t at = id_of(w, w->function)->at;
  for (at += m.words[at] >> 16; at < m.count && op_at(m, at) != SpvOpLabel;
       at += m.words[at] >> 16) {
    if (op_at(m, at) != SpvOpFunctionParameter)
      continue;
    HnArgument *more =
        realloc(kernel->arguments, (kernel->argument_count + 1u) * sizeof *kernel->arguments);
    if (!more)
      return false;
    kernel->arguments = more;
    more[kernel->argument_count++] = argument_of(w, word(m, at, 2), word(m, at, 1));
    id_of(w, word(m, at, 2))->argument = kernel->argument_count;
  }
  return true;
}

static bool is_border(HnModule m, size_t at) {
  return op_at(m, at) == SpvOpConstantSampler && word(m, at, 3) == SpvSamplerAddressingModeClamp;
}

static bool read_all(Walk *w, const char *name) {
  const HnModule m = w->module;
  for (EACH(m, at)) {
    note(w, at);
    w->kernel->border = w->kernel->border || is_border(m, at);
  }
  for (EACH(m, at))
    if (op_at(m, at) == SpvOpFunctionCall)
      note_call(w, at);
  find(w, name);
  return !w->kernel->found || !id_of(w, w->function)->at ||
         (read_parameters(w) && read_image_uses(w));
}

bool hn_kernel_read(HnModule module, const char *name, HnKernel *kernel) {
  *kernel = (HnKernel){0};
  if (!is_module(module))
    return true;
  Walk w = {.module = module, .bound = module.words[3], .kernel = kernel};
  w.ids = calloc(w.bound + 1u, sizeof *w.ids);
  bool good = w.ids && read_all(&w, name);
  free(w.ids);
  if (!good)
    hn_kernel_clear(kernel);
  return good;
}

void hn_kernel_clear(HnKernel *kernel) {
  free(kernel->arguments);
  *kernel = (HnKernel){0};
}

/* ---- the bindings of a pipeline -------------------------------------------------------------- */

static HnBound *refuse(const AmberPipeline *pipeline, uint32_t line, char **message,
                       const char *what, const char *name) {
  if (asprintf(message, "line %u: pipeline %s: the argument %s %s", line, pipeline->name, name,
               what) < 0)
    *message = NULL;
  return NULL;
}

static uint32_t number_of(const HnKernel *kernel, const AmberBinding *binding) {
  if (!binding->argument)
    return binding->binding;
  uint32_t i = 0;
  while (i < kernel->argument_count && strcmp(kernel->arguments[i].name, binding->argument) != 0)
    i++;
  return i;
}

static bool fits(const HnArgument *argument, AmberBindKind kind) {
  switch (argument->kind) {
  case HN_ARGUMENT_IMAGE:
    return kind == AMBER_BIND_SAMPLED_IMAGE || kind == AMBER_BIND_STORAGE_IMAGE;
  case HN_ARGUMENT_SAMPLER:
    return kind == AMBER_BIND_SAMPLER;
  default:
    return kind == AMBER_BIND_STORAGE || kind == AMBER_BIND_UNIFORM;
  }
}

static AmberBindKind kind_of(const HnArgument *argument, const AmberBinding *binding) {
  if (!binding->computed || argument->kind != HN_ARGUMENT_IMAGE)
    return binding->kind;
  return argument->access == HN_READ_ONLY ? AMBER_BIND_SAMPLED_IMAGE : AMBER_BIND_STORAGE_IMAGE;
}

/* What a message calls the argument. */
static const char *name_of(const AmberBinding *binding, char room[32]) {
  if (binding->argument)
    return binding->argument;
  snprintf(room, 32, binding->set ? "%u of set %u" : "%u", binding->binding, binding->set);
  return room;
}

static HnBound *bind(const AmberPipeline *pipeline, const HnKernel *kernel, HnBound *all,
                     bool *bound, char **message) {
  for (uint32_t i = 0; i < pipeline->binding_count; i++) {
    const AmberBinding *binding = &pipeline->bindings[i];
    uint32_t number = number_of(kernel, binding);
    char room[32];
    all[i] = (HnBound){number, binding->kind};
    if (!binding->kernel && !kernel->found)
      continue;
    if (number >= kernel->argument_count || binding->set)
      return refuse(pipeline, binding->line, message, "is none of the kernel's",
                    name_of(binding, room));
    if (bound[number])
      return refuse(pipeline, binding->line, message, "is bound twice",
                    kernel->arguments[number].name);
    all[i].kind = kind_of(&kernel->arguments[number], binding);
    if (binding->descriptor_count != 1 || !fits(&kernel->arguments[number], all[i].kind))
      return refuse(pipeline, binding->line, message,
                    "is of a different kind than what is bound to it",
                    kernel->arguments[number].name);
    bound[number] = true;
  }
  for (uint32_t i = 0; i < kernel->argument_count; i++)
    if (!bound[i])
      return refuse(pipeline, pipeline->line, message, "has nothing bound to it",
                    kernel->arguments[i].name);
  return all;
}

static bool check_size(const AmberPipeline *pipeline, const HnKernel *kernel, char **message) {
  uint32_t size[3];
  hn_kernel_size(pipeline, kernel, size);
  if (!kernel->found || (size[0] && size[1] && size[2]))
    return true;
  if (asprintf(
          message,
          "line %u: pipeline %s: workgroups of %u x %u x %u invocations; each must be 1 or more",
          pipeline->shaders[0].line, pipeline->name, size[0], size[1], size[2]) < 0)
    *message = NULL;
  return false;
}

HnBound *hn_kernel_bind(const AmberPipeline *pipeline, const HnKernel *kernel, char **message) {
  HnBound *all = calloc(pipeline->binding_count + 1u, sizeof *all);
  bool *bound = calloc(kernel->argument_count + 1u, sizeof *bound);
  *message = NULL;
  HnBound *done = all && bound && check_size(pipeline, kernel, message)
                      ? bind(pipeline, kernel, all, bound, message)
                      : NULL;
  free(bound);
  if (!done)
    free(all);
  return done;
}

void hn_kernel_size(const AmberPipeline *pipeline, const HnKernel *kernel, uint32_t size[3]) {
  const AmberAttachedShader *shader = &pipeline->shaders[0];
  for (uint32_t i = 0; i < 3; i++)
    size[i] = kernel->needs_size ? 1 : kernel->size[i];
  for (uint32_t i = 0; kernel->needs_size && i < shader->specialization_count; i++)
    if (shader->specializations[i].id < 3)
      size[shader->specializations[i].id] = shader->specializations[i].bits;
}

const char *hn_kernel_name(HnModule module, uint32_t index) {
  if (!is_module(module))
    return NULL;
  for (EACH(module, at))
    if (is_kernel(module, at) && index-- == 0)
      return name_at(module, at);
  return NULL;
}
