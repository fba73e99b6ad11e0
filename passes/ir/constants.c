/* SPDX-License-Identifier: Apache-2.0 */
/* constants: see constants.h. The tables are filled from the module's globals at their first
 * use. */
#include "passes/ir/constants.h"
#include "passes/base/map.h"
#include "passes/ir/edit.h"
#include "passes/ir/newer.h"
#include "passes/ir/pointer.h"

typedef struct SrIntern {
  uint32_t type_bool, type_u32, type_f32, const_bool[2];
  SrMap constants;                /* u32 constants: id by value */
  SrMap nulls;                    /* id by type */
  SrMap vectors;                  /* vectors of u32, f32 and bool: id by vector_key */
  SrMap pointers;                 /* to Function storage: id by type */
  uint32_t *undef;                /* by type id */
  SrBits *no_phi;                 /* by type id */
  uint32_t type_room;             /* type ids below it have entries in undef and no_phi */
  bool small_int[2], small_float; /* may 8- and 16-bit integers, and 16-bit floats, be used for
                                   * more than loads and stores? */
} SrIntern;

typedef enum Part { PART_U32, PART_F32, PART_BOOL, PARTS } Part;

static uint32_t vector_key(Part part, uint32_t components) {
  return PARTS * components + part;
}

/* ---- types that phis may not have ---- */

/* Capabilities come first in a module (SPIR-V 2.4). */
bool sr_has_capability(const SrModule *m, SpvCapability capability) {
  for (SR_EACH(m, r, m->globals)) {
    if (sr_inst(m, r)->op != SpvOpCapability)
      break;
    if (sr_words(m, r)[1] == (uint32_t)capability)
      return true;
  }
  return false;
}

/* May pointers of this storage class be selected? SPIR-V 2.16.1, universal validation rules. */
static bool pointer_can_phi(const SrModule *m, uint32_t storage_class) {
  if (!m->logical_pointers)
    return true;
  switch (storage_class) {
  case SpvStorageClassPhysicalStorageBuffer:
    return true;
  case SpvStorageClassStorageBuffer:
    return sr_has_capability(m, SpvCapabilityVariablePointersStorageBuffer) ||
           sr_has_capability(m, SpvCapabilityVariablePointers);
  case SpvStorageClassWorkgroup:
    return sr_has_capability(m, SpvCapabilityVariablePointers);
  default:
    return false;
  }
}

/* Types are declared before they are used (forward pointers aside), so one walk decides which types
 * phis may have. */
static void note_type(SrModule *m, SrRef r) {
  SrIntern *in = m->intern;
  const uint32_t *w = sr_words(m, r);
  bool no = false;
  if (sr_inst(m, r)->unknown) { /* a type that the grammar lacks may be opaque */
    if (sr_inst(m, r)->result && !sr_inst(m, r)->type)
      sr_bit_set(in->no_phi, sr_inst(m, r)->result);
    return;
  }
  switch (sr_inst(m, r)->op) {
  case SpvOpTypePointer:
  case SR_OP_TYPE_UNTYPED_POINTER:
    no = !pointer_can_phi(m, w[2]);
    break;
  case SpvOpTypeImage:
  case SpvOpTypeSampler:
  case SpvOpTypeSampledImage:
  case SpvOpTypeAccelerationStructureKHR:
  case SpvOpTypeRayQueryKHR:
  case SpvOpTypeHitObjectNV:
    no = m->shader;
    break;
  case SpvOpTypeVoid:
  case SpvOpTypeFunction:
    no = true;
    break;
  case SpvOpTypeInt:
    no = w[2] < 32 && in->small_int[w[2] == 16];
    break;
  case SpvOpTypeFloat:
    no = w[2] == 16 && in->small_float;
    break;
  case SpvOpTypeVector:
  case SpvOpTypeMatrix:
  case SpvOpTypeArray:
  case SpvOpTypeRuntimeArray:
    no = sr_bit(in->no_phi, w[2]);
    break;
  case SpvOpTypeStruct:
    for (uint32_t i = 2; i < w[0] >> 16; i++)
      no |= sr_bit(in->no_phi, w[i]);
    break;
  default:
    break;
  }
  if (no)
    sr_bit_set(in->no_phi, w[1]);
}

/* ---- the tables ---- */

static void note_global(SrModule *m, SrRef r) {
  SrIntern *in = m->intern;
  const SrInst *inst = sr_inst(m, r);
  const uint32_t *w = sr_words(m, r);
  switch (inst->op) {
  case SpvOpTypeBool:
    in->type_bool = in->type_bool ? in->type_bool : inst->result;
    break;
  case SpvOpTypeInt:
    if (w[2] == 32 && w[3] == 0 && !in->type_u32)
      in->type_u32 = inst->result;
    break;
  case SpvOpTypeFloat:
    if (w[2] == 32 && !in->type_f32)
      in->type_f32 = inst->result;
    break;
  case SpvOpTypePointer:
    if (w[2] == SpvStorageClassFunction)
      sr_map_set(&in->pointers, w[3], inst->result);
    break;
  case SpvOpTypeVector:
    for (Part part = 0; part < PARTS; part++)
      if (w[2] == (part == PART_U32   ? in->type_u32
                   : part == PART_F32 ? in->type_f32
                                      : in->type_bool))
        sr_map_set(&in->vectors, vector_key(part, w[3]), inst->result);
    break;
  case SpvOpConstant:
    if (inst->type == in->type_u32)
      sr_map_set(&in->constants, w[3], inst->result);
    break;
  case SpvOpConstantNull:
    sr_map_set(&in->nulls, inst->type, inst->result);
    break;
  case SpvOpConstantTrue:
  case SpvOpConstantFalse:
    in->const_bool[inst->op == SpvOpConstantTrue] = inst->result;
    break;
  case SpvOpUndef:
    in->undef[inst->type] = inst->result;
    break;
  default:
    break;
  }
  note_type(m, r);
}

static SrIntern *intern(SrModule *m) {
  if (m->intern)
    return m->intern;
  m->intern = SR_NEW(m->arena, SrIntern, 1);
  SrIntern *in = m->intern;
  in->type_room = sr_bound(m);
  in->undef = SR_NEW(m->arena, uint32_t, in->type_room);
  in->no_phi = sr_bits_new(m->arena, in->type_room);
  in->constants.arena = in->nulls.arena = m->arena;
  in->vectors.arena = in->pointers.arena = m->arena;
  in->small_int[0] = m->shader && !sr_has_capability(m, SpvCapabilityInt8);
  in->small_int[1] = m->shader && !sr_has_capability(m, SpvCapabilityInt16);
  in->small_float = m->shader && !sr_has_capability(m, SpvCapabilityFloat16);
  for (SR_EACH(m, r, m->globals))
    note_global(m, r);
  return in;
}

static uint32_t finish_global(SrModule *m) {
  SrRef r = sr_end(m);
  sr_append(m, &m->globals, r);
  return sr_inst(m, r)->result;
}

uint32_t sr_type_bool(SrModule *m) {
  SrIntern *in = intern(m);
  if (!in->type_bool) {
    sr_begin(m, SpvOpTypeBool, 0, sr_fresh_id(m));
    in->type_bool = finish_global(m);
  }
  return in->type_bool;
}

uint32_t sr_type_u32(SrModule *m) {
  SrIntern *in = intern(m);
  if (!in->type_u32) {
    sr_begin(m, SpvOpTypeInt, 0, sr_fresh_id(m));
    sr_put_literal(m, 32);
    sr_put_literal(m, 0);
    in->type_u32 = finish_global(m);
  }
  return in->type_u32;
}

static uint32_t type_f32(SrModule *m) {
  SrIntern *in = intern(m);
  if (!in->type_f32) {
    sr_begin(m, SpvOpTypeFloat, 0, sr_fresh_id(m));
    sr_put_literal(m, 32);
    in->type_f32 = finish_global(m);
  }
  return in->type_f32;
}

static uint32_t type_vector(SrModule *m, Part part, uint32_t components) {
  uint32_t of = part == PART_U32   ? sr_type_u32(m)
                : part == PART_F32 ? type_f32(m)
                                   : sr_type_bool(m);
  uint32_t key = vector_key(part, components), id = sr_map_get(&m->intern->vectors, key);
  if (id == SR_NONE) {
    sr_begin(m, SpvOpTypeVector, 0, sr_fresh_id(m));
    sr_put_id(m, of);
    sr_put_literal(m, components);
    id = finish_global(m);
    sr_map_set(&m->intern->vectors, key, id);
  }
  return id;
}

uint32_t sr_type_u32s(SrModule *m, uint32_t components) {
  return type_vector(m, PART_U32, components);
}

uint32_t sr_type_f32s(SrModule *m, uint32_t components) {
  return type_vector(m, PART_F32, components);
}

uint32_t sr_type_bools(SrModule *m, uint32_t components) {
  return type_vector(m, PART_BOOL, components);
}

uint32_t sr_type_wide(SrModule *m, uint32_t type) {
  SrRef r = sr_def(m, type);
  uint32_t components = 1;
  if (sr_inst(m, r)->op == SpvOpTypeVector) {
    components = sr_words(m, r)[3];
    r = sr_def(m, sr_words(m, r)[2]);
  }
  uint16_t op = sr_inst(m, r)->op;
  if (op != SpvOpTypeInt && op != SpvOpTypeFloat)
    return 0;
  bool is_float = op == SpvOpTypeFloat;
  if (components > 1)
    return type_vector(m, is_float ? PART_F32 : PART_U32, components);
  return is_float ? type_f32(m) : sr_type_u32(m);
}

uint32_t sr_type_function_pointer(SrModule *m, uint32_t type) {
  SrMap *pointers = &intern(m)->pointers;
  uint32_t id = sr_map_get(pointers, type);
  if (id == SR_NONE) {
    sr_begin(m, SpvOpTypePointer, 0, sr_fresh_id(m));
    sr_put_literal(m, SpvStorageClassFunction);
    sr_put_id(m, type);
    id = finish_global(m);
    sr_map_set(pointers, type, id);
  }
  return id;
}

uint32_t sr_const_u32(SrModule *m, uint32_t value) {
  uint32_t type = sr_type_u32(m), id = sr_map_get(&m->intern->constants, value);
  if (id == SR_NONE) {
    sr_begin(m, SpvOpConstant, type, sr_fresh_id(m));
    sr_put_literal(m, value);
    id = finish_global(m);
    sr_map_set(&m->intern->constants, value, id);
  }
  return id;
}

uint32_t sr_const_bool(SrModule *m, bool value) {
  uint32_t type = sr_type_bool(m), *id = &m->intern->const_bool[value];
  if (!*id) {
    sr_begin(m, value ? SpvOpConstantTrue : SpvOpConstantFalse, type, sr_fresh_id(m));
    *id = finish_global(m);
  }
  return *id;
}

uint32_t sr_const_null(SrModule *m, uint32_t type) {
  SrMap *nulls = &intern(m)->nulls;
  uint32_t id = sr_map_get(nulls, type);
  if (id == SR_NONE) {
    sr_begin(m, SpvOpConstantNull, type, sr_fresh_id(m));
    id = finish_global(m);
    sr_map_set(nulls, type, id);
  }
  return id;
}

static uint32_t new_undef(SrModule *m, uint32_t type) {
  sr_begin(m, SpvOpUndef, type, sr_fresh_id(m));
  return finish_global(m);
}

/* The table grows if the type was added after the table was made. This file itself adds u32 and
 * bool. */
uint32_t sr_undef(SrModule *m, uint32_t type) {
  SrIntern *in = intern(m);
  if (type >= in->type_room) {
    uint32_t room = sr_bound(m) + 64;
    uint32_t *undef = SR_NEW(m->arena, uint32_t, room);
    SrBits *no_phi = sr_bits_new(m->arena, room);
    memcpy(undef, in->undef, in->type_room * sizeof *undef);
    memcpy(no_phi, in->no_phi, (in->type_room + 63) / 64 * sizeof *no_phi);
    in->undef = undef;
    in->no_phi = no_phi;
    in->type_room = room;
  }
  if (!in->undef[type])
    in->undef[type] = new_undef(m, type);
  return in->undef[type];
}

/* Pointer types may have been added since the table was made. */
bool sr_type_can_phi(SrModule *m, uint32_t type) {
  const SrIntern *in = intern(m);
  uint32_t storage = sr_pointer_type_class(m, type);
  if (storage != SR_NONE)
    return pointer_can_phi(m, storage);
  return type >= in->type_room || !sr_bit(in->no_phi, type);
}
