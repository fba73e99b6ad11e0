/* SPDX-License-Identifier: Apache-2.0 */
/* kernel_sets: see kernel_sets.h. */
#include "passes/transform/kernel/kernel_sets.h"

#include "passes/ir/pointer.h"
#include "passes/transform/kernel/kernel_base.h"
#include "passes/transform/kernel/kernel_intern.h"

bool sr_kernel_sets_have(const SrKernelSet *set, uint32_t base) {
  for (uint32_t i = 0; i < set->count; i++)
    if (set->base[i] == base)
      return true;
  return false;
}

uint32_t sr_kernel_sets_objects(const SrKernelSet *set) {
  return set->count - (set->count && set->base[0] == SR_KERNEL_NULL_BASE);
}

bool sr_kernel_sets_open(const SrKernelSet *set) {
  return set->count > 1 || (set->count && set->base[0] == SR_KERNEL_NULL_BASE);
}

/* The object's number; a new one, if it has none yet. */
static uint32_t number_of(SrKernelSets *s, uint32_t id) {
  uint32_t number = sr_ids_get(s->number, id);
  if (number != SR_NONE)
    return number;
  number = s->object.count;
  SR_PUSH(s->k->arena, &s->object, id);
  SR_PUSH(s->k->arena, &s->content, (SrKernelSet){0});
  sr_ids_set(s->number, id, number);
  return number;
}

SrKernelSet sr_kernel_sets_of(const SrKernelSets *s, uint32_t id) {
  uint32_t number = sr_ids_get(s->number, id), set = sr_ids_get(s->of, id);
  if (number != SR_NONE)
    return (SrKernelSet){1, {number}};
  if (sr_def_op(s->k->m, id) == SpvOpConstantNull)
    return (SrKernelSet){1, {SR_KERNEL_NULL_BASE}};
  return set == SR_NONE ? (SrKernelSet){.count = 0} : s->set.at[set];
}

/* Adds a member; returns whether the set is too large. */
static bool add(SrKernelSet *set, uint32_t base) {
  uint32_t at = set->count;
  if (sr_kernel_sets_have(set, base))
    return false;
  if (set->count == SR_KERNEL_MOST_BASES)
    return true;
  for (; at && set->base[at - 1] > base; at--)
    set->base[at] = set->base[at - 1];
  set->base[at] = base;
  set->count++;
  return false;
}

/* Gives the pointer a set; returns whether it had another one. */
static bool assign(SrKernelSets *s, uint32_t id, const SrKernelSet *set) {
  uint32_t old = sr_ids_get(s->of, id);
  s->needed |= sr_kernel_sets_open(set);
  if (old != SR_NONE) {
    bool grown = s->set.at[old].count != set->count;
    s->set.at[old] = *set;
    return grown;
  }
  sr_ids_set(s->of, id, s->set.count);
  SR_PUSH(s->k->arena, &s->set, *set);
  return set->count != 0;
}

/* The union of the operands of a phi or a select. */
static SrStatus join(SrKernelSets *s, SrRef r, bool *changed) {
  SrModule *m = s->k->m;
  bool phi = sr_inst(m, r)->op == SpvOpPhi, full = false;
  SrKernelSet all = sr_kernel_sets_of(s, sr_inst(m, r)->result);
  for (uint32_t i = phi ? 3 : 4; i < sr_word_count(m, r); i += phi ? 2 : 1) {
    SrKernelSet one = sr_kernel_sets_of(s, sr_words(m, r)[i]);
    for (uint32_t j = 0; j < one.count; j++)
      full |= add(&all, one.base[j]);
  }
  if (full)
    return sr_kernel_refuse(s->k, r, "the pointer may point into more than %d objects",
                            (int)SR_KERNEL_MOST_BASES);
  *changed |= assign(s, sr_inst(m, r)->result, &all);
  return SR_OK;
}

/* A cast to a pointer of one storage class is null if the object is of another one. */
static SrKernelSet cast(SrKernelSets *s, SrRef r, SrKernelSet from) {
  SrModule *m = s->k->m;
  SrKernelSet to = {0};
  uint32_t class = sr_pointer_type_class(m, sr_inst(m, r)->type);
  for (uint32_t i = 0; i < from.count; i++) {
    uint32_t base = from.base[i];
    bool is_null = base == SR_KERNEL_NULL_BASE;
    (void)add(
        &to,
        !is_null && sr_pointer_class(m, s->object.at[base]) == class ? base
                                                                     : (uint32_t)
                                                                           SR_KERNEL_NULL_BASE);
  }
  return to;
}

/* ---- pointers in memory ---- */

static bool is_pointer(const SrModule *m, uint32_t id) {
  return sr_pointer_class(m, id) != SR_NONE;
}

/* Are they all variables of the invocation? */
static bool are_private(const SrKernelSets *s, const SrKernelSet *set) {
  const SrModule *m = s->k->m;
  for (uint32_t i = 0; i < set->count; i++) {
    uint32_t id = s->object.at[set->base[i]];
    uint32_t class =
        id && sr_def_op(m, id) == SpvOpVariable ? sr_pointer_class(m, id) : (uint32_t)SR_NONE;
    if (class != SpvStorageClassFunction && class != SpvStorageClassPrivate)
      return false;
  }
  return set->count != 0;
}

bool sr_kernel_sets_in_memory(const SrKernelSets *s, SrRef r) {
  const SrModule *m = s->k->m;
  const uint16_t op = sr_inst(m, r)->op;
  if ((op != SpvOpLoad && op != SpvOpStore) ||
      !is_pointer(m, op == SpvOpLoad ? sr_inst(m, r)->result : sr_words(m, r)[2]))
    return false;
  SrKernelSet into = sr_kernel_sets_of(s, sr_words(m, r)[op == SpvOpLoad ? 3 : 1]);
  return are_private(s, &into);
}

/* Adds what `more` holds; returns whether that is new. */
static SrStatus grow(SrKernelSets *s, SrRef r, SrKernelSet *set, const SrKernelSet *more,
                     bool *changed) {
  uint32_t before = set->count;
  bool full = false;
  for (uint32_t i = 0; i < more->count; i++)
    full |= add(set, more->base[i]);
  if (full)
    return sr_kernel_refuse(s->k, r, "the pointer may point into more than %d objects",
                            (int)SR_KERNEL_MOST_BASES);
  *changed |= set->count != before;
  return SR_OK;
}

/* Of the pointers that are stored where `into` points. */
static SrStatus keep(SrKernelSets *s, SrRef r, SrKernelSet into, SrKernelSet value, bool *changed) {
  for (uint32_t i = 0; i < into.count; i++)
    SR_CHECK(grow(s, r, &s->content.at[into.base[i]], &value, changed));
  return SR_OK;
}

static SrKernelSet content_of(const SrKernelSets *s, SrKernelSet from) {
  SrKernelSet all = {0};
  for (uint32_t i = 0; i < from.count; i++)
    for (uint32_t j = 0; j < s->content.at[from.base[i]].count; j++)
      (void)add(&all, s->content.at[from.base[i]].base[j]);
  return all;
}

static SrStatus visit_memory(SrKernelSets *s, SrRef r, bool *changed) {
  const SrModule *m = s->k->m;
  const uint32_t *w = sr_words(m, r);
  switch (sr_inst(m, r)->op) {
  case SpvOpStore:
    if (!sr_kernel_sets_in_memory(s, r))
      return SR_OK;
    s->needed = true;
    return keep(s, r, sr_kernel_sets_of(s, w[1]), sr_kernel_sets_of(s, w[2]), changed);
  case SpvOpCopyMemory:
  case SpvOpCopyMemorySized:
    return keep(s, r, sr_kernel_sets_of(s, w[1]), content_of(s, sr_kernel_sets_of(s, w[2])),
                changed);
  case SpvOpLoad: {
    if (!sr_kernel_sets_in_memory(s, r))
      return SR_OK;
    SrKernelSet set = content_of(s, sr_kernel_sets_of(s, w[3]));
    *changed |= assign(s, sr_inst(m, r)->result, &set);
    return SR_OK;
  }
  default:
    return SR_OK;
  }
}

/* ---- the walk ---- */

bool sr_kernel_sets_apply(const SrModule *m, uint32_t type) {
  if (!type)
    return false;
  SpvOp op = sr_def_op(m, type);
  return op == SpvOpTypeImage || op == SpvOpTypeSampledImage ||
         sr_pointer_type_class(m, type) != SR_NONE;
}

static SrStatus visit(SrKernelSets *s, SrRef r, bool *changed) {
  SrModule *m = s->k->m;
  const SrInst *in = sr_inst(m, r);
  if (in->op == SpvOpLoad || in->op == SpvOpStore || in->op == SpvOpCopyMemory ||
      in->op == SpvOpCopyMemorySized)
    return visit_memory(s, r, changed);
  if (!sr_kernel_sets_apply(m, in->type))
    return SR_OK;
  if (in->op == SpvOpVariable) {
    (void)number_of(s, in->result);
    return SR_OK;
  }
  if (in->op == SpvOpPhi || in->op == SpvOpSelect)
    return join(s, r, changed);
  uint32_t word = in->op == SpvOpSampledImage ? 3 : sr_kernel_base_operand(in->op);
  if (!word)
    return SR_OK;
  SrKernelSet set = sr_kernel_sets_of(s, sr_words(m, r)[word]);
  if (in->op == SpvOpGenericCastToPtrExplicit)
    set = cast(s, r, set);
  *changed |= assign(s, in->result, &set);
  return SR_OK;
}

SrStatus sr_kernel_sets_find(SrKernels *k, SrKernelSets *s) {
  SrModule *m = k->m;
  *s = (SrKernelSets){.k = k, .number = sr_ids_take(m), .of = sr_ids_take(m)};
  SR_PUSH(k->arena, &s->object, 0); /* null */
  SR_PUSH(k->arena, &s->content, (SrKernelSet){0});
  for (SR_EACH(m, r, m->globals))
    if (sr_inst(m, r)->op == SpvOpVariable)
      (void)number_of(s, sr_inst(m, r)->result);
  for (SR_EACH(m, r, k->f->head))
    if (sr_inst(m, r)->op == SpvOpFunctionParameter && sr_kernel_sets_apply(m, sr_inst(m, r)->type))
      (void)number_of(s, sr_inst(m, r)->result);
  for (bool changed = true; changed;) { /* sets grow */
    changed = false;
    for (uint32_t b = 0; b < k->f->block_count; b++)
      for (SR_EACH(m, r, k->f->blocks[b].list))
        SR_CHECK(visit(s, r, &changed));
  }
  return SR_OK;
}

void sr_kernel_sets_end(SrKernelSets *s) {
  sr_ids_give(s->k->m, s->number);
  sr_ids_give(s->k->m, s->of);
}
