/* SPDX-License-Identifier: Apache-2.0 */
/* ssa_repair: see ssa_repair.h. Three steps: find the uses whose definitions no longer dominate
 * them; repair those, by rematerialization or, grouped by value, by phis; then rewrite user phis
 * whose predecessors changed. Cost: O(n log n) where n is the number of phis plus the sizes, before
 * the change, of the live ranges of the values repaired. */
#include "passes/transform/ssa/ssa_repair.h"

#include "passes/base/map.h"
#include "passes/base/sort.h"
#include "passes/ir/decorations.h"
#include "passes/ir/edit.h"
#include "passes/ir/id_table.h"
#include "passes/transform/ssa/ssa_carry.h"
#include "passes/transform/ssa/ssa_rematerialize.h"
#include "passes/transform/ssa/ssa_share.h"
#include "passes/transform/ssa/ssa_web.h"

#include <assert.h>

/* A value that passes more joins than this shares phis with others (ssa_share.h). Where control
 * flow is not structured, values pass many joins together. */
enum { MANY_JOINS = 32, MANY_FLOW_JOINS = 8 };

/* An old edge on which the current value is live. */
typedef struct LiveEdge {
  uint32_t edge, target; /* index in old->pred; old block */
  uint32_t from;         /* new block */
  bool known;            /* the value's definition dominates `from` */
} LiveEdge;

/* By new block: the first of its live edges. */
typedef struct FirstEdge {
  uint32_t epoch, edge;
  bool waits;
} FirstEdge;

typedef struct Repair {
  SrSsaRepair *in;
  SrModule *m;
  SrFunction *f;
  SrSsa *ssa;
  SrArena *arena;
  SrUses uses;
  uint32_t *old_slot; /* by old edge (index in old->pred): its position among the successors of
                         its source */
  uint32_t epoch;
  uint32_t *live_in; /* by old block: the current value was live at its start if this == epoch */
  SR_VEC(uint32_t) walk, wanted, line;
  FirstEdge *first;
  SR_VEC(LiveEdge) edges;
  uint32_t *name; /* by old block where it is live: the new block where its name begins, or
                     SR_NONE */
  SrCarry carry;
  SrSsaShare share;  /* values, then phis, that pass many joins */
  SrWebs webs;       /* of user phis whose predecessors changed */
  SrIdTable *member; /* by id of a phi that is being repaired: its block */
  /* operands of the current user phi, by predecessor */
  uint32_t *operand, *operand_epoch;
} Repair;

/* ---- finding uses ---- */

static void note_use(Repair *r, uint32_t inst, uint32_t word, uint32_t block) {
  uint32_t id = sr_words(r->m, inst)[word];
  if (!sr_ssa_reaches_end(r->ssa, id, block) && sr_def_op(r->m, id) != SpvOpLabel)
    SR_PUSH(r->arena, &r->uses, (SrUse){id, inst, word, block});
}

static void note_phi_uses(Repair *r, SrRef phi) {
  for (uint32_t i = 3; i + 1 < sr_word_count(r->m, phi); i += 2) {
    uint32_t parent = sr_words(r->m, phi)[i + 1];
    if (sr_def(r->m, parent) != SR_NONE) /* otherwise the parent was an unreachable block, which is
                                            dropped */
      note_use(r, phi, i, sr_block_of(r->m, parent));
  }
}

static void find_uses(Repair *r) {
  for (uint32_t b = 0; b < r->f->block_count; b++) {
    if (r->in->old_of[b] == SR_NONE)
      continue;
    for (SR_EACH(r->m, i, r->f->blocks[b].list)) {
      const SrInst *in = sr_inst(r->m, i);
      if (in->op == SpvOpPhi) {
        note_phi_uses(r, i);
        continue;
      }
      uint32_t n = sr_word_count(r->m, i);
      for (uint32_t w = in->first; w < n; w++)
        if (sr_word_is_id(r->m, i, w))
          note_use(r, i, w, b);
    }
  }
}

/* ---- values that get phis ---- */

static uint32_t old_block(const Repair *r, uint32_t b) {
  return r->in->old_of[b];
}

static void mark_live_in(Repair *r, uint32_t old) {
  if (r->live_in[old] == r->epoch)
    return;
  r->live_in[old] = r->epoch;
  r->name[old] = SR_NONE;
  SR_PUSH(r->arena, &r->walk, old);
}

static int by_source(const void *a, const void *b) {
  const LiveEdge *x = a, *y = b;
  if (x->from != y->from)
    return x->from < y->from ? -1 : 1;
  return (x->edge > y->edge) - (x->edge < y->edge);
}

/* Collects, in block order, the edges where a value was live before the change: from its uses back
 * to where its definition dominates in the new graph, too. */
static void collect_edges(Repair *r, uint32_t home) {
  const SrGraph *old = r->in->old;
  r->edges.count = 0;
  while (r->walk.count) {
    uint32_t b = SR_POP(&r->walk);
    for (uint32_t e = old->pred_at[b]; e < old->pred_at[b + 1]; e++) {
      uint32_t from = r->in->new_of[old->pred[e]];
      if (from == SR_NONE)
        continue; /* unreachable */
      bool known = sr_dominates(r->ssa->dom, home, from);
      SR_PUSH(r->arena, &r->edges, (LiveEdge){e, b, from, known});
      if (!known)
        mark_live_in(r, old->pred[e]);
    }
  }
  sr_sort(r->arena, r->edges.at, r->edges.count, sizeof *r->edges.at, by_source);
}

static uint32_t leave(const Repair *r, uint32_t e, uint32_t *edge) {
  const SrSsaRepair *in = r->in;
  return in->leave(in->user, in->old->pred[e], r->old_slot[e], edge);
}

/* Follows one old edge; returns whether this found something new. If the edge itself gives the
 * value a name (home SR_NONE), lanes have this name from the edge's target on. If two names
 * dominate a block, the nearer one is valid, because all lanes passed it. */
static bool carry_along(Repair *r, const LiveEdge *l, uint32_t home) {
  uint32_t edge, at = leave(r, l->edge, &edge);
  uint32_t name = !l->known ? r->name[old_block(r, l->from)] : home == SR_NONE ? at : home;
  if (name == SR_NONE)
    return false;
  bool named = l->known && home == SR_NONE;
  bool found = sr_carry_along(&r->carry, &name, at, l->target, named);
  uint32_t *known = &r->name[l->target];
  if (*known != SR_NONE && r->ssa->dom->enter[*known] >= r->ssa->dom->enter[name])
    return found;
  *known = name;
  return true;
}

static void put_in_line(Repair *r, uint32_t block) {
  if (r->first[block].epoch != r->epoch || r->first[block].waits)
    return;
  r->first[block].waits = true;
  SR_PUSH(r->arena, &r->line, block);
}

/* Where control flow is not structured, cycles may interlock: only edges of blocks with a new name
 * are followed again. */
static void carry_in_line(Repair *r, uint32_t home) {
  r->line.count = 0;
  r->epoch++; /* a new epoch for `first` alone, since live_in is no longer used */
  for (uint32_t i = 0; i < r->edges.count; i++) {
    uint32_t from = r->edges.at[i].from;
    if (r->first[from].epoch != r->epoch)
      r->first[from] = (FirstEdge){r->epoch, i, false};
    put_in_line(r, from);
  }
  for (uint32_t k = 0; k < r->line.count && !sr_carry_gave_up(&r->carry); k++) {
    uint32_t from = r->line.at[k];
    r->first[from].waits = false;
    for (uint32_t i = r->first[from].edge; i < r->edges.count && r->edges.at[i].from == from; i++) {
      const LiveEdge *l = &r->edges.at[i];
      uint32_t name = r->name[l->target];
      carry_along(r, l, home);
      if (r->name[l->target] != name)
        put_in_line(r, r->in->new_of[l->target]);
    }
  }
}

/* Names flow forward; each round but the last finds joins or nearer names, and only back edges
 * require a second one. */
static void carry_value(Repair *r, uint32_t home) {
  if (r->in->paths->next) {
    carry_in_line(r, home);
    return;
  }
  for (bool again = true; again;) {
    again = false;
    sr_carry_again(&r->carry);
    for (uint32_t i = 0; i < r->edges.count && !sr_carry_gave_up(&r->carry); i++)
      again |= carry_along(r, &r->edges.at[i], home);
    again = again && !sr_carry_gave_up(&r->carry);
  }
}

static uint32_t most_joins(const Repair *r) {
  return r->in->paths->next ? MANY_FLOW_JOINS : MANY_JOINS;
}

static void want_uses(Repair *r, const SrUse *use, uint32_t count) {
  for (uint32_t i = 0; i < count; i++) {
    uint32_t at = sr_carry_nearest(&r->carry, use[i].block);
    SR_PUSH(r->arena, &r->wanted, at == SR_NONE ? use[i].block : at);
  }
}

static void rewrite_uses(Repair *r, const SrUse *use, uint32_t count, const uint32_t *wanted,
                         uint32_t type) {
  for (uint32_t i = 0; i < count; i++)
    sr_words(r->m, use[i].inst)[use[i].word] = sr_ssa_id(r->ssa, wanted[i], type);
}

static void repair_value(Repair *r, const SrUse *use, uint32_t count) {
  SrModule *m = r->m;
  uint32_t id = use->id, home = m->home[id], type = sr_inst(m, sr_def(m, id))->type;
  r->epoch++;
  for (uint32_t i = 0; i < count; i++)
    mark_live_in(r, old_block(r, use[i].block));
  sr_ssa_begin(r->ssa);
  sr_carry_begin(&r->carry, most_joins(r));
  collect_edges(r, home);
  carry_value(r, home);
  if (sr_carry_gave_up(&r->carry)) {
    SR_PUSH(r->arena, &r->share.far,
            (SrFar){.id = id, .block = home, .use = use, .use_count = count});
    return;
  }
  sr_carry_finish(&r->carry, home, id);
  r->wanted.count = 0;
  want_uses(r, use, count);
  sr_ssa_solve(r->ssa, r->wanted.at, r->wanted.count);
  sr_ssa_make_phis(r->ssa, type, sr_kept(m, id));
  rewrite_uses(r, use, count, r->wanted.at, type);
}

static int by_id(const void *a, const void *b) {
  const SrUse *x = a, *y = b;
  if (x->id != y->id)
    return x->id < y->id ? -1 : 1;
  return (x->block > y->block) - (x->block < y->block);
}

static void repair_values(Repair *r) {
  sr_sort(r->arena, r->uses.at, r->uses.count, sizeof *r->uses.at, by_id);
  for (uint32_t i = 0, j; i < r->uses.count; i = j) {
    for (j = i + 1; j < r->uses.count && r->uses.at[j].id == r->uses.at[i].id; j++)
      ;
    repair_value(r, &r->uses.at[i], j - i);
  }
}

/* ---- user phis ---- */

static void replace_phi(Repair *r, uint32_t b, SrRef old, SrRef new) {
  SrList *list = &r->f->blocks[b].list;
  sr_insert_before(r->m, list, old, new);
  sr_remove(r->m, list, old);
  sr_inst(r->m, new)->added = false;
}

/* The value is the same for all predecessors. The phi stays, with that value as each operand. */
static SrRef plain_phi(Repair *r, uint32_t b, SrRef old) {
  SrModule *m = r->m;
  uint32_t type = sr_inst(m, old)->type, value = sr_ssa_id(r->ssa, b, type);
  sr_begin(m, SpvOpPhi, type, sr_inst(m, old)->result);
  for (SR_PREDS(p, r->ssa->graph, b)) {
    sr_put_id(m, value);
    sr_put_id(m, r->f->blocks[*p].id);
  }
  return sr_end(m);
}

/* Sets the phi, as a variable, on the edges that used to lead to it, and finds the joins. If the
 * operand on an edge is a phi of the same web, the variable keeps the value that it has at that
 * phi's block. */
static void carry_phi(Repair *r, uint32_t b, SrRef phi) {
  SrModule *m = r->m;
  r->epoch++;
  for (uint32_t i = 3; i + 1 < sr_word_count(m, phi); i += 2) {
    const uint32_t *w = sr_words(m, phi);
    if (sr_def(m, w[i + 1]) == SR_NONE)
      continue;
    uint32_t p = sr_block_of(m, w[i + 1]);
    r->operand[p] = w[i];
    r->operand_epoch[p] = r->epoch;
  }
  const SrGraph *old = r->in->old;
  uint32_t was = old_block(r, b);
  sr_carry_join(&r->carry, b);
  for (uint32_t e = old->pred_at[was]; e < old->pred_at[was + 1]; e++) {
    uint32_t p = r->in->new_of[old->pred[e]], edge;
    if (p == SR_NONE || r->operand_epoch[p] != r->epoch)
      continue;
    uint32_t at = leave(r, e, &edge), member = sr_ids_get(r->member, r->operand[p]);
    sr_ssa_set(r->ssa, edge, member == SR_NONE ? r->operand[p] : SR_VALUE_AT(member));
    sr_carry_join(&r->carry, at);
    sr_carry_along(&r->carry, &at, at, was, true);
  }
}

/* The phi where the values of a user phi meet. It takes the user phi's place and `id`. NULL: there
 * is no such phi, or it has already taken the place of another user phi. */
static SrPhi *claim(Repair *r, uint32_t b, uint32_t id) {
  SrPhi *met = sr_ssa_phi(r->ssa, b);
  if (!met || met->id)
    return NULL;
  met->id = id;
  return met;
}

/* The phi ends up where its values meet: in its own block, or moved to an added block above; or it
 * stays and uses phis above. */
static void put_phi(Repair *r, uint32_t b, SrRef phi, const SrPhi *met) {
  SrModule *m = r->m;
  uint32_t type = sr_inst(m, phi)->type, id = sr_inst(m, phi)->result;
  if (!met) {
    replace_phi(r, b, phi, plain_phi(r, b, phi));
  } else if (met->block == b) {
    replace_phi(r, b, phi, sr_ssa_build_phi(r->ssa, met, type, id));
  } else {
    SrBlock *to = &r->f->blocks[met->block];
    sr_remove(m, &r->f->blocks[b].list, phi);
    SrRef moved = sr_ssa_build_phi(r->ssa, met, type, id);
    sr_insert_before(m, &to->list, sr_inst(m, to->label)->next, moved);
    sr_inst(m, moved)->added = false;
    m->home[id] = met->block;
  }
}

/* Repairs phis as one variable. Returns false, with nothing changed, if the variable passes more
 * joins than `most`. `phi`: their ids and blocks. */
static bool repair_phis_as_one(Repair *r, const SrFar *phi, uint32_t count, uint32_t most) {
  SrModule *m = r->m;
  uint32_t type = sr_inst(m, sr_def(m, phi->id))->type;
  sr_ssa_begin(r->ssa);
  sr_carry_begin(&r->carry, most);
  r->wanted.count = 0;
  sr_ids_clear(r->member);
  for (uint32_t i = 0; i < count; i++)
    sr_ids_set(r->member, phi[i].id, phi[i].block);
  for (uint32_t i = 0; i < count && !sr_carry_gave_up(&r->carry); i++) {
    carry_phi(r, phi[i].block, sr_def(m, phi[i].id));
    SR_PUSH(r->arena, &r->wanted, phi[i].block);
  }
  if (sr_carry_gave_up(&r->carry))
    return false;
  sr_carry_finish(&r->carry, SR_NONE, 0);
  sr_ssa_solve(r->ssa, r->wanted.at, count);
  const SrPhi **met = SR_NEW_RAW(r->arena, const SrPhi *, count);
  for (uint32_t i = 0; i < count; i++)
    met[i] = claim(r, phi[i].block, phi[i].id);
  sr_ssa_make_phis(r->ssa, type, sr_kept(m, phi->id));
  for (uint32_t i = 0; i < count; i++)
    put_phi(r, phi[i].block, sr_def(m, phi[i].id), met[i]);
  return true;
}

/* Are the block's predecessors the same as before? Then its phis need no change. */
static bool same_predecessors(const Repair *r, uint32_t b) {
  const SrGraph *g = r->ssa->graph;
  for (SR_PREDS(p, g, b))
    if (old_block(r, *p) == SR_NONE)
      return false;
  return sr_pred_count(g, b) == sr_pred_count(r->in->old, old_block(r, b));
}

/* Records the edges that used to lead to block b, and that set its phis, by new predecessor. */
static void find_edges(Repair *r, uint32_t b, uint32_t *edge_from) {
  const SrGraph *old = r->in->old;
  uint32_t was = old_block(r, b);
  for (uint32_t e = old->pred_at[was]; e < old->pred_at[was + 1]; e++)
    if (r->in->new_of[old->pred[e]] != SR_NONE)
      (void)leave(r, e, &edge_from[r->in->new_of[old->pred[e]]]);
}

static void note_phi(Repair *r, uint32_t b, SrRef phi, const uint32_t *edge_from) {
  const uint32_t *w = sr_words(r->m, phi);
  SrWebPhi p = {.id = sr_inst(r->m, phi)->result, .block = b, .operand = r->webs.operand.count};
  for (uint32_t i = 3; i + 1 < w[0] >> 16; i += 2)
    if (sr_def(r->m, w[i + 1]) != SR_NONE)
      SR_PUSH(r->arena, &r->webs.operand,
              (SrWebOperand){w[i], edge_from[sr_block_of(r->m, w[i + 1])]});
  p.operand_count = r->webs.operand.count - p.operand;
  SR_PUSH(r->arena, &r->webs.phi, p);
}

/* Finds the webs of the phis whose predecessors changed, while their operands are still the
 * user's. */
static void find_webs(Repair *r) {
  uint32_t *edge_from = SR_NEW_RAW(r->arena, uint32_t, r->f->block_count);
  for (uint32_t b = 0; b < r->f->block_count; b++) {
    if (old_block(r, b) == SR_NONE || same_predecessors(r, b))
      continue;
    find_edges(r, b, edge_from);
    SrRef end = sr_first_ordinary(r->m, &r->f->blocks[b]);
    for (SrRef i = r->f->blocks[b].list.first; i != end; i = sr_inst(r->m, i)->next)
      if (sr_inst(r->m, i)->op == SpvOpPhi)
        note_phi(r, b, i, edge_from);
  }
  sr_ssa_webs_find(&r->webs, r->m, r->arena, r->ssa->graph->pred_at[r->ssa->graph->count]);
}

static void repair_phis(Repair *r) {
  const SrWebs *webs = &r->webs;
  SR_VEC(SrFar) web = {0};
  r->operand = SR_NEW_RAW(r->arena, uint32_t, r->f->block_count);
  r->operand_epoch = SR_NEW(r->arena, uint32_t, r->f->block_count);
  r->epoch = 0;
  for (uint32_t i = 0, end; i < webs->phi.count; i = end) {
    end = sr_ssa_web_end(webs, i);
    web.count = 0;
    for (uint32_t k = i; k < end; k++)
      SR_PUSH(r->arena, &web, (SrFar){.id = webs->phi.at[k].id, .block = webs->phi.at[k].block});
    uint32_t most = most_joins(r);
    if (repair_phis_as_one(r, web.at, web.count, most * web.count))
      continue;
    for (uint32_t k = 0; k < web.count; k++)
      SR_PUSH(r->arena, &r->share.far, web.at[k]);
  }
}

/* ---- values and phis that share ---- */

/* Collects the edges on which a value is live; those from its definition bring its id. */
static void collect_far_edges(Repair *r, const SrFar *f) {
  const SrGraph *old = r->in->old;
  for (uint32_t k = 1; k < f->touch_count; k++) {
    uint32_t b = r->share.touch.at[f->touch + k];
    r->name[b] = SR_NONE;
    for (uint32_t e = old->pred_at[b]; e < old->pred_at[b + 1]; e++) {
      uint32_t from = r->in->new_of[old->pred[e]], edge;
      if (from == SR_NONE)
        continue;
      SR_PUSH(r->arena, &r->edges, (LiveEdge){e, b, from, from == f->block});
      if (from != f->block)
        continue;
      sr_carry_join(&r->carry, leave(r, e, &edge));
      sr_ssa_set(r->ssa, edge, f->id);
    }
  }
}

static void repair_far_values(Repair *r, SrFar *group, uint32_t count) {
  uint32_t type = group->kind >> 2;
  sr_ssa_begin(r->ssa);
  sr_carry_begin(&r->carry, SR_NONE);
  r->edges.count = r->wanted.count = 0;
  for (uint32_t i = 0; i < count; i++)
    collect_far_edges(r, &group[i]);
  sr_sort(r->arena, r->edges.at, r->edges.count, sizeof *r->edges.at, by_source);
  carry_value(r, SR_NONE);
  sr_carry_finish(&r->carry, SR_NONE, 0);
  for (uint32_t i = 0; i < count; i++)
    want_uses(r, group[i].use, group[i].use_count);
  sr_ssa_solve(r->ssa, r->wanted.at, r->wanted.count);
  sr_ssa_make_phis(r->ssa, type, sr_kept(r->m, group->id));
  for (uint32_t i = 0, u = 0; i < count; u += group[i++].use_count)
    rewrite_uses(r, group[i].use, group[i].use_count, &r->wanted.at[u], type);
}

static void repair_far_phis(Repair *r, SrFar *group, uint32_t count) {
  (void)repair_phis_as_one(r, group, count, SR_NONE);
}

static void repair_shared(Repair *r, void (*repair)(Repair *r, SrFar *group, uint32_t count)) {
  SrSsaShare *k = &r->share;
  sr_ssa_share_color(k);
  for (uint32_t i = 0, end; i < k->far.count; i = end) {
    end = sr_ssa_share_group_end(k, i);
    repair(r, &k->far.at[i], end - i);
  }
  k->far.count = k->touch.count = 0;
}

SrStatus sr_ssa_repair(SrSsaRepair *in) {
  Repair r = {.in = in, .m = in->ssa->m, .f = in->ssa->f, .ssa = in->ssa, .arena = in->ssa->arena};
  r.share = (SrSsaShare){.m = r.m,
                         .f = r.f,
                         .arena = r.arena,
                         .old = in->old,
                         .new_of = in->new_of,
                         .old_of = in->old_of};
  r.live_in = SR_NEW(r.arena, uint32_t, in->old->count);
  r.name = SR_NEW_RAW(r.arena, uint32_t, in->old->count);
  r.first = SR_NEW(r.arena, FirstEdge, in->ssa->graph->count);
  r.old_slot = sr_graph_pred_slots(r.arena, in->old);
  r.carry = sr_carry_new(in->ssa, in->paths);
  find_uses(&r);
  SR_CHECK(sr_ssa_rematerialize(r.ssa, &r.uses, &in->rematerialized));
  r.member = sr_ids_take(r.m);
  find_webs(&r);
  repair_values(&r);
  sr_ssa_share_find_live(&r.share);
  repair_shared(&r, repair_far_values);
  repair_phis(&r);
  sr_ssa_share_find_set(&r.share);
  repair_shared(&r, repair_far_phis);
  sr_ids_give(r.m, r.member);
  return SR_OK;
}
