/* SPDX-License-Identifier: Apache-2.0 */
/* result: see result.h. */
#include "passes/driver/result.h"

spvreconv_result *sr_result_new(const SrHeap *kind) {
  SrHeap heap = *kind;
  sr_heap_init(&heap);
  spvreconv_result *result = heap.resize(heap.user, NULL, 0, sizeof *result);
  if (!result)
    return NULL;
  *result = (spvreconv_result){.heap = heap};
  result->arena = sr_arena_new(&result->heap);
  return result;
}

void spvreconv_result_destroy(spvreconv_result *result) {
  if (!result)
    return;
  sr_heap_free_all(&result->heap);
  result->heap.resize(result->heap.user, result, sizeof *result, 0);
}

spvreconv_status spvreconv_result_status(const spvreconv_result *result) {
  return result ? (spvreconv_status)result->diag.status : SPVRECONV_OUT_OF_MEMORY;
}

const char *spvreconv_result_message(const spvreconv_result *result) {
  return result ? result->diag.text : "out of memory";
}

static bool is_ok(const spvreconv_result *result) {
  return spvreconv_result_status(result) == SPVRECONV_OK;
}

const uint32_t *spvreconv_result_words(const spvreconv_result *result, size_t *count) {
  *count = is_ok(result) ? result->count : 0;
  return is_ok(result) ? result->words : NULL;
}

size_t spvreconv_result_input_words(const spvreconv_result *result) {
  return result ? result->input_count : 0;
}

bool spvreconv_result_changed(const spvreconv_result *result) {
  return is_ok(result) && result->changed;
}

bool spvreconv_result_needs_structure(const spvreconv_result *result) {
  return is_ok(result) && result->needs_structure;
}

const spvreconv_function *spvreconv_result_function(const spvreconv_result *result, size_t index) {
  return is_ok(result) && index < result->function_count ? &result->functions[index] : NULL;
}

const spvreconv_pass *spvreconv_result_pass(const spvreconv_result *result, size_t index) {
  return is_ok(result) && index < result->passes.count ? &result->passes.at[index] : NULL;
}

const spvreconv_kernel *spvreconv_result_kernel(const spvreconv_result *result, size_t index) {
  return is_ok(result) && index < result->kernels.count ? &result->kernels.at[index] : NULL;
}

const spvreconv_sampler *spvreconv_result_sampler(const spvreconv_result *result, size_t index) {
  return is_ok(result) && index < result->samplers.count ? &result->samplers.at[index] : NULL;
}

const spvreconv_refusal *spvreconv_result_refusal(const spvreconv_result *result, size_t index) {
  return is_ok(result) && index < result->refusals.count ? &result->refusals.at[index] : NULL;
}

const spvreconv_repair *spvreconv_result_repair(const spvreconv_result *result, size_t index) {
  return is_ok(result) && index < result->repairs.count ? &result->repairs.at[index] : NULL;
}

const spvreconv_violation *spvreconv_result_violation(const spvreconv_result *result,
                                                      size_t index) {
  return result && index < result->explanation.violations.count
             ? &result->explanation.violations.at[index]
             : NULL;
}

const spvreconv_finding *spvreconv_result_finding(const spvreconv_result *result, size_t index) {
  return result && index < result->lint.findings.count ? &result->lint.findings.at[index] : NULL;
}

const spvreconv_frontier *spvreconv_result_frontier(const spvreconv_result *result, size_t index) {
  return is_ok(result) && index < result->frontiers.blocks.count
             ? &result->frontiers.blocks.at[index]
             : NULL;
}

const spvreconv_check *spvreconv_result_check(const spvreconv_result *result) {
  return result && result->checked ? &result->check : NULL;
}

const char *spvreconv_result_text(const spvreconv_result *result, unsigned want) {
  if (result && want == SPVRECONV_WANT_CHECK)
    return result->differences;
  if (result && want == SPVRECONV_WANT_EXPLAIN)
    return result->explanation.text;
  if (!is_ok(result))
    return NULL;
  switch (want) {
  case SPVRECONV_WANT_CFG_DOT:
    return result->dot;
  case SPVRECONV_WANT_UNIFORMITY:
    return result->uniformity;
  case SPVRECONV_WANT_WAVE:
    return result->wave;
  case SPVRECONV_WANT_FRONTIER:
    return result->frontiers.text;
  case SPVRECONV_WANT_ASSEMBLY:
    return result->assembly;
  default:
    return NULL;
  }
}
