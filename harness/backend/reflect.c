/* SPDX-License-Identifier: Apache-2.0 */
/* reflect: see reflect.h. One pass over the instructions collects names, decorations, types and,
 * for each function, the variables and functions that it refers to; then a worklist visits the
 * functions that the entry point can reach. */
#include "backend/reflect.h"

#include <spirv-tools/libspirv.h>
#include <spirv/unified1/spirv.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_IDS = 1 << 22 }; /* SPIR-V's universal limit */

/* What is known about an id; 0 and AMBER_NONE: unknown. */
typedef struct Id {
  uint32_t op;                     /* its opcode, if it is a type, constant or variable */
  uint32_t class;                  /* of a variable */
  uint32_t type;                   /* of a variable; pointee, element */
  uint32_t value;                  /* of a constant; id of an array's length */
  uint32_t set, binding, location; /* decorations */
  uint32_t first_use;              /* of a function: in uses, up to the next function's */
  uint32_t last_use;
  bool reached;
} Id;

typedef struct Reader {
  AmberStage stage;
  const char *name;
  HnInterface *out;
  Id *ids;
  uint32_t bound;
  uint32_t function; /* the current one; 0: none */
  uint32_t *uses;    /* ids that functions refer to, function by function */
  size_t use_count, use_room;
  uint32_t entry; /* its function */
  uint32_t *interface;
  size_t interface_count;
} Reader;

static bool push(uint32_t **items, size_t *count, size_t *room, uint32_t item) {
  if (*count == *room) {
    size_t wider = *room ? 2 * *room : 256;
    uint32_t *grown = realloc(*items, wider * sizeof *grown);
    if (!grown)
      return false;
    *items = grown;
    *room = wider;
  }
  (*items)[(*count)++] = item;
  return true;
}

/* ---- one instruction ------------------------------------------------------------------------ */

static bool is_stage(AmberStage stage, uint32_t model) {
  static const SpvExecutionModel models[] = {SpvExecutionModelVertex,
                                             SpvExecutionModelTessellationControl,
                                             SpvExecutionModelTessellationEvaluation,
                                             SpvExecutionModelGeometry,
                                             SpvExecutionModelFragment,
                                             SpvExecutionModelGLCompute};
  return model == (uint32_t)models[stage];
}

static bool read_entry_point(Reader *r, const spv_parsed_instruction_t *i) {
  const char *name = (const char *)(i->words + i->operands[2].offset);
  if (strcmp(name, r->name) != 0)
    return true;
  r->out->named = true;
  if (r->out->found || !is_stage(r->stage, i->words[1]))
    return true;
  r->out->found = true;
  r->entry = i->words[2];
  size_t room = 0;
  for (uint16_t k = 3; k < i->num_operands; k++)
    if (!push(&r->interface, &r->interface_count, &room, i->words[i->operands[k].offset]))
      return false;
  return true;
}

static void read_decoration(Reader *r, const spv_parsed_instruction_t *i) {
  if (i->num_words < 4 || i->words[1] >= r->bound)
    return;
  Id *id = &r->ids[i->words[1]];
  if (i->words[2] == SpvDecorationDescriptorSet)
    id->set = i->words[3];
  else if (i->words[2] == SpvDecorationBinding)
    id->binding = i->words[3];
  else if (i->words[2] == SpvDecorationLocation)
    id->location = i->words[3];
}

static void read_global(Reader *r, const spv_parsed_instruction_t *i) {
  Id *id = &r->ids[i->result_id];
  id->op = i->opcode;
  switch (i->opcode) {
  case SpvOpTypePointer:
    id->type = i->words[3];
    break;
  case SpvOpTypeArray:
    id->type = i->words[2];
    id->value = i->words[3];
    break;
  case SpvOpConstant: /* a 64-bit one longer than a word cannot be an array's length */
    id->value = i->num_words > 4 && i->words[4] ? UINT32_MAX : i->words[3];
    break;
  case SpvOpVariable:
    id->type = i->type_id;
    id->class = i->words[3];
    break;
  default:
    break;
  }
}

static bool read_uses(Reader *r, const spv_parsed_instruction_t *i) {
  for (uint16_t k = 0; k < i->num_operands; k++)
    if (i->operands[k].type == SPV_OPERAND_TYPE_ID &&
        !push(&r->uses, &r->use_count, &r->use_room, i->words[i->operands[k].offset]))
      return false;
  return true;
}

static bool read_in_function(Reader *r, const spv_parsed_instruction_t *i) {
  if (i->opcode != SpvOpFunctionEnd)
    return read_uses(r, i);
  r->ids[r->function].last_use = (uint32_t)r->use_count;
  r->function = 0;
  return true;
}

static spv_result_t read_header(void *user, spv_endianness_t order, uint32_t magic,
                                uint32_t version, uint32_t generator, uint32_t bound,
                                uint32_t schema) {
  Reader *r = user;
  (void)order, (void)magic, (void)version, (void)generator, (void)schema;
  r->bound = bound;
  r->ids = bound <= MOST_IDS ? calloc((size_t)bound + 1, sizeof *r->ids) : NULL;
  for (uint32_t i = 0; r->ids && i < bound; i++)
    r->ids[i].set = r->ids[i].binding = r->ids[i].location = AMBER_NONE;
  return r->ids ? SPV_SUCCESS : SPV_ERROR_OUT_OF_MEMORY;
}

static spv_result_t read_instruction(void *user, const spv_parsed_instruction_t *i) {
  Reader *r = user;
  bool good = true;
  if (i->result_id >= r->bound)
    return SPV_ERROR_INVALID_ID;
  if (i->opcode == SpvOpEntryPoint) {
    good = read_entry_point(r, i);
  } else if (i->opcode == SpvOpDecorate) {
    read_decoration(r, i);
  } else if (i->opcode == SpvOpFunction) {
    r->function = i->result_id;
    r->ids[r->function].op = SpvOpFunction;
    r->ids[r->function].first_use = (uint32_t)r->use_count;
  } else if (r->function) {
    good = read_in_function(r, i);
  } else if (i->result_id) {
    read_global(r, i);
  }
  return good ? SPV_SUCCESS : SPV_ERROR_OUT_OF_MEMORY;
}

/* ---- what the entry point refers to ---------------------------------------------------------- */

static bool add_slot(HnInterface *out, const Id *id) {
  HnSlot *slots = realloc(out->slots, (out->slot_count + 1) * sizeof *slots);
  if (!slots)
    return false;
  out->slots = slots;
  slots[out->slot_count++] = (HnSlot){id->set, id->binding};
  return true;
}

static bool add_variable(HnInterface *out, const Id *id) {
  out->push_constants |= id->class == SpvStorageClassPushConstant;
  bool descriptor = id->class == SpvStorageClassUniformConstant ||
                    id->class == SpvStorageClassUniform ||
                    id->class == SpvStorageClassStorageBuffer;
  bool placed = id->set != AMBER_NONE && id->binding != AMBER_NONE;
  return !descriptor || !placed || add_slot(out, id);
}

/* Visits all ids that the entry point reaches, with a worklist. */
static bool walk(Reader *r) {
  uint32_t *list = NULL;
  size_t count = 0, room = 0;
  bool good = r->entry < r->bound && push(&list, &count, &room, r->entry);
  while (good && count) {
    Id *function = &r->ids[list[--count]];
    for (uint32_t u = function->first_use; good && u < function->last_use; u++) {
      Id *id = r->uses[u] < r->bound ? &r->ids[r->uses[u]] : function;
      if (id->reached || id == function)
        continue;
      id->reached = true;
      if (id->op == SpvOpFunction)
        good = push(&list, &count, &room, r->uses[u]);
      else if (id->op == SpvOpVariable)
        good = add_variable(r->out, id);
    }
  }
  free(list);
  return good;
}

/* ---- outputs --------------------------------------------------------------------------------- */

/* How many locations a value of the type takes. Members of a struct have their own; an unknown type
 * takes all. */
static uint64_t locations_of(const Reader *r, uint32_t type) {
  uint64_t count = 1;
  while (type < r->bound && r->ids[type].op == SpvOpTypeArray) {
    uint32_t length = r->ids[type].value;
    bool known = length < r->bound && r->ids[length].op == SpvOpConstant;
    count = known && count < 64 ? count * r->ids[length].value : 64;
    type = r->ids[type].type;
  }
  return type < r->bound && r->ids[type].op != SpvOpTypeStruct ? count : 64;
}

static void add_outputs(Reader *r) {
  for (size_t i = 0; i < r->interface_count; i++) {
    if (r->interface[i] >= r->bound)
      continue;
    const Id *id = &r->ids[r->interface[i]];
    bool pointer = id->type < r->bound && r->ids[id->type].op == SpvOpTypePointer;
    if (id->op != SpvOpVariable || id->class != SpvStorageClassOutput || !pointer ||
        id->location == AMBER_NONE)
      continue;
    uint64_t end = id->location + locations_of(r, r->ids[id->type].type);
    for (uint64_t location = id->location; location < end && location < 64; location++)
      r->out->outputs |= (uint64_t)1 << location;
  }
}

bool hn_reflect(HnModule module, AmberStage stage, const char *entry_point, HnInterface *out) {
  *out = (HnInterface){0};
  Reader r = {.stage = stage, .name = entry_point, .out = out};
  spv_context context = spvContextCreate(SPV_ENV_UNIVERSAL_1_6);
  bool good = spvBinaryParse(context, &r, module.words, module.count, read_header, read_instruction,
                             NULL) == SPV_SUCCESS;
  spvContextDestroy(context);
  if (good && out->found) {
    good = walk(&r);
    add_outputs(&r);
  }
  free(r.ids);
  free(r.uses);
  free(r.interface);
  if (!good)
    hn_interface_clear(out);
  return good;
}

void hn_interface_clear(HnInterface *interface) {
  free(interface->slots);
  *interface = (HnInterface){0};
}

/* ---- pipelines ------------------------------------------------------------------------------- */

/* The subject of a message. */
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
  return !asked->push_constants || a->pipeline->push_constant != AMBER_NONE ||
         refuse(a, message, "uses push constants, to which pipeline %.60s binds nothing",
                a->pipeline->name);
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
  return good;
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
