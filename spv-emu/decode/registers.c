/* SPDX-License-Identifier: Apache-2.0 */
/* registers: assigns rows to registers, and writes the two streams of each block, `full` and `some`
 * (bytecode.h).
 *
 * A register that only one block uses needs its row from its first to its last use there; all
 * blocks share one pool of such rows, which stays small and so in the first-level cache. Registers
 * that several blocks use, and those that already have a row, are *kept*: inactive lanes may have
 * values in them. In a block's `some` stream a kept register is therefore not written by the
 * instruction itself but by a move of the active lanes from a spare row.
 *
 * A register file consists of the fixed region (constants, variables, inputs), the kept registers,
 * the spare rows and the pool. Offsets are in bytes of one lane until they are finally multiplied
 * by the width. */
#include "spv-emu/decode/decode.h"

typedef struct Placer {
  EmuDecode *d;
  uint64_t bytes;           /* bytes of one lane that are taken so far */
  uint32_t spare[9];        /* spare rows, by bytes of one lane */
  uint64_t pool;            /* size of the pool in bytes of one lane: the most that a block needs */
  uint64_t used;            /* bytes that the current block uses */
  SR_VEC(uint32_t) free[9]; /* free rows of the pool, by size in bytes */
  uint32_t *last;           /* by register: the last instruction of its block that uses it */
} Placer;

static uint32_t bytes_of(const EmuDecode *d, uint32_t reg) {
  return emu_kind_bytes(emu_register_kind(d, reg));
}

static bool is_local(const EmuDecode *d, uint32_t reg) {
  return reg != EMU_NO_ROW && !emu_register_is_kept(d, reg);
}

/* ---- the pool -------------------------------------------------------------------------------- */

static void take(Placer *p, uint32_t reg) {
  EmuRegister *e = emu_register(p->d, reg);
  uint32_t bytes = bytes_of(p->d, reg);
  if (e->block == EMU_PLACED)
    return;
  e->block = EMU_PLACED;
  if (p->free[bytes].count) {
    e->row = SR_POP(&p->free[bytes]);
    return;
  }
  e->row = (uint32_t)p->used;
  p->used += bytes;
}

static void give_back(Placer *p, uint32_t reg) {
  uint32_t bytes = bytes_of(p->d, reg);
  SR_PUSH(p->d->scratch, &p->free[bytes], emu_register(p->d, reg)->row);
}

typedef void Visit(Placer *p, uint32_t reg, uint32_t at);

static void visit_instruction(Placer *p, const EmuEmitted *e, uint32_t at, Visit *visit) {
  if (e->dropped)
    return;
  const uint32_t fields[] = {e->ins.d, e->ins.a, e->ins.b, e->ins.c};
  for (uint32_t i = 0; i < 4; i++)
    if (is_local(p->d, fields[i]))
      visit(p, fields[i], at);
  for (uint32_t i = 0; i < e->count; i++) {
    uint32_t reg = p->d->p->rows.at[e->ins.list + i];
    if (is_local(p->d, reg))
      visit(p, reg, at);
  }
}

static void visit_end(Placer *p, const EmuBlock *b, uint32_t at, Visit *visit) {
  if (is_local(p->d, b->row))
    visit(p, b->row, at);
  for (uint32_t i = b->edge; i < b->edge + b->edges; i++) {
    const EmuEdge *edge = &p->d->p->edges.at[i];
    for (uint32_t k = edge->move; k < edge->move + edge->moves; k++) {
      if (is_local(p->d, p->d->p->moves.at[k].d))
        visit(p, p->d->p->moves.at[k].d, at);
      if (is_local(p->d, p->d->p->moves.at[k].a))
        visit(p, p->d->p->moves.at[k].a, at);
    }
  }
}

static void note_use(Placer *p, uint32_t reg, uint32_t at) {
  p->last[reg] = at;
}

static void take_row(Placer *p, uint32_t reg, uint32_t at) {
  (void)at;
  take(p, reg);
}

/* Rows are freed after the instruction that uses them last, so that no instruction writes a row
 * that it reads. Handlers with several steps may depend on this. */
static void give_row(Placer *p, uint32_t reg, uint32_t at) {
  if (p->last[reg] != at)
    return;
  p->last[reg] = SR_NONE; /* the instruction may use it twice */
  give_back(p, reg);
}

static void place_block(Placer *p, uint32_t block) {
  EmuDecode *d = p->d;
  EmuRange code = d->block_code[block];
  const EmuBlock *b = &d->p->blocks.at[block];
  p->used = 0;
  for (uint32_t i = 0; i < 9; i++)
    p->free[i].count = 0;
  for (uint32_t i = 0; i < code.count; i++)
    visit_instruction(p, &d->emitted.at[code.first + i], i, note_use);
  visit_end(p, b, code.count, note_use);
  for (uint32_t i = 0; i < code.count; i++) {
    visit_instruction(p, &d->emitted.at[code.first + i], i, take_row);
    visit_instruction(p, &d->emitted.at[code.first + i], i, give_row);
  }
  visit_end(p, b, code.count, take_row);
  if (p->used > p->pool)
    p->pool = p->used;
}

/* ---- the streams ----------------------------------------------------------------------------- */

/* The steps of the block from number `next` on that begin at its instruction `at`, or before it,
 * begin here in a stream. Returns the number of the next one. */
static uint32_t put_steps(EmuDecode *d, const EmuBlock *b, uint32_t next, uint32_t at, bool full) {
  EmuProgram *p = d->p;
  const EmuStepRange of = p->steps_of ? p->steps_of[b - p->blocks.at] : (EmuStepRange){0, 0};
  for (; next < of.count && p->steps.at[of.first + next].at <= at; next++) {
    EmuStep *s = &p->steps.at[of.first + next];
    if (full)
      s->some = s->full = p->code.count - b->full;
    else
      s->some = p->code.count - b->some;
  }
  return next;
}

static void put_full(EmuDecode *d, EmuBlock *b, EmuRange code) {
  uint32_t step = 0;
  b->full = d->p->code.count;
  b->stop = d->p->stops.count;
  for (uint32_t i = code.first; i < code.first + code.count; i++) {
    const EmuEmitted *e = &d->emitted.at[i];
    step = put_steps(d, b, step, i - code.first, true);
    if (e->dropped)
      continue;
    if (e->ins.run)
      SR_PUSH(d->arena, &d->p->code, e->ins);
    else
      SR_PUSH(d->arena, &d->p->stops,
              (EmuStop){.full = d->p->code.count - b->full, .inst = e->ins.x});
  }
  put_steps(d, b, step, code.count, true);
  b->full_count = d->p->code.count - b->full;
  b->stops = d->p->stops.count - b->stop;
}

/* Does the block end with a branch on a comparison that is its last instruction? */
static bool ends_compared(const EmuDecode *d, const EmuBlock *b, EmuRange code) {
  uint32_t last = code.first + code.count;
  while (last > code.first && d->emitted.at[last - 1].dropped)
    last--;
  if (b->end != EMU_END_IF || last == code.first)
    return false;
  const EmuEmitted *e = &d->emitted.at[last - 1];
  return e->compares && e->ins.d == b->row;
}

static bool writes_kept(const EmuDecode *d, const EmuEmitted *e) {
  return !e->masked && !e->dropped && e->ins.d != EMU_NO_ROW && emu_register_is_kept(d, e->ins.d);
}

static void put_some(Placer *p, EmuBlock *b, EmuRange code) {
  EmuDecode *d = p->d;
  uint32_t stop = b->stop, step = 0;
  b->some = d->p->code.count;
  for (uint32_t i = code.first; i < code.first + code.count; i++) {
    const EmuEmitted *e = &d->emitted.at[i];
    EmuIns ins = e->ins;
    step = put_steps(d, b, step, i - code.first, false);
    if (e->dropped)
      continue;
    if (!ins.run) {
      d->p->stops.at[stop++].some = d->p->code.count - b->some;
      continue;
    }
    EmuHandler *on =
        writes_kept(d, e) && e->op ? d->isa->alu_on((SpvOp)e->op, (EmuKind)e->kind) : NULL;
    if (on) {
      ins.run = on;
    } else if (writes_kept(d, e)) {
      uint32_t bytes = bytes_of(d, ins.d), to = ins.d;
      EmuIns move = {.run = d->isa->move_on[bytes], .d = to, .b = EMU_NO_ROW, .c = EMU_NO_ROW};
      move.a = ins.run == d->isa->move[bytes] ? ins.a : p->spare[bytes];
      ins.d = p->spare[bytes];
      if (ins.run != d->isa->move[bytes])
        SR_PUSH(d->arena, &d->p->code, ins);
      ins = move;
    }
    SR_PUSH(d->arena, &d->p->code, ins);
  }
  put_steps(d, b, step, code.count, false);
  b->some_count = d->p->code.count - b->some;
}

static void put_streams(Placer *p, uint32_t block) {
  EmuDecode *d = p->d;
  EmuBlock *b = &d->p->blocks.at[block];
  EmuRange code = d->block_code[block];
  put_full(d, b, code);
  b->compared = ends_compared(d, b, code);
  bool same = true;
  for (uint32_t i = code.first; i < code.first + code.count; i++)
    same = same && !writes_kept(d, &d->emitted.at[i]);
  if (!same) {
    put_some(p, b, code);
    return;
  }
  b->some = b->full;
  b->some_count = b->full_count;
  for (uint32_t i = b->stop; i < b->stop + b->stops; i++)
    d->p->stops.at[i].some = d->p->stops.at[i].full;
}

/* ---- rows ------------------------------------------------------------------------------------ */

static void place_kept(Placer *p) {
  EmuDecode *d = p->d;
  for (uint32_t r = 0; r < d->registers.count; r++)
    if (emu_register(d, r)->use == EMU_REGISTER_SHARED) {
      emu_register(d, r)->row = (uint32_t)p->bytes;
      p->bytes += bytes_of(d, r);
    }
}

static void place_pool(Placer *p) {
  EmuDecode *d = p->d;
  for (uint32_t r = 0; r < d->registers.count; r++)
    if (emu_register(d, r)->use == EMU_REGISTER_LOCAL)
      emu_register(d, r)->row += (uint32_t)p->bytes;
  p->bytes += p->pool;
}

static void to_row(const EmuDecode *d, uint32_t *reg) {
  if (*reg != EMU_NO_ROW)
    *reg = emu_register(d, *reg)->row * d->p->width;
}

static void rows_of_program(EmuDecode *d) {
  EmuProgram *p = d->p;
  for (uint32_t i = 0; i < p->code.count; i++) {
    EmuIns *ins = &p->code.at[i];
    to_row(d, &ins->d), to_row(d, &ins->a), to_row(d, &ins->b), to_row(d, &ins->c);
  }
  for (uint32_t i = 0; i < p->rows.count; i++)
    to_row(d, &p->rows.at[i]);
  for (uint32_t i = 0; i < p->moves.count; i++)
    to_row(d, &p->moves.at[i].d), to_row(d, &p->moves.at[i].a);
  for (uint32_t i = 0; i < p->blocks.count; i++)
    to_row(d, &p->blocks.at[i].row);
  for (uint32_t i = 0; i < p->functions.count; i++)
    to_row(d, &p->functions.at[i].row);
  for (uint32_t i = 0; i < d->constant_list.count; i++) {
    const EmuConstant *c = &d->constant_list.at[i];
    EmuConstantRow row = {c->reg, c->kind, c->bits};
    to_row(d, &row.row);
    SR_PUSH(d->arena, &p->constants, row);
  }
}

bool emu_registers_place(EmuDecode *d) {
  static const EmuKind kinds[] = {EMU_U8, EMU_U16, EMU_U32, EMU_U64};
  Placer p = {.d = d, .bytes = d->fixed_bytes};
  for (uint32_t i = 0; i < 4; i++)
    p.spare[emu_kind_bytes(kinds[i])] = emu_register_new(d, kinds[i], EMU_REGISTER_SHARED);
  place_kept(&p);
  p.last = sr_new_none(d->scratch, d->registers.count);
  for (uint32_t b = 0; b < d->p->blocks.count; b++) {
    place_block(&p, b);
    put_streams(&p, b);
  }
  place_pool(&p);
  if (p.bytes * d->p->width > EMU_MAX_FILE)
    return emu_refuse(
        d, SR_NONE,
        "a subgroup's values take more than %u MB: make arrays or --subgroup-size smaller",
        EMU_MAX_FILE >> 20);
  d->p->file_bytes = (uint32_t)p.bytes * d->p->width;
  d->p->temporary =
      emu_register(d, p.spare[1])->row * d->p->width; /* the spare rows are the last */
  rows_of_program(d);
  return true;
}
