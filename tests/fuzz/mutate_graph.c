/* SPDX-License-Identifier: Apache-2.0 */
/* mutate_graph: see mutate_graph.h. Works on the library's representation of the module; splits,
 * copies and similar are those of `unstructure` (transform/unstructure/mangle.h). If a phi's
 * operand or a variable has no value on a new path, it is null, never undefined, so that a mutant
 * computes the same after every transform. */
#include "tests/fuzz/mutate_graph.h"

#include "passes/analysis/graph/dom.h"
#include "passes/ir/constants.h"
#include "passes/ir/edit.h"
#include "passes/ir/finish.h"
#include "passes/ir/reader.h"
#include "passes/ir/writer.h"
#include "passes/transform/unstructure/mangle.h"
#include "tests/equiv/gen/emit.h"
#include "tests/fuzz/mutate_switch.h"

enum { MAX_CHANGES = 4, MAX_CASES = 5 };

typedef struct Mutant {
  SrMangle k;
  SrModule *m;
  Rng *rng;
} Mutant;

static uint32_t any_block(Mutant *t) {
  return rng_below(t->rng, t->k.f->block_count);
}

/* A random block except the entry, which must not be a target; there are at least two blocks. */
static uint32_t any_target(Mutant *t) {
  return t->k.f->blocks[1 + rng_below(t->rng, t->k.f->block_count - 1)].id;
}

static SrList *list_of(Mutant *t, uint32_t b) {
  return &t->k.f->blocks[b].list;
}

static void put(Mutant *t, uint32_t b, SrRef where, SrRef r) {
  uint32_t id = sr_inst(t->m, r)->result;
  sr_insert_before(t->m, list_of(t, b), where, r);
  if (id)
    t->m->home[id] = b;
}

static SrRef terminator(Mutant *t, uint32_t b) {
  return sr_terminator(&t->k.f->blocks[b]);
}

static void drop_merge(Mutant *t, uint32_t b) {
  SrRef merge = sr_merge_inst(t->m, &t->k.f->blocks[b]);
  if (merge != SR_NONE)
    sr_remove(t->m, list_of(t, b), merge);
}

static void replace_terminator(Mutant *t, uint32_t b, SrRef r) {
  SrRef merge = sr_merge_inst(t->m, &t->k.f->blocks[b]);
  bool selection = merge != SR_NONE && sr_inst(t->m, merge)->op == SpvOpSelectionMerge;
  sr_remove(t->m, list_of(t, b), terminator(t, b));
  if (selection && sr_inst(t->m, r)->op == SpvOpBranch)
    sr_remove(t->m, list_of(t, b), merge);
  put(t, b, SR_NONE, r);
}

static void branch(Mutant *t, uint32_t b, uint32_t label) {
  sr_begin(t->m, SpvOpBranch, 0, 0);
  sr_put_id(t->m, label);
  replace_terminator(t, b, sr_end(t->m));
}

/* A condition for block b: the last that it computes, else a constant. */
static uint32_t condition_in(Mutant *t, uint32_t b) {
  uint32_t boolean = sr_type_bool(t->m), found = 0;
  for (SR_EACH(t->m, r, *list_of(t, b)))
    if (sr_inst(t->m, r)->type == boolean)
      found = sr_inst(t->m, r)->result;
  return found ? found : sr_const_bool(t->m, rng_percent(t->rng, 50));
}

static void branch_conditional(Mutant *t, uint32_t b, uint32_t yes, uint32_t no) {
  uint32_t condition = condition_in(t, b);
  sr_begin(t->m, SpvOpBranchConditional, 0, 0);
  sr_put_id(t->m, condition);
  sr_put_id(t->m, yes);
  sr_put_id(t->m, no);
  replace_terminator(t, b, sr_end(t->m));
}

/* ---- edges ----------------------------------------------------------------------------------- */

static void add_edge(Mutant *t) {
  uint32_t b = any_block(t), target = any_target(t);
  SrRef end = terminator(t, b);
  if (sr_is_leaf(sr_inst(t->m, end)->op))
    branch(t, b, target);
  else if (sr_inst(t->m, end)->op == SpvOpBranch)
    branch_conditional(t, b, sr_words(t->m, end)[1], target);
}

static void drop_edge(Mutant *t) {
  uint32_t b = any_block(t);
  SrRef end = terminator(t, b);
  uint16_t op = sr_inst(t->m, end)->op;
  if (op == SpvOpBranchConditional)
    branch(t, b, sr_words(t->m, end)[2 + rng_below(t->rng, 2)]);
  else if (op == SpvOpSwitch)
    branch(t, b, sr_words(t->m, end)[2]);
}

static void redirect(Mutant *t) {
  SrRef end = terminator(t, any_block(t));
  uint32_t target = any_target(t), count = 0;
  for (uint32_t i = 0; (i = sr_next_target(t->m, end, i)) != 0;)
    count++;
  uint32_t which = count ? rng_below(t->rng, count) : 0;
  for (uint32_t i = 0; (i = sr_next_target(t->m, end, i)) != 0;)
    if (which-- == 0)
      sr_words(t->m, end)[i] = target;
}

/* A number from the block's condition, computed before its terminator. */
static uint32_t selector_in(Mutant *t, uint32_t b) {
  SrModule *m = t->m;
  uint32_t condition = condition_in(t, b), u32 = sr_type_u32(m), id = sr_fresh_id(m);
  uint32_t yes = sr_const_u32(m, rng_below(t->rng, MAX_CASES)), no = sr_const_u32(m, 0);
  sr_begin(m, SpvOpSelect, u32, id);
  sr_put_id(m, condition);
  sr_put_id(m, yes);
  sr_put_id(m, no);
  SrRef merge = sr_merge_inst(m, &t->k.f->blocks[b]), select = sr_end(m);
  put(t, b, merge == SR_NONE ? terminator(t, b) : merge, select);
  return id;
}

/* Replaces a terminator by a switch; its old targets are among the new ones. */
static void to_switch(Mutant *t) {
  SrModule *m = t->m;
  uint32_t b = any_block(t);
  uint16_t op = sr_inst(m, terminator(t, b))->op;
  if (op != SpvOpBranch && op != SpvOpBranchConditional)
    return;
  uint32_t selector = selector_in(t, b), cases = 1 + rng_below(t->rng, MAX_CASES);
  const uint32_t *w = sr_words(m, terminator(t, b));
  uint32_t yes = op == SpvOpBranch ? w[1] : w[2], no = op == SpvOpBranch ? w[1] : w[3];
  sr_begin(m, SpvOpSwitch, 0, 0);
  sr_put_id(m, selector);
  sr_put_id(m, no);
  for (uint32_t i = 0; i < cases; i++) {
    sr_put_literal(m, i + (i && rng_percent(t->rng, 20)) * 0x10000u);
    sr_put_id(m, i == 1 || rng_percent(t->rng, 40) ? yes : any_target(t));
  }
  replace_terminator(t, b, sr_end(m));
}

/* The first block from a random one on that ends in a switch; SR_NONE: there is none. */
static uint32_t any_switch(Mutant *t) {
  uint32_t n = t->k.f->block_count, start = any_block(t);
  for (uint32_t i = 0; i < n; i++) {
    uint32_t b = (start + i) % n;
    if (sr_inst(t->m, terminator(t, b))->op == SpvOpSwitch)
      return b;
  }
  return SR_NONE;
}

/* One of the switch's targets: the word that names it. */
static uint32_t any_case(Mutant *t, SrRef end) {
  uint32_t count = 0, i = 0;
  while ((i = sr_next_target(t->m, end, i)) != 0)
    count++;
  for (uint32_t which = rng_below(t->rng, count) + 1; which; which--)
    i = sr_next_target(t->m, end, i);
  return i;
}

/* Gives two literals, or one and the default, the same target. */
static void share_case(Mutant *t) {
  uint32_t b = any_switch(t);
  if (b == SR_NONE)
    return;
  SrRef end = terminator(t, b);
  uint32_t to = any_case(t, end), from = any_case(t, end);
  sr_words(t->m, end)[to] = sr_words(t->m, end)[from];
}

/* Adds an edge from the join of arms back into one of them: a cycle that the switch enters. */
static void join_into_arm(Mutant *t) {
  uint32_t b = any_switch(t);
  if (b == SR_NONE)
    return;
  SrRef end = terminator(t, b);
  uint32_t arm = sr_words(t->m, end)[any_case(t, end)], from = arm;
  for (uint32_t steps = 1 + rng_below(t->rng, 3); steps; steps--) {
    SrRef last = terminator(t, sr_block_of(t->m, from));
    if (sr_inst(t->m, last)->op != SpvOpBranch)
      break;
    from = sr_words(t->m, last)[1];
  }
  uint32_t join = sr_block_of(t->m, from);
  SrRef last = terminator(t, join);
  uint32_t back = sr_words(t->m, end)[any_case(t, end)];
  if (join == 0 || sr_block_of(t->m, back) == 0)
    return;
  if (sr_inst(t->m, last)->op == SpvOpBranch)
    branch_conditional(t, join, sr_words(t->m, last)[1], back);
  else if (sr_inst(t->m, last)->op == SpvOpBranchConditional)
    sr_words(t->m, last)[2 + rng_below(t->rng, 2)] = back;
}

static void retype_switch(Mutant *t) {
  uint32_t b = any_switch(t);
  if (b == SR_NONE)
    return;
  SrRef merge = sr_merge_inst(t->m, &t->k.f->blocks[b]);
  mutate_switch_type(t->m, t->rng, list_of(t, b), merge == SR_NONE ? terminator(t, b) : merge, b);
}

static void join_edges(Mutant *t) {
  const SrGraph *g = sr_cfg_build(t->k.arena, t->m, t->k.f);
  uint32_t x = any_block(t), n = sr_pred_count(g, x);
  if (n > 1)
    sr_mangle_join(&t->k, x, &g->pred[g->pred_at[x]], 1 + rng_below(t->rng, n));
}

static bool any_edge(Mutant *t, const SrGraph *g, uint32_t *p, uint32_t *x) {
  *x = any_block(t);
  uint32_t n = sr_pred_count(g, *x);
  if (n)
    *p = g->pred[g->pred_at[*x] + rng_below(t->rng, n)];
  return n;
}

static void fork_edge(Mutant *t) {
  uint32_t p, x;
  if (any_edge(t, sr_cfg_build(t->k.arena, t->m, t->k.f), &p, &x))
    sr_mangle_fork(&t->k, p, x);
}

/* ---- blocks ---------------------------------------------------------------------------------- */

static void split(Mutant *t) {
  uint32_t b = any_block(t);
  SrRef r = sr_first_ordinary(t->m, &t->k.f->blocks[b]), merge;
  while (sr_inst(t->m, r)->op == SpvOpVariable)
    r = sr_inst(t->m, r)->next;
  merge = sr_merge_inst(t->m, &t->k.f->blocks[b]);
  for (uint32_t skip = rng_below(t->rng, 8);
       skip && sr_inst(t->m, r)->next != SR_NONE && r != merge; skip--)
    r = sr_inst(t->m, r)->next;
  sr_mangle_split(&t->k, b, r);
}

static void copy(Mutant *t) {
  const SrGraph *g = sr_cfg_build(t->k.arena, t->m, t->k.f);
  uint32_t p, x;
  if (any_edge(t, g, &p, &x) && sr_pred_count(g, x) > 1)
    sr_mangle_copy(&t->k, p, x);
}

static bool has_phi(Mutant *t, uint32_t b) {
  for (SR_EACH(t->m, r, *list_of(t, b)))
    if (sr_inst(t->m, r)->op == SpvOpPhi)
      return true;
  return false;
}

/* In the phis of b's successors, predecessor `from` becomes `to`. */
static void rename_parent(Mutant *t, uint32_t b, uint32_t from, uint32_t to) {
  SrRef end = terminator(t, b);
  for (uint32_t i = 0; (i = sr_next_target(t->m, end, i)) != 0;)
    for (SR_EACH(t->m, r, *list_of(t, sr_block_of(t->m, sr_words(t->m, end)[i])))) {
      uint32_t *w = sr_words(t->m, r);
      for (uint32_t k = 4; sr_inst(t->m, r)->op == SpvOpPhi && k < w[0] >> 16; k += 2)
        w[k] = w[k] == from ? to : w[k];
    }
}

/* Moves the contents of a block's only successor to the block; the successor is left empty and
 * unreachable. */
static void merge(Mutant *t) {
  SrModule *m = t->m;
  const SrGraph *g = sr_cfg_build(t->k.arena, m, t->k.f);
  uint32_t b = any_block(t);
  if (sr_inst(m, terminator(t, b))->op != SpvOpBranch)
    return;
  uint32_t s = sr_block_of(m, sr_words(m, terminator(t, b))[1]);
  if (s == b || sr_pred_count(g, s) != 1 || has_phi(t, s))
    return;
  drop_merge(t, b);
  sr_remove(m, list_of(t, b), terminator(t, b));
  for (SR_EACH_SAFE_FROM(m, r, sr_inst(m, t->k.f->blocks[s].label)->next, SR_NONE)) {
    sr_remove(m, list_of(t, s), r);
    put(t, b, SR_NONE, r);
  }
  sr_begin(m, SpvOpUnreachable, 0, 0);
  put(t, s, SR_NONE, sr_end(m));
  rename_parent(t, b, t->k.f->blocks[s].id, t->k.f->blocks[b].id);
}

static void strip_merge(Mutant *t) {
  drop_merge(t, any_block(t));
}

static void strip_merges(Mutant *t) {
  for (uint32_t b = 0; b < t->k.f->block_count; b++)
    drop_merge(t, b);
}

/* ---- values ---------------------------------------------------------------------------------- */

static uint32_t null_of(Mutant *t, uint32_t type) {
  if (!sr_type_can_phi(t->m, type) || sr_def_op(t->m, type) == SpvOpTypePointer)
    return sr_undef(t->m, type);
  uint32_t id = sr_fresh_id(t->m);
  sr_begin(t->m, SpvOpConstantNull, type, id);
  sr_append(t->m, &t->m->globals, sr_end(t->m));
  return id;
}

static uint32_t incoming(Mutant *t, SrRef phi, uint32_t label) {
  const uint32_t *w = sr_words(t->m, phi);
  for (uint32_t i = 3; i + 1 < w[0] >> 16; i += 2)
    if (w[i + 1] == label)
      return w[i];
  return 0;
}

static void fix_phi(Mutant *t, const SrGraph *g, uint32_t b, SrRef phi) {
  SrModule *m = t->m;
  uint32_t n = sr_pred_count(g, b), *value = SR_NEW(t->k.arena, uint32_t, n);
  uint32_t type = sr_inst(m, phi)->type, result = sr_inst(m, phi)->result;
  for (uint32_t i = 0; i < n; i++) {
    value[i] = incoming(t, phi, t->k.f->blocks[g->pred[g->pred_at[b] + i]].id);
    value[i] = value[i] ? value[i] : null_of(t, type);
  }
  sr_begin(m, SpvOpPhi, type, result);
  for (uint32_t i = 0; i < n; i++) {
    sr_put_id(m, value[i]);
    sr_put_id(m, t->k.f->blocks[g->pred[g->pred_at[b] + i]].id);
  }
  put(t, b, phi, sr_end(m));
  sr_remove(m, list_of(t, b), phi);
}

static void fix_phis(Mutant *t) {
  const SrGraph *g = sr_cfg_build(t->k.arena, t->m, t->k.f);
  for (uint32_t b = 0; b < g->count; b++)
    for (SR_EACH_PHI(t->m, r, *list_of(t, b)))
      fix_phi(t, g, b, r);
}

/* If word i of r, in block u, names a value whose defining block does not dominate this use: that
 * block; else SR_NONE. */
static uint32_t lost_value(Mutant *t, const SrDom *dom, uint32_t u, SrRef r, uint32_t i) {
  const SrModule *m = t->m;
  const uint32_t *w = sr_words(m, r);
  if (!sr_word_is_id(m, r, i) || m->home[w[i]] == SR_NONE || sr_def_op(m, w[i]) == SpvOpLabel)
    return SR_NONE;
  uint32_t at = sr_inst(m, r)->op == SpvOpPhi ? sr_block_of(m, w[i + 1]) : u;
  uint32_t from = m->home[w[i]];
  bool reached = dom->enter[at] != SR_NONE, made = dom->enter[from] != SR_NONE;
  return reached && !(made && sr_dominates(dom, from, at)) ? from : SR_NONE;
}

static void fix_values(Mutant *t) {
  uint32_t count = t->k.f->block_count;
  const SrDom *dom = sr_dom_build(t->k.arena, sr_cfg_build(t->k.arena, t->m, t->k.f), 0);
  SrBits *lost = sr_bits_new(t->k.arena, count);
  for (uint32_t u = 0; u < count; u++)
    for (SR_EACH(t->m, r, *list_of(t, u)))
      for (uint32_t i = sr_inst(t->m, r)->first; i < sr_word_count(t->m, r); i++) {
        uint32_t b = lost_value(t, dom, u, r, i);
        if (b != SR_NONE)
          sr_bit_set(lost, b);
      }
  for (uint32_t b = 0; b < count; b++)
    if (sr_bit(lost, b))
      sr_mangle_demote(&t->k, b); /* else the mutant must be refused */
}

/* ---- all changes of a module ----------------------------------------------------------------- */

static void (*const kinds[])(Mutant *) = {
    add_edge,    add_edge,     drop_edge,  redirect,      redirect,      to_switch,
    join_edges,  fork_edge,    split,      copy,          copy,          merge,
    strip_merge, strip_merges, share_case, join_into_arm, retype_switch,
};

static SrFunction *any_function(Rng *rng, SrModule *m) {
  uint32_t start = m->function_count ? rng_below(rng, m->function_count) : 0;
  for (uint32_t i = 0; i < m->function_count; i++) {
    SrFunction *f = &m->functions[(start + i) % m->function_count];
    if (f->block_count > 1 || (f->block_count && i + 1 == m->function_count))
      return f;
  }
  return NULL;
}

static SrStatus change(Rng *rng, SrArena *scratch, SrModule *m) {
  SrFunction *f = any_function(rng, m);
  SrTransformCounts counts = {0};
  if (!f)
    return SR_BAD_INPUT;
  Mutant t = {.k = {.m = m, .f = f, .arena = scratch, .counts = &counts}, .m = m, .rng = rng};
  sr_mangle_begin(&t.k);
  if (f->block_count == 1)
    split(&t);
  for (uint32_t n = 1 + rng_below(rng, MAX_CHANGES); n; n--) {
    kinds[rng_below(rng, sizeof kinds / sizeof *kinds)](&t);
    fix_phis(&t);
  }
  fix_values(&t);
  sr_mangle_end(&t.k);
  return sr_finish(m);
}

static SrStatus mutate(Rng *rng, SrHeap *heap, const uint32_t *words, size_t count, uint32_t **out,
                       size_t *out_count) {
  SrDiag diag = {.status = SR_OK};
  SrArena arena = sr_arena_new(heap), scratch = sr_arena_new(heap);
  SrModule *m;
  if (setjmp(heap->out_of_memory))
    return SR_OUT_OF_MEMORY;
  SR_CHECK(sr_read(&arena, &diag, words, count, &m));
  SR_CHECK(change(rng, &scratch, m));
  const uint32_t *written = sr_write(m, &arena, out_count);
  *out = emit_resize(NULL, *out_count * sizeof **out);
  memcpy(*out, written, *out_count * sizeof **out);
  return SR_OK;
}

bool mutate_graph(Rng *rng, const uint32_t *words, size_t count, uint32_t **out,
                  size_t *out_count) {
  SrHeap heap = {0};
  *out = NULL;
  sr_heap_init(&heap);
  SrStatus status = mutate(rng, &heap, words, count, out, out_count);
  sr_heap_free_all(&heap);
  return status == SR_OK;
}
