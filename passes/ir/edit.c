/* SPDX-License-Identifier: Apache-2.0 */
/* edit: see edit.h. */
#include "passes/ir/edit.h"

enum { MAX_BOUND = 0x3fffff };

static void grow_ids(SrModule *m) {
  uint32_t room = 2 * m->id_room;
  uint32_t *def = sr_new_none(m->arena, room), *home = sr_new_none(m->arena, room);
  memcpy(def, m->def, m->id_room * sizeof *def);
  memcpy(home, m->home, m->id_room * sizeof *home);
  m->def = def;
  m->home = home;
  m->id_room = room;
}

uint32_t sr_fresh_id(SrModule *m) {
  uint32_t id = m->header[3]++;
  if (id >= m->id_room)
    grow_ids(m);
  return id;
}

void sr_set_homes(SrModule *m, const SrFunction *f) {
  for (uint32_t b = 0; b < f->block_count; b++)
    for (SR_EACH(m, r, f->blocks[b].list))
      if (sr_inst(m, r)->result)
        m->home[sr_inst(m, r)->result] = b;
}

void sr_undefine_block(SrModule *m, const SrBlock *b) {
  for (SR_EACH(m, r, b->list)) {
    uint32_t id = sr_inst(m, r)->result;
    if (id)
      m->def[id] = m->home[id] = SR_NONE;
  }
  m->ids_gone = true;
}

SrStatus sr_check_bound(const SrModule *m) {
  if (sr_bound(m) > MAX_BOUND)
    return sr_fail(m->diag, SR_BAD_INPUT, SR_NOWHERE,
                   "the result needs more than SPIR-V's limit of %u ids: renumber them (spirv-opt "
                   "--compact-ids)",
                   (unsigned)MAX_BOUND);
  return SR_OK;
}

static void put_word(SrModule *m, uint32_t word, bool is_id) {
  uint32_t at = m->pool.count;
  SR_PUSH(m->arena, &m->pool, word);
  if (at >= m->is_id_room) {
    uint32_t room = (m->pool.room + 63) / 64 * 64;
    SrBits *bits = sr_bits_new(m->arena, room);
    memcpy(bits, m->is_id, m->is_id_room / 8);
    m->is_id = bits;
    m->is_id_room = room;
  }
  if (is_id)
    sr_bit_set(m->is_id, at);
}

void sr_begin(SrModule *m, SpvOp op, uint32_t type, uint32_t result) {
  SrInst in = {.at = m->pool.count,
               .prev = SR_NONE,
               .next = SR_NONE,
               .type = type,
               .result = result,
               .op = (uint16_t)op,
               .first = (uint8_t)(1 + (type != 0) + (result != 0)),
               .added = true};
  SR_PUSH(m->arena, &m->inst, in);
  put_word(m, op, false);
  if (type)
    put_word(m, type, true);
  if (result)
    put_word(m, result, true);
}

void sr_put_id(SrModule *m, uint32_t id) {
  put_word(m, id, true);
}

void sr_put_literal(SrModule *m, uint32_t word) {
  put_word(m, word, false);
}

SrRef sr_end(SrModule *m) {
  SrRef r = m->inst.count - 1;
  SrInst *in = sr_inst(m, r);
  uint32_t count = m->pool.count - in->at;
  if (count > UINT16_MAX)
    m->too_long = in->op;
  m->pool.at[in->at] |= count << 16;
  if (in->result)
    m->def[in->result] = r;
  m->has_undef |= in->op == SpvOpUndef;
  return r;
}

SrRef sr_clone(SrModule *m, SrRef r) {
  const SrInst in = *sr_inst(m, r);
  uint32_t count = sr_word_count(m, r);
  sr_begin(m, (SpvOp)in.op, in.type, in.result ? sr_fresh_id(m) : 0);
  SR_LAST(&m->inst).nonsemantic = in.nonsemantic;
  for (uint32_t i = in.first; i < count; i++)
    put_word(m, m->pool.at[in.at + i], sr_bit(m->is_id, in.at + i));
  return sr_end(m);
}

SrBlock sr_new_block(SrModule *m) {
  uint32_t id = sr_fresh_id(m);
  sr_begin(m, SpvOpLabel, 0, id);
  SrRef label = sr_end(m);
  SrBlock b = {.id = id, .label = label, .list = {SR_NONE, SR_NONE}, .added = true};
  sr_append(m, &b.list, label);
  return b;
}

void sr_append(SrModule *m, SrList *list, SrRef r) {
  sr_insert_before(m, list, SR_NONE, r);
}

void sr_insert_before(SrModule *m, SrList *list, SrRef where, SrRef r) {
  SrInst *in = sr_inst(m, r);
  in->next = where;
  in->prev = where == SR_NONE ? list->last : sr_inst(m, where)->prev;
  *(in->prev == SR_NONE ? &list->first : &sr_inst(m, in->prev)->next) = r;
  *(where == SR_NONE ? &list->last : &sr_inst(m, where)->prev) = r;
}

void sr_remove(SrModule *m, SrList *list, SrRef r) {
  SrInst *in = sr_inst(m, r);
  *(in->prev == SR_NONE ? &list->first : &sr_inst(m, in->prev)->next) = in->next;
  *(in->next == SR_NONE ? &list->last : &sr_inst(m, in->next)->prev) = in->prev;
  in->prev = in->next = SR_NONE;
}

void sr_move_rest(SrModule *m, SrList *from, SrRef r, SrList *to) {
  SrRef first = sr_inst(m, r)->next;
  if (first == SR_NONE)
    return;
  sr_inst(m, first)->prev = to->last;
  *(to->last == SR_NONE ? &to->first : &sr_inst(m, to->last)->next) = first;
  to->last = from->last;
  from->last = r;
  sr_inst(m, r)->next = SR_NONE;
}
