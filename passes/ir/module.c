/* SPDX-License-Identifier: Apache-2.0 */
/* module: queries on a module that need no analysis. */
#include "passes/ir/module.h"

#include "passes/ir/mangled.h"
#include "passes/ir/newer.h"
#include "passes/ir/pointer.h"

#include <stdio.h>
#include <string.h>

SpvOp sr_def_op(const SrModule *m, uint32_t id) {
  SrRef r = sr_def(m, id);
  return r == SR_NONE ? SpvOpNop : (SpvOp)sr_inst(m, r)->op;
}

bool sr_is_leaf(SpvOp op) {
  switch ((uint32_t)op) {
  case SpvOpReturn:
  case SpvOpReturnValue:
  case SpvOpKill:
  case SpvOpUnreachable:
  case SpvOpTerminateInvocation:
  case SpvOpIgnoreIntersectionKHR:
  case SpvOpTerminateRayKHR:
  case SpvOpEmitMeshTasksEXT:
  case SR_OP_ABORT:
    return true;
  default:
    return false;
  }
}

uint64_t sr_count_words(const SrModule *m, const SrFunction *f) {
  uint64_t words = 0;
  for (uint32_t b = 0; b < f->block_count; b++)
    for (SR_EACH(m, r, f->blocks[b].list))
      words += sr_word_count(m, r);
  return words;
}

bool sr_is_terminator(SpvOp op) {
  return op == SpvOpBranch || op == SpvOpBranchConditional || op == SpvOpSwitch || sr_is_leaf(op);
}

bool sr_is_debug_line(const SrInst *inst) {
  return inst->op == SpvOpLine || inst->op == SpvOpNoLine || inst->nonsemantic;
}

bool sr_prints(const SrModule *m, SrRef r) {
  if (sr_inst(m, r)->op != SpvOpExtInst || !sr_inst(m, r)->nonsemantic)
    return false;
  const char *set = (const char *)&sr_words(m, sr_def(m, sr_words(m, r)[3]))[2];
  return strcmp(set, "NonSemantic.DebugPrintf") == 0;
}

bool sr_counts(const SrInst *inst) {
  switch (inst->op) {
  case SpvOpLabel:
  case SpvOpPhi:
  case SpvOpVariable:
  case SR_OP_UNTYPED_VARIABLE:
  case SpvOpLine:
  case SpvOpNoLine:
  case SpvOpNop:
  case SpvOpUndef:
  case SpvOpSelectionMerge:
  case SpvOpLoopMerge:
    return false;
  default:
    return !inst->nonsemantic;
  }
}

uint32_t sr_count_instructions(const SrModule *m, const SrBlock *b) {
  uint32_t n = 0;
  for (SR_EACH(m, r, b->list))
    n += sr_counts(sr_inst(m, r));
  return n;
}

SrRef sr_merge_inst(const SrModule *m, const SrBlock *b) {
  SrRef r = sr_inst(m, sr_terminator(b))->prev;
  while (r != SR_NONE && sr_is_debug_line(sr_inst(m, r)))
    r = sr_inst(m, r)->prev;
  if (r == SR_NONE)
    return SR_NONE;
  uint16_t op = sr_inst(m, r)->op;
  return op == SpvOpSelectionMerge || op == SpvOpLoopMerge ? r : SR_NONE;
}

bool sr_has_phis(const SrModule *m, const SrBlock *b) {
  SrRef end = sr_first_ordinary(m, b);
  for (SrRef r = b->list.first; r != end; r = sr_inst(m, r)->next)
    if (sr_inst(m, r)->op == SpvOpPhi)
      return true;
  return false;
}

SrRef sr_first_ordinary(const SrModule *m, const SrBlock *b) {
  SrRef spot = sr_inst(m, b->label)->next;
  for (SrRef r = spot; r != SR_NONE; r = sr_inst(m, r)->next) {
    const SrInst *in = sr_inst(m, r);
    if (in->op == SpvOpPhi || (sr_is_variable(in->op) && b->list.last != r))
      spot = in->next;
    else if (!sr_is_debug_line(in))
      break;
  }
  return spot;
}

uint32_t sr_next_target(const SrModule *m, SrRef terminator, uint32_t i) {
  const SrInst *in = sr_inst(m, terminator);
  if (in->op != SpvOpBranch && in->op != SpvOpBranchConditional && in->op != SpvOpSwitch)
    return 0;
  if (i == 0)
    i = in->op == SpvOpBranch ? 0 : 1; /* the condition or selector is not a target */
  uint32_t count = m->pool.at[in->at] >> 16;
  while (++i < count)
    if (sr_word_is_id(m, terminator, i))
      return i;
  return 0;
}

const char *sr_function_name(const SrModule *m, SrArena *arena, const SrFunction *f) {
  if (f->name != SR_NONE) {
    bool entry = sr_inst(m, f->name)->op == SpvOpEntryPoint;
    const char *name = (const char *)&sr_words(m, f->name)[entry ? 3 : 2];
    size_t length = sr_mangled_length(name);
    return name[length] ? sr_strndup(arena, name, length) : name;
  }
  char text[16];
  int n = snprintf(text, sizeof text, "%%%u", f->id);
  return sr_strndup(arena, text, (size_t)n);
}
