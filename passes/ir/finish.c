/* SPDX-License-Identifier: Apache-2.0 */
/* finish: see finish.h. */
#include "passes/ir/finish.h"

#include "passes/ir/decorations.h"
#include "passes/ir/edit.h"
#include "passes/ir/grammar.h"

SrStatus sr_finish(SrModule *m) {
  if (m->ids_gone)
    sr_forget_undefined(m);
  SR_CHECK(sr_check_bound(m));
  if (m->too_long)
    return sr_fail(m->diag, SR_BAD_INPUT, SR_NOWHERE,
                   "the result needs an Op%s of more than 65,535 words, the most that SPIR-V "
                   "allows; other transforms may not",
                   sr_grammar_name(m->too_long));
  return SR_OK;
}
