/* SPDX-License-Identifier: Apache-2.0 */
/* explain: the violations of the rules of structured control flow, for users. */
#ifndef SR_EXPLAIN_H
#define SR_EXPLAIN_H

#include "passes/ir/module.h"
#include "passes/source/source_text.h"

#include <spvreconv/spvreconv.h>

typedef struct SrExplanation {
  SR_VEC(spvreconv_violation) violations;
  const char *text; /* a line for each */
} SrExplanation;

/* Everything in the result is allocated in `out`. `source`: the text that the module was assembled
 * from, whose names of ids are used; its `text` is NULL for a binary. `portable`: by the rules of
 * portable structure, too. */
void sr_explain(SrArena *out, SrArena *scratch, const SrModule *m, const SrSourceText *source,
                bool portable, SrExplanation *explanation);

#endif
