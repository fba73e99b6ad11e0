/* SPDX-License-Identifier: Apache-2.0 */
/* coalesce: drops moves that are not needed.
 *
 * Stores to variables and the phis of an edge are moves from the register in which a value was
 * computed to a register that is kept (registers.c). If the kept register is not used in between,
 * the value can be computed in it directly: the value's register is renamed, and the move is
 * dropped. For a move v <- s at index j, where s is used only in this block and computed by one
 * instruction at index i, the conditions are:
 *
 *   - nothing uses v after i and before j (i itself may read v: lanes are independent)
 *   - the last use of s is before the next write of v, by name or perhaps by address
 *   - v is not part of a variable that an instruction between i and j may access by an address
 *
 * Moves are visited from the last to the first, so that the next write of v is known. If the block
 * has only one edge, the moves of that edge count as its last instructions. */
#include "spv-emu/decode/decode.h"

#define SEVERAL (SR_NONE - 1) /* several definitions, or a masked one */

typedef struct Coalesce {
  EmuDecode *d;
  EmuEmitted *code;
  uint32_t count; /* instructions */
  EmuEdge *edge;  /* the only edge; NULL: there are several, or none */
  const EmuBlock *block;
  uint32_t masked;      /* 1 + index of the last masked instruction so far */
  uint32_t next_masked; /* the next masked instruction after the current move, or SR_NONE */
  /* by register; SR_NONE outside of coalesce_block */
  uint32_t *def, *last, *next_write, *rename;
  SR_VEC(uint32_t) before; /* by index of a move to v: 1 + where v was used before; 0: nowhere */
  SR_VEC(uint32_t) named;  /* registers of the block */
} Coalesce;

static void name(Coalesce *c, uint32_t reg, uint32_t at) {
  if (reg == EMU_NO_ROW)
    return;
  SR_PUSH(c->d->scratch, &c->named, reg);
  c->last[reg] = at;
}

static void define(Coalesce *c, uint32_t reg, uint32_t at, bool masked) {
  if (reg == EMU_NO_ROW)
    return;
  name(c, reg, at);
  c->def[reg] = c->def[reg] == SR_NONE && !masked ? at : SEVERAL;
}

/* May instructions access the register by an address? */
static bool is_reachable(const Coalesce *c, uint32_t reg) {
  return emu_register(c->d, reg)->use == EMU_REGISTER_FIXED;
}

/* 1 + the index of the last use of v, by name or perhaps by address, before a move to it; or 0. */
static uint32_t named_before(const Coalesce *c, uint32_t v) {
  uint32_t before = c->last[v] + 1; /* SR_NONE becomes 0 */
  return is_reachable(c, v) && c->masked > before ? c->masked : before;
}

/* May the instruction access registers by an address? */
static bool is_masked(const EmuEmitted *e) {
  return e->masked || !e->ins.run;
}

static void note_instruction(Coalesce *c, const EmuEmitted *e, uint32_t at) {
  /* Without a list there may be no rows at all. */
  const uint32_t *list = e->count ? &c->d->p->rows.at[e->ins.list] : NULL;
  name(c, e->ins.a, at);
  name(c, e->ins.b, at);
  name(c, e->ins.c, at);
  for (uint32_t i = e->written; i < e->count; i++)
    name(c, list[i], at);
  SR_PUSH(c->d->scratch, &c->before, e->ins.d == EMU_NO_ROW ? 0 : named_before(c, e->ins.d));
  for (uint32_t i = 0; i < e->written; i++)
    define(c, list[i], at, true);
  define(c, e->ins.d, at, e->masked);
  if (is_masked(e))
    c->masked = at + 1;
}

static void note_moves(Coalesce *c) {
  name(c, c->block->row, c->count);
  for (uint32_t i = c->block->edge; i < c->block->edge + c->block->edges; i++) {
    const EmuEdge *edge = &c->d->p->edges.at[i];
    for (uint32_t k = 0; k < edge->moves; k++) {
      const EmuMove *m = &c->d->p->moves.at[edge->move + k];
      name(c, m->a, c->count + k);
      if (c->edge)
        SR_PUSH(c->d->scratch, &c->before, named_before(c, m->d));
      define(c, m->d, c->count + k, false);
    }
  }
}

/* Renames s to v if that is allowed. True: the move is dropped. */
static bool try_move(Coalesce *c, uint32_t v, uint32_t s, uint32_t at) {
  const EmuDecode *d = c->d;
  if (!emu_register_is_kept(d, v) || emu_register_is_kept(d, s) || c->def[s] == SR_NONE ||
      c->def[s] == SEVERAL || c->rename[s] != SR_NONE || c->before.at[at] > c->def[s] + 1)
    return false;
  if (c->next_write[v] != SR_NONE && c->last[s] > c->next_write[v])
    return false;
  if (is_reachable(c, v) && c->next_masked != SR_NONE && c->last[s] >= c->next_masked)
    return false;
  c->rename[s] = v;
  c->next_write[v] = c->def[s];
  return true;
}

static bool is_move(const Coalesce *c, const EmuEmitted *e) {
  for (uint32_t bytes = 1; bytes <= 8; bytes *= 2)
    if (e->ins.run == c->d->isa->move[bytes] && e->ins.run)
      return true;
  return false;
}

static void drop_moves(Coalesce *c) {
  EmuMove *moves = c->d->p->moves.at;
  c->next_masked = SR_NONE;
  for (uint32_t k = c->edge ? c->edge->moves : 0; k-- > 0;) {
    EmuMove *m = &moves[c->edge->move + k];
    if (try_move(c, m->d, m->a, c->count + k))
      m->bytes = 0;
    else
      c->next_write[m->d] = c->count + k;
  }
  for (uint32_t i = c->count; i-- > 0;) {
    EmuEmitted *e = &c->code[i];
    if (!e->masked && is_move(c, e) && try_move(c, e->ins.d, e->ins.a, i))
      e->dropped = true;
    else if (e->ins.d != EMU_NO_ROW)
      c->next_write[e->ins.d] = i;
    if (is_masked(e))
      c->next_masked = i;
  }
}

/* ---- the new names --------------------------------------------------------------------------- */

static void rename_one(const Coalesce *c, uint32_t *reg) {
  if (*reg != EMU_NO_ROW && c->rename[*reg] != SR_NONE)
    *reg = c->rename[*reg];
}

static void rename_all(Coalesce *c) {
  EmuProgram *p = c->d->p;
  for (uint32_t i = 0; i < c->count; i++) {
    EmuEmitted *e = &c->code[i];
    rename_one(c, &e->ins.d), rename_one(c, &e->ins.a), rename_one(c, &e->ins.b);
    rename_one(c, &e->ins.c);
    for (uint32_t k = 0; k < e->count; k++)
      rename_one(c, &p->rows.at[e->ins.list + k]);
  }
  rename_one(c, &p->blocks.at[c->block - p->blocks.at].row);
  for (uint32_t i = c->block->edge; i < c->block->edge + c->block->edges; i++) {
    EmuEdge *edge = &p->edges.at[i];
    uint32_t kept = 0;
    for (uint32_t k = 0; k < edge->moves; k++) {
      EmuMove m = p->moves.at[edge->move + k];
      rename_one(c, &m.a);
      if (m.bytes)
        p->moves.at[edge->move + kept++] = m;
    }
    edge->moves = kept;
  }
}

static void forget(Coalesce *c) {
  for (uint32_t i = 0; i < c->named.count; i++) {
    uint32_t reg = c->named.at[i];
    c->def[reg] = c->last[reg] = c->next_write[reg] = c->rename[reg] = SR_NONE;
  }
  c->named.count = c->before.count = 0;
  c->masked = 0;
}

static void coalesce_block(Coalesce *c, uint32_t block) {
  EmuDecode *d = c->d;
  EmuRange range = d->block_code[block];
  c->block = &d->p->blocks.at[block];
  c->code = range.count ? &d->emitted.at[range.first] : NULL;
  c->count = range.count;
  c->edge = c->block->edges == 1 ? &d->p->edges.at[c->block->edge] : NULL;
  for (uint32_t i = 0; i < c->count; i++)
    note_instruction(c, &c->code[i], i);
  note_moves(c);
  drop_moves(c);
  rename_all(c);
  forget(c);
}

void emu_coalesce(EmuDecode *d) {
  Coalesce c = {.d = d};
  c.def = sr_new_none(d->scratch, d->registers.count);
  c.last = sr_new_none(d->scratch, d->registers.count);
  c.next_write = sr_new_none(d->scratch, d->registers.count);
  c.rename = sr_new_none(d->scratch, d->registers.count);
  for (uint32_t b = 0; b < d->p->blocks.count; b++)
    coalesce_block(&c, b);
}
