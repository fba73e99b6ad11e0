/* SPDX-License-Identifier: Apache-2.0 */
/* end_mark: see end_mark.h. */
#include "passes/analysis/uniform/end_mark.h"

#include "passes/ir/integer.h"

static bool is_end_mark(const SrModule *m, uint32_t id) {
  SrInteger value;
  return sr_integer_constant(m, id, &value) && value.width == 32 && value.bits == UINT32_MAX;
}

bool sr_compares_end_mark(const SrModule *m, SrRef r) {
  uint16_t op = sr_inst(m, r)->op;
  return (op == SpvOpIEqual || op == SpvOpINotEqual) &&
         (is_end_mark(m, sr_words(m, r)[3]) || is_end_mark(m, sr_words(m, r)[4]));
}

/* A number that is not a constant is 0. */
static uint64_t number_of(const SrModule *m, uint32_t id) {
  SrInteger value;
  return sr_integer_constant(m, id, &value) ? value.bits : 0;
}

/* The size of a workgroup that the instruction declares. False: it does not. */
static bool declares_size(const SrModule *m, SrRef r, uint64_t size[3]) {
  const uint32_t *w = sr_words(m, r);
  uint16_t op = sr_inst(m, r)->op;
  bool ids = op == SpvOpExecutionModeId && w[2] == SpvExecutionModeLocalSizeId;
  bool vector =
      op == SpvOpDecorate && w[2] == SpvDecorationBuiltIn && w[3] == SpvBuiltInWorkgroupSize;
  if (!ids && !vector && (op != SpvOpExecutionMode || w[2] != SpvExecutionModeLocalSize))
    return false;
  bool constant = vector && sr_def_op(m, w[1]) == SpvOpConstantComposite;
  const uint32_t *parts = constant ? sr_words(m, sr_def(m, w[1])) : w;
  for (uint32_t i = 0; i < 3; i++)
    size[i] = vector && !constant ? 0 : ids || vector ? number_of(m, parts[3 + i]) : w[3 + i];
  return true;
}

/* How many numbers of this kind a workgroup has, the largest by all declarations; 0: not known.
 * `axis`: of LocalInvocationId. */
static uint64_t extent(const SrModule *m, uint32_t builtin, uint32_t axis) {
  uint64_t most = 0, size[3];
  for (SR_EACH(m, r, m->globals)) {
    if (sr_inst(m, r)->op == SpvOpTypeVoid) /* every module has it, after modes and decorations */
      break;
    if (!declares_size(m, r, size))
      continue;
    uint64_t here =
        builtin == SpvBuiltInLocalInvocationId ? size[axis] : size[0] * size[1] * size[2];
    if (!here)
      return 0;
    most = here > most ? here : most;
  }
  return most;
}

/* The least number of lanes that a multiple must be of, so that `id` is less: 0: `id` is not a lane's
 * number. */
static uint64_t lanes_of(const SrMemory *memory, const SrModule *m, uint32_t id) {
  SrRef r = sr_def(m, id);
  uint32_t axis = UINT32_MAX;
  SrInteger index;
  if (r != SR_NONE && sr_inst(m, r)->op == SpvOpCompositeExtract && sr_word_count(m, r) == 5) {
    axis = sr_words(m, r)[4];
    r = sr_def(m, sr_words(m, r)[3]);
  }
  if (r == SR_NONE || sr_inst(m, r)->op != SpvOpLoad)
    return 0;
  uint32_t builtin = sr_memory_loaded_builtin(memory, r);
  if (builtin == SpvBuiltInLocalInvocationIndex)
    return extent(m, builtin, 0);
  SrRef pointer = sr_def(m, sr_words(m, r)[3]);
  if (sr_inst(m, pointer)->op == SpvOpAccessChain && sr_word_count(m, pointer) == 5 &&
      sr_integer_constant(m, sr_words(m, pointer)[4], &index))
    axis = (uint32_t)index.bits;
  return builtin == SpvBuiltInLocalInvocationId && axis < 3 ? extent(m, builtin, axis) : 0;
}

/* What the value is a multiple of, by its definition; 0: not known. */
static uint64_t multiple_of(const SrModule *m, uint32_t id) {
  SrRef r = sr_def(m, id);
  SrInteger factor;
  if (r == SR_NONE)
    return 0;
  const uint32_t *w = sr_words(m, r);
  if (sr_inst(m, r)->op == SpvOpIMul)
    return sr_integer_constant(m, w[4], &factor) || sr_integer_constant(m, w[3], &factor)
               ? factor.bits
               : 0;
  if (sr_inst(m, r)->op == SpvOpShiftLeftLogical && sr_integer_constant(m, w[4], &factor))
    return factor.bits < 32 ? (uint64_t)1 << factor.bits : 0;
  return 0;
}

bool sr_is_lane_index(const SrMemory *memory, const SrModule *m, SrRef r, uint32_t id) {
  const uint32_t *w = sr_words(m, r);
  if (sr_inst(m, r)->op != SpvOpIAdd || w[3] == w[4] || (w[3] != id && w[4] != id))
    return false;
  uint64_t multiple = multiple_of(m, w[3] == id ? w[4] : w[3]);
  uint64_t lanes = multiple ? lanes_of(memory, m, id) : 0;
  return lanes && multiple >= lanes;
}
