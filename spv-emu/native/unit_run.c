/* SPDX-License-Identifier: Apache-2.0 */
/* unit_run: see unit.h. This file has runs; unit_path.c has paths and arms. */
#include "spv-emu/native/maker.h"

#include "spv-emu/native/lower.h"

/* ---- a run ----------------------------------------------------------------------------------- */

uint32_t emu_unit_covers(EmuUnit *u, const EmuIns *code, uint32_t count) {
  uint32_t at = 0;
  while (at < count && emu_lower_covers(&u->b, emu_meaning(u->meanings, code[at].run)))
    at++;
  return at;
}

/* May the instruction read the row? */
static bool may_read(const EmuMaker *m, const EmuIns *i, uint32_t row) {
  const EmuMeaning *what = emu_meaning(m->u->meanings, i->run);
  if (i->a == row || i->b == row || i->c == row)
    return true;
  if (emu_maker_is_arithmetic(what))
    return what->family == EMU_FAMILY_PRODUCTS && m->p->rows.at[i->list] == row;
  if (what->family != EMU_FAMILY_STORE)
    return what->family != EMU_FAMILY_LOAD;
  for (uint32_t n = 0; n < m->p->accesses.at[i->x].leaf_count; n++)
    if (m->p->rows.at[i->list + n] == row)
      return true;
  return false;
}

static bool read_later(const EmuMaker *m, const EmuUnitRun *run, uint32_t row) {
  for (uint32_t i = run->to; i < run->count; i++)
    if (may_read(m, &run->code[i], row))
      return true;
  return emu_maker_end_reads(m->p, run->block, row);
}

/* The result of the last comparison, for the branch. */
static void store_test(const EmuMaker *m) {
  const EmuBuild *b = m->b;
  EmuVector bits = emu_maker_bits(m, m->test), eight = emu_build_number(b, 64, 8);
  EmuVector byte = emu_build_udiv(b, m->first, eight);
  EmuVector store = b->l->LLVMBuildStore(
      b->at, bits, emu_build_after(b, emu_maker_field(m, offsetof(EmuLanes, yes)), byte));
  b->l->LLVMSetAlignment(store, 1);
}

static void run_vector(EmuMaker *m, const EmuUnitRun *run) {
  emu_maker_read_on(m);
  emu_maker_fetch(m, &m->kept);
  emu_maker_fetch(m, m->here);
  for (uint32_t i = run->from; i < run->to; i++)
    emu_maker_execute(m, &run->code[i]);
  emu_maker_put_back_written(m, &m->kept);
  for (uint32_t i = 0; i < m->here->rows.count; i++) {
    const EmuMakerRow *row = &m->here->rows.at[i];
    if (row->written && read_later(m, run, row->row))
      emu_maker_put_back(m, row);
  }
  if (m->test && run->block->compared)
    store_test(m);
}

/* A loop over the vectors of a row, which ends the function. */
static void run_vectors(EmuMaker *m, const EmuUnitRun *run) {
  EmuBuild *b = m->b;
  EmuVector lane = b->l->LLVMBuildAlloca(b->at, emu_build_int(b, 64), "");
  LLVMBasicBlockRef body = emu_build_block(b), end = emu_build_block(b);
  b->l->LLVMBuildStore(b->at, m->first, lane);
  b->l->LLVMBuildBr(b->at, body);
  emu_build_into(b, body);
  m->first = b->l->LLVMBuildLoad2(b->at, emu_build_int(b, 64), lane, "");
  run_vector(m, run);
  EmuVector next = emu_build_add(b, m->first, emu_build_number(b, 64, b->lanes));
  b->l->LLVMBuildStore(b->at, next, lane);
  EmuVector more = emu_build_icmp(b, LLVMIntULT, next, emu_build_number(b, 64, m->p->width));
  b->l->LLVMBuildCondBr(b->at, more, body, end);
  emu_build_into(b, end);
  b->l->LLVMBuildRetVoid(b->at);
}

bool emu_unit_run(EmuUnit *u, const EmuUnitRun *run, const char *name) {
  EmuMaker maker = emu_maker_new(u, run->lanes, 1), *m = &maker;
  EmuBuild *b = m->b;
  LLVMTypeRef params[2] = {emu_build_pointer(b), emu_build_pointer(b)};
  emu_maker_begin(
      m, b->l->LLVMFunctionType(b->l->LLVMVoidTypeInContext(b->context), params, 2, false), name);
  for (uint32_t i = run->from; i < run->to; i++)
    emu_maker_name(m, &run->code[i]);
  emu_maker_constants(m);
  emu_maker_check(m, &m->kept);
  emu_maker_check(m, m->here);
  emu_maker_slots(m, &m->kept);
  emu_maker_slots(m, m->here);
  run_vectors(m, run);
  emu_maker_end(m);
  return !m->wrong;
}
