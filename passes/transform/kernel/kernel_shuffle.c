/* SPDX-License-Identifier: Apache-2.0 */
/* kernel_shuffle: see kernel_shuffle.h. A result is a list of components, each of which is
 * a component of a vector of up to four, or a scalar. */
#include "passes/transform/kernel/kernel_shuffle.h"

#include "passes/ir/constants.h"
#include "passes/ir/edit.h"
#include "passes/transform/kernel/kernel_part.h"

enum { MOST = 16 };

/* Component `index` of `vector`, which has up to four; index SR_NONE: the value itself, a scalar;
 * vector 0: undefined. */
typedef struct Component {
  uint32_t vector, index;
} Component;

typedef struct Components {
  Component at[MOST];
  uint32_t count;
} Components;

/* ---- reading ---- */

static void add(SrParts *w, Components *c, uint32_t id) {
  const SrModule *m = w->k->m;
  uint32_t count = sr_kernel_components(m, sr_kernel_type_of(m, id));
  for (uint32_t i = 0; i < count && c->count < MOST; i++)
    c->at[c->count++] =
        count == 1 ? (Component){id, SR_NONE}
        : count > SR_KERNEL_PART
            ? (Component){sr_kernel_part(w, id, i / SR_KERNEL_PART), i % SR_KERNEL_PART}
            : (Component){id, i};
}

static Component component(SrParts *w, uint32_t id, uint32_t index) {
  Components c = {.count = 0};
  add(w, &c, id);
  return index < c.count ? c.at[index] : (Component){0};
}

static uint32_t value_of(SrEmit *e, Component c, uint32_t type) {
  if (!c.vector)
    return sr_undef(e->k->m, type);
  return c.index == SR_NONE ? c.vector : sr_emit_extract(e, type, c.vector, c.index);
}

/* ---- writing ---- */

/* All components are those of one vector of four, in order. */
static bool is_whole(const Component *c, uint32_t count) {
  bool whole = count == SR_KERNEL_PART;
  for (uint32_t i = 0; i < count && whole; i++)
    whole = c[i].vector && c[i].vector == c[0].vector && c[i].index == i;
  return whole;
}

/* The one or two vectors that the components come from; false: there are more vectors, or
 * scalars. */
static bool are_of_two(const Component *c, uint32_t count, uint32_t of[2]) {
  of[0] = of[1] = 0;
  for (uint32_t i = 0; i < count; i++) {
    if (!c[i].vector || c[i].vector == of[0] || c[i].vector == of[1])
      continue;
    if (c[i].index == SR_NONE || of[1])
      return false;
    of[of[0] != 0] = c[i].vector;
  }
  return of[0] != 0;
}

static uint32_t shuffle(SrEmit *e, const Component *c, uint32_t count, const uint32_t of[2],
                        uint32_t type, uint32_t length) {
  SrModule *m = e->k->m;
  uint32_t result = e->result ? e->result : sr_fresh_id(m);
  sr_begin(m, SpvOpVectorShuffle, type, result);
  sr_put_id(m, of[0]);
  sr_put_id(m, of[1] ? of[1] : of[0]);
  for (uint32_t i = 0; i < count; i++)
    sr_put_literal(m, !c[i].vector           ? UINT32_MAX
                      : c[i].vector == of[0] ? c[i].index
                                             : length + c[i].index);
  SrRef r = sr_end(m);
  sr_insert_before(m, e->list, e->before, r);
  m->home[result] = e->home;
  e->result = 0;
  return result;
}

/* A value of up to four components; `length`: that of the vectors that they are of. */
static void compose(SrEmit *e, const Component *c, uint32_t count, uint32_t scalar) {
  SrKernels *k = e->k;
  uint32_t type = sr_kernel_vector(k, scalar, count), of[2], part[SR_KERNEL_PART],
           result = e->result;
  if (is_whole(c, count)) {
    (void)sr_emit_is(e, c[0].vector);
    return;
  }
  if (count > 1 && are_of_two(c, count, of)) {
    SrRef first = sr_def(k->m, of[0]);
    /* a part that a later instruction defines has four components, too */
    uint32_t length =
        first == SR_NONE ? SR_KERNEL_PART : sr_kernel_components(k->m, sr_inst(k->m, first)->type);
    (void)shuffle(e, c, count, of, type, length);
    return;
  }
  e->result = 0;
  for (uint32_t i = 0; i < count; i++)
    part[i] = value_of(e, c[i], scalar);
  e->result = result;
  if (count == 1)
    (void)sr_emit_is(e, part[0]);
  else
    (void)sr_emit_last(e, SpvOpCompositeConstruct, type, part, count);
}

/* The components are those of the instruction's result. */
static void write(SrParts *w, SrEmit *e, SrRef r, const Components *c) {
  SrModule *m = w->k->m;
  const SrInst in = *sr_inst(m, r);
  uint32_t scalar = sr_kernel_scalar_of(m, in.type);
  uint32_t first = sr_ids_get(w->part_of, in.result);
  if (first == SR_NONE) {
    e->result = in.result;
    compose(e, c->at, c->count, scalar);
    return;
  }
  for (uint32_t i = 0; i < c->count / SR_KERNEL_PART; i++) {
    e->result = first + i;
    compose(e, c->at + (size_t)SR_KERNEL_PART * i, SR_KERNEL_PART, scalar);
  }
}

/* ---- instructions ---- */

static void construct(SrParts *w, SrEmit *e, SrRef r) {
  SrModule *m = w->k->m;
  Components c = {.count = 0};
  for (uint32_t i = 3; i < sr_word_count(m, r); i++)
    add(w, &c, sr_words(m, r)[i]);
  write(w, e, r, &c);
}

static void extract(SrParts *w, SrEmit *e, SrRef r) {
  const uint32_t *words = sr_words(w->k->m, r);
  Components c = {{component(w, words[3], words[4])}, 1};
  write(w, e, r, &c);
}

static void insert(SrParts *w, SrEmit *e, SrRef r) {
  const SrModule *m = w->k->m;
  const uint32_t object = sr_words(m, r)[3], into = sr_words(m, r)[4], index = sr_words(m, r)[5];
  Components c = {.count = 0};
  add(w, &c, into);
  if (index < c.count)
    c.at[index] = (Component){object, SR_NONE};
  write(w, e, r, &c);
}

static void choose(SrParts *w, SrEmit *e, SrRef r) {
  SrModule *m = w->k->m;
  const uint32_t a = sr_words(m, r)[3], b = sr_words(m, r)[4];
  uint32_t length = sr_kernel_components(m, sr_kernel_type_of(m, a));
  Components c = {.count = 0};
  for (uint32_t i = 5; i < sr_word_count(m, r) && c.count < MOST; i++) {
    const uint32_t index = sr_words(m, r)[i];
    c.at[c.count++] = index == UINT32_MAX ? (Component){0}
                      : index < length    ? component(w, a, index)
                                          : component(w, b, index - length);
  }
  write(w, e, r, &c);
}

/* Is the index in the part's range? */
static uint32_t is_in_part(SrEmit *e, uint32_t index, uint32_t part) {
  SrKernels *k = e->k;
  uint32_t type = sr_kernel_type_of(k->m, index);
  uint32_t number =
      sr_emit(e, SpvOpShiftRightLogical, type, SR_IDS(index, sr_kernel_constant(k, type, 2)));
  return sr_emit(e, SpvOpIEqual, sr_kernel_bool(k),
                 SR_IDS(number, sr_kernel_constant(k, type, part)));
}

static uint32_t index_in_part(SrEmit *e, uint32_t index) {
  uint32_t type = sr_kernel_type_of(e->k->m, index);
  return sr_emit(e, SpvOpBitwiseAnd, type,
                 SR_IDS(index, sr_kernel_constant(e->k, type, SR_KERNEL_PART - 1)));
}

static void extract_dynamic(SrParts *w, SrEmit *e, SrRef r) {
  SrModule *m = w->k->m;
  const SrInst in = *sr_inst(m, r);
  const uint32_t vector = sr_words(m, r)[3], index = sr_words(m, r)[4];
  uint32_t count = sr_kernel_components(m, sr_kernel_type_of(m, vector)) / SR_KERNEL_PART,
           value = 0;
  uint32_t inner = index_in_part(e, index);
  for (uint32_t i = 0; i < count; i++) {
    uint32_t one =
        sr_emit(e, SpvOpVectorExtractDynamic, in.type, SR_IDS(sr_kernel_part(w, vector, i), inner));
    uint32_t here = i ? is_in_part(e, index, i) : 0;
    e->result = i + 1 == count ? in.result : 0;
    value = i ? sr_emit_last(e, SpvOpSelect, in.type, SR_IDS(here, one, value)) : one;
  }
}

static void insert_dynamic(SrParts *w, SrEmit *e, SrRef r) {
  SrModule *m = w->k->m;
  const SrInst in = *sr_inst(m, r);
  const uint32_t vector = sr_words(m, r)[3], value = sr_words(m, r)[4], index = sr_words(m, r)[5];
  uint32_t type = sr_kernel_vector(w->k, sr_kernel_scalar_of(m, in.type), SR_KERNEL_PART);
  uint32_t inner = index_in_part(e, index);
  for (uint32_t i = 0; i < sr_kernel_components(m, in.type) / SR_KERNEL_PART; i++) {
    uint32_t old = sr_kernel_part(w, vector, i), here = is_in_part(e, index, i);
    uint32_t new = sr_emit(e, SpvOpVectorInsertDynamic, type, SR_IDS(old, value, inner));
    e->result = sr_ids_get(w->part_of, in.result) + i;
    (void)sr_emit_last(e, SpvOpSelect, type, SR_IDS(here, new, old));
  }
}

/* ---- casts ---- */

/* Every `each` scalars become one of a type that is as large as all of them. */
static void join(SrEmit *e, Components *c, uint32_t from, uint32_t to, uint32_t each) {
  uint32_t type = sr_kernel_vector(e->k, from, each), part[SR_KERNEL_PART], count = c->count / each;
  for (uint32_t i = 0; i < count; i++) {
    for (uint32_t j = 0; j < each; j++)
      part[j] = value_of(e, c->at[i * each + j], from);
    uint32_t vector = sr_emit(e, SpvOpCompositeConstruct, type, part, each);
    c->at[i] = (Component){sr_emit(e, SpvOpBitcast, to, &vector, 1), SR_NONE};
  }
  c->count = count;
}

/* Every scalar becomes `each` of a smaller type. */
static void split(SrEmit *e, Components *c, uint32_t from, uint32_t to, uint32_t each) {
  uint32_t type = sr_kernel_vector(e->k, to, each);
  Components out = {.count = 0};
  for (uint32_t i = 0; i < c->count; i++) {
    uint32_t value = value_of(e, c->at[i], from);
    uint32_t vector = sr_emit(e, SpvOpBitcast, type, &value, 1);
    for (uint32_t j = 0; j < each && out.count < MOST; j++)
      out.at[out.count++] = (Component){vector, j};
  }
  *c = out;
}

static void cast(SrParts *w, SrEmit *e, SrRef r) {
  SrKernels *k = w->k;
  SrModule *m = k->m;
  const SrInst in = *sr_inst(m, r);
  const uint32_t source = sr_words(m, r)[3], type = sr_kernel_type_of(m, source);
  uint32_t from = sr_kernel_scalar_of(m, type), to = sr_kernel_scalar_of(m, in.type);
  uint32_t small = sr_kernel_bits(m, from), large = sr_kernel_bits(m, to);
  Components c = {.count = 0};
  add(w, &c, source);
  e->result = 0;
  if (small == large)
    for (uint32_t i = 0; i < c.count; i++) {
      uint32_t value = value_of(e, c.at[i], from);
      c.at[i] = (Component){sr_emit_bitcast(e, to, value), SR_NONE};
    }
  while (small < large) {
    uint32_t each = large / small > SR_KERNEL_PART ? SR_KERNEL_PART : large / small;
    uint32_t next = each * small == large ? to : sr_kernel_int(k, each * small);
    join(e, &c, from, next, each);
    from = next;
    small *= each;
  }
  while (small > large) {
    uint32_t each = small / large > SR_KERNEL_PART ? 2 : small / large;
    uint32_t next = small / each == large ? to : sr_kernel_int(k, small / each);
    split(e, &c, from, next, each);
    from = next;
    small /= each;
  }
  write(w, e, r, &c);
}

bool sr_kernel_shuffle(SrParts *w, SrEmit *e, SrRef r) {
  switch (sr_inst(w->k->m, r)->op) {
  case SpvOpCompositeConstruct:
    construct(w, e, r);
    return true;
  case SpvOpCompositeExtract:
    extract(w, e, r);
    return true;
  case SpvOpCompositeInsert:
    insert(w, e, r);
    return true;
  case SpvOpVectorShuffle:
    choose(w, e, r);
    return true;
  case SpvOpVectorExtractDynamic:
    extract_dynamic(w, e, r);
    return true;
  case SpvOpVectorInsertDynamic:
    insert_dynamic(w, e, r);
    return true;
  case SpvOpBitcast:
    cast(w, e, r);
    return true;
  case SpvOpCopyObject:
    construct(w, e, r);
    return true;
  default:
    return false;
  }
}
