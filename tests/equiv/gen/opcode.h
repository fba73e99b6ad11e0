/* SPDX-License-Identifier: Apache-2.0 */
/* opcode: kinds of instructions of function bodies, within the subset that the tests use. */
#ifndef EQUIV_OPCODE_H
#define EQUIV_OPCODE_H

#include <spirv/unified1/spirv.h>
#include <stdbool.h>
#include <stdint.h>

static inline bool opcode_is_terminator(uint32_t op) {
  return op == SpvOpBranch || op == SpvOpBranchConditional || op == SpvOpSwitch ||
         op == SpvOpReturn || op == SpvOpReturnValue || op == SpvOpUnreachable || op == SpvOpKill ||
         op == SpvOpTerminateInvocation;
}

static inline bool opcode_is_merge(uint32_t op) {
  return op == SpvOpSelectionMerge || op == SpvOpLoopMerge;
}

static inline bool opcode_is_line(uint32_t op) {
  return op == SpvOpLine || op == SpvOpNoLine || op == SpvOpNop;
}

/* Result type in word 1, result in word 2. */
static inline bool opcode_has_result(uint32_t op) {
  return !opcode_is_terminator(op) && !opcode_is_merge(op) && !opcode_is_line(op) &&
         op != SpvOpStore && op != SpvOpCopyMemory && op != SpvOpCopyMemorySized &&
         op != SpvOpMemoryBarrier && op != SpvOpControlBarrier && op != SpvOpLabel &&
         op != SpvOpFunctionEnd;
}

#endif
