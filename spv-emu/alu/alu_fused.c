/* SPDX-License-Identifier: Apache-2.0 */
/* alu_fused: common pairs of 32-bit instructions in one handler.
 *
 * If only the second of two instructions reads the result of the first, this result stays in the
 * host's registers. Sums of two products are fused in the same way, as is an instruction with the
 * move of its result to the active lanes (decode/registers.c). */
#include "spv-emu/alu/alu.h"

typedef uint32_t EmuWord;

#define WHOLE(name, ...)                                                                           \
  static inline EmuWord do_##name(EmuWord a, EmuWord b) {                                          \
    return __VA_ARGS__;                                                                            \
  }
#define REAL(name, ...)                                                                            \
  static inline float do_##name(float a, float b) {                                                \
    return __VA_ARGS__;                                                                            \
  }
#include "spv-emu/alu/alu_fused.def"

/* ---- an instruction and a move --------------------------------------------------------------- */

#define ON(T, name)                                                                                \
  static void on_##name(EmuLanes *s, const EmuIns *i) {                                            \
    T *pd = EMU_ROW(s, T, i->d);                                                                   \
    const T *pa = EMU_ROW(s, const T, i->a), *pb = EMU_ROW(s, const T, i->b);                      \
    const uint32_t *on = s->on_row;                                                                \
    EMU_FOR_LANES({                                                                                \
      const T value = do_##name(pa[l], pb[l]), old = pd[l];                                        \
      pd[l] = on[l] ? value : old;                                                                 \
    })                                                                                             \
  }
#define WHOLE(name, ...) ON(EmuWord, name)
#define REAL(name, ...) ON(float, name)
#include "spv-emu/alu/alu_fused.def"

/* ---- two instructions ------------------------------------------------------------------------ */

#define PAIR_NAME(first, second) EMU_JOIN(first, second)

#define FIRST SpvOpIAdd
#include "spv-emu/alu/alu_fused.inc"
#define FIRST SpvOpISub
#include "spv-emu/alu/alu_fused.inc"
#define FIRST SpvOpIMul
#include "spv-emu/alu/alu_fused.inc"
#define FIRST SpvOpShiftRightLogical
#include "spv-emu/alu/alu_fused.inc"
#define FIRST SpvOpShiftLeftLogical
#include "spv-emu/alu/alu_fused.inc"
#define FIRST SpvOpBitwiseOr
#include "spv-emu/alu/alu_fused.inc"
#define FIRST SpvOpBitwiseXor
#include "spv-emu/alu/alu_fused.inc"
#define FIRST SpvOpBitwiseAnd
#include "spv-emu/alu/alu_fused.inc"
#define FIRST_REAL
#define FIRST SpvOpFAdd
#include "spv-emu/alu/alu_fused.inc"
#define FIRST SpvOpFSub
#include "spv-emu/alu/alu_fused.inc"
#define FIRST SpvOpFMul
#include "spv-emu/alu/alu_fused.inc"
#undef FIRST_REAL

/* ---- three instructions ---------------------------------------------------------------------- */

/* Sums of two products: of a and b, and of c and the row in the list. */
#define PRODUCTS(T, product, sum)                                                                  \
  static void products_##sum(EmuLanes *s, const EmuIns *i) {                                       \
    T *pd = EMU_ROW(s, T, i->d);                                                                   \
    const T *pa = EMU_ROW(s, const T, i->a), *pb = EMU_ROW(s, const T, i->b);                      \
    const T *pc = EMU_ROW(s, const T, i->c);                                                       \
    const T *pe = EMU_ROW(s, const T, s->program->rows.at[i->list]);                               \
    EMU_FOR_LANES({ pd[l] = do_##sum(do_##product(pa[l], pb[l]), do_##product(pc[l], pe[l])); })   \
  }
PRODUCTS(EmuWord, SpvOpIMul, SpvOpIAdd)
PRODUCTS(EmuWord, SpvOpIMul, SpvOpISub)
PRODUCTS(float, SpvOpFMul, SpvOpFAdd)
PRODUCTS(float, SpvOpFMul, SpvOpFSub)

/* ---- the look-ups ---------------------------------------------------------------------------- */

static EmuKind kind_of(SpvOp op) {
  switch (op) {
#define WHOLE(name, ...)                                                                           \
  case name:                                                                                       \
    return EMU_U32;
#define REAL(name, ...)                                                                            \
  case name:                                                                                       \
    return EMU_F32;
#include "spv-emu/alu/alu_fused.def"
  default:
    return EMU_KINDS;
  }
}

EmuHandler *EMU_NAME(emu_alu_on)(SpvOp op, EmuKind kind) {
  if (kind_of(op) != kind)
    return NULL;
  switch (op) {
#define WHOLE(name, ...)                                                                           \
  case name:                                                                                       \
    return on_##name;
#define REAL(name, ...) WHOLE(name, )
#include "spv-emu/alu/alu_fused.def"
  default:
    return NULL;
  }
}

EmuHandler *EMU_NAME(emu_alu_pair)(SpvOp first, SpvOp second, EmuKind kind, bool right) {
  if (kind_of(first) != kind || kind_of(second) != kind)
    return NULL;
  switch (first) {
#define WHOLE(name, ...)                                                                           \
  case name:                                                                                       \
    return PAIR_NAME(find, name)(second, right);
#define REAL(name, ...) WHOLE(name, )
#include "spv-emu/alu/alu_fused.def"
  default:
    return NULL;
  }
}

EmuHandler *EMU_NAME(emu_alu_products)(SpvOp product, SpvOp sum, EmuKind kind) {
  if (kind_of(product) != kind || kind_of(sum) != kind)
    return NULL;
  if (product == SpvOpIMul)
    return sum == SpvOpIAdd ? products_SpvOpIAdd : sum == SpvOpISub ? products_SpvOpISub : NULL;
  if (product == SpvOpFMul)
    return sum == SpvOpFAdd ? products_SpvOpFAdd : sum == SpvOpFSub ? products_SpvOpFSub : NULL;
  return NULL;
}
