/* SPDX-License-Identifier: Apache-2.0 */
/* switch_row: see switch_row.h. The edges into each block J are sorted by the dominator tree, so
 * that those out of one case are contiguous. They are redirected to the test after the case, each
 * once: inner switches come first, and the last test of a row, which leads to J, replaces one of
 * these edges. */
#include "passes/transform/reconverge/switch_row.h"
#include "passes/analysis/graph/dom.h"
#include "passes/base/sort.h"
#include "passes/ir/constants.h"
#include "passes/ir/edit.h"
#include "passes/ir/pointer.h"
#include "passes/transform/reconverge/switch_case.h"

#include <assert.h>

/* An edge into some J. */
typedef struct Source {
  uint32_t block; /* where it starts: a block of the function, or an added one */
  uint32_t place; /* in the tree: the place of the block where the edge started at first */
  uint32_t skip;  /* the next edge that has not been redirected, perhaps into another J */
} Source;

/* A block whose edge into J now leads into a test. */
typedef struct Taken {
  uint32_t block, next;
} Taken;

/* An added block. */
typedef struct Test {
  uint32_t join; /* J */
  uint32_t from; /* the block of the test before; SR_NONE: it has an edge to J, and is in `taken` */
  uint32_t taken; /* first in its list, or SR_NONE: this is the entry of a row, and has no phis */
  uint32_t phi;   /* id of the first of its phis, one for each of J's */
  uint32_t next;  /* another test with the same J, or SR_NONE */
} Test;

/* A target of the current switch. */
typedef struct Arm {
  uint32_t block;
  uint32_t join;         /* J, or SR_NONE if it is not a case of a row */
  uint32_t first, count; /* its cases */
  bool is_default;
} Arm;

typedef struct Rows {
  SrModule *m;
  SrFunction *f;
  SrArena *arena;
  SrTransformCounts *counts;
  const SrGraph *g;
  const SrDom *dom;
  uint32_t *leaving;  /* by block: edges that leave what it dominates */
  uint64_t *where;    /* by block: the sum of the places of their targets */
  uint32_t *row_at;   /* by block: source[row_at[b]…] lead to it */
  uint32_t *place_of; /* by block: its place among the successors of the current switch */
  uint32_t *tests_of; /* by block that is a J: its tests, linked; SR_NONE */
  Source *source;
  SR_VEC(SrBlock) block; /* f->blocks, growing */
  SR_VEC(Test) test;     /* by block - g->count */
  SR_VEC(Taken) taken;
} Rows;

/* ---- what the cases lead to ---- */

/* Finds the edges that leave the blocks that each block dominates. An edge does so if the block
 * does not strictly dominate the edge's target. So it counts for the dominators of its source up
 * to, but not including, the target's immediate dominator. */
static void find_leaving(Rows *r) {
  const SrDom *d = r->dom;
  r->leaving = SR_NEW(r->arena, uint32_t, r->g->count);
  r->where = SR_NEW(r->arena, uint64_t, r->g->count);
  for (uint32_t i = 0; i < d->reached; i++) {
    uint32_t b = d->preorder[i];
    for (SR_SUCCS(t, r->g, b)) {
      r->leaving[b]++;
      r->where[b] += d->enter[*t];
      if (d->idom[*t] == SR_NONE)
        continue;
      r->leaving[d->idom[*t]]--;
      r->where[d->idom[*t]] -= d->enter[*t];
    }
  }
  for (uint32_t i = d->reached; i-- > 1;) {
    uint32_t b = d->preorder[i];
    r->leaving[d->idom[b]] += r->leaving[b];
    r->where[d->idom[b]] += r->where[b];
  }
}

static void find_sources(Rows *r) {
  const SrDom *d = r->dom;
  uint32_t n = r->g->count;
  r->row_at = SR_NEW(r->arena, uint32_t, n + 2);
  for (uint32_t i = 0; i < d->reached; i++)
    for (SR_SUCCS(t, r->g, d->preorder[i]))
      r->row_at[*t + 2]++;
  for (uint32_t b = 2; b < n + 2; b++)
    r->row_at[b] += r->row_at[b - 1];
  r->source = SR_NEW_RAW(r->arena, Source, r->row_at[n + 1] + 1);
  for (uint32_t i = 0; i < d->reached; i++)
    for (SR_SUCCS(t, r->g, d->preorder[i])) {
      uint32_t at = r->row_at[*t + 1]++;
      r->source[at] = (Source){d->preorder[i], i, at};
    }
  r->source[r->row_at[n]] = (Source){SR_NONE, SR_NONE, r->row_at[n]}; /* end marker */
}

/* The first edge into block j, redirected or not, whose position is at least this. */
static uint32_t source_from(const Rows *r, uint32_t j, uint32_t place) {
  uint32_t low = r->row_at[j], high = r->row_at[j + 1];
  while (low < high) {
    uint32_t i = low + (high - low) / 2;
    if (r->source[i].place < place)
      low = i + 1;
    else
      high = i;
  }
  return low;
}

/* The first edge from number i on that has not been redirected. */
static uint32_t next_left(const Rows *r, uint32_t i) {
  Source *s = r->source;
  while (s[i].skip != i) { /* path halving */
    s[i].skip = s[s[i].skip].skip;
    i = s[i].skip;
  }
  return i;
}

/* Can J's phis be passed on? They are undefined for lanes that wait for their case. */
static bool can_hand_on(Rows *r, uint32_t j) {
  SrModule *m = r->m;
  for (SR_EACH(m, i, r->block.at[j].list)) {
    const SrInst *in = sr_inst(m, i);
    if (in->op == SpvOpPhi && sr_pointer_type_class(m, in->type) != SR_NONE)
      return false;
  }
  return true;
}

/* The block to which all edges lead that leave the blocks dominated by target t of switch s, except
 * edges back to t. SR_NONE if there is no such block, or if another edge enters t: its lanes would
 * pass the tests after t, although they do not come from the switch. (s can be t's dominator
 * nevertheless: another case leads to t, or a path back from the join.) */
static uint32_t find_join(Rows *r, uint32_t s, uint32_t t) {
  const SrDom *d = r->dom;
  if (d->idom[t] != s)
    return SR_NONE;
  uint32_t count = r->leaving[t];
  uint64_t where = r->where[t];
  for (SR_PREDS(p, r->g, t)) {
    if (*p == s || d->enter[*p] == SR_NONE)
      continue;
    if (!sr_dominates(d, t, *p))
      return SR_NONE;
    count--;
    where -= d->enter[t];
  }
  if (count == 0 || where % count)
    return SR_NONE;
  uint32_t j = d->preorder[where / count]; /* if there is such a block, this is it */
  return source_from(r, j, d->leave[t]) - source_from(r, j, d->enter[t]) == count ? j : SR_NONE;
}

/* ---- rows ---- */

static uint32_t new_test(Rows *r, uint32_t join, uint32_t from) {
  SrModule *m = r->m;
  SR_PUSH(m->arena, &r->block, sr_new_block(m));
  m->home[SR_LAST(&r->block).id] = r->block.count - 1;
  SR_PUSH(r->arena, &r->test, (Test){join, from, SR_NONE, 0, r->tests_of[join]});
  r->tests_of[join] = r->block.count - 1;
  r->counts->added_blocks++;
  r->counts->added_instructions++;
  return r->block.count - 1;
}

static Test *test_at(const Rows *r, uint32_t block) {
  return &r->test.at[block - r->g->count];
}

/* Redirects the branch at the end of a block from `from` to `to`. */
static void retarget(Rows *r, uint32_t block, uint32_t from, uint32_t to) {
  SrModule *m = r->m;
  SrRef end = sr_terminator(&r->block.at[block]);
  uint32_t *w = sr_words(m, end), old = r->block.at[from].id;
  for (uint32_t i = 0; (i = sr_next_target(m, end, i));)
    if (w[i] == old)
      w[i] = r->block.at[to].id;
}

static void take(Rows *r, uint32_t source, uint32_t test) {
  Test *t = test_at(r, test);
  SR_PUSH(r->arena, &r->taken, (Taken){r->source[source].block, t->taken});
  t->taken = r->taken.count - 1;
  retarget(r, r->source[source].block, t->join, test);
}

/* Redirects the edges from a case to J to the test. Returns the first of them, which the end of the
 * row replaces. */
static uint32_t take_case(Rows *r, uint32_t arm, uint32_t test, bool first) {
  uint32_t j = test_at(r, test)->join, end = source_from(r, j, r->dom->leave[arm]);
  uint32_t begin = next_left(r, source_from(r, j, r->dom->enter[arm]));
  for (uint32_t i = begin; i < end; i = next_left(r, i + 1)) {
    take(r, i, test);
    if (!first || i != begin)
      r->source[i].skip = i + 1;
  }
  return begin;
}

/* Records that `now` leads to `arm` in place of switch s. */
static void move_edge(Rows *r, uint32_t s, uint32_t arm, uint32_t now) {
  SrModule *m = r->m;
  uint32_t old = r->block.at[s].id;
  for (SR_EACH(m, i, r->block.at[arm].list)) {
    uint32_t *w = sr_words(m, i);
    for (uint32_t k = 4; sr_inst(m, i)->op == SpvOpPhi && k < w[0] >> 16; k += 2)
      if (w[k] == old)
        w[k] = r->block.at[now].id;
  }
  r->source[source_from(r, arm, r->dom->enter[s])].block = now;
}

/* A row of `count` arms, the default last. */
typedef struct Row {
  uint32_t s; /* the switch */
  SrRef end;  /* its OpSwitch */
  const SrSwitchCase *cases;
  uint32_t case_count;
  const Arm *arm;
  uint32_t count;
} Row;

static void put_test(Rows *r, const Row *row, uint32_t b, const Arm *arm, uint32_t next) {
  uint32_t to = r->block.at[arm->block].id, rest = r->block.at[next].id;
  SrRef test = arm->is_default
                   ? sr_switch_make(r->m, row->end, row->cases, row->case_count, rest, to)
                   : sr_switch_make(r->m, row->end, &row->cases[arm->first], arm->count, to, rest);
  sr_append(r->m, &r->block.at[b].list, test);
}

/* Builds the row from block `at`: the switch, whose branch has been removed, or an entry. */
static void make_row(Rows *r, const Row *row, uint32_t at) {
  const Arm *arm = row->arm;
  uint32_t s = row->s, j = arm->join, count = row->count, place = SR_NONE;
  uint32_t direct = next_left(r, source_from(r, j, r->dom->enter[s]));
  for (uint32_t i = 0; i < count; i++) {
    uint32_t next = i + 1 < count ? new_test(r, j, at) : j;
    if (i + 1 < count) {
      uint32_t first = take_case(r, arm[i].block, next, i == 0);
      place = i ? place : first;
    }
    if (i == 0 && at == s && direct < r->row_at[j + 1] && r->source[direct].block == s) {
      test_at(r, next)->from = SR_NONE;
      take(r, direct, next);
      r->source[direct].skip = direct + 1;
    }
    put_test(r, row, at, &arm[i], next);
    if (at != s)
      move_edge(r, s, arm[i].block, at);
    at = next == j ? at : next;
  }
  r->source[place].block = at;
}

/* ---- switches ---- */

static int by_join(const void *a, const void *b) {
  const Arm *x = a, *y = b;
  if (x->join != y->join)
    return x->join < y->join ? -1 : 1;
  if (x->is_default != y->is_default)
    return x->is_default ? 1 : -1;
  return (x->first > y->first) - (x->first < y->first);
}

static uint32_t find_arms(Rows *r, uint32_t s, const SrSwitchCase *cases, uint32_t count,
                          Arm *arms) {
  uint32_t n = sr_succ_count(r->g, s), joined = 0;
  for (uint32_t i = 0; i < n; i++) {
    uint32_t t = r->g->succ[r->g->succ_at[s] + i];
    arms[i] = (Arm){.block = t, .join = find_join(r, s, t), .is_default = i == 0};
    if (arms[i].join != SR_NONE && !can_hand_on(r, arms[i].join))
      arms[i].join = SR_NONE;
    joined += arms[i].join != SR_NONE;
  }
  for (uint32_t k = 0; k < count; k++) {
    Arm *a = &arms[cases[k].place];
    a->first = a->count++ ? a->first : k;
  }
  sr_sort(r->arena, arms, n, sizeof *arms, by_join);
  return joined;
}

/* Does the row hold all targets of the switch except J? Then the row begins with the switch. */
static bool is_whole(const Rows *r, uint32_t s, const Arm *arm, uint32_t count) {
  uint32_t n = sr_succ_count(r->g, s);
  bool direct = false;
  for (SR_SUCCS(t, r->g, s))
    direct = direct || *t == arm->join;
  return count + direct == n;
}

static void take_switch(Rows *r, uint32_t s) {
  SrModule *m = r->m;
  SrRef end = sr_terminator(&r->block.at[s]);
  uint32_t n = sr_succ_count(r->g, s);
  for (uint32_t i = 0; i < n; i++)
    r->place_of[r->g->succ[r->g->succ_at[s] + i]] = i;
  SrSwitchCase *cases = SR_NEW_RAW(r->arena, SrSwitchCase, sr_word_count(m, end));
  uint32_t count = sr_switch_cases(r->arena, m, end, r->place_of, cases);
  Arm *arms = SR_NEW_RAW(r->arena, Arm, n);
  uint32_t joined = find_arms(r, s, cases, count, arms);
  for (uint32_t i = 0, k; i < joined; i = k) {
    for (k = i + 1; k < joined && arms[k].join == arms[i].join; k++)
      ;
    bool whole = is_whole(r, s, &arms[i], k - i);
    if (k - i < (whole ? 2 : 3))
      continue;
    uint32_t at = s;
    if (whole) {
      sr_remove(m, &r->block.at[s].list, end);
    } else {
      at = new_test(r, arms[i].join, SR_NONE);
      for (uint32_t a = i; a < k; a++)
        retarget(r, s, arms[a].block, at);
    }
    make_row(r, &(Row){s, end, cases, count, &arms[i], k - i}, at);
  }
}

/* ---- J's phis ---- */

/* One phi of J, by number, and its value on the edges from each block. */
typedef struct Handed {
  Rows *r;
  uint32_t join, number, undef;
  uint32_t *value, *epoch, now; /* by block; value is valid where epoch is now */
} Handed;

static uint32_t value_from(const Handed *h, uint32_t block) {
  if (block >= h->r->g->count) {
    const Test *t = test_at(h->r, block);
    if (t->join == h->join && t->taken != SR_NONE)
      return t->phi + h->number;
  }
  return h->epoch[block] == h->now ? h->value[block] : h->undef;
}

static void put_operand(const Handed *h, uint32_t block) {
  sr_put_id(h->r->m, value_from(h, block));
  sr_put_id(h->r->m, h->r->block.at[block].id);
}

static void read_phi(Handed *h, SrRef phi) {
  SrModule *m = h->r->m;
  const uint32_t *w = sr_words(m, phi);
  h->now++;
  for (uint32_t k = 3; k + 1 < w[0] >> 16; k += 2) {
    uint32_t b = sr_block_of(m, w[k + 1]);
    h->value[b] = w[k];
    h->epoch[b] = h->now;
  }
  h->undef = sr_undef(m, sr_inst(m, phi)->type);
}

static void put_phi(const Handed *h, uint32_t block, uint32_t type, uint32_t id) {
  SrModule *m = h->r->m;
  const Test *t = test_at(h->r, block);
  sr_begin(m, SpvOpPhi, type, id);
  if (t->from != SR_NONE)
    put_operand(h, t->from);
  for (uint32_t i = t->taken; i != SR_NONE; i = h->r->taken.at[i].next)
    put_operand(h, h->r->taken.at[i].block);
  SrBlock *b = &h->r->block.at[block];
  sr_insert_before(m, &b->list, sr_inst(m, b->label)->next, sr_end(m));
  m->home[id] = block;
  h->r->counts->added_phis++;
}

/* Rebuilds J's phi for the edges that it still has. */
static void rebuild_phi(const Handed *h, SrRef phi) {
  Rows *r = h->r;
  SrModule *m = r->m;
  const SrInst old = *sr_inst(m, phi);
  uint32_t count = sr_word_count(m, phi);
  sr_begin(m, SpvOpPhi, old.type, old.result);
  for (uint32_t i = next_left(r, r->row_at[h->join]); i < r->row_at[h->join + 1];
       i = next_left(r, i + 1))
    put_operand(h, r->source[i].block);
  for (uint32_t k = 3; k + 1 < count; k += 2) {
    uint32_t b = sr_block_of(m, sr_words(m, phi)[k + 1]);
    if (b < r->g->count && r->dom->enter[b] == SR_NONE) /* unreachable, and still there */
      put_operand(h, b);
  }
  SrRef made = sr_end(m);
  sr_inst(m, made)->added = old.added;
  sr_insert_before(m, &r->block.at[h->join].list, phi, made);
  sr_remove(m, &r->block.at[h->join].list, phi);
}

static uint32_t count_phis(const Rows *r, uint32_t block) {
  uint32_t count = 0;
  for (SR_EACH(r->m, i, r->block.at[block].list))
    count += sr_inst(r->m, i)->op == SpvOpPhi;
  return count;
}

static void name_phis(Rows *r, uint32_t join) {
  uint32_t count = count_phis(r, join);
  for (uint32_t t = r->tests_of[join]; t != SR_NONE; t = test_at(r, t)->next)
    for (uint32_t k = 0; test_at(r, t)->taken != SR_NONE && k < count; k++) {
      uint32_t id = sr_fresh_id(r->m);
      test_at(r, t)->phi = k ? test_at(r, t)->phi : id;
    }
}

static void hand_on(Handed *h) {
  Rows *r = h->r;
  name_phis(r, h->join);
  h->number = 0;
  SrRef end = sr_first_ordinary(r->m, &r->block.at[h->join]);
  for (SR_EACH_SAFE_FROM(r->m, i, r->block.at[h->join].list.first, end)) {
    if (sr_inst(r->m, i)->op != SpvOpPhi)
      continue;
    read_phi(h, i);
    for (uint32_t t = r->tests_of[h->join]; t != SR_NONE; t = test_at(r, t)->next)
      if (test_at(r, t)->taken != SR_NONE)
        put_phi(h, t, sr_inst(r->m, i)->type, test_at(r, t)->phi + h->number);
    rebuild_phi(h, i);
    h->number++;
  }
}

static SrStatus hand_on_all(Rows *r) {
  Handed h = {.r = r,
              .value = SR_NEW_RAW(r->arena, uint32_t, r->block.count),
              .epoch = SR_NEW(r->arena, uint32_t, r->block.count)};
  for (h.join = 0; h.join < r->g->count; h.join++) {
    if (r->tests_of[h.join] == SR_NONE)
      continue;
    hand_on(&h);
    SR_CHECK(sr_check_bound(r->m));
  }
  return SR_OK;
}

/* ---- all of it ---- */

/* Makes the rows of all divergent switches, inner ones first. */
static SrStatus take_all(Rows *r, const SrBits *divergent) {
  uint32_t count = r->f->block_count;
  assert(count > 0);
  r->dom = sr_dom_build(r->arena, r->g, 0);
  r->place_of = SR_NEW_RAW(r->arena, uint32_t, count);
  r->tests_of = sr_new_none(r->arena, count);
  SR_RESERVE(r->m->arena, &r->block, count);
  memcpy(r->block.at, r->f->blocks, count * sizeof *r->f->blocks);
  r->block.count = count;
  find_leaving(r);
  find_sources(r);
  for (uint32_t i = r->dom->reached; i-- > 0;) {
    uint32_t b = r->dom->preorder[i];
    if (sr_bit(divergent, b) && sr_succ_count(r->g, b) > 2)
      take_switch(r, b);
  }
  r->f->blocks = r->block.at;
  r->f->block_count = r->block.count;
  return hand_on_all(r);
}

SrStatus sr_switch_rows(SrArena *arena, SrModule *m, SrFunction *f, const SrBits *divergent,
                        SrTransformCounts *counts) {
  Rows r = {.m = m, .f = f, .arena = arena, .counts = counts, .g = sr_cfg_build(arena, m, f)};
  for (uint32_t b = 0; b < r.g->count; b++)
    if (sr_bit(divergent, b) && sr_succ_count(r.g, b) > 2)
      return take_all(&r, divergent);
  return SR_OK;
}
