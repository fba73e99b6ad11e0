/* SPDX-License-Identifier: Apache-2.0 */
/* merge_graph: see merge_graph.h. */
#include "passes/transform/merge/merge_graph.h"
#include "passes/ir/decorations.h"

bool sr_merge_is_code(const SrModule *m, SrRef r) {
  switch (sr_inst(m, r)->op) {
  case SpvOpLabel:
  case SpvOpPhi:
  case SpvOpSelectionMerge:
  case SpvOpLoopMerge:
  case SpvOpLine:
  case SpvOpNoLine:
  case SpvOpNop:
    return false;
  default:
    return !sr_inst(m, r)->nonsemantic || sr_prints(m, r);
  }
}

/* ---- values ---- */

uint32_t sr_merge_value(SrMergeGraph *g, uint32_t value) {
  uint32_t up, top;
  while ((up = sr_ids_get(g->same_as, value)) != SR_NONE) {
    if ((top = sr_ids_get(g->same_as, up)) == SR_NONE)
      return up;
    sr_ids_set(g->same_as, value, top); /* path halving */
    value = top;
  }
  return value;
}

uint32_t sr_merge_type(const SrMergeGraph *g, uint32_t value) {
  if (value >= g->bound)
    return g->parameter.at[sr_merge_parameter(g, value)].type;
  return sr_inst(g->m, sr_def(g->m, value))->type;
}

bool sr_merge_is_local(const SrMergeGraph *g, uint32_t value, uint32_t block) {
  return value < g->bound && g->m->home[value] == block && sr_merge_parameter(g, value) == SR_NONE;
}

uint32_t sr_merge_on_edge(SrMergeGraph *g, uint32_t value, uint32_t block, uint32_t edge) {
  uint32_t i = sr_merge_parameter(g, value);
  if (i == SR_NONE || g->parameter.at[i].block != block)
    return value;
  uint32_t argument = g->edge[edge].argument.at[g->parameter.at[i].index];
  return argument == SR_VALUE_UNSET ? argument : sr_merge_value(g, argument);
}

static void note_parameter(SrMergeGraph *g, uint32_t value, uint32_t type, uint32_t block,
                           uint32_t made_by) {
  SrMergeBlock *b = &g->block[block];
  SrParameter p = {value, type, block, b->parameter.count, made_by, false};
  SR_PUSH(g->arena, &b->parameter, value);
  sr_ids_set(g->parameter_of, value, g->parameter.count);
  SR_PUSH(g->arena, &g->parameter, p);
}

uint32_t sr_merge_add_parameter(SrMergeGraph *g, uint32_t block, uint32_t type, uint32_t made_by) {
  uint32_t value = g->end++;
  note_parameter(g, value, type, block, made_by);
  for (SR_MERGE_IN(g, e, next, block))
    SR_PUSH(g->arena, &g->edge[e].argument, SR_VALUE_UNSET);
  return value;
}

bool sr_merge_non_uniform(const SrMergeGraph *g, uint32_t value) {
  if (value == SR_VALUE_UNSET)
    return false;
  return value < g->bound ? sr_kept(g->m, value).non_uniform
                          : g->parameter.at[sr_merge_parameter(g, value)].non_uniform;
}

void sr_merge_stands_for(SrMergeGraph *g, uint32_t parameter, uint32_t value) {
  g->parameter.at[sr_merge_parameter(g, parameter)].non_uniform |= sr_merge_non_uniform(g, value);
}

bool sr_merge_may_join(const SrMergeGraph *g, uint32_t parameter, uint32_t value) {
  return !sr_any_kept(g->m) || parameter >= g->bound ||
         (value < g->bound && sr_kept_same(sr_kept(g->m, parameter), sr_kept(g->m, value)));
}

/* ---- edges ---- */

static uint32_t pair_key(uint32_t from, uint32_t to) {
  uint64_t key = ((uint64_t)from << 32 | to) * 0x9e3779b97f4a7c15u;
  return (uint32_t)(key >> 32);
}

/* Edges move away only from blocks that are dropped, so nothing is removed from `lead`. */
static void note_lead(SrMergeGraph *g, uint32_t from, uint32_t to) {
  uint32_t key = pair_key(from, to);
  SR_PUSH(g->arena, &g->lead, (SrMergeLead){from, to, sr_map_get(&g->led, key)});
  sr_map_set(&g->led, key, g->lead.count - 1);
}

void sr_merge_link_edge(SrMergeGraph *g, uint32_t edge, uint32_t to) {
  uint32_t first = g->block[to].in;
  g->edge[edge].to = to;
  g->edge[edge].next = first;
  g->edge[edge].before = SR_NONE;
  if (first != SR_NONE)
    g->edge[first].before = edge;
  g->block[to].in = edge;
  note_lead(g, g->edge[edge].from, to);
}

void sr_merge_unlink_edge(SrMergeGraph *g, uint32_t edge) {
  const SrMergeEdge *e = &g->edge[edge];
  *(e->before == SR_NONE ? &g->block[e->to].in : &g->edge[e->before].next) = e->next;
  if (e->next != SR_NONE)
    g->edge[e->next].before = e->before;
}

bool sr_merge_leads(const SrMergeGraph *g, uint32_t from, uint32_t to) {
  for (uint32_t i = sr_map_get(&g->led, pair_key(from, to)); i != SR_NONE; i = g->lead.at[i].next)
    if (g->lead.at[i].from == from && g->lead.at[i].to == to)
      return true;
  return false;
}

static bool is_forward(const SrMergeGraph *g, uint32_t from, uint32_t to) {
  return g->nest->rank[from] < g->nest->rank[to];
}

bool sr_merge_may_dominate(const SrMergeGraph *g, uint32_t b, uint32_t t) {
  for (SR_MERGE_IN(g, e, next, t))
    if (g->edge[e].from != b && is_forward(g, g->edge[e].from, t))
      return false;
  return is_forward(g, b, t);
}

/* ---- making ---- */

static bool is_value(const SrMergeGraph *g, uint32_t id) {
  return g->m->home[id] != SR_NONE && sr_def_op(g->m, id) != SpvOpLabel;
}

static void note_parameters(SrMergeGraph *g, uint32_t b) {
  for (SR_EACH(g->m, r, g->f->blocks[b].list)) {
    const SrInst *in = sr_inst(g->m, r);
    if (in->op == SpvOpPhi)
      note_parameter(g, in->result, in->type, b, SR_NONE);
  }
}

/* How a word is compared: a literal; an id from outside the block's function; a value of the block,
 * by its position; a value of another block, by its type. */
typedef enum Kind { LITERAL, OUTER, LOCAL, TAKEN } Kind;

static void note_word(SrMergeGraph *g, Kind kind, uint32_t what) {
  SR_PUSH(g->arena, &g->code, kind);
  SR_PUSH(g->arena, &g->code, what);
}

static void note_operand(SrMergeGraph *g, uint32_t b, SrRef r, uint32_t w) {
  uint32_t word = sr_words(g->m, r)[w];
  if (!sr_word_is_id(g->m, r, w)) {
    note_word(g, LITERAL, word);
  } else if (sr_def_op(g->m, word) == SpvOpLabel) {
    return; /* see note_targets */
  } else if (!is_value(g, word)) {
    note_word(g, OUTER, word);
  } else if (sr_merge_is_local(g, word, b)) {
    note_word(g, LOCAL, sr_ids_get(g->place, word));
  } else {
    note_word(g, TAKEN, sr_merge_type(g, word));
    SR_PUSH(g->arena, &g->use, (SrMergeUse){r, w, word});
  }
}

static void note_code(SrMergeGraph *g, uint32_t b) {
  SrModule *m = g->m;
  SrMergeBlock *block = &g->block[b];
  uint32_t place = 0;
  block->use = g->use.count;
  block->code = g->code.count;
  for (SR_EACH(m, r, g->f->blocks[b].list)) {
    const SrInst in = *sr_inst(m, r);
    if (!sr_merge_is_code(m, r))
      continue;
    if (in.result)
      sr_ids_set(g->place, in.result, place++);
    note_word(g, LITERAL, sr_words(m, r)[0]);
    note_word(g, OUTER, in.type);
    for (uint32_t w = in.first; w < sr_word_count(m, r); w++)
      note_operand(g, b, r, w);
  }
  block->use_count = g->use.count - block->use;
  block->code_count = g->code.count - block->code;
}

/* Targets that a branch names twice share an edge. */
static void note_targets(SrMergeGraph *g, uint32_t b, uint32_t *slot_of) {
  SrRef end = sr_terminator(&g->f->blocks[b]);
  for (uint32_t k = 0; k < sr_succ_count(g->old, b); k++)
    slot_of[g->old->succ[g->old->succ_at[b] + k]] = k;
  g->block[b].target = g->target.count;
  for (uint32_t i = 0; (i = sr_next_target(g->m, end, i));)
    SR_PUSH(g->arena, &g->target, slot_of[sr_block_of(g->m, sr_words(g->m, end)[i])]);
  g->block[b].target_count = g->target.count - g->block[b].target;
}

static void note_arguments(SrMergeGraph *g, uint32_t b, uint32_t *edge_from) {
  SrModule *m = g->m;
  for (SR_MERGE_IN(g, e, next, b)) {
    edge_from[g->edge[e].from] = e;
    for (uint32_t k = 0; k < g->block[b].parameter.count; k++)
      SR_PUSH(g->arena, &g->edge[e].argument, SR_VALUE_UNSET);
  }
  for (uint32_t k = 0; k < g->block[b].parameter.count; k++) {
    SrRef phi = sr_def(m, g->block[b].parameter.at[k]);
    for (uint32_t i = 3; i + 1 < sr_word_count(m, phi); i += 2) {
      uint32_t from = sr_block_of(m, sr_words(m, phi)[i + 1]);
      if (g->nest->rank[from] != SR_NONE)
        g->edge[edge_from[from]].argument.at[k] = sr_words(m, phi)[i];
    }
  }
}

static void make_edges(SrMergeGraph *g) {
  const SrGraph *old = g->old;
  g->edge = SR_NEW(g->arena, SrMergeEdge, old->succ_at[old->count]);
  for (uint32_t b = 0; b < old->count; b++) {
    g->block[b].out = old->succ_at[b];
    g->block[b].out_count = sr_succ_count(old, b);
    for (uint32_t e = old->succ_at[b]; e < old->succ_at[b + 1]; e++) {
      g->edge[e].from = b;
      g->edge[e].to = old->succ[e];
      if (g->nest->rank[b] != SR_NONE)
        sr_merge_link_edge(g, e, old->succ[e]);
    }
  }
}

SrMergeGraph *sr_merge_graph_new(SrModule *m, SrFunction *f, SrArena *arena, const SrGraph *old,
                                 const SrNest *nest) {
  SrMergeGraph *g = SR_NEW(arena, SrMergeGraph, 1);
  *g = (SrMergeGraph){.m = m, .f = f, .arena = arena, .old = old, .nest = nest};
  g->bound = g->end = sr_bound(m);
  g->led.arena = g->lost.arena = arena;
  g->block = SR_NEW(arena, SrMergeBlock, old->count);
  g->place = sr_ids_take(m);
  g->same_as = sr_ids_take(m);
  g->parameter_of = sr_ids_take(m);
  for (uint32_t b = 0; b < old->count; b++) {
    g->block[b].in = SR_NONE;
    g->block[b].gone = nest->rank[b] == SR_NONE;
  }
  make_edges(g);
  uint32_t *scratch = SR_NEW_RAW(arena, uint32_t, old->count);
  for (uint32_t b = 0; b < old->count; b++)
    if (!g->block[b].gone)
      note_parameters(g, b);
  for (uint32_t b = 0; b < old->count; b++) {
    if (g->block[b].gone)
      continue;
    note_code(g, b);
    note_targets(g, b, scratch);
    note_arguments(g, b, scratch);
  }
  return g;
}

void sr_merge_graph_done(SrMergeGraph *g) {
  sr_ids_give(g->m, g->parameter_of);
  sr_ids_give(g->m, g->same_as);
  sr_ids_give(g->m, g->place);
}

/* ---- empty blocks ---- */

static bool is_empty(const SrMergeGraph *g, uint32_t b) {
  const SrBlock *block = &g->f->blocks[b];
  if (b == 0 || g->block[b].out_count != 1)
    return false;
  for (SR_EACH(g->m, r, block->list))
    if (r != block->list.last && sr_merge_is_code(g->m, r))
      return false;
  return sr_inst(g->m, sr_terminator(block))->op == SpvOpBranch;
}

static void move_parameter(SrMergeGraph *g, uint32_t value, uint32_t to) {
  SrParameter *p = &g->parameter.at[sr_merge_parameter(g, value)];
  p->block = to;
  p->index = g->block[to].parameter.count;
  SR_PUSH(g->arena, &g->block[to].parameter, value);
}

/* May the value take the place of the parameter? */
static bool may_replace(const SrMergeGraph *g, uint32_t parameter, uint32_t value) {
  return value == SR_VALUE_UNSET || !sr_merge_non_uniform(g, parameter) ||
         sr_merge_non_uniform(g, value);
}

/* May the arguments of the only edge into t replace its parameters? */
static bool may_replace_all(SrMergeGraph *g, uint32_t t, uint32_t edge) {
  const SrMergeBlock *to = &g->block[t];
  for (uint32_t k = 0; k < to->parameter.count; k++)
    if (!may_replace(g, to->parameter.at[k], sr_merge_value(g, g->edge[edge].argument.at[k])))
      return false;
  return true;
}

/* The only edge into t comes from b: b's parameters become t's. */
static void hand_on_parameters(SrMergeGraph *g, uint32_t b, uint32_t t, uint32_t out) {
  SrMergeBlock *to = &g->block[t], *from = &g->block[b];
  for (uint32_t k = 0; k < to->parameter.count; k++)
    sr_merge_same(g, to->parameter.at[k], sr_merge_value(g, g->edge[out].argument.at[k]));
  to->parameter.count = 0;
  for (uint32_t k = 0; k < from->parameter.count; k++)
    move_parameter(g, from->parameter.at[k], t);
}

/* All other edges into t come from blocks after it. So b's parameters become t's as well, and keep
 * their values around the cycle. The edges into b carry the arguments for them after those for t's
 * own parameters. */
static void keep_parameters(SrMergeGraph *g, uint32_t b, uint32_t t) {
  const SrMergeBlock *from = &g->block[b];
  for (SR_MERGE_IN(g, e, next, t))
    for (uint32_t k = 0; k < from->parameter.count; k++)
      SR_PUSH(g->arena, &g->edge[e].argument, from->parameter.at[k]);
  for (uint32_t k = 0; k < from->parameter.count; k++)
    move_parameter(g, from->parameter.at[k], t);
}

/* Sets the arguments of edge e, which leads to b, to those that t's parameters get if e continues
 * by `out`; with `keep`, followed by those for b's own parameters. */
static void forward_edge(SrMergeGraph *g, uint32_t e, uint32_t b, uint32_t out, bool keep) {
  SR_VEC(uint32_t) argument = {0};
  for (uint32_t k = 0; k < g->edge[out].argument.count; k++) {
    uint32_t v = g->edge[out].argument.at[k];
    if (v != SR_VALUE_UNSET) {
      sr_merge_stands_for(g, g->block[g->edge[out].to].parameter.at[k], sr_merge_value(g, v));
      v = sr_merge_on_edge(g, sr_merge_value(g, v), b, e);
    }
    SR_PUSH(g->arena, &argument, v);
  }
  for (uint32_t k = 0; keep && k < g->edge[e].argument.count; k++)
    SR_PUSH(g->arena, &argument, g->edge[e].argument.at[k]);
  g->edge[e].argument.count = 0;
  for (uint32_t k = 0; k < argument.count; k++)
    SR_PUSH(g->arena, &g->edge[e].argument, argument.at[k]);
}

static void skip(SrMergeGraph *g, uint32_t b) {
  uint32_t out = g->block[b].out, t = g->edge[out].to;
  if (t == b)
    return;
  for (SR_MERGE_IN(g, e, next, b))
    if (sr_merge_leads(g, g->edge[e].from, t))
      return;
  bool dominates = sr_merge_may_dominate(g, b, t);
  sr_merge_unlink_edge(g, out);
  bool only = g->block[t].in == SR_NONE, alone = only && may_replace_all(g, t, out);
  if (only && !alone && !dominates) {
    sr_merge_link_edge(g, out, t);
    return;
  }
  for (SR_MERGE_IN(g, e, next, b)) /* while b's parameters are its own */
    if (!alone)
      forward_edge(g, e, b, out, dominates);
  if (alone)
    hand_on_parameters(g, b, t, out);
  else if (dominates)
    keep_parameters(g, b, t);
  for (SR_MERGE_IN(g, e, next, b)) {
    sr_merge_unlink_edge(g, e);
    sr_merge_link_edge(g, e, t);
  }
  g->block[b].gone = true;
}

void sr_merge_skip_empty(SrMergeGraph *g) {
  for (uint32_t i = g->nest->count; i-- > 0;)
    if (is_empty(g, g->nest->order[i]))
      skip(g, g->nest->order[i]);
}

/* ---- trivial parameters ---- */

static uint32_t only_argument(SrMergeGraph *g, const SrParameter *p) {
  uint32_t found = SR_NONE;
  for (SR_MERGE_IN(g, e, next, p->block)) {
    uint32_t v = g->edge[e].argument.at[p->index];
    if (v != SR_VALUE_UNSET)
      v = sr_merge_value(g, v);
    if (v == p->value || v == found)
      continue;
    if (v == SR_VALUE_UNSET || found != SR_NONE)
      return SR_NONE;
    found = v;
  }
  return found;
}

static bool drop_of_block(SrMergeGraph *g, uint32_t b) {
  bool dropped = false;
  for (uint32_t k = 0; k < g->block[b].parameter.count; k++) {
    uint32_t value = g->block[b].parameter.at[k];
    if (sr_merge_value(g, value) != value)
      continue;
    uint32_t v = only_argument(g, &g->parameter.at[sr_merge_parameter(g, value)]);
    if (v == SR_NONE || !may_replace(g, value, v))
      continue;
    sr_merge_same(g, value, v);
    dropped = true;
  }
  return dropped;
}

/* Visits blocks in LRPO, so that one round is enough except for values that are carried around
 * cycles. Each round but the last drops a parameter. */
void sr_merge_drop_trivial(SrMergeGraph *g) {
  for (bool again = true; again;) {
    again = false;
    for (uint32_t i = 0; i < g->nest->count; i++)
      if (!g->block[g->nest->order[i]].gone)
        again |= drop_of_block(g, g->nest->order[i]);
  }
}
