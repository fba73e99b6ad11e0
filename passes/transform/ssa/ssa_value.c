/* SPDX-License-Identifier: Apache-2.0 */
/* ssa_value: see ssa_value.h.  */
#include "passes/transform/ssa/ssa_value.h"

#include "passes/base/sort.h"
#include "passes/ir/constants.h"
#include "passes/ir/edit.h"

#include <assert.h>

static const uint32_t AT = 0x40000000u; /* as SR_VALUE_AT */

bool sr_ssa_reaches_end(const SrSsa *s, uint32_t id, uint32_t b) {
  uint32_t home = s->m->home[id];
  return home == SR_NONE || home == b || sr_dominates(s->dom, home, b);
}

void sr_ssa_init(SrSsa *s) {
  uint32_t edges = s->graph->pred_at[s->graph->count];
  s->edge_epoch = SR_NEW(s->arena, uint32_t, edges);
  s->edge_value = SR_NEW_RAW(s->arena, uint32_t, edges);
  s->stamp = SR_NEW(s->arena, uint32_t, s->graph->count);
  s->value = SR_NEW_RAW(s->arena, uint32_t, s->graph->count);
}

void sr_ssa_begin(SrSsa *s) {
  s->epoch++;
}

void sr_ssa_set(SrSsa *s, uint32_t edge, uint32_t value) {
  s->edge_epoch[edge] = s->epoch;
  s->edge_value[edge] = value;
}

bool sr_ssa_is_set(const SrSsa *s, uint32_t edge) {
  return s->edge_epoch[edge] == s->epoch;
}

static uint32_t edge_value(const SrSsa *s, uint32_t edge) {
  return sr_ssa_is_set(s, edge) ? s->edge_value[edge] : (uint32_t)SR_VALUE_UNDEF;
}

/* Does the value on an edge (not a phi yet) refer to the value at the start of a block? */
static bool is_at(uint32_t v) {
  return v & AT;
}

static bool in_region(const SrSsa *s, uint32_t b) {
  return s->stamp[b] == s->epoch;
}

static void add_to_region(SrSsa *s, uint32_t b) {
  if (in_region(s, b))
    return;
  s->stamp[b] = s->epoch;
  s->value[b] = SR_NONE;
  SR_PUSH(s->arena, &s->region, b);
}

static int ascending(const void *a, const void *b) {
  uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
  return (x > y) - (x < y);
}

/* Collects the blocks whose value at the start is needed, directly or by an edge. */
static void collect_region(SrSsa *s, const uint32_t *wanted, uint32_t count) {
  s->region.count = 0;
  for (uint32_t i = 0; i < count; i++)
    add_to_region(s, wanted[i]);
  for (uint32_t i = 0; i < s->region.count; i++) {
    uint32_t b = s->region.at[i];
    for (uint32_t e = s->graph->pred_at[b]; e < s->graph->pred_at[b + 1]; e++)
      if (is_at(edge_value(s, e)))
        add_to_region(s, edge_value(s, e) & ~AT);
  }
  sr_sort(s->arena, s->region.at, s->region.count, sizeof *s->region.at, ascending);
}

/* Follows phis that turned out to be another value. */
uint32_t sr_ssa_resolve(SrSsa *s, uint32_t v) {
  while (v & SR_VALUE_PHI && v != SR_NONE && s->phi.at[v & ~SR_VALUE_PHI].same_as != SR_NONE) {
    SrPhi *p = &s->phi.at[v & ~SR_VALUE_PHI];
    uint32_t up = p->same_as;
    if (up & SR_VALUE_PHI && up != SR_NONE && s->phi.at[up & ~SR_VALUE_PHI].same_as != SR_NONE)
      p->same_as = s->phi.at[up & ~SR_VALUE_PHI].same_as;
    v = up;
  }
  return v;
}

/* Is the value available at the start of block b on every path? */
static bool reaches(const SrSsa *s, uint32_t v, uint32_t b) {
  uint32_t home = (v & SR_VALUE_PHI) ? s->phi.at[v & ~SR_VALUE_PHI].block : s->m->home[v];
  return home == SR_NONE || (home != b && sr_dominates(s->dom, home, b));
}

static uint32_t value_on(const SrSsa *s, uint32_t edge) {
  uint32_t v = edge_value(s, edge);
  return is_at(v) ? s->value[v & ~AT] : v;
}

static uint32_t new_phi(SrSsa *s, uint32_t b) {
  SrPhi p = {.block = b, .operand = s->operand.count, .same_as = SR_NONE};
  for (uint32_t n = sr_pred_count(s->graph, b); n; n--)
    SR_PUSH(s->arena, &s->operand, SR_NONE);
  SR_PUSH(s->arena, &s->phi, p);
  return SR_VALUE_PHI | (s->phi.count - 1);
}

/* Values that meet in a block. */
typedef struct Meet {
  uint32_t found; /* SR_VALUE_UNDEF: only undefined ones so far */
  bool some_undef;
} Meet;

/* Returns whether there is still at most one value. */
static bool meet(Meet *m, uint32_t v) {
  if (v == SR_VALUE_UNDEF)
    m->some_undef = true;
  else if (m->found == SR_VALUE_UNDEF)
    m->found = v;
  return v == SR_VALUE_UNDEF || m->found == v;
}

/* The only value, if it is available at block b on every path; otherwise SR_NONE. */
static uint32_t met(const SrSsa *s, const Meet *m, uint32_t b) {
  return m->found != SR_VALUE_UNDEF && m->some_undef && !reaches(s, m->found, b) ? SR_NONE
                                                                                 : m->found;
}

/* The one value that all predecessors agree on, or SR_NONE. Unknown ones (back edges) disagree. */
static uint32_t agreed_value(const SrSsa *s, uint32_t b) {
  Meet m = {SR_VALUE_UNDEF, false};
  for (uint32_t e = s->graph->pred_at[b]; e < s->graph->pred_at[b + 1]; e++) {
    uint32_t v = value_on(s, e);
    if (v == SR_NONE || !meet(&m, v))
      return SR_NONE;
  }
  return met(s, &m, b);
}

static void fill_operands(SrSsa *s) {
  for (uint32_t i = 0; i < s->phi.count; i++) {
    uint32_t at = s->phi.at[i].operand, b = s->phi.at[i].block;
    for (uint32_t e = s->graph->pred_at[b]; e < s->graph->pred_at[b + 1]; e++)
      s->operand.at[at++] = value_on(s, e);
  }
}

/* The value that phi i equals: all operands are that value, itself, or undefined; or SR_NONE. */
static uint32_t trivial_value(SrSsa *s, uint32_t i) {
  const SrPhi p = s->phi.at[i];
  Meet m = {SR_VALUE_UNDEF, false};
  for (uint32_t n = sr_pred_count(s->graph, p.block), k = 0; k < n; k++) {
    uint32_t v = sr_ssa_resolve(s, s->operand.at[p.operand + k]);
    s->operand.at[p.operand + k] = v;
    if (v != (SR_VALUE_PHI | i) && !meet(&m, v))
      return SR_NONE;
  }
  return met(s, &m, p.block);
}

/* Each round but the last removes a phi; inner loops come first, so one round is usual. */
static void drop_trivial(SrSsa *s) {
  for (bool changed = true; changed;) {
    changed = false;
    for (uint32_t i = s->phi.count; i-- > 0;) {
      if (s->phi.at[i].same_as != SR_NONE)
        continue;
      uint32_t v = trivial_value(s, i);
      if (v != SR_NONE) {
        s->phi.at[i].same_as = v;
        changed = true;
      }
    }
  }
}

static void want_phi(SrSsa *s, uint32_t v) {
  if (v & SR_VALUE_PHI && v != SR_NONE && !s->phi.at[v & ~SR_VALUE_PHI].wanted) {
    s->phi.at[v & ~SR_VALUE_PHI].wanted = true;
    SR_PUSH(s->arena, &s->work, v & ~SR_VALUE_PHI);
  }
}

/* Replaces operands that are trivial phis by the values that these phis turned out to be. */
static void mark_wanted(SrSsa *s, const uint32_t *wanted, uint32_t count) {
  for (uint32_t i = 0; i < count; i++)
    want_phi(s, sr_ssa_resolve(s, s->value[wanted[i]]));
  while (s->work.count) {
    const SrPhi p = s->phi.at[SR_POP(&s->work)];
    for (uint32_t n = sr_pred_count(s->graph, p.block), k = 0; k < n; k++) {
      uint32_t *operand = &s->operand.at[p.operand + k];
      *operand = sr_ssa_resolve(s, *operand);
      want_phi(s, *operand);
    }
  }
}

void sr_ssa_solve(SrSsa *s, const uint32_t *wanted, uint32_t count) {
  s->phi.count = s->operand.count = 0;
  collect_region(s, wanted, count);
  for (uint32_t i = 0; i < s->region.count; i++) {
    uint32_t b = s->region.at[i], v = agreed_value(s, b);
    s->value[b] = v == SR_NONE ? new_phi(s, b) : v;
  }
  fill_operands(s);
  drop_trivial(s);
  mark_wanted(s, wanted, count);
}

SrPhi *sr_ssa_phi(SrSsa *s, uint32_t b) {
  uint32_t v = sr_ssa_resolve(s, s->value[b]);
  return (v & SR_VALUE_PHI) ? &s->phi.at[v & ~SR_VALUE_PHI] : NULL;
}

static uint32_t id_of(const SrSsa *s, uint32_t v, uint32_t type) {
  if (v == SR_VALUE_UNDEF)
    return sr_undef(s->m, type);
  return (v & SR_VALUE_PHI) ? s->phi.at[v & ~SR_VALUE_PHI].id : v;
}

uint32_t sr_ssa_id(SrSsa *s, uint32_t b, uint32_t type) {
  return id_of(s, sr_ssa_resolve(s, s->value[b]), type);
}

SrRef sr_ssa_build_phi(SrSsa *s, const SrPhi *p, uint32_t type, uint32_t id) {
  uint32_t at = p->operand, b = p->block, undef = 0;
  for (uint32_t k = 0; k < sr_pred_count(s->graph, b); k++)
    if (s->operand.at[at + k] == SR_VALUE_UNDEF && !undef)
      undef = sr_undef(s->m, type); /* before sr_begin: see edit.h */
  sr_begin(s->m, SpvOpPhi, type, id);
  for (SR_PREDS(p_block, s->graph, b)) {
    sr_put_id(s->m, id_of(s, s->operand.at[at++], type));
    sr_put_id(s->m, s->f->blocks[*p_block].id);
  }
  return sr_end(s->m);
}

void sr_ssa_make_phis(SrSsa *s, uint32_t type, SrKept kept) {
  SrModule *m = s->m;
  uint32_t first = s->phi.count;
  for (uint32_t i = 0; i < s->phi.count; i++) {
    SrPhi *p = &s->phi.at[i];
    if (!p->wanted || p->id)
      continue;
    p->id = sr_fresh_id(m);
    p->same_as = SR_NONE;
    first = i < first ? i : first;
    sr_keep(m, p->id, kept);
    s->added_phis++;
  }
  for (uint32_t i = first; i < s->phi.count; i++) {
    const SrPhi *p = &s->phi.at[i];
    if (!p->wanted || sr_def(m, p->id) != SR_NONE)
      continue;
    SrRef r = sr_ssa_build_phi(s, p, type, p->id);
    SrBlock *b = &s->f->blocks[p->block];
    sr_insert_before(m, &b->list, sr_inst(m, b->label)->next, r);
    m->home[p->id] = p->block;
  }
}

/* ---- uses ---- */

static void note_user(SrSsa *s, uint32_t v) {
  if (sr_ssa_is_phi(v))
    s->phi.at[v & ~SR_VALUE_PHI].users++;
}

void sr_ssa_note_users(SrSsa *s, const uint32_t *wanted, uint32_t count) {
  for (uint32_t i = 0; i < count; i++)
    note_user(s, sr_ssa_resolve(s, s->value[wanted[i]]));
  for (uint32_t i = 0; i < s->phi.count; i++) {
    const SrPhi *p = &s->phi.at[i];
    for (uint32_t n = sr_pred_count(s->graph, p->block), k = 0; p->wanted && k < n; k++)
      note_user(s, sr_ssa_resolve(s, s->operand.at[p->operand + k]));
  }
}

void sr_ssa_want(SrSsa *s, const uint32_t *wanted, uint32_t count) {
  for (uint32_t i = 0; i < s->phi.count; i++)
    s->phi.at[i].wanted = false;
  mark_wanted(s, wanted, count);
}

static void note_used(SrSsa *s, uint32_t value, SrIdRange range, SrBits *used) {
  uint32_t v = sr_ssa_resolve(s, value);
  if (!sr_ssa_is_phi(v) && v != SR_VALUE_UNDEF && v >= range.first && v - range.first < range.count)
    sr_bit_set(used, v - range.first);
}

void sr_ssa_find_used(SrSsa *s, const uint32_t *wanted, uint32_t count, SrIdRange range,
                      SrBits *used) {
  for (uint32_t i = 0; i < count; i++)
    note_used(s, s->value[wanted[i]], range, used);
  for (uint32_t i = 0; i < s->phi.count; i++) {
    const SrPhi *p = &s->phi.at[i];
    for (uint32_t n = sr_pred_count(s->graph, p->block), k = 0; p->wanted && k < n; k++)
      note_used(s, s->operand.at[p->operand + k], range, used);
  }
}
