/* SPDX-License-Identifier: Apache-2.0 */
/* check_live: see check_live.h. A fact about a value holds wherever the chain leads: an instruction
 * that computes the value again dominates every test of the value, so it does not lie between two
 * tests. */
#include "passes/check/check_live.h"
#include "passes/walk/walk_compute.h"

enum {
  MOST_NUMBERS = 16, /* limit on the constants of a condition; if it may have more, all its edges
                        are live */
  MOST_SOURCES = 64  /* the same limit for the phis, selects and constants from which a condition
                        may come */
};

/* On the current chain the value of `id` is `number`. */
typedef struct Fact {
  uint32_t id;
  uint64_t number;
} Fact;

/* A chain that continues along an edge. */
typedef struct Chain {
  uint32_t edge, facts; /* facts: how many are known before the edge */
} Chain;

typedef struct Search {
  SrArena *arena;
  const SrWalkCode *code;
  uint32_t folds_from;
  uint32_t *at; /* by id: its index among the facts, or SR_NONE */
  SR_VEC(Fact) fact;
  SR_VEC(Chain) chain;
  uint32_t *in; /* by block: the number of edges into it */
  SrCheckLive *live;
} Search;

/* ---- facts ---- */

static void note(Search *s, uint32_t id, uint64_t number) {
  if (s->at[id] != SR_NONE)
    return;
  s->at[id] = s->fact.count;
  SR_PUSH(s->arena, &s->fact, (Fact){id, number});
}

static void forget(Search *s, uint32_t count) {
  while (s->fact.count > count)
    s->at[SR_POP(&s->fact).id] = SR_NONE;
}

/* Records what the lane's choice of the edge says about the condition. The default of a switch says
 * nothing. */
static void note_choice(Search *s, uint32_t edge) {
  const SrWalkBlock *b = &s->code->block.at[s->code->edge.at[edge].from];
  if (b->end == SR_WALK_BRANCH)
    note(s, b->choice, edge == b->edge);
  else if (b->end == SR_WALK_SWITCH && edge != b->edge)
    note(s, b->choice, s->code->edge.at[edge].literal);
}

/* ---- the number of an id after an edge ---- */

static bool is_constant(const SrWalkCode *code, uint32_t id, uint64_t *number) {
  const SrModule *m = code->c->m;
  switch (sr_def_op(m, id)) {
  case SpvOpConstant:
  case SpvOpConstantTrue:
  case SpvOpConstantFalse:
  case SpvOpConstantNull:
    *number = code->c->value[id].a;
    return sr_walk_width(m, sr_walk_type_of(m, id)) != 0;
  default:
    return false;
  }
}

/* The instruction of the function that computes the id, or NULL. */
static const SrWalkInst *inst_of(const SrWalkCode *code, uint32_t id) {
  uint32_t i = code->inst_of[id];
  bool here = i != SR_NONE && i < code->inst.count && code->inst.at[i].result == id;
  return here ? &code->inst.at[i] : NULL;
}

/* How a lane enters a block: by an edge, or, where the function begins, by SR_NONE. */
typedef struct Entry {
  uint32_t edge, block;
} Entry;

static Entry entry_by(const SrWalkCode *code, uint32_t edge) {
  return (Entry){edge, code->edge.at[edge].to};
}

/* A phi of the block is its operand for the edge: sets *id, and returns whether there is one. */
static bool through_phi(const SrWalkCode *code, Entry entry, uint32_t *id) {
  const SrWalkBlock *b = &code->block.at[entry.block];
  if (entry.edge == SR_NONE)
    return false;
  const SrWalkEdge *e = &code->edge.at[entry.edge];
  for (uint32_t k = 0; k < b->phi_count; k++)
    if (code->phi.at[b->phi + k] == *id) {
      *id = e->row == SR_NONE ? 0 : code->operand.at[e->row + k];
      return true;
    }
  return false;
}

static bool is_computed_in(const SrWalkCode *code, uint32_t block, uint32_t id) {
  const SrWalkBlock *b = &code->block.at[block];
  const SrWalkInst *in = inst_of(code, id);
  return in && in >= &code->inst.at[b->inst] && in < &code->inst.at[b->inst] + b->inst_count;
}

/* Is the id a comparison of constants? Walks draw all others: facts about their operands do not
 * count. */
static bool is_folded(const Search *s, Entry entry, uint32_t id, uint64_t *number) {
  const SrWalkInst *in = inst_of(s->code, id);
  uint64_t x[2];
  if (!in || in->result < s->folds_from || in->kind < SR_WALK_EQUAL || in->count != 2 ||
      in->from_width < 2)
    return false;
  for (uint32_t k = 0; k < 2; k++) {
    uint32_t operand = s->code->operand.at[in->operand + k];
    through_phi(s->code, entry, &operand);
    if (!is_constant(s->code, operand, &x[k]))
      return false;
  }
  *number = sr_walk_compare(in->kind, x[0], x[1], in->from_width);
  return true;
}

static bool is_known(const Search *s, Entry entry, uint32_t id, uint64_t *number) {
  if (is_folded(s, entry, id, number))
    return true;
  if (!through_phi(s->code, entry, &id) && is_computed_in(s->code, entry.block, id))
    return false;
  if (is_constant(s->code, id, number))
    return true;
  if (s->at[id] == SR_NONE)
    return false;
  *number = s->fact.at[s->at[id]].number;
  return true;
}

static uint32_t edge_for(const SrWalkCode *code, const SrWalkBlock *b, uint64_t number) {
  return b->end == SR_WALK_BRANCH ? b->edge + (number ? 0 : 1) : sr_walk_case(code, b, number);
}

/* The edge by which the lane leaves the block, if that is certain. */
static uint32_t next_of(const Search *s, Entry entry) {
  const SrWalkBlock *b = &s->code->block.at[entry.block];
  uint64_t number;
  if ((b->end != SR_WALK_BRANCH && b->end != SR_WALK_SWITCH) ||
      !is_known(s, entry, b->choice, &number))
    return SR_NONE;
  return edge_for(s->code, b, number);
}

/* ---- chains ---- */

/* Finds what follows each edge out of the block, and lets the chain continue where that is the only
 * edge into its target. */
static void leave(Search *s, uint32_t block) {
  const SrWalkBlock *b = &s->code->block.at[block];
  uint32_t facts = s->fact.count;
  for (uint32_t e = b->edge; e < b->edge + b->edge_count; e++) {
    note_choice(s, e);
    s->live->next[e] = next_of(s, entry_by(s->code, e));
    forget(s, facts);
    if (s->in[s->code->edge.at[e].to] == 1)
      SR_PUSH(s->arena, &s->chain, (Chain){.edge = e, .facts = facts});
  }
}

/* Follows all chains that begin at a block, depth first. */
static void follow(Search *s, uint32_t root) {
  leave(s, root);
  while (s->chain.count) {
    Chain c = SR_POP(&s->chain);
    forget(s, c.facts);
    note_choice(s, c.edge);
    leave(s, s->code->edge.at[c.edge].to);
  }
  forget(s, 0);
}

/* ---- conditions that are one of a few constants ---- */

/* The constants that an id may be, whichever phis and selects they come through. */
typedef struct Numbers {
  SrArena *arena;
  uint32_t *met; /* by id: not SR_NONE if it is among the sources */
  SR_VEC(uint32_t) source;
  uint32_t count;
  uint64_t at[MOST_NUMBERS];
} Numbers;

static bool add_number(Numbers *n, uint64_t number) {
  for (uint32_t i = 0; i < n->count; i++)
    if (n->at[i] == number)
      return true;
  if (n->count == MOST_NUMBERS)
    return false;
  n->at[n->count++] = number;
  return true;
}

static void add_source(Numbers *n, uint32_t id) {
  if (n->met[id] != SR_NONE)
    return;
  n->met[id] = 0;
  SR_PUSH(n->arena, &n->source, id);
}

/* Adds the operands among which the id is chosen; false if the id is computed. */
static bool add_sources(Numbers *n, const SrModule *m, uint32_t id) {
  SrRef r = sr_def(m, id);
  const uint32_t *w = r == SR_NONE ? NULL : sr_words(m, r);
  switch (sr_def_op(m, id)) {
  case SpvOpPhi:
    for (uint32_t i = 3; i + 1 < w[0] >> 16 && n->source.count < MOST_SOURCES; i += 2)
      add_source(n, w[i]);
    return true;
  case SpvOpSelect:
    /* If the condition is a number, which is not valid, the walk does not select by it. */
    if (sr_walk_width(m, sr_walk_type_of(m, w[3])) != 1)
      return false;
    add_source(n, w[4]);
    add_source(n, w[5]);
    return true;
  case SpvOpCopyObject:
    add_source(n, w[3]);
    return true;
  default:
    return false;
  }
}

/* Finds the constants that the id may be; false: it may be any number. */
static bool find_numbers(Numbers *n, const SrWalkCode *code, uint32_t id) {
  bool known = true;
  n->count = n->source.count = 0;
  add_source(n, id);
  for (uint32_t i = 0; i < n->source.count && known; i++) {
    uint64_t number;
    known = is_constant(code, n->source.at[i], &number)
                ? add_number(n, number)
                : add_sources(n, code->c->m, n->source.at[i]);
    known = known && n->source.count < MOST_SOURCES;
  }
  for (uint32_t i = 0; i < n->source.count; i++)
    n->met[n->source.at[i]] = SR_NONE;
  return known;
}

/* ---- live edges ---- */

typedef struct Reach {
  uint8_t *left;  /* by block: all its edges are live */
  uint32_t *work; /* live edges */
  uint32_t count;
  uint8_t *live;
  Numbers numbers;
} Reach;

static void reach(Reach *r, uint32_t edge) {
  if (r->live[edge])
    return;
  r->live[edge] = 1;
  r->work[r->count++] = edge;
}

/* Marks the edges by which a lane may leave the block: those for which its condition has a
 * value. */
static void reach_all(Reach *r, const SrWalkCode *code, const SrWalkBlock *b) {
  bool chooses = b->end == SR_WALK_BRANCH || b->end == SR_WALK_SWITCH;
  if (chooses && find_numbers(&r->numbers, code, b->choice))
    for (uint32_t i = 0; i < r->numbers.count; i++)
      reach(r, edge_for(code, b, r->numbers.at[i]));
  else
    for (uint32_t e = b->edge; e < b->edge + b->edge_count; e++)
      reach(r, e);
}

/* Marks edge `next`, by which a lane leaves the block; SR_NONE: any edge may be taken. */
static void reach_from(Reach *r, const SrWalkCode *code, uint32_t block, uint32_t next) {
  const SrWalkBlock *b = &code->block.at[block];
  if (next != SR_NONE) {
    reach(r, next);
  } else if (!r->left[block]) {
    r->left[block] = 1;
    reach_all(r, code, b);
  }
}

/* Finds the live edges. Lanes leave the first block by edge `first`; SR_NONE: by any. */
static void find_live(SrArena *arena, const SrWalkCode *code, uint32_t first, uint32_t *fact,
                      const SrCheckLive *live) {
  Reach r = {.left = SR_NEW(arena, uint8_t, code->block.count),
             .work = SR_NEW(arena, uint32_t, code->edge.count),
             .live = live->live,
             .numbers = {.arena = arena, .met = fact}};
  reach_from(&r, code, 0, first);
  while (r.count) {
    uint32_t e = r.work[--r.count];
    reach_from(&r, code, code->edge.at[e].to, live->next[e]);
  }
}

void sr_check_live(SrArena *arena, const SrWalkCode *code, uint32_t folds_from, uint32_t *fact,
                   SrCheckLive *live) {
  Search s = {.arena = arena,
              .code = code,
              .folds_from = folds_from,
              .at = fact,
              .in = SR_NEW(arena, uint32_t, code->block.count),
              .live = live};
  *live = (SrCheckLive){.live = SR_NEW(arena, uint8_t, code->edge.count),
                        .next = sr_new_none(arena, code->edge.count)};
  for (uint32_t e = 0; e < code->edge.count; e++)
    s.in[code->edge.at[e].to]++;
  for (uint32_t b = 0; b < code->block.count; b++)
    if (s.in[b] != 1)
      follow(&s, b);
  find_live(arena, code, next_of(&s, (Entry){SR_NONE, 0}), fact, live);
}
