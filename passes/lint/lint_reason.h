/* SPDX-License-Identifier: Apache-2.0 */
/* lint_reason: why a block is run by only some of the lanes, in notes with source lines: from the
 * call or branch at fault to the load, builtin or operation that gives lanes different values. */
#ifndef SR_LINT_REASON_H
#define SR_LINT_REASON_H

#include "passes/lint/lint_control.h"
#include "passes/source/source_map.h"

#include <spvreconv/spvreconv.h>

typedef SR_VEC(spvreconv_reason) SrLintReasons;

typedef struct SrLintReason {
  SrArena *out;
  const SrModule *m;
  const SrLintCalls *calls;
  const SrLintControl *control;
  SrSource *source;
  const char **names, **values; /* by id: names of variables; of values (source_names.h) */
  const char *lanes;            /* "workgroup", "subgroup", "quad" */
  SrLintReasons reasons;
} SrLintReason;

/* Adds the reasons why the instruction is run by only some of the lanes; `number`: its block. */
void sr_lint_reason(SrLintReason *k, uint32_t number, SrRef r);
/* The file and line of an instruction, in `out`, or, if it has none, of its function; file NULL: not
 * known. */
const char *sr_lint_place(SrArena *out, SrSource *source, const SrLintCalls *calls, SrRef r,
                          uint32_t *line);

#endif
