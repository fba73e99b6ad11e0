/* constants: see constants.h. The tables are filled from the module's globals at the first
 * question; u32 constants stand in an open-addressing table, undefs in an array by type. */
#include "ir/constants.h"
#include "ir/edit.h"

typedef struct Slot {
  uint32_t value, id; /* id 0: empty */
} Slot;

typedef struct SrIntern {
  uint32_t type_bool, type_u32;
  Slot *slots;
  uint32_t slot_count, used; /* slot_count is a power of two */
  uint32_t *undef;           /* by type id */
  SrBits *no_phi;            /* by type id */
  uint32_t type_room;        /* type ids below it have entries */
} SrIntern;

/* ---- constants ----------------------------------------------------------------------------------
 */

static Slot *find_slot(const SrIntern *in, uint32_t value) {
  uint32_t i = value * 2654435761u; /* Knuth's multiplicative hash */
  for (i ^= i >> 15;; i++) {
    Slot *s = &in->slots[i & (in->slot_count - 1)];
    if (s->id == 0 || s->value == value)
      return s;
  }
}

static void add_constant(SrModule *m, uint32_t value, uint32_t id) {
  SrIntern *in = m->intern;
  if (2 * in->used >= in->slot_count) {
    Slot *old = in->slots;
    uint32_t n = in->slot_count;
    in->slot_count = n ? 2 * n : 64;
    in->slots = SR_NEW(m->arena, Slot, in->slot_count);
    for (uint32_t i = 0; i < n; i++)
      if (old[i].id)
        *find_slot(in, old[i].value) = old[i];
  }
  Slot *s = find_slot(in, value);
  if (s->id == 0) {
    *s = (Slot){value, id};
    in->used++;
  }
}

/* ---- types that phis may not have
 * ------------------------------------------------------------------ */

/* Capabilities stand first in a module (SPIR-V 2.4). */
static bool has_capability(const SrModule *m, SpvCapability capability) {
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
    return has_capability(m, SpvCapabilityVariablePointersStorageBuffer) ||
           has_capability(m, SpvCapabilityVariablePointers);
  case SpvStorageClassWorkgroup:
    return has_capability(m, SpvCapabilityVariablePointers);
  default:
    return false;
  }
}

/* Types are declared before they are used (forward pointers aside), so one walk decides all. */
static void note_type(SrModule *m, SrRef r) {
  SrIntern *in = m->intern;
  const uint32_t *w = sr_words(m, r);
  bool no = false;
  switch (sr_inst(m, r)->op) {
  case SpvOpTypePointer:
    no = !pointer_can_phi(m, w[2]);
    break;
  case SpvOpTypeImage:
  case SpvOpTypeSampler:
  case SpvOpTypeSampledImage:
  case SpvOpTypeAccelerationStructureKHR:
  case SpvOpTypeRayQueryKHR:
    no = m->shader;
    break;
  case SpvOpTypeVoid:
  case SpvOpTypeFunction:
    no = true;
    break;
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

/* ---- the tables
 * ---------------------------------------------------------------------------------- */

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
  case SpvOpConstant:
    if (inst->type == in->type_u32)
      add_constant(m, w[3], inst->result);
    break;
  case SpvOpUndef:
    in->undef[inst->type] = inst->result;
    break;
  default:
    note_type(m, r);
  }
}

static SrIntern *intern(SrModule *m) {
  if (m->intern)
    return m->intern;
  m->intern = SR_NEW(m->arena, SrIntern, 1);
  SrIntern *in = m->intern;
  in->type_room = sr_bound(m);
  in->undef = SR_NEW(m->arena, uint32_t, in->type_room);
  in->no_phi = sr_bits_new(m->arena, in->type_room);
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

uint32_t sr_const_u32(SrModule *m, uint32_t value) {
  uint32_t type = sr_type_u32(m);
  const SrIntern *in = m->intern;
  if (in->slot_count) {
    const Slot *s = find_slot(in, value);
    if (s->id)
      return s->id;
  }
  sr_begin(m, SpvOpConstant, type, sr_fresh_id(m));
  sr_put_literal(m, value);
  uint32_t id = finish_global(m);
  add_constant(m, value, id);
  return id;
}

static uint32_t new_undef(SrModule *m, uint32_t type) {
  sr_begin(m, SpvOpUndef, type, sr_fresh_id(m));
  return finish_global(m);
}

/* A type the module did not have (type_room and above: our own u32 and bool) is kept in its place
 * by the table's growth. */
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

bool sr_type_can_phi(SrModule *m, uint32_t type) {
  const SrIntern *in = intern(m);
  return type >= in->type_room || !sr_bit(in->no_phi, type);
}
