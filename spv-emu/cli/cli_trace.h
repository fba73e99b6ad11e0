/* cli_trace: --trace-stack and --trace-entries: files that are written while policies run.
 *
 *   --trace-stack    CSV, a line for each issue: policy, subgroup, issue (from 1), block, depth of
 *                    the stack after it. What the policy issues of its own (SSY, carriers) stands
 *                    with the block that it comes after
 *   --trace-entries  a line for each entry that is popped or pushed: mask, next block, block of
 *                    re-convergence; those of one instruction together, popped ones first */
#ifndef EMU_CLI_TRACE_H
#define EMU_CLI_TRACE_H

#include <spv-emu/spv_emu.h>
#include <stdio.h>

typedef struct EmuCliTrace {
  const char *stack_file, *entries_file; /* NULL: not wanted */
  FILE *stack, *entries;
  const char *policy; /* whose entries come */
  uint64_t subgroup;  /* whose entries came last */
  const char *step;   /* the step that entries are of; NULL once its name is written */
  spv_emu_trace trace;
} EmuCliTrace;

/* Opens what is wanted. False: one line on standard error. To be closed whatever the result. */
bool emu_cli_trace_open(EmuCliTrace *t, const char *stack_file, const char *entries_file);
/* For the options of a run under a new policy; NULL: nothing is wanted. */
spv_emu_trace *emu_cli_trace_start(EmuCliTrace *t);
/* False: something could not be written; one line on standard error. */
bool emu_cli_trace_close(EmuCliTrace *t);

#endif
