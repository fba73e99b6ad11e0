/* SPDX-License-Identifier: Apache-2.0 */
/* dataflow: see dataflow.h. Opcodes come in ranges of one kind (SPIR-V 1.6, 3.52). */
#include "passes/analysis/uniform/dataflow.h"
#include "passes/ir/effects.h"
#include "passes/ir/integer.h"
#include "passes/ir/newer.h"

static bool in(uint32_t op, uint32_t first, uint32_t last) {
  return first <= op && op <= last;
}

static bool is_pure(uint32_t op) {
  return in(op, SpvOpAccessChain, SpvOpArrayLength) || op == SpvOpInBoundsPtrAccessChain ||
         in(op, SpvOpVectorExtractDynamic, SpvOpTranspose) || op == SpvOpSampledImage ||
         op == SpvOpImageSampleExplicitLod || op == SpvOpImageSampleDrefExplicitLod ||
         op == SpvOpImageSampleProjExplicitLod || op == SpvOpImageSampleProjDrefExplicitLod ||
         in(op, SpvOpImageFetch, SpvOpImageDrefGather) || op == SpvOpImage ||
         in(op, SpvOpImageQueryFormat, SpvOpImageQuerySize) ||
         in(op, SpvOpImageQueryLevels, SpvOpImageQuerySamples) ||
         in(op, SpvOpConvertFToU, SpvOpBitcast) || in(op, SpvOpSNegate, SpvOpSMulExtended) ||
         in(op, SpvOpAny, SpvOpFUnordGreaterThanEqual) ||
         in(op, SpvOpShiftRightLogical, SpvOpBitCount) || in(op, SpvOpCopyLogical, SpvOpPtrDiff) ||
         in(op, SpvOpSDotKHR, SpvOpSUDotAccSatKHR) || op == SpvOpGroupNonUniformBallotBitExtract ||
         op == SpvOpGroupNonUniformBallotFindLSB || op == SpvOpGroupNonUniformBallotFindMSB ||
         op == SpvOpImageTexelPointer ||
         in(op, SR_OP_UNTYPED_ACCESS_CHAIN, SR_OP_UNTYPED_IN_BOUNDS_ACCESS_CHAIN) ||
         in(op, SR_OP_UNTYPED_PTR_ACCESS_CHAIN, SR_OP_UNTYPED_ARRAY_LENGTH) ||
         op == SR_OP_RAW_ACCESS_CHAIN || op == SR_OP_COMPOSITE_CONSTRUCT_REPLICATE;
}

/* Does the execution scope, a constant, cover at least the lanes in question? */
static bool scope_covers(const SrModule *m, uint32_t id, bool workgroup) {
  SrInteger scope;
  return sr_integer_constant(m, id, &scope) &&
         (scope.bits == SpvScopeWorkgroup || (scope.bits == SpvScopeSubgroup && !workgroup));
}

/* Is the fifth word of this opcode a group operation? All lanes get one result only if it is
 * Reduce. */
static bool has_group_operation(uint32_t op) {
  return in(op, SpvOpGroupNonUniformIAdd, SpvOpGroupNonUniformLogicalXor) ||
         in(op, SpvOpGroupIAdd, SpvOpGroupSMax) || op == SpvOpGroupNonUniformBallotBitCount;
}

static bool is_group(const SrModule *m, SrRef r, bool workgroup) {
  uint32_t op = sr_inst(m, r)->op;
  switch (op) {
  case SpvOpSubgroupBallotKHR:
  case SpvOpSubgroupFirstInvocationKHR:
  case SpvOpSubgroupAllKHR:
  case SpvOpSubgroupAnyKHR:
  case SpvOpSubgroupAllEqualKHR:
  case SpvOpSubgroupReadInvocationKHR:
    return !workgroup;
  case SpvOpGroupAll:
  case SpvOpGroupAny:
  case SpvOpGroupBroadcast:
  case SpvOpGroupNonUniformAll:
  case SpvOpGroupNonUniformAny:
  case SpvOpGroupNonUniformAllEqual:
  case SpvOpGroupNonUniformBroadcast:
  case SpvOpGroupNonUniformBroadcastFirst:
  case SpvOpGroupNonUniformBallot:
    return scope_covers(m, sr_words(m, r)[3], workgroup);
  default:
    return has_group_operation(op) && sr_words(m, r)[4] == SpvGroupOperationReduce &&
           scope_covers(m, sr_words(m, r)[3], workgroup);
  }
}

bool sr_dataflow_may_differ(const SrModule *m, uint32_t id) {
  SrRef def = sr_def(m, id);
  if (def == SR_NONE)
    return true;
  if (sr_inst(m, def)->op == SpvOpLabel)
    return false;
  return m->home[id] != SR_NONE || sr_inst(m, def)->op == SpvOpFunctionParameter;
}

SrDataflow sr_dataflow(const SrModule *m, SrRef r, bool workgroup) {
  const SrInst *inst = sr_inst(m, r);
  if (!inst->result || inst->nonsemantic)
    return SR_DATAFLOW_NONE;
  if (inst->unknown)
    return SR_DATAFLOW_DIFFERS;
  switch (inst->op) {
  case SpvOpLabel:
  case SpvOpVariable:
  case SR_OP_UNTYPED_VARIABLE:
  case SpvOpUndef: /* one value per definition, as in all known implementations */
    return SR_DATAFLOW_NONE;
  case SpvOpLoad:
    return SR_DATAFLOW_LOAD;
  case SpvOpPhi:
    return SR_DATAFLOW_PHI;
  case SpvOpFunctionCall:
    return SR_DATAFLOW_CALL;
  case SpvOpExtInst:
    return sr_is_pure_extended(m, r) ? SR_DATAFLOW_PURE : SR_DATAFLOW_DIFFERS;
  default:
    if (is_pure(inst->op))
      return SR_DATAFLOW_PURE;
    return is_group(m, r, workgroup) ? SR_DATAFLOW_GROUP : SR_DATAFLOW_DIFFERS;
  }
}

uint32_t sr_dataflow_selector(const SrModule *m, SrRef r) {
  switch (sr_inst(m, r)->op) {
  case SpvOpGroupBroadcast:
  case SpvOpGroupNonUniformBroadcast:
    return 5;
  case SpvOpSubgroupReadInvocationKHR:
    return 4;
  default:
    return 0;
  }
}
