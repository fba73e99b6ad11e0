/* SPDX-License-Identifier: Apache-2.0 */
/* mangle: see mangle.h. New blocks go to the end of the array until sr_mangle_end; `home` is always
 * up to date. A copy walks over the whole function; all other changes touch only a block and its
 * neighbours. */
#include "passes/transform/unstructure/mangle.h"
#include "passes/ir/constants.h"
#include "passes/ir/decorations.h"
#include "passes/ir/edit.h"
#include "passes/ir/hint.h"
#include "passes/ir/id_table.h"
#include "passes/ir/pointer.h"

enum { LARGEST_COPY = 64 };

void sr_mangle_begin(SrMangle *k) {
  SrModule *m = k->m;
  SR_RESERVE(m->arena, &k->block, k->f->block_count);
  memcpy(k->block.at, k->f->blocks, k->f->block_count * sizeof *k->f->blocks);
  k->block.count = k->f->block_count;
  k->f->blocks = k->block.at;
  k->next.count = 0;
  for (uint32_t b = 0; b < k->block.count; b++)
    SR_PUSH(m->arena, &k->next, b + 1 < k->block.count ? b + 1 : SR_NONE);
  k->last = k->block.count - 1;
  sr_type_bool(m); /* makes all types that values of new blocks have */
  sr_type_u32(m);
}

/* ---- instructions and edges ---- */

static void put(SrMangle *k, uint32_t b, SrRef where, SrRef r) {
  uint32_t id = sr_inst(k->m, r)->result;
  sr_insert_before(k->m, &k->f->blocks[b].list, where, r);
  if (id)
    k->m->home[id] = b;
}

/* A new block, in the order of k->next after block `after`. */
static uint32_t new_block_after(SrMangle *k, uint32_t after) {
  SrModule *m = k->m;
  uint32_t b = k->block.count;
  SR_PUSH(m->arena, &k->block, sr_new_block(m));
  k->f->blocks = k->block.at;
  k->f->block_count = k->block.count;
  m->home[k->f->blocks[b].id] = b;
  SR_PUSH(m->arena, &k->next, k->next.at[after]);
  k->next.at[after] = b;
  if (after == k->last)
    k->last = b;
  k->counts->added_blocks++;
  return b;
}

static uint32_t new_block(SrMangle *k) {
  return new_block_after(k, k->last);
}

static void put_branch(SrMangle *k, uint32_t b, uint32_t target) {
  sr_begin(k->m, SpvOpBranch, 0, 0);
  sr_put_id(k->m, k->f->blocks[target].id);
  put(k, b, SR_NONE, sr_end(k->m));
}

/* Redirects all edges p→x to y. */
static void redirect(SrMangle *k, uint32_t p, uint32_t x, uint32_t y) {
  SrRef end = sr_terminator(&k->f->blocks[p]);
  uint32_t *w = sr_words(k->m, end);
  for (uint32_t i = 0; (i = sr_next_target(k->m, end, i)) != 0;)
    if (w[i] == k->f->blocks[x].id)
      w[i] = k->f->blocks[y].id;
}

/* ---- phis ---- */

static bool is_phi(const SrMangle *k, SrRef r) {
  return sr_inst(k->m, r)->op == SpvOpPhi;
}

/* The value that a phi has for a predecessor, 0 if there is none. */
static uint32_t incoming(const SrMangle *k, SrRef phi, uint32_t p) {
  const uint32_t *w = sr_words(k->m, phi);
  for (uint32_t i = 3; i + 1 < w[0] >> 16; i += 2)
    if (w[i + 1] == k->f->blocks[p].id)
      return w[i];
  return 0;
}

/* Rebuilds the phi without the entry for predecessor `without` (SR_NONE: with all), and with one
 * more for `with` (SR_NONE: none). */
static void rebuild_phi(SrMangle *k, uint32_t b, SrRef phi, uint32_t without, uint32_t with,
                        uint32_t value) {
  SrModule *m = k->m;
  SrInst old = *sr_inst(m, phi);
  uint32_t count = sr_word_count(m, phi);
  sr_begin(m, SpvOpPhi, old.type, old.result);
  for (uint32_t i = 3; i + 1 < count; i += 2) {
    uint32_t v = sr_words(m, phi)[i], p = sr_words(m, phi)[i + 1];
    if (without != SR_NONE && p == k->f->blocks[without].id)
      continue;
    sr_put_id(m, v);
    sr_put_id(m, p);
  }
  if (with != SR_NONE) {
    sr_put_id(m, value);
    sr_put_id(m, k->f->blocks[with].id);
  }
  SrRef r = sr_end(m);
  sr_inst(m, r)->added = old.added;
  put(k, b, phi, r);
  sr_remove(m, &k->f->blocks[b].list, phi);
}

static void rename_predecessor(SrMangle *k, uint32_t b, uint32_t p, uint32_t q) {
  for (SR_EACH_PHI(k->m, r, k->f->blocks[b].list)) {
    uint32_t *w = sr_words(k->m, r);
    for (uint32_t i = 4; i < w[0] >> 16; i += 2)
      if (w[i] == k->f->blocks[p].id)
        w[i] = k->f->blocks[q].id;
  }
}

/* ---- split ---- */

void sr_mangle_split(SrMangle *k, uint32_t b, SrRef r) {
  SrModule *m = k->m;
  uint32_t tail = new_block_after(k, b);
  for (SrRef next; r != SR_NONE; r = next) {
    next = sr_inst(m, r)->next;
    sr_remove(m, &k->f->blocks[b].list, r);
    put(k, tail, SR_NONE, r);
  }
  put_branch(k, b, tail);
  SrRef end = sr_terminator(&k->f->blocks[tail]);
  for (uint32_t i = 0; (i = sr_next_target(m, end, i)) != 0;)
    rename_predecessor(k, sr_block_of(m, sr_words(m, end)[i]), b, tail);
  sr_hint_move_branch(m, k->f->blocks[b].id, k->f->blocks[tail].id);
}

/* ---- join edges ---- */

/* Makes a phi in block t of the values that `phi` has for those of its predecessors that will lead
 * to t. */
static uint32_t join_phi(SrMangle *k, uint32_t t, SrRef phi, const uint32_t *preds,
                         uint32_t count) {
  SrModule *m = k->m;
  uint32_t id = sr_fresh_id(m);
  sr_begin(m, SpvOpPhi, sr_inst(m, phi)->type, id);
  for (uint32_t i = 0; i < count; i++) {
    sr_put_id(m, incoming(k, phi, preds[i]));
    sr_put_id(m, k->f->blocks[preds[i]].id);
  }
  put(k, t, SR_NONE, sr_end(m));
  sr_keep(m, id, sr_kept(m, sr_inst(m, phi)->result));
  return id;
}

/* The store directly before an unconditional branch at the end of block b, or SR_NONE. */
static SrRef last_store(const SrMangle *k, uint32_t b) {
  SrRef end = sr_terminator(&k->f->blocks[b]), r = sr_inst(k->m, end)->prev;
  return sr_inst(k->m, end)->op == SpvOpBranch && sr_inst(k->m, r)->op == SpvOpStore ? r : SR_NONE;
}

/* Do all these blocks end with a store through the same pointer, of values that a phi may choose
 * from? */
static bool share_store(const SrMangle *k, const uint32_t *preds, uint32_t count) {
  const SrModule *m = k->m;
  SrRef first = last_store(k, preds[0]);
  if (first == SR_NONE)
    return false;
  for (uint32_t i = 0; i < count; i++) {
    SrRef r = last_store(k, preds[i]);
    if (r == SR_NONE || sr_word_count(m, r) != sr_word_count(m, first))
      return false;
    const uint32_t *w = sr_words(m, r), *v = sr_words(m, first);
    if (w[1] != v[1] || memcmp(w + 3, v + 3, ((w[0] >> 16) - 3) * sizeof *w) != 0)
      return false;
  }
  uint32_t value = sr_words(m, first)[2];
  return sr_type_can_phi(k->m, sr_inst(m, sr_def(m, value))->type);
}

static void join_store(SrMangle *k, uint32_t t, const uint32_t *preds, uint32_t count) {
  SrModule *m = k->m;
  uint32_t id = sr_fresh_id(m), first = sr_words(m, last_store(k, preds[0]))[2];
  SrKept kept = SR_KEPT_OF_NONE;
  sr_begin(m, SpvOpPhi, sr_inst(m, sr_def(m, first))->type, id);
  for (uint32_t i = 0; i < count; i++) {
    uint32_t value = sr_words(m, last_store(k, preds[i]))[2];
    kept = sr_kept_joined(kept, sr_kept(m, value));
    sr_put_id(m, value);
    sr_put_id(m, k->f->blocks[preds[i]].id);
  }
  put(k, t, SR_NONE, sr_end(m));
  sr_keep(m, id, kept);
  SrRef store = last_store(k, preds[0]);
  for (uint32_t i = 0; i < count; i++)
    sr_remove(m, &k->f->blocks[preds[i]].list, last_store(k, preds[i]));
  sr_words(m, store)[2] = id;
  put(k, t, SR_NONE, store);
}

void sr_mangle_join(SrMangle *k, uint32_t x, const uint32_t *preds, uint32_t count) {
  uint32_t t = new_block(k);
  for (SR_EACH_PHI(k->m, r, k->f->blocks[x].list)) {
    uint32_t id = join_phi(k, t, r, preds, count);
    rebuild_phi(k, x, r, preds[0], t, id);
  }
  for (uint32_t i = 1; i < count; i++)
    for (SR_EACH_PHI(k->m, r, k->f->blocks[x].list))
      rebuild_phi(k, x, r, preds[i], SR_NONE, 0);
  if (share_store(k, preds, count))
    join_store(k, t, preds, count);
  put_branch(k, t, x);
  sr_hint_put_before(k->m, k->f->blocks[x].id, k->f->blocks[t].id);
  for (uint32_t i = 0; i < count; i++)
    redirect(k, preds[i], x, t);
}

/* ---- fork ---- */

enum { DEEPEST = 4 };

/* Is the value certainly defined? A branch on an undefined one would be undefined behaviour, which
 * the input does not have. Without an OpUndef in the module every value is defined; otherwise the
 * search follows phis and the variables of this pass, which may hold an undefined value. */
static bool is_defined(const SrMangle *k, uint32_t id, int depth) {
  const SrModule *m = k->m;
  SrRef r = sr_def(m, id);
  if (!m->has_undef || m->home[id] == SR_NONE)
    return sr_def_op(m, id) != SpvOpUndef;
  SpvOp op = sr_inst(m, r)->op;
  if (op == SpvOpLoad)
    return id < m->input_bound;
  if (op == SpvOpUndef || op == SpvOpPhi || depth == DEEPEST)
    return sr_is_variable(op);
  for (uint32_t i = sr_inst(m, r)->first; i < sr_word_count(m, r); i++)
    if (sr_word_is_id(m, r, i) && !is_defined(k, sr_words(m, r)[i], depth + 1))
      return false;
  return true;
}

/* A condition from the last value that block p computes, put into block n after it. */
static uint32_t make_condition(SrMangle *k, uint32_t p, uint32_t n) {
  SrModule *m = k->m;
  uint32_t value = 0, boolean = sr_type_bool(m), u32 = sr_type_u32(m);
  for (SR_EACH(m, r, k->f->blocks[p].list)) {
    uint32_t type = sr_inst(m, r)->type, id = sr_inst(m, r)->result;
    bool is_u32 =
        type && sr_def_op(m, type) == SpvOpTypeInt && sr_words(m, sr_def(m, type))[2] == 32;
    if ((type != boolean && !is_u32) || !id || !is_defined(k, id, 0))
      continue;
    if (type == boolean)
      return id;
    value = id;
  }
  uint32_t one = sr_const_u32(m, 1), bit = one, id = sr_fresh_id(m);
  if (value) {
    bit = sr_fresh_id(m);
    sr_begin(m, SpvOpBitwiseAnd, u32, bit);
    sr_put_id(m, value);
    sr_put_id(m, one);
    put(k, n, SR_NONE, sr_end(m));
  }
  sr_begin(m, SpvOpIEqual, boolean, id);
  sr_put_id(m, bit);
  sr_put_id(m, one);
  put(k, n, SR_NONE, sr_end(m));
  return id;
}

uint32_t sr_mangle_fork(SrMangle *k, uint32_t p, uint32_t x) {
  SrModule *m = k->m;
  uint32_t n = new_block(k), e = new_block(k), condition = make_condition(k, p, n);
  sr_begin(m, SpvOpBranchConditional, 0, 0);
  sr_put_id(m, condition);
  sr_put_id(m, k->f->blocks[x].id);
  sr_put_id(m, k->f->blocks[e].id);
  put(k, n, SR_NONE, sr_end(m));
  put_branch(k, e, x);
  redirect(k, p, x, n);
  rename_predecessor(k, x, p, n);
  for (SR_EACH_PHI(k->m, r, k->f->blocks[x].list))
    rebuild_phi(k, x, r, SR_NONE, e, incoming(k, r, n));
  return e;
}

/* ---- copy ---- */

/* Is word i of instruction r, in block u, a use of a value of block x outside of x? A phi uses its
 * values at the end of its predecessors. */
static bool used_outside(const SrMangle *k, uint32_t u, SrRef r, uint32_t i, uint32_t x) {
  const SrModule *m = k->m;
  const uint32_t *w = sr_words(m, r);
  if (!sr_word_is_id(m, r, i) || m->home[w[i]] != x || sr_def_op(m, w[i]) == SpvOpLabel)
    return false;
  return (is_phi(k, r) ? sr_block_of(m, w[i + 1]) : u) != x;
}

/* for (EACH_USE(k, x, u, r, i)) if (used_outside(…)) … */
#define EACH_USE(k, u, r, i)                                                                       \
  uint32_t u = 0;                                                                                  \
  u < (k)->f->block_count; u++)                                                    \
  for (SR_EACH((k)->m, r, (k)->f->blocks[u].list))                                                 \
    for (uint32_t i = sr_inst((k)->m, r)->first; i < sr_word_count((k)->m, r); i++

/* Can variables hold all values of x that are used in other blocks? */
static bool can_demote(const SrMangle *k, uint32_t x) {
  const SrModule *m = k->m;
  for (EACH_USE(k, u, r, i)) {
    if (!used_outside(k, u, r, i, x))
      continue;
    uint32_t type = sr_inst(m, sr_def(m, sr_words(m, r)[i]))->type;
    if (!sr_type_can_phi(k->m, type) || sr_pointer_type_class(m, type) != SR_NONE)
      return false;
  }
  return true;
}

static bool can_copy(const SrMangle *k, uint32_t x) {
  const SrModule *m = k->m;
  uint32_t count = 0;
  for (SR_EACH(m, r, k->f->blocks[x].list))
    if (++count > LARGEST_COPY || sr_is_variable(sr_inst(m, r)->op))
      return false;
  return can_demote(k, x);
}

static uint32_t new_variable(SrMangle *k, uint32_t type) {
  SrModule *m = k->m;
  uint32_t pointer = sr_type_function_pointer(m, type), id = sr_fresh_id(m);
  sr_begin(m, SpvOpVariable, pointer, id);
  sr_put_literal(m, SpvStorageClassFunction);
  put(k, 0, sr_inst(m, k->f->blocks[0].label)->next, sr_end(m));
  return id;
}

/* A variable that holds the value from its definition on. */
static uint32_t store_value(SrMangle *k, uint32_t x, uint32_t value) {
  SrModule *m = k->m;
  SrRef def = sr_def(m, value);
  uint32_t variable = new_variable(k, sr_inst(m, def)->type);
  sr_begin(m, SpvOpStore, 0, 0);
  sr_put_id(m, variable);
  sr_put_id(m, value);
  SrRef store = sr_end(m);
  put(k, x, is_phi(k, def) ? sr_first_ordinary(m, &k->f->blocks[x]) : sr_inst(m, def)->next, store);
  return variable;
}

/* Reads a variable where instruction r of block u uses word i. */
static void load_value(SrMangle *k, uint32_t u, SrRef r, uint32_t i, uint32_t type,
                       uint32_t variable) {
  SrModule *m = k->m;
  uint32_t id = sr_fresh_id(m), b = u;
  SrRef where = r;
  if (is_phi(k, r)) {
    b = sr_block_of(m, sr_words(m, r)[i + 1]);
    where = sr_merge_inst(m, &k->f->blocks[b]);
    where = where == SR_NONE ? sr_terminator(&k->f->blocks[b]) : where;
  }
  sr_begin(m, SpvOpLoad, type, id);
  sr_put_id(m, variable);
  put(k, b, where, sr_end(m));
  sr_keep(m, id, sr_kept(m, sr_words(m, r)[i]));
  sr_words(m, r)[i] = id;
}

/* Passes the values of x that are used in other blocks through variables. */
static void demote(SrMangle *k, uint32_t x) {
  SrModule *m = k->m;
  SrIdTable *variable = sr_ids_take(m);
  for (EACH_USE(k, u, r, i)) {
    if (!used_outside(k, u, r, i, x))
      continue;
    uint32_t value = sr_words(m, r)[i], type = sr_inst(m, sr_def(m, value))->type;
    if (sr_ids_get(variable, value) == SR_NONE)
      sr_ids_set(variable, value, store_value(k, x, value));
    load_value(k, u, r, i, type, sr_ids_get(variable, value));
  }
  sr_ids_give(m, variable);
}

bool sr_mangle_demote(SrMangle *k, uint32_t x) {
  if (!can_demote(k, x))
    return false;
  SrMark mark = sr_arena_mark(k->arena);
  demote(k, x);
  sr_arena_reset(k->arena, mark);
  return true;
}

/* The id that replaces `id` in the copy. */
static uint32_t now(const SrIdTable *as, uint32_t id) {
  uint32_t to = sr_ids_get(as, id);
  return to == SR_NONE ? id : to;
}

/* Copies instruction r of x into block y, mapping its operands by `as`. */
static void copy_instruction(SrMangle *k, uint32_t y, SrRef r, SrIdTable *as) {
  SrModule *m = k->m;
  SrRef c = sr_clone(m, r);
  uint32_t from = sr_inst(m, r)->result, to = sr_inst(m, c)->result;
  for (uint32_t i = sr_inst(m, c)->first; i < sr_word_count(m, c); i++) {
    uint32_t *w = sr_words(m, c);
    if (sr_word_is_id(m, c, i))
      w[i] = now(as, w[i]);
  }
  put(k, y, SR_NONE, c);
  if (from) {
    sr_ids_set(as, from, to);
    sr_copy_decorations(m, from, to);
  }
  k->counts->duplicated_instructions++;
}

/* What a phi of x is in block y, where it has only the value `value`. */
static uint32_t phi_in_copy(SrMangle *k, uint32_t y, const SrInst *phi, uint32_t value) {
  if (sr_keeps_in_place(k->m, phi->result, value))
    return value;
  SrList *list = &k->f->blocks[y].list;
  uint32_t id = sr_keep_in_place(k->m, list, SR_NONE, phi->type, phi->result, value);
  k->m->home[id] = y;
  k->counts->added_instructions++;
  return id;
}

/* Makes a branch of y on a constant unconditional. */
static void decide_branch(SrMangle *k, uint32_t y) {
  SrModule *m = k->m;
  SrRef end = sr_terminator(&k->f->blocks[y]);
  if (sr_inst(m, end)->op != SpvOpBranchConditional)
    return;
  SpvOp op = sr_def_op(m, sr_words(m, end)[1]);
  if (op != SpvOpConstantTrue && op != SpvOpConstantFalse)
    return;
  uint32_t target = sr_words(m, end)[op == SpvOpConstantTrue ? 2 : 3];
  sr_remove(m, &k->f->blocks[y].list, end);
  put_branch(k, y, sr_block_of(m, target));
}

/* Lets the phis of the successors of y, a copy of x, take the values from y that they take from
 * x. */
static void add_to_phis(SrMangle *k, uint32_t x, uint32_t y, const SrIdTable *as) {
  SrModule *m = k->m;
  SrRef end = sr_terminator(&k->f->blocks[y]);
  for (uint32_t i = 0; (i = sr_next_target(m, end, i)) != 0;) {
    uint32_t s = sr_block_of(m, sr_words(m, end)[i]);
    for (SR_EACH_PHI(k->m, r, k->f->blocks[s].list)) {
      if (incoming(k, r, y))
        continue;
      rebuild_phi(k, s, r, SR_NONE, y, now(as, incoming(k, r, x)));
    }
  }
}

bool sr_mangle_copy(SrMangle *k, uint32_t p, uint32_t x) {
  SrModule *m = k->m;
  if (p == x || !can_copy(k, x))
    return false;
  SrMark mark = sr_arena_mark(k->arena);
  demote(k, x);
  SrIdTable *as = sr_ids_take(m);
  uint32_t y = new_block(k);
  for (SR_EACH(m, r, k->f->blocks[x].list)) {
    const SrInst in = *sr_inst(m, r);
    if (in.op == SpvOpPhi)
      sr_ids_set(as, in.result, phi_in_copy(k, y, &in, incoming(k, r, p)));
    else if (r != k->f->blocks[x].label)
      copy_instruction(k, y, r, as);
  }
  decide_branch(k, y);
  redirect(k, p, x, y);
  for (SR_EACH_PHI(k->m, r, k->f->blocks[x].list))
    rebuild_phi(k, x, r, p, SR_NONE, 0);
  add_to_phis(k, x, y, as);
  sr_ids_give(m, as);
  sr_hint_copy(m, k->f->blocks[x].id, k->f->blocks[y].id);
  k->counts->duplicated_blocks++;
  sr_arena_reset(k->arena, mark);
  return true;
}

/* ---- order ---- */

void sr_mangle_end(SrMangle *k) {
  SrModule *m = k->m;
  uint32_t n = k->f->block_count, *order = SR_NEW_RAW(k->arena, uint32_t, n);
  uint32_t reached = sr_graph_rpo(k->arena, sr_cfg_build(k->arena, m, k->f), 0, false, order);
  SrBits *seen = sr_bits_new(k->arena, n);
  for (uint32_t i = 0; i < reached; i++)
    sr_bit_set(seen, order[i]);
  for (uint32_t b = 0; b != SR_NONE; b = k->next.at[b]) /* unreachable code has no dominators */
    if (!sr_bit(seen, b))
      order[reached++] = b;
  SrBlock *blocks = SR_NEW_RAW(m->arena, SrBlock, n);
  for (uint32_t i = 0; i < n; i++) {
    blocks[i] = k->block.at[order[i]];
    for (SR_EACH(m, r, blocks[i].list))
      if (sr_inst(m, r)->result)
        m->home[sr_inst(m, r)->result] = i;
  }
  k->f->blocks = blocks;
}
