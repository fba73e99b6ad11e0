/* SPDX-License-Identifier: Apache-2.0 */
/* shader_face: see shader_face.h.
 *
 * An explicit stack holds the types of a block that are still to be placed. An array puts all its
 * elements on the stack, up to MOST_LEAVES numbers. Beyond that limit only one element of each
 * array is visited, because the kinds of the numbers are still needed. */
#include "harness/capture/shader_face.h"

#include "passes/ir/byte_order.h"
#include "passes/ir/decorations.h"
#include "passes/ir/pointer.h"
#include "passes/ir/reader.h"
#include "spv-emu/format/format.h"

#include <spirv/unified1/GLSL.std.450.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_LEAVES = 16384 };

typedef struct Member {
  uint32_t type, member, decoration, value;
} Member;

typedef struct Item {
  uint32_t type, offset;
  uint32_t matrix_stride;
  bool row_major;
} Item;

typedef SR_VEC(CpLeaf) Leaves;

typedef struct Walk {
  SrArena arena;
  SrModule *m;
  CpFace *face;
  CpSpecialized *specialized;
  void *user;
  SR_VEC(Member) members; /* all OpMemberDecorate */
  SR_VEC(CpVariable) variables;
  /* Of the block that is walked. */
  SR_VEC(Item) stack;
  Leaves leaves;
  CpBlock *block;
  bool any;
} Walk;

static const uint32_t *type_words(const Walk *w, uint32_t type) {
  static const uint32_t none[8] = {0};
  SrRef def = sr_def(w->m, type);
  return def == SR_NONE ? none : sr_words(w->m, def);
}

static SpvOp op_of(const Walk *w, uint32_t id) {
  return sr_def_op(w->m, id);
}

/* ---- decorations of members ------------------------------------------------------------------ */

static void list_members(Walk *w) {
  for (SR_EACH(w->m, i, w->m->globals)) {
    const uint32_t *words = sr_words(w->m, i);
    if (sr_inst(w->m, i)->op != SpvOpMemberDecorate || sr_word_count(w->m, i) < 4)
      continue;
    const Member member = {words[1], words[2], words[3], sr_word_count(w->m, i) > 4 ? words[4] : 0};
    SR_PUSH(&w->arena, &w->members, member);
  }
}

static bool member_value(const Walk *w, uint32_t type, uint32_t member, SpvDecoration decoration,
                         uint32_t *value) {
  for (uint32_t i = 0; i < w->members.count; i++) {
    const Member *at = &w->members.at[i];
    if (at->type == type && at->member == member && at->decoration == (uint32_t)decoration) {
      *value = at->value;
      return true;
    }
  }
  return false;
}

/* ---- constants ------------------------------------------------------------------------------- */

/* The value of an integer constant; 0: it is not known. */
static uint32_t constant(Walk *w, uint32_t id) {
  SpvOp op = op_of(w, id);
  uint32_t value = op == SpvOpConstant || op == SpvOpSpecConstant ? type_words(w, id)[3] : 0, spec;
  if (op == SpvOpSpecConstant && sr_decoration_value(w->m, id, SpvDecorationSpecId, &spec))
    w->specialized(w->user, spec, &value);
  return value;
}

/* ---- the numbers of a block ------------------------------------------------------------------ */

static void push_item(Walk *w, uint32_t type, uint32_t offset, const Item *parent) {
  const Item item = {type, offset, parent ? parent->matrix_stride : 0,
                     parent ? parent->row_major : false};
  SR_PUSH(&w->arena, &w->stack, item);
}

static void add_leaf(Walk *w, uint32_t type, uint32_t offset) {
  const uint32_t *words = type_words(w, type);
  bool real = op_of(w, type) == SpvOpTypeFloat;
  uint8_t kind = real ? EMU_FORMAT_FLOAT : words[3] ? EMU_FORMAT_SINT : EMU_FORMAT_UINT;
  const CpLeaf leaf = {offset, kind, (uint8_t)words[2]};
  CpBlock *b = w->block;
  b->same = !w->any || (b->same && b->kind == leaf.kind && b->bits == leaf.bits);
  b->kind = leaf.kind;
  b->bits = leaf.bits;
  w->any = true;
  uint32_t end = offset + leaf.bits / 8u;
  b->size = b->size > end ? b->size : end;
  if (w->leaves.count < MOST_LEAVES)
    SR_PUSH(&w->arena, &w->leaves, leaf);
  else
    b->too_many = true;
}

static uint32_t scalar_bytes(const Walk *w, uint32_t type) {
  return type_words(w, type)[2] / 8;
}

static void walk_vector(Walk *w, const Item *item) {
  const uint32_t *words = type_words(w, item->type);
  for (uint32_t i = 0; i < words[3]; i++)
    add_leaf(w, words[2], item->offset + i * scalar_bytes(w, words[2]));
}

/* The vectors in memory are columns, or, row_major, rows. */
static void walk_matrix(Walk *w, const Item *item) {
  const uint32_t *words = type_words(w, item->type), *column = type_words(w, words[2]);
  uint32_t outer = item->row_major ? column[3] : words[3];
  uint32_t inner = item->row_major ? words[3] : column[3];
  for (uint32_t i = 0; i < outer; i++)
    for (uint32_t j = 0; j < inner; j++)
      add_leaf(w, column[2],
               item->offset + i * item->matrix_stride + j * scalar_bytes(w, column[2]));
}

static void walk_array(Walk *w, const Item *item) {
  const uint32_t *words = type_words(w, item->type);
  uint32_t element = words[2], length = constant(w, words[3]), stride = 0;
  sr_decoration_value(w->m, item->type, SpvDecorationArrayStride, &stride);
  uint64_t end = item->offset + (uint64_t)length * stride;
  if (end <= UINT32_MAX && w->block->size < end)
    w->block->size = (uint32_t)end;
  bool fits =
      length && stride && w->stack.count + length <= MOST_LEAVES && w->leaves.count < MOST_LEAVES;
  w->block->too_many = w->block->too_many || !fits;
  for (uint32_t i = fits ? length : 1; i-- > 0;)
    push_item(w, element, item->offset + i * stride, item);
}

static void walk_struct(Walk *w, const Item *item) {
  uint32_t count = sr_word_count(w->m, sr_def(w->m, item->type)) - 2;
  for (uint32_t i = count; i-- > 0;) {
    uint32_t offset = 0, ignored;
    Item parent = {0};
    member_value(w, item->type, i, SpvDecorationOffset, &offset);
    member_value(w, item->type, i, SpvDecorationMatrixStride, &parent.matrix_stride);
    parent.row_major = member_value(w, item->type, i, SpvDecorationRowMajor, &ignored);
    push_item(w, type_words(w, item->type)[2 + i], item->offset + offset, &parent);
  }
}

static void walk_item(Walk *w, const Item *item) {
  switch (op_of(w, item->type)) {
  case SpvOpTypeInt:
  case SpvOpTypeFloat:
    add_leaf(w, item->type, item->offset);
    return;
  case SpvOpTypeVector:
    walk_vector(w, item);
    return;
  case SpvOpTypeMatrix:
    walk_matrix(w, item);
    return;
  case SpvOpTypeArray:
    walk_array(w, item);
    return;
  case SpvOpTypeStruct:
    walk_struct(w, item);
    return;
  case SpvOpTypeRuntimeArray:
    w->block->tail_offset = item->offset;
    sr_decoration_value(w->m, item->type, SpvDecorationArrayStride, &w->block->stride);
    return;
  default:
    w->face->refusal = "a block holds device addresses";
  }
}

static void walk_type(Walk *w, uint32_t type) {
  w->leaves.count = w->stack.count = 0;
  push_item(w, type, 0, NULL);
  while (w->stack.count) {
    const Item item = SR_POP(&w->stack);
    walk_item(w, &item);
  }
}

static int by_offset(const void *x, const void *y) {
  const CpLeaf *a = x, *b = y;
  return (a->offset > b->offset) - (a->offset < b->offset);
}

static void take_leaves(Walk *w, CpLeaf **leaves, uint32_t *count) {
  *count = (uint32_t)w->leaves.count;
  *leaves = malloc((w->leaves.count + 1) * sizeof **leaves);
  if (!*leaves)
    longjmp(w->arena.heap->out_of_memory, 1);
  if (w->leaves.count)
    memcpy(*leaves, w->leaves.at, w->leaves.count * sizeof **leaves);
  qsort(*leaves, *count, sizeof **leaves, by_offset);
}

/* The run-time array of a block, which is the last member of its struct; 0: there is none. */
static uint32_t tail_of(const Walk *w, uint32_t type) {
  SrRef def = sr_def(w->m, type);
  if (def == SR_NONE || op_of(w, type) != SpvOpTypeStruct || sr_word_count(w->m, def) < 3)
    return 0;
  uint32_t last = sr_words(w->m, def)[sr_word_count(w->m, def) - 1];
  return op_of(w, last) == SpvOpTypeRuntimeArray ? last : 0;
}

static void read_block(Walk *w, uint32_t type, CpBlock *block) {
  *block = (CpBlock){0};
  w->block = block;
  w->any = false;
  walk_type(w, type);
  take_leaves(w, &block->leaves, &block->leaf_count);
  uint32_t tail = tail_of(w, type), size = block->size;
  if (!tail)
    return;
  walk_type(w, type_words(w, tail)[2]);
  take_leaves(w, &block->tail, &block->tail_count);
  block->size = size;
}

/* ---- variables ------------------------------------------------------------------------------- */

/* Is every member of the block decorated NonWritable? */
static bool all_read_only(const Walk *w, uint32_t type) {
  uint32_t ignored, count = sr_word_count(w->m, sr_def(w->m, type)) - 2;
  for (uint32_t i = 0; i < count; i++)
    if (!member_value(w, type, i, SpvDecorationNonWritable, &ignored))
      return false;
  return count > 0;
}

static void read_memory(Walk *w, uint32_t id, uint32_t type, uint32_t class, CpVariable *v) {
  bool storage = class == SpvStorageClassStorageBuffer ||
                 sr_is_decorated(w->m, type, SpvDecorationBufferBlock);
  v->class = storage ? CP_STORAGE_BLOCK : CP_UNIFORM_BLOCK;
  if (op_of(w, type) != SpvOpTypeStruct) {
    w->face->refusal = "a descriptor of a kind that cases do not have";
    return;
  }
  v->may_write =
      storage && !sr_is_decorated(w->m, id, SpvDecorationNonWritable) && !all_read_only(w, type);
  read_block(w, type, &v->block);
}

static void read_image(Walk *w, uint32_t id, uint32_t type, CpVariable *v) {
  SpvOp op = op_of(w, type);
  if (op == SpvOpTypeSampler) {
    v->class = CP_SAMPLER;
    return;
  }
  v->class = CP_IMAGE;
  if (op == SpvOpTypeSampledImage)
    type = type_words(w, type)[2];
  if (op_of(w, type) != SpvOpTypeImage) {
    w->face->refusal = "an acceleration structure";
    return;
  }
  const uint32_t *words = type_words(w, type);
  v->dim = words[3];
  v->arrayed = words[5] == 1;
  v->storage = words[7] == 2;
  v->may_write = v->storage && !sr_is_decorated(w->m, id, SpvDecorationNonWritable);
  if (words[6] == 1)
    w->face->refusal = "a multisampled image";
}

/* Copies the name of an id as far as it can be part of a name in a case. */
static void copy_name(const Walk *w, uint32_t id, char *name, size_t room) {
  size_t length = 0;
  for (SR_EACH(w->m, i, w->m->globals)) {
    const uint32_t *words = sr_words(w->m, i);
    if (sr_inst(w->m, i)->op != SpvOpName || words[1] != id)
      continue;
    for (const char *c = (const char *)&words[2]; *c && length + 1 < room; c++) {
      bool plain = (*c >= 'a' && *c <= 'z') || (*c >= 'A' && *c <= 'Z') || (*c >= '0' && *c <= '9');
      if (plain || (*c == '_' && length))
        name[length++] = *c;
    }
  }
  name[length] = 0;
}

static void name_variable(const Walk *w, uint32_t id, uint32_t type, CpVariable *v) {
  copy_name(w, id, v->name, sizeof v->name);
  if (!*v->name)
    copy_name(w, type, v->name, sizeof v->name);
}

static void read_descriptor(Walk *w, SrRef variable, uint32_t id, uint32_t class) {
  CpVariable v = {.count = 1};
  uint32_t type = sr_variable_type(w->m, variable);
  if (!sr_decoration_value(w->m, id, SpvDecorationDescriptorSet, &v.set) ||
      !sr_decoration_value(w->m, id, SpvDecorationBinding, &v.binding))
    return;
  if (op_of(w, type) == SpvOpTypeRuntimeArray)
    w->face->refusal = "a descriptor array without a size (bindless)";
  if (op_of(w, type) == SpvOpTypeArray) {
    v.count = constant(w, type_words(w, type)[3]);
    type = type_words(w, type)[2];
  }
  if (op_of(w, type) == SpvOpTypeArray)
    w->face->refusal = "an array of arrays of descriptors";
  if (w->face->refusal)
    return;
  name_variable(w, id, type, &v);
  if (class == SpvStorageClassUniformConstant)
    read_image(w, id, type, &v);
  else
    read_memory(w, id, type, class, &v);
  SR_PUSH(&w->arena, &w->variables, v);
}

static void read_variables(Walk *w) {
  for (SR_EACH(w->m, i, w->m->globals)) {
    if (sr_inst(w->m, i)->op != SpvOpVariable)
      continue;
    uint32_t id = sr_inst(w->m, i)->result, class = sr_pointer_class(w->m, id);
    if (class == SpvStorageClassPushConstant) {
      w->face->has_push = true;
      read_block(w, sr_variable_type(w->m, i), &w->face->push);
    } else if (class == SpvStorageClassUniformConstant || class == SpvStorageClassUniform ||
               class == SpvStorageClassStorageBuffer) {
      read_descriptor(w, i, id, class);
    }
  }
}

static void read_capabilities(Walk *w) {
  static const struct {
    SpvCapability capability;
    const char *refusal;
  } refused[] = {
      {SpvCapabilityPhysicalStorageBufferAddresses, "the shader uses device addresses"},
      {SpvCapabilityRayQueryKHR, "the shader uses ray queries"},
      {SpvCapabilityRayTracingKHR, "the shader uses ray tracing"},
      {SpvCapabilityKernel, "the shader is an OpenCL kernel"},
  };
  for (SR_EACH(w->m, i, w->m->globals))
    for (size_t k = 0; k < sizeof refused / sizeof *refused; k++)
      if (sr_inst(w->m, i)->op == SpvOpCapability &&
          sr_words(w->m, i)[1] == (uint32_t)refused[k].capability)
        w->face->refusal = refused[k].refusal;
}

/* ---- precision ------------------------------------------------------------------------------- */

/* Functions for which Vulkan requires only 11 bits of precision (sin, cos, atan), and those that it
 * derives from them. */
static bool is_rough(const SrModule *m, SrRef i) {
  const SrInst *inst = sr_inst(m, i);
  uint32_t number = inst->op == SpvOpExtInst ? sr_words(m, i)[4] : 0;
  return !inst->nonsemantic && number >= GLSLstd450Sin && number <= GLSLstd450Atan2;
}

static bool may_be_half(const SrModule *m, SrRef i) {
  const uint32_t *words = sr_words(m, i);
  SpvOp op = sr_inst(m, i)->op;
  return (op == SpvOpCapability && words[1] == SpvCapabilityFloat16) ||
         (op == SpvOpDecorate && words[2] == SpvDecorationRelaxedPrecision);
}

/* What a shader computes is right to about 14 bits, 10 with such functions, and 7 if it computes in halves. */
static double error_of(const SrModule *m) {
  bool rough = false, half = false;
  for (SrRef i = 0; i < m->inst.count; i++) {
    rough = rough || is_rough(m, i);
    half = half || may_be_half(m, i);
  }
  return half ? 1e-2 : rough ? 1e-3 : 1e-4;
}

static void keep_variables(Walk *w) {
  CpFace *face = w->face;
  face->variables = malloc((w->variables.count + 1) * sizeof *face->variables);
  if (!face->variables)
    longjmp(w->arena.heap->out_of_memory, 1);
  if (w->variables.count)
    memcpy(face->variables, w->variables.at, w->variables.count * sizeof *face->variables);
  face->count = (uint32_t)w->variables.count;
}

/* `heap` and `walk` are the caller's, so that they survive the jump. */
static bool read_all(SrHeap *heap, Walk *w, const uint32_t *words, size_t count) {
  if (setjmp(heap->out_of_memory))
    return false;
  SrDiag diag = {.status = SR_OK};
  if (sr_is_swapped(words, count) || sr_read(&w->arena, &diag, words, count, &w->m) != SR_OK)
    return false;
  read_capabilities(w);
  list_members(w);
  if (!w->face->refusal)
    read_variables(w);
  w->face->error = error_of(w->m);
  keep_variables(w);
  return true;
}

CpFace *cp_face_read(const uint32_t *words, size_t count, CpSpecialized *specialized, void *user) {
  SrHeap heap = {0};
  sr_heap_init(&heap);
  Walk walk = {.arena = sr_arena_new(&heap),
               .face = calloc(1, sizeof *walk.face),
               .specialized = specialized,
               .user = user};
  bool good = walk.face && read_all(&heap, &walk, words, count);
  sr_heap_free_all(&heap);
  if (good)
    return walk.face;
  cp_face_free(walk.face);
  return NULL;
}

static void free_block(CpBlock *block) {
  free(block->leaves);
  free(block->tail);
}

void cp_face_free(CpFace *face) {
  if (!face)
    return;
  for (uint32_t i = 0; i < face->count; i++)
    free_block(&face->variables[i].block);
  free_block(&face->push);
  free(face->variables);
  free(face);
}
