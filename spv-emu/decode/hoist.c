/* SPDX-License-Identifier: Apache-2.0 */
/* hoist: executes moves of an edge one block earlier.
 *
 * Compilers end a loop in a separate block, the continue target. It increments the counter and
 * branches back, and the moves to the header's phis follow it. If that block B has one predecessor
 * P, and P has no other successor, a move v <- s of B's only edge can be done on the edge from P
 * instead, and coalesce.c may then drop it. The conditions are:
 *
 *   - B's instructions do not read or write v, and do not write s
 *   - earlier moves of the edge that stay do not read v and do not write v or s
 *
 * Every lane in B has come from P and continues to the target of the edge, so divergence makes no
 * difference. Blocks are visited from the last to the first, so a move may be hoisted through
 * several. */
#include "spv-emu/decode/decode.h"

typedef struct Hoist {
  EmuDecode *d;
  uint32_t *pred;                /* by block: its only predecessor, or SR_NONE */
  uint32_t *read, *written;      /* by register: 1 + the last block that was seen to read or write
                                    it */
  SR_VEC(EmuMove) risen, stayed; /* moves of the current edge: hoisted, not hoisted */
  SR_VEC(uint32_t) sources;      /* registers that hoisted moves read */
  uint32_t room;                 /* room for moves; when it is used up, no more moves are hoisted */
} Hoist;

/* ---- which blocks ---------------------------------------------------------------------------- */

static void note_pred(Hoist *h, uint32_t *edges, uint32_t from, uint32_t to) {
  if (to == SR_NONE)
    return;
  h->pred[to] = from;
  edges[to]++;
}

static void find_preds(Hoist *h) {
  const EmuProgram *p = h->d->p;
  uint32_t *edges = SR_NEW(h->d->scratch, uint32_t, p->blocks.count);
  for (uint32_t i = 0; i < p->blocks.count; i++) {
    const EmuBlock *b = &p->blocks.at[i];
    for (uint32_t k = b->edge; k < b->edge + b->edges; k++)
      note_pred(h, edges, i, p->edges.at[k].to);
    note_pred(h, edges, SR_NONE, b->next);
  }
  for (uint32_t i = 0; i < p->functions.count; i++)
    note_pred(h, edges, SR_NONE, p->functions.at[i].first);
  for (uint32_t i = 0; i < p->blocks.count; i++)
    if (edges[i] != 1)
      h->pred[i] = SR_NONE;
}

static bool goes_on(const EmuBlock *b) {
  return b->end == EMU_END_BRANCH && b->edges == 1;
}

/* ---- which moves ----------------------------------------------------------------------------- */

static void note(uint32_t *table, uint32_t reg, uint32_t block) {
  if (reg != EMU_NO_ROW)
    table[reg] = block + 1;
}

static void note_block(Hoist *h, uint32_t block) {
  EmuRange code = h->d->block_code[block];
  for (uint32_t i = code.first; i < code.first + code.count; i++) {
    const EmuEmitted *e = &h->d->emitted.at[i];
    const uint32_t *list = &h->d->p->rows.at[e->ins.list];
    note(h->read, e->ins.a, block), note(h->read, e->ins.b, block);
    note(h->read, e->ins.c, block), note(h->written, e->ins.d, block);
    for (uint32_t k = 0; k < e->count; k++)
      note(k < e->written ? h->written : h->read, list[k], block);
  }
}

static bool may_rise(const Hoist *h, const EmuMove *m, uint32_t block) {
  const EmuRegister *to = emu_register(h->d, m->d), *from = emu_register(h->d, m->a);
  return to->use == EMU_REGISTER_SHARED && from->use == EMU_REGISTER_SHARED &&
         h->read[m->d] != block + 1 && h->written[m->d] != block + 1 &&
         h->written[m->a] != block + 1;
}

/* Separates the moves of an edge; for later moves, those that stay count as instructions of B. */
static void part_moves(Hoist *h, const EmuEdge *edge, uint32_t block) {
  h->risen.count = h->stayed.count = 0;
  for (uint32_t k = edge->move; k < edge->move + edge->moves; k++) {
    EmuMove m = h->d->p->moves.at[k];
    if (may_rise(h, &m, block)) {
      SR_PUSH(h->d->scratch, &h->risen, m);
      SR_PUSH(h->d->scratch, &h->sources, m.a);
      continue;
    }
    SR_PUSH(h->d->scratch, &h->stayed, m);
    note(h->read, m.a, block);
    note(h->written, m.d, block);
  }
}

static void raise_moves(Hoist *h, uint32_t block) {
  EmuProgram *p = h->d->p;
  EmuEdge *edge = &p->edges.at[p->blocks.at[block].edge];
  EmuEdge *above = &p->edges.at[p->blocks.at[h->pred[block]].edge];
  if (p->moves.count + above->moves + edge->moves > h->room)
    return;
  note_block(h, block);
  part_moves(h, edge, block);
  if (!h->risen.count)
    return;
  for (uint32_t k = 0; k < h->stayed.count; k++)
    p->moves.at[edge->move + k] = h->stayed.at[k];
  edge->moves = h->stayed.count;
  uint32_t first = p->moves.count;
  for (uint32_t k = 0; k < above->moves; k++)
    SR_PUSH(h->d->arena, &p->moves, p->moves.at[above->move + k]);
  for (uint32_t k = 0; k < h->risen.count; k++)
    SR_PUSH(h->d->arena, &p->moves, h->risen.at[k]);
  above->move = first;
  above->moves += h->risen.count;
}

/* ---- what is local now ----------------------------------------------------------------------- */

/* Values that were live between blocks only because of moves are now used in one block. Sets
 * `block` of their registers to that block, and of other registers to SR_NONE. */
static void place_source(Hoist *h, const uint32_t *source, uint32_t reg, uint32_t block) {
  if (reg == EMU_NO_ROW || !source[reg])
    return;
  EmuRegister *r = emu_register(h->d, reg);
  if (h->read[reg] == 0)
    r->block = block;
  else if (r->block != block)
    r->block = SR_NONE;
  h->read[reg] = 1;
}

static void place_block(Hoist *h, const uint32_t *source, uint32_t block) {
  const EmuProgram *p = h->d->p;
  const EmuBlock *b = &p->blocks.at[block];
  EmuRange code = h->d->block_code[block];
  for (uint32_t i = code.first; i < code.first + code.count; i++) {
    const EmuEmitted *e = &h->d->emitted.at[i];
    const uint32_t named[] = {e->ins.d, e->ins.a, e->ins.b, e->ins.c};
    for (uint32_t k = 0; k < 4; k++)
      place_source(h, source, named[k], block);
    for (uint32_t k = 0; k < e->count; k++)
      place_source(h, source, p->rows.at[e->ins.list + k], block);
  }
  place_source(h, source, b->row, block);
  for (uint32_t i = b->edge; i < b->edge + b->edges; i++)
    for (uint32_t k = 0; k < p->edges.at[i].moves; k++) {
      place_source(h, source, p->moves.at[p->edges.at[i].move + k].d, block);
      place_source(h, source, p->moves.at[p->edges.at[i].move + k].a, block);
    }
}

static void place_sources(Hoist *h) {
  EmuDecode *d = h->d;
  uint32_t *source = SR_NEW(d->scratch, uint32_t, d->registers.count);
  for (uint32_t i = 0; i < h->sources.count; i++)
    source[h->sources.at[i]] = emu_register(d, h->sources.at[i])->value;
  memset(h->read, 0, d->registers.count * sizeof *h->read);
  for (uint32_t b = 0; b < d->p->blocks.count; b++)
    place_block(h, source, b);
  for (uint32_t r = 0; r < d->registers.count; r++)
    if (source[r] && emu_register(d, r)->block != SR_NONE)
      emu_register(d, r)->use = EMU_REGISTER_LOCAL;
}

void emu_hoist(EmuDecode *d) {
  Hoist h = {.d = d, .room = 4 * d->p->moves.count};
  h.pred = sr_new_none(d->scratch, d->p->blocks.count);
  h.read = SR_NEW(d->scratch, uint32_t, d->registers.count);
  h.written = SR_NEW(d->scratch, uint32_t, d->registers.count);
  find_preds(&h);
  for (uint32_t b = d->p->blocks.count; b-- > 0;)
    if (h.pred[b] != SR_NONE && goes_on(&d->p->blocks.at[b]) &&
        goes_on(&d->p->blocks.at[h.pred[b]]))
      raise_moves(&h, b);
  if (h.sources.count)
    place_sources(&h);
}
