/* SPDX-License-Identifier: Apache-2.0 */
/* ssa_web: see ssa_web.h. One pass over the phis, in block order. Each phi joins the web that has
 * most of its values and does not interfere with it, or begins a new one. */
#include "passes/transform/ssa/ssa_web.h"

#include "passes/base/map.h"
#include "passes/base/sort.h"

/* A value that a web sets on an edge. */
typedef struct Set {
  uint32_t web, value, next; /* next: the next value set on the edge, or SR_NONE */
} Set;

typedef struct Web {
  uint32_t kind, block;  /* block: of its last phi */
  uint32_t stamp, votes; /* stamp: the last phi that counted votes */
} Web;

typedef struct Search {
  SrWebs *webs;
  const SrModule *m;
  SrArena *arena;
  SrMap web_of;  /* by id of a phi or operand: its web */
  uint32_t *set; /* by edge: its first Set, or SR_NONE */
  SR_VEC(Set) sets;
  SR_VEC(Web) web;
  SR_VEC(uint32_t) voted; /* the webs with votes for the current phi */
} Search;

static bool is_constant(const Search *s, uint32_t id) {
  return s->m->home[id] == SR_NONE;
}

static void vote(Search *s, uint32_t phi, uint32_t id) {
  uint32_t web = is_constant(s, id) ? SR_NONE : sr_map_get(&s->web_of, id);
  if (web == SR_NONE)
    return;
  Web *w = &s->web.at[web];
  if (w->stamp != phi) {
    w->stamp = phi;
    w->votes = 0;
    SR_PUSH(s->arena, &s->voted, web);
  }
  w->votes++;
}

/* Does some edge set the web to a different value? */
static bool interferes(const Search *s, uint32_t web, const SrWebPhi *p) {
  for (uint32_t i = p->operand; i < p->operand + p->operand_count; i++) {
    const SrWebOperand *o = &s->webs->operand.at[i];
    for (uint32_t k = s->set[o->edge]; k != SR_NONE; k = s->sets.at[k].next)
      if (s->sets.at[k].web == web && s->sets.at[k].value != o->id)
        return true;
  }
  return false;
}

static uint32_t choose(Search *s, uint32_t phi) {
  const SrWebPhi *p = &s->webs->phi.at[phi];
  s->voted.count = 0;
  vote(s, phi, p->id);
  for (uint32_t i = p->operand; i < p->operand + p->operand_count; i++)
    vote(s, phi, s->webs->operand.at[i].id);
  uint32_t best = SR_NONE;
  for (uint32_t i = 0; i < s->voted.count; i++) {
    const Web *w = &s->web.at[s->voted.at[i]];
    if (w->kind == p->kind && w->block != p->block &&
        (best == SR_NONE || w->votes > s->web.at[best].votes) && !interferes(s, s->voted.at[i], p))
      best = s->voted.at[i];
  }
  if (best != SR_NONE)
    return best;
  SR_PUSH(s->arena, &s->web, (Web){p->kind, p->block, SR_NONE, 0});
  return s->web.count - 1;
}

static void join(Search *s, SrWebPhi *p, uint32_t web) {
  p->web = web;
  s->web.at[web].block = p->block;
  sr_map_set(&s->web_of, p->id, web);
  for (uint32_t i = p->operand; i < p->operand + p->operand_count; i++) {
    const SrWebOperand *o = &s->webs->operand.at[i];
    if (!is_constant(s, o->id))
      sr_map_set(&s->web_of, o->id, web);
    SR_PUSH(s->arena, &s->sets, (Set){web, o->id, s->set[o->edge]});
    s->set[o->edge] = s->sets.count - 1;
  }
}

static int by_web(const void *a, const void *b) {
  const SrWebPhi *x = a, *y = b;
  if (x->web != y->web)
    return x->web < y->web ? -1 : 1;
  return (x->block > y->block) - (x->block < y->block);
}

void sr_ssa_webs_find(SrWebs *webs, SrModule *m, SrArena *arena, uint32_t edges) {
  if (webs->phi.count == 0)
    return;
  Search s = {.webs = webs, .m = m, .arena = arena, .web_of = {.arena = arena}};
  s.set = sr_new_none(arena, edges);
  for (uint32_t i = 0; i < webs->phi.count; i++) {
    webs->phi.at[i].kind = sr_ssa_share_kind(m, webs->phi.at[i].id);
    uint32_t web = choose(&s, i);
    join(&s, &webs->phi.at[i], web);
  }
  sr_sort(arena, webs->phi.at, webs->phi.count, sizeof *webs->phi.at, by_web);
}

uint32_t sr_ssa_web_end(const SrWebs *webs, uint32_t first) {
  uint32_t end = first + 1;
  while (end < webs->phi.count && webs->phi.at[end].web == webs->phi.at[first].web)
    end++;
  return end;
}
