/* SPDX-License-Identifier: Apache-2.0 */
/* kernel_promote: see kernel_promote.h. Within a block the value is that of the last store; what it
 * is at the start of a block, ssa_value.h says. A variable may be loaded as another type of its
 * size: values are stored as the variable's type. */
#include "passes/transform/kernel/kernel_promote.h"

#include "passes/ir/edit.h"
#include "passes/ir/pointer.h"
#include "passes/transform/kernel/kernel_emit.h"
#include "passes/transform/kernel/kernel_rename.h"
#include "passes/transform/ssa/ssa_value.h"

typedef struct Variable {
  SrRef r;
  uint32_t type;
  bool stays;
} Variable;

/* A load or a store, or another instruction that goes with the variable. */
typedef struct Access {
  SrRef r;
  uint32_t variable, block;
} Access;

typedef struct Promote {
  SrKernels *k;
  SrIdTable *of; /* by id of a pointer to a variable: its index */
  SR_VEC(Variable) variable;
  SR_VEC(Access) access;         /* in the order of the code, then by variable */
  SR_VEC(uint32_t) wanted, need; /* blocks that need the value at their start: loads, all */
  SR_VEC(uint32_t) open;         /* accesses: loads of the value at the start of their blocks */
  SrIdTable *last, *needs;       /* by block: the value that it stores last; does it need one? */
  SrSsa ssa;
} Promote;

/* ---- which variables ---- */

/* May a value of the type be in no memory? */
static bool is_value(const SrModule *m, uint32_t type) {
  switch (sr_def_op(m, type)) {
  case SpvOpTypeBool:
  case SpvOpTypeInt:
  case SpvOpTypeFloat:
  case SpvOpTypeVector:
  case SpvOpTypePointer:
  case SpvOpTypeImage:
  case SpvOpTypeSampler:
    return true;
  default:
    return false;
  }
}

/* Can a value of one type be cast to the other type without changing its bits? */
static bool is_same_size(const SrModule *m, uint32_t a, uint32_t b) {
  bool pointer = sr_pointer_type_class(m, a) != SR_NONE;
  if (a == b || pointer || sr_pointer_type_class(m, b) != SR_NONE)
    return a == b || (pointer && sr_pointer_type_class(m, a) == sr_pointer_type_class(m, b));
  uint32_t bits = sr_kernel_bits(m, a) * sr_kernel_components(m, a);
  return bits && bits == sr_kernel_bits(m, b) * sr_kernel_components(m, b);
}

static void add_variable(Promote *p, SrRef r) {
  SrModule *m = p->k->m;
  uint32_t type = sr_variable_type(m, r);
  if (!type || !is_value(m, type) || sr_variable_initializer(m, r))
    return;
  sr_ids_set(p->of, sr_inst(m, r)->result, p->variable.count);
  SR_PUSH(p->k->arena, &p->variable, (Variable){r, type, false});
}

static bool is_volatile(const SrModule *m, SrRef r, uint32_t word) {
  return sr_word_count(m, r) > word && sr_words(m, r)[word] & SpvMemoryAccessVolatileMask;
}

/* Does the instruction use word `word`, a pointer to the variable, in a way that a value allows? */
static bool allows(const SrModule *m, SrRef r, uint32_t word, const Variable *v) {
  const SrInst *in = sr_inst(m, r);
  switch (in->op) {
  case SpvOpLoad:
    return !is_volatile(m, r, 4) && is_same_size(m, in->type, v->type);
  case SpvOpStore:
    return word == 1 && !is_volatile(m, r, 3) &&
           is_same_size(m, sr_kernel_type_of(m, sr_words(m, r)[2]), v->type);
  case SpvOpLifetimeStart:
  case SpvOpLifetimeStop:
  case SpvOpBitcast:
    return true;
  default:
    return in->nonsemantic;
  }
}

static void note(Promote *p, SrRef r, uint32_t block) {
  const SrModule *m = p->k->m;
  const SrInst *in = sr_inst(m, r);
  for (uint32_t i = in->first; i < sr_word_count(m, r); i++) {
    uint32_t of = sr_word_is_id(m, r, i) ? sr_ids_get(p->of, sr_words(m, r)[i]) : (uint32_t)SR_NONE;
    if (of == SR_NONE)
      continue;
    if (!allows(m, r, i, &p->variable.at[of]))
      p->variable.at[of].stays = true;
    if (in->op == SpvOpBitcast)
      sr_ids_set(p->of, in->result, of);
    SR_PUSH(p->k->arena, &p->access, (Access){r, of, block});
  }
}

static void note_all(Promote *p) {
  const SrFunction *f = p->k->f;
  for (SR_EACH(p->k->m, r, f->blocks[0].list))
    if (sr_inst(p->k->m, r)->op == SpvOpVariable)
      add_variable(p, r);
  for (uint32_t b = 0; p->variable.count && b < f->block_count; b++)
    for (SR_EACH(p->k->m, r, f->blocks[b].list))
      note(p, r, b);
}

/* Puts the accesses of each variable together, in order; at[v] is the first of variable v. */
static uint32_t *sort(Promote *p) {
  SrArena *arena = p->k->arena;
  uint32_t count = p->variable.count, *at = SR_NEW(arena, uint32_t, count + 2);
  Access *sorted = SR_NEW(arena, Access, p->access.count);
  for (uint32_t i = 0; i < p->access.count; i++)
    at[p->access.at[i].variable + 2]++;
  for (uint32_t v = 0; v < count; v++)
    at[v + 2] += at[v + 1];
  for (uint32_t i = 0; i < p->access.count; i++)
    sorted[at[p->access.at[i].variable + 1]++] = p->access.at[i];
  p->access.at = sorted;
  return at;
}

/* ---- values ---- */

/* The value with a different type, or the value itself; the new instruction comes before `before`. */
static uint32_t as_type(Promote *p, const Access *a, uint32_t type, uint32_t value,
                        uint32_t result) {
  SrEmit e = {p->k, &p->k->f->blocks[a->block].list, a->r, a->block, result};
  return sr_emit_bitcast(&e, type, value);
}

/* The load's value is `value`. */
static void replace_load(Promote *p, const Access *a, uint32_t value) {
  SrModule *m = p->k->m;
  const SrInst in = *sr_inst(m, a->r);
  (void)as_type(p, a, in.type, value, in.result);
}

/* Values in one block, from access `i` on; returns the first access of another block. */
static uint32_t visit_block(Promote *p, const Variable *v, uint32_t i, uint32_t end) {
  SrModule *m = p->k->m;
  uint32_t block = p->access.at[i].block, value = 0;
  bool wanted = false;
  for (; i < end && p->access.at[i].block == block; i++) {
    const Access *a = &p->access.at[i];
    uint16_t op = sr_inst(m, a->r)->op;
    if (op == SpvOpStore) {
      value = as_type(p, a, v->type, sr_words(m, a->r)[2], 0);
    } else if (op == SpvOpLoad && value) {
      replace_load(p, a, value);
    } else if (op == SpvOpLoad) {
      SR_PUSH(p->k->arena, &p->open, i);
      if (!wanted)
        SR_PUSH(p->k->arena, &p->wanted, block);
      wanted = true;
    }
  }
  if (value)
    sr_ids_set(p->last, block, value);
  return i;
}

static void need(Promote *p, uint32_t block) {
  if (sr_ids_get(p->needs, block) != SR_NONE)
    return;
  sr_ids_set(p->needs, block, 1);
  SR_PUSH(p->k->arena, &p->need, block);
}

/* Sets the value on the edges into the blocks that need it, and into those that pass it on. */
static void set_edges(Promote *p) {
  const SrGraph *g = p->ssa.graph;
  for (uint32_t i = 0; i < p->wanted.count; i++)
    need(p, p->wanted.at[i]);
  while (p->need.count) {
    uint32_t block = SR_POP(&p->need);
    for (uint32_t e = g->pred_at[block]; e < g->pred_at[block + 1]; e++) {
      uint32_t from = g->pred[e], value = sr_ids_get(p->last, from);
      if (value == SR_NONE)
        need(p, from);
      sr_ssa_set(&p->ssa, e, value == SR_NONE ? SR_VALUE_AT(from) : value);
    }
  }
}

static void promote(Promote *p, const Variable *v, uint32_t first, uint32_t end) {
  p->wanted.count = p->open.count = 0;
  sr_ids_clear(p->last);
  sr_ids_clear(p->needs);
  sr_ssa_begin(&p->ssa);
  for (uint32_t i = first; i < end;)
    i = visit_block(p, v, i, end);
  set_edges(p);
  sr_ssa_solve(&p->ssa, p->wanted.at, p->wanted.count);
  sr_ssa_make_phis(&p->ssa, v->type, SR_KEPT_OF_NONE);
  for (uint32_t i = 0; i < p->open.count; i++) {
    const Access *a = &p->access.at[p->open.at[i]];
    replace_load(p, a, sr_ssa_id(&p->ssa, a->block, v->type));
  }
}

/* The accesses go, and the variable. A definition by as_type has taken a load's place already. */
static void drop(Promote *p, const Variable *v, uint32_t first, uint32_t end) {
  SrKernels *k = p->k;
  for (uint32_t i = end; i-- > first;)
    if (i == first || p->access.at[i].r != p->access.at[i - 1].r)
      sr_kernel_rename_remove(k, &k->f->blocks[p->access.at[i].block].list, p->access.at[i].r);
  sr_kernel_rename_remove(k, &k->f->blocks[0].list, v->r);
}

SrStatus sr_kernel_promote(SrKernels *k) {
  SrModule *m = k->m;
  Promote p = {.k = k, .of = sr_ids_take(m), .last = sr_ids_take(m), .needs = sr_ids_take(m)};
  note_all(&p);
  if (p.access.count) {
    const SrGraph *g = sr_cfg_build(k->arena, m, k->f);
    uint32_t *at = sort(&p);
    p.ssa = (SrSsa){
        .m = m, .f = k->f, .graph = g, .dom = sr_dom_build(k->arena, g, 0), .arena = k->arena};
    sr_ssa_init(&p.ssa);
    for (uint32_t v = 0; v < p.variable.count; v++)
      if (!p.variable.at[v].stays)
        promote(&p, &p.variable.at[v], at[v], at[v + 1]);
    for (uint32_t v = 0; v < p.variable.count; v++)
      if (!p.variable.at[v].stays)
        drop(&p, &p.variable.at[v], at[v], at[v + 1]);
    sr_kernel_rename(k);
  }
  sr_ids_give(m, p.of);
  sr_ids_give(m, p.last);
  sr_ids_give(m, p.needs);
  return sr_check_bound(m);
}
