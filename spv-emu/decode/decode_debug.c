/* SPDX-License-Identifier: Apache-2.0 */
/* decode_debug: what a debugger needs to know of a program (debug_info.h). Linear in the values and
 * in the scalars of variables. */
#include "spv-emu/decode/decode.h"
#include "spv-emu/engine/debug_info.h"

enum { MOST_SCALARS = 1 << 20 }; /* of a variable */

typedef struct Describe {
  EmuDecode *d;
  EmuDebugInfo *info;
  uint64_t base; /* offset of the part whose leaves are listed */
} Describe;

static EmuScalars describe_value(Describe *k, const EmuValue *value) {
  const EmuDecode *d = k->d;
  EmuScalars scalars = {k->info->scalars.count, value->count};
  for (uint32_t i = 0; i < value->count; i++) {
    const EmuRegister *r = emu_register(d, value->at[i]);
    uint32_t row = r->use == EMU_REGISTER_UNUSED ? EMU_NO_ROW : r->row * d->p->width;
    SR_PUSH(d->arena, &k->info->scalars, (EmuScalar){row, r->kind});
  }
  return scalars;
}

static void add_leaf(void *user, uint64_t offset, EmuKind kind) {
  Describe *k = user;
  SR_PUSH(k->d->arena, &k->info->leaves, (EmuLeaf){(uint32_t)(k->base + offset), (uint8_t)kind});
}

static void add_leaves(Describe *k, uint32_t type, uint64_t base, EmuMatrix matrix, bool rows) {
  k->base = base;
  emu_type_leaves(k->d, type, rows, matrix, 0, add_leaf, k);
}

static bool is_endless(const EmuType *t) {
  return t->op == SpvOpTypeRuntimeArray;
}

/* The elements of a run-time array. */
static void add_tail(Describe *k, EmuDebugVariable *v, uint32_t type, const EmuMember *member) {
  const EmuType *t = emu_type(k->d, type);
  v->tail = k->info->leaves.count;
  v->tail_at = member->offset;
  v->tail_stride = t->stride;
  add_leaves(k, t->element, 0, (EmuMatrix){member->matrix_stride, member->row_major}, false);
  v->tail_count = k->info->leaves.count - v->tail;
}

static void add_members(Describe *k, EmuDebugVariable *v, const EmuType *t, bool rows) {
  const EmuDecode *d = k->d;
  SrRef r = sr_def(d->m, v->type);
  for (uint32_t i = 0; i < t->count; i++) {
    const EmuMember *member = &d->members.at[t->member + i];
    uint32_t type = sr_words(d->m, r)[2 + i];
    if (is_endless(emu_type(d, type))) {
      v->leaf_count = k->info->leaves.count - v->leaf;
      add_tail(k, v, type, member);
      return;
    }
    add_leaves(k, type, rows ? member->row_offset : member->offset,
               (EmuMatrix){member->matrix_stride, member->row_major}, rows);
  }
  v->leaf_count = k->info->leaves.count - v->leaf;
}

static void describe_leaves(Describe *k, EmuDebugVariable *v, bool rows) {
  const EmuType *t = emu_type(k->d, v->type);
  v->leaf = k->info->leaves.count;
  v->too_large = t->components > MOST_SCALARS;
  if (v->too_large)
    return;
  if (t->op == SpvOpTypeStruct) {
    add_members(k, v, t, rows);
  } else if (is_endless(t)) {
    add_tail(k, v, v->type, &(EmuMember){0});
  } else {
    add_leaves(k, v->type, 0, (EmuMatrix){0}, rows);
    v->leaf_count = k->info->leaves.count - v->leaf;
  }
}

static void describe_variable(Describe *k, uint32_t id) {
  EmuDecode *d = k->d;
  const EmuPointer p = emu_pointer_of(d, id);
  EmuDebugVariable v = {.id = id,
                        .storage_class = emu_type(d, emu_type_of(d, id))->storage_class,
                        .type = p.type,
                        .segment = p.segment,
                        .pointer = EMU_NO_ROW,
                        .descriptors = p.descriptors,
                        .image = p.image};
  if (p.dynamic != EMU_NO_ROW)
    return;
  if (v.descriptors)
    v.type = emu_type(d, v.type)->element;
  if (!v.image)
    describe_leaves(k, &v, p.rows);
  SR_PUSH(d->arena, &k->info->variables, v);
}

/* What a parameter points to, by an address that each lane has. */
static void describe_pointee(Describe *k, uint32_t id) {
  EmuDecode *d = k->d;
  const EmuType *t = emu_type(d, emu_type_of(d, id));
  const EmuRegister *r = emu_register(d, d->values[id].at[0]);
  EmuDebugVariable v = {.id = id,
                        .storage_class = t->storage_class,
                        .type = t->element,
                        .segment = SR_NONE,
                        .pointer = r->row * d->p->width};
  if (r->use == EMU_REGISTER_UNUSED || emu_type_is_descriptor(emu_type(d, v.type)))
    return;
  describe_leaves(k, &v, emu_class_in_rows(d, v.storage_class));
  SR_PUSH(d->arena, &k->info->variables, v);
}

static bool is_pointer_parameter(const EmuDecode *d, uint32_t id) {
  return sr_def_op(d->m, id) == SpvOpFunctionParameter && d->pointers[id] == SR_NONE &&
         d->values[id].count == 1 && emu_type(d, emu_type_of(d, id))->op == SpvOpTypePointer;
}

static const EmuDebugType *describe_types(const EmuDecode *d) {
  uint32_t bound = sr_bound(d->m);
  EmuDebugType *types = SR_NEW(d->arena, EmuDebugType, bound);
  for (uint32_t id = 0; id < bound; id++) {
    const EmuType *t = &d->types[id];
    types[id] = (EmuDebugType){t->op, t->element, t->count, t->components};
  }
  return types;
}

static bool is_variable(const EmuDecode *d, uint32_t id) {
  SpvOp op = sr_def_op(d->m, id);
  return (op == SpvOpVariable || op == SpvOpFunctionParameter) && d->pointers[id] != SR_NONE;
}

bool emu_debug_describe(EmuDecode *d) {
  EmuDebugInfo *info = SR_NEW(d->arena, EmuDebugInfo, 1);
  Describe k = {.d = d, .info = info};
  if (!emu_registers_place(d))
    return false;
  info->bound = sr_bound(d->m);
  info->types = describe_types(d);
  EmuScalars *values = SR_NEW(d->arena, EmuScalars, info->bound);
  for (uint32_t id = 0; id < info->bound; id++) {
    values[id] = describe_value(&k, &d->values[id]);
    if (is_variable(d, id))
      describe_variable(&k, id);
    if (is_pointer_parameter(d, id))
      describe_pointee(&k, id);
  }
  info->values = values;
  d->p->debug = info;
  return true;
}
