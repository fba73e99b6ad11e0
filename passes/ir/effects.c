/* SPDX-License-Identifier: Apache-2.0 */
/* effects: see effects.h. */
#include "ir/effects.h"

/* Opcodes in ascending ranges, as in the unified specification. */
static const struct {
  uint16_t first, last;
} cross_lane[] = {
    {SpvOpImageSampleImplicitLod, SpvOpImageSampleImplicitLod},
    {SpvOpImageSampleDrefImplicitLod, SpvOpImageSampleDrefImplicitLod},
    {SpvOpImageSampleProjImplicitLod, SpvOpImageSampleProjImplicitLod},
    {SpvOpImageSampleProjDrefImplicitLod, SpvOpImageSampleProjDrefImplicitLod},
    {SpvOpImageQueryLod, SpvOpImageQueryLod},
    {SpvOpDPdx, SpvOpFwidthCoarse},
    {SpvOpControlBarrier, SpvOpControlBarrier},
    {SpvOpGroupAsyncCopy, SpvOpGroupSMax},
    {SpvOpImageSparseSampleImplicitLod, SpvOpImageSparseSampleImplicitLod},
    {SpvOpImageSparseSampleDrefImplicitLod, SpvOpImageSparseSampleDrefImplicitLod},
    {SpvOpImageSparseSampleProjImplicitLod, SpvOpImageSparseSampleProjImplicitLod},
    {SpvOpImageSparseSampleProjDrefImplicitLod, SpvOpImageSparseSampleProjDrefImplicitLod},
    {SpvOpGroupNonUniformElect, SpvOpGroupNonUniformQuadSwap},
    {SpvOpSubgroupBallotKHR, SpvOpSubgroupReadInvocationKHR},
    {SpvOpGroupIAddNonUniformAMD, SpvOpGroupSMaxNonUniformAMD},
    {SpvOpGroupNonUniformPartitionNV, SpvOpGroupNonUniformPartitionNV},
    {SpvOpCooperativeMatrixLoadNV, SpvOpCooperativeMatrixLengthNV},
    {SpvOpSubgroupShuffleINTEL, SpvOpSubgroupImageMediaBlockWriteINTEL},
    {SpvOpControlBarrierArriveINTEL, SpvOpControlBarrierWaitINTEL},
    {SpvOpGroupIMulKHR, SpvOpGroupLogicalXorKHR},
};

static bool is_ballot_import(const SrModule *m, uint32_t set) {
  SrRef r = sr_def(m, set);
  return r != SR_NONE && sr_inst(m, r)->op == SpvOpExtInstImport &&
         strcmp((const char *)&sr_words(m, r)[2], "SPV_AMD_shader_ballot") == 0;
}

bool sr_is_cross_lane(const SrModule *m, SrRef r) {
  uint16_t op = sr_inst(m, r)->op;
  for (size_t i = 0; i < sizeof cross_lane / sizeof *cross_lane; i++)
    if (op >= cross_lane[i].first && op <= cross_lane[i].last)
      return true;
  return op == SpvOpExtInst && is_ballot_import(m, sr_words(m, r)[3]);
}
