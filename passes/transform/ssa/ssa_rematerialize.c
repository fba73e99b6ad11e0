/* SPDX-License-Identifier: Apache-2.0 */
/* ssa_rematerialize: see ssa_rematerialize.h. One worklist holds the uses, then those in the copies
 * that are made. */
#include "passes/transform/ssa/ssa_rematerialize.h"
#include "passes/base/map.h"
#include "passes/ir/constants.h"
#include "passes/ir/decorations.h"
#include "passes/ir/edit.h"
#include "passes/ir/grammar.h"
#include "passes/ir/newer.h"
#include "passes/ir/pointer.h"

/* The latest copy of a value. */
typedef struct Copy {
  uint32_t block, id;
} Copy;

typedef struct Rematerializer {
  SrSsa *ssa;
  SrModule *m;
  SrArena *arena;
  SrUses work;
  SR_VEC(Copy) copies;
  SrMap copy_of; /* by value: index of its latest copy */
  SrMap wide_of; /* by value: the value in 32 bits */
  uint32_t *made;
} Rematerializer;

/* Is the type a narrow number, or a vector of them, which is better carried in 32 bits? */
static bool is_number(const SrModule *m, uint32_t type) {
  SpvOp op = sr_def_op(m, type);
  return op == SpvOpTypeInt || op == SpvOpTypeFloat || op == SpvOpTypeVector;
}

/* May the instruction run again at the use? It must have no effects, and its result must not depend
 * on when it runs. Its operands are tested when they are cloned in turn. */
static bool can_clone(const SrModule *m, SrRef def) {
  switch (sr_inst(m, def)->op) {
  case SpvOpAccessChain:
  case SpvOpInBoundsAccessChain:
  case SR_OP_RAW_ACCESS_CHAIN:
  case SR_OP_UNTYPED_ACCESS_CHAIN:
  case SR_OP_UNTYPED_IN_BOUNDS_ACCESS_CHAIN:
  case SpvOpCopyObject:
  case SpvOpImageTexelPointer:
  case SpvOpImage:
  case SpvOpSampledImage:
  case SpvOpConvertUToAccelerationStructureKHR:
  case SpvOpConvertUToImageNV:
  case SpvOpConvertUToSamplerNV:
  case SpvOpConvertUToSampledImageNV:
    return true;
  case SpvOpCompositeExtract: /* handles in arrays and structs of handles */
  case SpvOpCompositeConstruct:
  case SpvOpCompositeInsert:
  case SpvOpCopyLogical:
  case SpvOpUndef:
    return !is_number(m, sr_inst(m, def)->type);
  case SpvOpLoad:
    return sr_pointer_class(m, sr_words(m, def)[3]) == SpvStorageClassUniformConstant;
  default:
    return false;
  }
}

bool sr_ssa_can_rematerialize(SrModule *m, SrRef def) {
  uint16_t op = sr_inst(m, def)->op;
  return can_clone(m, def) || (sr_type_wide(m, sr_inst(m, def)->type) && op != SpvOpPhi);
}

static SrStatus impossible(const Rematerializer *k, SrUse u) {
  const SrFunction *f = k->ssa->f;
  SrWhere where = {.function = sr_function_name(k->m, k->arena, f),
                   .block = f->blocks[u.block].id,
                   .word = SR_NONE};
  const SrInst *def = sr_inst(k->m, sr_def(k->m, u.id));
  if (!def->added)
    where.word = 5 + def->at;
  return sr_fail(k->m->diag, SR_BAD_INPUT, where,
                 "%%%u (Op%s) must reach this block by a phi, which its type forbids, and cannot "
                 "be rematerialized here",
                 u.id, sr_grammar_name(def->op));
}

static void put(Rematerializer *k, uint32_t block, SrRef before, SrRef r) {
  sr_insert_before(k->m, &k->ssa->f->blocks[block].list, before, r);
  k->m->home[sr_inst(k->m, r)->result] = block;
  (*k->made)++;
}

/* ---- narrow numbers ---- */

/* OpSConvert narrows and widens integers of either sign: the round trip gives the same bits. */
static SrRef convert(SrModule *m, uint32_t value, uint32_t type) {
  SrRef def = sr_def(m, type);
  if (sr_inst(m, def)->op == SpvOpTypeVector)
    def = sr_def(m, sr_words(m, def)[2]);
  bool is_float = sr_inst(m, def)->op == SpvOpTypeFloat;
  sr_begin(m, is_float ? SpvOpFConvert : SpvOpSConvert, type, sr_fresh_id(m));
  sr_put_id(m, value);
  return sr_end(m);
}

/* The value in 32 bits, converted after its definition. */
static uint32_t widen(Rematerializer *k, uint32_t id, uint32_t type) {
  uint32_t wide = sr_map_get(&k->wide_of, id);
  if (wide != SR_NONE)
    return wide;
  SrRef r = convert(k->m, id, type);
  wide = sr_inst(k->m, r)->result;
  put(k, k->m->home[id], sr_inst(k->m, sr_def(k->m, id))->next, r);
  sr_map_set(&k->wide_of, id, wide);
  return wide;
}

/* ---- copies ---- */

/* A copy of `id`, to be placed before the use; SR_NONE if it cannot be copied. */
static SrRef copy_of(Rematerializer *k, uint32_t id) {
  SrModule *m = k->m;
  SrRef def = sr_def(m, id);
  if (can_clone(m, def))
    return sr_clone(m, def);
  uint32_t type = sr_inst(m, def)->type, wide = sr_type_wide(m, type);
  return wide && sr_inst(m, def)->op != SpvOpPhi ? convert(m, widen(k, id, wide), type) : SR_NONE;
}

/* Makes the copy for a use, records it for later uses in the block, and puts its operands on the
 * worklist. */
static SrStatus rematerialize(Rematerializer *k, SrUse u, uint32_t *id) {
  SrModule *m = k->m;
  SrRef copy = sr_inst(m, u.inst)->op == SpvOpPhi ? SR_NONE : copy_of(k, u.id);
  if (copy == SR_NONE)
    return impossible(k, u);
  *id = sr_inst(m, copy)->result;
  put(k, u.block, u.inst, copy);
  sr_copy_decorations(m, u.id, *id);
  sr_map_set(&k->copy_of, u.id, k->copies.count);
  SR_PUSH(k->arena, &k->copies, (Copy){u.block, *id});
  for (uint32_t w = sr_inst(m, copy)->first, n = sr_word_count(m, copy); w < n; w++)
    if (sr_word_is_id(m, copy, w)) {
      uint32_t operand = sr_words(m, copy)[w];
      if (!sr_ssa_reaches_end(k->ssa, operand, u.block))
        SR_PUSH(k->arena, &k->work, (SrUse){operand, copy, w, u.block});
    }
  return sr_check_bound(m);
}

static SrStatus repair(Rematerializer *k, SrUse u) {
  uint32_t at = sr_map_get(&k->copy_of, u.id), id = 0;
  if (at != SR_NONE && k->copies.at[at].block == u.block)
    id = k->copies.at[at].id;
  else
    SR_CHECK(rematerialize(k, u, &id));
  sr_words(k->m, u.inst)[u.word] = id;
  return SR_OK;
}

/* A copy made for one use of a block also serves the later ones, since uses come in order. */
SrStatus sr_ssa_rematerialize(SrSsa *ssa, SrUses *uses, uint32_t *made) {
  Rematerializer k = {.ssa = ssa, .m = ssa->m, .arena = ssa->arena, .made = made};
  k.copy_of.arena = k.wide_of.arena = ssa->arena;
  SrUses kept = {0};
  for (uint32_t i = 0; i < uses->count; i++) {
    SR_PUSH(k.arena, &k.work, uses->at[i]);
    while (k.work.count) {
      SrUse u = SR_POP(&k.work);
      if (sr_type_can_phi(k.m, sr_inst(k.m, sr_def(k.m, u.id))->type))
        SR_PUSH(k.arena, &kept, u);
      else
        SR_CHECK(repair(&k, u));
    }
  }
  *uses = kept;
  return SR_OK;
}
