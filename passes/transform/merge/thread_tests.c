/* SPDX-License-Identifier: Apache-2.0 */
/* thread_tests: see thread_tests.h. The tests are copied for each edge into them (copy_blocks.h),
 * as blocks with one successor. */
#include "passes/transform/merge/thread_tests.h"
#include "passes/ir/id_table.h"
#include "passes/ir/integer.h"
#include "passes/transform/copy/copy_blocks.h"

/* The most copies of a block, on average. */
enum { MOST_COPIES = 4 };

typedef enum Step { STAYS, PASSES, DECIDES } Step; /* the role of a block on a lane's path */

/* A copy of a block, and its only successor. */
typedef struct Copy {
  uint32_t block, slot;
} Copy;

/* A path from an edge through copies. */
typedef struct Path {
  uint32_t edge, first, count; /* index in g->succ; range of copies */
} Path;

/* The value of an id on the current path. */
typedef struct Known {
  uint32_t id;
  uint64_t value;
} Known;

typedef struct Walk {
  SrModule *m;
  SrFunction *f;
  SrArena *arena;
  const SrGraph *g;
  const SrNest *nest;
  uint8_t *step;          /* by block: Step */
  SrIdTable *outside;     /* by id: set if used in another block than its own */
  SrIdTable *known;       /* by id: the index in `value` of its value on the current path */
  SR_VEC(uint64_t) value; /* zero-extended from the width of its type */
  SR_VEC(Copy) copy;
  SR_VEC(Path) path;
} Walk;

/* ---- which blocks ---- */

static void find_outside(Walk *w) {
  const SrModule *m = w->m;
  w->outside = sr_ids_take(w->m);
  for (uint32_t b = 0; b < w->f->block_count; b++)
    for (SR_EACH(m, r, w->f->blocks[b].list))
      for (uint32_t i = sr_inst(m, r)->first; i < sr_word_count(m, r); i++)
        if (sr_word_is_id(m, r, i) && m->home[sr_words(m, r)[i]] != b)
          sr_ids_set(w->outside, sr_words(m, r)[i], 1);
}

static bool is_test(const Walk *w, const SrInst *in) {
  switch (in->op) {
  case SpvOpULessThanEqual:
  case SpvOpUGreaterThanEqual:
  case SpvOpUGreaterThan:
  case SpvOpISub:
    return sr_ids_get(w->outside, in->result) == SR_NONE;
  default:
    return in->op == SpvOpLabel || in->op == SpvOpPhi || in->op == SpvOpSelectionMerge ||
           in->op == SpvOpNop || sr_is_debug_line(in);
  }
}

static bool is_entered_from_behind(const Walk *w, uint32_t b) {
  for (SR_PREDS(p, w->g, b))
    if (w->nest->rank[*p] != SR_NONE && w->nest->rank[*p] >= w->nest->rank[b])
      return true;
  return false;
}

static Step step_of(const Walk *w, uint32_t b) {
  const SrModule *m = w->m;
  SrRef end = sr_terminator(&w->f->blocks[b]);
  if (b == 0 || w->nest->rank[b] == SR_NONE || is_entered_from_behind(w, b))
    return STAYS;
  for (SR_EACH(m, r, w->f->blocks[b].list))
    if (r != end && !is_test(w, sr_inst(m, r)))
      return STAYS;
  if (sr_inst(m, end)->op == SpvOpBranch)
    return PASSES;
  return sr_inst(m, end)->op == SpvOpBranchConditional && sr_succ_count(w->g, b) == 2 ? DECIDES
                                                                                      : STAYS;
}

/* ---- paths ---- */

static void know(Walk *w, uint32_t id, uint64_t value) {
  sr_ids_set(w->known, id, w->value.count);
  SR_PUSH(w->arena, &w->value, value);
}

/* Looks up the value of an id that is a constant or known on the path. */
static bool look_up(const Walk *w, uint32_t id, uint64_t *value) {
  SrInteger constant;
  uint32_t known = sr_ids_get(w->known, id);
  if (known != SR_NONE) {
    *value = w->value.at[known];
    return true;
  }
  SpvOp op = sr_def_op(w->m, id);
  if (op == SpvOpConstantTrue || op == SpvOpConstantFalse) {
    *value = op == SpvOpConstantTrue;
    return true;
  }
  if (!sr_integer_constant(w->m, id, &constant))
    return false;
  *value = constant.bits;
  return true;
}

/* Phis take their values simultaneously: all are looked up before the known ones are recorded. */
static void know_phis(Walk *w, uint32_t b, uint32_t from) {
  const SrModule *m = w->m;
  SR_VEC(Known) found = {0};
  for (SR_EACH(m, r, w->f->blocks[b].list)) {
    const uint32_t *words = sr_words(m, r);
    uint64_t value;
    if (sr_inst(m, r)->op != SpvOpPhi)
      continue;
    for (uint32_t i = 3; i + 1 < words[0] >> 16; i += 2)
      if (words[i + 1] == w->f->blocks[from].id && look_up(w, words[i], &value))
        SR_PUSH(w->arena, &found, (Known){sr_inst(m, r)->result, value});
  }
  for (uint32_t i = 0; i < found.count; i++)
    know(w, found.at[i].id, found.at[i].value);
}

/* The result for operands that are zero-extended from `width` bits. */
static uint64_t compute(SpvOp op, uint32_t width, uint64_t a, uint64_t b) {
  switch (op) {
  case SpvOpULessThanEqual:
    return a <= b;
  case SpvOpUGreaterThanEqual:
    return a >= b;
  case SpvOpUGreaterThan:
    return a > b;
  default:
    return sr_integer_cut(a - b, width);
  }
}

static uint32_t width_of(const SrModule *m, uint32_t id) {
  return sr_integer_width(m, sr_inst(m, sr_def(m, id))->type);
}

static void know_tests(Walk *w, uint32_t b) {
  const SrModule *m = w->m;
  for (SR_EACH(m, r, w->f->blocks[b].list)) {
    const SrInst *in = sr_inst(m, r);
    const uint32_t *words = sr_words(m, r);
    uint64_t x, y;
    if (in->op == SpvOpPhi || !in->result || !in->type || sr_is_debug_line(in) ||
        !look_up(w, words[3], &x) || !look_up(w, words[4], &y))
      continue;
    uint32_t width = width_of(m, words[3]);
    if (width == width_of(m, words[4])) /* as SPIR-V requires */
      know(w, in->result, compute((SpvOp)in->op, width, x, y));
  }
}

/* The slot by which lanes that come from block `from` leave b, or SR_NONE. */
static uint32_t exit_slot(Walk *w, uint32_t b, uint32_t from) {
  const SrModule *m = w->m;
  know_phis(w, b, from);
  if (w->step[b] == PASSES)
    return 0;
  know_tests(w, b);
  uint64_t condition;
  const uint32_t *end = sr_words(m, sr_terminator(&w->f->blocks[b]));
  if (!look_up(w, end[1], &condition))
    return SR_NONE;
  uint32_t target = sr_block_of(m, end[condition ? 2 : 3]);
  return w->g->succ[w->g->succ_at[b]] == target ? 0 : 1;
}

/* Follows the lanes of an edge to the last test whose result is known. */
static void follow(Walk *w, uint32_t from, uint32_t edge) {
  uint32_t b = w->g->succ[edge], first = w->copy.count, decided = first;
  sr_ids_clear(w->known);
  w->value.count = 0;
  while (w->step[b] != STAYS) {
    uint32_t slot = exit_slot(w, b, from);
    if (slot == SR_NONE)
      break;
    SR_PUSH(w->arena, &w->copy, (Copy){b, slot});
    if (w->step[b] == DECIDES)
      decided = w->copy.count;
    from = b;
    b = w->g->succ[w->g->succ_at[b] + slot];
  }
  w->copy.count = decided;
  if (decided > first)
    SR_PUSH(w->arena, &w->path, (Path){edge, first, decided - first});
}

static void find_paths(Walk *w) {
  uint32_t most = MOST_COPIES * w->g->count;
  for (uint32_t i = 0; i < w->nest->count; i++) {
    uint32_t b = w->nest->order[i];
    if (w->step[b] != STAYS)
      continue;
    for (uint32_t e = w->g->succ_at[b]; e < w->g->succ_at[b + 1] && w->copy.count < most; e++)
      follow(w, b, e);
  }
}

/* ---- the plan ---- */

/* The nodes are the blocks, then the copies. */
static SrGraph *make_graph(Walk *w) {
  const SrGraph *g = w->g;
  uint32_t *to = SR_NEW_RAW(w->arena, uint32_t, g->succ_at[g->count]);
  SR_VEC(SrEdge) edges = {0};
  memcpy(to, g->succ, g->succ_at[g->count] * sizeof *to);
  for (uint32_t i = 0; i < w->path.count; i++)
    to[w->path.at[i].edge] = g->count + w->path.at[i].first;
  for (uint32_t b = 0; b < g->count; b++)
    for (uint32_t e = g->succ_at[b]; e < g->succ_at[b + 1]; e++)
      SR_PUSH(w->arena, &edges, (SrEdge){b, to[e]});
  for (uint32_t i = 0; i < w->path.count; i++)
    for (uint32_t k = 0; k < w->path.at[i].count; k++) {
      uint32_t c = w->path.at[i].first + k;
      bool last = k + 1 == w->path.at[i].count;
      uint32_t after = g->succ[g->succ_at[w->copy.at[c].block] + w->copy.at[c].slot];
      SR_PUSH(w->arena, &edges, (SrEdge){g->count + c, last ? after : g->count + c + 1});
    }
  return sr_graph_new(w->arena, g->count + w->copy.count, edges.at, edges.count);
}

static SrCopyPlan *make_plan(Walk *w) {
  const SrGraph *all = make_graph(w);
  uint32_t *block = SR_NEW_RAW(w->arena, uint32_t, all->count);
  for (uint32_t n = 0; n < all->count; n++)
    block[n] = n < w->g->count ? n : w->copy.at[n - w->g->count].block;
  return sr_copy_plan_of(w->arena, w->g, all, block);
}

SrStatus sr_thread_tests(SrModule *m, SrFunction *f, SrArena *arena, SrTransformCounts *counts,
                         bool *changed) {
  Walk w = {.m = m, .f = f, .arena = arena};
  w.g = sr_cfg_build(arena, m, f);
  w.nest = sr_nest_build(arena, w.g);
  w.step = SR_NEW(arena, uint8_t, f->block_count);
  w.known = sr_ids_take(m);
  find_outside(&w);
  for (uint32_t b = 0; b < f->block_count; b++)
    w.step[b] = (uint8_t)step_of(&w, b);
  find_paths(&w);
  sr_ids_give(m, w.known);
  sr_ids_give(m, w.outside);
  if (w.path.count == 0)
    return SR_OK;
  *changed = true;
  SrTransformCounts copied = {0};
  SrStatus status = sr_copy_blocks(m, f, arena, make_plan(&w), &copied);
  counts->added_phis += copied.added_phis;
  counts->added_instructions += copied.added_instructions;
  return status;
}
