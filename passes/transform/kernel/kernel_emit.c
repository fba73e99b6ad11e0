/* SPDX-License-Identifier: Apache-2.0 */
/* kernel_emit: see kernel_emit.h. */
#include "passes/transform/kernel/kernel_emit.h"

#include "passes/ir/edit.h"

static void begin(SrEmit *e, SpvOp op, uint32_t type, uint32_t id) {
  sr_begin(e->k->m, op, type, id);
}

static uint32_t end(SrEmit *e) {
  SrModule *m = e->k->m;
  SrRef r = sr_end(m);
  uint32_t id = sr_inst(m, r)->result;
  sr_insert_before(m, e->list, e->before, r);
  if (id)
    m->home[id] = e->home;
  return id;
}

static void put(SrEmit *e, const uint32_t *ids, uint32_t count) {
  for (uint32_t i = 0; i < count; i++)
    sr_put_id(e->k->m, ids[i]);
}

static uint32_t take_result(SrEmit *e) {
  uint32_t id = e->result ? e->result : sr_fresh_id(e->k->m);
  e->result = 0;
  return id;
}

uint32_t sr_emit(SrEmit *e, SpvOp op, uint32_t type, const uint32_t *ids, uint32_t count) {
  begin(e, op, type, sr_fresh_id(e->k->m));
  put(e, ids, count);
  return end(e);
}

uint32_t sr_emit_last(SrEmit *e, SpvOp op, uint32_t type, const uint32_t *ids, uint32_t count) {
  begin(e, op, type, take_result(e));
  put(e, ids, count);
  return end(e);
}

void sr_emit_again(SrEmit *e, SrRef r, uint32_t type, uint32_t result, const uint32_t *operand) {
  SrModule *m = e->k->m;
  uint32_t count = sr_word_count(m, r);
  begin(e, (SpvOp)sr_inst(m, r)->op, type, result);
  for (uint32_t i = 3; i < count; i++)
    if (operand[i])
      sr_put_id(m, operand[i]);
    else if (sr_word_is_id(m, r, i))
      sr_put_id(m, sr_words(m, r)[i]);
    else
      sr_put_literal(m, sr_words(m, r)[i]);
  end(e);
}

void sr_emit_void(SrEmit *e, SpvOp op, const uint32_t *ids, uint32_t count) {
  begin(e, op, 0, 0);
  put(e, ids, count);
  end(e);
}

uint32_t sr_emit_extract(SrEmit *e, uint32_t type, uint32_t composite, uint32_t index) {
  return sr_emit_extract_at(e, type, composite, &index, 1);
}

uint32_t sr_emit_extract_at(SrEmit *e, uint32_t type, uint32_t composite, const uint32_t *index,
                            uint32_t count) {
  begin(e, SpvOpCompositeExtract, type, sr_fresh_id(e->k->m));
  sr_put_id(e->k->m, composite);
  for (uint32_t i = 0; i < count; i++)
    sr_put_literal(e->k->m, index[i]);
  return end(e);
}

uint32_t sr_emit_components(SrEmit *e, uint32_t type, uint32_t vector, uint32_t first) {
  begin(e, SpvOpVectorShuffle, type, sr_fresh_id(e->k->m));
  sr_put_id(e->k->m, vector);
  sr_put_id(e->k->m, vector);
  for (uint32_t i = 0; i < sr_kernel_components(e->k->m, type); i++)
    sr_put_literal(e->k->m, first + i);
  return end(e);
}

uint32_t sr_emit_glsl(SrEmit *e, uint32_t number, uint32_t type, const uint32_t *ids,
                      uint32_t count) {
  uint32_t id = take_result(e);
  begin(e, SpvOpExtInst, type, id);
  sr_put_id(e->k->m, e->k->glsl_set);
  sr_put_literal(e->k->m, number);
  put(e, ids, count);
  return end(e);
}

uint32_t sr_emit_element(SrEmit *e, uint32_t pointer, uint32_t index) {
  return sr_emit(e, SpvOpInBoundsPtrAccessChain, sr_kernel_type_of(e->k->m, pointer),
                 SR_IDS(pointer, index));
}

uint32_t sr_emit_resized(SrEmit *e, uint32_t type, uint32_t id) {
  const SrModule *m = e->k->m;
  return sr_kernel_bits(m, sr_kernel_type_of(m, id)) == sr_kernel_bits(m, type)
             ? id
             : sr_emit(e, SpvOpUConvert, type, &id, 1);
}

/* align 0: none is said. */
static void put_operands(SrEmit *e, bool is_volatile, uint32_t align) {
  uint32_t operands =
      (is_volatile ? SpvMemoryAccessVolatileMask : 0u) | (align ? SpvMemoryAccessAlignedMask : 0u);
  if (operands)
    sr_put_literal(e->k->m, operands);
  if (align)
    sr_put_literal(e->k->m, align);
}

uint32_t sr_emit_load_aligned(SrEmit *e, uint32_t type, uint32_t pointer, bool is_volatile,
                              uint32_t align) {
  begin(e, SpvOpLoad, type, take_result(e));
  sr_put_id(e->k->m, pointer);
  put_operands(e, is_volatile, align);
  return end(e);
}

void sr_emit_store_aligned(SrEmit *e, uint32_t pointer, uint32_t value, bool is_volatile,
                           uint32_t align) {
  begin(e, SpvOpStore, 0, 0);
  sr_put_id(e->k->m, pointer);
  sr_put_id(e->k->m, value);
  put_operands(e, is_volatile, align);
  end(e);
}

uint32_t sr_emit_load(SrEmit *e, uint32_t type, uint32_t pointer, bool is_volatile) {
  return sr_emit_load_aligned(e, type, pointer, is_volatile, 0);
}

void sr_emit_store(SrEmit *e, uint32_t pointer, uint32_t value, bool is_volatile) {
  sr_emit_store_aligned(e, pointer, value, is_volatile, 0);
}

uint32_t sr_emit_is(SrEmit *e, uint32_t id) {
  id = sr_kernel_same(e->k, id);
  if (e->result && e->result != id)
    sr_ids_set(e->k->same, e->result, id);
  e->result = 0;
  return id;
}

uint32_t sr_emit_bitcast(SrEmit *e, uint32_t type, uint32_t id) {
  if (sr_kernel_type_of(e->k->m, id) == type)
    return sr_emit_is(e, id);
  return sr_emit_last(e, SpvOpBitcast, type, &id, 1);
}
