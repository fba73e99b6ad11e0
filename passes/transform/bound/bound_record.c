/* SPDX-License-Identifier: Apache-2.0 */
/* bound_record: see bound_record.h. */
#include "passes/transform/bound/bound_record.h"

#include "passes/ir/constants.h"
#include "passes/ir/decorations.h"
#include "passes/ir/edit.h"
#include "passes/source/source_message.h"
#include "passes/transform/entry_interface.h"

#include <spvreconv/spvreconv.h>
#include <string.h>

enum {
  WORDS = sizeof(spvreconv_record) / sizeof(uint32_t),
  NAMED = 4,                  /* lanes */
  HAS_ADDRESSES = 0x00010500, /* the version whose core has the extension */
};

/* How lanes are named: by a builtin of the stage. */
typedef struct Naming {
  SpvExecutionModel model;
  SpvBuiltIn builtin;
  const char *lane;    /* as in spvreconv_bounded */
  uint32_t components; /* that are stored */
} Naming;

static const Naming namings[] = {
    {SpvExecutionModelGLCompute, SpvBuiltInGlobalInvocationId, "invocation", 3},
    {SpvExecutionModelTaskEXT, SpvBuiltInGlobalInvocationId, "invocation", 3},
    {SpvExecutionModelMeshEXT, SpvBuiltInGlobalInvocationId, "invocation", 3},
    {SpvExecutionModelFragment, SpvBuiltInFragCoord, "pixel", 2},
    {SpvExecutionModelVertex, SpvBuiltInVertexIndex, "vertex", 1},
};

struct SrRecorder {
  SrModule *m;
  SrArena *arena;
  uint64_t (*bounded)(void *user, const struct spvreconv_bounded *loop);
  void *user;
  SrSource *source;
  const Naming *naming;  /* NULL: lanes are only counted */
  uint32_t builtin;      /* the variable */
  uint32_t record, word; /* types of pointers to a record and to a word of it; 0: not made yet */
  uint32_t scope;        /* id of the constant */
};

/* ---- what the module is ---- */

/* The operands of OpMemoryModel: addressing model, memory model; NULL: it is missing. */
static uint32_t *models(const SrModule *m) {
  for (SR_EACH(m, r, m->globals))
    if (sr_inst(m, r)->op == SpvOpMemoryModel)
      return &sr_words(m, r)[1];
  return NULL;
}

/* Can the module hold addresses of records? */
static bool is_suitable(const SrModule *m) {
  const uint32_t *model = models(m);
  return m->shader && model &&
         (model[0] == SpvAddressingModelLogical ||
          model[0] == SpvAddressingModelPhysicalStorageBuffer64);
}

/* The naming of the only execution model among the entry points, or NULL. */
static const Naming *find_naming(const SrModule *m) {
  uint32_t model = SR_NONE;
  for (SR_EACH(m, r, m->globals)) {
    if (sr_inst(m, r)->op != SpvOpEntryPoint)
      continue;
    if (model != SR_NONE && model != sr_words(m, r)[1])
      return NULL;
    model = sr_words(m, r)[1];
  }
  for (size_t i = 0; i < sizeof namings / sizeof *namings; i++)
    if ((uint32_t)namings[i].model == model)
      return &namings[i];
  return NULL;
}

/* How many variables are the builtin; *variable: the last of them. */
static uint32_t find_builtin(const SrModule *m, SpvBuiltIn builtin, uint32_t *variable) {
  uint32_t count = 0;
  for (SR_EACH(m, r, m->globals)) {
    const uint32_t *w = sr_words(m, r);
    if (sr_inst(m, r)->op == SpvOpDecorate && w[2] == SpvDecorationBuiltIn &&
        w[3] == (uint32_t)builtin) {
      *variable = w[1];
      count++;
    }
  }
  return count;
}

SrRecorder *sr_recorder(SrPassRun *r) {
  if (r->kept || !r->options.bounded || !is_suitable(r->m))
    return r->kept;
  SrRecorder *k = SR_NEW(r->arena, SrRecorder, 1);
  *k = (SrRecorder){.m = r->m,
                    .arena = r->arena,
                    .bounded = r->options.bounded,
                    .user = r->options.bounded_user,
                    .source = sr_source_new(r->arena, r->m),
                    .naming = find_naming(r->m)};
  if (k->naming && find_builtin(r->m, k->naming->builtin, &k->builtin) > 1)
    k->naming = NULL;
  r->kept = k;
  return k;
}

/* The first line in the blocks. */
static SrSourcePlace place_of(const SrRecorder *k, const SrFunction *f, const uint32_t *block,
                              uint32_t count) {
  SrSourcePlace place = SR_SOURCE_NOWHERE;
  for (uint32_t i = 0; i < count && !place.line; i++)
    place = sr_source_of_block(k->source, f->blocks[block[i]].label);
  return place;
}

uint64_t sr_recorder_ask(SrRecorder *k, const SrFunction *f, const uint32_t *block,
                         uint32_t count) {
  const SrSourcePlace place = place_of(k, f, block, count);
  const spvreconv_bounded loop = {
      .function = sr_function_name(k->m, k->arena, f),
      .function_id = f->id,
      .block = f->blocks[*block].id,
      .file = place.file == SR_NONE ? NULL : k->source->files.at[place.file].name,
      .line = place.line,
      .lane = k->naming ? k->naming->lane : NULL,
  };
  return k->bounded(k->user, &loop);
}

/* ---- declarations ---- */

static uint32_t global(SrModule *m, SrRef where) {
  SrRef r = sr_end(m);
  sr_insert_before(m, &m->globals, where, r);
  return sr_inst(m, r)->result;
}

static void put_text(SrModule *m, const char *text) {
  char words[64] = {0};
  size_t length = strlen(text);
  memcpy(words, text, length);
  for (size_t at = 0; at <= length; at += 4) {
    uint32_t word;
    memcpy(&word, words + at, sizeof word);
    sr_put_literal(m, word);
  }
}

static bool has_extension(const SrModule *m, const char *name) {
  for (SR_EACH(m, r, m->globals))
    if (sr_inst(m, r)->op == SpvOpExtension && strcmp((const char *)&sr_words(m, r)[1], name) == 0)
      return true;
  return false;
}

static void declare_extension(SrModule *m) {
  static const char name[] = "SPV_KHR_physical_storage_buffer";
  SrRef where = m->globals.first;
  if (m->header[1] >= HAS_ADDRESSES || has_extension(m, name))
    return;
  while (sr_inst(m, where)->op == SpvOpCapability)
    where = sr_inst(m, where)->next;
  sr_begin(m, SpvOpExtension, 0, 0);
  put_text(m, name);
  global(m, where);
}

static void allow_addresses(SrModule *m) {
  if (models(m)[0] == SpvAddressingModelPhysicalStorageBuffer64)
    return;
  models(m)[0] = SpvAddressingModelPhysicalStorageBuffer64;
  sr_begin(m, SpvOpCapability, 0, 0);
  sr_put_literal(m, SpvCapabilityPhysicalStorageBufferAddresses);
  global(m, m->globals.first);
  declare_extension(m);
}

static void decorate(SrModule *m, uint32_t id, SpvDecoration kind, uint32_t value) {
  sr_begin(m, SpvOpDecorate, 0, 0);
  sr_put_id(m, id);
  sr_put_literal(m, (uint32_t)kind);
  sr_put_literal(m, value);
  global(m, sr_decoration_place(m));
}

static uint32_t pointer_type(SrModule *m, SpvStorageClass storage, uint32_t type) {
  sr_begin(m, SpvOpTypePointer, 0, sr_fresh_id(m));
  sr_put_literal(m, (uint32_t)storage);
  sr_put_id(m, type);
  return global(m, SR_NONE);
}

/* struct { uint words[WORDS]; }, and pointers to it and to a word. */
static void declare_record(SrRecorder *k) {
  SrModule *m = k->m;
  uint32_t u32 = sr_type_u32(m), words = sr_const_u32(m, WORDS), array = sr_fresh_id(m),
           record = sr_fresh_id(m);
  sr_begin(m, SpvOpTypeArray, 0, array);
  sr_put_id(m, u32);
  sr_put_id(m, words);
  global(m, SR_NONE);
  sr_begin(m, SpvOpTypeStruct, 0, record);
  sr_put_id(m, array);
  global(m, SR_NONE);
  decorate(m, array, SpvDecorationArrayStride, sizeof(uint32_t));
  sr_decorate(m, record, SpvDecorationBlock);
  sr_begin(m, SpvOpMemberDecorate, 0, 0);
  sr_put_id(m, record);
  sr_put_literal(m, 0);
  sr_put_literal(m, SpvDecorationOffset);
  sr_put_literal(m, 0);
  global(m, sr_decoration_place(m));
  k->record = pointer_type(m, SpvStorageClassPhysicalStorageBuffer, record);
  k->word = pointer_type(m, SpvStorageClassPhysicalStorageBuffer, u32);
}

/* The type of the builtin in a new variable. */
static uint32_t builtin_type(const SrRecorder *k) {
  SrModule *m = k->m;
  if (k->naming->builtin == SpvBuiltInVertexIndex)
    return sr_type_u32(m);
  return k->naming->builtin == SpvBuiltInFragCoord ? sr_type_f32s(m, 4) : sr_type_u32s(m, 3);
}

static void declare_builtin(SrRecorder *k) {
  SrModule *m = k->m;
  uint32_t pointer = pointer_type(m, SpvStorageClassInput, builtin_type(k));
  k->builtin = sr_fresh_id(m);
  sr_begin(m, SpvOpVariable, pointer, k->builtin);
  sr_put_literal(m, SpvStorageClassInput);
  global(m, SR_NONE);
  decorate(m, k->builtin, SpvDecorationBuiltIn, (uint32_t)k->naming->builtin);
}

/* All entry points can name the builtin; false: one has no room. */
static bool add_to_interfaces(const SrRecorder *k) {
  SrModule *m = k->m;
  for (SR_EACH_SAFE(m, r, m->globals))
    if (sr_inst(m, r)->op == SpvOpEntryPoint && !sr_interface_add(m, r, k->builtin))
      return false;
  return true;
}

static void declare(SrRecorder *k) {
  SrModule *m = k->m;
  bool vulkan = models(m)[1] == SpvMemoryModelVulkan;
  allow_addresses(m);
  declare_record(k);
  k->scope = sr_const_u32(m, vulkan ? SpvScopeQueueFamily : SpvScopeDevice);
  if (k->naming && !k->builtin)
    declare_builtin(k);
  if (k->naming && !add_to_interfaces(k))
    k->naming = NULL;
  sr_forget_decorations(m);
}

/* ---- code ---- */

/* Where instructions are appended. */
typedef struct Code {
  SrModule *m;
  SrList *list;
  SrTransformCounts *counts;
} Code;

static void append(const Code *c) {
  sr_append(c->m, c->list, sr_end(c->m));
  c->counts->added_instructions++;
}

/* An instruction with up to two operands; 0: none. */
static uint32_t compute(const Code *c, SpvOp op, uint32_t type, uint32_t a, uint32_t b) {
  uint32_t id = sr_fresh_id(c->m);
  sr_begin(c->m, op, type, id);
  sr_put_id(c->m, a);
  if (b)
    sr_put_id(c->m, b);
  append(c);
  return id;
}

static uint32_t select(const Code *c, uint32_t condition, uint32_t yes, uint32_t no) {
  uint32_t type = sr_type_u32(c->m), id = sr_fresh_id(c->m);
  sr_begin(c->m, SpvOpSelect, type, id);
  sr_put_id(c->m, condition);
  sr_put_id(c->m, yes);
  sr_put_id(c->m, no);
  append(c);
  return id;
}

static uint32_t record_at(const SrRecorder *k, const Code *c, uint64_t address) {
  SrModule *m = c->m;
  uint32_t low = sr_const_u32(m, (uint32_t)address), high = sr_const_u32(m, address >> 32);
  uint32_t type = sr_type_u32s(m, 2), pair = sr_fresh_id(m);
  sr_begin(m, SpvOpConstantComposite, type, pair);
  sr_put_id(m, low);
  sr_put_id(m, high);
  global(m, SR_NONE);
  return compute(c, SpvOpBitcast, k->record, pair, 0);
}

static uint32_t word_at(const SrRecorder *k, const Code *c, uint32_t record, uint32_t index) {
  uint32_t zero = sr_const_u32(c->m, 0), id = sr_fresh_id(c->m);
  sr_begin(c->m, SpvOpAccessChain, k->word, id);
  sr_put_id(c->m, record);
  sr_put_id(c->m, zero);
  sr_put_id(c->m, index);
  append(c);
  return id;
}

/* Returns how many lanes came before. */
static uint32_t count_lane(const SrRecorder *k, const Code *c, uint32_t record) {
  SrModule *m = c->m;
  uint32_t zero = sr_const_u32(m, 0), one = sr_const_u32(m, 1), type = sr_type_u32(m);
  uint32_t pointer = word_at(k, c, record, zero), id = sr_fresh_id(m);
  sr_begin(m, SpvOpAtomicIAdd, type, id);
  sr_put_id(m, pointer);
  sr_put_id(m, k->scope);
  sr_put_id(m, zero);
  sr_put_id(m, one);
  append(c);
  return id;
}

/* An atomic store, since lanes may write the same word. */
static void store(const SrRecorder *k, const Code *c, uint32_t pointer, uint32_t value) {
  uint32_t zero = sr_const_u32(c->m, 0);
  sr_begin(c->m, SpvOpAtomicStore, 0, 0);
  sr_put_id(c->m, pointer);
  sr_put_id(c->m, k->scope);
  sr_put_id(c->m, zero);
  sr_put_id(c->m, value);
  append(c);
}

static uint32_t pointee(const SrModule *m, uint32_t variable) {
  uint32_t pointer = sr_inst(m, sr_def(m, variable))->type;
  return sr_words(m, sr_def(m, pointer))[3];
}

/* Component i of the builtin's value, as an unsigned integer. */
static uint32_t component(const SrRecorder *k, const Code *c, uint32_t value, uint32_t i) {
  SrModule *m = c->m;
  uint32_t u32 = sr_type_u32(m), type = pointee(m, k->builtin);
  if (sr_def_op(m, type) == SpvOpTypeVector) {
    uint32_t part = sr_fresh_id(m);
    type = sr_words(m, sr_def(m, type))[2];
    sr_begin(m, SpvOpCompositeExtract, type, part);
    sr_put_id(m, value);
    sr_put_literal(m, i);
    append(c);
    value = part;
  }
  if (type == u32)
    return value;
  bool is_float = sr_def_op(m, type) == SpvOpTypeFloat;
  return compute(c, is_float ? SpvOpConvertFToU : SpvOpBitcast, u32, value, 0);
}

static void name_lane(const SrRecorder *k, const Code *c, uint32_t record, uint32_t before) {
  SrModule *m = c->m;
  uint32_t most = sr_const_u32(m, NAMED), u32 = sr_type_u32(m), three = sr_const_u32(m, 3);
  uint32_t has_room = compute(c, SpvOpULessThan, sr_type_bool(m), before, most);
  uint32_t slot = compute(c, SpvOpIMul, u32, select(c, has_room, before, most), three);
  uint32_t value = compute(c, SpvOpLoad, pointee(m, k->builtin), k->builtin, 0);
  for (uint32_t i = 0; i < k->naming->components; i++) {
    uint32_t index = compute(c, SpvOpIAdd, u32, slot, sr_const_u32(m, i + 1));
    store(k, c, word_at(k, c, record, index), component(k, c, value, i));
  }
}

void sr_record_lane(SrRecorder *k, SrList *list, uint64_t address, SrTransformCounts *counts) {
  const Code code = {k->m, list, counts};
  if (!k->record)
    declare(k);
  uint32_t record = record_at(k, &code, address);
  uint32_t before = count_lane(k, &code, record);
  if (k->naming)
    name_lane(k, &code, record, before);
}
