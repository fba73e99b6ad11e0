/* SPDX-License-Identifier: Apache-2.0 */
/* maker: see maker.h. */
#include "spv-emu/native/maker.h"

#include "spv-emu/native/lower.h"

#include <stdlib.h>

/* ---- rows ------------------------------------------------------------------------------------ */

static EmuMakerScope *scope_of(EmuMaker *m, uint32_t row) {
  return row >= m->p->temporary ? m->here : &m->kept;
}

EmuMakerRow *emu_maker_row(EmuMaker *m, uint32_t row) {
  EmuMakerScope *scope = scope_of(m, row);
  uint32_t at = scope->index.room ? sr_map_get(&scope->index, row) : SR_NONE;
  return at == SR_NONE ? NULL : &scope->rows.at[at];
}

void emu_maker_name_row(EmuMaker *m, uint32_t row, uint32_t bytes, bool written) {
  EmuMakerRow *found = emu_maker_row(m, row);
  if (!found) {
    EmuMakerScope *scope = scope_of(m, row);
    scope->index.arena = m->u->arena;
    sr_map_set(&scope->index, row, scope->rows.count);
    SR_PUSH(m->u->arena, &scope->rows, (EmuMakerRow){.row = row, .bytes = bytes});
    found = &scope->rows.at[scope->rows.count - 1];
  }
  found->written |= written;
  m->wrong |= found->bytes != bytes;
}

static int by_offset(const void *a, const void *b) {
  const EmuMakerRow *x = *(const EmuMakerRow *const *)a, *y = *(const EmuMakerRow *const *)b;
  return (x->row > y->row) - (x->row < y->row);
}

void emu_maker_check(EmuMaker *m, const EmuMakerScope *scope) {
  uint32_t count = scope->rows.count;
  const EmuMakerRow **sorted = SR_NEW(m->u->arena, const EmuMakerRow *, count);
  for (uint32_t i = 0; i < count; i++)
    sorted[i] = &scope->rows.at[i];
  qsort(sorted, count, sizeof(const EmuMakerRow *), by_offset);
  for (uint32_t i = 0; i + 1 < count; i++)
    m->wrong |= sorted[i]->row + sorted[i]->bytes * m->p->width > sorted[i + 1]->row;
}

void emu_maker_constants(EmuMaker *m) {
  for (uint32_t i = 0; i < m->p->constants.count; i++) {
    const EmuConstantRow *c = &m->p->constants.at[i];
    EmuMakerRow *row = emu_maker_row(m, c->row);
    if (!row || row->written)
      continue;
    row->constant = true;
    row->bits = c->bits;
  }
}

static EmuVector row_address(const EmuMaker *m, const EmuMakerRow *row) {
  const EmuBuild *b = m->b;
  EmuVector lanes = emu_build_number(b, 64, row->bytes), at = emu_build_number(b, 64, row->row);
  return emu_build_after(b, m->file, emu_build_add(b, emu_build_mul(b, m->first, lanes), at));
}

static uint32_t alignment(const EmuMaker *m, uint32_t bytes) {
  uint32_t vector = bytes * m->b->lanes;
  return vector < EMU_CHUNK ? vector : EMU_CHUNK;
}

static EmuVector load_bits(const EmuMaker *m, EmuVector from, uint32_t bytes) {
  const EmuBuild *b = m->b;
  EmuVector value = b->l->LLVMBuildLoad2(b->at, emu_build_ints(b, 8 * bytes), from, "");
  b->l->LLVMSetAlignment(value, alignment(m, bytes));
  return value;
}

EmuVector emu_maker_get(const EmuMaker *m, const EmuMakerRow *row) {
  const EmuBuild *b = m->b;
  return b->l->LLVMBuildLoad2(b->at, emu_build_ints(b, 8 * row->bytes), row->slot, "");
}

void emu_maker_set(const EmuMaker *m, const EmuMakerRow *row, EmuVector value) {
  m->b->l->LLVMBuildStore(m->b->at, value, row->slot);
}

/* From the register file, and back. */
void emu_maker_fetch_row(const EmuMaker *m, const EmuMakerRow *row) {
  emu_maker_set(m, row, load_bits(m, row_address(m, row), row->bytes));
}

void emu_maker_put_back(const EmuMaker *m, const EmuMakerRow *row) {
  const EmuBuild *b = m->b;
  EmuVector store = b->l->LLVMBuildStore(b->at, emu_maker_get(m, row), row_address(m, row));
  b->l->LLVMSetAlignment(store, alignment(m, row->bytes));
}

void emu_maker_slots(const EmuMaker *m, EmuMakerScope *scope) {
  const EmuBuild *b = m->b;
  for (uint32_t i = 0; i < scope->rows.count; i++) {
    EmuMakerRow *row = &scope->rows.at[i];
    row->slot = b->l->LLVMBuildAlloca(b->at, emu_build_ints(b, 8 * row->bytes), "");
  }
}

void emu_maker_fetch(const EmuMaker *m, const EmuMakerScope *scope) {
  for (uint32_t i = 0; i < scope->rows.count; i++)
    emu_maker_fetch_row(m, &scope->rows.at[i]);
}

void emu_maker_put_back_written(const EmuMaker *m, const EmuMakerScope *scope) {
  for (uint32_t i = 0; i < scope->rows.count; i++)
    if (scope->rows.at[i].written)
      emu_maker_put_back(m, &scope->rows.at[i]);
}

/* ---- kinds of instructions ------------------------------------------------------------------ */

bool emu_maker_touches_list(const EmuMaker *m, const EmuMeaning *what, const EmuIns *i) {
  if (what->family != EMU_FAMILY_LOAD && what->family != EMU_FAMILY_STORE)
    return false;
  uint32_t segment = m->p->accesses.at[i->x].segment;
  if (segment == SR_NONE)
    return false;
  uint8_t space = m->p->segments.at[segment].space;
  return space == EMU_SPACE_WORKGROUP || space == EMU_SPACE_BUFFER;
}

bool emu_maker_is_arithmetic(const EmuMeaning *what) {
  return what->family >= EMU_FAMILY_ALU && what->family <= EMU_FAMILY_ADDRESS;
}

/* ---- calls of handlers ----------------------------------------------------------------------- */

EmuVector emu_maker_for_active(const EmuMaker *m, const EmuMakerRow *row, EmuVector value) {
  return emu_build_select(m->b, m->on, value, emu_maker_get(m, row));
}

EmuVector emu_maker_field(const EmuMaker *m, size_t offset) {
  return emu_build_after(m->b, m->lanes, emu_build_number(m->b, 64, offset));
}

static void store_number(const EmuMaker *m, size_t offset, uint32_t bits, uint64_t value) {
  m->b->l->LLVMBuildStore(m->b->at, emu_build_number(m->b, bits, value),
                          emu_maker_field(m, offset));
}

static void put_back_row(EmuMaker *m, uint32_t row) {
  const EmuMakerRow *found = row == EMU_NO_ROW ? NULL : emu_maker_row(m, row);
  if (found && found->written)
    emu_maker_put_back(m, found);
}

static void put_back_read(EmuMaker *m, const EmuMeaning *what, const EmuIns *i) {
  if (!emu_maker_is_arithmetic(what) && !emu_maker_touches_list(m, what, i)) {
    emu_maker_put_back_written(m, &m->kept);
    emu_maker_put_back_written(m, m->here);
    return;
  }
  put_back_row(m, i->a), put_back_row(m, i->b), put_back_row(m, i->c);
  if (emu_maker_touches_list(m, what, i)) /* a load keeps what the other lanes have */
    for (uint32_t n = 0; n < m->p->accesses.at[i->x].leaf_count; n++)
      put_back_row(m, m->p->rows.at[i->list + n]);
}

static void fetch_row(EmuMaker *m, uint32_t row) {
  const EmuMakerRow *found = row == EMU_NO_ROW ? NULL : emu_maker_row(m, row);
  if (found)
    emu_maker_fetch_row(m, found);
}

static void fetch_changed(EmuMaker *m, const EmuMeaning *what, const EmuIns *i) {
  if (emu_maker_is_arithmetic(what))
    fetch_row(m, i->d);
  else if (!emu_maker_touches_list(m, what, i)) {
    emu_maker_fetch(m, &m->kept);
    emu_maker_fetch(m, m->here);
  } else if (what->family == EMU_FAMILY_LOAD)
    for (uint32_t n = 0; n < m->p->accesses.at[i->x].leaf_count; n++)
      fetch_row(m, m->p->rows.at[i->list + n]);
}

void emu_maker_call(EmuMaker *m, const EmuMeaning *what, const EmuIns *i) {
  const EmuBuild *b = m->b;
  LLVMTypeRef pointer = emu_build_pointer(b), params[2] = {pointer, pointer};
  LLVMTypeRef type =
      b->l->LLVMFunctionType(b->l->LLVMVoidTypeInContext(b->context), params, 2, false);
  EmuVector function = b->l->LLVMConstIntToPtr(emu_build_number(b, 64, (uintptr_t)i->run), pointer);
  put_back_read(m, what, i);
  store_number(m, offsetof(EmuLanes, block), 32, m->block);
  b->l->LLVMBuildCall2(b->at, type, function, (EmuVector[]){m->lanes, emu_build_address(b, i)}, 2,
                       "");
  fetch_changed(m, what, i);
  m->test = NULL;
  m->called = true;
}

/* ---- functions ------------------------------------------------------------------------------- */

/* LLVM splits wider vectors; this is the width of the registers to use. */
void emu_maker_begin(EmuMaker *m, LLVMTypeRef type, const char *name) {
  static const char *const widths[] = {"prefer-vector-width", "min-legal-vector-width"};
  EmuBuild *b = m->b;
  b->function = b->l->LLVMAddFunction(b->module, name, type);
  for (uint32_t i = 0; i < 2; i++) {
    LLVMAttributeRef width = b->l->LLVMCreateStringAttribute(b->context, widths[i],
                                                             (unsigned)strlen(widths[i]), "512", 3);
    b->l->LLVMAddAttributeAtIndex(b->function, (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
                                  width);
  }
  b->at = b->l->LLVMCreateBuilderInContext(b->context);
  emu_build_into(b, emu_build_block(b));
  m->lanes = b->l->LLVMGetParam(b->function, 0);
  m->file = b->l->LLVMBuildLoad2(b->at, emu_build_pointer(b),
                                 emu_maker_field(m, offsetof(EmuLanes, file)), "");
  m->first = emu_build_number(b, 64, 0);
}

void emu_maker_end(EmuMaker *m) {
  m->b->l->LLVMDisposeBuilder(m->b->at);
}

void emu_maker_read_on(EmuMaker *m) {
  const EmuBuild *b = m->b;
  EmuVector row = b->l->LLVMBuildLoad2(b->at, emu_build_pointer(b),
                                       emu_maker_field(m, offsetof(EmuLanes, on_row)), "");
  EmuVector bytes = emu_build_mul(b, m->first, emu_build_number(b, 64, sizeof(uint32_t)));
  EmuVector lanes = load_bits(m, emu_build_after(b, row, bytes), sizeof(uint32_t));
  m->on = emu_build_icmp(b, LLVMIntNE, lanes, emu_build_splat(b, 32, 0));
}

EmuVector emu_maker_bits(const EmuMaker *m, EmuVector test) {
  return m->b->l->LLVMBuildBitCast(m->b->at, test, emu_build_int(m->b, m->b->lanes), "");
}

EmuVector emu_maker_test(const EmuMaker *m, EmuVector bits) {
  return m->b->l->LLVMBuildBitCast(m->b->at, bits, emu_build_ints(m->b, 1), "");
}

EmuMaker emu_maker_new(EmuUnit *u, uint32_t lanes, uint32_t blocks) {
  EmuMaker m = {
      .u = u, .b = &u->b, .p = u->program, .local = SR_NEW(u->arena, EmuMakerScope, blocks)};
  u->b.lanes = lanes;
  m.here = m.local;
  return m;
}
EmuVector emu_maker_number_slot(const EmuMaker *m, uint32_t bits, EmuVector value) {
  const EmuBuild *b = m->b;
  EmuVector slot = b->l->LLVMBuildAlloca(b->at, emu_build_int(b, bits), "");
  b->l->LLVMBuildStore(b->at, value, slot);
  return slot;
}

EmuVector emu_maker_number(const EmuMaker *m, uint32_t bits, EmuVector from) {
  return m->b->l->LLVMBuildLoad2(m->b->at, emu_build_int(m->b, bits), from, "");
}
/* ---- ends of blocks --------------------------------------------------------------------------- */

bool emu_maker_end_reads(const EmuProgram *p, const EmuBlock *block, uint32_t row) {
  if (block->row == row && (block->end == EMU_END_IF || block->end == EMU_END_SWITCH))
    return true;
  for (uint32_t e = block->edge; e < block->edge + block->edges; e++)
    for (uint32_t k = 0; k < p->edges.at[e].moves; k++)
      if (p->moves.at[p->edges.at[e].move + k].a == row)
        return true;
  return false;
}
