/* SPDX-License-Identifier: Apache-2.0 */
/* lower_int: instructions on integers and booleans, and offsets from indices; see lower.h. Each case is
 * the expression of alu_int.def, alu_glsl_int.def or alu_rows.c. */
#include "spv-emu/native/lower.h"

#include "spv-emu/engine/step.h"

#include <spirv/unified1/GLSL.std.450.h>

static uint32_t wide_bits(uint32_t bits) {
  return bits == 64 ? 64 : 32;
}

EmuVector emu_lower_unsigned(const EmuBuild *b, EmuOperand in) {
  uint32_t bits = emu_build_bits(b, in.safe);
  return bits < 32 ? emu_build_zext(b, in.safe, 32) : in.safe;
}

EmuVector emu_lower_signed(const EmuBuild *b, EmuOperand in) {
  uint32_t bits = emu_build_bits(b, in.safe);
  return bits < 32 ? emu_build_sext(b, in.safe, 32) : in.safe;
}

/* The operands and their width: what the tables call a, b, c, SIGNED and BITS. */
typedef struct Ints {
  const EmuBuild *b;
  EmuVector a, y, c;    /* unsigned; y is the tables' b */
  EmuVector sa, sy, sc; /* signed */
  uint32_t bits, wide;
} Ints;

static EmuVector or_null(const EmuBuild *b, EmuOperand in,
                         EmuVector (*as)(const EmuBuild *b, EmuOperand in)) {
  return in.row ? as(b, in) : NULL;
}

static Ints ints_of(const EmuBuild *b, const EmuLowerArgs *args) {
  const EmuOperand *in = args->in;
  Ints n = {.b = b, .bits = emu_build_bits(b, in[0].row)};
  n.wide = wide_bits(n.bits);
  n.a = or_null(b, in[0], emu_lower_unsigned), n.sa = or_null(b, in[0], emu_lower_signed);
  n.y = or_null(b, in[1], emu_lower_unsigned), n.sy = or_null(b, in[1], emu_lower_signed);
  n.c = or_null(b, in[2], emu_lower_unsigned), n.sc = or_null(b, in[2], emu_lower_signed);
  return n;
}

static EmuVector splat(const Ints *n, uint64_t value) {
  return emu_build_splat(n->b, n->wide, value);
}
static EmuVector is(const Ints *n, LLVMIntPredicate how, EmuVector x, EmuVector y) {
  return emu_build_icmp(n->b, how, x, y);
}
static EmuVector is_zero(const Ints *n, EmuVector x) {
  return is(n, LLVMIntEQ, x, splat(n, 0));
}
static EmuVector pick(const Ints *n, EmuVector test, EmuVector x, EmuVector y) {
  return emu_build_select(n->b, test, x, y);
}

/* ---- shifts and fields ----------------------------------------------------------------------- */

/* A shift amount modulo the width. */
static EmuVector amount(const Ints *n, EmuVector by) {
  return emu_build_and(n->b, by, splat(n, n->bits - 1));
}

/* Shifts by min(by, BITS), without an amount that is too large for the type. */
static EmuVector shift_left(const Ints *n, EmuVector x, EmuVector by) {
  EmuVector most = splat(n, n->bits);
  by = pick(n, is(n, LLVMIntULT, by, most), by, most);
  EmuVector half = emu_build_lshr(n->b, by, splat(n, 1));
  return emu_build_shl(n->b, emu_build_shl(n->b, x, half), emu_build_sub(n->b, by, half));
}

static EmuVector complement(const Ints *n, EmuVector x) {
  return emu_build_xor(n->b, x, splat(n, ~(uint64_t)0));
}

static EmuVector ones(const Ints *n, EmuVector count) {
  return complement(n, shift_left(n, splat(n, ~(uint64_t)0), count));
}

static EmuVector extract(const Ints *n, EmuVector field, EmuVector mask) {
  EmuVector sign = emu_build_xor(n->b, mask, emu_build_lshr(n->b, mask, splat(n, 1)));
  EmuVector kept = emu_build_and(n->b, field, mask);
  return emu_build_sub(n->b, emu_build_xor(n->b, kept, sign), sign);
}

/* ---- division -------------------------------------------------------------------------------- */

/* Through floats that hold all values, as alu_int.inc; 64 bits have instructions of their own. */
static EmuVector quotient(const Ints *n, EmuVector x, EmuVector by, bool sign) {
  const EmuBuild *b = n->b;
  if (n->bits == 64)
    return sign ? emu_build_sdiv(b, x, by) : emu_build_udiv(b, x, by);
  LLVMTypeRef type = emu_build_floats(b, n->bits == 32 ? 64 : 32);
  EmuVector (*as)(LLVMBuilderRef, LLVMValueRef, LLVMTypeRef, const char *) =
      sign ? b->l->LLVMBuildSIToFP : b->l->LLVMBuildUIToFP;
  EmuVector q = emu_build_fdiv(b, as(b->at, x, type, ""), as(b->at, by, type, ""));
  return b->l->LLVMBuildFPToSI(b->at, q, emu_build_ints(b, 32), "");
}

static EmuVector udiv(const Ints *n) {
  EmuVector two = splat(n, 2), low = is(n, LLVMIntULT, n->y, two);
  EmuVector q = quotient(n, n->a, pick(n, low, two, n->y), false);
  EmuVector one = is(n, LLVMIntEQ, n->y, splat(n, 1));
  return pick(n, is_zero(n, n->y), splat(n, ~(uint64_t)0), pick(n, one, n->a, q));
}

/* `y`, which is signed, is 0 or -1 in some lanes: those divide by 1. */
static EmuVector sdiv(const Ints *n) {
  EmuVector less = is(n, LLVMIntEQ, n->sy, splat(n, ~(uint64_t)0));
  EmuVector odd = emu_build_or(n->b, is_zero(n, n->sy), less);
  EmuVector q = quotient(n, n->sa, pick(n, odd, splat(n, 1), n->sy), true);
  return pick(n, less, emu_build_sub(n->b, splat(n, 0), n->a), q);
}

static EmuVector rest(const Ints *n, EmuVector q) {
  return emu_build_sub(n->b, n->a, emu_build_mul(n->b, n->y, q));
}

/* The low bits of x, sign-extended. */
static EmuVector resigned(const Ints *n, EmuVector x) {
  return n->bits < 32 ? emu_build_sext(n->b, emu_build_trunc(n->b, x, n->bits), 32) : x;
}

static EmuVector smod(const Ints *n) {
  EmuVector left = rest(n, sdiv(n)), zero = splat(n, 0);
  EmuVector some = is(n, LLVMIntNE, resigned(n, left), zero);
  EmuVector apart = is(n, LLVMIntSLT, resigned(n, emu_build_xor(n->b, left, n->y)), zero);
  return pick(n, emu_build_and(n->b, some, apart), emu_build_add(n->b, left, n->y), left);
}

/* A remainder; all ones for y = 0. */
static EmuVector unless_zero(const Ints *n, EmuVector x) {
  return pick(n, is_zero(n, n->y), splat(n, ~(uint64_t)0), x);
}

/* ---- core instructions ----------------------------------------------------------------------- */

static EmuVector lower_test(const Ints *n, uint32_t op) {
  switch (op) {
  case SpvOpIEqual:
    return is(n, LLVMIntEQ, n->a, n->y);
  case SpvOpINotEqual:
    return is(n, LLVMIntNE, n->a, n->y);
  case SpvOpUGreaterThan:
    return is(n, LLVMIntUGT, n->a, n->y);
  case SpvOpUGreaterThanEqual:
    return is(n, LLVMIntUGE, n->a, n->y);
  case SpvOpULessThan:
    return is(n, LLVMIntULT, n->a, n->y);
  case SpvOpULessThanEqual:
    return is(n, LLVMIntULE, n->a, n->y);
  case SpvOpSGreaterThan:
    return is(n, LLVMIntSGT, n->sa, n->sy);
  case SpvOpSGreaterThanEqual:
    return is(n, LLVMIntSGE, n->sa, n->sy);
  case SpvOpSLessThan:
    return is(n, LLVMIntSLT, n->sa, n->sy);
  case SpvOpSLessThanEqual:
    return is(n, LLVMIntSLE, n->sa, n->sy);
  }
  return NULL;
}

static EmuVector lower_arithmetic(const Ints *n, uint32_t op) {
  const EmuBuild *b = n->b;
  switch (op) {
  case SpvOpSNegate:
    return emu_build_sub(b, splat(n, 0), n->a);
  case SpvOpIAdd:
    return emu_build_add(b, n->a, n->y);
  case SpvOpISub:
    return emu_build_sub(b, n->a, n->y);
  case SpvOpIMul:
    return emu_build_mul(b, n->a, n->y);
  case SpvOpUDiv:
    return udiv(n);
  case SpvOpSDiv:
    return pick(n, is_zero(n, n->y), splat(n, 0), sdiv(n));
  case SpvOpUMod:
    return unless_zero(n, rest(n, udiv(n)));
  case SpvOpSRem:
    return unless_zero(n, rest(n, sdiv(n)));
  case SpvOpSMod:
    return unless_zero(n, smod(n));
  case EMU_STEP_MUL_ADD:
    return emu_build_add(b, emu_build_mul(b, n->a, n->y), n->c);
  case EMU_STEP_MUL_SUB:
    return emu_build_sub(b, emu_build_mul(b, n->a, n->y), n->c);
  }
  return NULL;
}

static EmuVector lower_bits(const Ints *n, uint32_t op) {
  const EmuBuild *b = n->b;
  switch (op) {
  case SpvOpNot:
    return complement(n, n->a);
  case SpvOpBitCount:
    return emu_build_intrinsic(b, "llvm.ctpop", (EmuVector[]){n->a}, 1);
  case SpvOpBitReverse:
    return emu_build_lshr(b, emu_build_intrinsic(b, "llvm.bitreverse", (EmuVector[]){n->a}, 1),
                          splat(n, n->wide - n->bits));
  case SpvOpShiftLeftLogical:
    return emu_build_shl(b, n->a, amount(n, n->y));
  case SpvOpShiftRightLogical:
    return emu_build_lshr(b, n->a, amount(n, n->y));
  case SpvOpShiftRightArithmetic:
    return emu_build_ashr(b, n->sa, amount(n, n->y));
  case SpvOpBitwiseAnd:
    return emu_build_and(b, n->a, n->y);
  case SpvOpBitwiseOr:
    return emu_build_or(b, n->a, n->y);
  case SpvOpBitwiseXor:
    return emu_build_xor(b, n->a, n->y);
  case EMU_STEP_BIT_MASK:
    return shift_left(n, ones(n, n->y), n->a);
  case SpvOpBitFieldUExtract:
    return emu_build_and(b, emu_build_lshr(b, n->a, amount(n, n->y)), ones(n, n->c));
  case SpvOpBitFieldSExtract:
    return extract(n, emu_build_lshr(b, n->a, amount(n, n->y)), ones(n, n->c));
  }
  return NULL;
}

/* A test as the number 1 or 0. */
static EmuVector as_number(const Ints *n, EmuVector test) {
  return emu_build_zext(n->b, test, n->wide);
}

static EmuVector lower_carry(const Ints *n, uint32_t op) {
  if (op == EMU_STEP_BORROW)
    return as_number(n, is(n, LLVMIntULT, n->a, n->y));
  if (op != EMU_STEP_CARRY)
    return NULL;
  EmuVector sum = emu_build_add(n->b, n->a, n->y);
  if (n->bits < 32)
    sum = emu_build_and(n->b, sum, splat(n, ((uint64_t)1 << n->bits) - 1));
  return as_number(n, is(n, LLVMIntULT, sum, n->a));
}

/* b where the mask in row a has ones, else c; the mask has 32 bits. */
static EmuVector lower_select(const EmuBuild *b, const EmuLowerArgs *args) {
  EmuVector mask = args->in[0].safe, x = args->in[1].safe, y = args->in[2].safe;
  uint32_t bits = emu_build_bits(b, x);
  mask = bits == 64  ? emu_build_sext(b, mask, 64)
         : bits < 32 ? emu_build_trunc(b, mask, bits)
                     : mask;
  EmuVector other = emu_build_xor(b, mask, emu_build_splat(b, bits, ~(uint64_t)0));
  return emu_build_or(b, emu_build_and(b, mask, x), emu_build_and(b, other, y));
}

static EmuVector lower_take(const EmuBuild *b, const EmuLowerArgs *args) {
  EmuVector test = emu_build_icmp(b, LLVMIntEQ, args->in[1].safe, emu_build_splat(b, 32, args->x));
  return emu_build_select(b, test, args->in[0].safe, args->in[2].safe);
}

EmuVector emu_lower_int(const EmuBuild *b, uint32_t op, EmuKind kind, const EmuLowerArgs *args) {
  if (op == SpvOpSelect)
    return lower_select(b, args);
  if (op == EMU_STEP_TAKE)
    return lower_take(b, args);
  if (kind == EMU_BOOL)
    return emu_lower_bool(b, op, args);
  const Ints n = ints_of(b, args);
  EmuVector found = lower_test(&n, op);
  found = found ? found : lower_arithmetic(&n, op);
  found = found ? found : lower_bits(&n, op);
  return found ? found : lower_carry(&n, op);
}

EmuVector emu_lower_bool(const EmuBuild *b, uint32_t op, const EmuLowerArgs *args) {
  EmuVector x = args->in[0].safe, y = args->in[1].safe;
  EmuVector all = emu_build_splat(b, 32, ~(uint64_t)0);
  switch (op) {
  case SpvOpLogicalNot:
    return emu_build_xor(b, x, all);
  case SpvOpLogicalAnd:
    return emu_build_and(b, x, y);
  case SpvOpLogicalOr:
    return emu_build_or(b, x, y);
  case SpvOpLogicalEqual:
    return emu_build_xor(b, emu_build_xor(b, x, y), all);
  case SpvOpLogicalNotEqual:
    return emu_build_xor(b, x, y);
  }
  return NULL;
}

/* ---- GLSL.std.450 ---------------------------------------------------------------------------- */

static EmuVector least(const Ints *n, LLVMIntPredicate less, EmuVector x, EmuVector y) {
  return pick(n, is(n, less, y, x), y, x);
}
static EmuVector most(const Ints *n, LLVMIntPredicate less, EmuVector x, EmuVector y) {
  return pick(n, is(n, less, x, y), y, x);
}

/* Sets all bits below the highest one that is set, and counts them. */
static EmuVector bits_up_to_highest(const Ints *n, EmuVector x) {
  for (uint32_t by = 1; by < n->wide; by *= 2)
    x = emu_build_or(n->b, x, emu_build_lshr(n->b, x, splat(n, by)));
  return emu_build_intrinsic(n->b, "llvm.ctpop", &x, 1);
}

static EmuVector find_lowest(const Ints *n) {
  EmuVector below =
      emu_build_and(n->b, complement(n, n->a), emu_build_sub(n->b, n->a, splat(n, 1)));
  EmuVector count = emu_build_intrinsic(n->b, "llvm.ctpop", &below, 1);
  return pick(n, is_zero(n, n->a), splat(n, ~(uint64_t)0), count);
}

/* `x` without bits above the width. */
static EmuVector cut(const Ints *n, EmuVector x) {
  return n->bits < 32 ? emu_build_and(n->b, x, splat(n, ((uint64_t)1 << n->bits) - 1)) : x;
}

static EmuVector find_highest(const Ints *n, EmuVector x) {
  return emu_build_sub(n->b, bits_up_to_highest(n, x), splat(n, 1));
}

EmuVector emu_lower_int_glsl(const EmuBuild *b, uint32_t op, const EmuLowerArgs *args) {
  const Ints ints = ints_of(b, args), *n = &ints;
  EmuVector zero = splat(n, 0), negative = is(n, LLVMIntSLT, n->sa, zero);
  switch (op) {
  case GLSLstd450SAbs:
    return pick(n, negative, emu_build_sub(b, zero, n->a), n->a);
  case GLSLstd450SSign:
    return pick(n, negative, splat(n, ~(uint64_t)0), as_number(n, is(n, LLVMIntNE, n->a, zero)));
  case GLSLstd450UMin:
    return least(n, LLVMIntULT, n->a, n->y);
  case GLSLstd450SMin:
    return least(n, LLVMIntSLT, n->sa, n->sy);
  case GLSLstd450UMax:
    return most(n, LLVMIntULT, n->a, n->y);
  case GLSLstd450SMax:
    return most(n, LLVMIntSLT, n->sa, n->sy);
  case GLSLstd450UClamp:
    return least(n, LLVMIntULT, most(n, LLVMIntULT, n->a, n->y), n->c);
  case GLSLstd450SClamp:
    return least(n, LLVMIntSLT, most(n, LLVMIntSLT, n->sa, n->sy), n->sc);
  case GLSLstd450FindILsb:
    return find_lowest(n);
  case GLSLstd450FindUMsb:
    return find_highest(n, n->a);
  case GLSLstd450FindSMsb:
    return find_highest(n, cut(n, pick(n, negative, complement(n, n->a), n->a)));
  }
  return NULL;
}

/* ---- indices --------------------------------------------------------------------------------- */

/* The index as EmuIsa.index defines it, in 32 bits; a negative one becomes larger than any limit. */
static EmuVector count_of(const EmuBuild *b, EmuKind kind, EmuOperand index) {
  if (kind != EMU_U64)
    return emu_lower_signed(b, index);
  EmuVector most = emu_build_splat(b, 64, INT32_MAX), none = emu_build_splat(b, 32, UINT32_MAX);
  EmuVector high = emu_build_icmp(b, LLVMIntSGT, index.safe, most);
  EmuVector low = emu_build_icmp(b, LLVMIntSLT, index.safe, emu_build_splat(b, 64, 0));
  EmuVector cut = emu_build_trunc(b, emu_build_select(b, high, most, index.safe), 32);
  return emu_build_select(b, low, none, cut);
}

EmuVector emu_lower_index(const EmuBuild *b, EmuKind kind, const EmuLowerArgs *args) {
  uint32_t x = args->x, limit = x > 1 ? UINT32_MAX / x : INT32_MAX;
  EmuVector base = args->in[0].row ? args->in[0].safe : emu_build_splat(b, 32, 0);
  EmuVector count = count_of(b, kind, args->in[1]);
  EmuVector offset = emu_build_add(b, base, emu_build_mul(b, count, emu_build_splat(b, 32, x)));
  EmuVector large = emu_build_icmp(b, LLVMIntUGT, count, emu_build_splat(b, 32, limit));
  EmuVector wraps = emu_build_or(b, large, emu_build_icmp(b, LLVMIntULT, offset, base));
  return emu_build_select(b, wraps, emu_build_splat(b, 32, UINT32_MAX), offset);
}

EmuVector emu_lower_index_address(const EmuBuild *b, const EmuLowerArgs *args) {
  EmuVector by = emu_build_splat(b, 64, (uint64_t)(int32_t)args->x), index = args->in[1].safe;
  if (emu_build_bits(b, index) < 64)
    index = emu_build_sext(b, index, 64);
  return emu_build_add(b, args->in[0].safe, emu_build_mul(b, index, by));
}
