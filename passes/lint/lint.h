/* SPDX-License-Identifier: Apache-2.0 */
/* lint: operations of several lanes under control that may diverge, with the chain of reasons.
 *
 * All lanes of a workgroup must reach its barriers. A derivative, or a sample with an implicit
 * level of detail, needs all lanes of its quad. The result of a subgroup operation depends on which
 * lanes run it together. lint_control finds the blocks that only some lanes may run; lint_reason
 * explains the branch at fault by the causes of the uniformity analysis. In an entry point that
 * promises MaximallyReconvergesKHR, it is defined which lanes run a subgroup operation together, so
 * these are not reported.
 *
 * The lint is static, so it may report what never happens (spv-emu --check confirms or clears a
 * finding for one input). It ignores instructions that are newer than the grammar. Cost: that of
 * the uniformity analysis, once for each scope with an operation. */
#ifndef SR_LINT_H
#define SR_LINT_H

#include "passes/ir/module.h"

#include <spvreconv/spvreconv.h>

typedef struct SrLint {
  SR_VEC(spvreconv_finding) findings;
} SrLint;

/* Everything in the result is allocated in `out`. */
void sr_lint(SrArena *out, SrArena *scratch, const SrModule *m, SrLint *lint);

#endif
