/* SPDX-License-Identifier: Apache-2.0 */
/* ssa_test: see ssa_test.h. */
#include "passes/transform/ssa/ssa_test.h"

#include "passes/ir/constants.h"
#include "passes/ir/edit.h"

enum {
  MOST_PHIS = 8,        /* phis replaced for one comparison */
  MOST_SHARED = 1,      /* phis among these that have other users */
  SHARED_OPERANDS = 32, /* operands of a shared phi */
};

typedef struct Replaced {
  uint32_t phi;   /* index */
  uint32_t users; /* among the phis replaced, and the comparison */
  uint32_t id;    /* id of the phi of booleans, or of the one boolean that it would be; 0 until
                     known */
  bool made;      /* it is a phi that has been made */
  uint32_t first; /* of its operands, in `outcome` */
} Replaced;

typedef struct Web {
  SrSsa *ssa;
  const SrSsaTest *test;
  Replaced at[MOST_PHIS];
  uint32_t count;
  SR_VEC(uint32_t) outcome; /* by operand: a boolean, or SR_VALUE_PHI | index in `at` */
} Web;

static const SrPhi *phi_at(const Web *w, uint32_t i) {
  return &w->ssa->phi.at[w->at[i].phi];
}

static uint32_t operand_count(const Web *w, uint32_t i) {
  return sr_pred_count(w->ssa->graph, phi_at(w, i)->block);
}

static uint32_t operand(const Web *w, uint32_t i, uint32_t k) {
  return sr_ssa_resolve(w->ssa, w->ssa->operand.at[phi_at(w, i)->operand + k]);
}

/* Adds the phi to the web and returns its index; MOST_PHIS: there is no room. */
static uint32_t join(Web *w, uint32_t value) {
  uint32_t phi = value & ~SR_VALUE_PHI, i = 0;
  while (i < w->count && w->at[i].phi != phi)
    i++;
  if (i == MOST_PHIS)
    return i;
  if (i == w->count)
    w->at[w->count++] = (Replaced){.phi = phi};
  w->at[i].users++;
  return i;
}

/* Collects the phis that lead to the comparison; false: some outcome is not known, or there are too
 * many. */
static bool collect(Web *w, uint32_t root) {
  join(w, root);
  for (uint32_t i = 0; i < w->count; i++) {
    if (phi_at(w, i)->users > w->at[i].users && operand_count(w, i) > SHARED_OPERANDS)
      return false;
    for (uint32_t k = 0; k < operand_count(w, i); k++) {
      uint32_t v = operand(w, i, k);
      if (sr_ssa_is_phi(v) ? join(w, v) == MOST_PHIS
                           : v != SR_VALUE_UNDEF && !w->test->is_known(w->test->user, v))
        return false;
    }
  }
  uint32_t shared = 0;
  for (uint32_t i = 0; i < w->count; i++)
    shared += phi_at(w, i)->users > w->at[i].users;
  return shared <= MOST_SHARED;
}

static void find_outcomes(Web *w) {
  for (uint32_t i = 0; i < w->count; i++) {
    w->at[i].first = w->outcome.count;
    for (uint32_t k = 0; k < operand_count(w, i); k++) {
      uint32_t v = operand(w, i, k), outcome = SR_VALUE_UNDEF;
      if (sr_ssa_is_phi(v))
        outcome = SR_VALUE_PHI | join(w, v);
      else if (v != SR_VALUE_UNDEF)
        outcome = w->test->outcome(w->test->user, v);
      SR_PUSH(w->ssa->arena, &w->outcome, outcome);
    }
  }
}

static uint32_t outcome_of(const Web *w, uint32_t i, uint32_t k) {
  uint32_t o = w->outcome.at[w->at[i].first + k];
  if (!sr_ssa_is_phi(o))
    return o;
  return w->at[o & ~SR_VALUE_PHI].id ? w->at[o & ~SR_VALUE_PHI].id : o;
}

/* The constant that is every operand of phi i, or 0. */
static uint32_t only_constant(const Web *w, uint32_t i) {
  uint32_t found = 0;
  for (uint32_t k = 0; k < operand_count(w, i); k++) {
    uint32_t o = outcome_of(w, i, k);
    if (o == (SR_VALUE_PHI | i))
      continue;
    if (o == SR_VALUE_UNDEF || sr_ssa_is_phi(o) || w->ssa->m->home[o] != SR_NONE ||
        (found && o != found))
      return 0;
    found = o;
  }
  return found;
}

/* Phis of one constant need not be made. Each round but the last finds one. */
static void drop_constant(Web *w) {
  for (bool changed = true; changed;) {
    changed = false;
    for (uint32_t i = w->count; i-- > 0;) {
      if (w->at[i].id)
        continue;
      w->at[i].id = only_constant(w, i);
      changed |= w->at[i].id != 0;
    }
  }
}

static void make_phi(Web *w, uint32_t i, uint32_t type, uint32_t undef) {
  SrModule *m = w->ssa->m;
  uint32_t b = phi_at(w, i)->block, k = 0;
  SrBlock *block = &w->ssa->f->blocks[b];
  sr_begin(m, SpvOpPhi, type, w->at[i].id);
  for (SR_PREDS(from, w->ssa->graph, b)) {
    uint32_t o = outcome_of(w, i, k++);
    sr_put_id(m, o == SR_VALUE_UNDEF ? undef : o);
    sr_put_id(m, w->ssa->f->blocks[*from].id);
  }
  sr_insert_before(m, &block->list, sr_inst(m, block->label)->next, sr_end(m));
  w->ssa->added_phis++;
}

static void make_phis(Web *w) {
  SrModule *m = w->ssa->m;
  uint32_t type = sr_type_bool(m), undef = 0;
  for (uint32_t i = 0; i < w->outcome.count && !undef; i++)
    if (w->outcome.at[i] == SR_VALUE_UNDEF)
      undef = sr_undef(m, type);
  for (uint32_t i = 0; i < w->count; i++) {
    if (w->at[i].id)
      continue;
    w->at[i].id = sr_fresh_id(m);
    w->at[i].made = true;
    m->home[w->at[i].id] = phi_at(w, i)->block;
  }
  for (uint32_t i = 0; i < w->count; i++)
    if (w->at[i].made)
      make_phi(w, i, type, undef);
}

uint32_t sr_ssa_make_test(SrSsa *ssa, uint32_t b, const SrSsaTest *test) {
  Web w = {.ssa = ssa, .test = test};
  uint32_t v = sr_ssa_resolve(ssa, ssa->value[b]);
  if (!sr_ssa_is_phi(v))
    return v != SR_VALUE_UNDEF && test->is_known(test->user, v) ? test->outcome(test->user, v) : 0;
  if (!collect(&w, v))
    return 0;
  SrMark mark = sr_arena_mark(ssa->arena);
  find_outcomes(&w);
  drop_constant(&w);
  make_phis(&w);
  sr_arena_reset(ssa->arena, mark);
  return w.at[0].id;
}
