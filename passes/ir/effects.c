/* SPDX-License-Identifier: Apache-2.0 */
/* effects: see effects.h. */
#include "passes/ir/effects.h"
#include "passes/ir/memory_operands.h"
#include "passes/ir/newer.h"
#include "passes/ir/pointer.h"

typedef struct Range {
  uint16_t first, last;
} Range;

/* Opcodes in ascending ranges, as in the unified specification. */
static const Range quad[] = {
    {SpvOpImageSampleImplicitLod, SpvOpImageSampleImplicitLod},
    {SpvOpImageSampleDrefImplicitLod, SpvOpImageSampleDrefImplicitLod},
    {SpvOpImageSampleProjImplicitLod, SpvOpImageSampleProjImplicitLod},
    {SpvOpImageSampleProjDrefImplicitLod, SpvOpImageSampleProjDrefImplicitLod},
    {SpvOpImageQueryLod, SpvOpImageQueryLod},
    {SpvOpDPdx, SpvOpFwidthCoarse},
    {SpvOpImageSparseSampleImplicitLod, SpvOpImageSparseSampleImplicitLod},
    {SpvOpImageSparseSampleDrefImplicitLod, SpvOpImageSparseSampleDrefImplicitLod},
    {SpvOpImageSparseSampleProjImplicitLod, SpvOpImageSparseSampleProjImplicitLod},
    {SpvOpImageSparseSampleProjDrefImplicitLod, SpvOpImageSparseSampleProjDrefImplicitLod},
    {SpvOpGroupNonUniformQuadBroadcast, SpvOpGroupNonUniformQuadSwap},
    {SR_OP_QUAD_ALL, SR_OP_QUAD_ANY},
    {SpvOpImageSampleFootprintNV, SpvOpImageSampleFootprintNV},
};

/* The cross-lane operations that are not quad operations, likewise. The two instructions of mesh
 * shading take the operands of the workgroup's first invocation. */
static const Range other_cross_lane[] = {
    {SpvOpControlBarrier, SpvOpControlBarrier},
    {SpvOpGroupAsyncCopy, SpvOpGroupSMax},
    {SpvOpGroupReserveReadPipePackets, SpvOpGroupCommitWritePipe},
    {SpvOpGroupNonUniformElect, SpvOpGroupNonUniformLogicalXor},
    {SpvOpSubgroupBallotKHR, SpvOpSubgroupFirstInvocationKHR},
    {SpvOpSubgroupAllKHR, SpvOpSubgroupReadInvocationKHR}, /* with OpGroupNonUniformRotateKHR */
    {SR_OP_COOPERATIVE_MATRIX_LOAD, SR_OP_COOPERATIVE_MATRIX_MUL_ADD},
    {SpvOpGroupIAddNonUniformAMD, SpvOpGroupSMaxNonUniformAMD},
    {SR_OP_COOPERATIVE_MATRIX_CONVERT, SR_OP_COOPERATIVE_MATRIX_CONVERT},
    {SpvOpEmitMeshTasksEXT, SpvOpSetMeshOutputsEXT},
    {SpvOpGroupNonUniformPartitionNV, SpvOpGroupNonUniformPartitionNV},
    {SpvOpCooperativeMatrixLoadNV, SpvOpCooperativeMatrixLengthNV},
    {SR_OP_COOPERATIVE_MATRIX_REDUCE, SR_OP_COOPERATIVE_MATRIX_PER_ELEMENT},
    {SR_OP_COOPERATIVE_MATRIX_TRANSPOSE, SR_OP_COOPERATIVE_MATRIX_TRANSPOSE},
    {SpvOpSubgroupShuffleINTEL, SpvOpSubgroupImageMediaBlockWriteINTEL},
    {SpvOpSubgroupAvcMceGetDefaultInterBaseMultiReferencePenaltyINTEL,
     SpvOpSubgroupAvcSicGetInterRawSadsINTEL},
    {SpvOpControlBarrierArriveINTEL, SpvOpControlBarrierWaitINTEL},
    {SR_OP_SUBGROUP_BLOCK_PREFETCH, SR_OP_SUBGROUP_BLOCK_PREFETCH},
    {SR_OP_SUBGROUP_2D_BLOCK_LOAD, SR_OP_SUBGROUP_MATRIX_MULTIPLY_ACCUMULATE},
    {SpvOpGroupIMulKHR, SpvOpGroupLogicalXorKHR},
};

static bool is_in(const Range *ranges, size_t count, uint16_t op) {
  size_t i = 0;
  while (i < count && op > ranges[i].last)
    i++;
  return i < count && op >= ranges[i].first;
}

/* The name of the instruction set of an OpExtInst; "": not known. */
static const char *set_of(const SrModule *m, SrRef r) {
  SrRef import = sr_def(m, sr_words(m, r)[3]);
  bool known = import != SR_NONE && sr_inst(m, import)->op == SpvOpExtInstImport;
  return known ? (const char *)&sr_words(m, import)[2] : "";
}

static bool is_in_ballot_set(const SrModule *m, SrRef r) {
  const char *set = set_of(m, r);
  return !*set || strcmp(set, "SPV_AMD_shader_ballot") == 0;
}

bool sr_is_pure_extended(const SrModule *m, SrRef r) {
  const char *set = set_of(m, r);
  if (sr_inst(m, r)->unknown ||
      (strcmp(set, "GLSL.std.450") != 0 && strcmp(set, "OpenCL.std") != 0))
    return false;
  for (uint32_t i = 5; i < sr_word_count(m, r); i++)
    if (sr_word_is_id(m, r, i) && sr_may_be_pointer(m, sr_words(m, r)[i]))
      return false;
  return true;
}

bool sr_is_cross_lane(const SrModule *m, SrRef r) {
  uint16_t op = sr_inst(m, r)->op;
  if (sr_inst(m, r)->unknown)
    return true;
  if (sr_is_quad_operation(m, r) ||
      is_in(other_cross_lane, sizeof other_cross_lane / sizeof *other_cross_lane, op))
    return true;
  return op == SpvOpExtInst && is_in_ballot_set(m, r);
}

bool sr_is_quad_operation(const SrModule *m, SrRef r) {
  return is_in(quad, sizeof quad / sizeof *quad, sr_inst(m, r)->op);
}

bool sr_reads_ballot(const SrModule *m, SrRef r) {
  uint16_t op = sr_inst(m, r)->op;
  return op >= SpvOpGroupNonUniformInverseBallot && op <= SpvOpGroupNonUniformBallotFindMSB;
}

/* Does the instruction have an operand at this word with this bit set? */
static bool has_bit(const SrModule *m, SrRef r, uint32_t word, uint32_t bit) {
  return sr_word_count(m, r) > word && sr_words(m, r)[word] & bit;
}

bool sr_is_polling(const SrModule *m, SrRef r) {
  static const Range atomic[] = {
      {SpvOpAtomicLoad, SpvOpAtomicXor},
      {SpvOpAtomicFlagTestAndSet, SpvOpAtomicFlagTestAndSet},
      {SpvOpAtomicFMinEXT, SpvOpAtomicFMaxEXT},
      {SpvOpAtomicFAddEXT, SpvOpAtomicFAddEXT},
  };
  uint16_t op = sr_inst(m, r)->op;
  if (op == SpvOpLoad)
    return sr_memory_has(m, r, SpvMemoryAccessVolatileMask) ||
           (m->has_volatile && sr_is_shared_class(sr_pointer_class(m, sr_words(m, r)[3])));
  if (op == SpvOpImageRead || op == SpvOpImageSparseRead)
    return has_bit(m, r, 5, SpvImageOperandsVolatileTexelMask) || m->has_volatile;
  return is_in(atomic, sizeof atomic / sizeof *atomic, op);
}
