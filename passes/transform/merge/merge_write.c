/* SPDX-License-Identifier: Apache-2.0 */
/* merge_write: see merge_write.h. */
#include "passes/transform/merge/merge_write.h"
#include "passes/ir/constants.h"
#include "passes/ir/decorations.h"
#include "passes/ir/edit.h"
#include "passes/ir/hint.h"
#include "passes/source/source_walk.h"
#include "passes/transform/merge/merge_lines.h"

/* ---- debug instructions ---- */

/* Would the debug instruction be wrong for some lanes? In a merged block only lines and scopes of
 * all copies are right. */
static bool is_wrong_for_some(const SrMergeGraph *g, uint32_t b, SrRef r) {
  if (!g->block[b].merged || !sr_is_debug_line(sr_inst(g->m, r)) || sr_prints(g->m, r))
    return false;
  return sr_source_mark(g->m, r) == SR_MARK_OTHER || sr_merge_line_lost(g, r);
}

/* ---- live parameters ---- */

typedef struct Live {
  SrMergeGraph *g;
  SrBits *set;
  SR_VEC(uint32_t) work;
} Live;

static void need(Live *l, uint32_t value) {
  SrMergeGraph *g = l->g;
  if (value == SR_VALUE_UNSET)
    return;
  uint32_t p = sr_merge_parameter(g, sr_merge_value(g, value));
  if (p == SR_NONE || sr_bit(l->set, p))
    return;
  sr_bit_set(l->set, p);
  SR_PUSH(g->arena, &l->work, p);
}

/* The operands of debug instructions that stay are needed, too. */
static void need_debug(Live *l, uint32_t b) {
  const SrModule *m = l->g->m;
  for (SR_EACH(m, r, l->g->f->blocks[b].list))
    if (sr_inst(m, r)->nonsemantic && !sr_prints(m, r) && !is_wrong_for_some(l->g, b, r))
      for (uint32_t w = sr_inst(m, r)->first; w < sr_word_count(m, r); w++)
        if (sr_word_is_id(m, r, w) && m->home[sr_words(m, r)[w]] != SR_NONE)
          need(l, sr_words(m, r)[w]);
}

SrBits *sr_merge_live(SrMergeGraph *g) {
  Live l = {.g = g, .set = sr_bits_new(g->arena, g->parameter.count)};
  for (uint32_t b = 0; b < g->old->count; b++) {
    const SrMergeBlock *block = &g->block[b];
    for (uint32_t i = 0; !block->gone && i < block->use_count; i++)
      need(&l, g->use.at[block->use + i].value);
    if (!block->gone)
      need_debug(&l, b);
  }
  while (l.work.count) {
    const SrParameter p = g->parameter.at[SR_POP(&l.work)];
    for (SR_MERGE_IN(g, e, next, p.block))
      need(&l, g->edge[e].argument.at[p.index]);
  }
  return l.set;
}

/* ---- writing ---- */

typedef struct Writer {
  SrMergeGraph *g;
  SrModule *m;
  const SrBits *live;
  SrTransformCounts *counts;
  uint32_t *new_id; /* by index in g->parameter: for added parameters */
} Writer;

static uint32_t id_of(Writer *w, uint32_t value, uint32_t type) {
  if (value == SR_VALUE_UNSET)
    return sr_undef(w->m, type);
  value = sr_merge_value(w->g, value);
  return value < w->g->bound ? value : w->new_id[sr_merge_parameter(w->g, value)];
}

static uint32_t label_of(const Writer *w, uint32_t b) {
  return w->g->f->blocks[b].id;
}

/* ---- decorations of added parameters ---- */

/* Each parameter starts with the properties of an empty set of values, and arguments change these.
 * Arguments may be parameters, so this is repeated until nothing changes. If that takes too many
 * sweeps, all parameters get the decorations that are always valid. */

enum { MOST_SWEEPS = 16 };

static SrKept kept_of(const Writer *w, uint32_t value, const SrKept *added) {
  const SrMergeGraph *g = w->g;
  return value < g->bound ? sr_kept(g->m, value) : added[sr_merge_parameter(g, value)];
}

static SrKept kept_of_arguments(Writer *w, const SrParameter *p, const SrKept *added) {
  SrKept kept = {p->non_uniform, true};
  for (SR_MERGE_IN(w->g, e, next, p->block)) {
    uint32_t v = w->g->edge[e].argument.at[p->index];
    if (v != SR_VALUE_UNSET)
      kept = sr_kept_joined(kept, kept_of(w, sr_merge_value(w->g, v), added));
  }
  return kept;
}

static void set_all(SrKept *kept, uint32_t count, SrKept to) {
  for (uint32_t i = 0; i < count; i++)
    kept[i] = to;
}

/* The decorations of all parameters, by index in g->parameter. */
static SrKept *find_kept(Writer *w) {
  const SrMergeGraph *g = w->g;
  SrKept *kept = SR_NEW(g->arena, SrKept, g->parameter.count);
  uint32_t sweeps = 0;
  set_all(kept, g->parameter.count, SR_KEPT_OF_NONE);
  for (bool again = sr_any_kept(g->m); again && sweeps < MOST_SWEEPS; sweeps++) {
    again = false;
    for (uint32_t i = 0; i < g->parameter.count; i++) {
      const SrParameter *p = &g->parameter.at[i];
      if (!sr_bit(w->live, i) || p->value < g->bound)
        continue;
      SrKept now = kept_of_arguments(w, p, kept);
      again |= !sr_kept_same(now, kept[i]);
      kept[i] = now;
    }
  }
  if (sweeps == MOST_SWEEPS)
    set_all(kept, g->parameter.count, (SrKept){true, false});
  return kept;
}

static void name_parameters(Writer *w) {
  SrMergeGraph *g = w->g;
  const SrKept *kept = find_kept(w);
  w->new_id = SR_NEW(g->arena, uint32_t, g->parameter.count);
  for (uint32_t i = 0; i < g->parameter.count; i++) {
    const SrParameter *p = &g->parameter.at[i];
    if (!sr_bit(w->live, i) || p->value < g->bound)
      continue;
    w->new_id[i] = sr_fresh_id(w->m);
    w->counts->added_phis++;
    sr_keep(w->m, w->new_id[i], kept[i]);
  }
}

static SrRef make_phi(Writer *w, const SrParameter *p) {
  SrMergeGraph *g = w->g;
  SrArena scratch = sr_arena_new(g->arena->heap);
  SR_VEC(uint32_t)
  words = {0}; /* ids are made first, because only one instruction can be built at
                                   a time */
  for (SR_MERGE_IN(g, e, next, p->block)) {
    SR_PUSH(&scratch, &words, id_of(w, g->edge[e].argument.at[p->index], p->type));
    SR_PUSH(&scratch, &words, label_of(w, g->edge[e].from));
  }
  sr_begin(w->m, SpvOpPhi, p->type, id_of(w, p->value, p->type));
  for (uint32_t i = 0; i < words.count; i++)
    sr_put_id(w->m, words.at[i]);
  SrRef r = sr_end(w->m);
  sr_inst(w->m, r)->added = p->value >= g->bound;
  sr_arena_free(&scratch);
  return r;
}

static void write_phis(Writer *w, uint32_t b) {
  SrMergeGraph *g = w->g;
  SrBlock *block = &g->f->blocks[b];
  for (uint32_t k = g->block[b].parameter.count; k-- > 0;) {
    uint32_t p = sr_merge_parameter(g, g->block[b].parameter.at[k]);
    const SrParameter *parameter = &g->parameter.at[p];
    if (!sr_bit(w->live, p) || sr_merge_value(g, parameter->value) != parameter->value)
      continue;
    SrRef r = make_phi(w, parameter);
    sr_insert_before(w->m, &block->list, sr_inst(w->m, block->label)->next, r);
  }
}

/* Drops phis, merges, and what is wrong for some lanes. */
static void drop_instructions(Writer *w, uint32_t b) {
  SrModule *m = w->m;
  SrList *list = &w->g->f->blocks[b].list;
  if (w->g->block[b].merged)
    sr_merge_lines_end(w->g, list);
  sr_hint_take(m, &w->g->f->blocks[b]);
  if (w->g->block[b].merged)
    sr_hint_loosen(m, w->g->f->blocks[b].id);
  for (SR_EACH_SAFE(m, r, *list)) {
    const SrInst in = *sr_inst(m, r);
    if (in.op != SpvOpPhi && !is_wrong_for_some(w->g, b, r))
      continue;
    sr_remove(m, list, r);
    if (in.result) {
      m->def[in.result] = m->home[in.result] = SR_NONE;
      m->ids_gone = true;
    }
  }
}

static void rename_all(Writer *w, uint32_t b) {
  SrModule *m = w->m;
  SrMergeGraph *g = w->g;
  for (SR_EACH(m, r, g->f->blocks[b].list))
    for (uint32_t i = sr_inst(m, r)->first; i < sr_word_count(m, r); i++) {
      uint32_t id = sr_words(m, r)[i];
      if (sr_word_is_id(m, r, i) && m->home[id] != SR_NONE)
        sr_words(m, r)[i] = id_of(w, id, 0);
    }
  const SrMergeBlock *block = &g->block[b];
  for (uint32_t i = 0; i < block->use_count; i++) {
    const SrMergeUse *u = &g->use.at[block->use + i];
    sr_words(m, u->inst)[u->word] = id_of(w, u->value, 0);
  }
  SrRef end = sr_terminator(&g->f->blocks[b]);
  uint32_t k = block->target;
  for (uint32_t i = 0; (i = sr_next_target(m, end, i)); k++)
    sr_words(m, end)[i] = label_of(w, g->edge[block->out + g->target.at[k]].to);
}

static void lay_out(SrMergeGraph *g) {
  SrFunction *f = g->f;
  SR_VEC(SrEdge) edges = {0};
  uint32_t n = 0;
  for (uint32_t b = 0; b < f->block_count; b++)
    for (uint32_t k = 0; !g->block[b].gone && k < g->block[b].out_count; k++)
      SR_PUSH(g->arena, &edges, (SrEdge){b, g->edge[g->block[b].out + k].to});
  const SrNest *nest =
      sr_nest_build(g->arena, sr_graph_new(g->arena, f->block_count, edges.at, edges.count));
  SrBlock *blocks = SR_NEW_RAW(g->m->arena, SrBlock, nest->count);
  for (; n < nest->count; n++) {
    blocks[n] = f->blocks[nest->order[n]];
    for (SR_EACH(g->m, r, blocks[n].list))
      if (sr_inst(g->m, r)->result)
        g->m->home[sr_inst(g->m, r)->result] = n;
  }
  f->blocks = blocks;
  f->block_count = n;
}

void sr_merge_write(SrMergeGraph *g, const SrBits *live, SrTransformCounts *counts) {
  Writer w = {.g = g, .m = g->m, .live = live, .counts = counts};
  name_parameters(&w);
  for (uint32_t b = 0; b < g->f->block_count; b++)
    if (!g->block[b].gone)
      rename_all(&w, b);
  for (uint32_t b = 0; b < g->f->block_count; b++)
    if (g->block[b].gone)
      sr_undefine_block(g->m, &g->f->blocks[b]);
    else
      drop_instructions(&w, b);
  for (uint32_t b = 0; b < g->f->block_count; b++)
    if (!g->block[b].gone)
      write_phis(&w, b);
  lay_out(g);
}
