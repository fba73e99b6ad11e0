/* SPDX-License-Identifier: Apache-2.0 */
/* meld_plan: see meld_plan.h. */
#include "passes/transform/meld/meld_plan.h"

#include "passes/ir/constants.h"
#include "passes/transform/meld/meld_cost.h"
#include "passes/transform/ssa/ssa_select.h"

const SrMeldItem *sr_meld_items(const SrMeldSide *s, uint32_t region, uint32_t part,
                                uint32_t *count) {
  if (region == SR_NONE) {
    *count = s->top.count;
    return s->top.at;
  }
  const SrMeldPart *p = &s->part.at[s->region.at[region].part + part];
  *count = p->count;
  return s->inner.at + p->first;
}

/* ---- regions ---- */

static bool has_guarded(const SrMeldItem *items, uint32_t count) {
  for (uint32_t i = 0; i < count; i++)
    if (items[i].guarded)
      return true;
  return false;
}

static bool heads_loop(const SrMeld *k, uint32_t block) {
  SrRef merge = sr_merge_inst(k->m, &k->f->blocks[block]);
  return merge != SR_NONE && sr_inst(k->m, merge)->op == SpvOpLoopMerge;
}

/* The opcode of an item, by which the table is indexed; 0 for a region. */
static uint32_t opcode_of(const SrMeld *k, const SrMeldItem *item) {
  return item->inst == SR_NONE ? 0 : sr_inst(k->m, item->inst)->op % SR_MELD_OPCODES;
}

/* The cost of what two sequences have in common, by opcodes. */
static uint32_t common_cost(SrMeld *k, const SrMeldItem *const items[2], const uint32_t count[2]) {
  uint32_t sum = 0;
  for (uint32_t i = 0; i < count[0]; i++)
    k->tally[opcode_of(k, &items[0][i])]++;
  for (uint32_t i = 0; i < count[1]; i++) {
    uint32_t *left = &k->tally[opcode_of(k, &items[1][i])];
    sum += *left ? items[1][i].cost : 0;
    *left -= *left > 0;
  }
  for (uint32_t i = 0; i < count[0]; i++)
    k->tally[opcode_of(k, &items[0][i])] = 0;
  return sum;
}

/* What melding two regions may save; SR_MELD_NEVER: they cannot be melded, or melding does not pay.
 * This is DARM's FP_S: the cost of the common operations as a share of the whole. A loop header
 * with a guard in it could not keep its merge instruction. */
static int32_t region_gain(const SrMeldPair *p, uint32_t a, uint32_t b) {
  SrMeld *k = p->k;
  const SrMeldSide *const *s = p->side;
  const SrMeldRegion *x = &s[0]->region.at[a], *y = &s[1]->region.at[b];
  if (x->signs != y->signs ||
      memcmp(&s[0]->sign.at[x->sign], &s[1]->sign.at[y->sign], x->signs * sizeof(uint32_t)) != 0)
    return SR_MELD_NEVER;
  uint32_t saved = x->parts * SR_MELD_BRANCH;
  for (uint32_t i = 0; i < x->parts; i++) {
    uint32_t count[2];
    const SrMeldItem *items[2] = {sr_meld_items(s[0], a, i, &count[0]),
                                  sr_meld_items(s[1], b, i, &count[1])};
    if (k->work <= count[0] + count[1])
      return SR_MELD_NEVER;
    k->work -= 1 + count[0] + count[1];
    if (heads_loop(k, s[0]->part.at[x->part + i].block) &&
        (has_guarded(items[0], count[0]) || has_guarded(items[1], count[1])))
      return SR_MELD_NEVER;
    saved += common_cost(k, items, count);
  }
  return saved * (uint64_t)100 < (x->cost + y->cost) * (uint64_t)k->threshold ? SR_MELD_NEVER
                                                                              : (int32_t)saved;
}

/* ---- one line ---- */

typedef struct Aligning {
  const SrMeldPair *pair;
  const SrMeldItem *items[2];
} Aligning;

static int32_t gain(void *user, uint32_t i, uint32_t j) {
  const Aligning *l = user;
  const SrMeldItem *a = &l->items[0][i], *b = &l->items[1][j];
  if ((a->inst == SR_NONE) != (b->inst == SR_NONE))
    return SR_MELD_NEVER;
  if (a->inst == SR_NONE)
    return region_gain(l->pair, a->region, b->region);
  int32_t selects = sr_meld_match(l->pair, a->inst, b->inst);
  if (selects == SR_MELD_NEVER)
    return selects;
  bool used = sr_inst(l->pair->k->m, a->inst)->result; /* users of the result then need no
                                                          OpSelect */
  return (int32_t)a->cost - selects * SR_MELD_SELECT + used;
}

static bool is_guarded(void *user, int side, uint32_t i) {
  const Aligning *l = user;
  return l->items[side][i].guarded;
}

static SrMeldLine align(SrMeldPlan *plan, const SrMeldPair *pair, uint32_t region[2],
                        uint32_t part) {
  SrMeld *k = pair->k;
  Aligning l = {.pair = pair};
  SrMeldAlignment a = {.gain = gain,
                       .guarded = is_guarded,
                       .user = &l,
                       .guard = 2 * SR_MELD_BRANCH,
                       .arm = SR_MELD_BRANCH};
  for (int s = 0; s < 2; s++)
    l.items[s] = sr_meld_items(pair->side[s], region[s], part, &a.count[s]);
  SrMeldLine line = {.first = plan->step.count};
  sr_meld_align(k->arena, k->scratch, &a, &plan->step);
  line.count = plan->step.count - line.first;
  return line;
}

/* ---- partners ---- */

static void make_partners(const SrMeldPair *p, SrIdTable *table, SrRef a, SrRef b) {
  const SrModule *m = p->k->m;
  if (sr_inst(m, a)->result)
    sr_ids_set(table, sr_inst(m, a)->result, sr_inst(m, b)->result);
}

/* Pairs the phis of two blocks: each phi of the first with the next phi of the second with which it
 * can become one. */
static void pair_phis(SrMeldPlan *plan, SrIdTable *table, uint32_t a, uint32_t b) {
  SrMeld *k = plan->pair.k;
  const SrModule *m = k->m;
  SrRef y = k->f->blocks[b].list.first;
  for (SR_EACH(m, x, k->f->blocks[a].list)) {
    if (sr_inst(m, x)->op != SpvOpPhi)
      continue;
    SrRef match = y;
    while (match != SR_NONE &&
           (sr_inst(m, match)->op != SpvOpPhi || !sr_meld_match_phis(&plan->pair, x, match)))
      match = sr_inst(m, match)->next;
    if (match == SR_NONE)
      continue;
    y = sr_inst(m, match)->next;
    make_partners(&plan->pair, table, x, match);
    sr_map_set(&plan->phi_of, x, match);
  }
}

/* The phis that two regions begin or end with. */
static void pair_region_phis(SrMeldPlan *plan, SrIdTable *table, const uint32_t region[2],
                             bool end) {
  const SrMeldSide *const *s = plan->pair.side;
  const SrMeldRegion *x = &s[0]->region.at[region[0]], *y = &s[1]->region.at[region[1]];
  if (end) {
    pair_phis(plan, table, x->stop, y->stop);
    return;
  }
  for (uint32_t i = 0; i < x->parts; i++)
    pair_phis(plan, table, s[0]->part.at[x->part + i].block, s[1]->part.at[y->part + i].block);
}

/* ---- the first alignment ---- */

static void guess_line(SrMeldPlan *plan, const SrMeldPair *guess, SrIdTable *first,
                       uint32_t region[2], uint32_t part) {
  SrMeldLine line = align(plan, guess, region, part);
  uint32_t count;
  const SrMeldItem *items[2] = {sr_meld_items(guess->side[0], region[0], part, &count),
                                sr_meld_items(guess->side[1], region[1], part, &count)};
  for (uint32_t i = 0; i < line.count; i++) {
    SrMeldStep step = plan->step.at[line.first + i];
    if (step.at[0] == SR_NONE || step.at[1] == SR_NONE)
      continue;
    const SrMeldItem *a = &items[0][step.at[0]], *b = &items[1][step.at[1]];
    if (a->inst != SR_NONE) {
      make_partners(guess, first, a->inst, b->inst);
      continue;
    }
    uint32_t inner[2] = {a->region, b->region};
    pair_region_phis(plan, first, inner, false);
    for (uint32_t k = 0; k < guess->side[0]->region.at[a->region].parts; k++)
      SR_PUSH(guess->k->arena, &plan->joined, (SrMeldJoined){{inner[0], inner[1]}, k});
    pair_region_phis(plan, first, inner, true);
  }
}

/* Notes in `first` which values would become one. */
static void guess_all(SrMeldPlan *plan, SrIdTable *first) {
  SrMeldPair guess = plan->pair;
  uint32_t top[2] = {SR_NONE, SR_NONE};
  guess.partner = NULL;
  guess_line(plan, &guess, first, top, 0);
  for (uint32_t i = 0; i < plan->joined.count; i++) {
    SrMeldJoined j = plan->joined.at[i];
    guess_line(plan, &guess, first, j.region, j.line);
  }
  plan->step.count = plan->joined.count = 0;
  plan->phi_of = (SrMap){.arena = plan->pair.k->arena};
}

/* ---- the plan ---- */

/* The OpSelects that x and y need as one instruction, if they match; an OpSelect made earlier for
 * the same two values is used again. */
static int32_t count_selects(SrMeldPlan *plan, SrRef x, SrRef y) {
  const SrModule *m = plan->pair.k->m;
  int32_t selects = sr_meld_match(&plan->pair, x, y);
  if (selects == SR_MELD_NEVER)
    return selects;
  for (uint32_t i = sr_inst(m, x)->first; selects && i < sr_word_count(m, x); i++) {
    uint32_t a = sr_words(m, x)[i], b = sr_words(m, y)[i];
    if (!sr_word_is_id(m, x, i) || sr_meld_are_partners(&plan->pair, a, b))
      continue;
    selects -= sr_map_get(&plan->chosen, a) == b;
    sr_map_set(&plan->chosen, a, b);
  }
  plan->matched++;
  make_partners(&plan->pair, plan->pair.partner, x, y);
  return selects;
}

static bool plan_regions(SrMeldPlan *plan, const SrMeldPair *read, uint32_t a, uint32_t b);

/* Tests a pair of a line; false: it must be split in two. */
static bool settle_pair(SrMeldPlan *plan, const SrMeldPair *read, const SrMeldItem *a,
                        const SrMeldItem *b) {
  if (a->inst == SR_NONE)
    return plan_regions(plan, read, a->region, b->region);
  int32_t selects = count_selects(plan, a->inst, b->inst);
  if (selects == SR_MELD_NEVER)
    return false;
  plan->after += a->cost + (uint32_t)selects * SR_MELD_SELECT;
  return true;
}

/* Adds the line's guards to the costs. */
static void count_guards(SrMeldPlan *plan, SrMeldLine line, const SrMeldItem *const items[2]) {
  SrMeld *k = plan->pair.k;
  for (uint32_t i = line.first; i < line.first + line.count;) {
    SrMark mark = sr_arena_mark(k->scratch);
    SrMeldGap gap;
    uint32_t next = sr_meld_gap(plan, k->scratch, line, i, items, &gap);
    bool guards[2] = {gap.guard_from[0] < gap.guard_to[0], gap.guard_from[1] < gap.guard_to[1]};
    plan->after += (uint32_t)(guards[0] + guards[1] + (guards[0] || guards[1])) * SR_MELD_BRANCH;
    sr_arena_reset(k->scratch, mark);
    i = next > i ? next : i + 1;
  }
}

/* Tests the steps of a line in order, and those of its regions; a pair that fails is split. */
static SrMeldLine settle_line(SrMeldPlan *plan, const SrMeldPair *read, SrMeldLine line,
                              const SrMeldItem *const items[2]) {
  SrMeld *k = plan->pair.k;
  SrMeldSteps settled = {0};
  for (uint32_t i = 0; i < line.count; i++) {
    SrMeldStep step = plan->step.at[line.first + i];
    bool both = step.at[0] != SR_NONE && step.at[1] != SR_NONE;
    if (both && settle_pair(plan, read, &items[0][step.at[0]], &items[1][step.at[1]])) {
      SR_PUSH(k->arena, &settled, step);
      continue;
    }
    for (int s = 0; s < 2; s++)
      if (step.at[s] != SR_NONE) {
        SrMeldStep alone = {{SR_NONE, SR_NONE}};
        alone.at[s] = step.at[s];
        plan->after += items[s][step.at[s]].cost;
        SR_PUSH(k->arena, &settled, alone);
      }
  }
  line = (SrMeldLine){plan->step.count, settled.count};
  for (uint32_t i = 0; i < settled.count; i++)
    SR_PUSH(k->arena, &plan->step, settled.at[i]);
  count_guards(plan, line, items);
  return line;
}

static SrMeldLine plan_line(SrMeldPlan *plan, const SrMeldPair *read, uint32_t region[2],
                            uint32_t part) {
  uint32_t count;
  const SrMeldItem *items[2] = {sr_meld_items(read->side[0], region[0], part, &count),
                                sr_meld_items(read->side[1], region[1], part, &count)};
  return settle_line(plan, read, align(plan, read, region, part), items);
}

/* Adds the branch, and the OpSelects that it needs, to the costs. */
static void count_end(SrMeldPlan *plan, uint32_t a, uint32_t b) {
  const SrMeld *k = plan->pair.k;
  int32_t selects = sr_meld_match_ends(&plan->pair, sr_terminator(&k->f->blocks[a]),
                                       sr_terminator(&k->f->blocks[b]));
  plan->after += SR_MELD_BRANCH + (selects > 0 ? (uint32_t)selects * SR_MELD_SELECT : 0);
}

/* Can the terminators' operands be chosen? Their values are integers and booleans. */
static bool can_choose_ends(const SrMeldPair *p, uint32_t a, uint32_t b) {
  const SrMeld *k = p->k;
  return sr_meld_match_ends(p, sr_terminator(&k->f->blocks[a]), sr_terminator(&k->f->blocks[b])) !=
         SR_MELD_NEVER;
}

static bool plan_regions(SrMeldPlan *plan, const SrMeldPair *read, uint32_t a, uint32_t b) {
  SrMeld *k = plan->pair.k;
  const SrMeldRegion *x = &read->side[0]->region.at[a], *y = &read->side[1]->region.at[b];
  const SrMeldPart *in_x = &read->side[0]->part.at[x->part],
                   *in_y = &read->side[1]->part.at[y->part];
  uint32_t region[2] = {a, b};
  SrMeldPair any = plan->pair;
  any.partner = NULL;
  for (uint32_t i = 0; i < x->parts; i++)
    if (!can_choose_ends(&any, in_x[i].block, in_y[i].block))
      return false;
  if (!x->loop && !can_choose_ends(&any, x->pre, y->pre))
    return false;
  SrMeldJoined joined = {{a, b}, plan->line.count};
  pair_region_phis(plan, plan->pair.partner, region, false);
  if (x->loop)
    plan->after += SR_MELD_BRANCH;
  else
    count_end(plan, x->pre, y->pre);
  for (uint32_t i = 0; i < x->parts; i++)
    SR_PUSH(k->arena, &plan->line, (SrMeldLine){0, 0});
  for (uint32_t i = 0; i < x->parts; i++) {
    SrMeldLine line = plan_line(plan, read, region, i);
    plan->line.at[joined.line + i] = line;
    count_end(plan, in_x[i].block, in_y[i].block);
  }
  pair_region_phis(plan, plan->pair.partner, region, true);
  plan->joined_of[a] = plan->joined.count;
  SR_PUSH(k->arena, &plan->joined, joined);
  return true;
}

/* May OpSelect take the place of the join's phis? */
static bool can_join(const SrMeldPlan *plan) {
  SrMeld *k = plan->pair.k;
  SrModule *m = k->m;
  for (SR_EACH(m, r, k->f->blocks[plan->join].list)) {
    uint32_t type = sr_inst(m, r)->type;
    if (sr_inst(m, r)->op == SpvOpPhi && (!sr_type_can_phi(m, type) || !sr_select_width(m, type)))
      return false;
  }
  return true;
}

/* Could melding pay if all common operations became one? */
static bool may_pay(SrMeldPlan *plan) {
  const SrMeldSide *const *s = plan->pair.side;
  uint32_t regions[2] = {0, 0}, count[2];
  const SrMeldItem *items[2];
  for (int i = 0; i < 2; i++) {
    items[i] = sr_meld_items(s[i], SR_NONE, 0, &count[i]);
    for (uint32_t r = 0; r < s[i]->region.count; r++)
      regions[i] += s[i]->region.at[r].cost;
  }
  if (regions[0] && regions[1])
    return true;
  uint32_t blocks = s[0]->block.count + s[1]->block.count;
  uint64_t saved = blocks * SR_MELD_BRANCH + common_cost(plan->pair.k, items, count);
  return saved * 100 >= plan->before * (uint64_t)plan->pair.k->threshold;
}

bool sr_meld_plan(SrMeldPlan *plan, SrIdTable *first) {
  SrMeld *k = plan->pair.k;
  const SrMeldSide *const *s = plan->pair.side;
  uint32_t top[2] = {SR_NONE, SR_NONE};
  SrMeldPair read = plan->pair;
  plan->before = s[0]->cost + s[1]->cost + SR_MELD_BRANCH;
  plan->after = SR_MELD_BRANCH;
  plan->phi_of = plan->chosen = (SrMap){.arena = k->arena};
  if (!can_join(plan) || !may_pay(plan))
    return false;
  guess_all(plan, first);
  read.partner = first;
  plan->joined_of = sr_new_none(k->arena, s[0]->region.count);
  SR_PUSH(k->arena, &plan->line, (SrMeldLine){0, 0});
  SrMeldLine line = plan_line(plan, &read, top, 0);
  plan->line.at[0] = line;
  return k->work > 0;
}

bool sr_meld_pays(const SrMeldPlan *plan) {
  return plan->after < plan->before && (plan->before - plan->after) * (uint64_t)100 >=
                                           plan->before * (uint64_t)plan->pair.k->threshold;
}

/* ---- gaps ---- */

uint32_t sr_meld_gap(const SrMeldPlan *plan, SrArena *arena, SrMeldLine line, uint32_t i,
                     const SrMeldItem *const items[2], SrMeldGap *gap) {
  uint32_t end = i;
  *gap = (SrMeldGap){0};
  while (end < line.first + line.count &&
         (plan->step.at[end].at[0] == SR_NONE || plan->step.at[end].at[1] == SR_NONE))
    end++;
  for (int s = 0; s < 2; s++) {
    gap->at[s] = SR_NEW_RAW(arena, uint32_t, end - i);
    for (uint32_t x = i; x < end; x++)
      if (plan->step.at[x].at[s] != SR_NONE)
        gap->at[s][gap->count[s]++] = plan->step.at[x].at[s];
    uint32_t from = 0, to = gap->count[s];
    while (from < to && !items[s][gap->at[s][from]].guarded)
      from++;
    while (to > from && !items[s][gap->at[s][to - 1]].guarded)
      to--;
    gap->guard_from[s] = from;
    gap->guard_to[s] = to;
  }
  return end;
}
