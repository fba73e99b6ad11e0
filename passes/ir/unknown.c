/* SPDX-License-Identifier: Apache-2.0 */
/* unknown: see unknown.h. */
#include "passes/ir/unknown.h"
#include "passes/ir/grammar.h"
#include "passes/ir/parse.h"

void sr_say_unknown(const SrModule *m, const SrFunction *f, SrRef r) {
  uint16_t op = sr_inst(m, r)->op;
  SrWhere where = {.function = sr_function_name(m, m->arena, f),
                   .word = SR_HEADER_WORDS + sr_inst(m, r)->at};
  if (sr_grammar_instruction(op))
    sr_notice(m->diag, where,
              "an Op%s has operands that this build's SPIR-V headers do not know: the function is "
              "left as it is",
              sr_grammar_name(op));
  else
    sr_notice(m->diag, where,
              "opcode %u is newer than this build's SPIR-V headers: the function is left as it is",
              op);
}
