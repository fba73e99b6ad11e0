/* SPDX-License-Identifier: Apache-2.0 */
/* phi_variables: see phi_variables.h.
 *
 *      b1: x = …    b2: y = …               b1: x = …       b2: y = …
 *           \        /                          store v x       store v y
 *            \      /              =>               \          /
 *        b3: p = phi x b1, y b2                  b3: p = load v
 *            use p                                   use p
 *
 * Each phi of a block has a variable of its own, without initializer. It is stored at the end of
 * each predecessor, in front of its merge instruction or terminator, and loaded at the start of the
 * block by an instruction that takes the phi's place and id, so that uses, names and decorations
 * stay as they are. Nothing else accesses it.
 *
 * Each load reads the phi's value: on every path to the block, a lane last passes the end of a
 * predecessor, which has stored that predecessor's operand. In particular:
 *
 *   swap problem       The phis of a block are assigned in parallel. The stores write operands,
 *                      which are SSA values, and read no variable; so those that swap two values in
 *                      a loop need no copy in between.
 *   lost copy problem  A predecessor with other successors stores, too, if the lane then goes
 *                      elsewhere. That overwrites only what was stored for an earlier entry of the
 *                      block, whose load has run, and before the next entry a predecessor stores
 *                      again. Until then uses of the phi have the loaded value, not the variable.
 *                      So critical edges need not be split.
 *   undefined operand  It is not stored: any value will do, even that of an earlier store. An
 *                      operand that is the phi itself is stored: another predecessor may have
 *                      stored, and gone elsewhere.
 *
 * The two problems are those of Briggs, Cooper, Harvey and Simpson, Practical Improvements to the
 * Construction and Destruction of Static Single Assignment Form, 1998. As in the first step of
 * Boissinot et al., Revisiting Out-of-SSA Translation for Correctness, Code Quality, and
 * Efficiency, CGO 2009, copies isolate every phi and operand; here they go through memory, and none
 * is coalesced, since readers of SPIR-V promote variables themselves.
 *
 * A variable cannot hold an opaque object, a pointer without a capability for it, nor, in a shader,
 * a type with an explicit layout. */
#include "passes/transform/phi_variables.h"

#include "passes/analysis/graph/dom.h"
#include "passes/ir/constants.h"
#include "passes/ir/decorations.h"
#include "passes/ir/edit.h"
#include "passes/ir/pointer.h"

/* Why a type cannot be that of a variable. */
typedef enum Obstacle { FREE, OPAQUE, POINTER, LAYOUT, NARROW, UNKNOWN } Obstacle;

static const char *const reasons[] = {
    [OPAQUE] = "a variable cannot hold its type, which is opaque",
    [POINTER] = "a variable cannot hold such a pointer without a capability VariablePointers",
    [LAYOUT] = "a variable cannot have its type, which has an explicit layout",
    [NARROW] = "the module lacks the capability for variables of its type",
    [UNKNOWN] = "its type is newer than this version of spvreconv",
};

typedef struct Types {
  uint8_t *obstacle; /* by id of a type: Obstacle */
  uint32_t room;     /* bound of the module's ids before */
} Types;

typedef struct Phis {
  SrModule *m;
  SrFunction *f;
  const Types *types;
  const SrDom *dom; /* NULL: all phis become variables; else only flags with a value from outside
                       their loop */
  SrTransformCounts *counts;
  uint32_t kept, first_kept; /* number of phis that stay; the first one's id */
  Obstacle why;              /* why the phi stays */
  bool changed;
} Phis;

/* ---- types ---- */

/* The members of a structure have offsets. */
static void note_layout(const SrModule *m, SrRef r, SrBits *laid_out) {
  const uint32_t *w = sr_words(m, r);
  if (sr_inst(m, r)->op == SpvOpMemberDecorate && w[3] == SpvDecorationOffset)
    sr_bit_set(laid_out, w[1]);
  for (uint32_t i = 2; sr_inst(m, r)->op == SpvOpGroupMemberDecorate && i < w[0] >> 16; i += 2)
    sr_bit_set(laid_out, w[i]);
}

static Obstacle of_struct(const SrModule *m, const Types *t, SrRef r, const SrBits *laid_out) {
  const uint32_t *w = sr_words(m, r);
  Obstacle found = m->shader && sr_bit(laid_out, w[1]) ? LAYOUT : FREE;
  for (uint32_t i = 2; i < w[0] >> 16 && found == FREE; i++)
    found = t->obstacle[w[i]];
  return found;
}

/* Types come after the types that they contain. */
static Obstacle of_type(SrModule *m, const Types *t, SrRef r, const SrBits *laid_out) {
  const uint32_t *w = sr_words(m, r);
  if (sr_inst(m, r)->unknown)
    return UNKNOWN;
  switch (sr_inst(m, r)->op) {
  case SpvOpTypeImage:
  case SpvOpTypeSampler:
  case SpvOpTypeSampledImage:
  case SpvOpTypeOpaque:
  case SpvOpTypePipe:
  case SpvOpTypePipeStorage:
  case SpvOpTypeNamedBarrier:
  case SpvOpTypeRuntimeArray:
  case SpvOpTypeAccelerationStructureKHR:
  case SpvOpTypeRayQueryKHR:
  case SpvOpTypeHitObjectNV:
  case SpvOpTypeVmeImageINTEL:
    return OPAQUE;
  case SpvOpTypeVector:
  case SpvOpTypeMatrix:
    return t->obstacle[w[2]];
  case SpvOpTypeArray:
    return m->shader && sr_is_decorated(m, w[1], SpvDecorationArrayStride) ? LAYOUT
                                                                           : t->obstacle[w[2]];
  case SpvOpTypeStruct:
    return of_struct(m, t, r, laid_out);
  default:
    if (sr_type_can_phi(m, w[1]))
      return FREE;
    return sr_pointer_type_class(m, w[1]) == SR_NONE ? NARROW : POINTER;
  }
}

static const Types *read_types(SrArena *arena, SrModule *m) {
  Types *t = SR_NEW(arena, Types, 1);
  t->room = sr_bound(m);
  t->obstacle = SR_NEW(arena, uint8_t, t->room);
  SrBits *laid_out = sr_bits_new(arena, t->room);
  for (SR_EACH(m, r, m->globals)) {
    const SrInst *in = sr_inst(m, r);
    note_layout(m, r, laid_out);
    if (in->result && !in->type) /* only types have obstacles */
      t->obstacle[in->result] = (uint8_t)of_type(m, t, r, laid_out);
  }
  return t;
}

/* ---- variables ---- */

/* A pointer to physical storage, or an array of these. */
static bool holds_physical(const SrModule *m, uint32_t type) {
  while (sr_def_op(m, type) == SpvOpTypeArray)
    type = sr_words(m, sr_def(m, type))[2];
  return sr_pointer_type_class(m, type) == SpvStorageClassPhysicalStorageBuffer;
}

/* A variable for the phi, in the function's entry. */
static uint32_t make_variable(Phis *p, const SrInst *phi) {
  SrModule *m = p->m;
  SrBlock *entry = &p->f->blocks[0];
  uint32_t pointer = sr_type_function_pointer(m, phi->type), id = sr_fresh_id(m);
  sr_begin(m, SpvOpVariable, pointer, id);
  sr_put_literal(m, SpvStorageClassFunction);
  SrRef variable = sr_end(m);
  sr_insert_before(m, &entry->list, sr_first_ordinary(m, entry), variable);
  m->home[id] = 0;
  sr_copy_name(m, phi->result, id);
  sr_keep(m, id, (SrKept){.relaxed = sr_kept(m, phi->result).relaxed});
  if (holds_physical(m, phi->type))
    sr_decorate(m, id, SpvDecorationAliasedPointer);
  return id;
}

static void store(Phis *p, uint32_t variable, uint32_t value, uint32_t predecessor) {
  SrModule *m = p->m;
  SrBlock *b = &p->f->blocks[sr_block_of(m, predecessor)];
  SrRef merge = sr_merge_inst(m, b);
  sr_begin(m, SpvOpStore, 0, 0);
  sr_put_id(m, variable);
  sr_put_id(m, value);
  sr_insert_before(m, &b->list, merge == SR_NONE ? sr_terminator(b) : merge, sr_end(m));
  p->counts->added_instructions++;
}

/* ---- phis ---- */

/* Returns the load that takes the phi's place. */
static SrRef replace(Phis *p, SrBlock *b, SrRef r) {
  SrModule *m = p->m;
  const SrInst phi = *sr_inst(m, r);
  uint32_t variable = make_variable(p, &phi);
  for (uint32_t i = phi.first; i < sr_word_count(m, r); i += 2) {
    uint32_t value = sr_words(m, r)[i];
    if (sr_def_op(m, value) != SpvOpUndef)
      store(p, variable, value, sr_words(m, r)[i + 1]);
  }
  sr_begin(m, SpvOpLoad, phi.type, phi.result);
  sr_put_id(m, variable);
  SrRef load = sr_end(m);
  sr_insert_before(m, &b->list, r, load);
  sr_remove(m, &b->list, r);
  p->counts->added_instructions++;
  p->counts->added_phis -= phi.added;
  p->counts->phi_variables++;
  p->changed = true;
  return load;
}

/* A phi that stays comes before the loads; `front`: the first of these, or SR_NONE. */
static void stay(Phis *p, SrBlock *b, SrRef r, SrRef front) {
  if (front == SR_NONE)
    return;
  sr_remove(p->m, &b->list, r);
  sr_insert_before(p->m, &b->list, front, r);
}

static void note_kept(Phis *p, SrRef r, Obstacle why) {
  if (p->kept++ == 0) {
    p->first_kept = sr_inst(p->m, r)->result;
    p->why = why;
  }
}

static Obstacle obstacle(const Phis *p, uint32_t type) {
  return type < p->types->room ? p->types->obstacle[type] : FREE;
}

/* Does the loop with this header compute nothing for the value: is it from before the loop, or a phi of
 * the header? Constants do not count. */
static bool is_not_computed(const Phis *p, uint32_t value, uint32_t header) {
  const SrModule *m = p->m;
  if (m->home[value] == SR_NONE)
    return sr_def_op(m, value) == SpvOpFunctionParameter;
  if (m->home[value] == header)
    return sr_def_op(m, value) == SpvOpPhi;
  return sr_dominates(p->dom, m->home[value], header);
}

static bool is_loop_header(const SrModule *m, const SrBlock *b) {
  SrRef merge = sr_merge_inst(m, b);
  return merge != SR_NONE && sr_inst(m, merge)->op == SpvOpLoopMerge;
}

static bool is_flag(const SrModule *m, SrRef r) {
  return sr_inst(m, r)->op == SpvOpPhi && sr_def_op(m, sr_inst(m, r)->type) == SpvOpTypeBool;
}

/* A boolean phi of a loop header, with a value on a back edge that the iteration does not compute. */
static bool is_outside_flag(const Phis *p, const SrBlock *b, SrRef r) {
  const SrModule *m = p->m;
  const SrInst *phi = sr_inst(m, r);
  uint32_t header = m->home[b->id];
  if (!is_flag(m, r) || !is_loop_header(m, b))
    return false;
  const uint32_t *w = sr_words(m, r);
  for (uint32_t i = phi->first; i < w[0] >> 16; i += 2)
    if (sr_dominates(p->dom, header, sr_block_of(m, w[i + 1])) && is_not_computed(p, w[i], header))
      return true;
  return false;
}

static void convert_block(Phis *p, SrBlock *b) {
  SrModule *m = p->m;
  SrRef front = SR_NONE;
  for (SR_EACH_SAFE_FROM(m, r, sr_inst(m, b->label)->next, SR_NONE)) {
    const SrInst *in = sr_inst(m, r);
    if (in->op != SpvOpPhi) {
      if (sr_is_debug_line(in))
        continue;
      break;
    }
    if (p->dom && !is_outside_flag(p, b, r)) {
      stay(p, b, r, front);
      continue;
    }
    Obstacle why = obstacle(p, in->type);
    if (why != FREE) {
      note_kept(p, r, why);
      stay(p, b, r, front);
      continue;
    }
    SrRef load = replace(p, b, r);
    front = front == SR_NONE ? load : front;
  }
}

static void say_kept(const Phis *p, SrArena *scratch) {
  SrModule *m = p->m;
  SrWhere where = {.function = sr_function_name(m, scratch, p->f),
                   .block = p->f->blocks[m->home[p->first_kept]].id,
                   .word = SR_NONE};
  if (p->kept == 1)
    sr_notice(m->diag, where, "OpPhi %%%u stays a phi: %s", p->first_kept, reasons[p->why]);
  else
    sr_notice(m->diag, where, "%u OpPhis stay phis; the first is %%%u: %s", p->kept, p->first_kept,
              reasons[p->why]);
}

static SrStatus convert(Phis *p) {
  for (uint32_t b = 0; b < p->f->block_count; b++) {
    convert_block(p, &p->f->blocks[b]);
    SR_CHECK(sr_check_bound(p->m));
  }
  return SR_OK;
}

static bool has_flags(const SrModule *m, const SrFunction *f) {
  for (uint32_t b = 0; b < f->block_count; b++)
    if (is_loop_header(m, &f->blocks[b]))
      for (SR_EACH(m, r, f->blocks[b].list))
        if (is_flag(m, r))
          return true;
  return false;
}

SrStatus sr_phi_variables_flags(SrModule *m, SrArena *scratch, SrFunction *f,
                                SrTransformCounts *counts) {
  if (!has_flags(m, f))
    return SR_OK;
  SrMark mark = sr_arena_mark(scratch);
  static const Types all_free = {0}; /* a boolean has no obstacle */
  const SrGraph *g = sr_cfg_build(scratch, m, f);
  Phis p = {
      .m = m, .f = f, .types = &all_free, .counts = counts, .dom = sr_dom_build(scratch, g, 0)};
  SrStatus status = convert(&p);
  sr_arena_reset(scratch, mark);
  return status;
}

SrStatus sr_phi_variables_pass(SrPassRun *r, SrFunction *f, bool *changed) {
  if (!r->kept)
    r->kept = (void *)read_types(r->arena, r->m);
  Phis p = {.m = r->m, .f = f, .types = r->kept, .counts = r->counts};
  SR_CHECK(convert(&p));
  if (p.kept)
    say_kept(&p, r->scratch);
  *changed = p.changed;
  return SR_OK;
}
