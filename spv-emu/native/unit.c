/* SPDX-License-Identifier: Apache-2.0 */
/* unit: see unit.h. A first pass over the instructions finds the rows, the second builds the code. A
 * row is a slot on the stack, which LLVM turns into values. */
#include "spv-emu/native/unit.h"

#include "spv-emu/native/lower.h"

#include "passes/base/map.h"

#include <stdlib.h>

typedef struct Row {
  uint32_t row;   /* its offset in the register file */
  uint32_t bytes; /* of a lane */
  bool written;
  bool constant;
  uint64_t bits; /* of a constant */
  EmuVector slot;
} Row;

/* Rows by offset. */
typedef struct Scope {
  SrMap index;
  SR_VEC(Row) rows;
} Scope;

typedef struct Maker {
  EmuUnit *u;
  EmuBuild *b;
  const EmuProgram *p;
  Scope kept;      /* rows that outlive a block */
  Scope *local;    /* by step: rows of this block only */
  Scope *here;     /* that of the current step */
  EmuVector lanes; /* EmuLanes * */
  EmuVector file;  /* the register file, at the first lane of the vector */
  EmuVector first; /* number of this lane */
  EmuVector on;    /* s->on_row, for these lanes */
  EmuVector test;  /* the last comparison; NULL: a handler's, or none */
  uint32_t block;  /* of a path: that of the current step */
  bool called;     /* the current step calls a handler */
  bool wrong;      /* rows overlap */
  bool full;
} Maker;

/* ---- rows ------------------------------------------------------------------------------------ */

static Scope *scope_of(Maker *m, uint32_t row) {
  return row >= m->p->temporary ? m->here : &m->kept;
}

static Row *find_row(Maker *m, uint32_t row) {
  Scope *scope = scope_of(m, row);
  uint32_t at = scope->index.room ? sr_map_get(&scope->index, row) : SR_NONE;
  return at == SR_NONE ? NULL : &scope->rows.at[at];
}

static void name_row(Maker *m, uint32_t row, uint32_t bytes, bool written) {
  Row *found = find_row(m, row);
  if (!found) {
    Scope *scope = scope_of(m, row);
    scope->index.arena = m->u->arena;
    sr_map_set(&scope->index, row, scope->rows.count);
    SR_PUSH(m->u->arena, &scope->rows, (Row){.row = row, .bytes = bytes});
    found = &scope->rows.at[scope->rows.count - 1];
  }
  found->written |= written;
  m->wrong |= found->bytes != bytes;
}

static int by_offset(const void *a, const void *b) {
  const Row *x = *(const Row *const *)a, *y = *(const Row *const *)b;
  return (x->row > y->row) - (x->row < y->row);
}

static void check_overlap(Maker *m, const Scope *scope) {
  uint32_t count = scope->rows.count;
  const Row **sorted = SR_NEW(m->u->arena, const Row *, count);
  for (uint32_t i = 0; i < count; i++)
    sorted[i] = &scope->rows.at[i];
  qsort(sorted, count, sizeof(const Row *), by_offset);
  for (uint32_t i = 0; i + 1 < count; i++)
    m->wrong |= sorted[i]->row + sorted[i]->bytes * m->p->width > sorted[i + 1]->row;
}

static void find_constants(Maker *m) {
  for (uint32_t i = 0; i < m->p->constants.count; i++) {
    const EmuConstantRow *c = &m->p->constants.at[i];
    Row *row = find_row(m, c->row);
    if (!row || row->written)
      continue;
    row->constant = true;
    row->bits = c->bits;
  }
}

static EmuVector row_address(const Maker *m, const Row *row) {
  const EmuBuild *b = m->b;
  EmuVector lanes = emu_build_number(b, 64, row->bytes), at = emu_build_number(b, 64, row->row);
  return emu_build_after(b, m->file, emu_build_add(b, emu_build_mul(b, m->first, lanes), at));
}

static uint32_t alignment(const Maker *m, uint32_t bytes) {
  uint32_t vector = bytes * m->b->lanes;
  return vector < EMU_CHUNK ? vector : EMU_CHUNK;
}

static EmuVector load_bits(const Maker *m, EmuVector from, uint32_t bytes) {
  const EmuBuild *b = m->b;
  EmuVector value = b->l->LLVMBuildLoad2(b->at, emu_build_ints(b, 8 * bytes), from, "");
  b->l->LLVMSetAlignment(value, alignment(m, bytes));
  return value;
}

static EmuVector get(const Maker *m, const Row *row) {
  const EmuBuild *b = m->b;
  return b->l->LLVMBuildLoad2(b->at, emu_build_ints(b, 8 * row->bytes), row->slot, "");
}

static void set(const Maker *m, const Row *row, EmuVector value) {
  m->b->l->LLVMBuildStore(m->b->at, value, row->slot);
}

/* From the register file, and back. */
static void fetch(const Maker *m, const Row *row) {
  set(m, row, load_bits(m, row_address(m, row), row->bytes));
}

static void put_back(const Maker *m, const Row *row) {
  const EmuBuild *b = m->b;
  EmuVector store = b->l->LLVMBuildStore(b->at, get(m, row), row_address(m, row));
  b->l->LLVMSetAlignment(store, alignment(m, row->bytes));
}

static void make_slots(const Maker *m, Scope *scope) {
  const EmuBuild *b = m->b;
  for (uint32_t i = 0; i < scope->rows.count; i++) {
    Row *row = &scope->rows.at[i];
    row->slot = b->l->LLVMBuildAlloca(b->at, emu_build_ints(b, 8 * row->bytes), "");
  }
}

static void fetch_all(const Maker *m, const Scope *scope) {
  for (uint32_t i = 0; i < scope->rows.count; i++)
    fetch(m, &scope->rows.at[i]);
}

static void put_back_written(const Maker *m, const Scope *scope) {
  for (uint32_t i = 0; i < scope->rows.count; i++)
    if (scope->rows.at[i].written)
      put_back(m, &scope->rows.at[i]);
}

/* ---- the rows of an instruction -------------------------------------------------------------- */

static uint32_t operand_row(const Maker *m, const EmuIns *i, uint32_t at) {
  const uint32_t rows[3] = {i->a, i->b, i->c};
  return at < 3 ? rows[at] : m->p->rows.at[i->list];
}

/* A load or store that names its segment, and only touches the rows of its own list. */
static bool touches_list(const Maker *m, const EmuMeaning *what, const EmuIns *i) {
  if (what->family != EMU_FAMILY_LOAD && what->family != EMU_FAMILY_STORE)
    return false;
  uint32_t segment = m->p->accesses.at[i->x].segment;
  if (segment == SR_NONE)
    return false;
  uint8_t space = m->p->segments.at[segment].space;
  return space == EMU_SPACE_WORKGROUP || space == EMU_SPACE_BUFFER;
}

static bool is_arithmetic(const EmuMeaning *what) {
  return what->family >= EMU_FAMILY_ALU && what->family <= EMU_FAMILY_ADDRESS;
}

static void name_list(Maker *m, const EmuIns *i, bool written) {
  const EmuAccess *access = &m->p->accesses.at[i->x];
  for (uint32_t n = 0; n < access->leaf_count; n++) {
    EmuKind kind = (EmuKind)m->p->leaves.at[access->leaf + n].kind;
    name_row(m, m->p->rows.at[i->list + n], emu_kind_bytes(kind), written);
  }
}

static void name_instruction(Maker *m, const EmuIns *i) {
  EmuMeaning *what = emu_meaning(m->u->meanings, i->run);
  if (emu_lower_covers(m->b, what)) {
    for (uint32_t at = 0; at < emu_lower_operands(what, i); at++)
      if (operand_row(m, i, at) != EMU_NO_ROW)
        name_row(m, operand_row(m, i, at), emu_lower_bytes(what, at), false);
    name_row(m, i->d, what->result, true);
  } else if (touches_list(m, what, i)) {
    if (what->family == EMU_FAMILY_LOAD)
      name_list(m, i, true);
  }
}

/* ---- instructions ---------------------------------------------------------------------------- */

/* What the lanes of s->on_row get is new; the others keep the old value. */
static EmuVector for_active(const Maker *m, const Row *row, EmuVector value) {
  const EmuBuild *b = m->b;
  EmuVector none = emu_build_splat(b, 32, 0), test = emu_build_icmp(b, LLVMIntNE, m->on, none);
  return emu_build_select(b, test, value, get(m, row));
}

static EmuOperand operand(Maker *m, uint32_t at) {
  const Row *row = at == EMU_NO_ROW ? NULL : find_row(m, at);
  if (!row)
    return (EmuOperand){NULL, NULL};
  EmuVector value = get(m, row);
  return (EmuOperand){value,
                      row->constant ? emu_build_splat(m->b, 8 * row->bytes, row->bits) : value};
}

static void compute(Maker *m, const EmuMeaning *what, const EmuIns *i) {
  EmuLowerArgs args = {.x = i->x};
  for (uint32_t at = 0; at < emu_lower_operands(what, i); at++)
    args.in[at] = operand(m, operand_row(m, i, at));
  EmuVector test, value = emu_lower(m->b, what, &args, &test);
  m->test = test ? test : m->test;
  const Row *row = find_row(m, i->d);
  if (what->family == EMU_FAMILY_ALU_ON || what->family == EMU_FAMILY_MOVE_ON)
    value = for_active(m, row, value);
  set(m, row, value);
}

static EmuVector field(const Maker *m, size_t offset) {
  return emu_build_after(m->b, m->lanes, emu_build_number(m->b, 64, offset));
}

static void store_number(const Maker *m, size_t offset, uint32_t bits, uint64_t value) {
  m->b->l->LLVMBuildStore(m->b->at, emu_build_number(m->b, bits, value), field(m, offset));
}

static void put_back_row(Maker *m, uint32_t row) {
  const Row *found = row == EMU_NO_ROW ? NULL : find_row(m, row);
  if (found && found->written)
    put_back(m, found);
}

static void put_back_read(Maker *m, const EmuMeaning *what, const EmuIns *i) {
  if (!is_arithmetic(what) && !touches_list(m, what, i)) {
    put_back_written(m, &m->kept);
    put_back_written(m, m->here);
    return;
  }
  put_back_row(m, i->a), put_back_row(m, i->b), put_back_row(m, i->c);
  if (what->family == EMU_FAMILY_STORE)
    for (uint32_t n = 0; n < m->p->accesses.at[i->x].leaf_count; n++)
      put_back_row(m, m->p->rows.at[i->list + n]);
}

static void fetch_row(Maker *m, uint32_t row) {
  const Row *found = row == EMU_NO_ROW ? NULL : find_row(m, row);
  if (found)
    fetch(m, found);
}

static void fetch_changed(Maker *m, const EmuMeaning *what, const EmuIns *i) {
  if (is_arithmetic(what))
    fetch_row(m, i->d);
  else if (!touches_list(m, what, i)) {
    fetch_all(m, &m->kept);
    fetch_all(m, m->here);
  } else if (what->family == EMU_FAMILY_LOAD)
    for (uint32_t n = 0; n < m->p->accesses.at[i->x].leaf_count; n++)
      fetch_row(m, m->p->rows.at[i->list + n]);
}

/* Calls the handler. */
static void call(Maker *m, const EmuMeaning *what, const EmuIns *i) {
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

static void execute(Maker *m, const EmuIns *i) {
  EmuMeaning *what = emu_meaning(m->u->meanings, i->run);
  if (emu_lower_covers(m->b, what))
    compute(m, what, i);
  else
    call(m, what, i);
}

/* ---- functions ------------------------------------------------------------------------------- */

/* LLVM splits wider vectors; this is the width of the registers to use. */
static void start_function(Maker *m, LLVMTypeRef type, const char *name) {
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
  m->file =
      b->l->LLVMBuildLoad2(b->at, emu_build_pointer(b), field(m, offsetof(EmuLanes, file)), "");
  m->first = emu_build_number(b, 64, 0);
}

static void end_function(Maker *m) {
  m->b->l->LLVMDisposeBuilder(m->b->at);
}

static void read_on_row(Maker *m) {
  const EmuBuild *b = m->b;
  EmuVector row =
      b->l->LLVMBuildLoad2(b->at, emu_build_pointer(b), field(m, offsetof(EmuLanes, on_row)), "");
  EmuVector bytes = emu_build_mul(b, m->first, emu_build_number(b, 64, sizeof(uint32_t)));
  m->on = load_bits(m, emu_build_after(b, row, bytes), sizeof(uint32_t));
}

/* The lanes for which a test holds, as an integer with a bit for each. */
static EmuVector bits_of_test(const Maker *m, EmuVector test) {
  return m->b->l->LLVMBuildBitCast(m->b->at, test, emu_build_int(m->b, m->b->lanes), "");
}

static Maker maker_of(EmuUnit *u, uint32_t lanes, uint32_t steps) {
  Maker m = {.u = u, .b = &u->b, .p = u->program, .local = SR_NEW(u->arena, Scope, steps)};
  u->b.lanes = lanes;
  m.here = m.local;
  return m;
}

/* ---- a run ----------------------------------------------------------------------------------- */

uint32_t emu_unit_covers(EmuUnit *u, const EmuIns *code, uint32_t count) {
  uint32_t at = 0;
  while (at < count && emu_lower_covers(&u->b, emu_meaning(u->meanings, code[at].run)))
    at++;
  return at;
}

/* May the instruction read the row? */
static bool may_read(const Maker *m, const EmuIns *i, uint32_t row) {
  const EmuMeaning *what = emu_meaning(m->u->meanings, i->run);
  if (i->a == row || i->b == row || i->c == row)
    return true;
  if (is_arithmetic(what))
    return what->family == EMU_FAMILY_PRODUCTS && m->p->rows.at[i->list] == row;
  if (what->family != EMU_FAMILY_STORE)
    return what->family != EMU_FAMILY_LOAD;
  for (uint32_t n = 0; n < m->p->accesses.at[i->x].leaf_count; n++)
    if (m->p->rows.at[i->list + n] == row)
      return true;
  return false;
}

static bool end_reads(const EmuProgram *p, const EmuBlock *block, uint32_t row) {
  if (block->row == row && (block->end == EMU_END_IF || block->end == EMU_END_SWITCH))
    return true;
  for (uint32_t e = block->edge; e < block->edge + block->edges; e++)
    for (uint32_t k = 0; k < p->edges.at[e].moves; k++)
      if (p->moves.at[p->edges.at[e].move + k].a == row)
        return true;
  return false;
}

static bool read_later(const Maker *m, const EmuUnitRun *run, uint32_t row) {
  for (uint32_t i = run->to; i < run->count; i++)
    if (may_read(m, &run->code[i], row))
      return true;
  return end_reads(m->p, run->block, row);
}

/* The result of the last comparison, for the branch. */
static void store_test(const Maker *m) {
  const EmuBuild *b = m->b;
  EmuVector bits = bits_of_test(m, m->test), eight = emu_build_number(b, 64, 8);
  EmuVector byte = emu_build_udiv(b, m->first, eight);
  EmuVector store = b->l->LLVMBuildStore(
      b->at, bits, emu_build_after(b, field(m, offsetof(EmuLanes, yes)), byte));
  b->l->LLVMSetAlignment(store, 1);
}

static void run_vector(Maker *m, const EmuUnitRun *run) {
  read_on_row(m);
  fetch_all(m, &m->kept);
  fetch_all(m, m->here);
  for (uint32_t i = run->from; i < run->to; i++)
    execute(m, &run->code[i]);
  put_back_written(m, &m->kept);
  for (uint32_t i = 0; i < m->here->rows.count; i++) {
    const Row *row = &m->here->rows.at[i];
    if (row->written && read_later(m, run, row->row))
      put_back(m, row);
  }
  if (m->test && run->block->compared)
    store_test(m);
}

/* A loop over the vectors of a row, which ends the function. */
static void run_vectors(Maker *m, const EmuUnitRun *run) {
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
  Maker maker = maker_of(u, run->lanes, 1), *m = &maker;
  EmuBuild *b = m->b;
  LLVMTypeRef params[2] = {emu_build_pointer(b), emu_build_pointer(b)};
  start_function(
      m, b->l->LLVMFunctionType(b->l->LLVMVoidTypeInContext(b->context), params, 2, false), name);
  for (uint32_t i = run->from; i < run->to; i++)
    name_instruction(m, &run->code[i]);
  find_constants(m);
  check_overlap(m, &m->kept);
  check_overlap(m, m->here);
  make_slots(m, &m->kept);
  make_slots(m, m->here);
  run_vectors(m, run);
  end_function(m);
  return !m->wrong;
}

/* ---- a path ---------------------------------------------------------------------------------- */

typedef struct Path {
  Maker *m;
  const EmuUnitStep *steps;
  uint32_t count;
  EmuVector on;               /* the running lanes, a bit for each */
  EmuVector most, done, left; /* slots of numbers; `left` is the result */
  LLVMBasicBlockRef head, leave;
} Path;

static void name_moves(Maker *m, const EmuUnitStep *step) {
  for (uint32_t k = 0; k < step->moves; k++) {
    name_row(m, step->move[k].a, step->move[k].bytes, false);
    name_row(m, step->move[k].d, step->move[k].bytes, true);
  }
}

/* The rows that the block's end reads when the lanes leave the path there. */
static void name_steps(Path *path) {
  Maker *m = path->m;
  for (uint32_t i = 0; i < path->count; i++) {
    const EmuUnitStep *step = &path->steps[i];
    m->here = &m->local[i];
    for (uint32_t k = 0; k < step->count; k++)
      name_instruction(m, &step->code[k]);
    if (step->block->end == EMU_END_IF)
      name_row(m, step->block->row, sizeof(uint32_t), false);
    name_moves(m, step);
    check_overlap(m, m->here);
  }
  check_overlap(m, &m->kept);
  m->here = m->local;
  find_constants(m);
}

static EmuVector number_slot(const Maker *m, uint32_t bits, EmuVector value) {
  const EmuBuild *b = m->b;
  EmuVector slot = b->l->LLVMBuildAlloca(b->at, emu_build_int(b, bits), "");
  b->l->LLVMBuildStore(b->at, value, slot);
  return slot;
}

static EmuVector load_number(const Maker *m, uint32_t bits, EmuVector from) {
  return m->b->l->LLVMBuildLoad2(m->b->at, emu_build_int(m->b, bits), from, "");
}

static void begin_path(Path *path) {
  Maker *m = path->m;
  const EmuBuild *b = m->b;
  for (uint32_t i = 0; i < path->count; i++)
    make_slots(m, &m->local[i]);
  make_slots(m, &m->kept);
  path->most = b->l->LLVMGetParam(b->function, 1);
  path->done = number_slot(m, 64, emu_build_number(b, 64, 0));
  path->left = number_slot(m, 32, emu_build_number(b, 32, SR_NONE));
  path->on = load_number(m, b->lanes, field(m, offsetof(EmuLanes, on)));
  read_on_row(m);
  for (uint32_t i = 0; i < path->count; i++)
    fetch_all(m, &m->local[i]);
  fetch_all(m, &m->kept);
  path->head = emu_build_block(b);
  path->leave = emu_build_block(b);
  b->l->LLVMBuildBr(b->at, path->head);
}

/* The lanes, of all, for which the condition holds. */
static EmuVector condition(Maker *m, const EmuBlock *block) {
  const EmuBuild *b = m->b;
  if (block->compared && m->test)
    return bits_of_test(m, m->test);
  if (block->compared)
    return load_number(m, b->lanes, field(m, offsetof(EmuLanes, yes)));
  EmuVector row = get(m, find_row(m, block->row));
  return bits_of_test(m, emu_build_icmp(b, LLVMIntSLT, row, emu_build_splat(b, 32, 0)));
}

/* Does the step go on along the path? */
static EmuVector goes_on(Path *path, const EmuUnitStep *step, EmuVector *yes) {
  Maker *m = path->m;
  const EmuBuild *b = m->b;
  EmuVector ok = emu_build_number(b, 1, 1);
  if (step->block->end == EMU_END_IF) {
    *yes = condition(m, step->block);
    EmuVector held = emu_build_and(b, *yes, path->on);
    EmuVector wanted = step->yes ? path->on : emu_build_number(b, b->lanes, 0);
    ok = emu_build_icmp(b, LLVMIntEQ, held, wanted);
  }
  if (!m->called)
    return ok;
  EmuVector stop = load_number(m, 8, field(m, offsetof(EmuLanes, fault.stop)));
  return emu_build_and(b, ok, emu_build_icmp(b, LLVMIntEQ, stop, emu_build_number(b, 8, 0)));
}

/* What the block's end reads: its condition, and the rows that edges move. */
static void leave_step(Path *path, uint32_t at, EmuVector yes) {
  Maker *m = path->m;
  const EmuBuild *b = m->b;
  const EmuBlock *block = path->steps[at].block;
  for (uint32_t i = 0; i < m->here->rows.count; i++) {
    const Row *row = &m->here->rows.at[i];
    if (row->written && end_reads(m->p, block, row->row))
      put_back(m, row);
  }
  if (yes && block->compared) {
    EmuVector store = b->l->LLVMBuildStore(b->at, yes, field(m, offsetof(EmuLanes, yes)));
    b->l->LLVMSetAlignment(store, 4);
  }
  b->l->LLVMBuildStore(b->at, emu_build_number(b, 32, at), path->left);
  b->l->LLVMBuildBr(b->at, path->leave);
}

static void move(Maker *m, const EmuMove *of) {
  const Row *to = find_row(m, of->d);
  EmuVector value = get(m, find_row(m, of->a));
  set(m, to, m->full ? value : for_active(m, to, value));
}

static void run_step(Path *path, uint32_t at) {
  Maker *m = path->m;
  const EmuBuild *b = m->b;
  const EmuUnitStep *step = &path->steps[at];
  EmuVector yes = NULL;
  m->here = &m->local[at];
  m->test = NULL;
  m->called = false;
  m->block = step->index;
  for (uint32_t k = 0; k < step->count; k++)
    execute(m, &step->code[k]);
  LLVMBasicBlockRef on = emu_build_block(b), off = emu_build_block(b);
  b->l->LLVMBuildCondBr(b->at, goes_on(path, step, &yes), on, off);
  emu_build_into(b, off);
  leave_step(path, at, yes);
  emu_build_into(b, on);
  for (uint32_t k = 0; k < step->moves; k++)
    move(m, &step->move[k]);
}

static void end_path(Path *path) {
  Maker *m = path->m;
  const EmuBuild *b = m->b;
  emu_build_into(b, path->leave);
  put_back_written(m, &m->kept);
  b->l->LLVMBuildStore(b->at, load_number(m, 64, path->done), b->l->LLVMGetParam(b->function, 2));
  b->l->LLVMBuildRet(b->at, load_number(m, 32, path->left));
}

static void build_path(Path *path) {
  Maker *m = path->m;
  const EmuBuild *b = m->b;
  LLVMBasicBlockRef body = emu_build_block(b);
  begin_path(path);
  emu_build_into(b, path->head);
  EmuVector done = load_number(m, 64, path->done);
  b->l->LLVMBuildCondBr(b->at, emu_build_icmp(b, LLVMIntULT, done, path->most), body, path->leave);
  emu_build_into(b, body);
  for (uint32_t i = 0; i < path->count; i++)
    run_step(path, i);
  done = load_number(m, 64, path->done);
  b->l->LLVMBuildStore(b->at, emu_build_add(b, done, emu_build_number(b, 64, 1)), path->done);
  b->l->LLVMBuildBr(b->at, path->head);
  end_path(path);
}

bool emu_unit_path(EmuUnit *u, const EmuUnitStep *steps, uint32_t count, bool full,
                   const char *name) {
  Maker m = maker_of(u, u->program->width, count);
  Path path = {.m = &m, .steps = steps, .count = count};
  EmuBuild *b = m.b;
  LLVMTypeRef params[3] = {emu_build_pointer(b), emu_build_int(b, 64), emu_build_pointer(b)};
  m.full = full;
  start_function(&m, b->l->LLVMFunctionType(emu_build_int(b, 32), params, 3, false), name);
  name_steps(&path);
  build_path(&path);
  end_function(&m);
  return !m.wrong;
}

/* ---- arms ------------------------------------------------------------------------------------ */

/* The mask's lanes as a row of booleans. */
static EmuVector expand(const Maker *m, EmuVector mask) {
  const EmuBuild *b = m->b;
  EmuVector test = b->l->LLVMBuildBitCast(b->at, mask, emu_build_ints(b, 1), "");
  return emu_build_sext(b, test, 32);
}

static void run_arm(Maker *m, const EmuUnitStep *arm, uint32_t at) {
  const EmuBuild *b = m->b;
  LLVMBasicBlockRef body = emu_build_block(b), end = emu_build_block(b);
  EmuVector masks = b->l->LLVMGetParam(b->function, 1);
  EmuVector from = emu_build_after(b, masks, emu_build_number(b, 64, at * sizeof(uint64_t)));
  EmuVector mask = load_number(m, b->lanes, from), none = emu_build_number(b, b->lanes, 0);
  m->here = &m->local[at];
  b->l->LLVMBuildCondBr(b->at, emu_build_icmp(b, LLVMIntNE, mask, none), body, end);
  emu_build_into(b, body);
  m->on = expand(m, mask);
  for (uint32_t k = 0; k < arm->count; k++)
    execute(m, &arm->code[k]);
  for (uint32_t k = 0; k < arm->moves; k++)
    move(m, &arm->move[k]);
  b->l->LLVMBuildBr(b->at, end);
  emu_build_into(b, end);
}

bool emu_unit_arms(EmuUnit *u, const EmuUnitStep *arms, uint32_t count, const char *name) {
  Maker maker = maker_of(u, u->program->width, count), *m = &maker;
  Path path = {.m = m, .steps = arms, .count = count};
  EmuBuild *b = m->b;
  LLVMTypeRef params[2] = {emu_build_pointer(b), emu_build_pointer(b)};
  start_function(
      m, b->l->LLVMFunctionType(b->l->LLVMVoidTypeInContext(b->context), params, 2, false), name);
  name_steps(&path);
  for (uint32_t i = 0; i < count; i++) {
    make_slots(m, &m->local[i]);
    fetch_all(m, &m->local[i]);
  }
  make_slots(m, &m->kept);
  fetch_all(m, &m->kept);
  for (uint32_t i = 0; i < count; i++)
    run_arm(m, &arms[i], i);
  put_back_written(m, &m->kept);
  b->l->LLVMBuildRetVoid(b->at);
  end_function(m);
  return !m->wrong;
}
