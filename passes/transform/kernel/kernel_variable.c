/* SPDX-License-Identifier: Apache-2.0 */
/* kernel_variable: see kernel_variable.h. An initializer is written to memory first, as bytes, and
 * read back as elements. */
#include "passes/transform/kernel/kernel_variable.h"

#include "passes/base/text.h"
#include "passes/ir/decorations.h"
#include "passes/ir/edit.h"
#include "passes/ir/pointer.h"
#include "passes/transform/kernel/kernel_base.h"
#include "passes/transform/kernel/kernel_layout.h"

enum { LARGEST_TABLE = 1 << 16 /* bytes */ };

uint32_t sr_kernel_variable_new(SrKernels *k, SpvStorageClass storage, uint32_t type,
                                uint32_t initializer) {
  SrModule *m = k->m;
  uint32_t id = sr_fresh_id(m);
  uint32_t pointer = sr_kernel_pointer(k, storage, type);
  sr_begin(m, SpvOpVariable, pointer, id);
  sr_put_literal(m, storage);
  if (initializer)
    sr_put_id(m, initializer);
  sr_append(m, &m->globals, sr_end(m));
  return id;
}

void sr_kernel_variable_decorate(SrKernels *k, uint32_t id, SpvDecoration decoration,
                                 uint32_t literal) {
  SrModule *m = k->m;
  sr_begin(m, SpvOpDecorate, 0, 0);
  sr_put_id(m, id);
  sr_put_literal(m, decoration);
  if (literal != SR_NONE)
    sr_put_literal(m, literal);
  sr_insert_before(m, &m->globals, k->decorations, sr_end(m));
}

void sr_kernel_variable_offset(SrKernels *k, uint32_t type, uint32_t member, uint32_t offset) {
  SrModule *m = k->m;
  sr_begin(m, SpvOpMemberDecorate, 0, 0);
  sr_put_id(m, type);
  sr_put_literal(m, member);
  sr_put_literal(m, SpvDecorationOffset);
  sr_put_literal(m, offset);
  sr_insert_before(m, &m->globals, k->decorations, sr_end(m));
}

void sr_kernel_variable_bind(SrKernels *k, uint32_t id, uint32_t set, uint32_t binding) {
  sr_kernel_variable_decorate(k, id, SpvDecorationDescriptorSet, set);
  sr_kernel_variable_decorate(k, id, SpvDecorationBinding, binding);
}

/* ---- initializers ---- */

typedef struct Part {
  uint32_t id, at; /* a constant; its place in bytes */
} Part;

typedef struct Bytes {
  SrKernels *k;
  uint8_t *at;
  SR_VEC(Part) work;
} Bytes;

static void write_scalar(Bytes *b, SrRef r, uint32_t at) {
  const SrModule *m = b->k->m;
  uint32_t size = sr_kernel_size_of(b->k, sr_inst(m, r)->type);
  for (uint32_t i = 0; i < size && i < 8; i++)
    b->at[at + i] = (uint8_t)(sr_words(m, r)[3 + i / 4] >> i % 4 * 8);
}

/* The parts of a constant composite join the work. */
static void open_composite(Bytes *b, SrRef r, uint32_t at) {
  SrKernels *k = b->k;
  const SrModule *m = k->m;
  uint32_t type = sr_inst(m, r)->type, count = sr_word_count(m, r) - 3;
  bool is_struct = sr_def_op(m, type) == SpvOpTypeStruct;
  for (uint32_t i = 0; i < count; i++) {
    uint32_t id = sr_words(m, r)[3 + i];
    uint32_t offset = is_struct ? (uint32_t)sr_kernel_member_offset(k, type, i)
                                : i * sr_kernel_size_of(k, sr_kernel_type_of(m, id));
    SR_PUSH(k->arena, &b->work, (Part){id, at + offset});
  }
}

/* False: the constant has a part that is neither a number nor composed of numbers. */
static bool write_bytes(Bytes *b, uint32_t constant) {
  const SrModule *m = b->k->m;
  SR_PUSH(b->k->arena, &b->work, (Part){constant, 0});
  while (b->work.count) {
    Part part = SR_POP(&b->work);
    SrRef r = sr_def(m, part.id);
    switch (sr_inst(m, r)->op) {
    case SpvOpConstant:
      write_scalar(b, r, part.at);
      break;
    case SpvOpConstantComposite:
      open_composite(b, r, part.at);
      break;
    case SpvOpConstantNull:
    case SpvOpUndef:
      break;
    default:
      return false;
    }
  }
  return true;
}

static uint32_t read_scalar(SrKernels *k, const uint8_t *at, uint32_t type) {
  uint64_t bits = 0;
  for (uint32_t i = 0; i < sr_kernel_bits(k->m, type) / 8; i++)
    bits |= (uint64_t)at[i] << 8 * i;
  return sr_kernel_constant(k, type, bits);
}

static uint32_t read_element(SrKernels *k, const uint8_t *at, uint32_t type) {
  uint32_t scalar = sr_kernel_scalar_of(k->m, type), count = sr_kernel_components(k->m, type);
  uint32_t part[16];
  for (uint32_t i = 0; i < count; i++)
    part[i] = read_scalar(k, at + i * sr_kernel_bits(k->m, scalar) / 8, scalar);
  return count == 1 ? part[0] : sr_kernel_composite(k, type, part, count);
}

/* ---- variables ---- */

static uint32_t length_of(const SrKernelBase *b) {
  uint32_t length = (b->bytes + b->unit - 1) / b->unit;
  return length ? length : 1;
}

static uint32_t array_of(SrKernels *k, const SrKernelBase *b) {
  return sr_kernel_array(k, b->element, sr_kernel_u32(k, length_of(b)), 0);
}

/* The constant array that a variable's initializer becomes; 0: it cannot be converted. */
static uint32_t convert_initializer(SrKernels *k, const SrKernelBase *b, uint32_t initializer) {
  uint32_t count = length_of(b), *part = SR_NEW(k->arena, uint32_t, count);
  Bytes bytes = {.k = k, .at = SR_NEW(k->arena, uint8_t, (size_t)count * b->unit + 8)};
  if (!write_bytes(&bytes, initializer))
    return 0;
  for (uint32_t i = 0; i < count; i++)
    part[i] = read_element(k, bytes.at + (size_t)i * b->unit, b->element);
  return sr_kernel_composite(k, array_of(k, b), part, count);
}

static const char NOT_NUMBERS[] = "its initial value has parts that are not numbers";

/* Why it cannot be converted, or NULL. */
static const char *declare(SrKernels *k, SrKernelBase *b, SrRef r) {
  SrModule *m = k->m;
  SrText text = {.arena = k->arena};
  uint32_t initializer = sr_variable_initializer(m, r), value = 0;
  if (!b->read && !b->written)
    return NULL;
  if (b->place == SR_PLACE_TABLE && (b->written || !initializer))
    return "a variable of the program that kernels write";
  if (!b->bytes || (b->place == SR_PLACE_TABLE && b->bytes > LARGEST_TABLE)) {
    sr_text_add(&text, "a variable of %u bytes; up to %u can be converted", b->bytes,
                (unsigned)LARGEST_TABLE);
    return sr_text_end(&text);
  }
  if (b->place == SR_PLACE_TABLE && !(value = convert_initializer(k, b, initializer)))
    return NOT_NUMBERS;
  b->variable = sr_kernel_variable_new(
      k, b->place == SR_PLACE_LOCAL ? SpvStorageClassWorkgroup : SpvStorageClassPrivate,
      array_of(k, b), value);
  sr_copy_name(m, b->id, b->variable);
  sr_ids_set(k->same, b->id, sr_kernel_u32(k, 0));
  return NULL;
}

void sr_kernel_variable_module(SrKernels *k) {
  for (uint32_t i = 0; i < k->base.count; i++) {
    SrKernelBase *b = &k->base.at[i];
    SrRef r = sr_def(k->m, b->id); /* SR_NONE: of a kernel that is left out */
    if (r == SR_NONE || k->m->home[b->id] != SR_NONE || sr_inst(k->m, r)->op != SpvOpVariable)
      continue;
    if (b->place == SR_PLACE_TABLE || b->place == SR_PLACE_LOCAL)
      b->refusal = declare(k, b, r);
  }
}

SrStatus sr_kernel_variable_check(SrKernels *k, const SrKernelBase *b) {
  if (!b || !b->refusal)
    return SR_OK;
  return sr_kernel_refuse(k, sr_def(k->m, b->id), "%s", b->refusal);
}

/* A new variable at the start of the function. */
static void add_private(SrKernels *k, SrKernelBase *b, uint32_t value) {
  SrModule *m = k->m;
  SrBlock *entry = &k->f->blocks[0];
  uint32_t type = sr_kernel_pointer(k, SpvStorageClassFunction, array_of(k, b));
  b->variable = sr_fresh_id(m);
  sr_begin(m, SpvOpVariable, type, b->variable);
  sr_put_literal(m, SpvStorageClassFunction);
  if (value)
    sr_put_id(m, value);
  sr_insert_before(m, &entry->list, sr_first_ordinary(m, entry), sr_end(m));
  m->home[b->variable] = 0;
  sr_copy_name(m, b->id, b->variable);
}

static SrStatus replace_private(SrKernels *k, SrRef r) {
  SrModule *m = k->m;
  uint32_t id = sr_inst(m, r)->result, initializer = sr_variable_initializer(m, r), value = 0;
  SrKernelBase *b = sr_kernel_base_of(k, id);
  if (b->read || b->written) {
    if (!b->bytes)
      return sr_kernel_refuse(k, r, "a variable of a type without size");
    if (initializer && !(value = convert_initializer(k, b, initializer)))
      return sr_kernel_refuse(k, r, "%s", NOT_NUMBERS);
    add_private(k, b, value);
  }
  sr_ids_set(k->same, id, sr_kernel_u32(k, 0));
  sr_remove(m, &k->f->blocks[0].list, r);
  SR_PUSH(k->arena, &k->replaced, r);
  return SR_OK;
}

SrStatus sr_kernel_variable_function(SrKernels *k) {
  SrModule *m = k->m;
  for (SR_EACH_SAFE(m, r, k->f->blocks[0].list))
    if (sr_inst(m, r)->op == SpvOpVariable && sr_kernel_base_of(k, sr_inst(m, r)->result))
      SR_CHECK(replace_private(k, r));
  for (uint32_t i = 0; i < k->current->argument.count; i++) {
    uint32_t base = k->current->argument.at[i].base;
    if (base != SR_NONE && k->base.at[base].place == SR_PLACE_VALUE)
      add_private(k, &k->base.at[base], 0);
  }
  return SR_OK;
}
