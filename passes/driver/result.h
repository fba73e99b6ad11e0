/* SPDX-License-Identifier: Apache-2.0 */
/* result: the result of a run. It owns a heap, which lives longer than the run's heap. */
#ifndef SR_RESULT_H
#define SR_RESULT_H

#include "passes/base/diag.h"
#include "passes/base/vec.h"
#include "passes/driver/explain.h"
#include "passes/driver/frontiers.h"
#include "passes/lint/lint.h"

#include <spvreconv/spvreconv.h>

struct spvreconv_result {
  SrHeap heap;
  SrArena arena;
  SrDiag diag;
  uint32_t *words;
  size_t count, input_count;
  bool changed, needs_structure;
  bool too_large; /* too large for the validator */
  spvreconv_function *functions;
  size_t function_count;
  SR_VEC(spvreconv_pass) passes;
  SR_VEC(spvreconv_repair) repairs;
  SR_VEC(spvreconv_kernel) kernels;
  SR_VEC(spvreconv_sampler) samplers;
  SR_VEC(spvreconv_refusal) refusals;
  SrExplanation explanation;
  SrLint lint;
  SrFrontierList frontiers;
  const char *dot, *uniformity, *wave, *assembly, *differences;
  spvreconv_check check;
  bool checked;
};

/* An empty result whose heap uses the allocator of `kind`; NULL: out of memory. */
spvreconv_result *sr_result_new(const SrHeap *kind);

#endif
