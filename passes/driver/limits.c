/* SPDX-License-Identifier: Apache-2.0 */
/* limits: see limits.h. */
#include "passes/driver/limits.h"

#include "passes/analysis/calls.h"
#include "passes/analysis/graph/nesting.h"

/* Above LARGE_NESTING (of SrNesting.cost) the validator takes about a second, and several times as
 * long if it refuses the output, since the input is then validated, too; above LARGE_CALLS
 * (calls.h) it takes some seconds. NESTING: the depth that the validator allows. */
enum {
  LARGE_FUNCTION = 10000,
  LARGE_MODULE = 1000000,
  LARGE_NESTING = 20000000,
  LARGE_CALLS = 20000000,
  NESTING = 1023,
  BOUND_WORD = 3,
};

SrStatus sr_limits_check_ids(const SrLimits *limits, SrDiag *diag, const uint32_t *words,
                             size_t count) {
  if (limits->ids == 0 || count <= BOUND_WORD || words[BOUND_WORD] <= limits->ids)
    return SR_OK;
  return sr_fail(diag, SR_BAD_INPUT, (SrWhere){.word = BOUND_WORD},
                 "id bound %u: --max-ids=%u allows no more", words[BOUND_WORD], limits->ids);
}

SrStatus sr_limits_check_blocks(const SrLimits *limits, SrArena *scratch, const SrModule *m) {
  for (uint32_t i = 0; limits->blocks && i < m->function_count; i++) {
    const SrFunction *f = &m->functions[i];
    if (f->block_count > limits->blocks)
      return sr_fail(m->diag, SR_BAD_INPUT,
                     (SrWhere){.function = sr_function_name(m, scratch, f), .word = SR_NONE},
                     "%u blocks: --max-blocks=%u allows no more", f->block_count, limits->blocks);
  }
  return SR_OK;
}

/* Do constructs nest so deep that the validator takes long? The validator does not check nesting in
 * kernels, and immediately refuses nesting deeper than it allows. A block is in fewer constructs,
 * and has fewer dominators, than there are blocks: a function of few blocks need not be
 * measured. */
static bool nests_deep(const SrLimits *limits, SrArena *scratch, const SrModule *m) {
  SrNesting nesting = {0};
  for (uint32_t i = 0; m->shader && i < m->function_count; i++) {
    const SrFunction *f = &m->functions[i];
    if ((uint64_t)f->block_count * f->block_count * f->block_count > LARGE_NESTING)
      sr_nesting_add(&nesting, scratch, m, f);
  }
  return nesting.cost > LARGE_NESTING &&
         nesting.deepest <= (limits->nesting ? limits->nesting : (uint32_t)NESTING);
}

bool sr_limits_is_large(const SrLimits *limits, SrArena *scratch, const SrModule *m) {
  uint32_t most = 0;
  for (uint32_t i = 0; i < m->function_count; i++)
    most = m->functions[i].block_count > most ? m->functions[i].block_count : most;
  if (most > LARGE_FUNCTION)
    sr_notice(m->diag, SR_NOWHERE,
              "not validated with SPIRV-Tools: a function has %u blocks; --validate=full does",
              most);
  else if (m->input_words > LARGE_MODULE)
    sr_notice(m->diag, SR_NOWHERE,
              "not validated with SPIRV-Tools: the module has %u words; --validate=full does",
              m->input_words);
  else if (nests_deep(limits, scratch, m))
    sr_notice(m->diag, SR_NOWHERE,
              "not validated with SPIRV-Tools: constructs nest so deep that it would take long; "
              "--validate=full does");
  else if (sr_calls_exceed(scratch, m, LARGE_CALLS))
    sr_notice(m->diag, SR_NOWHERE,
              "not validated with SPIRV-Tools: functions call so many others that it would take "
              "long; --validate=full does");
  else
    return false;
  return true;
}
