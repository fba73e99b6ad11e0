/* SPDX-License-Identifier: Apache-2.0 */
/* reflect: see reflect.h. A worklist visits the functions that the entry point can reach, and what
 * their instructions name. */
#include "harness/backend/reflect.h"

#include "harness/shader/kernel_parameters.h"
#include "passes/ir/byte_order.h"
#include "passes/ir/decorations.h"
#include "passes/ir/pointer.h"
#include "passes/ir/reader.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct Reader {
  SrArena arena;
  SrModule *m;
  HnInterface *out;
  SrRef entry;           /* OpEntryPoint */
  SrBits *reached;       /* by id */
  uint32_t *function_at; /* by id of OpFunction: its index */
  SR_VEC(uint32_t) work; /* functions still to be visited, by index */
} Reader;

/* ---- the entry point ------------------------------------------------------------------------ */

static bool is_stage(AmberStage stage, uint32_t model) {
  static const SpvExecutionModel models[] = {SpvExecutionModelVertex,
                                             SpvExecutionModelTessellationControl,
                                             SpvExecutionModelTessellationEvaluation,
                                             SpvExecutionModelGeometry,
                                             SpvExecutionModelFragment,
                                             SpvExecutionModelGLCompute};
  return model == (uint32_t)models[stage] ||
         (stage == AMBER_COMPUTE && model == SpvExecutionModelKernel);
}

static void find_entry(Reader *r, AmberStage stage, const char *name) {
  for (SR_EACH(r->m, i, r->m->globals)) {
    const uint32_t *w = sr_words(r->m, i);
    if (sr_inst(r->m, i)->op != SpvOpEntryPoint || strcmp((const char *)&w[3], name) != 0)
      continue;
    r->out->named = true;
    if (r->out->found || !is_stage(stage, w[1]))
      continue;
    r->out->found = true;
    r->entry = i;
  }
}

/* ---- what the entry point refers to ---------------------------------------------------------- */

static void add_slot(Reader *r, uint32_t set, uint32_t binding) {
  HnInterface *out = r->out;
  HnSlot *slots = realloc(out->slots, (out->slot_count + 1) * sizeof *slots);
  if (!slots)
    longjmp(r->arena.heap->out_of_memory, 1);
  out->slots = slots;
  slots[out->slot_count++] = (HnSlot){set, binding};
}

static void reach_variable(Reader *r, uint32_t id) {
  uint32_t class = sr_pointer_class(r->m, id), set, binding;
  r->out->push_constants |= class == SpvStorageClassPushConstant;
  if ((class == SpvStorageClassUniformConstant || class == SpvStorageClassUniform ||
       class == SpvStorageClassStorageBuffer) &&
      sr_decoration_value(r->m, id, SpvDecorationDescriptorSet, &set) &&
      sr_decoration_value(r->m, id, SpvDecorationBinding, &binding))
    add_slot(r, set, binding);
}

static void reach(Reader *r, uint32_t id) {
  uint16_t op = (uint16_t)sr_def_op(r->m, id);
  if (sr_bit(r->reached, id) || (op != SpvOpFunction && !sr_is_variable(op)))
    return;
  sr_bit_set(r->reached, id);
  if (op == SpvOpFunction)
    SR_PUSH(&r->arena, &r->work, r->function_at[id]);
  else
    reach_variable(r, id);
}

static void reach_from(Reader *r, SrList list) {
  for (SR_EACH(r->m, i, list))
    for (uint32_t k = 1; k < sr_word_count(r->m, i); k++)
      if (sr_word_is_id(r->m, i, k))
        reach(r, sr_words(r->m, i)[k]);
}

static void walk(Reader *r) {
  const SrModule *m = r->m;
  r->reached = sr_bits_new(&r->arena, sr_bound(m));
  r->function_at = sr_new_none(&r->arena, sr_bound(m));
  for (uint32_t f = 0; f < m->function_count; f++)
    r->function_at[m->functions[f].id] = f;
  reach(r, sr_words(m, r->entry)[2]);
  while (r->work.count) {
    const SrFunction *f = &m->functions[SR_POP(&r->work)];
    reach_from(r, f->head);
    for (uint32_t b = 0; b < f->block_count; b++)
      reach_from(r, f->blocks[b].list);
  }
}

/* ---- outputs --------------------------------------------------------------------------------- */

/* The number of locations that a value of the type takes. Members of a struct have locations of
 * their own; an unknown type takes all locations. */
static uint64_t locations_of(const Reader *r, uint32_t type) {
  uint64_t count = 1;
  SrRef def;
  while ((def = sr_def(r->m, type)) != SR_NONE && sr_inst(r->m, def)->op == SpvOpTypeArray) {
    SrRef length = sr_def(r->m, sr_words(r->m, def)[3]);
    bool known = length != SR_NONE && sr_inst(r->m, length)->op == SpvOpConstant;
    const uint32_t *w = known ? sr_words(r->m, length) : NULL;
    bool small = known && count < 64 && (w[0] >> 16 == 4 || w[4] == 0);
    count = small ? count * w[3] : 64;
    type = sr_words(r->m, def)[2];
  }
  return def != SR_NONE && sr_inst(r->m, def)->op != SpvOpTypeStruct ? count : 64;
}

static void add_outputs(Reader *r) {
  for (uint32_t i = 3; i < sr_word_count(r->m, r->entry); i++) {
    uint32_t id = sr_words(r->m, r->entry)[i], first;
    if (!sr_word_is_id(r->m, r->entry, i) || sr_def_op(r->m, id) != SpvOpVariable ||
        sr_pointer_class(r->m, id) != SpvStorageClassOutput ||
        !sr_decoration_value(r->m, id, SpvDecorationLocation, &first))
      continue;
    uint64_t end = first + locations_of(r, sr_variable_type(r->m, sr_def(r->m, id)));
    for (uint64_t location = first; location < end && location < 64; location++)
      r->out->outputs |= (uint64_t)1 << location;
  }
}

/* ---- the size of workgroups ------------------------------------------------------------------ */

/* The value of the constant `id`; a constant that is not a scalar counts as 1. */
static HnSize size_of(const Reader *r, uint32_t id) {
  SrRef def = sr_def(r->m, id);
  uint16_t op = def == SR_NONE ? SpvOpNop : sr_inst(r->m, def)->op;
  HnSize size = {.value = 1};
  if (op == SpvOpConstantNull)
    size.value = 0;
  else if (op == SpvOpConstant || op == SpvOpSpecConstant)
    size.value = sr_words(r->m, def)[3];
  size.specialized =
      op == SpvOpSpecConstant && sr_decoration_value(r->m, id, SpvDecorationSpecId, &size.id);
  return size;
}

static bool is_workgroup_size(const Reader *r, SrRef i) {
  uint16_t op = sr_inst(r->m, i)->op;
  uint32_t builtin;
  return (op == SpvOpConstantComposite || op == SpvOpSpecConstantComposite) &&
         sr_word_count(r->m, i) == 6 &&
         sr_decoration_value(r->m, sr_inst(r->m, i)->result, SpvDecorationBuiltIn, &builtin) &&
         builtin == SpvBuiltInWorkgroupSize;
}

/* The constant WorkgroupSize overrides the execution mode. */
static void add_size(Reader *r) {
  bool constant = false;
  for (int n = 0; n < 3; n++)
    r->out->size[n].value = 1;
  for (SR_EACH(r->m, i, r->m->globals)) {
    const uint32_t *w = sr_words(r->m, i);
    uint16_t op = sr_inst(r->m, i)->op;
    bool mode = (op == SpvOpExecutionMode || op == SpvOpExecutionModeId) && !constant &&
                sr_word_count(r->m, i) == 6 && w[1] == sr_words(r->m, r->entry)[2];
    constant = constant || is_workgroup_size(r, i);
    for (uint32_t n = 0; n < 3; n++)
      if (mode && w[2] == SpvExecutionModeLocalSize)
        r->out->size[n].value = w[3 + n];
      else if ((mode && w[2] == SpvExecutionModeLocalSizeId) || is_workgroup_size(r, i))
        r->out->size[n] = size_of(r, w[3 + n]);
  }
}

/* ---- a whole module -------------------------------------------------------------------------- */

static bool read_module(Reader *r, HnModule module) {
  SrDiag diag = {.status = SR_OK};
  const uint32_t *words = module.words;
  if (sr_is_swapped(words, module.count)) {
    uint32_t *swapped = SR_NEW_RAW(&r->arena, uint32_t, module.count);
    sr_swap(swapped, words, module.count);
    words = swapped;
  }
  return sr_read(&r->arena, &diag, words, module.count, &r->m) == SR_OK;
}

/* `heap` is the caller's, so that it survives the jump. */
static bool reflect(SrHeap *heap, HnModule module, AmberStage stage, const char *entry_point,
                    HnInterface *out) {
  if (setjmp(heap->out_of_memory))
    return false;
  Reader r = {.arena = sr_arena_new(heap), .out = out};
  if (!read_module(&r, module))
    return false;
  find_entry(&r, stage, entry_point);
  if (out->found) {
    walk(&r);
    add_outputs(&r);
    add_size(&r);
  }
  return true;
}

bool hn_reflect(HnModule module, AmberStage stage, const char *entry_point, HnInterface *out) {
  *out = (HnInterface){0};
  SrHeap heap = {0};
  sr_heap_init(&heap);
  bool good = reflect(&heap, module, stage, entry_point, out);
  sr_heap_free_all(&heap);
  if (!good)
    hn_interface_clear(out);
  return good;
}

void hn_interface_clear(HnInterface *interface) {
  free(interface->slots);
  *interface = (HnInterface){0};
}

/* ---- pipelines ------------------------------------------------------------------------------- */

/* The shader that a message is about. */
typedef struct Attached {
  const AmberPipeline *pipeline;
  const AmberAttachedShader *shader;
  const char *name;
} Attached;

__attribute__((format(printf, 3, 4))) static bool refuse(const Attached *a, char **message,
                                                         const char *format, ...) {
  char what[200];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(what, sizeof what, format, arguments);
  va_end(arguments);
  if (asprintf(message, "line %u: shader %s %s", a->shader->line, a->name, what) < 0)
    *message = NULL;
  return false;
}

static bool binds(const AmberPipeline *pipeline, HnSlot slot) {
  for (uint32_t i = 0; i < pipeline->binding_count; i++)
    if (pipeline->bindings[i].set == slot.set && pipeline->bindings[i].binding == slot.binding)
      return true;
  return false;
}

static uint32_t specialized(const AmberAttachedShader *shader, const HnSize *size) {
  uint32_t value = size->value;
  for (uint32_t i = 0; size->specialized && i < shader->specialization_count; i++)
    if (shader->specializations[i].id == size->id)
      value = shader->specializations[i].bits;
  return value;
}

static bool check_size(const Attached *a, const HnInterface *asked, char **message) {
  uint32_t size[3];
  for (int i = 0; i < 3; i++)
    size[i] = specialized(a->shader, &asked->size[i]);
  return (size[0] && size[1] && size[2]) ||
         refuse(a, message, "has workgroups of %u x %u x %u invocations; each must be 1 or more",
                size[0], size[1], size[2]);
}

uint64_t hn_interface_invocations(const HnInterface *interface, const AmberAttachedShader *shader) {
  uint64_t count = 1;
  for (int i = 0; i < 3; i++)
    count *= specialized(shader, &interface->size[i]) & UINT16_MAX;
  return count;
}

static bool check_interface(const Attached *a, const HnInterface *asked, char **message) {
  if (!asked->found)
    return refuse(a, message,
                  asked->named ? "has the entry point '%.100s' for another stage"
                               : "has no entry point '%.100s'",
                  a->shader->entry_point);
  for (size_t i = 0; i < asked->slot_count; i++)
    if (!binds(a->pipeline, asked->slots[i]))
      return refuse(a, message, "uses set %u, binding %u, to which pipeline %.60s binds nothing",
                    asked->slots[i].set, asked->slots[i].binding, a->pipeline->name);
  if (asked->push_constants && a->pipeline->push_constant == AMBER_NONE)
    return refuse(a, message, "uses push constants, to which pipeline %.60s binds nothing",
                  a->pipeline->name);
  return a->shader->stage != AMBER_COMPUTE || check_size(a, asked, message);
}

/* The arguments of a kernel. */
static bool check_kernel(const AmberPipeline *pipeline, const HnModule *modules, char **message) {
  const AmberAttachedShader *shader = &pipeline->shaders[0];
  HnKernel kernel;
  bool good = !pipeline->graphics &&
              hn_kernel_read(modules[shader->shader], shader->entry_point, &kernel) && kernel.found;
  if (!good)
    return true;
  HnBound *bound = hn_kernel_bind(pipeline, &kernel, message);
  hn_kernel_clear(&kernel);
  free(bound);
  return bound != NULL;
}

static bool check_pipeline(const AmberScript *script, const AmberPipeline *pipeline,
                           const HnModule *modules, char **message) {
  bool good = true;
  for (uint32_t i = 0; good && i < pipeline->shader_count; i++) {
    const AmberAttachedShader *shader = &pipeline->shaders[i];
    const Attached attached = {pipeline, shader, script->shaders[shader->shader].name};
    HnInterface asked;
    if (hn_reflect(modules[shader->shader], shader->stage, shader->entry_point, &asked))
      good = check_interface(&attached, &asked, message);
    hn_interface_clear(&asked);
  }
  return good && check_kernel(pipeline, modules, message);
}

/* For each pipeline: does a command run it? NULL: out of memory. */
static bool *pipelines_run(const AmberScript *script) {
  bool *run = calloc(script->pipeline_count + 1u, sizeof *run);
  for (uint32_t i = 0; run && i < script->command_count; i++)
    if (script->commands[i].kind <= AMBER_DRAW_ARRAY)
      run[script->commands[i].pipeline] = true;
  return run;
}

bool hn_pipelines_check(const AmberScript *script, const HnModule *modules, char **message) {
  bool *run = pipelines_run(script);
  bool good = run != NULL;
  *message = NULL;
  for (uint32_t i = 0; good && i < script->pipeline_count; i++)
    good = !run[i] || check_pipeline(script, &script->pipelines[i], modules, message);
  free(run);
  return good;
}
