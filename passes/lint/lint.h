/* SPDX-License-Identifier: Apache-2.0 */
/* lint: operations of several lanes under control that may diverge, with the chain of reasons.
 *
 * A barrier of the workgroup must be reached by all of its lanes; a derivative, and a sample with an
 * implicit level of detail, needs the lanes of its quad; what an operation of the subgroup computes
 * depends on which lanes run it together. lint_control finds the blocks that only some lanes may
 * run; lint_reason explains the branch at fault by the causes of the uniformity analysis. In an
 * entry point that promises MaximallyReconvergesKHR, it is defined which lanes run a subgroup
 * operation together, so these are not reported.
 *
 * The lint is static: it may report what never happens (spv-emu --check confirms or clears a
 * finding for one input), and does not know the operations of instructions newer than the grammar.
 * Cost: that of the uniformity analysis, once for each scope with an operation. */
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
