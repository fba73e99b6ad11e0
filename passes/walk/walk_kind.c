/* SPDX-License-Identifier: Apache-2.0 */
/* walk_kind: see walk_kind.h. Everything not listed as harmless is an effect: an instruction
 * unknown to this project may not be moved, repeated or dropped. Opcodes come in ranges of one kind
 * (SPIR-V 1.6, section 3.52). */
#include "passes/walk/walk_kind.h"

#include "passes/ir/effects.h"
#include "passes/ir/memory_operands.h"
#include "passes/ir/newer.h"
#include "passes/ir/pointer.h"

#include <string.h>

enum { MOST_COMPONENTS = 16 };

unsigned sr_walk_width(const SrModule *m, uint32_t type) {
  SrRef r = sr_def(m, type);
  if (r == SR_NONE)
    return 0;
  if (sr_inst(m, r)->op == SpvOpTypeBool)
    return 1;
  if (sr_inst(m, r)->op != SpvOpTypeInt)
    return 0;
  uint32_t bits = sr_words(m, r)[2];
  return bits > 1 && bits <= 64 ? bits : 0;
}

uint32_t sr_walk_type_of(const SrModule *m, uint32_t id) {
  SrRef r = sr_def(m, id);
  return r == SR_NONE ? 0 : sr_inst(m, r)->type;
}

uint32_t sr_walk_components(const SrModule *m, uint32_t type) {
  SrRef r = sr_def(m, type);
  bool is_vector = r != SR_NONE && sr_inst(m, r)->op == SpvOpTypeVector;
  return is_vector && sr_words(m, r)[3] <= MOST_COMPONENTS ? sr_words(m, r)[3] : 0;
}

typedef struct Range {
  uint16_t first, last;
} Range;

static const Range pure[] = {
    {SpvOpAccessChain, SpvOpInBoundsPtrAccessChain},
    {SpvOpImageTexelPointer, SpvOpImageTexelPointer},
    {SpvOpVectorExtractDynamic, SpvOpTranspose},
    {SpvOpSampledImage, SpvOpSampledImage},
    {SpvOpImage, SpvOpImageQuerySize},
    {SpvOpImageQueryLevels, SpvOpImageQuerySamples},
    {SpvOpConvertFToU, SpvOpBitcast},
    {SpvOpSNegate, SpvOpSMulExtended},
    {SpvOpAny, SpvOpFUnordGreaterThanEqual},
    {SpvOpShiftRightLogical, SpvOpBitCount},
    {SpvOpSizeOf, SpvOpSizeOf},
    {SpvOpGroupNonUniformBallotBitExtract, SpvOpGroupNonUniformBallotBitExtract},
    {SpvOpGroupNonUniformBallotFindLSB, SpvOpGroupNonUniformBallotFindMSB},
    {SpvOpCopyLogical, SpvOpPtrDiff},
    {SR_OP_UNTYPED_ACCESS_CHAIN, SR_OP_UNTYPED_IN_BOUNDS_ACCESS_CHAIN},
    {SR_OP_UNTYPED_PTR_ACCESS_CHAIN, SR_OP_UNTYPED_ARRAY_LENGTH},
    {SpvOpConvertUToAccelerationStructureKHR, SpvOpConvertUToAccelerationStructureKHR},
    {SR_OP_COMPOSITE_CONSTRUCT_REPLICATE, SR_OP_COMPOSITE_CONSTRUCT_REPLICATE},
    {SpvOpSDotKHR, SpvOpSUDotAccSatKHR},
    {SpvOpConvertUToImageNV, SpvOpConvertSampledImageToUNV},
    {SR_OP_RAW_ACCESS_CHAIN, SR_OP_RAW_ACCESS_CHAIN},
    {SpvOpUCountLeadingZerosINTEL, SpvOpUMul32x16INTEL},
};

static const Range reads[] = {
    {SpvOpLoad, SpvOpLoad},
    {SpvOpImageSampleExplicitLod, SpvOpImageSampleExplicitLod},
    {SpvOpImageSampleDrefExplicitLod, SpvOpImageSampleDrefExplicitLod},
    {SpvOpImageSampleProjExplicitLod, SpvOpImageSampleProjExplicitLod},
    {SpvOpImageSampleProjDrefExplicitLod, SpvOpImageSampleProjDrefExplicitLod},
    {SpvOpImageFetch, SpvOpImageRead},
};

#define IS_IN(ranges, op) is_in(ranges, sizeof(ranges) / sizeof *(ranges), op)

static bool is_in(const Range *ranges, size_t count, uint32_t op) {
  for (size_t i = 0; i < count; i++)
    if (op >= ranges[i].first && op <= ranges[i].last)
      return true;
  return false;
}

/* ---- extended instructions ---- */

static SrWalkKind extended(const SrModule *m, SrRef r) {
  if (sr_prints(m, r))
    return SR_WALK_EFFECT;
  if (sr_inst(m, r)->nonsemantic)
    return SR_WALK_SKIP;
  return sr_is_pure_extended(m, r) ? SR_WALK_HASH : SR_WALK_EFFECT;
}

/* ---- memory ---- */

/* A volatile read of a texel is observed. */
static SrWalkKind texel(const SrModule *m, SrRef r) {
  const uint32_t *w = sr_words(m, r);
  uint32_t op = sr_inst(m, r)->op;
  bool has_depth = op == SpvOpImageSampleDrefExplicitLod ||
                   op == SpvOpImageSampleProjDrefExplicitLod || op == SpvOpImageDrefGather;
  uint32_t mask = has_depth || op == SpvOpImageGather ? 6 : 5;
  bool is_volatile = w[0] >> 16 > mask && w[mask] & SpvImageOperandsVolatileTexelMask;
  return is_volatile ? SR_WALK_EFFECT : SR_WALK_READ;
}

/* A load of an opaque handle gives the same value at any time; a volatile one is observed. */
static SrWalkKind load(const SrModule *m, SrRef r) {
  if (sr_pointer_class(m, sr_words(m, r)[3]) == SpvStorageClassUniformConstant)
    return SR_WALK_HASH;
  return sr_memory_has(m, r, SpvMemoryAccessVolatileMask) ? SR_WALK_EFFECT : SR_WALK_READ;
}

/* ---- numbers ---- */

bool sr_walk_is_bools(const SrModule *m, uint32_t type) {
  SrRef r = sr_def(m, type);
  return r != SR_NONE && sr_inst(m, r)->op == SpvOpTypeVector &&
         sr_def_op(m, sr_words(m, r)[2]) == SpvOpTypeBool;
}

/* The bits of a number, or of a vector's components; 0 for other types. */
static uint32_t bits_of(const SrModule *m, uint32_t type) {
  SrRef r = sr_def(m, type);
  if (r != SR_NONE && sr_inst(m, r)->op == SpvOpTypeVector)
    r = sr_def(m, sr_words(m, r)[2]);
  if (r == SR_NONE)
    return 0;
  uint16_t op = sr_inst(m, r)->op;
  return op == SpvOpTypeInt || op == SpvOpTypeFloat ? sr_words(m, r)[2] : 0;
}

/* A conversion of a value held as a hash: the round trip gives the value itself. */
static SrWalkKind conversion(const SrModule *m, SrRef r) {
  uint32_t from = bits_of(m, sr_walk_type_of(m, sr_words(m, r)[3]));
  uint32_t to = bits_of(m, sr_inst(m, r)->type);
  if (from == 0 || to == 0 || from == to)
    return SR_WALK_HASH;
  return from < to ? SR_WALK_WIDEN : SR_WALK_NARROW;
}

static SrWalkKind convert(const SrModule *m, SrRef r, SrWalkKind extend) {
  bool numbers = sr_walk_width(m, sr_inst(m, r)->type) &&
                 sr_walk_width(m, sr_walk_type_of(m, sr_words(m, r)[3]));
  return numbers ? extend : conversion(m, r);
}

static SrWalkKind computed(SpvOp op) {
  switch (op) {
  case SpvOpIAdd:
    return SR_WALK_ADD;
  case SpvOpISub:
    return SR_WALK_SUB;
  case SpvOpBitwiseAnd: /* `unstructure` branches on a bit of a number */
  case SpvOpLogicalAnd:
    return SR_WALK_AND;
  case SpvOpLogicalOr:
    return SR_WALK_OR;
  case SpvOpLogicalNot:
    return SR_WALK_NOT;
  case SpvOpLogicalEqual:
  case SpvOpIEqual:
    return SR_WALK_EQUAL;
  case SpvOpLogicalNotEqual:
  case SpvOpINotEqual:
    return SR_WALK_NOT_EQUAL;
  case SpvOpULessThan:
    return SR_WALK_ULESS;
  case SpvOpULessThanEqual:
    return SR_WALK_ULESS_EQUAL;
  case SpvOpSLessThan:
    return SR_WALK_SLESS;
  case SpvOpSLessThanEqual:
    return SR_WALK_SLESS_EQUAL;
  case SpvOpUGreaterThan:
    return SR_WALK_UGREATER;
  case SpvOpUGreaterThanEqual:
    return SR_WALK_UGREATER_EQUAL;
  case SpvOpSGreaterThan:
    return SR_WALK_SGREATER;
  case SpvOpSGreaterThanEqual:
    return SR_WALK_SGREATER_EQUAL;
  default:
    return SR_WALK_HASH;
  }
}

/* Nothing is computed on vectors. */
static SrWalkKind arithmetic(const SrModule *m, SrRef r) {
  const SrInst *in = sr_inst(m, r);
  SrWalkKind kind = computed(in->op);
  bool numbers =
      sr_walk_width(m, in->type) && sr_walk_width(m, sr_walk_type_of(m, sr_words(m, r)[in->first]));
  return numbers ? kind : SR_WALK_HASH;
}

/* ---- vectors ---- */

static const Range by_component[] = {
    {SpvOpConvertFToU, SpvOpConvertUToF},
    {SpvOpSNegate, SpvOpVectorTimesScalar},
    {SpvOpIsNan, SpvOpFUnordGreaterThanEqual},
    {SpvOpShiftRightLogical, SpvOpBitCount},
};

/* Numbers of the instructions of GLSL.std.450 and OpenCL.std that compute each component by itself:
 * not those on matrices, lengths and cross products. */
static const Range glsl_by_component[] = {{1, 32}, {37, 50}, {79, 81}};
static const Range opencl_by_component[] = {{0, 103}, {141, 170}, {186, 187}};

static bool is_by_component(const SrModule *m, SrRef r) {
  uint16_t op = sr_inst(m, r)->op;
  if (!sr_walk_components(m, sr_inst(m, r)->type))
    return false;
  if (op != SpvOpExtInst)
    return IS_IN(by_component, op);
  const char *set = (const char *)&sr_words(m, sr_def(m, sr_words(m, r)[3]))[2];
  return strcmp(set, "OpenCL.std") == 0 ? IS_IN(opencl_by_component, sr_words(m, r)[4])
                                        : IS_IN(glsl_by_component, sr_words(m, r)[4]);
}

static SrWalkKind lanes(const SrModule *m, SrRef r, SrWalkKind kind) {
  return kind == SR_WALK_HASH && is_by_component(m, r) ? SR_WALK_LANES : kind;
}

/* If an index is beyond the vector's end, which the reader accepts, the result is a hash. */
static SrWalkKind vector(const SrModule *m, SrRef r) {
  const SrInst *in = sr_inst(m, r);
  const uint32_t *w = sr_words(m, r);
  uint32_t count = sr_walk_components(m, in->type), words = sr_word_count(m, r);
  switch (in->op) {
  case SpvOpCompositeConstruct:
    return count && words == count + 3 ? SR_WALK_PARTS : SR_WALK_HASH;
  case SpvOpVectorShuffle:
    return count && words == count + 5 && sr_walk_components(m, sr_walk_type_of(m, w[3])) &&
                   sr_walk_components(m, sr_walk_type_of(m, w[4]))
               ? SR_WALK_PARTS
               : SR_WALK_HASH;
  case SpvOpCompositeInsert:
    return words == 6 && w[5] < count ? SR_WALK_PARTS : SR_WALK_HASH;
  default:
    return words == 5 && w[4] < sr_walk_components(m, sr_walk_type_of(m, w[3])) ? SR_WALK_PART
                                                                                : SR_WALK_HASH;
  }
}

/* ---- all ---- */

SrWalkKind sr_walk_kind(const SrModule *m, SrRef r) {
  const SrInst *in = sr_inst(m, r);
  if (in->unknown)
    return SR_WALK_EFFECT;
  switch (in->op) {
  case SpvOpLabel:
  case SpvOpNop:
  case SpvOpLine:
  case SpvOpNoLine:
  case SpvOpSelectionMerge:
  case SpvOpLoopMerge:
    return SR_WALK_SKIP;
  case SpvOpUndef:
    return SR_WALK_UNDEF;
  case SpvOpVariable:
  case SR_OP_UNTYPED_VARIABLE:
    return SR_WALK_VARIABLE;
  case SpvOpExtInst:
    return lanes(m, r, extended(m, r));
  case SpvOpLoad:
    return load(m, r);
  case SpvOpCopyObject:
    return SR_WALK_COPY;
  case SpvOpSelect:
    return SR_WALK_SELECT;
  case SpvOpCompositeConstruct:
    return sr_walk_is_bools(m, in->type) ? SR_WALK_SPLAT : vector(m, r);
  case SpvOpCompositeInsert:
  case SpvOpCompositeExtract:
  case SpvOpVectorShuffle:
    return vector(m, r);
  case SpvOpFConvert:
    return conversion(m, r);
  case SpvOpUConvert:
    return convert(m, r, SR_WALK_ZERO_EXTEND);
  case SpvOpSConvert:
    return convert(m, r, SR_WALK_SIGN_EXTEND);
  default:
    if (!in->result)
      return SR_WALK_EFFECT;
    if (IS_IN(reads, in->op))
      return texel(m, r);
    return IS_IN(pure, in->op) ? lanes(m, r, arithmetic(m, r)) : SR_WALK_EFFECT;
  }
}
