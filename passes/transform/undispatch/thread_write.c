/* SPDX-License-Identifier: Apache-2.0 */
/* thread_write: see thread_write.h. Time: the phis on all paths, and for each variable the blocks
 * where it is live. */
#include "passes/transform/undispatch/thread_write.h"

#include "passes/base/sort.h"
#include "passes/ir/decorations.h"
#include "passes/ir/edit.h"
#include "passes/ir/hint.h"
#include "passes/transform/undispatch/live_variable.h"
#include "passes/transform/undispatch/same_id.h"
#include "passes/transform/undispatch/thread_values.h"

/* A phi of a block that lanes pass. */
typedef struct Variable {
  uint32_t id, type, home; /* its old block */
} Variable;

/* A value of a variable: on an edge of the graph, or wanted. */
typedef struct Set {
  uint32_t variable, edge, value;
} Set;

/* A place that needs a variable: a word of an instruction, or a stand-in for it (inst SR_NONE, the
 * id in `word`). */
typedef struct Want {
  uint32_t variable, node;
  SrRef inst;
  uint32_t word;
} Want;

typedef struct Write {
  SrThreadGraph *t;
  SrModule *m;
  SrArena *arena;
  const SrThreadPlan *plan;
  SrThreadLayout *l;
  SrTransformCounts *counts;
  SrIdTable *number; /* by id: of its variable */
  SR_VEC(Variable) variable;
  SR_VEC(Set) set;
  SR_VEC(Want) want;
  uint32_t *phi_base;      /* by index in t->phi, for kept blocks: its operands in `operand` */
  uint32_t *operand;       /* by predecessor in the new graph */
  SrThreadValues values;   /* along the current path */
  SrIdTable *in_its_place; /* by id of a variable: the stand-in for it at the end of `owner` */
  uint32_t owner;
  SrIdTable *same_as; /* by id: the id that replaces it */
  uint64_t limit;     /* words of the pool */
  uint32_t max_growth;
} Write;

/* ---- variables ---- */

/* The phis of all blocks that some path bypasses. */
static void find_variables(Write *w) {
  const SrThreadGraph *t = w->t;
  SrBits *passed = sr_bits_new(w->arena, t->g->count);
  for (uint32_t i = 0; i < w->l->edge.count; i++) {
    const SrThreadPath *path = &w->plan->path.at[w->l->edge.at[i].path];
    for (uint32_t k = path->first; k < path->first + path->count; k++)
      sr_bit_set(passed, w->plan->step.at[k].block);
  }
  for (uint32_t b = 0; b < t->g->count; b++)
    for (uint32_t i = t->phi_at[b]; sr_bit(passed, b) && i < t->phi_at[b + 1]; i++) {
      const SrInst *in = sr_inst(w->m, t->phi[i]);
      sr_ids_set(w->number, in->result, w->variable.count);
      SR_PUSH(w->arena, &w->variable, (Variable){in->result, in->type, b});
    }
}

/* The id that holds at the end of block `from` what `id` held there in the old function. */
static uint32_t at_end(Write *w, uint32_t from, uint32_t id) {
  uint32_t v = sr_ids_get(w->number, id);
  if (v == SR_NONE || w->variable.at[v].home == from)
    return id;
  uint32_t node = w->l->node_of[from];
  if (w->owner != node)
    sr_ids_clear(w->in_its_place);
  w->owner = node;
  uint32_t known = sr_ids_get(w->in_its_place, id);
  if (known != SR_NONE)
    return known;
  uint32_t stand_in = sr_fresh_id(w->m);
  w->m->home[stand_in] = node;
  sr_ids_set(w->in_its_place, id, stand_in);
  SR_PUSH(w->arena, &w->want, (Want){v, node, SR_NONE, stand_in});
  return stand_in;
}

/* ---- paths ---- */

/* Sets a variable on an edge, unless the variable keeps the value that it has at the end of
 * `from`. */
static void set(Write *w, uint32_t edge, uint32_t from, uint32_t id, uint32_t value) {
  uint32_t v = sr_ids_get(w->number, id);
  if (value == id && w->variable.at[v].home != from)
    return;
  SR_PUSH(w->arena, &w->set, (Set){v, edge, at_end(w, from, value)});
}

/* Sets the exported phis of block b on an edge, to their values at the end of the path. Each block
 * is visited once on each path. */
static void set_phis(Write *w, uint32_t edge, uint32_t from, uint32_t b) {
  const SrThreadGraph *t = w->t;
  if (!sr_bit(t->exports, b))
    return;
  for (uint32_t i = t->phi_at[b]; i < t->phi_at[b + 1]; i++) {
    uint32_t id = sr_inst(w->m, t->phi[i])->result;
    set(w, edge, from, id, sr_thread_values_get(&w->values, id));
  }
}

/* A path may pass a block twice; only its last visit counts. */
static bool comes_again(const Write *w, const SrThreadPath *path, uint32_t i, uint32_t *last) {
  return last[w->plan->step.at[i].block] != i - path->first;
}

static void follow(Write *w, const SrThreadEdge *e, uint32_t *last) {
  const SrThreadGraph *t = w->t;
  const SrThreadPath *path = &w->plan->path.at[e->path];
  uint32_t from = w->l->node.at[w->l->node.at[e->from].owner].block;
  bool home_again = false;
  sr_thread_values_follow(&w->values, path);
  for (uint32_t i = path->first; i < path->first + path->count; i++) {
    last[w->plan->step.at[i].block] = i - path->first;
    home_again = home_again || w->plan->step.at[i].block == from;
  }
  for (uint32_t i = path->first; i < path->first + path->count; i++)
    if (!comes_again(w, path, i, last))
      set_phis(w, e->edge, from, w->plan->step.at[i].block);
  if (!home_again && t->phi_at[from] < t->phi_at[from + 1] &&
      sr_ids_get(w->number, sr_inst(w->m, t->phi[t->phi_at[from]])->result) != SR_NONE)
    set_phis(w, e->edge, from, from);
  uint32_t place = e->edge - w->l->graph->pred_at[w->l->node_of[path->to]];
  for (uint32_t i = t->phi_at[path->to]; i < t->phi_at[path->to + 1]; i++)
    w->operand[w->phi_base[i] + place] =
        at_end(w, from, sr_thread_values_operand(&w->values, path, i));
}

static void follow_all(Write *w) {
  const SrThreadGraph *t = w->t;
  uint32_t words = 0, *last = SR_NEW_RAW(w->arena, uint32_t, t->g->count);
  w->phi_base = SR_NEW(w->arena, uint32_t, (size_t)t->phi_at[t->g->count] + 1);
  for (uint32_t b = 0; b < t->g->count; b++)
    for (uint32_t i = t->phi_at[b]; i < t->phi_at[b + 1]; i++) {
      w->phi_base[i] = words;
      words += w->l->node_of[b] == SR_NONE ? 0 : sr_pred_count(w->l->graph, w->l->node_of[b]);
    }
  w->operand = SR_NEW(w->arena, uint32_t, words);
  w->owner = SR_NONE;
  for (uint32_t i = 0; i < w->l->edge.count; i++)
    follow(w, &w->l->edge.at[i], last);
}

/* ---- blocks ---- */

static uint32_t label_of(const Write *w, uint32_t node) {
  return w->t->f->blocks[node].id;
}

/* Puts the blocks into their new order, with the added ones between them. */
static SrBlock *order_blocks(Write *w) {
  const SrThreadLayout *l = w->l;
  SrBlock *blocks = SR_NEW_RAW(w->m->arena, SrBlock, l->node.count);
  for (uint32_t n = 0; n < l->node.count; n++) {
    uint32_t b = l->node.at[n].block;
    blocks[n] = b == SR_NONE ? sr_new_block(w->m) : w->t->f->blocks[b];
  }
  return blocks;
}

/* Forgets the blocks that are dropped, and gives values and labels their new homes. */
static void move_homes(Write *w, const SrBlock *before) {
  SrModule *m = w->m;
  const SrFunction *f = w->t->f;
  for (uint32_t b = 0; b < w->t->g->count; b++)
    if (w->l->node_of[b] == SR_NONE)
      sr_undefine_block(m, &before[b]);
  for (uint32_t n = 0; n < f->block_count; n++)
    for (SR_EACH(m, r, f->blocks[n].list))
      if (sr_inst(m, r)->result)
        m->home[sr_inst(m, r)->result] = n;
}

static void drop(Write *w, SrList *list, SrRef r) {
  uint32_t id = sr_inst(w->m, r)->result;
  sr_remove(w->m, list, r);
  if (!id)
    return;
  w->m->def[id] = w->m->home[id] = SR_NONE;
  w->m->ids_gone = true;
}

static void branch(Write *w, uint32_t node) {
  const SrThreadNode *n = &w->l->node.at[node];
  const uint32_t *to = &w->l->to.at[n->out_at];
  SrModule *m = w->m;
  bool forks = n->condition && to[0] != to[1];
  uint32_t from = w->l->node.at[n->owner].block;
  uint32_t condition = forks ? at_end(w, from, n->condition) : 0;
  sr_begin(m, forks ? SpvOpBranchConditional : SpvOpBranch, 0, 0);
  if (forks)
    sr_put_id(m, condition);
  sr_put_id(m, label_of(w, to[0]));
  if (forks)
    sr_put_id(m, label_of(w, to[1]));
  SrRef r = sr_end(m);
  sr_append(m, &w->t->f->blocks[node].list, r);
  if (n->block == SR_NONE)
    w->counts->added_instructions++;
  else
    sr_inst(m, r)->added = false;
}

/* Rewrites the terminator of a block that keeps its choice; `slot_of`: by block before, room for
 * all. */
static void retarget(Write *w, uint32_t node, uint32_t *target_of) {
  const SrThreadNode *n = &w->l->node.at[node];
  const SrGraph *g = w->t->g;
  SrRef end = sr_terminator(&w->t->f->blocks[node]);
  for (uint32_t i = 0; i < n->out_count; i++)
    target_of[g->succ[g->succ_at[n->block] + i]] = w->l->to.at[n->out_at + i];
  uint32_t *words = sr_words(w->m, end);
  for (uint32_t i = 0; (i = sr_next_target(w->m, end, i));)
    words[i] = label_of(w, target_of[w->m->home[words[i]]]);
}

/* Do all edges of the node lead to one block? */
static bool is_jump(const Write *w, const SrThreadNode *n) {
  for (uint32_t i = 1; i < n->out_count; i++)
    if (w->l->to.at[n->out_at + i] != w->l->to.at[n->out_at])
      return false;
  return n->out_count > 0;
}

static void end_block(Write *w, uint32_t node, uint32_t *target_of) {
  const SrThreadNode *n = &w->l->node.at[node];
  SrBlock *b = &w->t->f->blocks[node];
  if (n->block == SR_NONE) {
    branch(w, node);
  } else if (n->condition || is_jump(w, n)) {
    drop(w, &b->list, sr_terminator(b));
    branch(w, node);
  } else if (n->out_count) {
    retarget(w, node, target_of);
  }
}

/* The kept block that all lanes of block b, which is dropped, reach next; SR_NONE: there is
 * none. */
static uint32_t kept_after(const Write *w, uint32_t b) {
  const SrGraph *g = w->t->g;
  for (uint32_t n = 0; n < g->count && sr_succ_count(g, b) == 1; n++) {
    b = g->succ[g->succ_at[b]];
    if (w->l->node_of[b] != SR_NONE)
      return b;
  }
  return SR_NONE;
}

/* Keeps the hints (selection and loop controls). Lanes on a threaded path skip its blocks, so a
 * loop header among these begins fewer iterations, and its hints are loosened. If a header is
 * dropped, its hint goes to the next block that is kept. */
static void keep_hints(Write *w) {
  SrModule *m = w->m;
  SrBlock *blocks = w->t->f->blocks;
  for (uint32_t b = 0; b < w->t->g->count; b++)
    sr_hint_take(m, &blocks[b]);
  if (!sr_hint_any(m, SpvOpLoopMerge))
    return;
  for (uint32_t i = 0; i < w->l->edge.count; i++) {
    const SrThreadPath *path = &w->plan->path.at[w->l->edge.at[i].path];
    for (uint32_t k = path->first; k < path->first + path->count; k++)
      sr_hint_loosen(m, blocks[w->plan->step.at[k].block].id);
  }
  for (uint32_t b = 0; b < w->t->g->count; b++) {
    if (w->l->node_of[b] != SR_NONE || sr_hint_of(m, blocks[b].id, SpvOpLoopMerge) == SR_NONE)
      continue;
    uint32_t next = kept_after(w, b);
    if (next != SR_NONE && sr_hint_of(m, blocks[next].id, SpvOpLoopMerge) == SR_NONE)
      sr_hint_put_before(m, blocks[b].id, blocks[next].id);
  }
}

/* The targets of branches name labels whose homes are still the blocks before. */
static void write_blocks(Write *w) {
  SrFunction *f = w->t->f;
  const SrBlock *before = f->blocks;
  keep_hints(w);
  uint32_t *target_of = SR_NEW_RAW(w->arena, uint32_t, w->t->g->count);
  f->blocks = order_blocks(w);
  f->block_count = w->l->node.count;
  for (uint32_t n = 0; n < f->block_count; n++)
    end_block(w, n, target_of);
  move_homes(w, before);
}

/* ---- values ---- */

static void find_uses(Write *w) {
  const SrModule *m = w->m;
  for (uint32_t n = 0; n < w->l->node.count; n++) {
    /* a fork reads values at the end of the block that it belongs to */
    uint32_t block = w->l->node.at[w->l->node.at[n].owner].block;
    for (SR_EACH(m, r, w->t->f->blocks[n].list)) {
      if (sr_inst(m, r)->op == SpvOpPhi)
        continue;
      for (uint32_t i = sr_inst(m, r)->first; i < sr_word_count(m, r); i++) {
        uint32_t v = sr_word_is_id(m, r, i) ? sr_ids_get(w->number, sr_words(m, r)[i]) : SR_NONE;
        if (v != SR_NONE && w->variable.at[v].home != block)
          SR_PUSH(w->arena, &w->want, (Want){v, n, r, i});
      }
    }
  }
}

static int by_variable(const void *a, const void *b) {
  uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b; /* the first field of both structs */
  return (x > y) - (x < y);
}

typedef struct Solve {
  SrSsa ssa;
  SrLiveVariable live;
  SR_VEC(uint32_t) wanted;
} Solve;

/* The id that holds the variable at the start of a node. */
static uint32_t value_at(Write *w, Solve *k, const Variable *v, uint32_t node) {
  uint32_t id = sr_ssa_id(&k->ssa, node, v->type);
  if (sr_keeps_in_place(w->m, v->id, id))
    return id;
  SrBlock *b = &w->t->f->blocks[node];
  id = sr_keep_in_place(w->m, &b->list, sr_first_ordinary(w->m, b), v->type, v->id, id);
  w->m->home[id] = node;
  w->counts->added_instructions++;
  return id;
}

static void solve_one(Write *w, Solve *k, uint32_t variable, const Set *sets, uint32_t set_count,
                      const Want *wants, uint32_t want_count) {
  const Variable *v = &w->variable.at[variable];
  sr_ssa_begin(&k->ssa);
  for (uint32_t i = 0; i < set_count; i++)
    sr_ssa_set(&k->ssa, sets[i].edge, sets[i].value);
  k->wanted.count = 0;
  for (uint32_t i = 0; i < want_count; i++)
    SR_PUSH(w->arena, &k->wanted, wants[i].node);
  sr_live_variable_solve(&k->live, k->wanted.at, k->wanted.count);
  sr_ssa_make_phis(&k->ssa, v->type, sr_kept(w->m, v->id));
  for (uint32_t i = 0, id = 0; i < want_count; i++) {
    if (i == 0 || wants[i].node != wants[i - 1].node)
      id = value_at(w, k, v, wants[i].node);
    if (wants[i].inst == SR_NONE)
      sr_ids_set(w->same_as, wants[i].word, id);
    else
      sr_words(w->m, wants[i].inst)[wants[i].word] = id;
  }
}

static SrStatus check_growth(const Write *w) {
  if (w->m->pool.count <= w->limit)
    return SR_OK;
  SrWhere where = {.function = sr_function_name(w->m, w->arena, w->t->f), .word = SR_NONE};
  return sr_fail(w->m->diag, SR_BAD_INPUT, where,
                 "undispatch would add phis of more than %u %% of its words: raise --max-growth, "
                 "or leave the dispatch as it is",
                 w->max_growth);
}

static SrStatus solve_all(Write *w) {
  Solve k = {
      .ssa = {.m = w->m, .f = w->t->f, .graph = w->l->graph, .dom = w->l->dom, .arena = w->arena}};
  sr_ssa_init(&k.ssa);
  k.live = sr_live_variable_new(&k.ssa);
  sr_sort(w->arena, w->set.at, w->set.count, sizeof *w->set.at, by_variable);
  sr_sort(w->arena, w->want.at, w->want.count, sizeof *w->want.at, by_variable);
  uint32_t s = 0, n = 0;
  for (uint32_t v = 0; v < w->variable.count; v++) {
    uint32_t set_at = s, want_at = n;
    for (; s < w->set.count && w->set.at[s].variable == v; s++)
      ;
    for (; n < w->want.count && w->want.at[n].variable == v; n++)
      ;
    if (n > want_at)
      solve_one(w, &k, v, &w->set.at[set_at], s - set_at, &w->want.at[want_at], n - want_at);
    SR_CHECK(check_growth(w));
    SR_CHECK(sr_check_bound(w->m));
  }
  w->counts->added_phis += k.ssa.added_phis;
  return SR_OK;
}

/* ---- phis ---- */

/* The value of a phi that has only one, where it is available; else 0. */
static uint32_t one_value(const Write *w, uint32_t phi, const uint32_t *operand, uint32_t count) {
  uint32_t found = 0;
  for (uint32_t i = 0; i < count; i++) {
    uint32_t id = sr_same_id(w->same_as, operand[i]);
    if (id == phi || id == found)
      continue;
    if (found)
      return 0;
    found = id;
  }
  return found && (count == 1 || w->m->home[found] == SR_NONE) ? found : 0;
}

static void write_phi(Write *w, uint32_t node, SrRef r, const uint32_t *operand) {
  SrModule *m = w->m;
  SrBlock *b = &w->t->f->blocks[node];
  const SrInst old = *sr_inst(m, r);
  sr_begin(m, SpvOpPhi, old.type, old.result);
  for (SR_PREDS(p, w->l->graph, node)) {
    sr_put_id(m, *operand++);
    sr_put_id(m, label_of(w, *p));
  }
  SrRef phi = sr_end(m);
  sr_inst(m, phi)->added = old.added;
  sr_insert_before(m, &b->list, r, phi);
  sr_remove(m, &b->list, r);
}

/* Gives the phis of the function their new operands; drops those with one value, unless NonUniform
 * would be lost. */
static void write_phis(Write *w) {
  const SrThreadGraph *t = w->t;
  for (uint32_t n = 0; n < w->l->node.count; n++) {
    uint32_t b = w->l->node.at[n].block;
    if (b == SR_NONE)
      continue;
    for (uint32_t i = t->phi_at[b]; i < t->phi_at[b + 1]; i++) {
      const uint32_t *operand = &w->operand[w->phi_base[i]];
      uint32_t id = sr_inst(w->m, t->phi[i])->result;
      uint32_t same = one_value(w, id, operand, sr_pred_count(w->l->graph, n));
      if (same && sr_keeps_in_place(w->m, id, same)) {
        drop(w, &t->f->blocks[n].list, t->phi[i]);
        sr_ids_set(w->same_as, id, same);
      } else {
        write_phi(w, n, t->phi[i], operand);
      }
    }
  }
}

/* Forgets the stand-ins, which are no longer used. */
static void forget_stand_ins(Write *w) {
  for (uint32_t i = 0; i < w->want.count; i++)
    if (w->want.at[i].inst == SR_NONE)
      w->m->home[w->want.at[i].word] = SR_NONE;
}

/* ---- all of it ---- */

static SrStatus write_graph(Write *w) {
  find_variables(w);
  follow_all(w);
  write_blocks(w);
  find_uses(w);
  w->limit = w->m->pool.count + sr_count_words(w->m, w->t->f) * w->max_growth / 100;
  SR_CHECK(solve_all(w));
  write_phis(w);
  sr_same_id_rename(w->m, w->t->f, w->same_as);
  forget_stand_ins(w);
  w->counts->added_blocks += w->l->added;
  return SR_OK;
}

SrStatus sr_thread_write(SrThreadGraph *t, const SrThreadPlan *plan, uint32_t max_growth,
                         SrTransformCounts *counts) {
  Write w = {.t = t,
             .m = t->m,
             .arena = t->arena,
             .plan = plan,
             .counts = counts,
             .max_growth = max_growth};
  w.l = sr_thread_layout(t, plan);
  w.number = sr_ids_take(t->m);
  w.values = sr_thread_values_new(t, plan);
  w.in_its_place = sr_ids_take(t->m);
  w.same_as = sr_ids_take(t->m);
  SrStatus status = write_graph(&w);
  sr_ids_give(t->m, w.number);
  sr_thread_values_end(&w.values);
  sr_ids_give(t->m, w.in_its_place);
  sr_ids_give(t->m, w.same_as);
  return status;
}
