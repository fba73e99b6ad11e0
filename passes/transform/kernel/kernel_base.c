/* SPDX-License-Identifier: Apache-2.0 */
/* kernel_base: see kernel_base.h. */
#include "passes/transform/kernel/kernel_base.h"

#include "passes/ir/integer.h"
#include "passes/ir/pointer.h"
#include "passes/transform/kernel/kernel_intern.h"
#include "passes/transform/kernel/kernel_layout.h"
#include "passes/transform/kernel/kernel_memory.h"

/* ---- bases ---- */

uint32_t sr_kernel_base_add(SrKernels *k, uint32_t id, SrKernelPlace place, uint32_t type) {
  uint32_t i = k->base.count;
  SR_PUSH(k->arena, &k->base,
          (SrKernelBase){.id = id,
                         .place = place,
                         .type = type,
                         .bytes = type ? sr_kernel_size_of(k, type) : 0,
                         .linked = i});
  sr_ids_set(k->base_of, id, i);
  return i;
}

SrKernelBase *sr_kernel_base_of(const SrKernels *k, uint32_t id) {
  uint32_t i = sr_ids_get(k->base_of, id);
  return i == SR_NONE ? NULL : &k->base.at[i];
}

uint32_t sr_kernel_base_root(const SrKernels *k, const SrKernelBase *b) {
  while (k->base.at[b->linked].linked != b->linked)
    b = &k->base.at[b->linked];
  return b->linked;
}

static SrKernelPlace place_of(uint32_t storage) {
  switch (storage) {
  case SpvStorageClassWorkgroup:
    return SR_PLACE_LOCAL;
  case SpvStorageClassInput:
    return SR_PLACE_BUILTIN;
  case SpvStorageClassFunction:
  case SpvStorageClassPrivate:
    return SR_PLACE_PRIVATE;
  default:
    return SR_PLACE_TABLE;
  }
}

static void add_variable(SrKernels *k, SrRef r) {
  SrKernelPlace place = place_of(sr_pointer_class(k->m, sr_inst(k->m, r)->result));
  sr_kernel_base_add(k, sr_inst(k->m, r)->result, place, sr_variable_type(k->m, r));
}

void sr_kernel_base_variables(SrKernels *k) {
  for (SR_EACH(k->m, r, k->m->globals))
    if (sr_inst(k->m, r)->op == SpvOpVariable)
      add_variable(k, r);
}

/* ---- the base of each pointer ---- */

uint32_t sr_kernel_base_operand(uint16_t op) {
  switch (op) {
  case SpvOpAccessChain:
  case SpvOpInBoundsAccessChain:
  case SpvOpPtrAccessChain:
  case SpvOpInBoundsPtrAccessChain:
  case SpvOpBitcast:
  case SpvOpCopyObject:
  case SpvOpPtrCastToGeneric:
  case SpvOpGenericCastToPtr:
  case SpvOpGenericCastToPtrExplicit:
    return 3;
  default:
    return 0;
  }
}

/* Is it a type of pointers that have bases? */
static bool is_pointer(const SrModule *m, uint32_t type) {
  uint32_t class = type ? sr_pointer_type_class(m, type) : (uint32_t)SR_NONE;
  return class != SR_NONE && class != SpvStorageClassPhysicalStorageBuffer;
}

static SrStatus refuse_several(SrKernels *k, SrRef r, uint32_t a, uint32_t b) {
  return sr_kernel_refuse(k, r,
                          "the pointer may point into %%%u or into %%%u; each needs an offset "
                          "of its own",
                          k->base.at[a].id, k->base.at[b].id);
}

void sr_kernel_base_joined_words(const SrModule *m, SrRef r, uint32_t *first, uint32_t *step) {
  bool phi = sr_inst(m, r)->op == SpvOpPhi;
  *first = phi ? 3 : 4;
  *step = phi ? 2 : 1;
}

/* `all`: every operand must have a base; else one that has none yet is passed over. */
static SrStatus join(SrKernels *k, SrRef r, bool all) {
  SrModule *m = k->m;
  uint32_t first, step, found = sr_ids_get(k->base_of, sr_inst(m, r)->result);
  sr_kernel_base_joined_words(m, r, &first, &step);
  for (uint32_t i = first; i < sr_word_count(m, r); i += step) {
    uint32_t base = sr_ids_get(k->base_of, sr_words(m, r)[i]);
    if (base == SR_NONE && sr_def_op(m, sr_words(m, r)[i]) == SpvOpUndef)
      continue;
    if (base == SR_NONE && all)
      return sr_kernel_refuse(k, r, "it is not known where the pointer %%%u points",
                              sr_words(m, r)[i]);
    if (base == SR_NONE)
      continue;
    if (found != SR_NONE && found != base)
      return refuse_several(k, r, found, base);
    found = base;
  }
  if (found != SR_NONE)
    sr_ids_set(k->base_of, sr_inst(m, r)->result, found);
  return SR_OK;
}

static SrStatus find_base(SrKernels *k, SrRef r) {
  SrModule *m = k->m;
  const SrInst *in = sr_inst(m, r);
  if (in->op == SpvOpVariable) {
    add_variable(k, r);
    return SR_OK;
  }
  if (in->op == SpvOpPhi || in->op == SpvOpSelect)
    return join(k, r, false);
  if (in->op == SpvOpUndef)
    return SR_OK;
  uint32_t word = sr_kernel_base_operand(in->op);
  uint32_t base = word ? sr_ids_get(k->base_of, sr_words(m, r)[word]) : (uint32_t)SR_NONE;
  if (base == SR_NONE)
    return sr_kernel_refuse(k, r,
                            in->op == SpvOpLoad ? "a pointer is loaded from memory"
                            : word              ? "it is not known where the pointer points"
                                                : "a pointer is made of something else");
  sr_ids_set(k->base_of, in->result, base);
  return SR_OK;
}

static SrStatus find_bases(SrKernels *k) {
  SrModule *m = k->m;
  for (uint32_t b = 0; b < k->f->block_count; b++)
    for (SR_EACH(m, r, k->f->blocks[b].list))
      if (is_pointer(m, sr_inst(m, r)->type))
        SR_CHECK(find_base(k, r));
  return SR_OK;
}

/* ---- chains ---- */

SrKernelChain sr_kernel_chain(const SrKernels *k, SrRef r) {
  const SrModule *m = k->m;
  uint16_t op = sr_inst(m, r)->op;
  uint32_t type = sr_kernel_type_of(m, sr_words(m, r)[3]);
  bool element = op == SpvOpPtrAccessChain || op == SpvOpInBoundsPtrAccessChain;
  uint32_t pointee = sr_words(m, sr_def(m, type))[3];
  SrKernelChain c = {r, 4, pointee};
  if (!element && op != SpvOpAccessChain && op != SpvOpInBoundsAccessChain)
    c.word = sr_word_count(m, r); /* a cast has no steps */
  return c;
}

static SrKernelStep make_step(const SrModule *m, uint32_t index, uint32_t stride) {
  SrInteger value;
  if (!sr_integer_constant(m, index, &value))
    return (SrKernelStep){index, stride, !stride};
  return (SrKernelStep){.stride = (int64_t)((uint64_t)sr_integer_signed(value) * stride),
                        .unsized = !stride && value.bits};
}

bool sr_kernel_chain_next(const SrKernels *k, SrKernelChain *c, SrKernelStep *step) {
  const SrModule *m = k->m;
  if (c->word >= sr_word_count(m, c->r))
    return false;
  uint32_t index = sr_words(m, c->r)[c->word];
  uint16_t op = sr_inst(m, c->r)->op;
  bool element = op == SpvOpPtrAccessChain || op == SpvOpInBoundsPtrAccessChain;
  if (element && c->word == 4) {
    *step = make_step(m, index, sr_kernel_size_of(k, c->type));
  } else {
    SrRef type = sr_def(m, c->type);
    const uint32_t *w = sr_words(m, type);
    if (sr_inst(m, type)->op == SpvOpTypeStruct) {
      SrInteger member = {0};
      (void)sr_integer_constant(m, index, &member); /* SPIR-V demands a constant */
      *step = (SrKernelStep){
          .stride = (int64_t)sr_kernel_member_offset(k, c->type, (uint32_t)member.bits)};
      c->type = w[2 + member.bits];
    } else {
      c->type = w[2];
      *step = make_step(m, index, sr_kernel_size_of(k, c->type));
    }
  }
  c->word++;
  return true;
}

static void at_most(uint32_t *limit, uint32_t x) {
  if (x && (!*limit || x < *limit))
    *limit = x;
}

SrStatus sr_kernel_chain_check(SrKernels *k, SrRef r, const SrKernelStep *step) {
  if (!step->unsized)
    return SR_OK;
  return sr_kernel_refuse(k, r, "an index of elements that have no size below 4 GiB");
}

static SrStatus note_steps(SrKernels *k, SrRef r) {
  SrKernelChain c = sr_kernel_chain(k, r);
  SrKernelStep step;
  SrKernelBase *b = sr_kernel_base_of(k, sr_inst(k->m, r)->result);
  while (sr_kernel_chain_next(k, &c, &step)) {
    SR_CHECK(sr_kernel_chain_check(k, r, &step));
    at_most(&b->grain, sr_kernel_memory_low_bit((uint32_t)step.stride));
  }
  return SR_OK;
}

/* ---- accesses ---- */

static void note_type(uint32_t *of, uint32_t type) {
  *of = *of && *of != type ? (uint32_t)SR_NONE : type;
}

void sr_kernel_base_note(SrKernels *k, SrKernelBase *b, uint32_t type, uint32_t align) {
  uint32_t scalar = sr_kernel_scalar_of(k->m, type), size = sr_kernel_size_of(k, scalar);
  at_most(&b->unit, align < size ? align : size);
  note_type(&b->scalar, scalar);
  note_type(&b->whole, align < sr_kernel_size_of(k, type) ? (uint32_t)SR_NONE : type);
}

static void note_copy(SrKernels *k, const SrKernelAccess *a) {
  SrKernelBase *to = sr_kernel_base_of(k, a->pointer), *from = sr_kernel_base_of(k, a->source);
  uint32_t unit = sr_kernel_memory_copy_unit(a);
  at_most(&to->unit, unit);
  at_most(&from->unit, unit);
  to->whole = from->whole = SR_NONE;
  k->base.at[sr_kernel_base_root(k, to)].linked = sr_kernel_base_root(k, from);
  to->written = from->read = true;
}

static SrStatus note_access(SrKernels *k, SrRef r) {
  SrKernelAccess a = sr_kernel_memory_access(k, r);
  if (a.kind == SR_ACCESS_NONE || sr_kernel_memory_has_address(k->m, a.pointer))
    return SR_OK;
  SrKernelBase *b = sr_kernel_base_of(k, a.pointer);
  if (!b || (a.kind == SR_ACCESS_COPY && !sr_kernel_base_of(k, a.source)))
    return sr_kernel_refuse(k, r, "it is not known where the pointer points");
  if (b->place == SR_PLACE_BUILTIN)
    return SR_OK;
  if (a.kind == SR_ACCESS_COPY) {
    if (!a.bytes) /* kernel_copy.h leaves none that is not constant */
      return sr_kernel_refuse(k, r, "memory of a type that has no size");
    note_copy(k, &a);
    return SR_OK;
  }
  if (!sr_kernel_bits(k->m, a.type))
    return sr_kernel_refuse(k, r, "memory of this type: only numbers and vectors of them");
  sr_kernel_base_note(k, b, a.type, a.align);
  b->read |= a.kind != SR_ACCESS_STORE && a.kind != SR_ACCESS_VSTORE;
  b->written |= a.kind != SR_ACCESS_LOAD && a.kind != SR_ACCESS_VLOAD;
  return SR_OK;
}

static SrStatus note_instruction(SrKernels *k, SrRef r) {
  SrModule *m = k->m;
  const SrInst *in = sr_inst(m, r);
  if (is_pointer(m, in->type) && in->op != SpvOpVariable && in->op != SpvOpUndef) {
    if (in->op == SpvOpPhi || in->op == SpvOpSelect)
      return join(k, r, true);
    return note_steps(k, r);
  }
  return note_access(k, r);
}

SrStatus sr_kernel_base_find(SrKernels *k) {
  SrModule *m = k->m;
  SR_CHECK(find_bases(k));
  for (uint32_t b = 0; b < k->f->block_count; b++)
    for (SR_EACH(m, r, k->f->blocks[b].list))
      SR_CHECK(note_instruction(k, r));
  return SR_OK;
}
