/* SPDX-License-Identifier: Apache-2.0 */
/* kernel_state: see kernel_state.h. */
#include "passes/transform/kernel/kernel_state.h"

#include "passes/base/text.h"
#include "passes/ir/grammar.h"

#include <stdarg.h>
#include <stdio.h>

/* The OpLine that applies to an instruction of a block, or SR_NONE. */
static SrRef line_of(const SrModule *m, SrRef r) {
  while (r != SR_NONE && sr_inst(m, r)->op != SpvOpLine && sr_inst(m, r)->op != SpvOpNoLine)
    r = sr_inst(m, r)->prev;
  return r != SR_NONE && sr_inst(m, r)->op == SpvOpLine ? r : SR_NONE;
}

/* " (file:line)"; empty if it is not known. */
static void write_line(const SrModule *m, SrRef r, char *text, size_t room) {
  SrRef line = line_of(m, r);
  *text = 0;
  if (line == SR_NONE)
    return;
  SrRef file = sr_def(m, sr_words(m, line)[1]);
  const char *name = file == SR_NONE ? "" : (const char *)&sr_words(m, file)[2];
  snprintf(text, room, " (%.100s:%u)", name, sr_words(m, line)[2]);
}

SrStatus sr_kernel_refuse(SrKernels *k, SrRef r, const char *format, ...) {
  const SrModule *m = k->m;
  const SrInst *in = sr_inst(m, r);
  char reason[256], line[128] = "", id[16] = "";
  va_list args;
  va_start(args, format);
  vsnprintf(reason, sizeof reason, format, args);
  va_end(args);
  SrWhere where = {.function = k->current ? k->current->name : NULL,
                   .word = in->added ? SR_NONE : 5 + in->at};
  if (in->added)
    write_line(m, r, line, sizeof line);
  if (in->result)
    snprintf(id, sizeof id, " %%%u", in->result);
  SrDiag diag = {.locate = m->diag->locate, .locate_user = m->diag->locate_user};
  SrStatus status = sr_fail(&diag, SR_BAD_INPUT, where, "kernel-to-shader: Op%s%s: %s%s",
                            sr_grammar_name(in->op), id, reason, line);
  k->refusal = sr_text_copy(m->arena, diag.text);
  return status;
}
