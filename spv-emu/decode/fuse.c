/* SPDX-License-Identifier: Apache-2.0 */
/* fuse: replaces two or three instructions by one handler (alu_fused.c).
 *
 * If a result is read only once, by an instruction soon after, it need not be stored: one handler
 * executes both instructions, from the operands of the first and the other operand of the second.
 * For a result t of the instruction at index i, read at index j of the same block, the conditions
 * are:
 *
 *   - t is written once and read once, and is not live out of the block
 *   - the instructions between i and j only compute, and do not write the operands of i
 *
 * So a sum of two products becomes one handler, too. Each instruction is fused at most once. Issues
 * are counted in SPIR-V instructions, so they do not change. */
#include "spv-emu/decode/decode.h"

enum { FUSE_REACH = 8 }; /* maximum number of instructions between the two */

typedef struct Fuse {
  EmuDecode *d;
  EmuEmitted *code; /* of the block */
  uint32_t count;
  uint32_t *reads, *writes; /* by register: number of reads and writes in the block; 0 outside of
                               fuse_block */
  SR_VEC(uint32_t) named;   /* registers whose counts are to be cleared */
} Fuse;

static void note(Fuse *f, uint32_t *counts, uint32_t reg) {
  if (reg == EMU_NO_ROW)
    return;
  SR_PUSH(f->d->scratch, &f->named, reg);
  counts[reg]++;
}

static void note_instruction(Fuse *f, const EmuEmitted *e) {
  /* Without a list there may be no rows at all. */
  const uint32_t *list = e->count ? &f->d->p->rows.at[e->ins.list] : NULL;
  if (e->dropped)
    return;
  note(f, f->reads, e->ins.a), note(f, f->reads, e->ins.b), note(f, f->reads, e->ins.c);
  for (uint32_t k = 0; k < e->count; k++)
    note(f, k < e->written ? f->writes : f->reads, list[k]);
  note(f, f->writes, e->ins.d);
}

static void note_end(Fuse *f, const EmuBlock *b) {
  const EmuProgram *p = f->d->p;
  note(f, f->reads, b->row);
  for (uint32_t i = b->edge; i < b->edge + b->edges; i++)
    for (uint32_t k = 0; k < p->edges.at[i].moves; k++) {
      const EmuMove *m = &p->moves.at[p->edges.at[i].move + k];
      note(f, f->reads, m->a);
      note(f, f->writes, m->d);
    }
}

static bool only_read_here(const Fuse *f, uint32_t reg) {
  return reg != EMU_NO_ROW && !emu_register_is_kept(f->d, reg) && f->reads[reg] == 1 &&
         f->writes[reg] == 1;
}

/* The instruction that computes `reg` and may be moved to `at`; NULL: none. */
static EmuEmitted *find_first(const Fuse *f, uint32_t reg, uint32_t at) {
  uint32_t written[FUSE_REACH + 1], count = 0;
  for (uint32_t i = at; i-- > 0;) {
    EmuEmitted *e = &f->code[i];
    if (e->dropped)
      continue;
    if (e->masked || !e->ins.run || count > FUSE_REACH)
      return NULL;
    if (e->ins.d != reg) {
      written[count++] = e->ins.d;
      continue;
    }
    for (uint32_t k = 0; k < count; k++)
      if (written[k] == e->ins.a || written[k] == e->ins.b)
        return NULL;
    return e->op ? e : NULL;
  }
  return NULL;
}

/* The instruction that computes operand `reg` of the instruction at `at` and may be fused into the
 * latter; NULL: none. */
static EmuEmitted *first_for(const Fuse *f, uint32_t at, uint32_t reg) {
  const EmuEmitted *second = &f->code[at];
  EmuEmitted *first = only_read_here(f, reg) ? find_first(f, reg, at) : NULL;
  return first && first->kind == second->kind ? first : NULL;
}

static bool fuse_products(Fuse *f, uint32_t at) {
  EmuEmitted *sum = &f->code[at], *left = first_for(f, at, sum->ins.a),
             *right = left ? first_for(f, at, sum->ins.b) : NULL;
  if (!right || left->op != right->op)
    return false;
  EmuHandler *run = f->d->isa->products((SpvOp)left->op, (SpvOp)sum->op, (EmuKind)sum->kind);
  if (!run)
    return false;
  sum->ins = (EmuIns){.run = run,
                      .d = sum->ins.d,
                      .a = left->ins.a,
                      .b = left->ins.b,
                      .c = right->ins.a,
                      .list = f->d->p->rows.count};
  SR_PUSH(f->d->arena, &f->d->p->rows, right->ins.b);
  sum->count = 1;
  sum->op = SpvOpNop;
  left->dropped = right->dropped = true;
  return true;
}

static bool fuse_pair(Fuse *f, uint32_t at, bool right) {
  EmuEmitted *second = &f->code[at];
  EmuEmitted *first = first_for(f, at, right ? second->ins.b : second->ins.a);
  EmuHandler *run =
      first ? f->d->isa->pair((SpvOp)first->op, (SpvOp)second->op, (EmuKind)second->kind, right)
            : NULL;
  if (!run)
    return false;
  second->ins.run = run;
  second->ins.c = right ? second->ins.a : second->ins.b;
  second->ins.a = first->ins.a;
  second->ins.b = first->ins.b;
  second->op = SpvOpNop;
  first->dropped = true;
  return true;
}

static void forget(Fuse *f) {
  for (uint32_t i = 0; i < f->named.count; i++)
    f->reads[f->named.at[i]] = f->writes[f->named.at[i]] = 0;
  f->named.count = 0;
}

static void fuse_block(Fuse *f, uint32_t block) {
  EmuRange range = f->d->block_code[block];
  f->code = range.count ? &f->d->emitted.at[range.first] : NULL;
  f->count = range.count;
  for (uint32_t i = 0; i < f->count; i++)
    note_instruction(f, &f->code[i]);
  note_end(f, &f->d->p->blocks.at[block]);
  for (uint32_t i = 0; i < f->count; i++)
    if (f->code[i].op && !f->code[i].dropped && !fuse_products(f, i) && !fuse_pair(f, i, false))
      fuse_pair(f, i, true);
  forget(f);
}

void emu_fuse(EmuDecode *d) {
  Fuse f = {.d = d};
  f.reads = SR_NEW(d->scratch, uint32_t, d->registers.count);
  f.writes = SR_NEW(d->scratch, uint32_t, d->registers.count);
  for (uint32_t b = 0; b < d->p->blocks.count; b++)
    fuse_block(&f, b);
}
