/* SPDX-License-Identifier: Apache-2.0 */
/* selector_variable: see selector_variable.h. Time of the promotion: for each variable its loads,
 * its stores, and the blocks where it is live. */
#include "passes/transform/undispatch/selector_variable.h"

#include "passes/analysis/graph/cycle.h"
#include "passes/base/sort.h"
#include "passes/ir/constants.h"
#include "passes/ir/decorations.h"
#include "passes/ir/edit.h"
#include "passes/ir/memory_operands.h"
#include "passes/transform/undispatch/live_variable.h"
#include "passes/transform/undispatch/same_id.h"
#include "passes/transform/undispatch/selector_value.h"
#include "passes/transform/undispatch/thread_graph.h"

enum {
  MOST_READ = 64, /* instructions between a branch and the loads that it depends on */
  MOST_LIVE = 64  /* limit on the blocks where variables are live, for each block of the function */
};

/* ---- which variables ---- */

typedef struct Find {
  SrArena *arena;
  SrModule *m;
  const SrFunction *f;
  const SrNest *nest;
  SrIdTable *number;     /* by id of a variable: its index in `state` */
  SR_VEC(bool) is_plain; /* by variable: it is only loaded and stored */
  SR_VEC(bool) is_taken;
  SR_VEC(SrSelectorAccess) access;
  uint32_t *first; /* by variable, and one more: its accesses, once sorted */
  SrIdTable *seen; /* ids read for the current branch */
  SR_VEC(uint32_t) work;
} Find;

static void find_variables(Find *k) {
  SrModule *m = k->m;
  for (SR_EACH(m, r, k->f->blocks[0].list)) {
    const SrInst in = *sr_inst(m, r);
    if (in.op != SpvOpVariable || sr_words(m, r)[3] != SpvStorageClassFunction)
      continue;
    uint32_t type = sr_words(m, sr_def(m, in.type))[3];
    if (!sr_type_can_phi(m, type) || sr_is_decorated(m, in.result, SpvDecorationVolatile))
      continue;
    sr_ids_set(k->number, in.result, k->is_plain.count);
    SR_PUSH(k->arena, &k->is_plain, true);
    SR_PUSH(k->arena, &k->is_taken, false);
  }
}

/* Is word i of the instruction the pointer of a load or store that is not volatile? */
static bool is_access(const SrModule *m, SrRef r, uint32_t i) {
  uint32_t op = sr_inst(m, r)->op;
  if (!(op == SpvOpLoad && i == 3) && !(op == SpvOpStore && i == 1))
    return false;
  return !sr_memory_has(m, r, SpvMemoryAccessVolatileMask);
}

static void note_word(Find *k, uint32_t block, SrRef r, uint32_t i) {
  uint32_t v = sr_ids_get(k->number, sr_words(k->m, r)[i]);
  if (v == SR_NONE)
    return;
  if (is_access(k->m, r, i))
    SR_PUSH(k->arena, &k->access, (SrSelectorAccess){v, block, r});
  else
    k->is_plain.at[v] = false;
}

static int by_variable(const void *a, const void *b) {
  const SrSelectorAccess *x = a, *y = b;
  return (x->variable > y->variable) - (x->variable < y->variable);
}

/* All accesses, by variable, in the order of the function. An initializer is stored first. */
static void find_accesses(Find *k) {
  const SrModule *m = k->m;
  for (uint32_t b = 0; b < k->f->block_count; b++)
    for (SR_EACH(m, r, k->f->blocks[b].list)) {
      if (sr_inst(m, r)->op == SpvOpVariable) {
        uint32_t v = sr_ids_get(k->number, sr_inst(m, r)->result);
        if (v != SR_NONE && sr_word_count(m, r) > 4)
          SR_PUSH(k->arena, &k->access, (SrSelectorAccess){v, b, r});
        continue;
      }
      for (uint32_t i = sr_inst(m, r)->first; i < sr_word_count(m, r); i++)
        if (sr_word_is_id(m, r, i))
          note_word(k, b, r, i);
    }
  if (k->access.count)
    sr_sort(k->arena, k->access.at, k->access.count, sizeof *k->access.at, by_variable);
  k->first = SR_NEW(k->arena, uint32_t, (size_t)k->is_plain.count + 1);
  for (uint32_t i = 0; i < k->access.count; i++)
    k->first[k->access.at[i].variable + 1] = i + 1;
  for (uint32_t v = 0; v < k->is_plain.count; v++)
    if (k->first[v + 1] < k->first[v])
      k->first[v + 1] = k->first[v];
}

/* The value that an access stores; 0: it is a load. */
static uint32_t stored(const SrModule *m, SrRef r) {
  const uint32_t *w = sr_words(m, r);
  return sr_inst(m, r)->op == SpvOpStore ? w[2] : sr_inst(m, r)->op == SpvOpVariable ? w[4] : 0;
}

static bool is_choice_of_constants(const Find *k, const SrSelectorValues *nothing, uint32_t id) {
  SrSelectorValue v = sr_selector_value(k->m, nothing, id);
  return v.known || v.fork;
}

/* By variable: the ranks of the blocks that store constants. */
typedef struct Stores {
  uint32_t *first, *rank;
} Stores;

static int ascending(const void *a, const void *b) {
  uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
  return (x > y) - (x < y);
}

static Stores find_stores(Find *k) {
  SrSelectorValues nothing = {.arena = k->arena, .at = sr_ids_take(k->m)};
  Stores s = {SR_NEW(k->arena, uint32_t, (size_t)k->is_plain.count + 1),
              SR_NEW_RAW(k->arena, uint32_t, k->access.count)};
  uint32_t count = 0;
  for (uint32_t v = 0; v < k->is_plain.count; v++) {
    for (uint32_t i = k->first[v]; i < k->first[v + 1]; i++) {
      const SrSelectorAccess *a = &k->access.at[i];
      uint32_t value = stored(k->m, a->inst);
      if (value && k->nest->rank[a->block] != SR_NONE && is_choice_of_constants(k, &nothing, value))
        s.rank[count++] = k->nest->rank[a->block];
    }
    s.first[v + 1] = count;
    if (count > s.first[v])
      sr_sort(k->arena, &s.rank[s.first[v]], count - s.first[v], sizeof *s.rank, ascending);
  }
  sr_ids_give(k->m, nothing.at);
  return s;
}

/* Is there a store in the ranks of the cycle? */
static bool stores_in(const Find *k, const Stores *s, uint32_t v, uint32_t cycle) {
  uint32_t low = s->first[v], high = s->first[v + 1];
  if (cycle == SR_NONE)
    return low < high;
  while (low < high) {
    uint32_t i = low + (high - low) / 2;
    if (s->rank[i] < k->nest->cycles[cycle].first)
      low = i + 1;
    else
      high = i;
  }
  return low < s->first[v + 1] && s->rank[low] <= k->nest->cycles[cycle].last;
}

static void read_variables(Find *k, uint32_t id) {
  if (sr_ids_get(k->seen, id) != SR_NONE || k->m->home[id] == SR_NONE ||
      sr_def(k->m, id) == SR_NONE)
    return;
  sr_ids_set(k->seen, id, 1);
  SR_PUSH(k->arena, &k->work, id);
}

/* Takes the variables on which the choice of block b depends. */
static void take_variables(Find *k, const Stores *s, uint32_t b) {
  const SrModule *m = k->m;
  SrRef end = sr_terminator(&k->f->blocks[b]);
  sr_ids_clear(k->seen);
  k->work.count = 0;
  read_variables(k, sr_words(m, end)[1]);
  for (uint32_t i = 0; i < k->work.count && i < MOST_READ; i++) {
    SrRef r = sr_def(m, k->work.at[i]);
    if (sr_inst(m, r)->op == SpvOpLoad) {
      uint32_t v = sr_ids_get(k->number, sr_words(m, r)[3]);
      if (v != SR_NONE && k->is_plain.at[v] &&
          stores_in(k, s, v, k->nest->inner[m->home[k->work.at[i]]]))
        k->is_taken.at[v] = true;
    } else if (sr_selector_is_computed(m, r)) {
      for (uint32_t w = 3; w < sr_word_count(m, r); w++)
        read_variables(k, sr_words(m, r)[w]);
    }
  }
}

static void take_selectors(Find *k) {
  const Stores s = find_stores(k);
  for (uint32_t b = 0; b < k->f->block_count; b++) {
    uint16_t op = sr_inst(k->m, sr_terminator(&k->f->blocks[b]))->op;
    if (k->nest->rank[b] != SR_NONE && (op == SpvOpBranchConditional || op == SpvOpSwitch))
      take_variables(k, &s, b);
  }
}

/* ---- what an edge stores ---- */

/* Does the block only store to variables, and branch? Flattening makes such blocks from the edges
 * to phis, when it turns the phis into variables. */
static bool only_stores(const Find *k, uint32_t b) {
  const SrModule *m = k->m;
  SrRef end = sr_terminator(&k->f->blocks[b]);
  for (SR_EACH(m, r, k->f->blocks[b].list)) {
    const SrInst *in = sr_inst(m, r);
    if (r != end && in->op != SpvOpLabel && in->op != SpvOpNop && !sr_is_debug_line(in) &&
        !(in->op == SpvOpStore && sr_ids_get(k->number, sr_words(m, r)[1]) != SR_NONE))
      return false;
  }
  return sr_inst(m, end)->op == SpvOpBranch;
}

/* Takes the variables that are stored on edges. */
static void take_stored(Find *k) {
  SrBits *edges = sr_bits_new(k->arena, k->f->block_count);
  for (uint32_t b = 1; b < k->f->block_count; b++)
    if (only_stores(k, b))
      sr_bit_set(edges, b);
  for (uint32_t i = 0; i < k->access.count; i++) {
    const SrSelectorAccess *a = &k->access.at[i];
    if (k->is_plain.at[a->variable] && sr_bit(edges, a->block))
      k->is_taken.at[a->variable] = true;
  }
}

SrSelectorVariables sr_selector_variables(SrArena *arena, SrModule *m, const SrFunction *f,
                                          SrSelectorKind kind) {
  SrSelectorVariables found = {.arena = arena};
  Find k = {.arena = arena, .m = m, .f = f, .number = sr_ids_take(m), .seen = sr_ids_take(m)};
  find_variables(&k);
  if (k.is_plain.count) {
    found.graph = sr_cfg_build(arena, m, f);
    k.nest = sr_nest_build(arena, found.graph);
    find_accesses(&k);
    if (kind == SR_SELECTORS)
      take_selectors(&k);
    else
      take_stored(&k);
  }
  for (uint32_t v = 0; v < k.is_plain.count; v++)
    for (uint32_t i = k.first[v]; k.is_taken.at[v] && i < k.first[v + 1]; i++)
      SR_PUSH(arena, &found.access, k.access.at[i]);
  sr_ids_give(m, k.number);
  sr_ids_give(m, k.seen);
  return found;
}

/* ---- promotion ---- */

typedef struct Promote {
  SrModule *m;
  SrFunction *f;
  SrSsa ssa;
  SrLiveVariable live;
  const uint32_t *pred;        /* by edge in graph->succ (sr_thread_graph_preds) */
  SrIdTable *same_as;          /* by id of a load: its value */
  SrKept kept;                 /* what a phi of the variable's values keeps */
  uint32_t copies;             /* copies that were made */
  SR_VEC(uint32_t) wanted;     /* blocks whose first access is a load */
  SR_VEC(uint32_t) from_start; /* loads of the value at the start of their block */
} Promote;

/* Lets `value` replace a load: through a copy that is NonUniform, if the load is NonUniform and the
 * value is not. */
static void replace_load(Promote *p, SrRef load, uint32_t value) {
  SrModule *m = p->m;
  uint32_t id = sr_inst(m, load)->result, type = sr_inst(m, load)->type, block = m->home[id];
  if (!sr_keeps_in_place(m, id, value)) {
    value = sr_keep_in_place(m, &p->f->blocks[block].list, load, type, id, value);
    m->home[value] = block;
    p->copies++;
  }
  sr_ids_set(p->same_as, id, value);
}

/* Processes the accesses of one block. Returns the value at the block's end; 0: it is the same as
 * at its start. */
static uint32_t run_block(Promote *p, const SrSelectorAccess *a, uint32_t count) {
  uint32_t now = 0;
  bool wants = false;
  for (uint32_t i = 0; i < count; i++) {
    uint32_t value = stored(p->m, a[i].inst), load = sr_inst(p->m, a[i].inst)->result;
    if (value) {
      now = sr_same_id(p->same_as, value);
      p->kept = sr_kept_joined(p->kept, sr_kept(p->m, value));
    } else if (now) {
      replace_load(p, a[i].inst, now);
    } else {
      SR_PUSH(p->ssa.arena, &p->from_start, load);
      wants = true;
    }
  }
  if (wants)
    SR_PUSH(p->ssa.arena, &p->wanted, a->block);
  return now;
}

static void set_at_end(Promote *p, uint32_t block, uint32_t value) {
  const SrGraph *g = p->ssa.graph;
  for (uint32_t e = g->succ_at[block]; e < g->succ_at[block + 1]; e++)
    sr_ssa_set(&p->ssa, g->pred_at[g->succ[e]] + p->pred[e], value);
}

/* Replaces the loads of one variable; returns the number of blocks where it is live. */
static uint32_t promote(Promote *p, const SrSelectorAccess *a, uint32_t count) {
  uint32_t type = 0;
  p->wanted.count = p->from_start.count = 0;
  p->kept = SR_KEPT_OF_NONE;
  sr_ssa_begin(&p->ssa);
  for (uint32_t i = 0, j; i < count; i = j) {
    for (j = i + 1; j < count && a[j].block == a[i].block; j++)
      ;
    uint32_t value = run_block(p, &a[i], j - i);
    if (value)
      set_at_end(p, a[i].block, value);
  }
  for (uint32_t i = 0; i < count && !type; i++)
    if (sr_inst(p->m, a[i].inst)->op == SpvOpLoad)
      type = sr_inst(p->m, a[i].inst)->type;
  uint32_t live = sr_live_variable_solve(&p->live, p->wanted.at, p->wanted.count);
  sr_ssa_make_phis(&p->ssa, type, p->kept);
  for (uint32_t i = 0; i < p->from_start.count; i++) {
    uint32_t load = p->from_start.at[i];
    replace_load(p, sr_def(p->m, load), sr_ssa_id(&p->ssa, p->m->home[load], type));
  }
  return live;
}

static uint32_t pointer_of(const SrModule *m, SrRef r) {
  const SrInst *in = sr_inst(m, r);
  return in->op == SpvOpVariable ? in->result : sr_words(m, r)[in->op == SpvOpLoad ? 3 : 1];
}

static void drop(SrModule *m, SrFunction *f, uint32_t block, SrRef r) {
  uint32_t id = sr_inst(m, r)->result;
  sr_remove(m, &f->blocks[block].list, r);
  if (!id)
    return;
  m->def[id] = m->home[id] = SR_NONE;
  m->ids_gone = true;
}

/* Removes the accesses, and the variable. */
static void remove_variable(Promote *p, const SrSelectorAccess *a, uint32_t count) {
  uint32_t variable = pointer_of(p->m, a->inst);
  for (uint32_t i = 0; i < count; i++)
    if (sr_inst(p->m, a[i].inst)->op != SpvOpVariable)
      drop(p->m, p->f, a[i].block, a[i].inst);
  drop(p->m, p->f, 0, sr_def(p->m, variable));
}

void sr_selector_variables_promote(SrSelectorVariables *v, SrModule *m, SrFunction *f,
                                   SrTransformCounts *counts, bool *changed) {
  if (v->access.count == 0)
    return;
  Promote p = {.m = m, .f = f, .same_as = sr_ids_take(m)};
  p.ssa = (SrSsa){.m = m, .f = f, .graph = v->graph, .arena = v->arena};
  p.ssa.dom = sr_dom_build(v->arena, v->graph, 0);
  p.pred = sr_thread_graph_preds(v->arena, v->graph);
  sr_ssa_init(&p.ssa);
  p.live = sr_live_variable_new(&p.ssa);
  uint64_t live = 0;
  uint32_t done = 0;
  for (uint32_t j; done < v->access.count && live < (uint64_t)MOST_LIVE * f->block_count;
       done = j) {
    for (j = done + 1;
         j < v->access.count && v->access.at[j].variable == v->access.at[done].variable; j++)
      ;
    live += promote(&p, &v->access.at[done], j - done);
  }
  sr_same_id_rename(m, f, p.same_as);
  for (uint32_t i = 0, j; i < done; i = j) {
    for (j = i + 1; j < done && v->access.at[j].variable == v->access.at[i].variable; j++)
      ;
    remove_variable(&p, &v->access.at[i], j - i);
  }
  sr_ids_give(m, p.same_as);
  counts->added_phis += p.ssa.added_phis;
  counts->added_instructions += p.copies;
  *changed = true;
}
